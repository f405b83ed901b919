//! Memory mappings: nothing else asks the system for addresses or gives them back.
//!
//! A [`HostMapping`] owns a range of addresses and unmaps it when it is dropped. What becomes of parts of a range (rights, pages, a file
//! in the place of anonymous memory) is decided by functions on addresses: their caller owns the mapping that the part lies in.

#![expect(clippy::disallowed_methods, reason = "everybody else comes here: `clippy.toml`")]

use core::ptr;

/// What may be done with pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rights {
    /// Nothing.
    None,
    /// Reading.
    Read,
    /// Reading and writing.
    ReadWrite,
    /// Reading and executing.
    ReadExecute,
}

impl Rights {
    fn bits(self) -> i32 {
        match self {
            Rights::None => libc::PROT_NONE,
            Rights::Read => libc::PROT_READ,
            Rights::ReadWrite => libc::PROT_READ | libc::PROT_WRITE,
            Rights::ReadExecute => libc::PROT_READ | libc::PROT_EXEC,
        }
    }
}

/// Advice to the system about pages. It may ignore it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Advice {
    /// Use huge pages.
    Huge,
    /// Use small pages: few of them will be touched.
    Small,
    /// Leave the pages out of core dumps.
    NoDump,
}

/// Memory that nobody else has; pages exist once they are touched.
const ANONYMOUS: i32 = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;

/// A range of addresses, unmapped when this is dropped. By default an empty one.
#[derive(Debug, Default)]
pub struct HostMapping {
    base: usize,
    size: usize,
}

impl HostMapping {
    /// Wraps what `mmap` returned.
    fn of(at: *mut libc::c_void, size: usize) -> Option<HostMapping> {
        (at != libc::MAP_FAILED).then_some(HostMapping { base: at as usize, size })
    }

    /// `size` bytes of zeros (not 0), at an address of the system's choice.
    pub fn anonymous(size: usize, rights: Rights) -> Option<HostMapping> {
        // SAFETY: a fresh mapping, touching nothing that exists.
        let at = unsafe { libc::mmap(ptr::null_mut(), size, rights.bits(), ANONYMOUS, -1, 0) };
        HostMapping::of(at, size)
    }

    /// The same for what will be written soon: its pages are there at once, which costs less than a fault for each.
    pub fn anonymous_at_once(size: usize, rights: Rights) -> Option<HostMapping> {
        let flags = ANONYMOUS | libc::MAP_POPULATE;
        // SAFETY: a fresh mapping, touching nothing that exists.
        let at = unsafe { libc::mmap(ptr::null_mut(), size, rights.bits(), flags, -1, 0) };
        HostMapping::of(at, size)
    }

    /// `size` inaccessible bytes (not 0) at a multiple of `align`, a power of two of at least a page.
    pub fn aligned(size: usize, align: usize) -> Option<HostMapping> {
        let mut whole = HostMapping::anonymous(size.checked_add(align)?, Rights::None)?;
        let base = whole.base.next_multiple_of(align);
        drop(whole.split_off(base + size));
        Some(whole.split_off(base))
    }

    /// `size` inaccessible bytes (not 0) at `base`, if nothing is there.
    pub fn at(base: usize, size: usize) -> Option<HostMapping> {
        let flags = ANONYMOUS | libc::MAP_FIXED_NOREPLACE;
        // SAFETY: a fresh mapping that replaces nothing.
        let at = unsafe { libc::mmap(base as *mut _, size, libc::PROT_NONE, flags, -1, 0) };
        // A kernel that does not know the flag takes the address for a wish.
        HostMapping::of(at, size).filter(|mapping| mapping.base == base)
    }

    /// `size` bytes of a file from `offset`, shared with whoever has the file, readable and writable.
    pub fn file(descriptor: i32, offset: i64, size: usize) -> Option<HostMapping> {
        Self::of_file(descriptor, offset, size, 0)
    }

    /// The same for what will be written soon: its pages are there at once and may be written, which costs less than a fault for each.
    pub fn file_at_once(descriptor: i32, offset: i64, size: usize) -> Option<HostMapping> {
        let mapping = Self::of_file(descriptor, offset, size, 0)?;
        // Most file systems want to know of the first write to each page: this is it, where `MAP_POPULATE` only reads.
        // SAFETY: the mapping is ours, and keeps what is in it.
        let done =
            unsafe { libc::madvise(ptr::with_exposed_provenance_mut(mapping.base), size, libc::MADV_POPULATE_WRITE) };
        if done == 0 {
            return Some(mapping);
        }
        // Systems before Linux 5.14 refuse it.
        drop(mapping);
        Self::of_file(descriptor, offset, size, libc::MAP_POPULATE)
    }

    fn of_file(descriptor: i32, offset: i64, size: usize, more: i32) -> Option<HostMapping> {
        let flags = libc::MAP_SHARED | libc::MAP_NORESERVE | more;
        // SAFETY: a fresh mapping, touching nothing that exists.
        let at = unsafe { libc::mmap(ptr::null_mut(), size, Rights::ReadWrite.bits(), flags, descriptor, offset) };
        HostMapping::of(at, size)
    }

