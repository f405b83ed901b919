//! Compiled code in memory: never writable and executable at once.

use crate::assembler::Constants;
use crate::lower::{Lowered, Refusal};
use crate::symbols::Symbols;
use crate::unit::NOWHERE;
use core::ffi::c_void;
use guard::mapping::{HostMapping, Rights, protect};
use std::sync::Mutex;

/// The code of a kernel.
pub struct Code {
    /// They go before the memory.
    symbols: Option<Symbols>,
    memory: Memory,
    /// How much of it is code.
    size: usize,
    /// For each position where the code is entered there; 0 for nowhere.
    entries: Box<[u64]>,
    /// What the code jumps by.
    _table: Box<[u64]>,
    _constants: Constants,
    steps: u32,
    called: Vec<u32>,
    /// See [`Lowered::marks`].
    marks: Vec<(u32, u32)>,
    past_caches: bool,
    chains: bool,
    abreast: bool,
    numbers: Box<[Number]>,
}

/// Memory that can be executed.
struct Memory(HostMapping);

/// Memory of code that is gone: the next code goes where the system has given pages already.
static SPARE: Mutex<Option<HostMapping>> = Mutex::new(None);

impl Memory {
    /// The most that is kept.
    const MOST_SPARE: usize = 1 << 19;

    /// With bytes in it.
    fn holding(bytes: &[u8]) -> Option<Memory> {
        let size = bytes.len();
        let spare = SPARE.try_lock().ok().and_then(|mut spare| spare.take_if(|spare| spare.size() >= size));
        // SAFETY: nobody else knows of spare memory.
        let spare = spare.filter(|spare| unsafe { protect(spare.base(), size, Rights::ReadWrite) });
        let mapping = match spare {
            Some(spare) => spare,
            None => HostMapping::anonymous_at_once(size, Rights::ReadWrite)?,
        };
        // SAFETY: memory of this size at least, that may be written and that nobody else knows.
        let executable = unsafe {
            core::ptr::copy_nonoverlapping(bytes.as_ptr(), mapping.base() as *mut u8, size);
            protect(mapping.base(), size, Rights::ReadExecute)
        };
        executable.then_some(Memory(mapping))
    }

    fn base(&self) -> usize {
        self.0.base()
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        let Ok(mut spare) = SPARE.try_lock() else { return };
        let kept = spare.as_ref().map_or(0, HostMapping::size);
        if (kept + 1..=Memory::MOST_SPARE).contains(&self.0.size()) {
            *spare = Some(core::mem::take(&mut self.0));
        }
    }
}

/// A register that one number stands for: compiled code looks at its first lane alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Number {
    /// Its vector in the frame.
    pub slot: u32,
    /// Lanes of 64 bits.
    pub wide: bool,
    /// How much more each lane's number is than that of the lane before.
    pub stride: i64,
    /// That holds within each half of the warp, and of both the first lane is looked at.
    pub halves: bool,
}

/// Compiled code: a warp, and where it is entered. With a first warp it goes on with the next warps of the block, from there on
/// again whenever all of them wait at the block's first barrier; with null it comes back then. `waiting`: see [`waiting`].
pub type Enter =
    unsafe extern "sysv64" fn(warp: *mut c_void, place: *const u8, first: *mut c_void, waiting: u32) -> Left;

/// What compiled code is told of the other warps of the block.
pub mod waiting {
    /// None waits at the block's first barrier.
    pub const NONE: u32 = 0;
    /// Some do.
    pub const SOME: u32 = 1;
    /// Nothing of the block has run, and the code chains warps ([`super::Code::chains`]): those that end are left as the next block
    /// finds them, as if they had not run, and where they are not, the block is marked as dirty.
    pub const CHAINED: u32 = 2;
}

/// How compiled code was left.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Left {
    /// An [`crate::unit::outcome`].
    pub outcome: u32,
    /// The warp that it is about; null for all.
    pub warp: *mut c_void,
}

