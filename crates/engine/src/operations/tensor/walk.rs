//! Which bytes a copy of a box moves: rows of pieces of 16 bytes, and where each lies in global and in shared memory.

use super::descriptor::{Columns, Descriptor, MOST, MOST_INNER, Order};

/// Bytes that stay together, whatever the layout.
pub const PIECE: u32 = 16;

/// Pixels of a copy in the order `im2col::w::128`, and of those between which its halo is.
const FIXED: u32 = 128;
const GROUP: u32 = 32;

/// A piece of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Bytes from the start of the box in shared memory, before anything is mixed.
    pub offset: u32,
    /// Its address, as if everything were inside of the tensor.
    pub address: u64,
    /// Which of its elements are inside.
    pub inside: (u32, u32),
}

/// What a copy moves.
#[derive(Clone, Copy, Debug)]
pub struct Walk<'a> {
    descriptor: &'a Descriptor,
    origin: [i32; MOST],
    /// Added to the places of pixels; along the width alone the length of the halo, and what is added to the width.
    offsets: [u16; MOST_INNER],
    /// Bytes of a row, and from one to the next in shared memory.
    row: u32,
    pitch: u32,
}

impl<'a> Walk<'a> {
    /// `None` for what the device refuses: rows that are not made of whole pieces or do not fit the swizzle, places that
    /// do not begin with a piece, and pixels outside of their box.
    pub fn new(descriptor: &'a Descriptor, origin: [i32; MOST], offsets: [u16; MOST_INNER]) -> Option<Walk<'a>> {
        let size = descriptor.element_bytes() as u32;
        let slices = descriptor.interleave != 0;
        let along = descriptor.columns.map_or(descriptor.extent[0], |c| c.channels.into());
        let row = if slices { PIECE * descriptor.interleave } else { along.checked_mul(size)? };
        // Slices lie close together; rows begin where the pattern of the swizzle does.
        let pitch = if slices || descriptor.swizzle == 0 { row } else { PIECE << descriptor.swizzle };
        let walk = Walk { descriptor, origin, offsets, row, pitch };
        let whole = slices || (i64::from(origin[0]) * i64::from(size)) % i64::from(PIECE) == 0;
        let sized = descriptor.size[..descriptor.rank as usize].iter().all(|&n| n > 0);
        let fine = row > 0 && row.is_multiple_of(PIECE) && row <= pitch && whole && sized;
        let fine = fine && (!slices || descriptor.rank >= 3) && (!descriptor.nan || descriptor.element()?.is_float());
        let fine = fine && descriptor.columns.is_none_or(|columns| walk.begins_inside(&columns));
        fine.then_some(walk)
    }

    /// Bytes of all rows.
    pub fn bytes(&self) -> u64 {
        self.rows() * u64::from(self.row)
    }

    /// Bytes of shared memory that they lie in.
    pub fn span(&self) -> u64 {
        (self.rows() * u64::from(self.pitch)).next_multiple_of(u64::from(PIECE) << self.descriptor.swizzle)
    }

    /// Bits of an offset that are mixed into those of the pieces.
    pub fn mixed(&self, address: u32) -> u32 {
        (address >> 7 & ((1 << self.descriptor.swizzle) - 1)) << 4
    }

    fn rows(&self) -> u64 {
        match self.descriptor.columns {
            Some(Columns { order: Order::Width, pixels, .. }) => u64::from(pixels) + u64::from(self.offsets[0]),
            Some(Columns { order: Order::Width128, .. }) => {
                u64::from(FIXED) + u64::from(FIXED / GROUP) * u64::from(self.offsets[0])
            }
            Some(columns) => columns.pixels.into(),
            None => {
                (self.first_axis()..self.descriptor.rank as usize).map(|axis| u64::from(self.taken(axis))).product()
            }
        }
    }

    /// The first axis that counts rows.
    fn first_axis(&self) -> usize {
        usize::from(self.descriptor.interleave == 0)
    }

    /// The axis that counts slices.
    fn slice_axis(&self) -> Option<usize> {
        (self.descriptor.interleave != 0).then_some(self.descriptor.rank as usize - 2)
    }

    /// Elements along an axis of the box that are moved. Of the slices it is one.
    fn taken(&self, axis: usize) -> u32 {
        if self.slice_axis() == Some(axis) {
            return 1;
        }
        self.descriptor.extent[axis].div_ceil(self.descriptor.step[axis].max(1))
    }

    /// Bytes from one to the next along an axis that counts rows.
    fn stride(&self, axis: usize) -> u64 {
        if axis == 0 { self.row.into() } else { self.descriptor.stride[axis] }
    }

    /// First and last place of the box of pixels along a dimension.
    fn bounds(&self, columns: &Columns, inner: usize) -> (i64, i64) {
        let last = (self.descriptor.size[self.first_axis() + inner] as i64).saturating_sub(1);
        (columns.lower[inner].into(), last.saturating_add(columns.upper[inner].into()))
    }

    fn begins_inside(&self, columns: &Columns) -> bool {
        let first = self.first_axis();
        if columns.order != Order::Box {
            let (low, high) = self.bounds(columns, 0);
            return low <= high && i64::from(self.origin[first]) <= high;
        }
        (0..self.descriptor.rank as usize - 2).all(|inner| {
            let (low, high) = self.bounds(columns, inner);
            (low..=high).contains(&self.origin[first + inner].into())
        })
    }

    /// True where pixels may be written: the whole box has to be inside of the tensor.
    pub fn is_writable(&self) -> bool {
        let inside = |columns: Columns| {
            (0..self.descriptor.rank as usize - 2).all(|inner| columns.lower[inner] >= 0 && columns.upper[inner] <= 0)
        };
        self.descriptor.columns.is_none_or(inside)
    }

    /// Calls `f` for each piece.
    pub fn pieces(&self, mut f: impl FnMut(Piece)) {
        match self.descriptor.columns {
            Some(columns) if columns.order != Order::Box => self.along_width(&columns, &mut f),
            Some(columns) => self.pixels(&columns, &mut f),
            None => self.tile(&mut f),
        }
    }

    fn tile(&self, f: &mut impl FnMut(Piece)) {
        let (first, rank) = (self.first_axis(), self.descriptor.rank as usize);
        let mut at = [0u32; MOST];
        for row in 0..self.rows() as u32 {
            let place = core::array::from_fn(|axis| {
                i64::from(self.origin[axis]) + i64::from(at[axis]) * i64::from(self.descriptor.step[axis].max(1))
            });
            self.row(row, first, &place, f);
            for (axis, at) in at.iter_mut().enumerate().take(rank).skip(first) {
                *at += 1;
                if *at < self.taken(axis) {
                    break;
                }
                *at = 0;
            }
        }
    }

    fn pixels(&self, columns: &Columns, f: &mut impl FnMut(Piece)) {
        let (first, rank) = (self.first_axis(), self.descriptor.rank as usize);
        let mut at: [i64; MOST] = self.origin.map(i64::from);
        for pixel in 0..u32::from(columns.pixels) {
            let mut place = at;
            for inner in 0..rank - 2 {
                place[first + inner] += i64::from(self.offsets[inner]);
            }
            self.row(pixel, first, &place, f);
            let mut inner = 0;
            loop {
                let axis = if inner == rank - 2 { rank - 1 } else { first + inner };
                at[axis] += i64::from(self.descriptor.step[axis].max(1));
                if axis == rank - 1 {
                    break;
                }
                let (low, high) = self.bounds(columns, inner);
                if at[axis] <= high {
                    break;
                }
                at[axis] = low;
                inner += 1;
            }
        }
    }

    /// Pixels along the width of the box, then along that of the next batch's. The halo is of pixels that follow: the last one, or each
    /// group of 128. It lies behind all others, the first ones of all groups before the second ones.
    fn along_width(&self, columns: &Columns, f: &mut impl FnMut(Piece)) {
        let (first, batch) = (self.first_axis(), self.descriptor.rank as usize - 1);
        let [halo, offset, _] = self.offsets.map(i64::from);
        let (low, high) = self.bounds(columns, 0);
        let step = i64::from(self.descriptor.step[first].max(1));
        let begin = i64::from(self.origin[first]);
        // The first batch's pixels, and those of each later one.
        let of_first = (high - begin) / step + 1;
        let of_each = (high - low) / step + 1;
        let origin: [i64; MOST] = self.origin.map(i64::from);
        let place = |number: i64| {
            let mut place = origin;
            let behind = number - of_first;
            if behind < 0 {
                place[first] = begin + number * step;
            } else {
                place[first] = low + behind % of_each * step;
                place[batch] += 1 + behind / of_each;
            }
            place[first] += offset;
            place
        };
        let (pixels, group) = match columns.order {
            Order::Width128 => (FIXED.into(), GROUP.into()),
            _ => (i64::from(columns.pixels), i64::from(columns.pixels)),
        };
        let behind = (0..halo).flat_map(|n| (1..=pixels / group).map(move |groups| groups * group + n));
        for (row, number) in (0..pixels).chain(behind).enumerate() {
            self.row(row as u32, first, &place(number), f);
        }
    }

    /// The pieces of the row at a place.
    fn row(&self, row: u32, first: usize, place: &[i64; MOST], f: &mut impl FnMut(Piece)) {
        let d = self.descriptor;
        let size = d.element_bytes() as u32;
        let within = |axis: usize| place[axis] >= 0 && (place[axis] as u64) < d.size[axis];
        let all = (first..d.rank as usize).all(within);
        let far = |at: u64, axis| at.wrapping_add((place[axis] as u64).wrapping_mul(self.stride(axis)));
        let start = (first..d.rank as usize).fold(d.address, far);
        let start = if first == 0 { start } else { start.wrapping_add((place[0] as u64).wrapping_mul(size.into())) };
        let per = PIECE / size;
        for number in 0..self.row / PIECE {
            let element = place[0] + i64::from(number * per);
            let inside = match (all, first) {
                (false, _) => (0, 0),
                (_, 0) => (0, per),
                _ => {
                    let end = (d.size[0] as i64 - element).clamp(0, per.into());
                    ((-element).clamp(0, end) as u32, end as u32)
                }
            };
            let offset = row * self.pitch + number * PIECE;
            f(Piece { offset, address: start.wrapping_add(u64::from(number * PIECE)), inside });
        }
    }
}