    /// First byte.
    #[inline(always)]
    pub fn base(&self) -> usize {
        self.base
    }

    /// Bytes.
    #[inline(always)]
    pub fn size(&self) -> usize {
        self.size
    }

    /// Never unmaps it; returns its first byte.
    pub fn keep(self) -> usize {
        core::mem::ManuallyDrop::new(self).base
    }

    /// Cuts off what begins at `at`, an address of a page in the range or its end.
    fn split_off(&mut self, at: usize) -> HostMapping {
        let size = self.base + self.size - at;
        self.size -= size;
        HostMapping { base: at, size }
    }

    /// Moves the pages of `addr..addr + size` to a new mapping, which begins at a multiple of `align`: huge pages move whole if
    /// both addresses are multiples of theirs. What is left at `addr` is empty, with the rights it had.
    ///
    /// # Safety
    /// The caller owns the range: anonymous memory that nobody uses.
    pub unsafe fn take_pages(addr: usize, size: usize, align: usize) -> Option<HostMapping> {
        /// Of Linux 5.7; `libc` does not have it for every target.
        const MREMAP_DONTUNMAP: i32 = 4;
        let aside = HostMapping::aligned(size, align)?;
        let flags = libc::MREMAP_MAYMOVE | libc::MREMAP_FIXED | MREMAP_DONTUNMAP;
        // SAFETY: both ranges are ours, the caller's and a fresh mapping.
        let at = unsafe { libc::mremap(addr as *mut _, size, size, flags, aside.base as *mut libc::c_void) };
        (at != libc::MAP_FAILED).then_some(aside)
    }

    /// Puts the pages at `addr`, inaccessible, over what was there. On failure the mapping comes back.
    ///
    /// # Safety
    /// The caller owns as many bytes at `addr`, and nobody uses them.
    pub unsafe fn give_pages(self, addr: usize) -> Result<(), HostMapping> {
        let flags = libc::MREMAP_MAYMOVE | libc::MREMAP_FIXED;
        // SAFETY: both ranges are ours: this one, and the caller's.
        let moved = unsafe {
            protect(self.base, self.size, Rights::None)
                && libc::mremap(self.base as *mut _, self.size, self.size, flags, addr as *mut libc::c_void)
                    != libc::MAP_FAILED
        };
        if !moved {
            return Err(self);
        }
        self.keep();
        Ok(())
    }
}

impl Drop for HostMapping {
    fn drop(&mut self) {
        if self.size != 0 {
            // SAFETY: our own mapping; whoever could still use it holds this.
            unsafe { libc::munmap(self.base as *mut _, self.size) };
        }
    }
}

/// Changes what may be done with the pages of `addr..addr + size`; false when the system refuses.
///
/// # Safety
/// The caller owns the range; nobody holds a reference to it that needs other rights.
pub unsafe fn protect(addr: usize, size: usize, rights: Rights) -> bool {
    // SAFETY: as the caller promises.
    unsafe { libc::mprotect(addr as *mut _, size, rights.bits()) == 0 }
}

/// Advises the system about the pages of `addr..addr + size`.
pub fn advise(addr: usize, size: usize, advice: Advice) {
    let advice = match advice {
        Advice::Huge => libc::MADV_HUGEPAGE,
        Advice::Small => libc::MADV_NOHUGEPAGE,
        Advice::NoDump => libc::MADV_DONTDUMP,
    };
    // SAFETY: this advice changes neither contents nor rights; failure changes nothing.
    unsafe { libc::madvise(addr as *mut _, size, advice) };
}

/// Gives the pages of a range back to the system; anonymous memory reads as zero again. False when the system refuses.
///
/// # Safety
/// The caller owns the range, and nobody needs its contents.
pub unsafe fn discard(addr: usize, size: usize) -> bool {
    // SAFETY: as the caller promises.
    unsafe { libc::madvise(addr as *mut _, size, libc::MADV_DONTNEED) == 0 }
}

/// Replaces whatever is mapped in a range by empty pages, in one step. False when the system refuses.
///
/// # Safety
/// The caller owns the range, and nobody needs its contents.
pub unsafe fn replace_by_empty(addr: usize, size: usize, rights: Rights) -> bool {
    // SAFETY: as the caller promises.
    unsafe { libc::mmap(addr as *mut _, size, rights.bits(), ANONYMOUS | libc::MAP_FIXED, -1, 0) != libc::MAP_FAILED }
}

/// Replaces whatever is mapped in a range by bytes of a file from `offset` on, in one step. False when the system refuses.
///
/// # Safety
/// The caller owns the range, and nobody needs its contents.
pub unsafe fn replace_by_file(addr: usize, size: usize, descriptor: i32, offset: i64, rights: Rights) -> bool {
    let flags = libc::MAP_SHARED | libc::MAP_FIXED | libc::MAP_NORESERVE;
    // SAFETY: as the caller promises.
    unsafe { libc::mmap(addr as *mut _, size, rights.bits(), flags, descriptor, offset) != libc::MAP_FAILED }
}

