//! Device profiles: what a device is, as data.
//!
//! A profile is a TOML file. Some are built in (`profiles/` in the source tree): an H200's, the default device's, and one for
//! each compute capability that programs are tested for; `DOPPEL_DEVICES` names them or files. Attributes are in the table
//! `attributes`, under their names. A profile that names no `base` has their numbers in front
//! (`16.MULTIPROCESSOR_COUNT = 132`).

use crate::attribute::DeviceAttribute;
use crate::text::{Known, read};
pub use crate::text::{Memory, Profile};
use std::borrow::Cow;
use std::sync::Arc;

include!(concat!(env!("OUT_DIR"), "/built_in.rs"));

/// Devices that a process may have.
const MOST: usize = 64;

/// The number of the attribute that a built-in profile has under a name.
fn named(name: &str) -> Option<u32> {
    NAMES.iter().find(|(known, _)| *known == name).map(|(_, number)| *number)
}

impl Profile {
    /// The value of a device attribute; `None` for attributes that the device does not know.
    // Programs ask for many: the rest of this crate is compiled for size.
    #[inline]
    pub fn attribute(&self, attribute: DeviceAttribute) -> Option<i32> {
        self.attributes.get(attribute.0 as usize).copied().flatten()
    }

    /// Sets an attribute that follows from the machine rather than from the profile.
    pub fn set_attribute(&mut self, attribute: DeviceAttribute, value: i32) {
        self.set([(attribute.0, value)]);
    }

    /// The profile that is built in under `name`.
    pub fn built_in(name: &str) -> Option<Profile> {
        BUILT_IN.iter().find(|(known, _)| *known == name).map(|(_, profile)| profile.clone())
    }

    /// Reads a profile. The error says which line is wrong and why.
    pub fn parse(text: &str) -> Result<Profile, String> {
        read(text, &Known { base: &Profile::built_in, number: &named })
    }

