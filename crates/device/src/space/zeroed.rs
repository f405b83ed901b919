//! Tables as long as the range: they begin as zero pages, and only what is written to takes up memory.
//!
//! An allocator does not promise that: what is aligned to more than 16 bytes is filled by hand, and that is what a first
//! allocation then costs.

use core::marker::PhantomData;
use core::ops::{Deref, DerefMut};
use guard::mapping::{self, Advice, HostMapping, Rights};

/// What zero bytes are a value of, which means "nothing here".
///
/// # Safety
/// All bytes zero is a value of the type, which owns nothing.
pub(super) unsafe trait Zero {}
// SAFETY: a number.
unsafe impl Zero for u32 {}
// SAFETY: a number.
unsafe impl Zero for u64 {}

/// A slice of zeros.
pub(super) struct Zeroed<T: Zero> {
    pages: HostMapping,
    len: usize,
    owns: PhantomData<T>,
}

impl<T: Zero> Zeroed<T> {
    /// `len` zeros (not 0); `None` when the system has no room for them.
    pub fn new(len: usize) -> Option<Zeroed<T>> {
        let bytes = len.checked_mul(size_of::<T>())?;
        let pages = HostMapping::anonymous(bytes, Rights::ReadWrite)?;
        // A huge page for one entry would be most of what a small program has resident.
        mapping::advise(pages.base(), bytes, Advice::Small);
        Some(Zeroed { pages, len, owns: PhantomData })
    }
}

impl<T: Zero> Deref for Zeroed<T> {
    type Target = [T];
    #[inline(always)]
    fn deref(&self) -> &[T] {
        // SAFETY: mapped pages, aligned to more than `T`, whose zeros are values.
        unsafe { core::slice::from_raw_parts(self.pages.base() as *const T, self.len) }
    }
}

impl<T: Zero> DerefMut for Zeroed<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: as above, and nobody else has it.
        unsafe { core::slice::from_raw_parts_mut(self.pages.base() as *mut T, self.len) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zeros_take_up_no_memory_before_they_are_written() {
        let mut table = Zeroed::<u64>::new(8 << 20).unwrap();
        table[5 << 20] = 7;
        assert_eq!((table[0], table[5 << 20], table[(8 << 20) - 1], table.len()), (0, 7, 0, 8 << 20));
        let mut resident = vec![0u8; (64 << 20) / 4096];
        // SAFETY: one byte for each page of the table.
        let failed = unsafe { libc::mincore(table.as_mut_ptr().cast(), 64 << 20, resident.as_mut_ptr()) };
        assert_eq!(failed, 0);
        assert!(resident.iter().filter(|&&r| r & 1 != 0).count() < 64);
        assert!(Zeroed::<u64>::new(usize::MAX).is_none());
    }
}
