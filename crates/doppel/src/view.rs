//! `doppel trace view FILE`: a page with a timeline of the trace, in one file without anything from elsewhere; or a picture of it.

use crate::trace_file::{Line, each_line, failed};
use crate::{Failure, print};
use serde_json::Value;
use std::collections::HashMap;
use std::ffi::{OsStr, OsString};
use std::fmt::Write;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

/// What is written around the events.
const PAGE: &str = include_str!("view.html");

/// Events of a page: a browser draws that many with ease.
const MOST: usize = 100_000;

/// A thread, or a stream.
struct Row {
    name: String,
    stream: bool,
    slices: Vec<Slice>,
}

struct Slice {
    start: u64,
    duration: u64,
    name: String,
    details: String,
    /// Thread and start of the call that queued it.
    by: Option<(u32, u64)>,
}

/// Rows and numbers of calls, by thread and start.
type Calls = HashMap<(String, u64), (usize, usize)>;

/// What a page shows.
#[derive(Default)]
struct Timeline {
    rows: Vec<Row>,
    known: HashMap<String, usize>,
    events: usize,
    /// Events that are not shown.
    left_out: usize,
}

impl Timeline {
    fn take(&mut self, line: &Line) {
        let (name, stream, slice) = match line {
            Line::Call(call) => (
                format!("thread {}", call.thread),
                false,
                Slice {
                    start: call.start,
                    duration: call.duration,
                    name: call.name.to_owned(),
                    details: format!("({}) = {}", call.arguments, call.result),
                    by: None,
                },
            ),
            Line::Work(work) => (
                work.stream.to_owned(),
                true,
                Slice {
                    start: work.start,
                    duration: work.duration,
                    name: work.kernel().unwrap_or_else(|| work.what.split(" bytes=").next().unwrap_or("")).to_owned(),
                    details: work.what.to_owned(),
                    by: Some(work.by),
                },
            ),
            Line::Frame(_) | Line::Remark | Line::Unknown => return,
        };
        if self.events == MOST {
            self.left_out += 1;
            return;
        }
        self.events += 1;
        let row = *self.known.entry(name.clone()).or_insert_with(|| {
            self.rows.push(Row { name, stream, slices: Vec::new() });
            self.rows.len() - 1
        });
        self.rows[row].slices.push(slice);
    }

    /// Threads first, events in the order of their times. Gives the last one's end, and where calls are, by thread and start.
    fn sort(&mut self) -> (u64, Calls) {
        self.rows.sort_by_key(|row| row.stream);
        // Work stands in front of its call, which is written when it is over.
        let mut end = 1;
        let mut calls = HashMap::new();
        for (r, row) in self.rows.iter_mut().enumerate() {
            row.slices.sort_by_key(|slice| (slice.start, slice.duration));
            for (i, slice) in row.slices.iter().enumerate() {
                end = end.max(slice.start.saturating_add(slice.duration));
                if !row.stream {
                    calls.insert((row.name.clone(), slice.start), (r, i));
                }
            }
        }
        (end, calls)
    }

    fn page(mut self, title: &str) -> String {
        let (end, calls) = self.sort();
        let mut rows = String::from("[");
        for (r, row) in self.rows.iter().enumerate() {
            let _ = write!(rows, "{}\n[{}, {}, [", if r > 0 { "," } else { "" }, quoted(&row.name), row.stream);
            for (i, slice) in row.slices.iter().enumerate() {
                let call = slice.by.and_then(|(thread, start)| calls.get(&(format!("thread {thread}"), start)));
                let (of, at) = call.map_or((-1, -1), |&(r, i)| (r as i64, i as i64));
                let (name, details) = (quoted(&slice.name), quoted(&slice.details));
                let comma = if i > 0 { "," } else { "" };
                let _ = write!(rows, "{comma}[{}, {}, {name}, {details}, {of}, {at}]", slice.start, slice.duration);
            }
            rows.push_str("]]");
        }
        rows.push_str("\n]");
        let remark = match self.left_out {
            0 => String::new(),
            n => format!("The first {MOST} events are shown, {n} are not."),
        };
        // What programs have written comes last, so that nothing in it is replaced.
        let page = PAGE.replace("@TITLE@", &escaped(title)).replace("@REMARK@", &remark);
        page.replace("@END@", &end.to_string()).replace("@ROWS@", &rows)
    }
}

