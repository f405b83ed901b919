//! `doppel trace summary FILE`: what a trace comes to.

use crate::trace_file::{Call, Line, Work, each_line, time};
use crate::{Failure, print, print_json};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fmt::Write;

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

    fn add_work(&mut self, work: &Work) {
        self.calls += 1;
        self.duration += work.duration;
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
    /// Bytes of allocations, with the function, and where it was called.
    allocations: Vec<(u64, String, String)>,
    /// Page-locked memory: first address and bytes.
    locked: BTreeMap<u64, u64>,
    /// Synchronous copies of other host memory, by function and place: how many, and their bytes.
    pageable: BTreeMap<(String, String), (u64, u64)>,
    /// What waits for the place of its call, which stands in the next line: copies of pageable memory, allocations.
    placeless: Vec<Placeless>,
    device: Device,
    lines_not_understood: u64,
}

enum Placeless {
    Copy(String, u64),
    Allocation(u64, String),
}

/// What the device has done.
#[derive(Default)]
struct Device {
    kernels: BTreeMap<String, Group>,
    others: BTreeMap<String, Group>,
    streams: BTreeMap<String, Group>,
    /// Beginnings and ends.
    kernel_times: Vec<(u64, u64)>,
    copy_times: Vec<(u64, u64)>,
}

impl Device {
    fn add(&mut self, work: &Work) {
        let span = (work.start, work.start.saturating_add(work.duration));
        self.streams.entry(work.stream.to_owned()).or_default().add_work(work);
        match work.kernel() {
            Some(kernel) => {
                self.kernels.entry(kernel.to_owned()).or_default().add_work(work);
                self.kernel_times.push(span);
            }
            None => {
                let what = work.what.split(" bytes=").next().unwrap_or(work.what);
                let what = if what.starts_with("host function") { "host function" } else { what };
                self.others.entry(what.to_owned()).or_default().add_work(work);
                if what.starts_with("copy") {
                    self.copy_times.push(span);
                }
            }
        }
    }

    fn describe(&mut self, text: &mut String) {
        if self.streams.is_empty() {
            return;
        }
        if !self.kernels.is_empty() {
            groups(text, "kernels by time on the device", &self.kernels);
        }
        if !self.others.is_empty() {
            groups(text, "other work of the device", &self.others);
        }
        groups(text, "streams by time", &self.streams);
        let [kernels, copies, both] = self.lengths().map(time);
        let _ = writeln!(text, "\nkernels ran {kernels}, copies {copies}, both at a time {both}");
    }

    /// Nanoseconds with kernels, with copies, and with both.
    fn lengths(&mut self) -> [u64; 3] {
        let (kernels, copies) = (united(&mut self.kernel_times), united(&mut self.copy_times));
        let busy = united(&mut [kernels.as_slice(), copies.as_slice()].concat());
        let length = |spans: &[(u64, u64)]| spans.iter().map(|(begin, end)| end - begin).sum::<u64>();
        let both = (length(&kernels) + length(&copies)).saturating_sub(length(&busy));
        [length(&kernels), length(&copies), both]
    }
}

