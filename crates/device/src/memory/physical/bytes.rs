//! How the bytes of physical memory get to where a program maps them.

use crate::memory::physical::backing::{Backing, Window};
use crate::memory::physical::object::{Bytes, Physical};
use crate::space::CHUNK;
use error::{Error, Result, refuse};
use guard::mapping::{self, HostMapping, Rights};
use std::sync::Arc;

impl Physical {
    /// The only address that the memory is mapped at, when its pages are there: a second mapping will move them.
    pub fn only_address(&self) -> Option<usize> {
        match *self.bytes.lock() {
            Bytes::InPlace(address) => Some(address),
            _ => None,
        }
    }

    /// Maps all of it at `addr`, inaccessible, where there is an empty part of a reservation. Pages that were in place
    /// elsewhere move to a file, at the same address, where `rights` say what may be done: who uses them
    /// meanwhile waits.
    pub fn map(&self, addr: usize, rights: Rights) -> Result<()> {
        let mut bytes = self.bytes.lock();
        let file = match core::mem::replace(&mut *bytes, Bytes::Untouched) {
            Bytes::Untouched => {
                *bytes = Bytes::InPlace(addr);
                return Ok(());
            }
            Bytes::Aside(aside) => {
                // SAFETY: the caller's empty part of a reservation.
                return match unsafe { aside.give_pages(addr) } {
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
            Bytes::Multicast(multicast) => {
                *bytes = Bytes::Multicast(multicast);
                return Ok(());
            }
        };
        let mapped = file.map(addr);
        *bytes = Bytes::File(file);
        mapped
    }

    /// Moves the bytes to a file, if they are in none, and gives that. Pages that are in place stay at their address, where
    /// `rights` say what may be done.
    pub fn move_to_some_file(&self, rights: Rights) -> Result<Arc<Backing>> {
        let mut bytes = self.bytes.lock();
        let file = match &*bytes {
            Bytes::File(file) => return Ok(file.clone()),
            Bytes::Multicast(_) => {
                return Err(refuse!(Error::INVALID_VALUE, "memHandle is a multicast object"));
            }
            Bytes::Untouched => Arc::new(Backing::private(self.size)?),
            Bytes::InPlace(first) => self.move_to_file(*first, rights)?,
            Bytes::Aside(aside) => {
                let file = Arc::new(Backing::private(self.size)?);
                let window = Window::of(&file)?;
                // SAFETY: both are ours and as large as this, and nobody uses them.
                unsafe {
                    if !mapping::protect(aside.base(), self.size, Rights::ReadWrite) {
                        return Err(Error::OUT_OF_MEMORY);
                    }
                    copy_pages(aside.base(), window.base(), self.size);
                }
                file
            }
        };
        *bytes = Bytes::File(file.clone());
        Ok(file)
    }

    /// Says that the mapping at `addr` is about to go. Pages that are only there are kept while a handle lives.
    pub fn leave(&self, addr: usize) -> Result<()> {
        let mut bytes = self.bytes.lock();
        if !matches!(*bytes, Bytes::InPlace(at) if at == addr) {
            return Ok(());
        }
        // SAFETY: our own mapping, which is about to go.
        let take = || unsafe { HostMapping::take_pages(addr, self.size, CHUNK) };
        *bytes = if self.held.lock().references == 0 {
            Bytes::Untouched
        } else if let Some(aside) = take() {
            Bytes::Aside(aside)
        } else {
            Bytes::File(self.move_to_file(addr, Rights::None)?)
        };
        Ok(())
    }

    /// Moves pages that are in place into a file, which is mapped there instead, with these rights.
    fn move_to_file(&self, addr: usize, rights: Rights) -> Result<Arc<Backing>> {
        let file = Arc::new(Backing::private(self.size)?);
        let window = Window::of(&file)?;
        let moved = guard::freeze(addr, self.size, || {
            // SAFETY: the pages are ours, readable, and stay until they are replaced below; the window is as large.
            unsafe { copy_pages(addr, window.base(), self.size) };
            file.map_with(addr, rights).inspect_err(|_| {
                // SAFETY: gives back the rights that `freeze` took, on pages of ours.
                unsafe { mapping::protect(addr, self.size, rights) };
            })
        });
        moved.ok_or(Error::OUT_OF_MEMORY)??;
        Ok(file)
    }
}

/// Copies pages to a file that has only zeros, and leaves out what has only zeros, too.
///
/// # Safety
/// So many bytes, whole pages, can be read and written there, and nobody changes them.
unsafe fn copy_pages(from: usize, to: usize, bytes: usize) {
    const PAGE: usize = 4096;
    for at in (0..bytes).step_by(PAGE) {
        // SAFETY: as the caller promises.
        unsafe {
            let page = core::slice::from_raw_parts((from + at) as *const u64, PAGE / 8);
            if page.iter().any(|&word| word != 0) {
                core::ptr::copy_nonoverlapping(page.as_ptr(), (to + at) as *mut u64, PAGE / 8);
            }
        }
    }
}
