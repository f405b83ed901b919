//! Fat binaries, whole and damaged.

use crate::mutate::{self, Random};

const LZ4: u64 = 0x2000;
const ZSTD: u64 = 0x8000;

/// One entry: header and payload.
fn entry(kind: u16, architecture: u32, text: &[u8], random: &mut Random) -> Vec<u8> {
    let mut flags = 0x11;
    let mut payload = text.to_vec();
    match random.below(3) {
        0 => {
            flags |= LZ4;
            payload = lz4_flex::block::compress(text);
        }
        1 => {
            flags |= ZSTD;
            payload = ruzstd::encoding::compress_to_vec(text, ruzstd::encoding::CompressionLevel::Fastest);
        }
        _ => {}
    }
    let packed = flags & (LZ4 | ZSTD) != 0;
    if random.below(8) == 0 {
        flags |= 1 << random.below(26);
    }
    let header = 64 + 8 * random.below(3);
    let padded = payload.len().next_multiple_of(8);
    let mut bytes = vec![0; header];
    bytes[..2].copy_from_slice(&kind.to_le_bytes());
    bytes[2..4].copy_from_slice(&[1, 1]);
    bytes[4..8].copy_from_slice(&(header as u32).to_le_bytes());
    bytes[8..16].copy_from_slice(&(padded as u64).to_le_bytes());
    if packed {
        bytes[16..20].copy_from_slice(&(payload.len() as u32).to_le_bytes());
        bytes[56..64].copy_from_slice(&(text.len() as u64).to_le_bytes());
    }
    bytes[28..32].copy_from_slice(&architecture.to_le_bytes());
    bytes[40..48].copy_from_slice(&flags.to_le_bytes());
    bytes.extend_from_slice(&payload);
    bytes.resize(header + padded, 0);
    bytes
}

/// A fat binary with a few entries; most are damaged, in their text or in the container.
pub fn fat_binary(corpus: &[String], words: &[String], random: &mut Random) -> Vec<u8> {
    let mut body = Vec::new();
    for _ in 0..random.below(4) {
        let kind = *random.pick(&[1, 1, 1, 2, 8, 0x100]);
        let architecture = *random.pick(&[52, 70, 75, 80, 90, 120]);
        let mut text = random.pick(corpus).clone();
        if random.below(3) == 0 {
            text = mutate::text(&text, words, random);
        }
        text.push('\0');
        body.extend(entry(kind, architecture, text.as_bytes(), random));
    }
    let mut bytes = 0xba55_ed50u32.to_le_bytes().to_vec();
    bytes.extend_from_slice(&[1, 0, 16, 0]);
    bytes.extend_from_slice(&(body.len() as u64).to_le_bytes());
    bytes.extend_from_slice(&body);
    // The header is small and decides much.
    if random.below(2) == 0 {
        let at = bytes.len().min(96);
        let mut head = bytes[..at].to_vec();
        mutate::bytes(&mut head, &bytes, random);
        bytes.splice(..at, head);
    } else {
        mutate::bytes(&mut bytes, corpus[0].as_bytes(), random);
    }
    bytes
}
