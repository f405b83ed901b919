//! Copies of boxes of tensors between global and shared memory, as a descriptor says.

use super::asynchronous::{Change, complete, reach, targets};
use super::atomic::Operation;
use super::lanes::{LANES, vector};
use super::step::{Flow, Step, Trouble};
use super::warp::Warp;
use crate::ptx::Type;

/// Words of a descriptor.
pub const WORDS: usize = 16;
/// What a descriptor begins with.
const MARK: u64 = 0x1_7e45_0a9d;
/// Most dimensions.
pub const MOST: usize = 5;

/// A descriptor: a tensor in global memory, and the box that a copy moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Descriptor {
    pub address: u64,
    /// `CUtensorMapDataType`.
    pub ty: u32,
    pub rank: u32,
    /// The address bits that are mixed: 0 for none, 1, 2 or 3 of 16 bytes each.
    pub swizzle: u32,
    /// What lies outside reads as NaN instead of 0.
    pub nan: bool,
    /// Elements along each axis.
    pub size: [u64; MOST],
    /// Bytes from one to the next along each axis but the first.
    pub stride: [u64; MOST],
    /// Elements of the box, and steps between those that are taken.
    pub extent: [u32; MOST],
    pub step: [u32; MOST],
}

impl Descriptor {
    /// As the program holds it.
    pub fn pack(&self) -> [u64; WORDS] {
        let mut words = [0; WORDS];
        words[0] = MARK << 16 | u64::from(self.nan) << 12 | u64::from(self.swizzle) << 8 | u64::from(self.rank) << 4;
        words[0] |= u64::from(self.ty);
        words[1] = self.address;
        for axis in 0..MOST {
            // Up to 2^32 elements; a stride of less than 2^40 bytes and two small numbers.
            words[2 + axis] = self.size[axis];
            words[7 + axis] = self.stride[axis] | u64::from(self.extent[axis]) << 48 | u64::from(self.step[axis]) << 60;
        }
        words
    }

    /// Out of what the program holds; `None` for what is no descriptor.
    pub fn unpack(words: &[u64; WORDS]) -> Option<Descriptor> {
        let head = words[0];
        let rank = (head >> 4 & 15) as u32;
        if head >> 16 != MARK || !(1..=MOST as u32).contains(&rank) {
            return None;
        }
        Some(Descriptor {
            address: words[1],
            ty: (head & 15) as u32,
            rank,
            swizzle: (head >> 8 & 3) as u32,
            nan: head >> 12 & 1 != 0,
            size: core::array::from_fn(|axis| words[2 + axis]),
            stride: core::array::from_fn(|axis| words[7 + axis] & ((1 << 48) - 1)),
            extent: core::array::from_fn(|axis| (words[7 + axis] >> 48 & 0xfff) as u32),
            step: core::array::from_fn(|axis| (words[7 + axis] >> 60) as u32),
        })
    }

    /// Type of an element.
    pub fn element(&self) -> Option<Type> {
        use Type::*;
        [U8, U16, U32, S32, U64, S64, F16, F32, F64, Bf16, F32].get(self.ty as usize).copied()
    }

    /// Bytes of the box in shared memory.
    pub fn bytes(&self) -> u64 {
        let size = self.element().map_or(0, |ty| ty.bytes() as u64);
        (0..self.rank as usize).map(|axis| u64::from(self.taken(axis))).product::<u64>() * size
    }

    /// Elements along an axis of the box that are moved.
    fn taken(&self, axis: usize) -> u32 {
        self.extent[axis].div_ceil(self.step[axis].max(1))
    }

    /// What an element outside of the tensor reads as.
    fn outside(&self) -> u64 {
        match self.element() {
            Some(Type::F16) if self.nan => 0x7fff,
            Some(Type::Bf16) if self.nan => 0x7fff,
            Some(Type::F32) if self.nan => 0x7fff_ffff,
            Some(Type::F64) if self.nan => 0x7fff_ffff_ffff_ffff,
            _ => 0,
        }
    }

    /// Calls `f` for each element of the box at `origin`: its offset in shared memory that begins at `base`, and its
    /// address, if it is inside of the tensor.
    fn walk(&self, origin: &[i32; MOST], base: u32, mut f: impl FnMut(u32, Option<u64>)) {
        let size = self.element().map_or(1, |ty| ty.bytes() as u32);
        let rank = self.rank as usize;
        let mut at = [0u32; MOST];
        let mut offset = base;
        loop {
            let mut address = Some(self.address);
            for axis in 0..rank {
                let place = i64::from(origin[axis]) + i64::from(at[axis]) * i64::from(self.step[axis].max(1));
                let inside = place >= 0 && (place as u64) < self.size[axis];
                let stride = if axis == 0 { size.into() } else { self.stride[axis] };
                address = address.filter(|_| inside).map(|a| a.wrapping_add(place as u64 * stride));
            }
            // Bits 4 and up are mixed with those that count rows of 128 bytes.
            let mixed = offset >> 3 & ((1 << self.swizzle) - 1) << 4;
            f(offset ^ mixed, address);
            offset += size;
            let mut axis = 0;
            loop {
                if axis == rank {
                    return;
                }
                at[axis] += 1;
                if at[axis] < self.taken(axis) {
                    break;
                }
                at[axis] = 0;
                axis += 1;
            }
        }
    }
}

