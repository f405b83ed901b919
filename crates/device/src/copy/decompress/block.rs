//! The decoders: one block of packed bytes to its contents.
//!
//! The packed bytes are memory of our own, so that nobody changes them between a check and its use. The contents are
//! written to where they go. No decoder decides anything by a byte that it has written: nothing that is in that memory, or
//! comes into it meanwhile, can lead outside.

use zlib_rs::{Inflate, InflateFlush, Status};

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

    /// Unpacks a block of a kind that was prepared for. Returns how many bytes the contents have; `None` for a block that
    /// is not well-formed or whose contents do not fit. Allocates nothing while it runs.
    pub fn unpack(&mut self, algorithm: Algorithm, packed: &[u8], out: &mut [u8]) -> Option<usize> {
        match algorithm {
            Algorithm::Deflate => {
                let inflate = self.inflate.as_mut()?;
                let status = inflate.decompress(packed, out, InflateFlush::Finish);
                (status == Ok(Status::StreamEnd)).then(|| inflate.total_out() as usize)
            }
            Algorithm::Snappy => snappy(packed, out),
            Algorithm::Lz4 => match stored(packed) {
                Some(contents) => {
                    move_literal(out.get_mut(..contents.len())?, contents);
                    Some(contents.len())
                }
                None => lz4_flex::block::decompress_into(packed, out).ok(),
            },
        }
    }
}

/// What the tag of a Snappy element says: the length in the lowest 7 bits, for copies bits 8 to 10 of the distance in
/// their place, and from bit 11 on how many bytes of a number follow. For literals of more than 60 bytes the length says
/// how many.
static ELEMENTS: [u16; 256] = {
    let mut table = [0; 256];
    let mut tag = 0;
    while tag < 256 {
        table[tag] = match tag & 3 {
            0 => (tag >> 2) as u16 + 1,
            1 => ((tag >> 2 & 7) + 4) as u16 | ((tag >> 5) << 8) as u16 | 1 << 11,
            2 => ((tag >> 2) + 1) as u16 | 2 << 11,
            _ => ((tag >> 2) + 1) as u16 | 4 << 11,
        };
        tag += 1;
    }
    table
};

/// The bits of a number of so many bytes.
const MASKS: [u32; 8] = [0, 0xff, 0xffff, 0xff_ffff, u32::MAX, 0, 0, 0];

/// Bytes are moved in steps of this, where source and destination have room for a whole last step.
const STEP: usize = 16;

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

/// Elements of a Snappy block: literals, and copies of what was written before. Decided by tables rather than by
/// branches, which a processor would mispredict here.
fn snappy(packed: &[u8], out: &mut [u8]) -> Option<usize> {
    /// What an element takes at most: a tag, and a number, or a literal that is moved in one step.
    const READ: usize = 5 + STEP;
    /// What a copy writes, whatever its length is: the longest one.
    const WRITE: usize = 4 * STEP;
    let capacity = out.len();
    let (mut from, mut to) = (0, 0);
    // Away from both ends.
    while let Some(near) = packed.get(from..).and_then(|rest| rest.first_chunk::<READ>())
        && capacity - to >= WRITE
    {
        let tag = near[0] as usize;
        let element = ELEMENTS[tag] as usize;
        let length = element & 0x7f;
        let number = u32::from_le_bytes([near[1], near[2], near[3], near[4]]);
        if tag & 3 == 0 && length <= STEP {
            let step = *near[1..].first_chunk::<STEP>()?;
            *out.get_mut(to..)?.first_chunk_mut()? = step;
            from += 1 + length;
            to += length;
            continue;
        }
        if tag & 3 == 0 {
            let extra = length.saturating_sub(60);
            let length = if extra > 0 { (number & MASKS[extra]) as usize + 1 } else { length };
            from += 1 + extra;
            if length > packed.len() - from || length > capacity - to {
                return None;
            }
            move_literal(&mut out[to..to + length], &packed[from..from + length]);
            from += length;
            to += length;
            continue;
        }
        let extra = element >> 11;
        let distance = (element & 0x700) + (number & MASKS[extra]) as usize;
        from += 1 + extra;
        if distance == 0 || distance > to {
            return None;
        }
        let window = out.get_mut(to - distance..to + WRITE)?;
        if distance >= STEP {
            for at in [0, STEP, 2 * STEP, 3 * STEP] {
                let step = *window.get(at..)?.first_chunk::<STEP>()?;
                *window.get_mut(at + distance..)?.first_chunk_mut()? = step;
            }
        } else {
            for at in 0..length {
                window[distance + at] = window[at];
            }
        }
        to += length;
    }
    snappy_end(packed, out, from, to)
}

