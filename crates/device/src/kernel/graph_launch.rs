//! Graphs that kernels of graphs launch: what they ask for is done behind the graph that they run in, on its stream. So a graph
//! counts as ended only when all that it launched has.

use crate::base::bounds::MOST_LAUNCHED_GRAPHS;
use crate::stream::context::Context;
use error::{Error, Result};
use parking_lot::Mutex;
use std::cell::Cell;
use std::collections::BTreeMap;
use std::sync::{Arc, Weak};

/// Streams of the device's runtime that say how a graph is launched: behind the graph that launches it, beside it, or beside it as a
/// part of what that one is part of.
const TAIL: u64 = 1 << 56;
const FORGOTTEN: u64 = 2 << 56;
const SIBLING: u64 = 3 << 56;

/// What kernels have asked for: graphs beside theirs, and behind it.
#[derive(Default)]
struct Asked {
    beside: Vec<usize>,
    behind: Vec<usize>,
}

/// An executable graph that kernels launch, or whose kernels launch others.
pub struct Known {
    context: Weak<Context>,
    /// Kernels may launch it.
    launchable: bool,
    asked: Mutex<Asked>,
}

/// By handle.
static KNOWN: Mutex<BTreeMap<usize, Arc<Known>>> = Mutex::new(BTreeMap::new());

/// Makes a graph known as long as this lives.
pub struct Registered {
    handle: usize,
    /// What its kernels ask for.
    pub known: Arc<Known>,
}

impl Registered {
    /// Makes a graph known by its handle.
    pub fn new(handle: usize, context: Weak<Context>, launchable: bool) -> Registered {
        let known = Arc::new(Known { context, launchable, asked: Mutex::default() });
        KNOWN.lock().insert(handle, known.clone());
        Registered { handle, known }
    }
}

impl Drop for Registered {
    fn drop(&mut self) {
        KNOWN.lock().remove(&self.handle);
    }
}

impl Known {
    /// The graphs that its kernels asked for, the last one first; they are asked for no more.
    pub fn take(&self) -> Vec<usize> {
        let Asked { beside, behind } = std::mem::take(&mut *self.asked.lock());
        behind.into_iter().rev().chain(beside.into_iter().rev()).collect()
    }

    /// True when nobody should go on with it: its context is on its way out, or has an error.
    pub fn gives_up(&self) -> bool {
        self.context.upgrade().is_none_or(|context| context.group.gives_up())
    }
}

thread_local! {
    static CURRENT: Cell<usize> = const { Cell::new(0) };
}

/// The handle of the graph whose kernel this thread runs, or 0.
pub fn current() -> usize {
    CURRENT.get()
}

/// Does something as part of a graph.
pub fn within<R>(graph: usize, work: impl FnOnce() -> R) -> R {
    struct Back(usize);
    impl Drop for Back {
        fn drop(&mut self) {
            CURRENT.set(self.0);
        }
    }
    let _back = Back(CURRENT.replace(graph));
    work()
}

/// A kernel of a graph asks for another one.
pub fn ask(context: &Weak<Context>, running: usize, graph: usize, stream: u64) -> Result<()> {
    let (running, wanted) = {
        let known = KNOWN.lock();
        (known.get(&running).cloned(), known.get(&graph).cloned())
    };
    let running = running.ok_or(Error::NOT_SUPPORTED)?;
    wanted.filter(|graph| graph.launchable && graph.context.ptr_eq(context)).ok_or(Error::INVALID_VALUE)?;
    let mut asked = running.asked.lock();
    let (list, most) = match stream {
        TAIL => (&mut asked.behind, MOST_LAUNCHED_GRAPHS[1]),
        FORGOTTEN | SIBLING => (&mut asked.beside, MOST_LAUNCHED_GRAPHS[0]),
        _ => return Err(Error::INVALID_VALUE),
    };
    if list.len() >= most {
        return Err(Error::LAUNCH_OUT_OF_RESOURCES);
    }
    list.push(graph);
    Ok(())
}