/// Directions, in bits 8 and up of `number`.
pub const LOAD: u32 = 0;
pub const STORE: u32 = 1;
pub const REDUCE: u32 = 2;
/// Bit of `number`: to several blocks of the cluster.
pub const MULTICAST: u32 = 1;

/// `cp.async.bulk.tensor`: coordinates in the operands; where results otherwise are the descriptor, the address in shared
/// memory, the barrier and the mask of blocks. `value`: the operation of a reduction.
///
/// # Safety
/// The contract of [`Execute`](super::step::Execute).
pub unsafe fn copy(warp: &mut Warp, step: &Step) -> Flow {
    // SAFETY: the contract of `Execute`; what an address leads to is guarded.
    unsafe {
        for lane in 0..LANES {
            if warp.mask >> lane & 1 == 0 {
                continue;
            }
            if let Err(trouble) = copy_one(warp, step, lane) {
                return Flow::Fault(trouble);
            }
        }
    }
    Flow::Next
}

/// What a copy covers: bytes in shared memory, and runs of bytes of the tensor.
pub struct Covered {
    pub bytes: u64,
    pub rows: Vec<(u64, u64)>,
}

/// What the copy of a lane covers; `None` where there is no descriptor, which the copy itself will say.
///
/// # Safety
/// The contract of [`Execute`](super::step::Execute); the descriptor is readable.
pub unsafe fn covered(warp: &Warp, step: &Step, lane: usize) -> Option<Covered> {
    // SAFETY: the contract of `Execute`.
    let (words, origin) = unsafe {
        let map = vector::<u64>(warp, step.to[0])[lane] as *const [u64; WORDS];
        let rank = (step.value as usize & 15).min(MOST);
        let at = |axis: usize| if axis < rank { vector::<u32>(warp, step.from[axis])[lane] as i32 } else { 0 };
        (map.read_volatile(), core::array::from_fn(at))
    };
    let descriptor = Descriptor::unpack(&words)?;
    let size = descriptor.element()?.bytes() as u64;
    let mut rows: Vec<(u64, u64)> = Vec::new();
    descriptor.walk(&origin, 0, |_, address| {
        let Some(address) = address else { return };
        match rows.last_mut() {
            Some((start, bytes)) if *start + *bytes == address => *bytes += size,
            _ => rows.push((address, size)),
        }
    });
    Some(Covered { bytes: descriptor.bytes().next_multiple_of(16), rows })
}

unsafe fn copy_one(warp: &Warp, step: &Step, lane: usize) -> Result<(), Trouble> {
    // SAFETY: the contract of `Execute`; what an address leads to is guarded.
    unsafe {
        let wide = |at: u32| vector::<u64>(warp, at)[lane];
        let (map, shared) = (wide(step.to[0]), wide(step.to[1]));
        if map % 8 != 0 || shared % 16 != 0 {
            return Err(Trouble::Misaligned);
        }
        let words = (map as *const [u64; WORDS]).read_volatile();
        let descriptor = Descriptor::unpack(&words).ok_or(Trouble::IllegalInstruction)?;
        if u64::from(descriptor.rank) != step.value as u64 & 15 {
            return Err(Trouble::IllegalInstruction);
        }
        let ty = descriptor.element().ok_or(Trouble::IllegalInstruction)?;
        let size = ty.bytes();
        let origin = core::array::from_fn(|axis| {
            if axis < descriptor.rank as usize { vector::<u32>(warp, step.from[axis])[lane] as i32 } else { 0 }
        });
        let bytes = descriptor.bytes() as usize;
        // The whole box has to be inside of the block's shared memory: then each piece is.
        let span = bytes.next_multiple_of(16);
        match step.number >> 8 {
            LOAD => {
                let blocks = (step.number & MULTICAST != 0).then(|| vector::<u32>(warp, step.to[3])[lane] & 0xffff);
                for target in targets(shared, blocks) {
                    reach(warp, lane, target, span, true)?;
                    let mut result = Ok(());
                    descriptor.walk(&origin, target as u32, |offset, address| {
                        let value = match address {
                            Some(address) => read(address, size),
                            None => descriptor.outside(),
                        };
                        let value = if descriptor.ty == 10 { flushed(value) } else { value };
                        match reach(warp, lane, offset.into(), size, true) {
                            Ok(at) => write(at, size, value),
                            Err(trouble) => result = Err(trouble),
                        }
                    });
                    result?;
                }
                for barrier in targets(wide(step.to[2]), blocks) {
                    complete(warp, lane, barrier, bytes as u32, true)?;
                }
            }
            which => {
                reach(warp, lane, shared, span, true)?;
                let operation = Operation::parse(REDUCTIONS.get((step.value >> 8) as usize).copied().unwrap_or(""));
                let operation = operation.filter(|_| which == REDUCE);
                let ty = if operation.is_some() {
                    ty
                } else {
                    [Type::B8, Type::B16, Type::B32, Type::B64][size.trailing_zeros() as usize & 3]
                };
                let change = Change { operation, ty };
                if change.pack().is_none() {
                    return Err(Trouble::IllegalInstruction);
                }
                let mut result = Ok(());
                descriptor.walk(&origin, shared as u32, |offset, address| {
                    let Some(address) = address else { return };
                    match reach(warp, lane, offset.into(), size, true) {
                        Ok(at) => change.apply_all(address, at, size),
                        Err(trouble) => result = Err(trouble),
                    }
                });
                result?;
            }
        }
    }
    Ok(())
}

