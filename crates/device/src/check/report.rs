//! Writes findings as text.

use super::memory::{is_host, name};
use super::{files, freed};
use crate::base::checking;
use crate::base::trace::Trace;
use crate::kernel::module;
use crate::kernel::system::KernelSystem;
use crate::memory::mapping;
use crate::memory::space;
use crate::memory::{Allocation, MemoryKind as Memory, find};
use core::fmt::Write;
use core::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use engine::state::check::{AccessKind, AccessTarget, Finding, Misuse, Race, Side};
use engine::state::fault::Fault;
use engine::state::grid::Thread;
use parking_lot::Mutex;
use std::collections::BTreeSet;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;

/// Reports that are written, unless the user says otherwise.
const MOST: u32 = 100;
/// Memory that is farther away than this is not mentioned for an address.
const FAR: u64 = 1 << 30;
/// An address in the host's own memory is explained by an allocation only if that is nearer than this.
const NEAR: u64 = 1 << 12;

static LIMIT: AtomicU32 = AtomicU32::new(MOST);
/// Errors: one for each thread's access. Reports: one for each warp's, written or not.
static ERRORS: AtomicU64 = AtomicU64::new(0);
static REPORTS: AtomicU32 = AtomicU32::new(0);

/// Sets how many reports are written.
pub fn limit(limit: Option<u32>) {
    LIMIT.store(limit.unwrap_or(MOST), Ordering::Relaxed);
}

/// Errors so far.
pub fn errors() -> u64 {
    ERRORS.load(Ordering::Relaxed)
}

/// Writes lines on stderr, each behind our name, in one piece.
pub fn write(text: &str) {
    let lines: String = text.lines().map(|line| format!("doppel: {line}\n")).collect();
    settings::log::put(lines.as_bytes());
}

/// Writes a report, unless there were too many. The last one says so.
pub fn write_limited(text: &str) {
    let (number, limit) = (REPORTS.fetch_add(1, Ordering::Relaxed), LIMIT.load(Ordering::Relaxed));
    if number < limit {
        write(text);
        files::add(text);
    } else if number == limit {
        write(&format!("check: {limit} reports are written (limit={limit}); what follows is only counted\n"));
    }
}

/// A number of bytes.
pub fn bytes(number: u64) -> String {
    count(number, "byte")
}

