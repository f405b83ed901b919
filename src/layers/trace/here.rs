//! What the trace knows of a thread.

use super::json;
use super::kept::Lines;
use super::launches::Launches;
use super::sink::Last;
use crate::show::{Piece, Times};
use core::ptr;
use device::stream::Origin;
use std::cell::{Cell, RefCell};

/// The beginning of a line or of an event of JSON's, or a part of it.
pub type Beginning = Piece<64>;

/// The track of a process from its number on to the time, which is to follow.
pub fn of_track(process: u64, track: u64) -> Beginning {
    Beginning::written(|text| {
        text.put(b"\",\"pid\":");
        text.decimal(process);
        text.put(b",\"tid\":");
        text.decimal(track);
        text.put(b",\"ts\":");
    })
}

/// What the trace knows of a thread. What has to be done when it ends, [`AT_END`] does. First is what each call looks at: three lines of
/// the cache.
#[repr(C, align(64))]
pub struct Here {
    /// The thread's number, 0 for not asked yet.
    thread: Cell<u32>,
    /// Somebody will give what it remembers back when the thread ends.
    remembers: Cell<bool>,
    /// What it remembers; null before its first line, after the thread's end, and while somebody uses it.
    memory: Cell<*mut Memory>,
    /// The call that it is in the middle of.
    pub call: Cell<Origin>,
    /// The end of its last call.
    pub last: Cell<u64>,
    /// Where it wrote last.
    pub place: Last,
    /// What its calls begin with, up to the last eight characters of the time: what is in front of them changes seldom.
    timed: RefCell<Timed>,
    /// What its calls begin with.
    pub beginning: RefCell<Beginning>,
    /// The middle of events on its own track in JSON.
    pub track: RefCell<Beginning>,
    /// A stream of which it has written work: what lines of that begin with, or the middle of events on its track.
    pub stream: RefCell<(u64, Beginning)>,
}

/// A beginning with the first characters of a time, and what those are: [`Times::upper`].
struct Timed {
    upper: u64,
    beginning: Beginning,
}

impl Timed {
    const NONE: Timed = Timed { upper: u64::MAX, beginning: Beginning::EMPTY };
}

/// What a thread remembers of what it has written. First is what leads to the rest of it.
#[derive(Default)]
#[repr(C, align(64))]
pub struct Memory {
    /// Of calls whose arguments are a few words.
    pub lines: Lines,
    /// Of launches.
    pub launches: Launches,
}

/// The end of a thread.
struct End;

thread_local! {
    /// Nothing in it ends with the thread, which may make calls until its very end.
    static HERE: Here = const { Here::new() };
    static AT_END: End = const { End };
}

/// Does something with what the trace knows of the calling thread.
#[inline(always)]
pub fn with<R>(run: impl FnOnce(&Here) -> R) -> R {
    // Where that is takes a few instructions, and what is done there takes many: in one function they would all be behind a call.
    let here = HERE.with(ptr::from_ref);
    // SAFETY: nothing ends it before the thread.
    run(unsafe { &*here })
}

impl Drop for End {
    fn drop(&mut self) {
        with(Here::end);
    }
}

impl Here {
    /// Of a thread that has made no call.
    const fn new() -> Here {
        Here {
            thread: Cell::new(0),
            remembers: Cell::new(false),
            memory: Cell::new(ptr::null_mut()),
            call: Cell::new(Origin::NONE),
            last: Cell::new(0),
            place: Last::new(),
            timed: RefCell::new(Timed::NONE),
            beginning: RefCell::new(Beginning::EMPTY),
            track: RefCell::new(Beginning::EMPTY),
            stream: RefCell::new((u64::MAX, Beginning::EMPTY)),
        }
    }

    /// The thread's number.
    #[inline]
    pub fn thread(&self) -> u32 {
        if self.thread.get() == 0 {
            self.begin();
        }
        self.thread.get()
    }

    /// The first call.
    #[cold]
    fn begin(&self) {
        // SAFETY: asks for a number.
        self.thread.set(unsafe { libc::gettid() } as u32);
        let (process, thread) = (std::process::id().into(), self.thread.get().into());
        let track = of_track(process, thread);
        self.beginning.replace(Beginning::written(|text| {
            if json() {
                text.put(b",\n{\"ph\":\"X");
                text.push(track.bytes());
            } else {
                text.decimal(thread);
                text.put(b" ");
            }
        }));
        self.timed.replace(Timed::NONE);
        self.track.replace(track);
        self.stream.replace((u64::MAX, Beginning::EMPTY));
        let remembers = AT_END.try_with(|_| ()).is_ok();
        self.remembers.set(remembers);
        self.place.keep(remembers);
    }

    /// Does something with what a call begins with, up to the last eight characters of the time.
    #[inline(always)]
    pub fn timed(&self, upper: u64, json: bool, run: impl FnOnce(&Beginning)) {
        let mut timed = self.timed.borrow_mut();
        if timed.upper != upper {
            self.put_time(&mut timed, upper, json);
        }
        run(&timed.beginning);
    }

    #[cold]
    #[inline(never)]
    fn put_time(&self, timed: &mut Timed, upper: u64, json: bool) {
        timed.upper = upper;
        timed.beginning = Beginning::written(|text| {
            text.push(self.beginning.borrow().bytes());
            Times::front(upper, json, text);
        });
    }

    /// In the child of a fork: the thread has another number, and writes elsewhere.
    pub fn after_fork(&self) {
        self.thread.set(0);
        self.place.forget();
    }

    /// The thread ends, though it may still make calls.
    fn end(&self) {
        self.remembers.set(false);
        self.place.keep(false);
        drop(self.take());
    }

    fn take(&self) -> Option<Box<Memory>> {
        let memory = self.memory.replace(ptr::null_mut());
        // SAFETY: a box that was put there, and is not there any more.
        (!memory.is_null()).then(|| unsafe { Box::from_raw(memory) })
    }

    /// Does something with what the thread remembers; one that ends remembers nothing.
    #[inline(always)]
    pub fn remembered<R>(&self, run: impl FnOnce(&mut Memory) -> R) -> R {
        let mut memory = self.memory.replace(ptr::null_mut());
        if memory.is_null() {
            memory = Self::fresh();
        }
        // SAFETY: a box that nobody else has now.
        let result = run(unsafe { &mut *memory });
        let other = self.memory.replace(memory);
        if !other.is_null() || !self.remembers.get() {
            self.forget(other);
        }
        result
    }

    #[cold]
    #[inline(never)]
    fn fresh() -> *mut Memory {
        Box::into_raw(Box::default())
    }

    /// Gives back what was remembered while somebody used the rest, and all of it if the thread remembers nothing.
    #[cold]
    #[inline(never)]
    fn forget(&self, other: *mut Memory) {
        let mine = if self.remembers.get() { ptr::null_mut() } else { self.memory.replace(ptr::null_mut()) };
        for memory in [other, mine].into_iter().filter(|memory| !memory.is_null()) {
            // SAFETY: boxes that were there, and are not there any more.
            drop(unsafe { Box::from_raw(memory) });
        }
    }
}

#[cfg(test)]
impl Here {
    /// Of a thread that is not there, and remembers until [`Here::forget_for_test`], as a thread does until its end.
    pub fn for_test() -> Here {
        Here { remembers: Cell::new(true), ..Here::new() }
    }

    pub fn forget_for_test(&self) {
        self.end();
    }
}
