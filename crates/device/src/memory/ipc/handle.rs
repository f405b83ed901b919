//! What a program passes on to another process.

use crate::base::handle_words::Carried;

/// A handle for another process.
pub type Handle = Carried;

/// Process and descriptor in one word.
pub(super) fn source(descriptor: i32) -> u64 {
    u64::from(std::process::id()) << 32 | descriptor as u64
}
