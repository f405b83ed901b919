//! Blocks of earlier launches: a thread keeps a few, since small kernels are launched again and again.

use crate::running::block::Block;
use crate::running::cluster::Unit;
use crate::state::surroundings::Surroundings;
use crate::state::warp::Program;
use std::cell::RefCell;
use std::sync::Arc;

/// What a kept block must have in common with a launch to be used for it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct BlockKey {
    /// The kernel, by number.
    pub kernel: u32,
    /// Threads of a block.
    pub threads: [u32; 3],
    /// Blocks of a cluster along each axis.
    pub cluster: [u32; 3],
    /// Bytes of shared memory.
    pub shared: u32,
    /// Bytes of local memory of a thread.
    pub stride: u64,
}

struct Entry {
    key: BlockKey,
    unit: Unit<'static>,
}

/// Blocks that a thread keeps, and the bytes that one of them may have.
const MOST: usize = 8;
const LARGEST: u64 = 4 << 20;

thread_local! {
    static CACHE: RefCell<Vec<Entry>> = const { RefCell::new(Vec::new()) };
}

/// Blocks of a cluster for a launch. `None` when there is not so much memory.
pub fn take<'c>(program: &'c Arc<Program>, key: BlockKey, around: impl Fn() -> Surroundings) -> Option<Unit<'c>> {
    let of = |kept: &Entry| kept.key == key && kept.unit.is_of(program);
    let found = CACHE.try_with(|kept| {
        let mut kept = kept.borrow_mut();
        kept.iter().rposition(of).map(|at| kept.remove(at))
    });
    if let Ok(Some(Entry { unit, .. })) = found {
        let mut unit: Unit<'c> = unit;
        unit.renew(program, around);
        return Some(unit);
    }
    let block = |_| Block::new(program, key.kernel, around(), key.stride);
    let blocks = (0..key.cluster.iter().product()).map(block).collect::<Option<_>>()?;
    Some(Unit::new(program, blocks, key.cluster, key.shared))
}

/// Keeps blocks of so many bytes for later, perhaps.
pub fn give(key: BlockKey, unit: Unit<'_>, bytes: u64) {
    if bytes > LARGEST {
        return;
    }
    let kept = Entry { key, unit: unit.without_program() };
    // At the end of a thread there is no later.
    let _ = CACHE.try_with(move |all| {
        let mut all = all.borrow_mut();
        if all.len() >= MOST {
            all.remove(0);
        }
        all.retain(|kept| kept.unit.has_program());
        all.push(kept);
    });
}
