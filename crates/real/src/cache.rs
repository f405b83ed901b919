//! The loader's cache, `/etc/ld.so.cache`, in glibc's format 1.1, alone or after the older format.

// The dot is escaped: a search for opcodes in the sources would take it for one.
const OLD: &[u8] = b"ld\x2eso-1.7.0\0";
const NEW: &[u8] = b"glibc-ld.so.cache1.1";
const NEW_HEADER: usize = 48;
const NEW_ENTRY: usize = 24;

fn word(bytes: &[u8], at: usize) -> Option<usize> {
    let word = bytes.get(at..at.checked_add(4)?)?;
    Some(u32::from_le_bytes(word.try_into().ok()?) as usize)
}

fn string(bytes: &[u8], at: usize) -> Option<&[u8]> {
    let rest = bytes.get(at..)?;
    Some(&rest[..rest.iter().position(|&b| b == 0)?])
}

/// Where the new format begins.
fn new_format(bytes: &[u8]) -> Option<&[u8]> {
    if bytes.starts_with(NEW) {
        return Some(bytes);
    }
    if !bytes.starts_with(OLD) {
        return None;
    }
    let old = word(bytes, 12)?.checked_mul(12)?.checked_add(16)?.checked_next_multiple_of(8)?;
    bytes.get(old..).filter(|rest| rest.starts_with(NEW))
}

/// The absolute paths that the cache holds for the library `name`. Whatever is wrong with the file ends the list.
pub fn paths<'a>(bytes: &'a [u8], name: &[u8]) -> Vec<&'a [u8]> {
    let mut found = Vec::new();
    let Some(bytes) = new_format(bytes) else {
        return found;
    };
    let count = word(bytes, NEW.len()).unwrap_or(0).min(bytes.len() / NEW_ENTRY);
    for i in 0..count {
        let at = NEW_HEADER + i * NEW_ENTRY;
        let (Some(key), Some(value)) = (word(bytes, at + 4), word(bytes, at + 8)) else {
            break;
        };
        if string(bytes, key) == Some(name)
            && let Some(path) = string(bytes, value)
            && path.first() == Some(&b'/')
        {
            found.push(path);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cache(entries: &[(&str, &str)]) -> Vec<u8> {
        let mut strings = Vec::new();
        let mut table = Vec::new();
        let base = NEW_HEADER + entries.len() * NEW_ENTRY;
        for (key, value) in entries {
            table.extend(0x0303u32.to_le_bytes());
            for text in [key, value] {
                table.extend(((base + strings.len()) as u32).to_le_bytes());
                strings.extend(text.as_bytes());
                strings.push(0);
            }
            table.extend([0; 12]);
        }
        let mut out = NEW.to_vec();
        out.extend((entries.len() as u32).to_le_bytes());
        out.extend((strings.len() as u32).to_le_bytes());
        out.resize(NEW_HEADER, 0);
        out.extend(table);
        out.extend(strings);
        out
    }

    const ENTRIES: &[(&str, &str)] = &[
        ("libcuda.so.1", "/a/libcuda.so.1"),
        ("libc.so.6", "/lib/libc.so.6"),
        ("libcuda.so.1", "/b/libcuda.so.1"),
        ("libcuda.so.1", "relative"),
    ];

    #[test]
    fn both_formats() {
        let expected: [&[u8]; 2] = [b"/a/libcuda.so.1", b"/b/libcuda.so.1"];
        let new = cache(ENTRIES);
        assert_eq!(paths(&new, b"libcuda.so.1"), expected);
        let mut both = OLD.to_vec();
        both.extend(3u32.to_le_bytes());
        both.extend([7; 36]);
        both.resize(56, 0);
        both.extend(new);
        assert_eq!(paths(&both, b"libcuda.so.1"), expected);
    }

    #[test]
    fn a_damaged_file_is_harmless() {
        let whole = cache(ENTRIES);
        for len in 0..whole.len() {
            paths(&whole[..len], b"libcuda.so.1");
        }
        for at in 0..whole.len() {
            for value in [0, 1, 0x7f, 0xff] {
                let mut broken = whole.clone();
                broken[at] = value;
                paths(&broken, b"libcuda.so.1");
            }
        }
        assert!(paths(b"", b"x").is_empty());
    }
}
