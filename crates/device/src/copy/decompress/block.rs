//! The decoders: one block of packed bytes to its contents.
//!
//! The packed bytes are memory of our own, so that nobody changes them between a check and its use. The contents are
//! written to where they go. No decoder decides anything by a byte that it has written: nothing that is in that memory, or
//! comes into it meanwhile, can lead outside.

use zlib_rs::{Inflate, InflateFlush, Status};

/// So many bytes in front of a block are the decoders'.
pub const FRONT: usize = 5;

/// How a block is packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algorithm {
    /// A raw stream of RFC 1951.
    Deflate,
    /// Elements of the Snappy format, without the length in front.
    Snappy,
    /// A raw LZ4 block.
    Lz4,
}

impl Algorithm {
    /// Its bit in a device's mask of algorithms.
    pub fn bit(self) -> u32 {
        match self {
            Algorithm::Deflate => 1,
            Algorithm::Snappy => 2,
            Algorithm::Lz4 => 4,
        }
    }
}

/// What decoders reuse from block to block.
#[derive(Default)]
pub struct Decoder {
    /// For DEFLATE: its window and tables are costly to set up.
    inflate: Option<Inflate>,
}

impl Decoder {
    /// Gets ready for blocks of a kind.
    pub fn prepare(&mut self, algorithm: Algorithm) {
        const WINDOW_BITS: u8 = 15;
        if algorithm == Algorithm::Deflate {
            self.inflate.get_or_insert_with(|| Inflate::new(false, WINDOW_BITS)).reset(false);
        }
    }

    /// Unpacks a block of a kind that was prepared for, which lies in `memory` behind [`FRONT`] bytes that are overwritten. Returns how
    /// many bytes the contents have; `None` for a block that is not well-formed or whose contents do not fit. Allocates nothing
    /// while it runs.
    pub fn unpack(&mut self, algorithm: Algorithm, memory: &mut [u8], out: &mut [u8]) -> Option<usize> {
        match algorithm {
            Algorithm::Deflate => {
                let inflate = self.inflate.as_mut()?;
                let status = inflate.decompress(memory.get(FRONT..)?, out, InflateFlush::Finish);
                (status == Ok(Status::StreamEnd)).then(|| inflate.total_out() as usize)
            }
            Algorithm::Snappy => snappy(memory, out),
            Algorithm::Lz4 => {
                let packed = memory.get(FRONT..)?;
                match stored(packed) {
                    Some(contents) => {
                        move_literal(out.get_mut(..contents.len())?, contents);
                        Some(contents.len())
                    }
                    None => lz4_flex::block::decompress_into(packed, out).ok(),
                }
            }
        }
    }
}

/// The contents of an LZ4 block that is one long literal: what has no structure is stored so.
fn stored(packed: &[u8]) -> Option<&[u8]> {
    let (&token, mut rest) = packed.split_first()?;
    if token >> 4 != 15 {
        return None;
    }
    let mut length = 15;
    loop {
        let (&more, behind) = rest.split_first()?;
        (length, rest) = (length + usize::from(more), behind);
        if more != u8::MAX {
            return (rest.len() == length).then_some(rest);
        }
    }
}

/// Moves long literals, piece by piece: for more the C library takes `rep movsb`, with which some processors are 15 times slower
/// where source and destination lie badly to each other.
fn move_literal(to: &mut [u8], from: &[u8]) {
    const PIECE: usize = 1024;
    for (to, from) in to.chunks_mut(PIECE).zip(from.chunks(PIECE)) {
        to.copy_from_slice(from);
    }
}

/// Unpacks a Snappy block. The library wants the length of the contents in front of the elements, which a device's blocks lack:
/// most have as many bytes as there is room, as the program says; for others the elements are counted.
fn snappy(memory: &mut [u8], out: &mut [u8]) -> Option<usize> {
    let block = memory.get(FRONT..)?;
    // What has no structure is stored so.
    if elements(block).all(|element| matches!(element, Some(Element::Literal(_)))) {
        let mut at = 0;
        for element in elements(block) {
            let Some(Element::Literal(literal)) = element else { return None };
            move_literal(out.get_mut(at..at + literal.len())?, literal);
            at += literal.len();
        }
        return Some(at);
    }
    let capacity = out.len();
    if let Some(length) = decode(memory, capacity, out) {
        return Some(length);
    }
    let block = memory.get(FRONT..)?;
    let length = elements(block).try_fold(0, |sum: usize, element| match element? {
        Element::Literal(literal) => Some(sum + literal.len()),
        Element::Copy(length) => Some(sum + length),
    });
    // If its length was right, something else is wrong with it.
    length.filter(|&length| length < capacity).and_then(|length| decode(memory, length, out))
}

