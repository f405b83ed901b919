//! A call on its way through the layers.

use crate::table::Entry;

/// A function, its arguments, and what is behind the layers.
pub struct Call<'a> {
    /// The function.
    pub entry: &'static Entry,
    arguments: &'a [*const ()],
    behind: &'a mut dyn FnMut() -> u32,
}

impl<'a> Call<'a> {
    pub(super) fn new(entry: &'static Entry, arguments: &'a [*const ()], behind: &'a mut dyn FnMut() -> u32) -> Self {
        Call { entry, arguments, behind }
    }

    /// The argument at an index, or 0 bytes where the function has none.
    ///
    /// # Safety
    /// The declaration gives it a type of the size of `T`, of which zero is a value.
    pub unsafe fn argument<T: Copy + Default>(&self, index: usize) -> T {
        match self.arguments.get(index) {
            // SAFETY: a live argument of this type, as the caller says.
            Some(at) => unsafe { at.cast::<T>().read_unaligned() },
            None => T::default(),
        }
    }

    /// Makes the call.
    pub fn make(&mut self) -> u32 {
        (self.behind)()
    }
}