/// A number of things.
pub fn count(number: u64, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

/// A C++ name as it stands in the source.
fn demangled(name: &str) -> String {
    names::cpp(name.as_bytes()).unwrap_or_else(|| name.to_owned())
}

/// Adds the last line of the summary.
pub fn sum_up(text: &mut String) {
    let (errors, reports, limit) = (errors(), REPORTS.load(Ordering::Relaxed), LIMIT.load(Ordering::Relaxed));
    let more = match errors > 0 && reports > limit {
        true => format!("; {} not written", count((reports - limit).into(), "report")),
        false => String::new(),
    };
    let all = [
        (true, "memcheck", errors, "error", more.as_str()),
        (checking::unwritten(), "initcheck", UNWRITTEN.load(Ordering::Relaxed), "error", ""),
        (checking::misuse(), "synccheck", MISUSES.load(Ordering::Relaxed), "error", ""),
        (checking::races(), "racecheck", races(), "race", ""),
    ];
    for (asked, check, found, what, more) in all {
        let _ = match found {
            _ if !asked => Ok(()),
            0 => writeln!(text, "{check}: no {what}s"),
            _ => writeln!(text, "{check}: {}{more}", count(found, what)),
        };
    }
}

/// A kernel has failed, in a line of its text; `before` are the errors until then. Says where it was launched, and counts an
/// access that was not checked.
#[cold]
pub fn stopped(kernel: &str, launched: &Option<Arc<Trace>>, (fault, line): (Fault, u32), before: u64) {
    use Fault::*;
    let kernel = demangled(kernel);
    let mut text = String::new();
    if errors() != before {
        let _ = writeln!(text, "memcheck: kernel {kernel} has failed");
    } else if matches!(fault, IllegalAddress | Misaligned | StackOverflow | IllegalTarget | IllegalInstruction) {
        ERRORS.fetch_add(1, Ordering::Relaxed);
        let _ = writeln!(text, "memcheck: kernel {kernel} has failed by {fault:?}, PTX line {line}");
    } else {
        settings::log::error!("kernel {kernel}: {fault:?} in line {line} of its PTX");
        return;
    }
    if let Some(launched) = launched {
        text.push_str("    launched by\n");
        launched.describe("        ", &mut text);
    }
    write_limited(&text);
}

/// Counts and writes a finding.
pub fn finding(system: &KernelSystem, finding: &Finding<'_>) {
    ERRORS.fetch_add(finding.threads.into(), Ordering::Relaxed);
    if REPORTS.load(Ordering::Relaxed) > LIMIT.load(Ordering::Relaxed) {
        REPORTS.fetch_add(1, Ordering::Relaxed);
        return;
    }
    // Below are the frames of a kernel, which a panic may not pass.
    let text = std::panic::catch_unwind(AssertUnwindSafe(|| describe(system, finding)));
    write_limited(
        &text.unwrap_or_else(|_| format!("memcheck: PTX line {}, which could not be described\n", finding.line)),
    );
}

static RACES: AtomicU64 = AtomicU64::new(0);
/// Reads of what nobody wrote: one for each thread's. Uses of barriers: one for each line and mistake.
static UNWRITTEN: AtomicU64 = AtomicU64::new(0);
static MISUSES: AtomicU64 = AtomicU64::new(0);

/// Races found so far.
fn races() -> u64 {
    RACES.load(Ordering::Relaxed)
}

/// What was found so far by the checks other than that of accesses.
pub fn others() -> u64 {
    races() + UNWRITTEN.load(Ordering::Relaxed) + MISUSES.load(Ordering::Relaxed)
}

/// Whether something is new of a line of a kernel. What happens again is only counted, however many blocks do it.
fn is_new(kernel: &str, what: &str, lines: (u32, u32)) -> bool {
    type Told = BTreeSet<(String, String, (u32, u32))>;
    static TOLD: Mutex<Told> = Mutex::new(BTreeSet::new());
    TOLD.lock().insert((kernel.to_owned(), what.to_owned(), lines))
}

/// Counts a read of what nobody wrote, and writes the first of each line and allocation.
pub fn unwritten(system: &KernelSystem, finding: &Finding<'_>) {
    UNWRITTEN.fetch_add(finding.threads.into(), Ordering::Relaxed);
    // Below are the frames of a kernel, which a panic may not pass.
    let text = std::panic::catch_unwind(AssertUnwindSafe(|| {
        let base = nearest(finding.address).map_or(0, |(_, allocation)| allocation.id);
        let what = format!("initcheck {base}");
        is_new(finding.kernel, &what, (finding.line, 0)).then(|| {
            let mut lines = String::new();
            explain(system, finding, &mut lines);
            let what = verb(finding.kind);
            let headline = format!("uninitialised {what} of {} in global memory", bytes(finding.bytes));
            let mut text = format!("initcheck: {headline}\n");
            place(&mut text, (finding.kernel, finding.function), finding.source, finding.line);
            thread(&mut text, finding.thread, finding.threads);
            text + &lines
        })
    }));
    if let Ok(Some(text)) = text {
        write_limited(&text);
    }
}

/// Counts and writes a barrier that is misused: a line and a mistake once.
pub fn misuse(misuse: &Misuse<'_>) {
    // Below are the frames of a kernel, which a panic may not pass.
    let text = std::panic::catch_unwind(AssertUnwindSafe(|| {
        is_new(misuse.kernel, misuse.what, (misuse.line, 0)).then(|| {
            let mut text = format!("synccheck: {}\n", misuse.what);
            place(&mut text, (misuse.kernel, misuse.function), misuse.source, misuse.line);
            thread(&mut text, misuse.thread, misuse.threads);
            let _ = writeln!(text, "    {}", misuse.more);
            text
        })
    }));
    if let Ok(Some(text)) = text {
        MISUSES.fetch_add(1, Ordering::Relaxed);
        write_limited(&text);
    }
}

/// Adds the instruction: the kernel, the function that it is in, its place in the source and in the text.
fn place(text: &mut String, (kernel, function): (&str, &str), source: Option<(&str, u32)>, line: u32) {
    let by = match function == kernel {
        true => format!("kernel {}", demangled(kernel)),
        false => format!("{}, called by kernel {}", demangled(function), demangled(kernel)),
    };
    let _ = match source {
        Some((file, source)) => writeln!(text, "    by {by}, {file}:{source} (PTX line {line})"),
        None => writeln!(text, "    by {by}, PTX line {line}"),
    };
}

/// Adds the thread, and how many others of its warp there are.
fn thread(text: &mut String, thread: Thread, threads: u32) {
    let ([x, y, z], [bx, by, bz]) = (thread.thread, thread.block);
    let _ = match threads.saturating_sub(1) {
        0 => writeln!(text, "    thread ({x}, {y}, {z}) of block ({bx}, {by}, {bz})"),
        n => writeln!(
            text,
            "    thread ({x}, {y}, {z}) of block ({bx}, {by}, {bz}), and {} of its warp",
            count(n.into(), "other thread")
        ),
    };
}

/// Counts and writes a race: a pair of lines of a kernel once, however many blocks have it.
pub fn race(race: &Race<'_>) {
    // Below are the frames of a kernel, which a panic may not pass.
    let text = std::panic::catch_unwind(AssertUnwindSafe(|| {
        let what = if race.global { "race in global memory" } else { "race" };
        is_new(race.kernel, what, (race.before.line, race.now.line)).then(|| describe_race(race))
    }));
    if let Ok(Some(text)) = text {
        RACES.fetch_add(1, Ordering::Relaxed);
        write_limited(&text);
    }
}

fn describe_race(race: &Race<'_>) -> String {
    let side = |side: &Side<'_>| {
        let [x, y, z] = side.thread.thread;
        let line = side.line;
        let place = match side.source {
            Some((file, source)) => format!("{file}:{source} (PTX line {line})"),
            None => format!("PTX line {line}"),
        };
        let [bx, by, bz] = side.thread.block;
        let block = if race.global { format!(" of block ({bx}, {by}, {bz})") } else { String::new() };
        format!("{} by thread ({x}, {y}, {z}){block}, {place}", verb(side.kind))
    };
    if race.global {
        let mut text = format!(
            "racecheck: nothing orders two accesses to global memory\n    of kernel {}, {} at {:#x}\n    {}\n    {}\n",
            demangled(race.kernel),
            bytes(race.bytes),
            race.offset,
            side(&race.before),
            side(&race.now),
        );
        describe_memory(race.offset, race.bytes, &mut text);
        return text;
    }
    let [bx, by, bz] = race.now.thread.block;
    format!(
        "racecheck: no barrier between two accesses to shared memory\n    of kernel {}, {} at offset {:#x}, in block ({bx}, {by}, {bz})\n    \
         {}\n    {}\n",
        demangled(race.kernel),
        bytes(race.bytes),
        race.offset,
        side(&race.before),
        side(&race.now),
    )
}