/// Unpacks a Snappy block whose contents have so many bytes.
fn decode(memory: &mut [u8], length: usize, out: &mut [u8]) -> Option<usize> {
    snap::raw::Decoder::new().decompress(with_length(memory, length)?, out).ok()
}

/// What a Snappy block is made of.
enum Element<'a> {
    Literal(&'a [u8]),
    /// So many bytes of what was written before.
    Copy(usize),
}

/// The elements of a Snappy block. `None` where one is cut off, which is the last.
fn elements(mut rest: &[u8]) -> impl Iterator<Item = Option<Element<'_>>> {
    core::iter::from_fn(move || {
        let (&tag, behind) = rest.split_first()?;
        let bits = usize::from(tag >> 2);
        let copy = |number: usize, length| Some((Element::Copy(length), behind.get(number..)?));
        let next = match tag & 3 {
            0 => {
                let digits = bits.saturating_sub(59);
                behind.split_at_checked(digits).and_then(|(digits, behind)| {
                    let length = digits.iter().rev().fold(0, |n, &digit| n << 8 | usize::from(digit));
                    let length = if digits.is_empty() { bits } else { length } + 1;
                    behind.split_at_checked(length).map(|(literal, rest)| (Element::Literal(literal), rest))
                })
            }
            1 => copy(1, (bits & 7) + 4),
            2 => copy(2, bits + 1),
            _ => copy(4, bits + 1),
        };
        rest = next.as_ref().map_or(&[], |(_, rest)| rest);
        Some(next.map(|(element, _)| element))
    })
}

