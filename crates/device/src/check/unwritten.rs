//! Which bytes of device memory nobody has written: a bit for each, only of allocations that are young enough to have any.
//!
//! Memory is looked at from its allocation on, if it is plain device memory or of a pool. What the host or another process can write
//! without our seeing it counts as written: managed memory, host memory, what was exported, variables of modules.

use core::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, AtomicUsize, Ordering};
use parking_lot::RwLock;
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// Bytes of memory that are looked after together, and words of bits for them.
const PIECE: usize = 64 << 10;
const WORDS: usize = PIECE / 64;
/// Bytes that bits take at most in all. Pieces that there is no room for count as written.
const MOST: usize = 256 << 20;

static TAKEN: AtomicUsize = AtomicUsize::new(0);

/// The bits of a piece of which a part is written: 1 for a byte that is.
struct Bits {
    words: Box<[AtomicU64]>,
    left: AtomicU32,
}

impl Bits {
    fn new() -> Bits {
        Bits { words: (0..WORDS).map(|_| AtomicU64::new(0)).collect(), left: AtomicU32::new(PIECE as u32) }
    }

    /// Calls a function with each word of a range, and the bits that are meant.
    fn each(&self, from: usize, to: usize, mut f: impl FnMut(&AtomicU64, u64) -> bool) -> bool {
        let mut at = from;
        while at < to {
            let end = to.min(at / 64 * 64 + 64);
            let mask = u64::MAX >> (64 - (end - at)) << (at % 64);
            if !f(&self.words[at / 64], mask) {
                return false;
            }
            at = end;
        }
        true
    }
}

#[derive(Default)]
struct Piece {
    written: AtomicBool,
    bits: OnceLock<Bits>,
}

/// An allocation.
struct Shadow {
    base: usize,
    bytes: usize,
    pieces: Box<[Piece]>,
    /// Pieces that are not written as a whole.
    left: AtomicUsize,
}

impl Shadow {
    fn new(base: usize, bytes: usize) -> Shadow {
        let count = bytes.div_ceil(PIECE);
        let pieces = (0..count).map(|_| Piece::default()).collect();
        Shadow { base, bytes, pieces, left: AtomicUsize::new(count) }
    }

    /// The part of a range that belongs to each piece.
    fn parts(&self, from: usize, to: usize) -> impl Iterator<Item = (&Piece, usize, usize, usize)> {
        (from / PIECE..to.div_ceil(PIECE)).map(move |i| {
            let start = i * PIECE;
            let size = PIECE.min(self.bytes - start);
            (&self.pieces[i], from.max(start) - start, to.min(start + size) - start, size)
        })
    }

    fn finish(&self, piece: &Piece) {
        if !piece.written.swap(true, Ordering::Relaxed) {
            self.left.fetch_sub(1, Ordering::Relaxed);
        }
    }

    fn write(&self, from: usize, to: usize) {
        if self.left.load(Ordering::Relaxed) == 0 {
            return;
        }
        for (piece, from, to, size) in self.parts(from, to) {
            if piece.written.load(Ordering::Relaxed) {
                continue;
            }
            if from == 0 && to == size {
                self.finish(piece);
                continue;
            }
            if piece.bits.get().is_none() && TAKEN.fetch_add(PIECE / 8, Ordering::Relaxed) >= MOST {
                TAKEN.fetch_sub(PIECE / 8, Ordering::Relaxed);
                self.finish(piece);
                continue;
            }
            let bits = piece.bits.get_or_init(Bits::new);
            let mut new = 0;
            bits.each(from, to, |word, mask| {
                if word.load(Ordering::Relaxed) & mask != mask {
                    new += (mask & !word.fetch_or(mask, Ordering::Relaxed)).count_ones();
                }
                true
            });
            let behind = (PIECE - size) as u32;
            if new > 0 && bits.left.fetch_sub(new, Ordering::Relaxed) == new + behind {
                self.finish(piece);
            }
        }
    }

