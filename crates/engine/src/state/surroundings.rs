//! What the warps of a block share: the launch, the index of the block in the grid, its memory.

use crate::state::barriers::Barriers;
use crate::state::check::Checked;
use crate::state::cluster::Cluster;
use crate::state::grid::{LaunchShape, Thread};
use crate::state::nested::Nested;
use crate::state::races::Races;
use crate::state::services::{AddressRange, Host, Images, Services};
use crate::state::texture::seen::{Seen, SeenTexture};
use crate::state::texture::source::Surface;
use core::sync::atomic::{AtomicU64, Ordering};
use ptx::instruction::{Reserved, Special};

/// The multiprocessors that a core of this machine stands for in a launch: those at a distance of as many as take part. No two
/// cores share one, so that what a program keeps for each multiprocessor has one user at a time.
#[derive(Clone, Copy)]
pub struct Home {
    /// The core's number, and how many take part.
    pub core: u32,
    pub of: u32,
    /// The launch's multiprocessors, which the launch holds; NULL for all, by number.
    pub places: *const u32,
    /// How many those are.
    pub count: u32,
}

impl Home {
    /// The multiprocessor of the block with a number.
    fn of(&self, number: u64) -> u32 {
        let count = self.count.max(1);
        let (core, of) = (self.core % count, self.of.clamp(1, count));
        let own = u64::from((count - core).div_ceil(of));
        let at = core + of * (number % own) as u32;
        // SAFETY: the launch holds so many numbers while blocks run, and `at` is less.
        if self.places.is_null() || self.count == 0 { at } else { unsafe { *self.places.add(at as usize) } }
    }
}

/// What the warps of a block share. What compiled code looks at comes first.
#[repr(C)]
pub struct Surroundings {
    /// The warp that runs, for whoever handles a fault.
    pub running: *const core::ffi::c_void,
    /// Warps of the block are not as the next block finds them: compiled code leaves them so where it can.
    pub dirty: bool,
    /// Compiled code has let the warps of the block take turns: those that have ended are marked so, though it chains warps.
    pub abreast: bool,
    /// Bytes of shared memory that can be accessed.
    pub shared_bytes: u32,
    /// First address of the shared memory.
    pub shared: u64,
    /// The launch.
    pub shape: LaunchShape,
    /// Index of the block in the grid.
    pub block: [u32; 3],
    /// Address of the parameters, and how many words they are.
    pub parameters: u64,
    pub parameter_words: usize,
    /// Where the part of the shared memory begins that the system keeps: behind all, or at its end when the kernel does not ask for it.
    pub reserved_shared: u32,
    /// What the kernel and the launch asked for: static and dynamic.
    pub shared_sizes: [u32; 2],
    /// Where the dynamic part begins.
    pub dynamic_shared: u64,
    /// Multiprocessors of the device.
    pub cores: u32,
    /// Those that the core stands for that the block runs on.
    pub home: Home,
    /// Number of the launch.
    pub grid_id: u64,
    /// Address of the memory by which the blocks of a cooperative launch synchronise.
    pub workspace: u64,
    /// The cluster that the block is part of, and its rank there.
    pub cluster: *const Cluster,
    pub rank: u32,
    /// Blocks of the cluster along each axis, and whether the launch asked for clusters.
    pub cluster_shape: [u32; 3],
    pub clusters: bool,
    /// What its threads may ask for; the launch holds it.
    pub services: *const dyn Services,
    /// Compiled code of the kernel, if it is to run that; the program holds it.
    pub native: *const compiler::Code,
    /// Who knows its textures and surfaces; the launch holds it.
    pub images: *const dyn Images,
    /// Textures and surfaces that the block has used.
    pub textures: Seen<SeenTexture>,
    pub surfaces: Seen<Surface>,
    /// Where its memory comes from.
    pub host: &'static dyn Host,
    /// What its threads launch, and how deep the launch itself is nested.
    pub nested: *const Nested,
    pub depth: u32,
    /// What its threads may access.
    pub accessible: AddressRange,
    /// A warp has come to a `nanosleep`.
    pub slept: bool,
    /// The memory checker's part in the launch; NULL without one.
    pub checked: *const Checked<'static>,
    /// The accesses of the block to its shared memory, if races are looked for; the block holds it.
    pub races: *mut Races,
    /// What threads do at its barriers, if misuse of them is looked for; the block holds it.
    pub barriers: *mut Barriers,
    /// The number of the next cluster to begin, and the number behind the last; the launch holds it.
    pub next: *const AtomicU64,
    pub clusters_in_all: u64,
}

/// A device gives shared memory in pieces of so many bytes, and keeps some of each block's for itself.
pub const SHARED_GRAIN: u64 = 128;
pub const RESERVED_SHARED: u64 = 1024;

impl Surroundings {
    /// Bytes of shared memory that were asked for.
    fn shared_size(&self) -> u64 {
        self.shared_sizes.iter().map(|&bytes| u64::from(bytes)).sum()
    }

    /// Where the shared memory that a kernel may use ends, with so many static bytes.
    pub fn shared_end(&self, fixed: u32) -> u64 {
        let [_, dynamic] = self.shared_sizes;
        if dynamic > 0 { self.dynamic_shared + u64::from(dynamic) } else { fixed.into() }
    }

