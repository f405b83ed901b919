//! Doppel: a drop-in `libcuda.so.1`. `docs/ARCHITECTURE.md` describes the rooms of this crate.

// Defines what the standard library unwinds with: libgcc_s is not linked.
extern crate unwinder as _;

pub mod abi;
pub mod dispatch;
pub mod forward;
pub mod layers;
pub mod show;
pub mod table;

/// Runs when the loader maps the library, before the program can fork a second time: from here on, a child of a process
/// that started the device knows that it has none. The mode is not chosen here but at the first call, because programs
/// set the environment for it after we are preloaded.
///
/// # Safety
/// Runs before `main`, possibly before the runtime of any language: it may only register an address with libc.
#[ctor::ctor]
unsafe fn loaded() {
    device::watch_forks();
}
