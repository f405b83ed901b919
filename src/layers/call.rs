//! A call on its way through the layers.

use crate::show::{Parameter, Text};
use crate::table::Entry;
use std::cell::Cell;

/// Bits of [`Entry::layers`] that are the quota's.
pub const QUOTA: u32 = 0xff;
/// Calls are traced.
pub const TRACED: u32 = 0x100;
/// A trace of a call has the stack of the program.
pub const STACKS: u32 = 0x400;
/// Calls are recorded.
pub const RECORDED: u32 = 0x800;
/// Calls launch a kernel.
pub const LAUNCH: u32 = 0x1000;
/// Calls launch a kernel, of which a structure says how.
pub const LAUNCH_BY_CONFIG: u32 = 0x4000;
/// Calls may end kernels.
pub const ENDS_KERNELS: u32 = 0x2000;
/// Calls begin or end what is traced.
pub const RANGE: u32 = 0x8000;
/// Calls may fail on purpose.
pub const FAULTY: u32 = 0x200;

thread_local! {
    /// The thread makes calls for a layer, which are not the program's.
    static OURS: Cell<bool> = const { Cell::new(false) };
}

/// Whether the thread makes calls for a layer.
#[inline]
pub fn is_ours() -> bool {
    OURS.get()
}

/// Makes calls that no layer is about.
pub fn as_ours<R>(calls: impl FnOnce() -> R) -> R {
    let before = OURS.replace(true);
    let result = calls();
    OURS.set(before);
    result
}

/// What is behind the layers; it takes pointers to the arguments.
pub type Behind = unsafe fn(*const *const ()) -> u32;

/// A function, its arguments, and what is behind the layers.
pub struct Call<'a> {
    /// The function.
    pub entry: &'static Entry,
    /// What its layers are: [`Entry::layers`].
    pub layers: u32,
    arguments: &'a [*const ()],
    behind: Behind,
}

impl<'a> Call<'a> {
    /// # Safety
    /// `behind` takes as many `arguments`, of these types.
    pub(super) unsafe fn new(entry: &'static Entry, arguments: &'a [*const ()], behind: Behind) -> Self {
        Call { entry, layers: entry.layers(), arguments, behind }
    }

    /// The argument at an index, or 0 bytes where the function has none.
    ///
    /// # Safety
    /// The declaration gives it a type of the size of `T`, of which zero is a value.
    #[inline(always)]
    pub unsafe fn argument<T: Copy + Default>(&self, index: usize) -> T {
        match self.arguments.get(index) {
            // SAFETY: a live argument of this type, as the caller says.
            Some(at) => unsafe { at.cast::<T>().read_unaligned() },
            None => T::default(),
        }
    }

    /// Copies the beginning of the argument at an index.
    ///
    /// # Safety
    /// The declaration gives it a type of at least as many bytes.
    pub unsafe fn copy(&self, index: usize, bytes: &mut [u8]) {
        if let Some(at) = self.arguments.get(index) {
            // SAFETY: a live argument of this size, as the caller says; `bytes` are the caller's own.
            unsafe { core::ptr::copy_nonoverlapping(at.cast::<u8>(), bytes.as_mut_ptr(), bytes.len()) };
        }
    }

    /// Shows the argument at an index, which `parameter` is about.
    ///
    /// # Safety
    /// `parameter` is the one of the declaration at this index.
    pub unsafe fn show(&self, index: usize, parameter: &Parameter, text: &mut Text) {
        if let Some(at) = self.arguments.get(index) {
            // SAFETY: the argument is of the parameter's type.
            unsafe { (parameter.ty.show)(*at, text) };
        }
    }

    /// Makes the call.
    pub fn make(&mut self) -> u32 {
        // SAFETY: the arguments are of the function that is called, as the maker of this has said.
        unsafe { (self.behind)(self.arguments.as_ptr()) }
    }
}
