//! What the device does, on tracks of streams.

use super::here::{self, Beginning, of_track};
use super::launches::Launches;
use super::{COMMON, PID, json, now, sink};
use crate::show::{Pen, Text};
use crate::table;
use core::sync::atomic::{AtomicU64, Ordering};
use device::stream::watch::{self, Watcher};
use device::stream::{Activity, Origin, Stream, StreamKind};
use parking_lot::Mutex;
use std::collections::HashSet;

/// Numbers of streams' tracks in JSON begin here, beyond those of threads; the device is a process of such a number.
const TRACKS: u64 = 1 << 30;

/// Streams whose tracks have their names.
static NAMED: Mutex<Option<HashSet<u64>>> = Mutex::new(None);

/// The stream that was asked about last, and one more: its track has its name.
static NAMED_LAST: AtomicU64 = AtomicU64::new(0);

/// The number of the last arrow.
static ARROWS: AtomicU64 = AtomicU64::new(0);

struct Tracks;

impl Watcher for Tracks {
    fn origin(&self) -> Origin {
        here::with(|here| here.call.get())
    }

    fn now(&self) -> u64 {
        now()
    }

    fn ran(&self, stream: &Stream, activity: &Activity<'_>, origin: Origin, begin: u64, end: u64) {
        let track = Track { id: stream.id, handle: track_handle(stream) };
        write(track, activity, origin, begin, end);
    }
}

/// Watches the emulated device from now on.
pub fn start() {
    watch::install(&Tracks);
}

/// A child of a fork names tracks anew. A lock that another thread of the parent's held stays locked: then nothing is named.
pub fn after_fork() {
    if let Some(mut named) = NAMED.try_lock() {
        *named = None;
    }
    NAMED_LAST.store(0, Ordering::Relaxed);
}

/// The handle that a stream is shown by.
fn track_handle(stream: &Stream) -> usize {
    const LEGACY: usize = 1;
    const PER_THREAD: usize = 2;
    match stream.kind {
        StreamKind::Legacy => LEGACY,
        StreamKind::PerThread => PER_THREAD,
        StreamKind::Blocking | StreamKind::NonBlocking => stream.handle,
    }
}

/// Where work of a stream is written.
#[derive(Clone, Copy)]
pub struct Track {
    /// The stream's number.
    pub id: u64,
    /// Its handle.
    pub handle: usize,
}

/// Writes the name of a stream as calls show it.
fn name(handle: usize, text: &mut Text) {
    if let Some(parameter) = table::by_name("cuStreamSynchronize").and_then(|entry| entry.parameters.first()) {
        // SAFETY: the function's parameter is a stream.
        unsafe { (parameter.ty.show)((&raw const handle).cast(), text) };
    }
}

/// Writes what a stream has done, with the call that gave it; work of calls that are not traced is not wanted.
pub fn write(track: Track, activity: &Activity<'_>, origin: Origin, begin: u64, end: u64) {
    let Some(sink) = sink().filter(|_| origin.thread != 0) else { return };
    let since = |time: u64| time.saturating_sub(COMMON.start.load(Ordering::Relaxed));
    let (begin, duration, given) = (since(begin), end.saturating_sub(begin).max(1), since(origin.begin));
    here::with(|here| {
        let mut text = Text::default();
        let number = here.thread();
        let mut stream = here.stream.borrow_mut();
        if stream.0 != track.id {
            let json = || of_track(device(), TRACKS + track.id);
            let line = || {
                Beginning::written(|text| {
                    name(track.handle, text);
                    text.put(b" ");
                })
            };
            *stream = (track.id, if super::json() { json() } else { line() });
        }
        let line = &stream.1;
        let times = (begin, duration);
        here.remembered(|memory| {
            let launches = &mut memory.launches;
            if !json() {
                return write_line(line, activity, (origin.thread, given), times, launches, &mut text);
            }
            if NAMED_LAST.load(Ordering::Relaxed) != track.id + 1 {
                name_once(track, line, &mut text);
            }
            if origin.thread == number {
                write_json(line, activity, (&here.track.borrow(), given), times, launches, &mut text);
            } else {
                write_json(line, activity, (&of_thread(origin.thread), given), times, launches, &mut text);
            }
        });
        sink.write(&here.place, text.bytes());
    });
}

fn write_line(
    line: &Beginning,
    activity: &Activity<'_>,
    (thread, given): (u32, u64),
    (begin, duration): (u64, u64),
    launches: &mut Launches,
    text: &mut Text,
) {
    text.pen(|pen| {
        line.write(pen);
        pen.seconds(begin);
    });
    match *activity {
        Activity::Kernel(name, grid, block) => {
            launches.work(name, (grid, block), text, |text| describe(activity, text));
        }
        _ => describe(activity, text),
    }
    text.pen(|pen| {
        pen.seconds(duration);
        pen.put(b"> by ");
        pen.decimal(thread.into());
        pen.put(b" at ");
        pen.seconds(given);
        pen.put(b"\n");
    });
}