/// Names of reductions, by number.
pub const REDUCTIONS: [&str; 8] = ["add", "min", "max", "inc", "dec", "and", "or", "xor"];

unsafe fn read(at: u64, size: usize) -> u64 {
    let mut bytes = [0u8; 8];
    // SAFETY: guarded.
    unsafe { core::ptr::copy_nonoverlapping(at as *const u8, bytes.as_mut_ptr(), size) };
    u64::from_le_bytes(bytes)
}

unsafe fn write(at: u64, size: usize, value: u64) {
    // SAFETY: guarded.
    unsafe { core::ptr::copy_nonoverlapping(value.to_le_bytes().as_ptr(), at as *mut u8, size) };
}

fn flushed(single: u64) -> u64 {
    if single & 0x7f80_0000 == 0 { single & 0x8000_0000 } else { single }
}

/// Fields that `tensormap.replace` changes, by number.
pub const FIELDS: [&str; 11] = [
    "global_address",
    "rank",
    "box_dim",
    "global_dim",
    "global_stride",
    "element_stride",
    "elemtype",
    "interleave_layout",
    "swizzle_mode",
    "swizzle_atomicity",
    "fill_mode",
];

/// `tensormap.replace`: the address in the first operand, a number of an axis in the second, the value in the third.
/// `value`: the field; `number` bit 0: an address of shared memory.
///
/// # Safety
/// The contract of [`Execute`](super::step::Execute).
pub unsafe fn replace(warp: &mut Warp, step: &Step) -> Flow {
    // SAFETY: the contract of `Execute`; what an address leads to is guarded.
    unsafe {
        for lane in (0..LANES).filter(|&l| warp.mask >> l & 1 != 0) {
            let address = vector::<u64>(warp, step.from[0])[lane];
            let at = match reach(warp, lane, address, 128, step.number & 1 != 0) {
                Ok(at) if at % 8 == 0 => at as *mut [u64; WORDS],
                _ => return Flow::Fault(Trouble::IllegalAddress),
            };
            let axis = vector::<u32>(warp, step.from[1])[lane] as usize;
            let value = vector::<u64>(warp, step.from[2])[lane];
            let changed = Descriptor::unpack(&at.read_volatile()).and_then(|d| d.replaced(step.value, axis, value));
            match changed {
                Some(descriptor) => at.write_volatile(descriptor.pack()),
                None => return Flow::Fault(Trouble::IllegalInstruction),
            }
        }
    }
    Flow::Next
}

impl Descriptor {
    /// With another value of a field; `None` for one that is not supported.
    fn replaced(mut self, field: i64, axis: usize, value: u64) -> Option<Descriptor> {
        /// Types as the instruction counts them.
        const TYPES: [u32; 11] = [0, 1, 2, 3, 4, 5, 6, 7, 10, 8, 9];
        let number = value as u32;
        match field {
            0 => self.address = value,
            1 => self.rank = (0..MOST as u32).contains(&number).then_some(number + 1)?,
            2 => *self.extent.get_mut(axis)? = (1..=256).contains(&number).then_some(number)?,
            // All ones is the largest: 2^32 elements have no number.
            3 => *self.size.get_mut(axis)? = if number == 0 { 1 << 32 } else { number.into() },
            4 => *self.stride.get_mut(axis + 1)? = value & ((1 << 48) - 1),
            5 => *self.step.get_mut(axis)? = (1..=8).contains(&number).then_some(number)?,
            6 => self.ty = *TYPES.get(number as usize)?,
            7 | 9 => (number == 0).then_some(())?,
            8 => self.swizzle = (number < 4).then_some(number)?,
            10 => self.nan = (number < 2).then_some(number == 1)?,
            _ => return None,
        }
        Some(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn descriptors_keep_what_they_hold() {
        let descriptor = Descriptor {
            address: 0x7fff_1234_5670,
            ty: 9,
            rank: 3,
            swizzle: 3,
            nan: true,
            size: [1 << 32, 7, 9, 0, 0],
            stride: [0, 16, (1 << 40) - 16, 0, 0],
            extent: [256, 3, 1, 0, 0],
            step: [1, 8, 2, 0, 0],
        };
        assert_eq!(Descriptor::unpack(&descriptor.pack()), Some(descriptor));
        assert_eq!(Descriptor::unpack(&[0; WORDS]), None);
        assert_eq!(descriptor.replaced(4, 1, 64).unwrap().stride[2], 64);
    }
}
