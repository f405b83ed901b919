//! Frames: the registers of calls, as vectors of 32 lanes.

use std::rc::Rc;

/// The slot of a vector in a frame.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub struct Slot(pub [u64; 32]);
/// Its bytes.
pub const SLOT: u32 = size_of::<Slot>() as u32;

/// The position of a path that ends the function: it reconverges with none.
pub const NOWHERE: u32 = u32::MAX;

/// A frame: the registers of a call. Parts of a warp that went different ways share it: each writes its own lanes.
#[derive(Clone)]
pub struct Frame {
    pub(crate) memory: Rc<Vec<Slot>>,
    /// First byte of the memory.
    pub(crate) at: *mut u8,
    /// The function.
    pub function: u32,
    /// Where the variables of the call begin in each lane's local memory.
    pub base: u64,
    /// Which call of the caller this is.
    pub site: u32,
}

impl Frame {
    /// True for a frame of the same call.
    pub(crate) fn is_like(&self, other: &Frame) -> bool {
        (self.function, self.base, self.site) == (other.function, other.base, other.site)
    }
}

/// Lanes that wait for their turn.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Waiting {
    pub(crate) position: u32,
    /// Where they reconverge with others.
    pub(crate) reconverge: u32,
    pub(crate) mask: u32,
    pub(crate) depth: u32,
}

/// The stack of lanes that wait for their turn. Compiled code pushes and pops, too, so that its layout is fixed.
#[repr(C)]
pub struct Paths {
    /// How many there are, and how many have room.
    pub(crate) length: u32,
    pub(crate) room: u32,
    /// The first entry of `entries`.
    pub(crate) first: *mut Waiting,
    entries: Box<[Waiting]>,
}

impl Paths {
    /// An empty stack.
    pub fn new(room: u32) -> Paths {
        let nobody = Waiting { position: NOWHERE, reconverge: NOWHERE, mask: 0, depth: 0 };
        let mut entries = vec![nobody; room as usize].into_boxed_slice();
        Paths { length: 0, room, first: entries.as_mut_ptr(), entries }
    }

    /// Puts lanes on top.
    pub fn push(&mut self, lanes: Waiting) {
        if self.length == self.room {
            let mut larger = Paths::new((2 * self.room).max(16));
            larger.entries[..self.room as usize].copy_from_slice(&self.entries);
            larger.length = self.length;
            *self = larger;
        }
        self.entries[self.length as usize] = lanes;
        self.length += 1;
    }

    /// Takes those on top.
    pub fn pop(&mut self) -> Option<Waiting> {
        self.length = self.length.checked_sub(1)?;
        Some(self.entries[self.length as usize])
    }

    /// Takes all away.
    pub fn clear(&mut self) {
        self.length = 0;
    }
}

impl core::ops::Deref for Paths {
    type Target = [Waiting];

    fn deref(&self) -> &[Waiting] {
        &self.entries[..self.length as usize]
    }
}

impl core::ops::DerefMut for Paths {
    fn deref_mut(&mut self) -> &mut [Waiting] {
        &mut self.entries[..self.length as usize]
    }
}

impl FromIterator<Waiting> for Paths {
    fn from_iter<T: IntoIterator<Item = Waiting>>(entries: T) -> Paths {
        let mut paths = Paths::new(0);
        entries.into_iter().for_each(|lanes| paths.push(lanes));
        paths
    }
}

pub(super) fn set_lane(memory: &mut [Slot], slot: u32, lane: u32, value: u32) {
    if let Some(Slot(words)) = memory.get_mut(slot as usize) {
        let word = &mut words[lane as usize / 2];
        let shift = lane % 2 * 32;
        *word = *word & !(0xffff_ffff << shift) | u64::from(value) << shift;
    }
}

pub(crate) fn splat(memory: &mut [Slot], slot: u32, bits: u64, wide: bool) {
    if let Some(Slot(words)) = memory.get_mut(slot as usize) {
        *words = if wide { [bits; 32] } else { [bits & 0xffff_ffff | bits << 32; 32] };
    }
}