/// A picture's measures: a row, the names at its side, the line of times above, and all of it.
const HEIGHT: usize = 26;
const SIDE: f64 = 150.0;
const ABOVE: usize = 20;
const WIDTH: f64 = 1000.0;

impl Timeline {
    /// A picture of the whole, with arrows from calls to the work that they queued.
    fn picture(mut self) -> String {
        let (end, calls) = self.sort();
        let begin = self.rows.iter().filter_map(|row| row.slices.first()).map(|slice| slice.start).min().unwrap_or(0);
        let x = |time: u64| SIDE + time.saturating_sub(begin) as f64 * (WIDTH - SIDE) / (end - begin).max(1) as f64;
        let middle = |row: usize| ABOVE + row * HEIGHT + HEIGHT / 2;
        let height = ABOVE + self.rows.len() * HEIGHT + 4;
        let mut text = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" font-family=\"sans-serif\" font-size=\"11\">\n\
             <rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n"
        );
        const TIMES: u64 = 5;
        for i in 0..TIMES {
            let since = (end - begin) / TIMES * i;
            let (at, milliseconds) = (x(begin + since), since as f64 / 1e6);
            let _ = writeln!(
                text,
                "<path d=\"M{at:.1} {ABOVE}V{height}\" stroke=\"#ddd\"/><text x=\"{:.1}\" y=\"13\" fill=\"#666\">{milliseconds:.2} ms</text>",
                at + 2.0
            );
        }
        for (r, row) in self.rows.iter().enumerate() {
            let y = ABOVE + r * HEIGHT;
            let _ = writeln!(text, "<text x=\"4\" y=\"{}\" fill=\"#222\">{}</text>", y + 17, escaped(&row.name));
            for slice in &row.slices {
                let (from, to) = (x(slice.start), x(slice.start.saturating_add(slice.duration)));
                let width = (to - from).max(0.8);
                let _ = write!(
                    text,
                    "<rect x=\"{from:.1}\" y=\"{}\" width=\"{width:.1}\" height=\"{}\" fill=\"{}\">\
                     <title>{} {}</title></rect>",
                    y + 2,
                    HEIGHT - 4,
                    color(&slice.name, row.stream),
                    escaped(&slice.name),
                    escaped(&slice.details)
                );
                // A letter is about so wide.
                let letters = (width / 6.5) as usize;
                if letters >= 4 {
                    let shown: String = slice.name.chars().take(letters).collect();
                    let _ = write!(
                        text,
                        "<text x=\"{:.1}\" y=\"{}\" fill=\"#222\">{}</text>",
                        from + 2.0,
                        y + 17,
                        escaped(&shown)
                    );
                }
                text.push('\n');
            }
        }
        for (r, row) in self.rows.iter().enumerate() {
            for slice in &row.slices {
                let call = slice.by.and_then(|(thread, start)| calls.get(&(format!("thread {thread}"), start)));
                if let Some(&(of, at)) = call {
                    let from = x(self.rows[of].slices[at].start);
                    let (top, bottom) = (middle(of) + HEIGHT / 2 - 2, middle(r) - HEIGHT / 2 + 2);
                    let to = x(slice.start);
                    let _ = writeln!(
                        text,
                        "<path d=\"M{from:.1} {top}L{to:.1} {bottom}\" stroke=\"#c00\" stroke-width=\"0.8\"/>"
                    );
                }
            }
        }
        text.push_str("</svg>\n");
        text
    }
}

