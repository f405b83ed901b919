//! The memory that threads of kernels have beside allocations, in the space of this process.

use crate::memory::lookup::space;
pub use crate::space::thread_memory::GRAIN;

/// `bytes` bytes for threads, all zero, from a multiple of [`GRAIN`]. `None` when there is not so much.
pub fn take(bytes: usize) -> Option<usize> {
    space().ok()?.thread_memory().take(bytes)
}

/// Takes back what [`take`] gave for so many bytes.
pub fn give(at: usize, bytes: usize) {
    if let Ok(space) = space() {
        space.thread_memory().give(at, bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_zero_and_apart() {
        let mut live: Vec<(usize, usize)> = Vec::new();
        let mut x = 88172645463325252u64;
        for _ in 0..3000 {
            x ^= x << 13;
            x ^= x >> 7;
            x ^= x << 17;
            if live.len() > 60 || x & 3 == 0 && !live.is_empty() {
                let (at, bytes) = live.swap_remove(x as usize / 8 % live.len());
                give(at, bytes);
                continue;
            }
            let bytes = (x >> 8) as usize % if x & 64 == 0 { 1 << 20 } else { 3000 };
            let at = take(bytes).unwrap();
            assert_eq!(at % GRAIN, 0);
            // SAFETY: the piece has so many bytes, and is nobody else's.
            let piece = unsafe { core::slice::from_raw_parts_mut(at as *mut u8, bytes) };
            assert!(piece.iter().all(|&b| b == 0));
            piece.fill(7);
            live.push((at, bytes));
        }
        live.sort_unstable();
        assert!(live.windows(2).all(|w| w[0].0 + w[0].1 <= w[1].0));
        let whole = space().unwrap().whole();
        assert!(live.iter().all(|&(at, bytes)| whole.contains(&at) && at + bytes <= whole.end));
        assert!(take(usize::MAX).is_none() && take(1 << 60).is_none());
        live.into_iter().for_each(|(at, bytes)| give(at, bytes));
    }
}
