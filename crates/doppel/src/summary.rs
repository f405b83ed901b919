//! `doppel trace summary FILE`: what a trace comes to.

use crate::{Failure, print, print_json};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fmt::Write;
use std::io::{BufRead, BufReader};

/// A line of a trace.
struct Call<'a> {
    name: &'a str,
    arguments: &'a str,
    /// The kernel of a launch.
    kernel: Option<&'a str>,
    result: &'a str,
    /// Nanoseconds.
    duration: u64,
}

impl<'a> Call<'a> {
    /// `THREAD START NAME(ARGUMENTS) = RESULT <DURATION>`.
    fn parse(line: &'a str) -> Option<Call<'a>> {
        let mut words = line.splitn(3, ' ');
        words.next()?.parse::<u32>().ok()?;
        nanoseconds(words.next()?)?;
        let (name, rest) = words.next()?.split_once('(')?;
        let (rest, end) = rest.rsplit_once(") = ")?;
        let (result, duration) = end.split_once(" <")?;
        let (arguments, kernel) = match rest.rsplit_once(" -> ") {
            Some((arguments, launch)) => (arguments, launch.split('(').next()),
            None => (rest, None),
        };
        Some(Call { name, arguments, kernel, result, duration: nanoseconds(duration.strip_suffix('>')?)? })
    }

    /// The value of a parameter.
    fn argument(&self, name: &str) -> Option<&'a str> {
        let mut rest = self.arguments;
        loop {
            let at = rest.find(name)?;
            let before = &rest[..at];
            rest = &rest[at + name.len()..];
            if (before.is_empty() || before.ends_with(", "))
                && let Some(value) = rest.strip_prefix('=')
            {
                return Some(value.split(", ").next().unwrap_or(value));
            }
        }
    }

    fn number(&self, name: &str) -> Option<u64> {
        number(self.argument(name)?)
    }
}

fn number(text: &str) -> Option<u64> {
    let text = text.trim_start_matches('[').trim_end_matches(']');
    match text.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}

/// `1.000000001` as nanoseconds.
fn nanoseconds(text: &str) -> Option<u64> {
    let (seconds, rest) = text.split_once('.')?;
    let rest: u64 = rest.parse().ok().filter(|_| rest.len() == 9)?;
    seconds.parse::<u64>().ok()?.checked_mul(1_000_000_000)?.checked_add(rest)
}

/// Calls of one function, or launches of one kernel.
#[derive(Default)]
struct Group {
    calls: u64,
    errors: u64,
    duration: u64,
}

impl Group {
    fn add(&mut self, call: &Call) {
        self.calls += 1;
        self.errors += u64::from(call.result != "CUDA_SUCCESS");
        self.duration += call.duration;
    }
}

/// What a trace comes to.
#[derive(Default)]
struct Summary {
    all: Group,
    functions: BTreeMap<String, Group>,
    errors: BTreeMap<(String, String), u64>,
    kernels: BTreeMap<String, Group>,
    /// Copies and memsets by kind: how many, and their bytes.
    moved: BTreeMap<&'static str, (u64, u64)>,
    /// Bytes of allocations, with the function.
    allocations: Vec<(u64, String)>,
    /// Page-locked memory: first address and bytes.
    locked: BTreeMap<u64, u64>,
    /// Synchronous copies of other host memory, by function: how many, and their bytes.
    pageable: BTreeMap<String, (u64, u64)>,
    lines_not_understood: u64,
}

/// The kind of a copy or memset, by the function's name, with the parameter that has the host's address.
fn kind(name: &str) -> Option<(&'static str, Option<&'static str>)> {
    let kinds = [
        ("cuMemcpyHtoD", "host to device", Some("srcHost")),
        ("cuMemcpyDtoH", "device to host", Some("dstHost")),
        ("cuMemcpyDtoD", "device to device", None),
        ("cuMemcpyPeer", "device to device", None),
        ("cuMemcpyHtoA", "host to array", Some("srcHost")),
        ("cuMemcpyAtoH", "array to host", Some("dstHost")),
    ];
    kinds.iter().find(|(start, ..)| name.starts_with(start)).map(|&(_, kind, host)| (kind, host))
}