/// Writes what was done, with what is around it in a line.
fn describe(activity: &Activity<'_>, text: &mut Text) {
    match *activity {
        Activity::Kernel(name, grid, block) => {
            text.put(b" kernel ");
            text.push(&name.as_bytes()[..name.len().min(1024)]);
            text.put(b" grid=");
            shape(grid, text);
            text.put(b" block=");
            shape(block, text);
        }
        Activity::Copy(way, bytes) => {
            text.put(b" copy ");
            text.push(way.as_bytes());
            text.put(b" bytes=");
            text.decimal(bytes as u64);
        }
        Activity::Memset(bytes) => {
            text.put(b" memset bytes=");
            text.decimal(bytes as u64);
        }
        Activity::Host(function) => {
            text.put(b" host function ");
            text.hex(function as u64);
        }
    }
    text.put(b" <");
}

fn shape(shape: [u32; 3], text: &mut Text) {
    for (i, n) in shape.iter().enumerate() {
        if i > 0 {
            text.put(b",");
        }
        text.decimal((*n).into());
    }
}

/// The beginning of an event: its phase, its track and the time.
#[inline(always)]
fn event(phase: u8, track: &Beginning, time: u64, pen: &mut Pen<'_>) {
    pen.put(b",\n{\"ph\":\"");
    pen.put(&[phase]);
    track.write(pen);
    pen.microseconds(time);
}

/// The number of the process that stands for the device.
fn device() -> u64 {
    TRACKS + u64::from(PID.load(Ordering::Relaxed))
}

/// The track of another thread than the one that writes.
#[cold]
fn of_thread(thread: u32) -> Beginning {
    of_track(PID.load(Ordering::Relaxed).into(), thread.into())
}

/// Gives a stream's track its name, if it has none.
#[cold]
fn name_once(track: Track, line: &Beginning, text: &mut Text) {
    let Some(mut named) = NAMED.try_lock() else { return };
    let named = named.get_or_insert_default();
    if named.is_empty() {
        text.pen(|pen| event(b'M', &of_track(device(), 0), 0, pen));
        text.put(b",\"name\":\"process_name\",\"args\":{\"name\":\"device\"}}");
    }
    if named.insert(track.id) {
        text.pen(|pen| event(b'M', line, 0, pen));
        text.put(b",\"name\":\"thread_name\",\"args\":{\"name\":\"");
        name(track.handle, text);
        text.put(b"\"}}");
    }
    NAMED_LAST.store(track.id + 1, Ordering::Relaxed);
}

fn write_json(
    line: &Beginning,
    activity: &Activity<'_>,
    (own, given): (&Beginning, u64),
    (begin, duration): (u64, u64),
    launches: &mut Launches,
    text: &mut Text,
) {
    text.pen(|pen| {
        event(b'X', line, begin, pen);
        pen.put(b",\"dur\":");
        pen.microseconds(duration);
    });
    match *activity {
        Activity::Kernel(name, grid, block) => {
            launches.work(name, (grid, block), text, |text| describe_json(activity, text));
        }
        _ => describe_json(activity, text),
    }
    // The arrow begins inside of the call's own event, which is written when the call is over.
    let arrow = ARROWS.fetch_add(1, Ordering::Relaxed) + 1;
    text.pen(|pen| {
        event(b's', own, given + 1, pen);
        pen.put(b",\"cat\":\"device\",\"name\":\"queued\",\"id\":");
        pen.decimal(arrow);
        pen.put(b"}");
        event(b'f', line, begin, pen);
        pen.put(b",\"cat\":\"device\",\"name\":\"queued\",\"id\":");
        pen.decimal(arrow);
        pen.put(b",\"bp\":\"e\"}");
    });
}

/// Writes what was done, as the rest of an event.
fn describe_json(activity: &Activity<'_>, text: &mut Text) {
    text.put(b",\"cat\":\"device\",\"name\":\"");
    let start = text.len();
    match *activity {
        Activity::Kernel(name, ..) => text.push(&name.as_bytes()[..name.len().min(300)]),
        Activity::Copy(way, _) => {
            text.put(b"copy ");
            text.push(way.as_bytes());
        }
        Activity::Memset(_) => text.put(b"memset"),
        Activity::Host(_) => text.put(b"host function"),
    }
    text.escape_since(start);
    text.put(b"\",\"args\":{");
    match *activity {
        Activity::Kernel(_, grid, block) => {
            text.put(b"\"grid\":\"");
            shape(grid, text);
            text.put(b"\",\"block\":\"");
            shape(block, text);
            text.put(b"\"");
        }
        Activity::Copy(_, bytes) | Activity::Memset(bytes) => {
            text.put(b"\"bytes\":");
            text.decimal(bytes as u64);
        }
        Activity::Host(function) => {
            text.put(b"\"function\":\"");
            text.hex(function as u64);
            text.put(b"\"");
        }
    }
    text.put(b"}}");
}