    fn is_unwritten(&self, from: usize, to: usize) -> bool {
        self.parts(from, to).all(|(piece, from, to, _)| {
            !piece.written.load(Ordering::Relaxed)
                && piece
                    .bits
                    .get()
                    .is_none_or(|bits| bits.each(from, to, |word, mask| word.load(Ordering::Relaxed) & mask == 0))
        })
    }
}

impl Drop for Shadow {
    fn drop(&mut self) {
        let bits = self.pieces.iter().filter(|piece| piece.bits.get().is_some()).count();
        TAKEN.fetch_sub(bits * (PIECE / 8), Ordering::Relaxed);
    }
}

static SHADOWS: RwLock<BTreeMap<usize, Shadow>> = RwLock::new(BTreeMap::new());

/// Calls a function with each allocation that a range overlaps, and the part of it.
fn each(base: usize, bytes: usize, mut f: impl FnMut(&Shadow, usize, usize)) {
    let end = base.saturating_add(bytes);
    let shadows = SHADOWS.read();
    let before = shadows.range(..base).next_back();
    for (_, shadow) in before.into_iter().chain(shadows.range(base..end)) {
        let (from, to) = (base.max(shadow.base), end.min(shadow.base + shadow.bytes));
        if from < to {
            f(shadow, from - shadow.base, to - shadow.base);
        }
    }
}

/// Memory has come to life that nobody has written.
pub fn begin(base: usize, bytes: usize) {
    if bytes > 0 {
        SHADOWS.write().insert(base, Shadow::new(base, bytes));
    }
}

/// Memory counts as written from now on, until it is allocated again.
pub fn forget(base: usize, bytes: usize) {
    let end = base.saturating_add(bytes);
    let mut shadows = SHADOWS.write();
    let before = shadows.range(..base).next_back().filter(|(_, s)| s.base + s.bytes > base).map(|(&at, _)| at);
    let gone: Vec<usize> = before.into_iter().chain(shadows.range(base..end).map(|(&at, _)| at)).collect();
    for at in gone {
        shadows.remove(&at);
    }
}

/// Bytes are written.
pub fn write(base: usize, bytes: usize) {
    each(base, bytes, Shadow::write);
}

/// Whether nobody has written any of some bytes.
pub fn is_unwritten(address: usize, bytes: usize) -> bool {
    let (mut unwritten, mut seen) = (true, 0);
    each(address, bytes, |shadow, from, to| {
        unwritten &= shadow.is_unwritten(from, to);
        seen += to - from;
    });
    unwritten && seen == bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_written_one_by_one_and_in_whole_pieces() {
        // No address of the process.
        let base = 0x7000_0000_0000usize;
        begin(base, 3 * PIECE + 100);
        assert!(
            is_unwritten(base, 3 * PIECE + 100) && !is_unwritten(base - 1, 2) && !is_unwritten(base + 3 * PIECE, 101)
        );
        write(base + 7, 1);
        assert!(
            !is_unwritten(base + 7, 1) && is_unwritten(base, 7) && is_unwritten(base + 8, 8) && !is_unwritten(base, 8)
        );
        write(base + PIECE - 60, PIECE + 120);
        assert!(!is_unwritten(base + PIECE, PIECE) && is_unwritten(base + 2 * PIECE + 60, 4));
        assert!(!is_unwritten(base + 2 * PIECE + 59, 4) && is_unwritten(base + 64, 64));
        for at in 0..100 {
            assert!(is_unwritten(base + 3 * PIECE + at, 1));
            write(base + 3 * PIECE + at, 1);
        }
        let left = || SHADOWS.read()[&base].left.load(Ordering::Relaxed);
        assert_eq!(left(), 2, "the second and the last");
        forget(base + 5, 1);
        assert!(!is_unwritten(base + 100, 1) && !SHADOWS.read().contains_key(&base));
    }
}
