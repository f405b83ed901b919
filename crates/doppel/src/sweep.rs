//! `doppel fault sweep -- PROGRAM`: runs a program once for each call that it makes and for each fault that is asked for, and says
//! where it did not fail cleanly.

use crate::arguments::{Launch, Sweep, Variables};
use crate::trace_file::{Line, each_line};
use crate::{Failure, print, print_json, run};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fmt::Write;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// How a run with a fault ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum End {
    /// By a signal.
    Crashed(i32),
    /// It ran longer than it may.
    Hung,
    /// It said that all is well, and did not free what it frees without the fault.
    Leaked,
    /// It said that all is well, with another output than without the fault.
    Wrong,
    /// It said that all is well, with the same output.
    Passed,
    /// It failed, as it should.
    Failed,
}

impl End {
    fn name(self) -> &'static str {
        match self {
            End::Crashed(_) => "crashed",
            End::Hung => "hung",
            End::Leaked => "leaked",
            End::Wrong => "wrong",
            End::Passed => "passed",
            End::Failed => "failed",
        }
    }

    /// Whether somebody has to look at it.
    fn is_fault(self) -> bool {
        !matches!(self, End::Passed | End::Failed)
    }
}

/// A run that is to be made: a call by its number among those of its function, and the error that it gives.
struct Case {
    function: String,
    number: u64,
    /// Where the program makes the call, as far as that is known.
    place: String,
    error: String,
}

impl Case {
    fn rule(&self) -> String {
        format!("{}:nth={},error={}", self.function, self.number, self.error)
    }
}

/// A folder of files that nobody needs afterwards.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Result<Folder, Failure> {
        let path = std::env::temp_dir().join(format!("doppel-sweep-{}", std::process::id()));
        let made = std::fs::create_dir_all(&path);
        made.map_err(|why| Failure::new(format!("{}: {why}", path.display())))?;
        Ok(Folder(path))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// What one run came to.
struct Outcome {
    /// `None`: it ran too long.
    status: Option<ExitStatus>,
    output: Vec<u8>,
    errors: String,
}

/// Ends a program with all that it has started.
fn end(child: &mut Child) {
    // SAFETY: sends a signal to the group that the child was made the head of, and which it has not left as its parent waits for
    // it; where it has, to nobody.
    unsafe { libc::kill(-(child.id() as libc::pid_t), libc::SIGKILL) };
    let _ = child.kill();
}

