//! Loaded objects: finding a variable of one by its name.

use core::ffi::{CStr, c_char};

/// The part of the loader's `struct link_map` that is public.
#[repr(C)]
pub struct LinkMap {
    /// What is added to addresses of the file.
    base: usize,
    pub name: *const c_char,
    dynamic: *const Dynamic,
}

/// An entry of the dynamic section.
#[repr(C)]
struct Dynamic {
    tag: isize,
    value: usize,
}

/// A symbol.
#[repr(C)]
struct Symbol {
    name: u32,
    info: u8,
    other: u8,
    section: u16,
    value: usize,
    size: usize,
}

/// Tags of the dynamic section.
const STRINGS: isize = 5;
const SYMBOLS: isize = 6;
const HASHES: isize = 0x6fff_fef5;

impl LinkMap {
    /// An address that the dynamic section names, which the loader may have changed already.
    fn address(&self, tag: isize) -> Option<usize> {
        let mut entry = self.dynamic;
        // SAFETY: the section ends with an empty tag.
        while let Some(Dynamic { tag: found, value }) = unsafe { entry.as_ref() }.filter(|entry| entry.tag != 0) {
            if *found == tag {
                return Some(if *value < self.base { self.base.wrapping_add(*value) } else { *value });
            }
            entry = entry.wrapping_add(1);
        }
        None
    }

    /// The exported symbol with a name.
    ///
    /// # Safety
    /// The object is mapped.
    unsafe fn symbol(&self, name: &CStr) -> Option<&Symbol> {
        let strings = self.address(STRINGS)? as *const c_char;
        let symbols = self.address(SYMBOLS)? as *const Symbol;
        let table = self.address(HASHES)? as *const u32;
        let hash = name.to_bytes().iter().fold(5381u32, |hash, &b| hash.wrapping_mul(33).wrapping_add(b.into()));
        // SAFETY: tables of the form that the tag stands for (GNU_HASH), in an object that linkers made.
        unsafe {
            let (buckets, first, words) = (*table, *table.add(1), *table.add(2));
            if buckets == 0 {
                return None;
            }
            let heads = table.add(4 + 2 * words as usize);
            let chains = heads.add(buckets as usize);
            let mut index = *heads.add((hash % buckets) as usize);
            while index >= first {
                let here = *chains.add((index - first) as usize);
                let symbol = &*symbols.add(index as usize);
                if here | 1 == hash | 1 && CStr::from_ptr(strings.add(symbol.name as usize)) == name {
                    return Some(symbol).filter(|symbol| symbol.section != 0);
                }
                if here & 1 != 0 {
                    break;
                }
                index += 1;
            }
        }
        None
    }

    /// Writes into an exported variable, if there is one and it is large enough: whether there is.
    ///
    /// # Safety
    /// The object is mapped, and a variable of that name may be written.
    pub unsafe fn write(&self, name: &CStr, bytes: &[u8]) -> bool {
        // SAFETY: as the caller says.
        let symbol = unsafe { self.symbol(name) }.filter(|symbol| bytes.len() <= symbol.size);
        let Some(symbol) = symbol else { return false };
        let to = self.base.wrapping_add(symbol.value) as *mut u8;
        // SAFETY: the variable is that large.
        unsafe { core::ptr::copy_nonoverlapping(bytes.as_ptr(), to, bytes.len()) };
        true
    }
}