fn verb(kind: AccessKind) -> &'static str {
    match kind {
        AccessKind::Read => "read",
        AccessKind::Write => "write",
        AccessKind::Atomic => "atomic access",
    }
}

fn describe(system: &KernelSystem, finding: &Finding<'_>) -> String {
    let what = verb(finding.kind);
    let area = match finding.target {
        AccessTarget::Memory => "global memory",
        AccessTarget::Shared { .. } => "shared memory",
        AccessTarget::Local { .. } | AccessTarget::Stranger => "local memory",
        AccessTarget::Parameters(..) => "the kernel's parameters",
    };
    let size = bytes(finding.bytes);
    let mut lines = String::new();
    let headline = match finding.misaligned {
        Some(align) => {
            let _ = writeln!(lines, "    at {:#x}, which is no multiple of {align}", finding.address);
            format!("misaligned {what} of {size} in {area}")
        }
        None => {
            let freed = explain(system, finding, &mut lines);
            if freed {
                format!("{what} of {size} in freed memory")
            } else {
                format!("invalid {what} of {size} in {area}")
            }
        }
    };
    let mut text = format!("memcheck: {headline}\n");
    place(&mut text, (finding.kernel, finding.function), finding.source, finding.line);
    thread(&mut text, finding.thread, finding.threads);
    text + &lines
}