fn run_once(
    launch: &Launch,
    more: &[(&'static str, OsString)],
    folder: &Path,
    limit: Duration,
) -> Result<Outcome, Failure> {
    let mut variables: Variables = launch.variables.clone();
    variables.retain(|(name, _)| more.iter().all(|(other, _)| other != name));
    variables.extend(more.iter().cloned());
    let launch =
        Launch { variables, way: launch.way, program: launch.program.clone(), arguments: launch.arguments.clone() };
    let file = |name: &str| {
        let path = folder.join(name);
        std::fs::File::create(&path).map_err(|why| Failure::new(format!("{}: {why}", path.display())))
    };
    let mut command: Command = run::command(&launch)?;
    command.stdin(Stdio::null()).stdout(file("output")?).stderr(file("errors")?).process_group(0);
    let cannot = |why| run::cannot(&launch, &why);
    let mut child = command.spawn().map_err(cannot)?;
    let began = Instant::now();
    let status = loop {
        match child.try_wait().map_err(cannot)? {
            Some(status) => break Some(status),
            None if began.elapsed() > limit => {
                end(&mut child);
                let _ = child.wait();
                break None;
            }
            None => std::thread::sleep(Duration::from_millis(2)),
        }
    };
    let read = |name: &str| std::fs::read(folder.join(name)).unwrap_or_default();
    Ok(Outcome { status, output: read("output"), errors: String::from_utf8_lossy(&read("errors")).into_owned() })
}

/// The calls of a program, from the trace of a run: for each function how many, with the places of the first ones.
fn calls(trace: &Path) -> Result<BTreeMap<String, Vec<String>>, Failure> {
    let mut calls: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut last: Option<String> = None;
    each_line(trace.as_os_str(), |line| match line {
        Line::Call(call) => {
            calls.entry(call.name.to_owned()).or_default().push(String::new());
            last = Some(call.name.to_owned());
        }
        // The first frame is the one that made the call.
        Line::Frame(frame) => {
            let places = last.take().and_then(|name| calls.get_mut(&name)?.last_mut());
            if let Some(place) = places {
                *place = frame.to_owned();
            }
        }
        Line::Work(_) | Line::Remark | Line::Unknown => {}
    })?;
    Ok(calls)
}

/// Functions that ask or tell something, and of which nobody expects that they fail.
const ASKS: &[&str] =
    &["cuGetProcAddress", "cuGetErrorName", "cuGetErrorString", "cuGetExportTable", "cuDriverGetVersion"];

/// Calls that one place makes again and again say the same: the first ones and the last one.
fn chosen(places: &[String], most: usize) -> Vec<usize> {
    let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
    let mut chosen: Vec<usize> = (0..places.len())
        .filter(|&i| {
            let times = seen.entry(&places[i]).or_default();
            *times += 1;
            *times <= most
        })
        .collect();
    chosen.extend(places.len().checked_sub(1));
    chosen.dedup();
    chosen
}

fn cases(calls: &BTreeMap<String, Vec<String>>, sweep: &Sweep) -> Vec<Case> {
    let mut cases = Vec::new();
    for (function, places) in calls {
        if ASKS.iter().any(|name| function.starts_with(name)) {
            continue;
        }
        for i in chosen(places, sweep.most) {
            for error in &sweep.errors {
                let (function, place) = (function.clone(), places[i].clone());
                cases.push(Case { function, number: i as u64 + 1, place, error: error.clone() });
            }
        }
    }
    cases
}

/// How a run ended, beside the one without a fault.
fn judge(outcome: &Outcome, clean: &Outcome, compares: bool) -> End {
    let leaks = |outcome: &Outcome| outcome.errors.lines().filter(|line| line.starts_with("doppel: leaks: ")).count();
    match outcome.status {
        None => End::Hung,
        Some(status) if status.signal().is_some_and(|signal| signal != libc::SIGABRT) => {
            End::Crashed(status.signal().unwrap_or(0))
        }
        // What a program that gives up has not freed, the system takes back.
        Some(status) if !status.success() => End::Failed,
        Some(_) if leaks(outcome) > leaks(clean) => End::Leaked,
        Some(_) if outcome.output == clean.output || !compares => End::Passed,
        Some(_) => End::Wrong,
    }
}

fn signal(end: End) -> String {
    match end {
        End::Crashed(number) => format!("crashed by signal {number}"),
        end => end.name().to_owned(),
    }
}

/// Runs it, and prints where something went wrong. 1 if there was anything.
pub fn sweep(sweep: &Sweep) -> Result<u8, Failure> {
    let folder = Folder::new()?;
    let trace = folder.0.join("trace-%p.txt");
    let limit = Duration::from_secs(sweep.seconds.into());
    let traced: [(&str, OsString); 3] = [
        ("DOPPEL_TRACE", trace.clone().into()),
        ("DOPPEL_TRACE_STACKS", "*".into()),
        ("DOPPEL_TRACE_RANGE", "all".into()),
    ];
    let began = Instant::now();
    // Stacks take time.
    let first = run_once(&sweep.launch, &traced, &folder.0, limit * 4)?;
    let failed = |what: &str, outcome: &Outcome| {
        Failure::new(format!("without a fault the program {what}:\n{}", outcome.errors.trim_end()))
    };
    if !first.status.is_some_and(|status| status.success()) {
        return Err(failed("fails already, or runs too long", &first));
    }
    let mut files: Vec<PathBuf> = std::fs::read_dir(&folder.0)
        .map_err(|why| Failure::new(format!("{}: {why}", folder.0.display())))?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|end| end == "txt"))
        .collect();
    // The process that makes most calls is the one that is looked at.
    files.sort_by_key(|path| std::fs::metadata(path).map_or(0, |file| file.len()));
    let calls = calls(files.last().ok_or_else(|| failed("makes no call", &first))?)?;
    let watched = [("DOPPEL_CHECK", OsString::from("leaks"))];
    let clean = run_once(&sweep.launch, &watched, &folder.0, limit)?;
    // A program that prints times prints something else in each run.
    let compares = clean.output == first.output;
    let mut found = Vec::new();
    let mut counts: BTreeMap<&'static str, u64> = BTreeMap::new();
    let cases = cases(&calls, sweep);
    for case in &cases {
        let more = [("DOPPEL_FAULT", OsString::from(case.rule())), ("DOPPEL_CHECK", OsString::from("leaks"))];
        let outcome = run_once(&sweep.launch, &more, &folder.0, limit)?;
        let end = judge(&outcome, &clean, compares);
        *counts.entry(end.name()).or_default() += 1;
        if end.is_fault() {
            // At once: a sweep of a large program takes long, and may be given up.
            if !sweep.json {
                let place = if case.place.is_empty() { String::new() } else { format!(" at {}", case.place) };
                print(&format!("{}: --fault '{}'{place}\n", signal(end), case.rule()))?;
            }
            found.push((case, end));
        }
    }
    let seconds = began.elapsed().as_secs_f64();
    if sweep.json {
        let found = found.iter().map(|(case, end)| {
            json!({ "rule": case.rule(), "place": case.place, "end": end.name(), "signal": match end {
                End::Crashed(number) => Some(number),
                _ => None,
            } })
        });
        let found = found.collect::<Vec<Value>>();
        print_json(&json!({ "runs": cases.len(), "compared": compares, "ends": counts, "found": found }))?;
    } else {
        let mut text = String::new();
        let functions = calls.values().filter(|places| !places.is_empty()).count();
        let ends: Vec<_> = counts.iter().map(|(name, times)| format!("{times} {name}")).collect();
        let _ = writeln!(text, "{} runs in {seconds:.1} s, {functions} functions: {}", cases.len(), ends.join(", "));
        if !compares {
            text.push_str("what it prints is another thing in each run, and was not compared\n");
        }
        print(&text)?;
    }
    Ok(u8::from(!found.is_empty()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(status: Option<i32>, output: &str, errors: &str) -> Outcome {
        Outcome { status: status.map(ExitStatus::from_raw), output: output.into(), errors: errors.into() }
    }

    #[test]
    fn ends() {
        let clean = outcome(Some(0), "1\n", "");
        let other = judge(&outcome(Some(0), "2\n", ""), &clean, false);
        assert_eq!(other, End::Passed, "of a program that prints something else each time");
        let judge = |status, output, errors| judge(&outcome(status, output, errors), &clean, true);
        assert_eq!(judge(None, "", ""), End::Hung);
        assert_eq!(judge(Some(11), "", ""), End::Crashed(11));
        // A program that gives up by `abort` has noticed.
        assert_eq!(judge(Some(6), "", ""), End::Failed);
        assert_eq!(judge(Some(1 << 8), "", "error 2"), End::Failed);
        assert_eq!(judge(Some(1 << 8), "", "doppel: leaks: 4 bytes in 1 allocation"), End::Failed);
        assert_eq!(judge(Some(0), "1\n", "doppel: leaks: 4 bytes in 1 allocation"), End::Leaked);
        assert_eq!(judge(Some(0), "1\n", ""), End::Passed);
        assert_eq!(judge(Some(0), "2\n", ""), End::Wrong);
    }

    #[test]
    fn calls_of_a_place_count_some_times() {
        let places = |text: &str| text.chars().map(String::from).collect::<Vec<_>>();
        assert_eq!(chosen(&places("aaaabab"), 2), [0, 1, 4, 6]);
        assert_eq!(chosen(&places("ab"), 2), [0, 1]);
        assert_eq!(chosen(&[], 2), [0usize; 0]);
    }
}