    /// The profiles that `DOPPEL_DEVICES` asks for: a count (`2`), or a comma-separated list of names and files.
    /// `files` says whether files may be read.
    pub fn list(spec: &str, files: bool) -> Result<Vec<Arc<Profile>>, String> {
        if let Ok(count) = spec.trim().parse::<usize>() {
            if count > MOST {
                return Err(format!("at most {MOST} devices"));
            }
            let profile = Arc::new(Profile::built_in("doppel").expect("built in"));
            return Ok(vec![profile; count]);
        }
        if spec.split(',').count() > MOST {
            return Err(format!("at most {MOST} devices"));
        }
        let mut profiles = Vec::new();
        for name in spec.split(',').map(str::trim) {
            if name.is_empty() {
                return Err("a name in the list is empty".into());
            }
            let profile = match Profile::built_in(name) {
                Some(profile) => profile,
                None if !files => {
                    return Err(format!("{name}: files are not read in a privileged process"));
                }
                None => {
                    let text = settings::config::read_small(name).map_err(|why| {
                        let mut known: Vec<_> = BUILT_IN.iter().map(|(name, _)| *name).collect();
                        known.sort_unstable_by_key(|name| (name.len(), *name));
                        format!("{name}: neither a built-in profile ({}) nor a readable file ({why})", known.join(", "))
                    })?;
                    Profile::parse(&text).map_err(|why| format!("{name}: {why}"))?
                }
            };
            profiles.push(Arc::new(profile));
        }
        Ok(profiles)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn built_in_profiles_differ_where_they_should() {
        let h200 = Profile::built_in("h200").unwrap();
        let ours = Profile::built_in("doppel").unwrap();
        assert_eq!(h200.attribute(DeviceAttribute::COMPUTE_CAPABILITY_MAJOR), Some(9));
        assert_eq!(ours.attribute(DeviceAttribute::COMPUTE_CAPABILITY_MAJOR), Some(9));
        assert_eq!(h200.attribute(DeviceAttribute(148)), None);
        assert_eq!(h200.memory, Memory::Bytes(150109880320));
        assert_eq!(ours.memory, Memory::Host);
        assert_ne!(h200.name, ours.name);
        let h100 = Profile::built_in("h100").unwrap();
        assert_eq!(h100.attribute(DeviceAttribute::MAX_PERSISTING_L2_CACHE_SIZE), Some(32_768_000));
        assert_eq!(h100.attribute(DeviceAttribute::WARP_SIZE), h200.attribute(DeviceAttribute::WARP_SIZE));
    }

    #[test]
    fn each_compute_capability_has_a_profile() {
        for (name, [major, minor]) in [
            ("cc75", [7, 5]),
            ("cc80", [8, 0]),
            ("cc86", [8, 6]),
            ("cc89", [8, 9]),
            ("cc90", [9, 0]),
            ("cc100", [10, 0]),
            ("cc120", [12, 0]),
        ] {
            let profile = Profile::built_in(name).unwrap();
            let value = |attribute| profile.attribute(attribute).unwrap();
            assert_eq!(value(DeviceAttribute::COMPUTE_CAPABILITY_MAJOR), major, "{name}");
            assert_eq!(value(DeviceAttribute::COMPUTE_CAPABILITY_MINOR), minor, "{name}");
            let reserved = value(DeviceAttribute::RESERVED_SHARED_MEMORY_PER_BLOCK);
            let of_one = value(DeviceAttribute::MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
            assert_eq!(of_one + reserved, value(DeviceAttribute::MAX_SHARED_MEMORY_PER_MULTIPROCESSOR), "{name}");
            assert_eq!(value(DeviceAttribute::CLUSTER_LAUNCH), i32::from(major >= 9), "{name}");
        }
    }

    #[test]
    fn the_profile_in_the_documentation() {
        let page = include_str!("../../../docs/DEVICES.md");
        let (_, file) = page.split_once("```toml\n").unwrap();
        let profile = Profile::parse(file.split_once("```").unwrap().0).unwrap();
        assert_eq!((&*profile.name, profile.memory), ("My small device", Memory::Bytes(4 << 30)));
        assert_eq!(profile.attribute(DeviceAttribute::MULTIPROCESSOR_COUNT), Some(20));
        assert_eq!(profile.attribute(DeviceAttribute::COMPUTE_CAPABILITY_MINOR), Some(6));
    }

    #[test]
    fn lists_and_errors() {
        assert_eq!(Profile::list("3", true).unwrap().len(), 3);
        assert_eq!(Profile::list("h200,doppel", true).unwrap()[0].name, "NVIDIA H200");
        assert!(Profile::list("65", true).is_err());
        let wrong = |spec: &str| Profile::list(spec, true).unwrap_err();
        assert_eq!(wrong("h200,,"), "a name in the list is empty");
        assert_eq!(wrong(&["h200"; 65].join(",")), "at most 64 devices");
        assert_eq!(Profile::list(&["h200"; 64].join(","), true).unwrap().len(), 64);
        assert!(wrong("h201").starts_with(
            "h201: neither a built-in profile (cc75, cc80, cc86, cc89, cc90, h100, h200, cc100, cc120, doppel)"
        ));
        assert!(wrong("/dev/zero").contains("file too large"), "{}", wrong("/dev/zero"));
        let file = "base = \"h200\"\n[attributes]\nMULTIPROCESSOR_COUNT = 4\n148.NEWER = 0x10\n";
        let profile = Profile::parse(file).unwrap();
        assert_eq!(profile.attribute(DeviceAttribute::MULTIPROCESSOR_COUNT), Some(4));
        assert_eq!(profile.attribute(DeviceAttribute(148)), Some(16));
        for (file, why) in [
            ("name = \"x\"", "no attributes: name a base"),
            ("base = \"h200\"\n[attributes]\nNO_SUCH = 4", "line 3: unknown attribute NO_SUCH"),
            ("base = \"h200\"\n[attributes]\nWARP_SIZE = \"x\"", "line 3: expected a number of 32 bits"),
            ("base = \"h200\"\n[attributes]\nWARP_SIZE = 4294967296", "line 3: expected a number of 32 bits"),
            ("base = \"h200\"\n[attributes]\n1024.NO_SUCH = 1", "line 3: expected an attribute number"),
            ("base = \"h300\"", "line 1: no built-in profile h300"),
            ("base = 3", "line 1: expected the name of a profile"),
            ("base = \"h200\"\nmemory = -1", "line 2: expected bytes or \"host\""),
            ("base = \"h200\"\nfabric = true", "line 2: expected \"none\" or \"host\""),
            (
                "base = \"h200\"\ndecompression = [\"lz4\", \"zip\"]",
                "line 2: expected \"deflate\", \"snappy\" or \"lz4\"",
            ),
            ("base = \"h200\"\nmemroy = 4", "line 2: unknown key memroy"),
            ("base = \"h200\"\n\nmemory 4", "line 3: "),
        ] {
            let said = Profile::parse(file).unwrap_err();
            assert!(said.starts_with(why), "{file}: {said}");
        }
    }
}
