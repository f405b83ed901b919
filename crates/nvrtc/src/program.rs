//! The programs that exist, and what we know of them besides what the real library does.

use core::ffi::{c_char, c_int};
use real::Gate;
use std::collections::BTreeMap;
use std::sync::Arc;

/// `nvrtcProgram`.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(transparent)]
pub struct Program(pub usize);

/// What is known of a program.
#[derive(Clone, Default)]
pub struct Known {
    /// Its name, for messages of loaders.
    pub name: String,
    /// What stands for machine code.
    pub container: Option<Arc<Vec<u8>>>,
    /// What the assembler would have added to the log.
    pub complaint: Option<Arc<Vec<u8>>>,
}

static PROGRAMS: Gate<BTreeMap<usize, Known>> = Gate::new(BTreeMap::new());

/// Enters a program of the real library.
pub fn insert(program: Program, known: Known) {
    PROGRAMS.with(|all| all.insert(program.0, known));
}

/// Makes a handle that no other program has; without the real library there is nobody else to do it.
pub fn invent(known: Known) -> Program {
    PROGRAMS.with(|all| {
        let handle = all.last_key_value().map_or(0x1_0000, |(last, _)| last + 16);
        all.insert(handle, known);
        Program(handle)
    })
}

/// Forgets a program.
pub fn remove(program: Program) {
    PROGRAMS.with(|all| all.remove(&program.0));
}

/// Whether the program exists.
pub fn is_live(program: Program) -> bool {
    PROGRAMS.with(|all| all.contains_key(&program.0))
}

/// What is known of a program.
pub fn known(program: Program) -> Known {
    PROGRAMS.with(|all| all.get(&program.0).cloned()).unwrap_or_default()
}

/// Replaces the result of a compilation.
pub fn finish(program: Program, container: Option<Vec<u8>>, complaint: Option<Vec<u8>>) {
    PROGRAMS.with(|all| {
        if let Some(known) = all.get_mut(&program.0) {
            (known.container, known.complaint) = (container.map(Arc::new), complaint.map(Arc::new));
        }
    });
}

/// A result of the real library: its size, then its bytes.
pub struct Output {
    pub size: unsafe extern "C" fn(Program, *mut usize) -> c_int,
    pub bytes: unsafe extern "C" fn(Program, *mut c_char) -> c_int,
}

impl Output {
    /// The bytes, with the NUL of texts.
    pub fn read(&self, program: Program) -> Option<Vec<u8>> {
        let mut size = 0;
        // SAFETY: the program is alive, and `size` is ours.
        if unsafe { (self.size)(program, &mut size) } != 0 {
            return None;
        }
        let mut bytes = Vec::new();
        bytes.try_reserve_exact(size).ok()?;
        bytes.resize(size, 0);
        // SAFETY: the buffer has the size that the library asked for.
        (unsafe { (self.bytes)(program, bytes.as_mut_ptr().cast()) } == 0).then_some(bytes)
    }
}
