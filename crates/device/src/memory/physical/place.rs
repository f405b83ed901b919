//! Where the bytes of physical memory are, and how they get to where a program maps them.

use crate::memory::physical::{Backing, Physical};
use crate::space::CHUNK;
use error::{Error, Result};
use std::sync::Arc;

/// Where the bytes are.
pub(super) enum Bytes {
    /// Nowhere: all zero.
    Untouched,
    /// Anonymous pages at the only address that they are mapped at.
    InPlace(usize),
    /// Anonymous pages, mapped nowhere that a program could see.
    Aside(Aside),
    /// In a memory file.
    File(Arc<Backing>),
}

/// Addresses that keep pages.
pub(super) struct Aside {
    base: usize,
    size: usize,
}

impl Drop for Aside {
    fn drop(&mut self) {
        // SAFETY: our own mapping, which nobody uses.
        unsafe { libc::munmap(self.base as *mut _, self.size) };
    }
}

impl Aside {
    /// Addresses for `size` bytes, aligned as huge pages are, so that those move whole.
    fn reserve(size: usize) -> Option<Aside> {
        let whole = size.checked_add(CHUNK)?;
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
        // SAFETY: a fresh mapping, touching nothing that exists.
        let p = unsafe { libc::mmap(core::ptr::null_mut(), whole, libc::PROT_NONE, flags, -1, 0) };
        if p == libc::MAP_FAILED {
            return None;
        }
        let (start, base) = (p as usize, (p as usize).next_multiple_of(CHUNK));
        drop(Aside { base: start, size: base - start });
        drop(Aside { base: base + size, size: start + whole - base - size });
        Some(Aside { base, size })
    }

    /// Takes the pages at `addr` away from there; what is left is empty.
    fn take(addr: usize, size: usize) -> Option<Aside> {
        /// Of Linux 5.7; `libc` does not have it for every target.
        const MREMAP_DONTUNMAP: i32 = 4;
        let aside = Aside::reserve(size)?;
        let flags = libc::MREMAP_MAYMOVE | libc::MREMAP_FIXED | MREMAP_DONTUNMAP;
        // SAFETY: both ranges are ours, the caller's mapping and a fresh one.
        let p = unsafe { libc::mremap(addr as *mut _, size, size, flags, aside.base as *mut libc::c_void) };
        (p != libc::MAP_FAILED).then_some(aside)
    }

    /// Puts the pages at `addr`, inaccessible, over what was there.
    fn give(self, addr: usize) -> core::result::Result<(), Aside> {
        let flags = libc::MREMAP_MAYMOVE | libc::MREMAP_FIXED;
        // SAFETY: both ranges are ours: this one, and the caller's part of a reservation.
        let moved = unsafe {
            let p = libc::mremap(self.base as *mut _, self.size, self.size, flags, addr as *mut libc::c_void);
            p != libc::MAP_FAILED && libc::mprotect(addr as *mut _, self.size, libc::PROT_NONE) == 0
        };
        if !moved {
            return Err(self);
        }
        core::mem::forget(self);
        Ok(())
    }
}

impl Physical {
    /// The only address that the memory is mapped at, when its pages are there: a second mapping will move them.
    pub fn only_address(&self) -> Option<usize> {
        match *self.bytes.lock() {
            Bytes::InPlace(address) => Some(address),
            _ => None,
        }
    }

    /// Maps all of it at `addr`, inaccessible, where there is an empty part of a reservation. Pages that were in place
    /// elsewhere move to a file, at the same address, where `rights` (`PROT_*`) say what may be done: who uses them
    /// meanwhile waits.
    pub fn map(&self, addr: usize, rights: i32) -> Result<()> {
        let mut bytes = self.bytes.lock();
        let file = match core::mem::replace(&mut *bytes, Bytes::Untouched) {
            Bytes::Untouched => {
                *bytes = Bytes::InPlace(addr);
                return Ok(());
            }
            Bytes::Aside(aside) => {
                return match aside.give(addr) {
                    Ok(()) => {
                        *bytes = Bytes::InPlace(addr);
                        Ok(())
                    }
                    Err(aside) => {
                        *bytes = Bytes::Aside(aside);
                        Err(Error::OUT_OF_MEMORY)
                    }
                };
            }
            Bytes::InPlace(first) => match self.move_to_file(first, rights) {
                Ok(file) => file,
                Err(error) => {
                    *bytes = Bytes::InPlace(first);
                    return Err(error);
                }
            },
            Bytes::File(file) => file,
        };
        let mapped = file.map(addr);
        *bytes = Bytes::File(file);
        mapped
    }

    /// Says that the mapping at `addr` is about to go. Pages that are only there are kept while a handle lives.
    pub fn leave(&self, addr: usize) -> Result<()> {
        let mut bytes = self.bytes.lock();
        if !matches!(*bytes, Bytes::InPlace(at) if at == addr) {
            return Ok(());
        }
        *bytes = if self.held.lock().references == 0 {
            Bytes::Untouched
        } else if let Some(aside) = Aside::take(addr, self.size) {
            Bytes::Aside(aside)
        } else {
            Bytes::File(self.move_to_file(addr, libc::PROT_NONE)?)
        };
        Ok(())
    }

    /// Moves pages that are in place into a file, which is mapped there instead, with these rights.
    fn move_to_file(&self, addr: usize, rights: i32) -> Result<Arc<Backing>> {
        const PAGE: usize = 4096;
        let file = Arc::new(Backing::private(self.size)?);
        let window = crate::memory::physical::Window::of(&file)?;
        let moved = guard::freeze(addr, self.size, || {
            // SAFETY: the pages are ours, readable, and stay until they are replaced below; the window is as large. A page
            // of zeros is what the file has already.
            unsafe {
                for at in (0..self.size).step_by(PAGE) {
                    let page = core::slice::from_raw_parts((addr + at) as *const u64, PAGE / 8);
                    if page.iter().any(|&word| word != 0) {
                        core::ptr::copy_nonoverlapping(page.as_ptr(), (window.base() + at) as *mut u64, PAGE / 8);
                    }
                }
            }
            file.map_with(addr, rights).inspect_err(|_| {
                // SAFETY: gives back the rights that `freeze` took, on pages of ours.
                unsafe { libc::mprotect(addr as *mut _, self.size, rights) };
            })
        });
        moved.ok_or(Error::OUT_OF_MEMORY)??;
        Ok(file)
    }
}