    /// Whether bytes belong to the memory by which the blocks of a cooperative launch synchronise.
    pub fn is_workspace(&self, address: u64, bytes: u64) -> bool {
        let size = WORKSPACE as u64 * 8;
        let offset = address.wrapping_sub(self.workspace);
        self.workspace != 0 && offset < size && offset.saturating_add(bytes) <= size
    }

    /// A thread of the block, by its number.
    pub fn thread(&self, number: u32) -> Thread {
        let [x, y, _] = self.shape.block;
        Thread { block: self.block, thread: [number % x, number / x % y, number / (x * y)] }
    }

    /// A thread of a block of the grid, both by their numbers.
    pub fn thread_of(&self, block: u64, thread: u32) -> Thread {
        let [across, down] = [self.shape.grid[0], self.shape.grid[1]].map(|n| u64::from(n.max(1)));
        let block = [block % across, block / across % down, block / (across * down)].map(|n| n as u32);
        Thread { block, ..self.thread(thread) }
    }

    /// A warp comes to the barrier of its cluster, or has waited there: for whoever looks for races.
    pub fn meet_cluster(&self, warp: usize) {
        // SAFETY: the block owns the one, and runs one warp at a time; the launch keeps the other while blocks run.
        let (Some(races), checked) = (unsafe { (self.races.as_mut(), self.checked.as_ref()) }) else { return };
        races.give_up();
        if let Some(grid) = checked.and_then(|checked| checked.global.as_deref()) {
            races.meet(warp, grid);
        }
    }

    /// What its threads launch.
    pub fn nested(&self) -> &Nested {
        // SAFETY: the launch keeps it while blocks run.
        unsafe { &*self.nested }
    }

    /// Where the block stands in its grid.
    pub fn number(&self) -> u64 {
        let [x, y, z] = self.block.map(u64::from);
        let [across, down] = [self.shape.grid[0], self.shape.grid[1]].map(u64::from);
        x + across * (y + down * z)
    }

    /// The value of a special register that is the same for the whole block.
    pub fn special(&self, special: Special) -> u64 {
        let at = |values: [u32; 3], axis: u8| values.get(usize::from(axis)).map_or(0, |&n| u64::from(n));
        match special {
            Special::Ntid(axis) => at(self.shape.block, axis),
            Special::Ctaid(axis) => at(self.block, axis),
            Special::Nctaid(axis) => at(self.shape.grid, axis),
            Special::ClusterId(axis) => at(self.block, axis) / at(self.cluster_shape, axis).max(1),
            Special::NclusterId(axis) => at(self.shape.grid, axis) / at(self.cluster_shape, axis).max(1),
            Special::ClusterCtaid(axis) => at(self.block, axis) % at(self.cluster_shape, axis).max(1),
            Special::ClusterNctaid(axis) => at(self.cluster_shape, axis),
            Special::ClusterCtarank => self.rank.into(),
            Special::ClusterNctarank => self.cluster_shape.iter().map(|&n| u64::from(n)).product(),
            // A predicate: a bit a lane.
            Special::IsExplicitCluster => u64::from(self.clusters).wrapping_neg(),
            // Of a multiprocessor, however many a block has.
            Special::NwarpId => 64,
            Special::SmId => u64::from(self.home.of(self.number())),
            Special::NsmId => u64::from(self.cores),
            Special::GridId => self.grid_id,
            Special::DynamicShared => self.shared_sizes[1].into(),
            Special::TotalShared => self.shared_size().next_multiple_of(SHARED_GRAIN),
            Special::AggregateShared => RESERVED_SHARED + self.shared_size(),
            Special::ReservedShared(what) => {
                let begin = u64::from(self.reserved_shared);
                match what {
                    Reserved::Begin | Reserved::First => begin,
                    Reserved::Second => begin + RESERVED_SHARED / 2,
                    Reserved::End => begin + RESERVED_SHARED,
                    Reserved::Capacity => RESERVED_SHARED,
                }
            }
            Special::GraphExec => self.nested().graph(),
            Special::Environment(1) => self.workspace >> 32,
            Special::Environment(2) => self.workspace & 0xffff_ffff,
            _ => 0,
        }
    }
}

/// Words at which the blocks of a cooperative launch synchronise.
pub const WORKSPACE: usize = 64;

impl Surroundings {
    /// Takes the cluster that would begin next from the launch: where its first block is in the grid.
    pub fn take_cluster(&self) -> Option<[u32; 3]> {
        // SAFETY: the launch keeps it while blocks run.
        let next = unsafe { self.next.as_ref() }?;
        let all = self.clusters_in_all;
        let order = Ordering::Relaxed;
        let number = next.fetch_update(order, order, |n| (n < all).then_some(n + 1)).ok()?;
        let clusters = [0, 1].map(|axis| u64::from(self.shape.grid[axis] / self.cluster_shape[axis].max(1)).max(1));
        let cluster = [number % clusters[0], number / clusters[0] % clusters[1], number / (clusters[0] * clusters[1])];
        Some(core::array::from_fn(|axis| cluster[axis] as u32 * self.cluster_shape[axis]))
    }

    /// The cluster.
    pub fn cluster(&self) -> &Cluster {
        // SAFETY: the unit that the block is part of sets it before the block runs, and outlives the block.
        unsafe { &*self.cluster }
    }
}
