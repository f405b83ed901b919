//! How much of the program's memory a call is about: what the names of parameters and fields say in the whole interface.

use container::fat;

/// Pointers to several, with the parameters or fields that say how many. The first one that the function has counts.
const COUNTS: &[(&[&str], &[&str])] = &[
    (&["dependencies", "dependencyData", "from", "to", "edgeData"], &["numDependencies", "numEdges"]),
    (&["dependentNodes", "edgeData"], &["numDependentNodes"]),
    (&["nodes"], &["numNodes"]),
    (&["rootNodes"], &["numRootNodes"]),
    (&["options", "optionValues"], &["numOptions"]),
    (&["jitOptions", "jitOptionsValues"], &["numJitOptions"]),
    (&["libraryOptions", "libraryOptionValues"], &["numLibraryOptions"]),
    (&["dsts", "srcs", "sizes", "dptrs", "map", "desc", "mapInfoList", "paramArray", "operations"], &["count"]),
    (&["capabilities", "cliqueInfo"], &["count"]),
    (&["attributes", "data", "dataSizes"], &["numAttributes"]),
    (&["attrs", "attrsIdxs"], &["numAttrs"]),
    (&["opList"], &["numOps"]),
    (&["prefetchLocs", "prefetchLocIdxs"], &["numPrefetchLocs"]),
    (&["paramsArray"], &["numExtSems", "numParams", "count"]),
    (&["extSemArray"], &["numExtSems"]),
    (&["accessDescs"], &["accessDescCount"]),
    (&["phGraph_out"], &["size"]),
    (&["kernels"], &["numKernels"]),
    (&["functions"], &["numFunctions"]),
    (&["resources"], &["count", "nbResources"]),
    (&["result", "groupParams"], &["nbGroups"]),
    (&["launchParamsList"], &["numDevices"]),
    (&["name", "pciBusId"], &["len"]),
    (&["logBuffer"], &["bufferSize"]),
    (&["globalDim", "globalStrides", "boxDim", "elementStrides"], &["tensorRank"]),
    (&["pixelBoxLowerCorner", "pixelBoxUpperCorner"], &["tensorRank"]),
];

/// The names that may say how many elements a pointer of this name leads to.
pub fn counts(name: &str) -> impl Iterator<Item = &'static str> {
    let rows = COUNTS.iter().filter(move |(names, _)| names.contains(&name));
    rows.flat_map(|(_, counts)| counts.iter().copied())
}

/// Pointers to several, of which there are always as many.
pub fn constant(name: &str) -> usize {
    match name {
        "luid" => 8,
        "pBorderColor" => 4,
        _ => 1,
    }
}

/// What an image of device code is in the program's memory.
pub enum Image {
    /// So many bytes.
    Bytes(usize),
    /// The structure with which a compiler's code names a fat binary of so many bytes at an address, and, of a program that was
    /// compiled in pieces, those of which it was linked.
    Wrapper((usize, usize), Vec<(usize, usize)>),
}

/// Version of the structure that has a list of parts, which ends with 0.
pub const LINKED: usize = 2;
/// No program has more.
const MOST_PARTS: usize = 4096;