/// Whether the page that an address lies in has memory behind it. `None` when nothing is mapped there.
pub fn is_resident(addr: usize) -> Option<bool> {
    const PAGE: usize = 4096;
    let mut resident = 0u8;
    // SAFETY: a question about one page, whatever is there.
    let answer = unsafe { libc::mincore((addr & !(PAGE - 1)) as *mut _, PAGE, &raw mut resident) };
    (answer == 0).then_some(resident & 1 != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: usize = 4096;

    fn is_mapped(addr: usize) -> bool {
        let mut resident = 0u8;
        // SAFETY: a plain question about one page.
        unsafe { libc::mincore(addr as *mut _, PAGE, &raw mut resident) == 0 }
    }

    #[test]
    fn a_mapping_goes_with_its_owner() {
        let align = 2 << 20;
        let mapping = HostMapping::aligned(align, align).unwrap();
        let (base, size) = (mapping.base(), mapping.size());
        assert_eq!((base % align, size), (0, align));
        assert!(is_mapped(base) && is_mapped(base + size - PAGE));
        assert!(HostMapping::at(base, PAGE).is_none(), "something is there");
        drop(mapping);
        // Another thread may have taken the addresses, but not as exactly this mapping.
        if let Some(again) = HostMapping::at(base, size) {
            assert_eq!(again.base(), base);
            let kept = again.keep();
            assert!(is_mapped(kept));
            drop(HostMapping { base: kept, size });
        }
        assert!(HostMapping::anonymous(usize::MAX, Rights::None).is_none());
        assert!(HostMapping::aligned(usize::MAX, PAGE).is_none());
    }

    #[test]
    fn what_is_mapped_at_once_needs_no_faults() {
        let pages = 256;
        let size = pages * PAGE;
        let faults = || {
            // SAFETY: plain numbers; the result is ours.
            unsafe {
                let mut usage: libc::rusage = core::mem::zeroed();
                assert_eq!(libc::getrusage(libc::RUSAGE_THREAD, &raw mut usage), 0);
                usage.ru_minflt
            }
        };
        // SAFETY: a file of this test.
        let file = unsafe { libc::memfd_create(c"pages".as_ptr(), 0) };
        // SAFETY: as above.
        assert_eq!(unsafe { libc::ftruncate(file, size as i64) }, 0);
        for mapping in
            [HostMapping::file_at_once(file, 0, size), HostMapping::anonymous_at_once(size, Rights::ReadWrite)]
        {
            let mapping = mapping.unwrap();
            let before = faults();
            for page in 0..pages {
                // SAFETY: memory of this test.
                unsafe { ((mapping.base() + page * PAGE) as *mut u8).write_volatile(1) };
            }
            assert!(faults() - before < pages as i64 / 2, "{} faults", faults() - before);
        }
        // What cannot be written is no mapping that is lost: the file has one page less.
        // SAFETY: as above.
        assert_eq!(unsafe { libc::ftruncate(file, (size - PAGE) as i64) }, 0);
        let mapping = HostMapping::file_at_once(file, 0, size).unwrap();
        // SAFETY: memory of this test.
        assert_eq!(unsafe { (mapping.base() as *const u8).read_volatile() }, 1);
        // SAFETY: the descriptor of this test.
        unsafe { libc::close(file) };
    }

    #[test]
    fn code_is_not_writable() {
        let page = HostMapping::anonymous(PAGE, Rights::ReadWrite).unwrap();
        // SAFETY: memory of this test.
        unsafe {
            // `ret`
            *(page.base() as *mut u8) = 0xc3;
            assert!(protect(page.base(), PAGE, Rights::ReadExecute));
            assert!(crate::probe_write(page.base(), 1).is_err());
            core::mem::transmute::<usize, extern "sysv64" fn()>(page.base())();
        }
    }

    #[test]
    fn pages_move_with_their_contents() {
        let size = 2 * PAGE;
        let place = HostMapping::anonymous(size, Rights::ReadWrite).unwrap();
        let at = place.base();
        // SAFETY: memory of this test.
        unsafe {
            *(at as *mut u8) = 7;
            let aside = HostMapping::take_pages(at, size, PAGE).unwrap();
            assert_eq!(*(at as *const u8), 0, "what is left is empty");
            aside.give_pages(at).unwrap();
            assert!(crate::probe_read(at, 1).is_err(), "inaccessible");
            assert!(protect(at, size, Rights::Read) && crate::probe_write(at, 1).is_err());
            assert_eq!(*(at as *const u8), 7);
            assert!(replace_by_empty(at, size, Rights::ReadWrite));
            assert_eq!(*(at as *const u8), 0);
            *(at as *mut u8) = 8;
            assert!(discard(at, size));
            assert_eq!(*(at as *const u8), 0);
        }
    }
}
