//! Tells the source which version of NVRTC it is.

fn main() {
    let package = std::env::var("CARGO_PKG_NAME").expect("package");
    let version = package.trim_start_matches("doppel-nvrtc");
    println!("cargo:rerun-if-changed=../build.rs");
    println!("cargo:rustc-check-cfg=cfg(nvrtc, values(\"12\", \"13\"))");
    println!("cargo:rustc-cfg=nvrtc=\"{version}\"");
    // What the names of its functions begin with in the library that both versions lie in (crates/link-compilers.sh).
    println!("cargo:rustc-env=PREFIX=doppel_nvrtc{version}_");
}