impl Summary {
    fn add(&mut self, call: &Call) {
        self.all.add(call);
        self.functions.entry(call.name.to_owned()).or_default().add(call);
        if call.result != "CUDA_SUCCESS" {
            *self.errors.entry((call.name.to_owned(), call.result.to_owned())).or_default() += 1;
            return;
        }
        if let Some(kernel) = call.kernel {
            self.kernels.entry(kernel.to_owned()).or_default().add(call);
        }
        let bytes = call.number("ByteCount").unwrap_or(0);
        if let Some((kind, host)) = kind(call.name) {
            let moved = self.moved.entry(kind).or_default();
            *moved = (moved.0 + 1, moved.1 + bytes);
            let host = host.and_then(|name| call.number(name));
            if host.is_some_and(|host| !call.name.contains("Async") && !self.is_locked(host)) {
                let pageable = self.pageable.entry(call.name.to_owned()).or_default();
                *pageable = (pageable.0 + 1, pageable.1 + bytes);
            }
        } else if call.name.starts_with("cuMemsetD") {
            let element = match call.name.as_bytes().get("cuMemsetD".len()) {
                Some(b'8') => 1,
                Some(b'1') => 2,
                _ => 4,
            };
            let rows = call.number("Height").unwrap_or(1);
            let elements = call.number("N").or_else(|| call.number("Width")).unwrap_or(0);
            let moved = self.moved.entry("memset").or_default();
            *moved = (moved.0 + 1, moved.1 + elements.saturating_mul(rows).saturating_mul(element));
        }
        self.memory(call);
    }

    /// What is allocated and page-locked.
    fn memory(&mut self, call: &Call) {
        let locked = |call: &Call, at: &str, bytes: &str| Some((call.number(at)?, call.number(bytes)?));
        let taken = match call.name {
            name if name.starts_with("cuMemHostRegister") => {
                locked(call, "p", "bytesize").or(locked(call, "p", "Bytesize"))
            }
            name if name.starts_with("cuMemHostAlloc") || name.starts_with("cuMemAllocHost") => {
                locked(call, "pp", "bytesize")
            }
            _ => None,
        };
        self.locked.extend(taken);
        for (function, parameter) in [("cuMemFreeHost", "p"), ("cuMemHostUnregister", "p")] {
            if call.name == function
                && let Some(at) = call.number(parameter)
            {
                self.locked.remove(&at);
            }
        }
        if call.name.starts_with("cuMemAlloc") || call.name == "cuMemCreate" {
            let bytes = call.number("bytesize").or_else(|| call.number("size"));
            let pitched = || Some(call.number("pPitch")?.saturating_mul(call.number("Height")?));
            if let Some(bytes) = bytes.or_else(pitched) {
                self.allocations.push((bytes, call.name.to_owned()));
                if self.allocations.len() > 4 * TOP {
                    self.keep_largest();
                }
            }
        }
    }

    fn keep_largest(&mut self) {
        self.allocations.sort_by(|a, b| b.cmp(a));
        self.allocations.truncate(TOP);
    }

    fn is_locked(&self, host: u64) -> bool {
        self.locked.range(..=host).next_back().is_some_and(|(at, bytes)| host - at < *bytes)
    }