/// Where `address` is, seen from `size` bytes at `base`; the access has `length` bytes.
fn seen_from(address: u64, length: u64, base: u64, size: u64) -> String {
    let end = base + size;
    if address >= end {
        match address - end {
            0 => "right behind the end of".to_owned(),
            distance => format!("{} behind the end of", bytes(distance)),
        }
    } else if address < base {
        format!("{} before the begin of", bytes(base - address))
    } else if address.saturating_add(length) > end {
        format!("{} before the end of", bytes(end - address))
    } else {
        format!("{} into", bytes(address - base))
    }
}

/// Describes what is at an address, or near it. True for freed memory.
fn explain(system: &KernelSystem, finding: &Finding<'_>, text: &mut String) -> bool {
    let (address, size) = (finding.address, finding.bytes);
    match &finding.target {
        AccessTarget::Memory => return memory(system, address, size, finding.kind, text),
        &AccessTarget::Shared { offset, fixed, dynamic, end } => {
            let _ = write!(text, "    at offset {}; the block has {} of it", offset as i64, bytes(fixed));
            let _ = match end > fixed {
                true => writeln!(text, ", and {} of dynamic shared memory at offset {dynamic}", bytes(end - dynamic)),
                false => writeln!(text),
            };
        }
        AccessTarget::Local { offset, nearest: Some((name, function, start, length)) } => {
            let seen = seen_from(*offset, size, *start, *length);
            let _ = writeln!(text, "    {seen} the {} of {name} of {}", bytes(*length), demangled(function));
        }
        AccessTarget::Local { offset, nearest: None } => {
            let _ = writeln!(text, "    at offset {offset}; the thread has no variables there");
        }
        AccessTarget::Stranger => _ = writeln!(text, "    at {address:#x}, which is another thread's local memory"),
        AccessTarget::Parameters(base, length) => {
            let _ = writeln!(text, "    {} the {}", seen_from(address, size, *base, *length), bytes(*length));
        }
    }
    false
}

