//! Bounds on what an image may be, each with its unit and its reason.

/// Bytes of the largest image of a module. Lengths beyond it are taken for damage, before anything is reserved for them.
pub const LARGEST_IMAGE: usize = 1 << 30;
/// Up to so many bytes a packed image is unpacked whatever it claims; beyond it, a packed byte may stand for at most
/// [`MOST_TEXT_OF_BYTE`] bytes. Few bytes cannot make the process reserve a lot of memory so.
pub const FREELY_UNPACKED: usize = 64 << 20;
/// Bytes of text that a packed byte stands for at most: several times what compilers' output comes to.
pub const MOST_TEXT_OF_BYTE: usize = 64;