/// Looks at an image. `read` gives bytes of the program's.
pub fn image(address: usize, read: impl Fn(usize, usize) -> Option<Vec<u8>>) -> Option<Image> {
    let number = |bytes: &[u8], at: usize, len: usize| {
        let mut word = [0; 8];
        word[..len].copy_from_slice(bytes.get(at..at + len)?);
        Some(u64::from_le_bytes(word) as usize)
    };
    let end_of_fat = |address: usize| {
        let head = read(address, 16)?;
        number(&head, 6, 2)?.checked_add(number(&head, 8, 8)?)
    };
    let magic = read(address, 4).unwrap_or_default();
    match magic.as_slice() {
        magic if magic == fat::WRAPPER.to_le_bytes() => {
            let body = read(address, 24)?;
            let at = number(&body, 8, 8)?;
            let list = number(&body, 16, 8)?;
            let mut parts = Vec::new();
            if number(&body, 4, 4)? == LINKED && list != 0 {
                for slot in 0..MOST_PARTS {
                    let part = number(&read(list.checked_add(8 * slot)?, 8)?, 0, 8)?;
                    if part == 0 {
                        break;
                    }
                    parts.push((part, end_of_fat(part)?));
                }
            }
            Some(Image::Wrapper((at, end_of_fat(at)?), parts))
        }
        magic if magic == fat::MAGIC.to_le_bytes() => end_of_fat(address).map(Image::Bytes),
        b"\x7fELF" => {
            let head = read(address, container::HEADER)?;
            if container::is_container(&head) {
                return container::length(&head).map(Image::Bytes);
            }
            let table = number(&head, 40, 8)?;
            let (size, count) = (number(&head, 58, 2)?, number(&head, 60, 2)?);
            let mut end = table.checked_add(size * count)?;
            for i in 0..count {
                let section = read(address.checked_add(table)?.checked_add(i * size)?, 64)?;
                const NOBITS: usize = 8;
                if number(&section, 4, 4)? != NOBITS {
                    end = end.max(number(&section, 24, 8)?.checked_add(number(&section, 32, 8)?)?);
                }
            }
            // Programs' headers, which may lie behind everything.
            end = end.max(number(&head, 32, 8)?.checked_add(number(&head, 54, 2)? * number(&head, 56, 2)?)?);
            Some(Image::Bytes(end))
        }
        _ => None,
    }
}

/// The host's part of a copy of a box: where rows begin and how far apart they are.
pub struct Box3 {
    /// Bytes in front of each row.
    pub x: u64,
    /// Rows in front of the first, and slices.
    pub y: u64,
    /// As above.
    pub z: u64,
    /// Bytes from row to row, 0 for rows without gaps.
    pub pitch: u64,
    /// Rows from slice to slice, 0 for slices without gaps.
    pub rows: u64,
    /// Bytes of a row that are copied.
    pub width: u64,
    /// Rows that are copied.
    pub height: u64,
    /// Slices that are copied.
    pub depth: u64,
}

impl Box3 {
    /// Bytes from the address that the program gives to the end of what is copied.
    pub fn len(&self) -> u64 {
        if self.width == 0 || self.height == 0 || self.depth == 0 {
            return 0;
        }
        let pitch = if self.pitch == 0 { self.x.saturating_add(self.width) } else { self.pitch };
        let rows = if self.rows == 0 { self.y.saturating_add(self.height) } else { self.rows };
        let slices = self.z.saturating_add(self.depth - 1).saturating_mul(rows);
        let before = slices.saturating_add(self.y).saturating_add(self.height - 1).saturating_mul(pitch);
        before.saturating_add(self.x).saturating_add(self.width)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_end_with_their_last_row() {
        let two = Box3 { x: 4, y: 1, z: 0, pitch: 100, rows: 0, width: 10, height: 3, depth: 1 };
        assert_eq!(two.len(), 3 * 100 + 14);
        assert_eq!(Box3 { z: 1, rows: 8, depth: 2, ..two }.len(), (2 * 8 + 3) * 100 + 14);
        assert_eq!(Box3 { width: 0, x: 0, y: 0, z: 0, pitch: 0, rows: 0, height: 1, depth: 1 }.len(), 0);
    }

    #[test]
    fn images_say_how_long_they_are() {
        let mut memory = vec![0u8; 0x200];
        memory[..4].copy_from_slice(&fat::WRAPPER.to_le_bytes());
        memory[8..16].copy_from_slice(&0x40u64.to_le_bytes());
        memory[0x40..0x44].copy_from_slice(&fat::MAGIC.to_le_bytes());
        memory[0x46] = 16;
        memory[0x48] = 0x20;
        let read = |at: usize, len: usize| memory.get(at..at + len).map(<[u8]>::to_vec);
        assert!(matches!(image(0, read), Some(Image::Wrapper((0x40, 0x30), parts)) if parts.is_empty()));
        assert!(matches!(image(0x40, read), Some(Image::Bytes(0x30))));
        assert!(image(0x100, read).is_none() && image(0x1fe, read).is_none());
        // Two parts.
        (memory[4], memory[16]) = (2, 0x80);
        (memory[0x80], memory[0x88]) = (0x40, 0x40);
        let read = |at: usize, len: usize| memory.get(at..at + len).map(<[u8]>::to_vec);
        assert!(matches!(image(0, read), Some(Image::Wrapper(_, parts)) if parts == [(0x40, 0x30); 2]));
    }
}