impl Code {
    /// Places code in memory that can be executed.
    pub(crate) fn place(mut lowered: Lowered, numbers: Box<[Number]>) -> Result<Code, Refusal> {
        let bytes = lowered.assembled.bytes();
        let size = bytes.len();
        let memory = Memory::holding(bytes).ok_or(Refusal::NoMemory)?;
        let start = memory.base() as u64;
        for (position, entry, body) in lowered.blocks {
            lowered.entries[position as usize] = start + entry;
            lowered.table[position as usize] = start + body;
        }
        Ok(Code {
            symbols: None,
            memory,
            size,
            entries: lowered.entries,
            _table: lowered.table,
            _constants: lowered.constants,
            steps: lowered.steps,
            called: lowered.called,
            marks: lowered.marks,
            past_caches: lowered.past_caches,
            chains: lowered.chains,
            abreast: lowered.abreast,
            numbers,
        })
    }

    /// Gives the code a name, for debuggers.
    pub fn name(&mut self, name: &str) {
        self.symbols = Some(Symbols::new(name, self.bytes()));
    }

    /// Where the code is entered at a position, if it can be.
    #[inline]
    pub fn entry(&self, position: u32) -> Option<*const u8> {
        let place = *self.entries.get(position as usize)?;
        (place != 0).then_some(place as *const u8)
    }

    /// The function that enters it.
    #[inline]
    pub fn enter(&self) -> Enter {
        // SAFETY: the code begins with this function.
        unsafe { core::mem::transmute::<*const u8, Enter>(self.memory.base() as *const u8) }
    }

    /// The registers that one number stands for, ascending. Whoever ran steps for some lanes alone completes their first lanes
    /// before the code goes on.
    pub fn numbers(&self) -> &[Number] {
        &self.numbers
    }

    /// What the thread at hand has stored by this code comes before all that it stores from here on, for others.
    #[inline]
    pub fn settle(&self) {
        if self.past_caches {
            // SAFETY: all processors have it that the code runs on.
            unsafe { core::arch::x86_64::_mm_sfence() };
        }
    }

    /// Whether it leaves warps that have ended as the next block finds them, if it is told to ([`waiting::CHAINED`]): no warp of it waits
    /// for another one.
    #[inline]
    pub fn chains(&self) -> bool {
        self.chains
    }

    /// Whether it has a loop that shares out an array, in which the warps of a block take turns.
    pub fn takes_turns(&self) -> bool {
        self.abreast
    }

    /// Whether an instruction is one of its own; and the position of the step that it belongs to, if that is not the one which the warp, in
    /// `rbx`, has noted.
    pub fn step_of(&self, instruction: usize) -> Option<Option<u32>> {
        let offset = instruction.checked_sub(self.memory.base()).filter(|&offset| offset < self.size)?;
        let behind = self.marks.partition_point(|&(from, _)| from as usize <= offset);
        let position = behind.checked_sub(1).map(|at| self.marks[at].1);
        Some(position.filter(|&position| position != NOWHERE))
    }

    /// Its bytes.
    pub fn bytes(&self) -> &[u8] {
        // SAFETY: readable for as long as this lives, and never written again.
        unsafe { core::slice::from_raw_parts(self.memory.base() as *const u8, self.size) }
    }

    /// Steps, and the positions of those that are calls of the interpreter's.
    pub fn coverage(&self) -> (u32, &[u32]) {
        (self.steps, &self.called)
    }
}

#[cfg(test)]
mod tests {
    use super::Memory;

    #[test]
    fn code_lies_where_other_code_was() {
        for (byte, size) in [(1u8, 9000), (2, 100), (3, 5000), (4, 20_000), (5, 20_000)] {
            let memory = Memory::holding(&vec![byte; size]).unwrap();
            // SAFETY: so many bytes lie there, and may be read.
            let held = unsafe { core::slice::from_raw_parts(memory.base() as *const u8, size) };
            assert!(held.iter().all(|&own| own == byte));
        }
    }
}
