//! Names of libraries: which ones are asked for, and in which version.

/// When a library is replaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// Always: there need not be a real one.
    Always,
    /// Where there is a real one.
    Existing {
        /// Ours does its work with the real one, and has to know where that is.
        over_real: bool,
    },
}

/// A library that we have one of our own for.
#[derive(Debug, PartialEq, Eq)]
pub struct Library {
    /// Its name up to `.so`.
    pub stem: &'static [u8],
    pub rule: Rule,
    /// The first numbers of the versions that we have. The only one of a library that is always replaced stands for all.
    pub versions: &'static [u8],
}

/// All of them. One that is not beside this library is not replaced.
pub const LIBRARIES: [Library; 5] = [
    Library { stem: b"libcuda", rule: Rule::Always, versions: &[1] },
    Library { stem: b"libnvidia-ml", rule: Rule::Always, versions: &[1] },
    Library { stem: b"libcudart", rule: Rule::Existing { over_real: false }, versions: &[12, 13] },
    Library { stem: b"libnvrtc", rule: Rule::Existing { over_real: true }, versions: &[12, 13] },
    Library { stem: b"libnvJitLink", rule: Rule::Existing { over_real: true }, versions: &[12, 13] },
];

/// What lies behind those over a real one, with the slash before its name.
pub const BEHIND: &[u8] = b"/libdoppel-shims.so";

/// A request for one of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Asked<'n> {
    pub library: &'static Library,
    /// The first number of the version, if the name has one.
    pub version: Option<u8>,
    /// The folder, without its last slash; empty for a name without one.
    pub folder: &'n [u8],
}

/// What a name or a path asks for, if it is one of ours: `libcudart.so.13`, `/x/libcudart.so.13.0.88`, or
/// `libcudart-9f92e4c3.so.13.3.29` as builders of wheels change names.
pub fn read(name: &[u8]) -> Option<Asked<'_>> {
    let slash = name.iter().rposition(|&b| b == b'/');
    let (folder, base) = match slash {
        Some(at) => (name.get(..at)?, name.get(at + 1..)?),
        None => (&name[..0], name),
    };
    let (library, rest) =
        LIBRARIES.iter().find_map(|library| Some((library, base.strip_prefix(library.stem)?)).filter(ends))?;
    let rest = rest.strip_prefix(b"-").map_or(Some(rest), without_hash)?;
    let version = match rest.strip_prefix(b".so")? {
        [] => None,
        [b'.', version @ ..] if version.iter().all(|b| b.is_ascii_digit() || *b == b'.') => {
            Some(first_number(version)?)
        }
        _ => return None,
    };
    let ours = match (library.rule, version) {
        (Rule::Existing { .. }, Some(version)) => library.versions.contains(&version),
        _ => true,
    };
    ours.then_some(Asked { library, version, folder })
}

/// Whether the stem ends there: `libcuda` is not `libcudart`.
fn ends((_, rest): &(&Library, &[u8])) -> bool {
    matches!(rest.first(), Some(b'.' | b'-'))
}

/// What follows the hash that a builder of wheels puts between a library's name and its version.
fn without_hash(rest: &[u8]) -> Option<&[u8]> {
    const SHORTEST: usize = 6;
    let digits = rest.iter().take_while(|b| b.is_ascii_hexdigit()).count();
    rest.get(digits..).filter(|_| digits >= SHORTEST)
}

/// The first number of a version; one of three digits or more is that of a driver (`libcuda.so.580.95.05`).
fn first_number(version: &[u8]) -> Option<u8> {
    let digits = version.split(|&b| b == b'.').next().filter(|digits| !digits.is_empty())?;
    Some(digits.iter().fold(0u8, |number, digit| number.saturating_mul(10).saturating_add(digit - b'0')))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(name: &str) -> Option<(&str, Option<u8>)> {
        read(name.as_bytes()).map(|asked| (core::str::from_utf8(asked.library.stem).unwrap(), asked.version))
    }

    #[test]
    fn names_of_ours() {
        for (name, stem, version) in [
            ("libcuda.so", "libcuda", None),
            ("libcuda.so.1", "libcuda", Some(1)),
            ("/usr/lib/x86_64-linux-gnu/libcuda.so.580.95.05", "libcuda", Some(255)),
            ("libnvidia-ml.so.1", "libnvidia-ml", Some(1)),
            ("libcudart.so", "libcudart", None),
            ("libcudart.so.13", "libcudart", Some(13)),
            ("../libcudart.so.12.9.79", "libcudart", Some(12)),
            ("libcudart-9f92e4c3.so.13.3.29", "libcudart", Some(13)),
            ("/a/libnvrtc-b51b459d.so.12", "libnvrtc", Some(12)),
            ("/a//libnvrtc.so.13", "libnvrtc", Some(13)),
            ("libnvJitLink.so.13", "libnvJitLink", Some(13)),
        ] {
            assert_eq!(of(name), Some((stem, version)), "{name}");
        }
        assert_eq!(read(b"/x/y/libcuda.so.1").unwrap().folder, b"/x/y");
        assert_eq!(read(b"/libcuda.so.1").unwrap().folder, b"");
    }

    #[test]
    fn names_of_others() {
        for name in [
            "",
            "/",
            "libcuda",
            "libcuda.so.",
            "libcuda.so.x",
            "libcuda.so.1.debug",
            "libcudadevrt.so",
            "libcudart_static.a",
            "libcudart.so.11.0",
            "libcudart.so.130",
            "libcudart.so.14",
            "libcudart-.so.13",
            "libcudart-old.so.13",
            "libnvrtc-builtins.so.13.0",
            "libnvrtc-builtins-b51b459d.so.13.0",
            "libnvrtc.alt.so.12",
            "libcublas.so.13",
            "mylibcuda.so.1",
            "libcuda.so.1/other.so",
            "libc.so.6",
        ] {
            assert_eq!(of(name), None, "{name}");
        }
    }
}