/// The rest of a block, near the end of what is read or written, step by step.
fn snappy_end(packed: &[u8], out: &mut [u8], mut from: usize, mut to: usize) -> Option<usize> {
    let capacity = out.len();
    let number = |at: usize, bytes: usize| -> Option<usize> {
        if let Some(word) = packed.get(at..).and_then(|rest| rest.first_chunk::<4>()) {
            let rest = 32 - 8 * bytes as u32;
            return Some((u32::from_le_bytes(*word) << rest >> rest) as usize);
        }
        let bytes = packed.get(at..at + bytes)?;
        Some(bytes.iter().rev().fold(0, |n, &b| n << 8 | b as usize))
    };
    while let Some(&tag) = packed.get(from) {
        from += 1;
        let tag = tag as usize;
        if tag & 3 == 0 {
            let mut length = (tag >> 2) + 1;
            if length > 60 {
                let extra = length - 60;
                length = number(from, extra)? + 1;
                from += extra;
            }
            if length > packed.len() - from || length > capacity - to {
                return None;
            }
            if length <= STEP && packed.len() - from >= STEP && capacity - to >= STEP {
                let step: [u8; STEP] = packed[from..from + STEP].try_into().ok()?;
                out[to..to + STEP].copy_from_slice(&step);
            } else {
                move_literal(&mut out[to..to + length], &packed[from..from + length]);
            }
            from += length;
            to += length;
            continue;
        }
        let (length, distance) = match tag & 3 {
            1 => {
                let low = number(from, 1)?;
                from += 1;
                ((tag >> 2 & 7) + 4, tag >> 5 << 8 | low)
            }
            2 => {
                let distance = number(from, 2)?;
                from += 2;
                ((tag >> 2) + 1, distance)
            }
            _ => {
                let distance = number(from, 4)?;
                from += 4;
                ((tag >> 2) + 1, distance)
            }
        };
        if distance == 0 || distance > to || length > capacity - to {
            return None;
        }
        if distance >= STEP && length.next_multiple_of(STEP) <= capacity - to {
            let mut done = 0;
            while done < length {
                let at = to + done;
                let step: [u8; STEP] = out[at - distance..at - distance + STEP].try_into().ok()?;
                out[at..at + STEP].copy_from_slice(&step);
                done += STEP;
            }
        } else {
            for at in to..to + length {
                out[at] = out[at - distance];
            }
        }
        to += length;
    }
    Some(to)
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
        decoder.unpack(algorithm, packed, out)
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
    fn snappy_agrees_with_the_reference() {
        let mut dice = Dice(12345);
        let contents = &samples()[0];
        let packed = pack(Algorithm::Snappy, contents);
        for _ in 0..2000 {
            let mut bytes = packed.clone();
            let at = dice.next(bytes.len());
            bytes[at] = dice.next(256) as u8;
            // The reference wants the length in front, and to be exact.
            let ours = unpacked(Algorithm::Snappy, &bytes, contents.len()).filter(|o| o.len() == contents.len());
            let mut framed = Vec::new();
            let mut n = contents.len();
            while n >= 0x80 {
                framed.push(n as u8 | 0x80);
                n >>= 7;
            }
            framed.push(n as u8);
            framed.extend_from_slice(&bytes);
            assert_eq!(ours, snap::raw::Decoder::new().decompress_vec(&framed).ok());
        }
    }
}
