//! What stands for NVIDIA's `ptxas`, `nvcc` and `fatbinary` where kernels run on the CPU.
//!
//! Nothing there needs machine code: what asks for it gets a container with the PTX (`container`). In other modes than
//! `cpu`, and for what needs no change, the real program is run in our place.

// Defines what the standard library unwinds with: libgcc_s is not linked.
extern crate unwinder as _;

pub mod fatbinary;
pub mod inside;
pub mod nvcc;
pub mod options;
pub mod ptxas;
pub mod real;
mod statistics;

use std::io::{Read, Write};

/// The release of NVIDIA's tools that ours stand for. Its newest PTX is the newest that the front understands.
pub const RELEASE: (u32, u32) = (13, 5);

/// What `--version` prints: NVIDIA's form, which programs take the release from, and another build, so that what they
/// keep in caches by this text is never taken for a real tool's.
pub fn version(tool: &str, what: &str) -> String {
    let (major, minor) = RELEASE;
    let own = env!("CARGO_PKG_VERSION");
    format!(
        "{tool}: Doppel's {what}\nCuda compilation tools, release {major}.{minor}, V{major}.{minor}.0\nBuild doppel_{own}\n"
    )
}

/// What every `--version` of ours has in it, and no real one.
pub const MARK: &str = concat!("Build doppel_", env!("CARGO_PKG_VERSION"));

/// Writes to a stream, and says whether all of it went there.
pub fn print(mut to: impl Write, text: &str) -> bool {
    to.write_all(text.as_bytes()).and_then(|()| to.flush()).is_ok()
}

/// What a file holds, if that is at most so many bytes: others, such as devices, may have no end.
pub fn read(file: impl AsRef<std::path::Path>, most: usize) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let file = std::fs::File::open(file).ok()?;
    file.take(most as u64 + 1).read_to_end(&mut bytes).ok()?;
    (bytes.len() <= most).then_some(bytes)
}

/// Bytes of an input, at most: the front counts lines in 32 bits.
pub const LARGEST: usize = 1 << 30;
