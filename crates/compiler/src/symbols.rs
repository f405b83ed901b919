//! Tells a debugger where the code of a kernel is, by the interface that gdb has for compilers at run time ("JIT Compilation Interface" in its
//! manual): a list of small object files in memory, and a function in which it stops when the list changes.

use core::ptr::null_mut;
use std::sync::{Mutex, PoisonError};

/// What has happened: `jit_actions_t`.
const REGISTERED: u32 = 1;
const REMOVED: u32 = 2;

/// `struct jit_code_entry`.
#[repr(C)]
struct Entry {
    next: *mut Entry,
    previous: *mut Entry,
    file: *const u8,
    size: u64,
}

/// `struct jit_descriptor`.
#[repr(C)]
struct Descriptor {
    version: u32,
    action: u32,
    relevant: *mut Entry,
    first: *mut Entry,
}

/// The list; gdb reads it by this name.
#[unsafe(no_mangle)]
static mut __jit_debug_descriptor: Descriptor =
    Descriptor { version: 1, action: 0, relevant: null_mut(), first: null_mut() };

/// Held while the list changes.
static LOCK: Mutex<()> = Mutex::new(());

/// Where gdb stops.
#[unsafe(no_mangle)]
#[inline(never)]
extern "C" fn __jit_debug_register_code() {
    // SAFETY: nothing is done; the call has to stay.
    unsafe { core::arch::asm!("", options(nostack, preserves_flags)) };
}

/// The code of a kernel as debuggers know it, for as long as this lives.
pub(crate) struct Symbols {
    entry: *mut Entry,
    _file: Box<[u8]>,
}

// SAFETY: entries change under the lock alone, the file never does.
unsafe impl Send for Symbols {}
// SAFETY: as above.
unsafe impl Sync for Symbols {}

impl Symbols {
    /// Gives code a name.
    pub fn new(name: &str, code: &[u8]) -> Symbols {
        let file = object_file(name, code);
        let entry = Entry { next: null_mut(), previous: null_mut(), file: file.as_ptr(), size: file.len() as u64 };
        let entry = Box::into_raw(Box::new(entry));
        change(REGISTERED, entry, |list, entry| {
            entry.next = list.first;
            // SAFETY: entries of the list live.
            if let Some(next) = unsafe { entry.next.as_mut() } {
                next.previous = entry;
            }
            list.first = entry;
        });
        Symbols { entry, _file: file }
    }
}

impl Drop for Symbols {
    fn drop(&mut self) {
        change(REMOVED, self.entry, |list, entry| {
            // SAFETY: entries of the list live.
            let (previous, next) = unsafe { (entry.previous.as_mut(), entry.next.as_mut()) };
            match previous {
                Some(previous) => previous.next = entry.next,
                None => list.first = entry.next,
            }
            if let Some(next) = next {
                next.previous = entry.previous;
            }
        });
        // SAFETY: made by a box, and nobody has it any more.
        drop(unsafe { Box::from_raw(self.entry) });
    }
}

/// Changes the list, and tells gdb.
fn change(action: u32, entry: *mut Entry, how: impl FnOnce(&mut Descriptor, &mut Entry)) {
    let _held = LOCK.lock().unwrap_or_else(PoisonError::into_inner);
    // SAFETY: the lock is held; the entry lives.
    unsafe {
        let list = &raw mut __jit_debug_descriptor;
        let list = &mut *list;
        how(list, &mut *entry);
        (list.action, list.relevant) = (action, entry);
        __jit_debug_register_code();
        (list.action, list.relevant) = (0, null_mut());
    }
}

/// A section of an object file: its name's place among the names, kind, flags, address, where it lies in the file, its bytes, the section that
/// it refers to and what it says of it, alignment, bytes of an entry.
struct Section {
    name: u32,
    kind: u32,
    flags: u64,
    address: u64,
    place: (u64, u64),
    refers: (u32, u32),
    align: u64,
    entry: u64,
}

