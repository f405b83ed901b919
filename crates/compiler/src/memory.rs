//! Compiled code in memory: never writable and executable at once.

use crate::assembler::Constants;
use crate::lower::{Lowered, Refusal};
use guard::mapping::{HostMapping, Rights, protect};

/// The code of a kernel.
pub struct Code {
    memory: HostMapping,
    /// How much of it is code.
    size: usize,
    /// For each position where the code is entered there, from the start of the memory; 0 for nowhere.
    entries: Box<[u32]>,
    /// What the code jumps by.
    _table: Box<[u64]>,
    _constants: Constants,
    steps: u32,
    called: Vec<u32>,
    numbers: Box<[Number]>,
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
}

/// Compiled code: a warp, and where it is entered. Gives an [`crate::unit::outcome`].
pub type Enter = unsafe extern "sysv64" fn(warp: *mut core::ffi::c_void, place: *const u8) -> u32;

impl Code {
    /// Places code in memory that can be executed.
    pub(crate) fn place(lowered: Lowered, numbers: Box<[Number]>) -> Result<Code, Refusal> {
        let Lowered { assembled, blocks, mut table, constants, steps, called } = lowered;
        let bytes = assembled.bytes();
        let size = bytes.len();
        let memory = HostMapping::anonymous(size, Rights::ReadWrite).ok_or(Refusal::NoMemory)?;
        // SAFETY: fresh memory of this size that nobody else knows.
        let executable = unsafe {
            core::ptr::copy_nonoverlapping(bytes.as_ptr(), memory.base() as *mut u8, size);
            protect(memory.base(), size, Rights::ReadExecute)
        };
        if !executable {
            return Err(Refusal::NoMemory);
        }
        let start = memory.base() as u64;
        let mut entries = vec![0; table.len()].into_boxed_slice();
        for (position, entry, body) in blocks {
            entries[position as usize] = entry as u32;
            table[position as usize] = start + body;
        }
        Ok(Code { memory, size, entries, _table: table, _constants: constants, steps, called, numbers })
    }

    /// Where the code is entered at a position, if it can be.
    #[inline]
    pub fn entry(&self, position: u32) -> Option<*const u8> {
        let offset = *self.entries.get(position as usize)?;
        (offset != 0).then(|| (self.memory.base() + offset as usize) as *const u8)
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
