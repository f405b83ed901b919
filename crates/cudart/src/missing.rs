//! What is exported and not done yet. The build script writes the list: all exports that no `api!` block defines.

use crate::error::{self, Error};
use core::ffi::c_int;
use core::sync::atomic::{AtomicBool, Ordering};

fn refuse(name: &str, said: &AtomicBool) -> c_int {
    let silent = std::env::var_os("DOPPEL_LOG").is_some_and(|level| level == "off" || level == "error");
    if !said.swap(true, Ordering::Relaxed) && !silent {
        eprintln!("doppel: {name} is not implemented in this CUDA runtime");
    }
    error::remember(Error::NOT_SUPPORTED);
    Error::NOT_SUPPORTED.code()
}

macro_rules! missing {
    ($($name:ident;)*) => { $(
        #[unsafe(no_mangle)]
        pub extern "C" fn $name() -> c_int {
            static SAID: AtomicBool = AtomicBool::new(false);
            refuse(stringify!($name), &SAID)
        }
    )* };
}

include!(concat!(env!("OUT_DIR"), "/missing.rs"));
