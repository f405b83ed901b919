//! External semaphores: a word of 64 bits at the beginning of a memory file, which processes of this machine share. A timeline
//! semaphore is its value; any other is signalled when it is not 0, and a wait takes that back.

use crate::base::handle::{HandleKind, Table};
use crate::memory::physical;
use crate::stream::context::Context;
use crate::stream::{Condition, WaitValue, Work, WriteValue};
use error::{Error, Result, refuse, refuse_if};
use guard::mapping::{self, HostMapping, Rights};
use parking_lot::Mutex;
use std::sync::{Arc, Weak};

/// An imported semaphore.
pub struct Semaphore {
    handle: usize,
    /// The word, at the beginning of a page of ours.
    word: usize,
    timeline: bool,
    /// Where it was imported.
    context: Weak<Context>,
}

pub(crate) static SEMAPHORES: Table<Semaphore> = Table::new(HandleKind::ExternalSemaphore);

const PAGE: usize = 4096;

/// Imports the semaphore behind a descriptor, which stays the caller's. Anything but a memory file with room for the word
/// is [`Error::UNKNOWN`].
pub fn import(context: &Arc<Context>, descriptor: i32, timeline: bool) -> Result<usize> {
    let file = physical::open_foreign(descriptor, size_of::<u64>(), size_of::<u64>())?;
    refuse_if!(Error::UNKNOWN, file.is_of_mesa(), "the file descriptor {} is memory of Mesa's driver", descriptor);
    let word = take_page()?;
    // The file may be sealed, open for reading only, or made of larger pages.
    let mapped = file
        .map_part(word, 0, PAGE)
        .map_err(|_| refuse!(Error::UNKNOWN, "a word of the file descriptor {} cannot be shared", descriptor));
    let made = mapped.and_then(|()| {
        let context = Arc::downgrade(context);
        let made = SEMAPHORES.insert_with(|handle| Arc::new(Semaphore { handle, word, timeline, context }));
        made.ok_or_else(|| refuse!(Error::OUT_OF_MEMORY, "there are too many external semaphores"))
    });
    match made {
        Ok(semaphore) => Ok(semaphore.handle),
        Err(error) => {
            give_page(word);
            Err(error)
        }
    }
}

/// Destroys the handle of a semaphore; work that uses it goes on.
pub fn destroy(handle: usize) -> Result<()> {
    SEMAPHORES.remove(handle).map(drop).ok_or_else(|| SEMAPHORES.stale(Error::INVALID_HANDLE, handle))
}

/// Whether a word is that of a semaphore whose handle was not destroyed.
pub fn is_word_of_one(word: usize) -> bool {
    SEMAPHORES.all().iter().any(|semaphore| semaphore.word == word)
}

/// The semaphore behind a handle.
pub fn find(handle: usize) -> Result<Arc<Semaphore>> {
    SEMAPHORES.get_or(handle, Error::INVALID_HANDLE).map_err(|error| error.of("extSemArray"))
}

impl Semaphore {
    /// Whether it was imported in a context.
    pub fn is_of(&self, context: &Weak<Context>) -> bool {
        Weak::ptr_eq(&self.context, context)
    }

    /// What signals it, in order.
    pub fn signal(self: &Arc<Self>, value: u64) -> [Work; 2] {
        let value = if self.timeline { value } else { 1 };
        [Work::WriteValue(WriteValue { address: self.word, value, wide: true }), self.keep()]
    }

    /// What waits for it, in order.
    pub fn wait(self: &Arc<Self>, value: u64) -> Vec<Work> {
        let (value, condition) = if self.timeline { (value, Condition::AtLeast) } else { (u64::MAX, Condition::And) };
        let mut works = vec![Work::WaitValue(WaitValue { address: self.word, value, wide: true, condition })];
        if !self.timeline {
            works.push(Work::WriteValue(WriteValue { address: self.word, value: 0, wide: true }));
        }
        works.push(self.keep());
        works
    }

    /// The word stays until the work in front of this is over.
    fn keep(self: &Arc<Self>) -> Work {
        let own = self.clone();
        Work::Task(Arc::new(move || {
            let _ = &own;
            Ok(())
        }))
    }
}

impl Drop for Semaphore {
    fn drop(&mut self) {
        give_page(self.word);
    }
}

/// Pages that no semaphore has. They always can be read: a look at a word that was waited for may come late.
static PAGES: Mutex<Vec<usize>> = Mutex::new(Vec::new());

fn take_page() -> Result<usize> {
    match PAGES.lock().pop() {
        Some(page) => Ok(page),
        None => Ok(HostMapping::anonymous(PAGE, Rights::ReadWrite).ok_or(Error::OUT_OF_MEMORY)?.keep()),
    }
}

fn give_page(page: usize) {
    // SAFETY: a page of ours, whose semaphore is gone; an empty one takes its place.
    if unsafe { mapping::replace_by_empty(page, PAGE, Rights::ReadWrite) } {
        PAGES.lock().push(page);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::memory_file::MemoryFile;
    use crate::testing::context;

    fn imported(size: u64, seals: i32) -> Result<usize> {
        let file = MemoryFile::create(size).unwrap();
        file.seal(seals).unwrap();
        import(&context(), file.descriptor().unwrap(), true)
    }

    #[test]
    fn only_memory_files_with_a_word_to_write_can_be_imported() {
        assert_eq!(import(&context(), -1, true), Err(Error::UNKNOWN));
        assert_eq!(imported(0, 0), Err(Error::UNKNOWN));
        assert_eq!(imported(7, 0), Err(Error::UNKNOWN));
        assert_eq!(imported(8, libc::F_SEAL_WRITE), Err(Error::UNKNOWN));
        let fine = imported(8, 0).unwrap();
        assert!(find(fine).is_ok());
        destroy(fine).unwrap();
        assert_eq!(find(fine).err(), Some(Error::INVALID_HANDLE));
        assert_eq!(destroy(fine), Err(Error::INVALID_HANDLE));
    }

    #[test]
    fn the_word_stays_while_work_is_to_use_it() {
        let handle = imported(8, 0).unwrap();
        let semaphore = find(handle).unwrap();
        let alive = Arc::downgrade(&semaphore);
        let works = semaphore.signal(1);
        assert!(is_word_of_one(semaphore.word));
        drop(semaphore);
        destroy(handle).unwrap();
        assert!(alive.upgrade().is_some());
        let Work::WriteValue(write) = &works[0] else { panic!("a signal writes") };
        assert!(!is_word_of_one(write.address));
        drop(works);
        assert!(alive.upgrade().is_none());
    }
}