fn memory(system: &KernelSystem, address: u64, size: u64, kind: AccessKind, text: &mut String) -> bool {
    if let Some(record) = freed::find(address as usize) {
        let (base, length) = (record.base as u64, record.size as u64);
        let seen = seen_from(address, size, base, length);
        let what = name(&record.kind);
        let _ = writeln!(text, "    at {address:#x}: {seen} the {} of {what} at {base:#x}", bytes(length));
        let (made, freed) = verbs(&record.kind);
        for (what, trace) in [(made, record.made), (freed, record.freed)] {
            if let Some(trace) = trace {
                let _ = writeln!(text, "    {what} by");
                trace.describe("        ", text);
            }
        }
        return true;
    }
    if let Some((base, length, live)) = system.heap.nearest(address) {
        let seen = seen_from(address, size, base, length);
        let _ = writeln!(
            text,
            "    at {address:#x}: {seen} the {} at {base:#x} that a kernel allocated{}",
            bytes(length),
            if live { "" } else { " and freed" }
        );
        return !live;
    }
    let host = is_host(address as usize, size as usize);
    let multicast = find(address as usize).filter(|allocation| mapping::is_multicast(allocation));
    let near = || nearest(address).filter(|&(distance, _)| !host || distance < NEAR);
    match multicast.map(|allocation| (0, allocation)).or_else(near) {
        Some((_, allocation)) => {
            let (base, length) = (allocation.base as u64, allocation.size as u64);
            where_in(&allocation, address, size, text);
            if mapping::is_multicast(&allocation) {
                let _ = writeln!(
                    text,
                    "    a multicast object: only stores and multimem instructions reach it, where each of its devices has memory bound"
                );
            } else if allocation.kind == Memory::Mapped && address >= base && address + size <= base + length {
                let verb = if kind == AccessKind::Read { "read" } else { "write" };
                let _ = writeln!(text, "    which the device may not {verb}");
            }
            made_by(&allocation, text);
        }
        None if host => {
            let _ =
                writeln!(text, "    at {address:#x}, the host's own memory, neither allocated by CUDA nor registered");
        }
        None => _ = writeln!(text, "    at {address:#x}; no memory is near"),
    }
    false
}

/// Says what memory an address is in.
fn describe_memory(address: u64, size: u64, text: &mut String) {
    if let Some((_, allocation)) = nearest(address) {
        where_in(&allocation, address, size, text);
        made_by(&allocation, text);
    }
}

fn where_in(allocation: &Allocation, address: u64, size: u64, text: &mut String) {
    let (base, length) = (allocation.base as u64, allocation.size as u64);
    let seen = seen_from(address, size, base, length);
    let what = match module::variable_at(allocation.base) {
        Some(name) => format!("variable {}", demangled(&name)),
        None => name(&allocation.kind).to_owned(),
    };
    let _ = writeln!(text, "    at {address:#x}: {seen} the {} of {what} at {base:#x}", bytes(length));
}

fn made_by(allocation: &Allocation, text: &mut String) {
    if let Some(made) = &allocation.made {
        let verb = if allocation.extra.lock().of_module { "loaded" } else { verbs(&allocation.kind).0 };
        let _ = writeln!(text, "    {verb} by");
        made.describe("        ", text);
    }
}

/// The verbs for getting and releasing memory of a kind.
fn verbs(kind: &Memory) -> (&'static str, &'static str) {
    match kind {
        Memory::Registered(_) => ("registered", "unregistered"),
        Memory::Mapped => ("mapped", "unmapped"),
        Memory::Reserved => ("reserved", "freed"),
        Memory::Imported => ("opened", "closed"),
        _ => ("allocated", "freed"),
    }
}

/// The live allocation that is nearest to an address.
fn nearest(address: u64) -> Option<(u64, Arc<Allocation>)> {
    let distance = |a: &Allocation| {
        let (base, size) = (a.base as u64, a.size as u64);
        base.saturating_sub(address).max(address.saturating_sub(base + size))
    };
    let near = space().ok()?.collect(|a| distance(a) <= FAR);
    // A reservation holds what is mapped into it.
    let near = near.into_iter().map(|a| (distance(&a), a));
    let holds = |a: &Allocation| (a.base as u64..(a.base + a.size) as u64).contains(&address);
    near.min_by_key(|(distance, a)| (*distance, !holds(a), a.kind == Memory::Reserved))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances() {
        let seen = |address, length| seen_from(address, length, 1000, 100);
        assert_eq!(seen(1100, 4), "right behind the end of");
        assert_eq!(seen(1101, 4), "1 byte behind the end of");
        assert_eq!(seen(996, 4), "4 bytes before the begin of");
        assert_eq!(seen(1098, 4), "2 bytes before the end of");
        assert_eq!(seen(1096, 4), "96 bytes into");
    }

    #[test]
    fn names_of_cpp() {
        assert_eq!(demangled("_Z5scalePfi"), "scale(float*, int)");
        assert_eq!(demangled("plain"), "plain");
    }
}