    fn text(mut self) -> String {
        let mut text = String::new();
        let all = &self.all;
        let _ = writeln!(text, "{} calls, {} of them errors, {} in calls", all.calls, all.errors, time(all.duration));
        groups(&mut text, "calls by time", &self.functions);
        if !self.kernels.is_empty() {
            groups(&mut text, "launches by kernel, with the time that launching took", &self.kernels);
        }
        if !self.moved.is_empty() {
            let _ = writeln!(text, "\nbytes moved");
            for (kind, (times, bytes)) in &self.moved {
                let _ = writeln!(text, "{:>12} {times:>10} times  {kind}", size(*bytes));
            }
        }
        self.keep_largest();
        if !self.allocations.is_empty() {
            let _ = writeln!(text, "\nlargest allocations");
            for (bytes, function) in &self.allocations {
                let _ = writeln!(text, "{:>12}  {function}", size(*bytes));
            }
        }
        if !self.errors.is_empty() {
            let _ = writeln!(text, "\nerrors");
            for ((function, result), times) in &self.errors {
                let _ = writeln!(text, "{times:>12}  {function}: {result}");
            }
        }
        for (function, (times, bytes)) in &self.pageable {
            let _ = writeln!(
                text,
                "\nwarning: {function} copied pageable memory {times} times, {} in all: page-locked memory (cuMemHostAlloc) is \
                 copied faster, and can be copied asynchronously",
                size(*bytes)
            );
        }
        if self.lines_not_understood > 0 {
            let _ = writeln!(text, "\n{} lines are no calls", self.lines_not_understood);
        }
        text
    }
}

impl Group {
    fn json(&self) -> Value {
        json!({ "calls": self.calls, "errors": self.errors, "nanoseconds": self.duration })
    }
}

impl Summary {
    /// All of it, for programs.
    fn json(mut self) -> Value {
        self.keep_largest();
        let groups = |groups: &BTreeMap<String, Group>| -> Value {
            groups.iter().map(|(name, group)| (name.clone(), group.json())).collect::<Map<_, _>>().into()
        };
        let bytes = |(times, bytes): &(u64, u64)| json!({ "times": times, "bytes": bytes });
        let errors = self.errors.iter();
        let errors =
            errors.map(|((function, result), n)| json!({ "function": function, "result": result, "times": n }));
        let allocations = self.allocations.iter().map(|(n, function)| json!({ "bytes": n, "function": function }));
        json!({
            "all": self.all.json(),
            "functions": groups(&self.functions),
            "kernels": groups(&self.kernels),
            "moved": self.moved.iter().map(|(kind, n)| ((*kind).to_owned(), bytes(n))).collect::<Map<_, _>>(),
            "pageable": self.pageable.iter().map(|(name, n)| (name.clone(), bytes(n))).collect::<Map<_, _>>(),
            "largest_allocations": allocations.collect::<Vec<_>>(),
            "errors": errors.collect::<Vec<_>>(),
            "lines_not_understood": self.lines_not_understood,
        })
    }
}

/// Lines of a table.
const TOP: usize = 10;

fn groups(text: &mut String, title: &str, groups: &BTreeMap<String, Group>) {
    let mut sorted: Vec<_> = groups.iter().collect();
    sorted.sort_by_key(|(name, group)| (core::cmp::Reverse(group.duration), *name));
    let _ = writeln!(text, "\n{title}\n{:>12} {:>10} {:>8} {:>12}", "time", "calls", "errors", "each");
    for (name, group) in sorted.iter().take(TOP) {
        let each = group.duration / group.calls.max(1);
        let _ = writeln!(
            text,
            "{:>12} {:>10} {:>8} {:>12}  {name}",
            time(group.duration),
            group.calls,
            group.errors,
            time(each)
        );
    }
    if sorted.len() > TOP {
        let _ = writeln!(text, "             and {} more", sorted.len() - TOP);
    }
}

fn time(nanoseconds: u64) -> String {
    let n = nanoseconds as f64;
    match nanoseconds {
        0..1_000 => format!("{nanoseconds} ns"),
        1_000..1_000_000 => format!("{:.2} us", n / 1e3),
        1_000_000..1_000_000_000 => format!("{:.2} ms", n / 1e6),
        _ => format!("{:.2} s", n / 1e9),
    }
}

fn size(bytes: u64) -> String {
    let n = bytes as f64;
    match bytes {
        0..0x400 => format!("{bytes} B"),
        0x400..0x10_0000 => format!("{:.1} KiB", n / f64::from(1 << 10)),
        0x10_0000..0x4000_0000 => format!("{:.1} MiB", n / f64::from(1 << 20)),
        _ => format!("{:.1} GiB", n / f64::from(1 << 30)),
    }
}

