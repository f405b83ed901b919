//! Names of functions as the source has them. A crate of its own, as what reads C++ names is large: it is compiled once, and for size.

/// What a name of C++ stands for, with parameters; `None` if it is not one.
pub fn cpp(name: &[u8]) -> Option<String> {
    cpp_demangle::Symbol::new(name).ok()?.demangle().ok()
}

/// A function's name in C++, Rust or C. Rust's has no hash behind it.
pub fn function(name: &[u8]) -> String {
    let rust = core::str::from_utf8(name).ok().and_then(|name| rustc_demangle::try_demangle(name).ok());
    match rust {
        Some(rust) => format!("{rust:#}"),
        None => cpp(name).unwrap_or_else(|| String::from_utf8_lossy(name).into_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        let cases: [(&[u8], &str); 6] = [
            (b"_Z5scalePfi", "scale(float*, int)"),
            (b"_ZN4core3ptr13drop_in_place17h0123456789abcdefE", "core::ptr::drop_in_place"),
            (b"_RNvCs1234_7mycrate3foo", "mycrate::foo"),
            (b"main", "main"),
            (b"_Z5scaleP", "_Z5scaleP"),
            (b"\xffmain", "\u{fffd}main"),
        ];
        for (name, expected) in cases {
            assert_eq!(function(name), expected);
        }
        assert_eq!(cpp(b"main"), None);
    }
}