/// An object file (ELF, System V ABI) without contents: its text is the code where it is, with one function in it.
fn object_file(name: &str, code: &[u8]) -> Box<[u8]> {
    const HEADER: u64 = 64;
    const SYMBOL: u64 = 24;
    const SECTIONS: u16 = 4;
    const NOBITS: u32 = 8;
    const SYMTAB: u32 = 2;
    const STRTAB: u32 = 3;
    /// Allocated and executable.
    const TEXT: u64 = 6;
    /// Global function.
    const FUNCTION: u8 = 1 << 4 | 2;
    let mut names = b"\0.text\0.symtab\0.strtab\0".to_vec();
    let own = names.len() as u32;
    // A name ends with the first zero.
    names.extend(name.bytes().take_while(|&byte| byte != 0));
    names.push(0);
    let (address, size) = (code.as_ptr() as u64, code.len() as u64);
    let symbols = HEADER;
    let strings = symbols + 2 * SYMBOL;
    let headers = (strings + names.len() as u64).next_multiple_of(8);
    let mut file = Vec::with_capacity(headers as usize + 64 * usize::from(SECTIONS));
    // 64 bits, little-endian; relocatable, x86-64.
    file.extend(b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0");
    let words = |file: &mut Vec<u8>, words: &[u16]| words.iter().for_each(|word| file.extend(word.to_le_bytes()));
    let longs = |file: &mut Vec<u8>, longs: &[u64]| longs.iter().for_each(|long| file.extend(long.to_le_bytes()));
    words(&mut file, &[1, 62, 1, 0]);
    longs(&mut file, &[0, 0, headers]);
    words(&mut file, &[0, 0, HEADER as u16, 0, 0, 64, SECTIONS, SECTIONS - 1]);
    // The symbol after the empty one: its name, what it is, the section, its place there, its size.
    file.extend([0; SYMBOL as usize]);
    file.extend(own.to_le_bytes());
    file.extend([FUNCTION, 0, 1, 0]);
    longs(&mut file, &[0, size]);
    file.extend(&names);
    file.resize(headers as usize, 0);
    let sections = [
        Section { name: 0, kind: 0, flags: 0, address: 0, place: (0, 0), refers: (0, 0), align: 0, entry: 0 },
        Section {
            name: 1,
            kind: NOBITS,
            flags: TEXT,
            address,
            place: (headers, size),
            refers: (0, 0),
            align: 16,
            entry: 0,
        },
        Section {
            name: 7,
            kind: SYMTAB,
            flags: 0,
            address: 0,
            place: (symbols, 2 * SYMBOL),
            refers: (3, 1),
            align: 8,
            entry: SYMBOL,
        },
        Section {
            name: 15,
            kind: STRTAB,
            flags: 0,
            address: 0,
            place: (strings, names.len() as u64),
            refers: (0, 0),
            align: 1,
            entry: 0,
        },
    ];
    for Section { name, kind, flags, address, place, refers, align, entry } in sections {
        file.extend(name.to_le_bytes());
        file.extend(kind.to_le_bytes());
        longs(&mut file, &[flags, address, place.0, place.1]);
        file.extend(refers.0.to_le_bytes());
        file.extend(refers.1.to_le_bytes());
        longs(&mut file, &[align, entry]);
    }
    file.into_boxed_slice()
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::ptr::null;

    /// The files of the list, by what is in it.
    fn listed() -> Vec<(u64, u64)> {
        let _held = LOCK.lock().unwrap_or_else(PoisonError::into_inner);
        let mut found = Vec::new();
        // SAFETY: the lock is held, and entries of the list live.
        unsafe {
            let (mut entry, mut previous) = (__jit_debug_descriptor.first.cast_const(), null());
            while let Some(at) = entry.as_ref() {
                assert_eq!(at.previous.cast_const(), previous);
                found.push((at.file as u64, at.size));
                (previous, entry) = (entry, at.next.cast_const());
            }
        }
        found
    }

    #[test]
    fn the_list_holds_what_lives() {
        let code = [0xc3; 40];
        let all: Vec<Symbols> = (0..3).map(|n| Symbols::new(&format!("k{n}"), &code)).collect();
        let files: Vec<u64> = all.iter().map(|symbols| symbols._file.as_ptr() as u64).collect();
        let is_listed = |file: &u64| listed().iter().any(|(at, _)| at == file);
        assert!(files.iter().all(is_listed));
        let mut all = all.into_iter();
        let first = all.next();
        drop(all.next());
        assert_eq!(files.iter().map(is_listed).collect::<Vec<_>>(), [true, false, true]);
        drop((first, all));
        assert!(!files.iter().any(is_listed));
    }

    #[test]
    fn object_files_name_the_code() {
        let code = [0xc3; 40];
        let file = object_file("sums\0more", &code);
        let long = |at: usize| u64::from_le_bytes(file[at..at + 8].try_into().unwrap());
        let headers = long(40) as usize;
        assert_eq!(file.len(), headers + 4 * 64);
        assert_eq!((long(headers + 64 + 16), long(headers + 64 + 32)), (code.as_ptr() as u64, 40));
        let (strings, bytes) = (long(headers + 3 * 64 + 24) as usize, long(headers + 3 * 64 + 32) as usize);
        assert_eq!(&file[strings..strings + bytes], b"\0.text\0.symtab\0.strtab\0sums\0");
        assert_eq!(u32::from_le_bytes(file[88..92].try_into().unwrap()), 23);
        assert_eq!((long(96), long(104)), (0, 40));
    }
}