/// Spans without their overlaps, in order.
fn united(spans: &mut [(u64, u64)]) -> Vec<(u64, u64)> {
    spans.sort_unstable();
    let mut united: Vec<(u64, u64)> = Vec::new();
    for &(begin, end) in spans.iter() {
        match united.last_mut() {
            Some(last) if last.1 >= begin => last.1 = last.1.max(end),
            _ => united.push((begin, end)),
        }
    }
    united
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
    fn take(&mut self, line: &Line) {
        match line {
            Line::Frame(frame) => self.place(frame),
            Line::Call(call) => {
                self.place("");
                self.add(call);
            }
            Line::Work(work) => self.device.add(work),
            Line::Remark => {}
            Line::Unknown => self.lines_not_understood += 1,
        }
    }

    /// The call before was made here.
    fn place(&mut self, place: &str) {
        for what in std::mem::take(&mut self.placeless) {
            match what {
                Placeless::Copy(function, bytes) => {
                    let pageable = self.pageable.entry((function, place.to_owned())).or_default();
                    *pageable = (pageable.0 + 1, pageable.1 + bytes);
                }
                Placeless::Allocation(bytes, function) => {
                    self.allocations.push((bytes, function, place.to_owned()));
                    if self.allocations.len() > 4 * TOP {
                        self.keep_largest();
                    }
                }
            }
        }
    }

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
                self.placeless.push(Placeless::Copy(call.name.to_owned(), bytes));
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
                self.placeless.push(Placeless::Allocation(bytes, call.name.to_owned()));
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
        self.place("");
        let mut text = String::new();
        let all = &self.all;
        let _ = writeln!(text, "{} calls, {} of them errors, {} in calls", all.calls, all.errors, time(all.duration));
        groups(&mut text, "calls by time", &self.functions);
        if !self.kernels.is_empty() {
            groups(&mut text, "launches by kernel, with the time that launching took", &self.kernels);
        }
        self.device.describe(&mut text);
        if !self.moved.is_empty() {
            let _ = writeln!(text, "\nbytes moved");
            for (kind, (times, bytes)) in &self.moved {
                let _ = writeln!(text, "{:>12} {times:>10} times  {kind}", size(*bytes));
            }
        }
        self.keep_largest();
        if !self.allocations.is_empty() {
            let _ = writeln!(text, "\nlargest allocations");
            for (bytes, function, place) in &self.allocations {
                let _ = writeln!(text, "{:>12}  {function}{}", size(*bytes), at(place));
            }
        }
        if !self.errors.is_empty() {
            let _ = writeln!(text, "\nerrors");
            for ((function, result), times) in &self.errors {
                let _ = writeln!(text, "{times:>12}  {function}: {result}");
            }
        }
        for ((function, place), (times, bytes)) in &self.pageable {
            let _ = writeln!(
                text,
                "\nwarning: {function}{} copied pageable memory {times} times, {} in all: page-locked memory (cuMemHostAlloc) \
                 is copied faster, and can be copied asynchronously",
                at(place),
                size(*bytes)
            );
        }
        if self.pageable.keys().any(|(_, place)| place.is_empty()) {
            let _ = writeln!(text, "\nDOPPEL_TRACE_STACKS='cuMemcpy*' (doppel trace -k) says where they were called");
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
        self.place("");
        self.keep_largest();
        let groups = |groups: &BTreeMap<String, Group>| -> Value {
            groups.iter().map(|(name, group)| (name.clone(), group.json())).collect::<Map<_, _>>().into()
        };
        let bytes = |(times, bytes): &(u64, u64)| json!({ "times": times, "bytes": bytes });
        let errors = self.errors.iter();
        let errors =
            errors.map(|((function, result), n)| json!({ "function": function, "result": result, "times": n }));
        let allocations = self
            .allocations
            .iter()
            .map(|(n, function, place)| json!({ "bytes": n, "function": function, "place": place }));
        let pageable = self.pageable.iter().map(|((function, place), (times, bytes))| {
            json!({ "function": function, "place": place, "times": times, "bytes": bytes })
        });
        let [kernels, copies, both] = self.device.lengths();
        json!({
            "all": self.all.json(),
            "functions": groups(&self.functions),
            "kernels": groups(&self.kernels),
            "device": {
                "kernels": groups(&self.device.kernels),
                "others": groups(&self.device.others),
                "streams": groups(&self.device.streams),
                "nanoseconds": { "kernels": kernels, "copies": copies, "both": both },
            },
            "moved": self.moved.iter().map(|(kind, n)| ((*kind).to_owned(), bytes(n))).collect::<Map<_, _>>(),
            "pageable": pageable.collect::<Vec<_>>(),
            "largest_allocations": allocations.collect::<Vec<_>>(),
            "errors": errors.collect::<Vec<_>>(),
            "lines_not_understood": self.lines_not_understood,
        })
    }
}

/// Where something was called, if that is known.
fn at(place: &str) -> String {
    if place.is_empty() { String::new() } else { format!(" at {place}") }
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

fn size(bytes: u64) -> String {
    let n = bytes as f64;
    match bytes {
        0..0x400 => format!("{bytes} B"),
        0x400..0x10_0000 => format!("{:.1} KiB", n / f64::from(1 << 10)),
        0x10_0000..0x4000_0000 => format!("{:.1} MiB", n / f64::from(1 << 20)),
        _ => format!("{:.1} GiB", n / f64::from(1 << 30)),
    }
}

/// Prints what a trace comes to.
pub fn show(file: &OsStr, json: bool) -> Result<u8, Failure> {
    let mut summary = Summary::default();
    each_line(file, |line| summary.take(&line))?;
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
            stream#1 0.300000000 kernel fill grid=1,1,1 block=2,1,1 <0.000005000> by 8 at 0.300000000\n\
            stream#2 0.300001000 copy host to device bytes=5 <0.000001000> by 8 at 0.300000000\n\
            stream#2 0.300004000 copy host to device bytes=5 <0.000004000> by 8 at 0.300000000\n\
            8 0.400000000 cuMemcpyDtoH_v2(dstHost=0x9000, srcDevice=0x7f00, ByteCount=64) = CUDA_SUCCESS <0.000000500>\n\
            \u{20}   at fill (main.c:7)\n    at main (main.c:9)\n\
            half a li\n\n\n";
        let summary = || {
            let mut summary = Summary::default();
            trace.lines().for_each(|line| summary.take(&Line::parse(line)));
            summary
        };
        let value = summary().json();
        assert_eq!(value["functions"]["cuMemFree_v2"]["errors"], 1);
        assert_eq!(value["moved"]["host to device"]["bytes"], 2148);
        assert_eq!(value["errors"][0]["result"], "CUDA_ERROR_INVALID_VALUE");
        assert_eq!(value["device"]["nanoseconds"]["both"], 2000);
        assert_eq!(value["pageable"][0]["place"], "fill (main.c:7)");
        let text = summary().text();
        for part in [
            "9 calls, 1 of them errors, 1.01 ms in calls",
            "kernels by time on the device\n        time      calls   errors         each\n     5.00 us          1        0      5.00 us  fill",
            "     5.00 us          2        0      2.50 us  copy host to device",
            "     5.00 us          2        0      2.50 us  stream#2",
            "kernels ran 5.00 us, copies 5.00 us, both at a time 2.00 us",
            "warning: cuMemcpyDtoH_v2 at fill (main.c:7) copied pageable memory 1 times, 64 B in all",
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
