//! Bounds on what a program may ask of the device: sizes, counts and depths, each with its unit and its reason. What the
//! profile of a device says is in `profile`, what a context can change in `limit`.

use core::ops::RangeInclusive;

/// Graphs that the kernels of a running graph launch at once, and behind it; from the manual.
pub const MOST_LAUNCHED_GRAPHS: [usize; 2] = [120, 255];
/// Bits of a handle that say which object of its kind it is.
pub const HANDLE_SLOT_BITS: u32 = 20;
/// Live objects of one kind: as many as a handle can tell apart.
pub const MOST_OBJECTS: usize = 1 << HANDLE_SLOT_BITS;

/// Addresses that a process can have, in bytes: the user's half of what four levels of page tables reach.
pub const ADDRESS_SPACE: usize = 1 << 47;
/// Bytes of the largest pool: the recorded driver refuses somewhere above this.
pub const LARGEST_POOL: usize = 1 << 45;

/// Rows of a copy or a memset whose distances wrap around the end of the address space. The real driver takes such a call;
/// here every row is looked up by itself, which has to end.
pub const MOST_WRAPPED_ROWS: usize = 1 << 16;

/// Elements of the largest linear texture; as recorded.
pub const MOST_LINEAR_TEXTURE_ELEMENTS: usize = 1 << 30;
/// Bytes of the largest linear texture; as recorded.
pub const MOST_LINEAR_TEXTURE_BYTES: usize = 4 << 30;

/// Elements of a tensor along an axis; the manual says so of tensor maps, and of what follows.
pub const TENSOR_SIZES: RangeInclusive<u64> = 1..=1 << 32;
/// Elements of a box along an axis.
pub const BOX_SIZES: RangeInclusive<u32> = 1..=256;
/// Elements from one that is taken to the next, along an axis.
pub const ELEMENT_STEPS: RangeInclusive<u32> = 1..=8;
/// Bytes between the rows of a tensor are fewer.
pub const TENSOR_STRIDE_END: u64 = 1 << 40;
/// Channels of a pixel of an im2col box.
pub const PIXEL_CHANNELS: RangeInclusive<u32> = 1..=256;
/// Pixels of a column of an im2col box.
pub const COLUMN_PIXELS: RangeInclusive<u32> = 1..=1024;
/// Bytes of the largest box: the shared memory of a multiprocessor.
pub const MOST_BOX_BYTES: u64 = 228 << 10;

/// Bytes of parameters that a kernel may have; from the manual.
pub const MOST_PARAMETER_BYTES: usize = 32_764;
/// Threads that a block of any kernel may have.
pub const MOST_BLOCK_THREADS: u32 = 1024;
/// Blocks of the largest cluster that the device runs.
pub const LARGEST_CLUSTER: u32 = 16;

/// Bytes of the longest string that `printf` reads from a kernel's memory: it may have no end.
pub const LONGEST_PRINTED_STRING: usize = 1 << 20;
/// Arguments of a `printf` that are formatted; from the manual.
pub const MOST_PRINTED_ARGUMENTS: usize = 32;
/// Bytes of output that is kept in our memory until the program waits, whatever the device's buffer holds.
pub const MOST_KEPT_OUTPUT: usize = 64 << 20;

/// Devices of a multicast object: as many as masks of devices have bits.
pub const MOST_TEAM: usize = 64;
/// Pieces of memory that are bound to a multicast object, of all devices together: what its table has room for.
pub const MOST_BINDINGS: usize = 1024;
