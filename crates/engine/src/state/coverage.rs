//! How often each step ran, in compiled code or in the interpreter: `DOPPEL_COVERAGE` names a file that is told so when the process
//! ends. Without it nothing is counted.

use crate::state::step::{Execute, Runner, Step};
use core::fmt::Write as _;
use core::sync::atomic::{AtomicU64, Ordering::Relaxed};
use parking_lot::Mutex;
use settings::config::settings;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::Write as _;
use std::sync::Arc;

/// A function's counts; one of each for every step.
pub struct Counts {
    name: String,
    /// Instructions, as the text has them.
    instructions: Vec<String>,
    /// Steps that compiled code came to.
    pub reached: Box<[AtomicU64]>,
    /// Of these, those that it left to the interpreter.
    pub called: Box<[AtomicU64]>,
    /// Steps that the interpreter executed, with those that compiled code left to it.
    pub interpreted: Box<[AtomicU64]>,
}

/// Counts of a function, and what its steps execute: they themselves count first.
pub struct Counted<W: Runner> {
    pub counts: Arc<Counts>,
    pub execute: Vec<Execute<W>>,
}

/// What functions counted, for the end of the process.
static ALL: Mutex<Vec<Arc<Counts>>> = Mutex::new(Vec::new());

#[cfg(test)]
thread_local! {
    static OF_TEST: core::cell::Cell<bool> = const { core::cell::Cell::new(false) };
}

/// Does something during which steps of functions that the calling thread loads are counted.
#[cfg(test)]
pub fn counted<R>(run: impl FnOnce() -> R) -> R {
    OF_TEST.set(true);
    let result = run();
    OF_TEST.set(false);
    result
}

/// Whether steps are counted.
pub fn is_wanted() -> bool {
    #[cfg(test)]
    if OF_TEST.get() {
        return true;
    }
    settings().is_some_and(|settings| settings.coverage.is_some())
}

/// Makes steps count themselves: `count` is what they execute from now on. `instructions` has one name for each.
pub fn count_steps<W: Runner>(
    name: &str,
    steps: &mut [Step<W>],
    instructions: Vec<String>,
    count: Execute<W>,
) -> Box<Counted<W>> {
    let zeros = || steps.iter().map(|_| AtomicU64::new(0)).collect();
    let (reached, called, interpreted) = (zeros(), zeros(), zeros());
    let counts = Arc::new(Counts { name: name.to_owned(), instructions, reached, called, interpreted });
    ALL.lock().push(counts.clone());
    let execute = steps.iter_mut().map(|step| core::mem::replace(&mut step.execute, count)).collect();
    Box::new(Counted { counts, execute })
}

impl Counts {
    /// How often a step ran in compiled code, and in the interpreter.
    pub fn of(&self, at: usize) -> (u64, u64) {
        let [reached, called, interpreted] =
            [&self.reached, &self.called, &self.interpreted].map(|counts| counts[at].load(Relaxed));
        (reached.saturating_sub(called), interpreted.max(called))
    }

    /// A line: the function, steps that were executed, those of them in compiled code, and the others by instruction. None if it
    /// never ran.
    fn line(&self) -> Option<String> {
        let (mut all, mut native) = (0, 0);
        let mut others = BTreeMap::<&str, u64>::new();
        for (at, instruction) in self.instructions.iter().enumerate() {
            let (own, other) = self.of(at);
            all += own + other;
            native += own;
            if other != 0 {
                *others.entry(instruction).or_default() += other;
            }
        }
        let mut line = format!("{}\t{all}\t{native}\t", self.name);
        others.iter().for_each(|(name, count)| _ = write!(line, "{name}={count} "));
        (all != 0).then(|| line.trim_end_matches(' ').to_owned() + "\n")
    }
}

extern "C" fn at_end() {
    // A panic may not get out of here.
    let _ = std::panic::catch_unwind(|| {
        let Some(path) = settings().and_then(|settings| settings.coverage.as_ref()) else { return };
        let text: String = ALL.lock().iter().filter_map(|counts| counts.line()).collect();
        if text.is_empty() {
            return;
        }
        if let Ok(mut file) = File::options().create(true).append(true).open(path) {
            // In one piece, as several processes may write.
            let _ = file.write_all(text.as_bytes());
        }
    });
}

/// When the program and its libraries have ended.
#[used]
// SAFETY: the section is a list of functions like this one.
#[unsafe(link_section = ".fini_array")]
static AT_END: extern "C" fn() = at_end;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::payload::Payload;
    use crate::state::step::{Flow, UNGUARDED};

    impl Runner for u32 {
        type Of<'c> = u32;
    }

    #[test]
    fn steps_that_ran_are_told_apart() {
        unsafe fn own(_: &mut u32, _: &Step<u32>) -> Flow {
            Flow::Done
        }
        unsafe fn counting(_: &mut u32, _: &Step<u32>) -> Flow {
            Flow::Next
        }
        let step = |execute: Execute<u32>| Step::<u32> {
            execute,
            guard: UNGUARDED,
            to: [0; 4],
            from: [0; 5],
            payload: Payload::default(),
        };
        let mut steps = [step(own), step(own), step(own)];
        let names = ["add.u32", "sin.approx.f32", "ret"].map(str::to_owned).to_vec();
        let counted = count_steps::<u32>("k", &mut steps, names, counting);
        assert_eq!(counted.execute.len(), 3);
        // SAFETY: these functions look at nothing.
        assert_eq!(unsafe { (steps[0].execute)(&mut 0, &steps[0]) }, Flow::Next);
        // SAFETY: as above.
        assert_eq!(unsafe { (counted.execute[0])(&mut 0, &steps[0]) }, Flow::Done);
        let counts = &counted.counts;
        assert_eq!(counts.line(), None);
        counts.reached[..2].iter().for_each(|count| count.store(10, Relaxed));
        [&counts.called, &counts.interpreted].into_iter().for_each(|counts| counts[1].store(4, Relaxed));
        counts.interpreted[2].store(1, Relaxed);
        assert_eq!(counts.line().as_deref(), Some("k\t21\t16\tret=1 sin.approx.f32=4\n"));
    }
}