fn summary(lines: impl Iterator<Item = std::io::Result<Vec<u8>>>) -> std::io::Result<Summary> {
    let mut summary = Summary::default();
    for line in lines {
        let line = line?;
        let line = String::from_utf8_lossy(&line);
        match Call::parse(&line) {
            Some(call) => summary.add(&call),
            // A process that was killed leaves empty lines.
            None if line.is_empty() || line.starts_with('#') => {}
            None => summary.lines_not_understood += 1,
        }
    }
    Ok(summary)
}

/// Prints what a trace comes to.
pub fn show(file: &OsStr, json: bool) -> Result<u8, Failure> {
    let failed = |why: std::io::Error| Failure::new(format!("{}: {why}", file.to_string_lossy()));
    let reader = BufReader::new(std::fs::File::open(file).map_err(failed)?);
    let summary = summary(reader.split(b'\n')).map_err(failed)?;
    if summary.all.calls == 0 {
        return Err(Failure::new(format!(
            "{} has no calls as DOPPEL_TRACE writes them as text",
            file.to_string_lossy()
        )));
    }
    if json {
        print_json(&summary.json())?
    } else {
        print(&summary.text())?
    }
    Ok(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_trace_is_summed_up() {
        let trace = "# doppel trace, process 7, prog\n\
            7 0.000000001 cuInit(Flags=0) = CUDA_SUCCESS <0.001000000>\n\
            7 0.100000000 cuMemAlloc_v2(dptr=[0x7f00], bytesize=1048576) = CUDA_SUCCESS <0.000002000>\n\
            7 0.100000000 cuMemHostAlloc(pp=[0x5000], bytesize=4096, Flags=0) = CUDA_SUCCESS <0.000002000>\n\
            7 0.200000000 cuMemcpyHtoD_v2(dstDevice=0x7f00, srcHost=0x5010, ByteCount=100) = CUDA_SUCCESS <0.000000500>\n\
            8 0.200000000 cuMemcpyHtoD_v2(dstDevice=0x7f00, srcHost=0x9000, ByteCount=2048) = CUDA_SUCCESS <0.000000500>\n\
            8 0.300000000 cuLaunchKernel(f=function#1, extra=NULL -> fill(0x7f00, 3)) = CUDA_SUCCESS <0.000003000>\n\
            8 0.300000000 cuMemsetD32_v2(dstDevice=0x7f00, ui=1, N=256) = CUDA_SUCCESS <0.000000100>\n\
            8 0.300000000 cuMemFree_v2(dptr=0x1) = CUDA_ERROR_INVALID_VALUE <0.000000100>\n\
            half a li\n\n\n";
        let lines = trace.split('\n').map(|line| Ok(line.as_bytes().to_vec()));
        let value = summary(lines.clone()).unwrap().json();
        assert_eq!(value["functions"]["cuMemFree_v2"]["errors"], 1);
        assert_eq!(value["moved"]["host to device"]["bytes"], 2148);
        assert_eq!(value["errors"][0]["result"], "CUDA_ERROR_INVALID_VALUE");
        let text = summary(lines).unwrap().text();
        for part in [
            "8 calls, 1 of them errors, 1.01 ms in calls",
            "     1.00 ms          1        0      1.00 ms  cuInit",
            "     3.00 us          1        0      3.00 us  fill",
            "     2.1 KiB          2 times  host to device",
            "     1.0 KiB          1 times  memset",
            "     1.0 MiB  cuMemAlloc_v2",
            "           1  cuMemFree_v2: CUDA_ERROR_INVALID_VALUE",
            "warning: cuMemcpyHtoD_v2 copied pageable memory 1 times, 2.0 KiB in all",
            "1 lines are no calls",
        ] {
            assert!(text.contains(part), "{part}\n{text}");
        }
    }
}
