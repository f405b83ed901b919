//! Reports as files: JUnit's XML for a CI's list of tests, SARIF for its view of the source. A file is whole at any time, as a
//! program may end without its destructors. The first reports are in it at once; of many, which are written anew each time, the last
//! ones may wait for the end of the program.

use core::fmt::Write;
use core::time::Duration;
use parking_lot::Mutex;
use serde_json::{Value, json};
use settings::config::Check;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// So many reports are in the files at once: as many as there are without `limit=N`.
const AT_ONCE: usize = 100;
/// With more reports, no more than one part of so many of the time goes into writing.
const SHARE: u32 = 20;

/// A report: the check that it comes from, what it says first, where, and all of it.
struct Report {
    check: String,
    headline: String,
    place: Option<(String, u32)>,
    text: String,
}

struct Files {
    junit: Option<PathBuf>,
    sarif: Option<PathBuf>,
    /// What was asked for, by name.
    checks: Vec<&'static str>,
    reports: Vec<Report>,
    /// When the files were written last, and how long that took.
    written: Option<(Instant, Duration)>,
}

static FILES: Mutex<Option<Files>> = Mutex::new(None);

/// Remembers where reports go. `%p` in a name is the number of the process.
pub fn start(check: &Check) {
    if check.junit.is_none() && check.sarif.is_none() {
        return;
    }
    let path =
        |name: &Option<String>| name.as_ref().map(|n| PathBuf::from(n.replace("%p", &std::process::id().to_string())));
    let all = [
        (check.accesses(), "memcheck"),
        (check.unwritten, "initcheck"),
        (check.races, "racecheck"),
        (check.misuse, "synccheck"),
        (check.leaks, "leaks"),
    ];
    let checks = all.iter().filter(|c| c.0).map(|c| c.1).collect();
    *FILES.lock() = Some(Files {
        junit: path(&check.junit),
        sarif: path(&check.sarif),
        checks,
        reports: Vec::new(),
        written: None,
    });
}

/// Adds a report, whose first line begins with the check's name and a colon.
pub fn add(text: &str) {
    let mut files = FILES.lock();
    let Some(files) = files.as_mut() else { return };
    let Some((check, headline)) = text.lines().next().and_then(|line| line.split_once(": ")) else { return };
    if files.checks.contains(&check) {
        let (check, headline) = (check.to_owned(), headline.to_owned());
        files.reports.push(Report { check, headline, place: place(text), text: text.to_owned() });
        if is_due(files.reports.len(), files.written.map(|(end, took)| (end.elapsed(), took))) {
            files.write();
        }
    }
}

/// Writes what there is; a run without reports has a file, too.
pub fn finish() {
    if let Some(files) = FILES.lock().as_mut() {
        files.write();
    }
}

/// Whether files are written now that there are so many reports. `last`: how long ago they were, and how long that took.
fn is_due(reports: usize, last: Option<(Duration, Duration)>) -> bool {
    reports <= AT_ONCE || last.is_none_or(|(ago, took)| ago >= took * SHARE)
}

/// The line of a source that a report names first: of the kernel, or of the program.
fn place(text: &str) -> Option<(String, u32)> {
    let named = |place: &str| {
        let (file, line) = place.rsplit_once(':')?;
        Some((file.to_owned(), line.parse().ok()?))
    };
    text.lines().find_map(|line| {
        if let Some((before, _)) = line.split_once(" (PTX line ") {
            return named(before.rsplit_once(", ")?.1);
        }
        named(line.strip_suffix(')')?.rsplit_once('(')?.1)
    })
}

impl Files {
    fn write(&mut self) {
        let begin = Instant::now();
        let files = [(&self.junit, &Files::junit as &dyn Fn(&Files) -> String), (&self.sarif, &Files::sarif)];
        for (path, text) in files {
            let Some(path) = path else { continue };
            if let Err(error) = replace(path, &text(self)) {
                settings::log::error!("{}: reports cannot be written there: {error}", path.display());
            }
        }
        self.written = Some((Instant::now(), begin.elapsed()));
    }

