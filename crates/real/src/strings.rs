//! Strings that a program gives to a library over a real one.

use core::ffi::c_char;

/// The longest string that is looked at.
const MOST: usize = 1 << 30;

/// Why strings cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unreadable {
    /// One of an array is NULL.
    Null,
    /// The address is not memory.
    Memory,
}

/// A string of the program.
pub fn string(address: *const c_char) -> Result<Vec<u8>, Unreadable> {
    guard::read_string(address as usize, MOST).map_err(|_| Unreadable::Memory)
}

/// The strings of an array of the program.
pub fn strings(array: *const *const c_char, count: usize) -> Result<Vec<Vec<u8>>, Unreadable> {
    let mut all = Vec::new();
    for index in 0..count {
        let offset = index.checked_mul(size_of::<usize>()).ok_or(Unreadable::Memory)?;
        let address = (array as usize).checked_add(offset).ok_or(Unreadable::Memory)?;
        match guard::read_pointer(address).map_err(|_| Unreadable::Memory)? {
            0 => return Err(Unreadable::Null),
            pointer => all.push(string(pointer as *const c_char)?),
        }
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::ptr;

    #[test]
    fn arrays_are_read_up_to_what_is_wrong() {
        let array = [c"one".as_ptr(), c"two".as_ptr(), ptr::null(), 8 as *const c_char];
        assert_eq!(strings(array.as_ptr(), 2), Ok(vec![b"one".to_vec(), b"two".to_vec()]));
        assert_eq!(strings(array.as_ptr(), 3), Err(Unreadable::Null));
        assert_eq!(strings(&array[3], 1), Err(Unreadable::Memory));
        assert_eq!(strings(ptr::without_provenance(16), 1), Err(Unreadable::Memory));
        assert_eq!(strings(ptr::null(), 0), Ok(Vec::new()));
    }
}
