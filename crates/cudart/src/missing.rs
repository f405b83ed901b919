//! What is exported and not done yet. The build script writes the list: all exports that no `api!` block defines.

use crate::error::{self, Error};
use core::ffi::c_int;
use core::sync::atomic::{AtomicBool, Ordering};

fn refuse(name: &str, said: &AtomicBool) -> c_int {
    let silent = std::env::var_os("DOPPEL_LOG").is_some_and(|level| level == "off" || level == "error");
    if !said.swap(true, Ordering::Relaxed) && !silent {
        eprintln!("doppel: {name} is not implemented in this CUDA runtime");
    }
    // NVIDIA's runtime 13.5 answers so over driver 580, which lacks what these need.
    let newer = name.starts_with("cudaSubgrid");
    let error = if newer { Error::CALL_REQUIRES_NEWER_DRIVER } else { Error::NOT_SUPPORTED };
    error::remember(error);
    error.code()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_driver_580_lacks_says_so() {
        let said = AtomicBool::new(true);
        assert_eq!(refuse("cudaSubgridCreate", &said), Error::CALL_REQUIRES_NEWER_DRIVER.code());
        assert_eq!(refuse("__cudaRegisterHostVar", &said), Error::NOT_SUPPORTED.code());
    }
}