    fn junit(&self) -> String {
        let passed = |check: &&&str| !self.reports.iter().any(|r| r.check == ***check);
        let passed: Vec<&&str> = self.checks.iter().filter(passed).collect();
        let (all, failures) = (self.reports.len() + passed.len(), self.reports.len());
        let mut text = format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites tests=\"{all}\" failures=\"{failures}\">\n\
             <testsuite name=\"doppel\" tests=\"{all}\" failures=\"{failures}\" errors=\"0\" skipped=\"0\">\n"
        );
        for check in passed {
            let _ = writeln!(text, "<testcase classname=\"doppel.{check}\" name=\"no errors\"/>");
        }
        for Report { check, headline, place, text: whole } in &self.reports {
            let (file, line) = match place {
                Some((file, line)) => {
                    (format!(" file=\"{}\" line=\"{line}\"", escaped(file)), format!("{file}:{line}: "))
                }
                None => (String::new(), String::new()),
            };
            let _ = writeln!(
                text,
                "<testcase classname=\"doppel.{check}\" name=\"{}{}\"{file}>\n<failure type=\"{check}\" message=\"{}\">{}</failure>\n</testcase>",
                escaped(&line),
                escaped(headline),
                escaped(headline),
                escaped(whole)
            );
        }
        text + "</testsuite>\n</testsuites>\n"
    }

    fn sarif(&self) -> String {
        let rules: Vec<Value> = self.checks.iter().map(|check| json!({ "id": check, "name": check })).collect();
        let result = |report: &Report| {
            let level = if report.check == "leaks" { "warning" } else { "error" };
            let mut result = json!({
                "ruleId": report.check,
                "level": level,
                "message": { "text": report.text.trim_end() },
            });
            if let Some((file, line)) = &report.place {
                result["locations"] = json!([{ "physicalLocation": {
                    "artifactLocation": { "uri": uri(file) },
                    "region": { "startLine": (*line).max(1) },
                } }]);
            }
            result
        };
        let results: Vec<Value> = self.reports.iter().map(result).collect();
        let driver = json!({ "name": "Doppel", "version": env!("CARGO_PKG_VERSION"), "rules": rules });
        let all = json!({
            "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
            "version": "2.1.0",
            "runs": [{ "tool": { "driver": driver }, "results": results }],
        });
        format!("{all:#}\n")
    }
}

/// Writes a file as a whole. A link keeps pointing to its file; a device or a pipe is written to, since a rename would put a file in
/// its place: `/dev/null` of the whole system, for root.
fn replace(path: &Path, text: &str) -> std::io::Result<()> {
    let target = std::fs::canonicalize(path);
    let path = target.as_deref().unwrap_or(path);
    if path.metadata().is_ok_and(|about| !about.is_file()) {
        return std::fs::OpenOptions::new().write(true).open(path)?.write_all(text.as_bytes());
    }
    let mut beside = path.as_os_str().to_owned();
    beside.push(format!(".{}", std::process::id()));
    std::fs::write(&beside, text)?;
    std::fs::rename(&beside, path)
}

/// The name of a file as a reference: relative to the folder that the program runs in, if it lies there, as viewers of a
/// repository want it.
fn uri(file: &str) -> String {
    let here = std::env::current_dir().unwrap_or_default();
    let path = Path::new(file);
    let (scheme, path) = match path.strip_prefix(&here) {
        Ok(path) => ("", path),
        Err(_) if path.is_absolute() => ("file://", path),
        Err(_) => ("", path),
    };
    let mut uri = scheme.to_owned();
    for byte in path.to_string_lossy().bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'_' | b'.' | b'~' => uri.push(byte as char),
            _ => _ = write!(uri, "%{byte:02X}"),
        }
    }
    uri
}