/// A light color for a name, the same as on a page.
fn color(name: &str, stream: bool) -> String {
    const LIGHT: f64 = 0.75;
    let hue = name.bytes().fold(0u32, |hue, byte| (hue * 31 + u32::from(byte)) % 360);
    let strength = if stream { 0.7 } else { 0.4 } * (1.0 - LIGHT);
    let part = |n: f64| {
        let k = (n + f64::from(hue) / 30.0) % 12.0;
        ((LIGHT - strength * (k - 3.0).min(9.0 - k).clamp(-1.0, 1.0)) * 255.0).round() as u8
    };
    format!("#{:02x}{:02x}{:02x}", part(0.0), part(8.0), part(4.0))
}

/// As text of HTML.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('@', "&#64;")
}

/// As a string of JavaScript, which ends no script.
fn quoted(text: &str) -> String {
    let text = Value::from(text).to_string();
    text.replace('<', "\\u003c").replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029")
}

/// Writes the page beside the trace, or where `to` says: a picture, if that ends in `.svg`.
pub fn write(file: &OsStr, to: Option<&OsStr>) -> Result<u8, Failure> {
    let mut timeline = Timeline::default();
    each_line(file, |line| timeline.take(&line))?;
    let beside = || {
        let mut name = file.to_owned();
        name.push(".html");
        name
    };
    let to: OsString = to.map_or_else(beside, OsStr::to_owned);
    let place = |file: &OsStr| std::fs::metadata(file).ok().map(|file| (file.dev(), file.ino()));
    if place(file).is_some_and(|trace| place(&to) == Some(trace)) {
        return Err(Failure::value(format!("{} is the trace itself", to.to_string_lossy())));
    }
    let picture = Path::new(&to).extension().is_some_and(|end| end == "svg");
    let text = if picture { timeline.picture() } else { timeline.page(&file.to_string_lossy()) };
    std::fs::write(&to, text).map_err(failed(&to))?;
    print(&format!("{}\n", to.to_string_lossy()))?;
    Ok(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_leads_to_its_call() {
        let trace = "# doppel trace, process 7, prog\n\
            stream#1 0.000000200 kernel </script>@END@ grid=1,1,1 block=1,1,1 <0.000000100> by 7 at 0.000000100\n\
            8 0.000000050 cuInit(Flags=0) = CUDA_SUCCESS <0.000000010>\n\
            7 0.000000050 cuInit(Flags=0) = CUDA_SUCCESS <0.000000010>\n\
            7 0.000000100 cuLaunchKernel(f=function#1) = CUDA_SUCCESS <0.000000500>\n\n";
        let mut timeline = Timeline::default();
        trace.lines().for_each(|line| timeline.take(&Line::parse(line)));
        let mut picture = Timeline::default();
        trace.lines().for_each(|line| picture.take(&Line::parse(line)));
        let picture = picture.picture();
        for part in
            ["<title>&lt;/script>&#64;END&#64; kernel", ">cuLaunchKernel</text>", ">stream#1</text>", "stroke=\"#c00\""]
        {
            assert!(picture.contains(part), "{part}\n{picture}");
        }
        assert!(picture.matches("<rect").count() == 5 && picture.ends_with("</svg>\n"), "{picture}");
        let page = timeline.page("a<b");
        for part in [
            "<title>a&lt;b</title>",
            "[\"thread 8\", false, [[50, 10, \"cuInit\", \"(Flags=0) = CUDA_SUCCESS\", -1, -1]]]",
            "[100, 500, \"cuLaunchKernel\", \"(f=function#1) = CUDA_SUCCESS\", -1, -1]",
            "[200, 100, \"\\u003c/script>@END@\", \"kernel \\u003c/script>@END@ grid=1,1,1 block=1,1,1\", 1, 1]",
            "end = 600;",
        ] {
            assert!(page.contains(part), "{part}\n{page}");
        }
        assert_eq!(page.matches("</script>").count(), 1);
    }
}
