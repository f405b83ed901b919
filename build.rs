//! Gives the shared library the name that programs ask the loader for.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,libcuda.so.1");
    // Worker threads and a signal handler live in this code: `dlclose` must not unmap it.
    println!("cargo:rustc-cdylib-link-arg=-Wl,-z,nodelete");
    // The function table must hold our own functions even where another library of this name is loaded globally.
    println!("cargo:rustc-cdylib-link-arg=-Wl,-Bsymbolic");
    // Bounds of the function table are the linker's symbols; they are not part of the interface.
    println!("cargo:rustc-cdylib-link-arg=-Wl,-z,start-stop-visibility=hidden");
}
