//! Conditions: numbers that kernels set and that conditional nodes of graphs look at.

use crate::base::handle::{HandleKind, Table};
use crate::stream::context::Context;
use error::{Error, Result, refuse};
use std::ops::Deref;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Weak};

/// A condition.
pub struct Condition {
    /// What the program and its kernels hold.
    pub handle: usize,
    /// Whose kernels may set it.
    pub context: Weak<Context>,
    /// What it is when a graph begins; otherwise it stays what it was.
    pub default: Option<u32>,
    /// How many its graph had before.
    pub number: usize,
    value: AtomicU32,
    /// Launches of its graph that run: only then kernels may set it.
    running: AtomicU32,
    /// A node looks at it.
    taken: AtomicBool,
}

pub(crate) static CONDITIONS: Table<Condition> = Table::new(HandleKind::Condition);

/// A condition whose handle is good as long as this lives: the graph has it, and nodes and executable graphs do.
pub struct Held(Arc<Condition>);

impl Condition {
    /// A condition, which is 0.
    pub fn create(context: &Arc<Context>, default: Option<u32>, number: usize) -> Result<Arc<Held>> {
        let context = Arc::downgrade(context);
        let make = |handle| {
            let (value, running, taken) = Default::default();
            Arc::new(Condition { handle, context, default, number, value, running, taken })
        };
        let condition = CONDITIONS
            .insert_with(make)
            .ok_or_else(|| refuse!(Error::OUT_OF_MEMORY, "there are too many conditional handles"))?;
        Ok(Arc::new(Held(condition)))
    }

    /// What it is now.
    pub fn value(&self) -> u32 {
        self.value.load(Ordering::Acquire)
    }

    /// A launch of its graph begins: sets it to its default, if it has one.
    pub fn enter(&self) {
        self.running.fetch_add(1, Ordering::AcqRel);
        if let Some(value) = self.default {
            self.value.store(value, Ordering::Release);
        }
    }

    /// The launch ends.
    pub fn exit(&self) {
        self.running.fetch_sub(1, Ordering::AcqRel);
    }

    /// Takes it for a node. False when another node has it.
    pub fn take(&self) -> bool {
        !self.taken.swap(true, Ordering::AcqRel)
    }

    /// Gives it back.
    pub fn leave(&self) {
        self.taken.store(false, Ordering::Release);
    }

    /// True while a node has it.
    pub fn is_taken(&self) -> bool {
        self.taken.load(Ordering::Acquire)
    }

    /// True when nobody should wait for it any more: its context is on its way out, or has an error.
    pub fn gives_up(&self) -> bool {
        self.context.upgrade().is_none_or(|context| context.group.gives_up())
    }
}

impl Deref for Held {
    type Target = Condition;
    fn deref(&self) -> &Condition {
        &self.0
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        CONDITIONS.remove(self.0.handle);
    }
}

/// Sets a condition for a kernel of a context. False when the handle is none of a condition of this context whose graph runs.
pub fn set(handle: u64, context: &Weak<Context>, value: u32) -> bool {
    let found = usize::try_from(handle).ok().and_then(|handle| CONDITIONS.get(handle));
    let runs =
        |condition: &Arc<Condition>| condition.context.ptr_eq(context) && condition.running.load(Ordering::Acquire) > 0;
    let condition = match found {
        Some(condition) if runs(&condition) => condition,
        // To a real device a handle is a number in the running graph's table.
        other => {
            let number = other.map_or(handle, |condition| condition.number as u64);
            let mut running = CONDITIONS.all();
            running.retain(runs);
            let mut meant = running.iter().filter(|condition| condition.number as u64 == number);
            match (meant.next(), meant.next()) {
                (Some(condition), None) => condition.clone(),
                // A place in the table that no condition has.
                (None, _) if number < TABLE => return !running.is_empty(),
                // Which of several graphs is meant cannot be told.
                _ => return false,
            }
        }
    };
    condition.value.store(value, Ordering::Release);
    true
}

/// Places that a graph's table of conditions has at least.
const TABLE: u64 = 2;
