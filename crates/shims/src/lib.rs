//! `libdoppel-shims.so`: NVRTC and nvJitLink, of both versions, in one library.
//!
//! Most of each is the same: what reads PTX, and Rust's standard library. The files of the names that programs know
//! (`libnvrtc.so.12`) have nothing but those names, each a jump to the function here, whose name begins with that of the library:
//! `crates/link-compilers.sh` makes them.

use doppel_nvjitlink12 as _;
use doppel_nvjitlink13 as _;
use doppel_nvrtc12 as _;
use doppel_nvrtc13 as _;
// Defines what the standard library unwinds with: libgcc_s is not linked.
extern crate unwinder as _;
