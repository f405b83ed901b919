//! Traces in Chrome's JSON, event by event, as the lines that the same trace has as text.

use serde_json::Value;
use std::collections::HashMap;
use std::fmt::Write;

/// What earlier events say about later ones.
#[derive(Default)]
pub struct Events {
    /// Tracks of streams.
    streams: HashMap<u64, String>,
    /// Work of a device, whose arrow comes next: the line up to who gave it.
    work: Option<String>,
}

fn nanoseconds(event: &Value, key: &str) -> Option<u64> {
    let microseconds = event[key].as_f64().filter(|time| *time >= 0.0)?;
    Some((microseconds * 1000.0).round() as u64)
}

fn seconds(nanoseconds: u64) -> String {
    format!("{}.{:09}", nanoseconds / 1_000_000_000, nanoseconds % 1_000_000_000)
}

impl Events {
    /// The lines of an event, which stands in a line of its own.
    pub fn lines(&mut self, line: &str) -> String {
        let event = line.trim_end_matches(',');
        if matches!(event, "" | "[" | "]") {
            return String::new();
        }
        // What is no event stays what it is: a line that nobody understands.
        let event: Option<Value> = serde_json::from_str(event).ok();
        event.and_then(|event| self.text(&event)).unwrap_or_else(|| line.to_owned())
    }

    fn text(&mut self, event: &Value) -> Option<String> {
        let (track, arguments) = (event["tid"].as_u64()?, &event["args"]);
        Some(match event["ph"].as_str()? {
            "X" if event["cat"] == "device" => {
                self.work = Some(self.work(track, event)?);
                String::new()
            }
            "X" => call(track, event)?,
            // The arrow begins one nanosecond inside of the call.
            "s" => {
                let given = nanoseconds(event, "ts")?.saturating_sub(1);
                format!("{} by {track} at {}", self.work.take()?, seconds(given))
            }
            "M" => {
                if event["name"] == "thread_name" {
                    self.streams.insert(track, arguments["name"].as_str()?.to_owned());
                }
                String::new()
            }
            _ => String::new(),
        })
    }

    /// `STREAM START WHAT <DURATION>`.
    fn work(&self, track: u64, event: &Value) -> Option<String> {
        let (name, arguments) = (event["name"].as_str()?, &event["args"]);
        let what = match (arguments["grid"].as_str(), arguments["bytes"].as_u64()) {
            (Some(grid), _) => format!("kernel {name} grid={grid} block={}", arguments["block"].as_str()?),
            (_, Some(bytes)) => format!("{name} bytes={bytes}"),
            _ => format!("{name} {}", arguments["function"].as_str()?),
        };
        let (start, duration) = (seconds(nanoseconds(event, "ts")?), seconds(nanoseconds(event, "dur")?));
        Some(format!("{} {start} {what} <{duration}>", self.streams.get(&track)?))
    }
}

/// `THREAD START NAME(ARGUMENTS) = RESULT <DURATION>`, and the stack's lines.
fn call(thread: u64, event: &Value) -> Option<String> {
    let mut line = format!("{thread} {} {}(", seconds(nanoseconds(event, "ts")?), event["name"].as_str()?);
    let mut first = true;
    for (name, value) in event["args"].as_object()? {
        if !matches!(name.as_str(), "result" | "kernel" | "stack") {
            let _ = write!(line, "{}{name}={}", if first { "" } else { ", " }, value.as_str()?);
            first = false;
        }
    }
    if let Some(kernel) = event["args"]["kernel"].as_str() {
        let _ = write!(line, " -> {kernel}");
    }
    let duration = seconds(nanoseconds(event, "dur")?);
    let _ = write!(line, ") = {} <{duration}>", event["args"]["result"].as_str()?);
    for frame in event["args"]["stack"].as_str().into_iter().flat_map(str::lines) {
        let _ = write!(line, "\n    at {}", frame.trim_start().trim_start_matches("at "));
    }
    Some(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_are_the_lines_of_the_text() {
        let events = [
            "[",
            r#"{"ph":"M","name":"process_name","pid":7,"tid":0,"args":{"name":"step"}},"#,
            r#"{"ph":"X","pid":7,"tid":8,"name":"cuMemAlloc_v2","ts":1500.005,"dur":2000000.250,"args":{"result":"CUDA_SUCCESS","dptr":"[0x10]","bytesize":"4096","stack":"    at main (a.c:3)\n    at start"}},"#,
            r#"{"ph":"M","pid":9,"tid":107,"ts":0.000,"name":"thread_name","args":{"name":"stream#1"}},"#,
            r#"{"ph":"X","pid":9,"tid":107,"ts":3.000,"dur":0.500,"cat":"device","name":"scale","args":{"grid":"3,2,1","block":"64,1,1"}},"#,
            r#"{"ph":"s","pid":7,"tid":8,"ts":2.001,"cat":"device","name":"queued","id":1},"#,
            r#"{"ph":"f","pid":9,"tid":107,"ts":3.000,"cat":"device","name":"queued","id":1,"bp":"e"},"#,
            r#"{"ph":"X","pid":7,"tid":8,"name":"cuLaunchKernel","ts":2.000,"dur":0.001,"args":{"result":"CUDA_SUCCESS","f":"function#1","kernel":"scale(0x10, 5)"}},"#,
            r#"{"ph":"X","pid":7,"#,
        ];
        let mut all = Events::default();
        let lines: Vec<String> = events.iter().map(|event| all.lines(event)).filter(|line| !line.is_empty()).collect();
        assert_eq!(
            lines,
            [
                "8 0.001500005 cuMemAlloc_v2(bytesize=4096, dptr=[0x10]) = CUDA_SUCCESS <2.000000250>\n    at main (a.c:3)\n    at start",
                "stream#1 0.000003000 kernel scale grid=3,2,1 block=64,1,1 <0.000000500> by 8 at 0.000002000",
                "8 0.000002000 cuLaunchKernel(f=function#1 -> scale(0x10, 5)) = CUDA_SUCCESS <0.000000001>",
                events[8],
            ]
        );
    }
}