/// Writes a length in front of a block, as bytes of 7 bits, and returns both.
fn with_length(memory: &mut [u8], length: usize) -> Option<&[u8]> {
    let length = u32::try_from(length).ok()?;
    let bytes = (u32::BITS - length.leading_zeros()).div_ceil(7).max(1) as usize;
    let start = FRONT.checked_sub(bytes)?;
    for (i, byte) in memory.get_mut(start..FRONT)?.iter_mut().enumerate() {
        let more = if i + 1 < bytes { 0x80 } else { 0 };
        *byte = (length >> (7 * i)) as u8 & 0x7f | more;
    }
    memory.get(start..)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub fn pack(algorithm: Algorithm, contents: &[u8]) -> Vec<u8> {
        match algorithm {
            Algorithm::Deflate => miniz_oxide::deflate::compress_to_vec(contents, 6),
            Algorithm::Lz4 => lz4_flex::block::compress(contents),
            Algorithm::Snappy => {
                let packed = snap::raw::Encoder::new().compress_vec(contents).unwrap();
                let length = packed.iter().position(|b| b & 0x80 == 0).unwrap() + 1;
                packed[length..].to_vec()
            }
        }
    }

    /// Numbers from a seed.
    struct Dice(u64);
    impl Dice {
        fn next(&mut self, below: usize) -> usize {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            (self.0 >> 11) as usize % below
        }
    }

    fn samples() -> Vec<Vec<u8>> {
        let mut dice = Dice(0x9e3779b97f4a7c15);
        let words: Vec<Vec<u8>> =
            (0..300).map(|_| (0..1 + dice.next(9)).map(|_| b'a' + dice.next(26) as u8).collect()).collect();
        let mut text = Vec::new();
        while text.len() < 9000 {
            text.extend_from_slice(&words[dice.next(300) * dice.next(300) / 300]);
            text.push(b' ');
        }
        let noise: Vec<u8> = (0..3000).map(|_| dice.next(256) as u8).collect();
        let runs: Vec<u8> = (0..60).flat_map(|i| vec![i as u8; 1 + dice.next(200)]).collect();
        let columns: Vec<u8> = (0..1500u32).flat_map(|i| (i * 3 + (i >> 5)).to_le_bytes()).collect();
        vec![text, noise, runs, columns, Vec::new(), vec![7], b"abcd".repeat(16)]
    }

    const ALL: [Algorithm; 3] = [Algorithm::Deflate, Algorithm::Snappy, Algorithm::Lz4];

    fn unpack(algorithm: Algorithm, packed: &[u8], out: &mut [u8]) -> Option<usize> {
        let mut decoder = Decoder::default();
        decoder.prepare(algorithm);
        let mut memory = vec![0xff; FRONT];
        memory.extend_from_slice(packed);
        decoder.unpack(algorithm, &mut memory, out)
    }

    fn unpacked(algorithm: Algorithm, packed: &[u8], capacity: usize) -> Option<Vec<u8>> {
        let mut out = vec![0xa5; capacity];
        let count = unpack(algorithm, packed, &mut out)?;
        out.truncate(count);
        Some(out)
    }

    #[test]
    fn packed_contents_are_unpacked() {
        for contents in samples() {
            for algorithm in ALL {
                let packed = pack(algorithm, &contents);
                for room in [0, 1, 100] {
                    let out = unpacked(algorithm, &packed, contents.len() + room);
                    assert_eq!(out.as_deref(), Some(&contents[..]), "{algorithm:?}");
                }
                if !contents.is_empty() {
                    assert_eq!(unpacked(algorithm, &packed, contents.len() - 1), None, "{algorithm:?}");
                }
            }
        }
    }

    #[test]
    fn known_blocks() {
        let contents = b"abcd".repeat(16);
        let blocks: [(Algorithm, &[u8]); 3] = [
            (Algorithm::Deflate, &[0x4b, 0x4c, 0x4a, 0x4e, 0x49, 0xa4, 0x00, 0x03, 0x00]),
            (Algorithm::Snappy, &[0x0c, b'a', b'b', b'c', b'd', 0xee, 0x04, 0x00]),
            (Algorithm::Lz4, &[0x4f, b'a', b'b', b'c', b'd', 4, 0, 0x24, 0x50, b'd', b'a', b'b', b'c', b'd']),
        ];
        for (algorithm, packed) in blocks {
            let out = unpacked(algorithm, packed, 64).unwrap_or_default();
            assert!(contents.starts_with(&out) && out.len() >= 60, "{algorithm:?} {out:?}");
        }
    }

    #[test]
    fn damaged_blocks_write_only_inside_their_buffers() {
        let mut dice = Dice(88172645463325252);
        let samples = samples();
        for algorithm in ALL {
            let packed: Vec<Vec<u8>> = samples.iter().map(|s| pack(algorithm, s)).collect();
            for _ in 0..10_000 {
                let which = dice.next(samples.len());
                let mut bytes = packed[which].clone();
                match dice.next(4) {
                    0 => bytes.truncate(dice.next(bytes.len() + 1)),
                    1 => bytes.extend((0..dice.next(20)).map(|_| dice.next(256) as u8)),
                    _ => {
                        for _ in 0..1 + dice.next(6) {
                            if let n @ 1.. = bytes.len() {
                                bytes[dice.next(n)] = dice.next(256) as u8;
                            }
                        }
                    }
                }
                let capacity = match dice.next(3) {
                    0 => dice.next(samples[which].len() + 1),
                    _ => samples[which].len(),
                };
                // Guard bytes behind the room as well as a count that stays inside.
                let mut out = vec![0xa5; capacity + 64];
                let (room, guard) = out.split_at_mut(capacity);
                if let Some(count) = unpack(algorithm, &bytes, room) {
                    assert!(count <= capacity);
                }
                assert!(guard.iter().all(|&b| b == 0xa5));
            }
        }
    }

    #[test]
    fn literals_of_each_length() {
        let contents: Vec<u8> = (0..70_000u32).map(|i| ((i * 7) >> 3) as u8).collect();
        let (mut packed, mut from) = (Vec::new(), 0);
        for (length, digits) in [(1, 0), (60, 0), (61, 1), (256, 1), (257, 2), (40_000, 2), (300, 3), (200, 4)] {
            let tag = if digits == 0 { length - 1 } else { 59 + digits };
            packed.push((tag << 2) as u8);
            packed.extend_from_slice(&(length as u32 - 1).to_le_bytes()[..digits]);
            packed.extend_from_slice(&contents[from..from + length]);
            from += length;
        }
        let whole = Some(&contents[..from]);
        assert_eq!(unpacked(Algorithm::Snappy, &packed, from + 9).as_deref(), whole);
        assert_eq!(unpacked(Algorithm::Snappy, &packed, from - 1), None);
        assert_eq!(unpacked(Algorithm::Snappy, &packed[..packed.len() - 1], from), None, "the last one is cut off");
        // A copy of the last byte, and one from before the beginning.
        packed.extend_from_slice(&[(1 << 2) | 2, 1, 0]);
        let more = unpacked(Algorithm::Snappy, &packed, 70_000).unwrap();
        assert_eq!((more.len(), &more[from..]), (from + 2, &[contents[from - 1]; 2][..]));
        packed.extend_from_slice(&[3, 0xff, 0xff, 0xff, 0]);
        assert_eq!(unpacked(Algorithm::Snappy, &packed, 70_000), None);
    }
}