/// Text of XML. Characters that it cannot have are left out.
fn escaped(text: &str) -> String {
    let mut all = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => all.push_str("&amp;"),
            '<' => all.push_str("&lt;"),
            '>' => all.push_str("&gt;"),
            '"' => all.push_str("&quot;"),
            '\n' | '\t' => all.push(c),
            c if c < ' ' || matches!(c, '\u{fffe}' | '\u{ffff}') => {}
            c => all.push(c),
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_reports_are_not_written_each_time() {
        let ms = Duration::from_millis;
        assert!(is_due(1, None) && is_due(AT_ONCE, Some((ms(0), ms(9)))));
        assert!(!is_due(AT_ONCE + 1, Some((ms(9), ms(1)))) && is_due(AT_ONCE + 1, Some((ms(20), ms(1)))));
        // The last one is there at the end.
        let path = std::env::temp_dir().join(format!("doppel-reports-{}.xml", std::process::id()));
        let report =
            |i: usize| Report { check: "memcheck".into(), headline: format!("n{i}"), place: None, text: "x".into() };
        let reports = (0..200).map(report).collect();
        let mut files =
            Files { junit: Some(path.clone()), sarif: None, checks: vec!["memcheck"], reports, written: None };
        files.write();
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::remove_file(&path).unwrap();
        assert!(text.contains("failures=\"200\"") && text.contains("n199") && files.written.is_some());
    }

    #[test]
    fn links_and_devices_stay_what_they_are() {
        let folder = std::env::temp_dir().join(format!("doppel-replace-{}", std::process::id()));
        std::fs::create_dir(&folder).unwrap();
        let (file, link, device) = (folder.join("file"), folder.join("link"), folder.join("device"));
        std::os::unix::fs::symlink(&file, &link).unwrap();
        std::os::unix::fs::symlink("/dev/null", &device).unwrap();
        // The first time the file behind the link is not there.
        for text in ["one", "two"] {
            replace(&file, text).unwrap();
            assert_eq!(std::fs::read_to_string(&link).unwrap(), text);
        }
        replace(&link, "three").unwrap();
        assert!(link.is_symlink() && std::fs::read_to_string(&file).unwrap() == "three");
        replace(&device, "nothing").unwrap();
        assert!(device.is_symlink() && !device.metadata().unwrap().is_file());
        // A pipe that somebody reads.
        let pipe = folder.join("pipe");
        let name = std::ffi::CString::new(pipe.to_str().unwrap()).unwrap();
        // SAFETY: a string.
        assert_eq!(unsafe { libc::mkfifo(name.as_ptr(), 0o600) }, 0);
        let read = std::thread::spawn({
            let pipe = pipe.clone();
            move || std::fs::read_to_string(pipe).unwrap()
        });
        replace(&pipe, "four").unwrap();
        assert_eq!(read.join().unwrap(), "four");
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn places_are_those_of_the_kernel_or_of_the_program() {
        let report = "memcheck: invalid read\n    by kernel f(int, int), /a b/c.cu:6 (PTX line 46)\n    x (/d.cu:7)\n";
        assert_eq!(place(report), Some(("/a b/c.cu".to_owned(), 6)));
        let leak =
            "leaks: 4 bytes\n    allocated by\n        cudaMalloc (libcudart.so.13+0x57ca1)\n        main (/d.cu:7)\n";
        assert_eq!(place(leak), Some(("/d.cu".to_owned(), 7)));
        assert_eq!(
            place("memcheck: x\n    by kernel f(int), PTX line 4\n    thread (0, 0, 0) of block (1, 0, 0)\n"),
            None
        );
        assert_eq!((uri("/a b/c.cu"), uri("c.cu")), ("file:///a%20b/c.cu".to_owned(), "c.cu".to_owned()));
        assert_eq!(escaped("<a & \"b\">\u{1}"), "&lt;a &amp; &quot;b&quot;&gt;");
    }
}
