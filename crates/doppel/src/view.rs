//! `doppel trace view FILE`: a page with a timeline of the trace, in one file without anything from elsewhere.

use crate::trace_file::{Line, each_line, failed};
use crate::{Failure, print};
use serde_json::Value;
use std::collections::HashMap;
use std::ffi::{OsStr, OsString};
use std::fmt::Write;

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

    fn page(mut self, title: &str) -> String {
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

/// As text of HTML.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('@', "&#64;")
}

/// As a string of JavaScript, which ends no script.
fn quoted(text: &str) -> String {
    let text = Value::from(text).to_string();
    text.replace('<', "\\u003c").replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029")
}

/// Writes the page beside the trace, or where `to` says.
pub fn write(file: &OsStr, to: Option<&OsStr>) -> Result<u8, Failure> {
    let mut timeline = Timeline::default();
    each_line(file, |line| timeline.take(&line))?;
    let beside = || {
        let mut name = file.to_owned();
        name.push(".html");
        name
    };
    let to: OsString = to.map_or_else(beside, OsStr::to_owned);
    std::fs::write(&to, timeline.page(&file.to_string_lossy())).map_err(failed(&to))?;
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
