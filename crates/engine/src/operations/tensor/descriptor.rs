//! Descriptors of tensors: how the words that programs hold are made up, and the changes that kernels make to them.

use ptx::Modifier;
use ptx::Type;

/// Words of a descriptor.
pub const WORDS: usize = 16;
/// What a descriptor begins with.
const MARK: u64 = 0x1_7e45_0a9d;
/// Most dimensions.
pub const MOST: usize = 5;
/// Most dimensions between channels and batches.
pub const MOST_INNER: usize = 3;

/// Which way pixels follow each other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// `im2col`: through the whole box.
    #[default]
    Box,
    /// `im2col::w`: along the width, then on to the next batch.
    Width,
    /// `im2col::w::128`: the same, 128 pixels.
    Width128,
}

/// What copies in im2col order take: pixels of a box that moves with the tensor's edges.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Columns {
    /// First place of the box along each dimension between channels and batches.
    pub lower: [i16; MOST_INNER],
    /// Last one, counted from the tensor's last.
    pub upper: [i16; MOST_INNER],
    /// Channels of a pixel.
    pub channels: u16,
    /// Pixels of a copy.
    pub pixels: u16,
    pub order: Order,
}

/// A descriptor: a tensor in global memory, and the box that a copy moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Descriptor {
    pub address: u64,
    /// `CUtensorMapDataType`.
    pub ty: u32,
    pub rank: u32,
    /// Channels lie in slices: 0 for no, 1 of 16, 2 of 32 bytes.
    pub interleave: u32,
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
    /// Of descriptors for im2col.
    pub columns: Option<Columns>,
}

impl Descriptor {
    /// As the program holds it.
    pub fn pack(&self) -> [u64; WORDS] {
        let mut words = [0; WORDS];
        words[0] = MARK << 16 | u64::from(self.nan) << 12 | u64::from(self.swizzle) << 8 | u64::from(self.rank) << 4;
        words[0] |= u64::from(self.ty) | u64::from(self.columns.is_some()) << 15 | u64::from(self.interleave) << 13;
        words[1] = self.address;
        for axis in 0..MOST {
            // Up to 2^32 elements; a stride of less than 2^40 bytes and two small numbers.
            words[2 + axis] = self.size[axis];
            words[7 + axis] = self.stride[axis] | u64::from(self.extent[axis]) << 48 | u64::from(self.step[axis]) << 60;
        }
        if let Some(columns) = self.columns {
            let packed = |corner: [i16; MOST_INNER]| {
                corner.iter().rev().fold(0, |word, &place| word << 16 | u64::from(place as u16))
            };
            words[12] = u64::from(columns.channels) | u64::from(columns.pixels) << 16 | (columns.order as u64) << 32;
            (words[13], words[14]) = (packed(columns.lower), packed(columns.upper));
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
        let corner = |word: u64| core::array::from_fn(|axis| (word >> (16 * axis)) as i16);
        let columns = Columns {
            lower: corner(words[13]),
            upper: corner(words[14]),
            channels: words[12] as u16,
            pixels: (words[12] >> 16) as u16,
            order: [Order::Box, Order::Width, Order::Width128].get((words[12] >> 32) as usize).copied()?,
        };
        Some(Descriptor {
            address: words[1],
            ty: (head & 15) as u32,
            rank,
            interleave: (head >> 13 & 3) as u32,
            swizzle: (head >> 8 & 3) as u32,
            nan: head >> 12 & 1 != 0,
            size: core::array::from_fn(|axis| words[2 + axis]),
            stride: core::array::from_fn(|axis| words[7 + axis] & ((1 << 48) - 1)),
            extent: core::array::from_fn(|axis| (words[7 + axis] >> 48 & 0xfff) as u32),
            step: core::array::from_fn(|axis| (words[7 + axis] >> 60) as u32),
            columns: (head >> 15 & 1 != 0).then_some(columns),
        })
    }

    /// Type of an element.
    pub fn element(&self) -> Option<Type> {
        use Type::*;
        [U8, U16, U32, S32, U64, S64, F16, F32, F64, Bf16, F32, F32, F32].get(self.ty as usize).copied()
    }

    /// Bytes of an element.
    pub fn element_bytes(&self) -> usize {
        self.element().map_or(1, |ty| ty.bytes())
    }
}

/// Fields that `tensormap.replace` changes, by number.
pub const FIELDS: [Modifier<'static>; 10] = [
    Modifier::GlobalAddress,
    Modifier::Rank,
    Modifier::BoxDim,
    Modifier::GlobalDim,
    Modifier::GlobalStride,
    Modifier::ElementStride,
    Modifier::Elemtype,
    Modifier::InterleaveLayout,
    Modifier::SwizzleMode,
    Modifier::FillMode,
];

impl Descriptor {
    /// With another value of a field; `None` for one that is not supported.
    pub fn replaced(mut self, field: u8, axis: usize, value: u64) -> Option<Descriptor> {
        /// Types as the instruction counts them.
        const TYPES: [u32; 13] = [0, 1, 2, 3, 4, 5, 6, 7, 10, 8, 9, 11, 12];
        let number = value as u32;
        match field {
            0 => self.address = value,
            1 => self.rank = (0..MOST as u32).contains(&number).then_some(number + 1)?,
            // Extents and steps are held less one, in as many bits as they need; strides in pieces of 16 bytes.
            2 => *self.extent.get_mut(axis)? = (number.wrapping_sub(1) & 0xff) + 1,
            3 => *self.size.get_mut(axis)? = number.into(),
            4 => *self.stride.get_mut(axis + 1)? = value & ((1 << 40) - 16),
            5 => *self.step.get_mut(axis)? = (number.wrapping_sub(1) & 7) + 1,
            6 => self.ty = *TYPES.get(number as usize)?,
            7 => self.interleave = (number < 3).then_some(number)?,
            8 => self.swizzle = (number < 4).then_some(number)?,
            9 => self.nan = (number < 2).then_some(number == 1)?,
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
        let mut descriptor = Descriptor {
            address: 0x7fff_1234_5670,
            ty: 9,
            rank: 3,
            interleave: 2,
            swizzle: 3,
            nan: true,
            size: [1 << 32, 7, 9, 0, 0],
            stride: [0, 16, (1 << 40) - 16, 0, 0],
            extent: [256, 3, 1, 0, 0],
            step: [1, 8, 2, 0, 0],
            columns: None,
        };
        assert_eq!(Descriptor::unpack(&descriptor.pack()), Some(descriptor));
        descriptor.columns = Some(Columns {
            lower: [-32768, 5, -16],
            upper: [32767, 0, -1],
            channels: 256,
            pixels: 1024,
            order: Order::Width128,
        });
        assert_eq!(Descriptor::unpack(&descriptor.pack()), Some(descriptor));
        assert_eq!(Descriptor::unpack(&[0; WORDS]), None);
        assert_eq!(descriptor.replaced(4, 1, 64).unwrap().stride[2], 64);
    }
}
