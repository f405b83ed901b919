//! Device profiles: what a device is, as data.
//!
//! A profile is a text file of `key = value` lines. Some are built in (`profiles/` in the source tree): an H200's, the
//! default device's, and one for each compute capability that programs are tested for; `DOPPEL_DEVICES`
//! names them or files. Attribute lines carry the attribute's number and name (`16 MULTIPROCESSOR_COUNT = 132`); a
//! profile that names a `base` may give the name alone.

use crate::attribute::DeviceAttribute;
use std::sync::Arc;

/// How much memory the device has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Memory {
    /// As many bytes.
    Bytes(u64),
    /// What the host could back.
    Host,
}

/// No attribute of a device has this number or a greater one.
const MOST_ATTRIBUTES: u32 = 1024;

/// What a device shows of itself.
#[derive(Clone, Debug)]
pub struct Profile {
    /// The device's name.
    pub name: String,
    /// Total memory.
    pub memory: Memory,
    /// Bytes of it that a context's existence takes.
    pub reserved: u64,
    /// Bytes beside it that the driver keeps, which the management library counts with the device's memory.
    pub kept: u64,
    /// Decompression algorithms that the device offers, as bits of `CUmemDecompressAlgorithm`.
    pub decompression: u32,
    /// Memory can be exported over the fabric, here to other processes of the machine.
    pub fabric: bool,
    /// The values of attributes, by their numbers: each launch asks for a dozen.
    attributes: Vec<Option<i32>>,
}

const BUILT_IN: [(&str, &str); 9] = [
    ("h200", include_str!("../../../profiles/h200.profile")),
    ("doppel", include_str!("../../../profiles/doppel.profile")),
    ("cc75", include_str!("../../../profiles/cc75.profile")),
    ("cc80", include_str!("../../../profiles/cc80.profile")),
    ("cc86", include_str!("../../../profiles/cc86.profile")),
    ("cc89", include_str!("../../../profiles/cc89.profile")),
    ("cc90", include_str!("../../../profiles/cc90.profile")),
    ("cc100", include_str!("../../../profiles/cc100.profile")),
    ("cc120", include_str!("../../../profiles/cc120.profile")),
];

/// The attribute that a built-in profile has under a name.
fn named(name: &str) -> Option<DeviceAttribute> {
    BUILT_IN.iter().flat_map(|(_, text)| text.lines()).find_map(|line| {
        let (number, rest) = line.split_once(' ')?;
        (rest.split_once('=')?.0.trim() == name).then(|| number.parse().ok().map(DeviceAttribute)).flatten()
    })
}

impl Profile {
    /// The value of a device attribute; `None` for attributes that the device does not know.
    pub fn attribute(&self, attribute: DeviceAttribute) -> Option<i32> {
        self.attributes.get(attribute.0 as usize).copied().flatten()
    }

    /// Sets an attribute that follows from the machine rather than from the profile.
    pub fn set_attribute(&mut self, attribute: DeviceAttribute, value: i32) {
        let at = attribute.0 as usize;
        if at >= self.attributes.len() {
            self.attributes.resize(at + 1, None);
        }
        self.attributes[at] = Some(value);
    }

    /// The profile that is built in under `name`.
    pub fn built_in(name: &str) -> Option<Profile> {
        let (_, text) = BUILT_IN.iter().find(|(n, _)| *n == name)?;
        Some(Profile::parse(text).expect("built-in profiles are well-formed"))
    }

    /// Reads a profile. The error says which line is wrong and why.
    pub fn parse(text: &str) -> Result<Profile, String> {
        let mut profile = Profile {
            name: String::new(),
            memory: Memory::Host,
            reserved: 0,
            kept: 0,
            decompression: 0,
            fabric: false,
            attributes: Vec::new(),
        };
        for (number, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            profile.line(line).map_err(|why| format!("line {}: {why}", number + 1))?;
        }
        if profile.attributes.is_empty() {
            return Err("no attributes: name a base".into());
        }
        Ok(profile)
    }

    fn line(&mut self, line: &str) -> Result<(), String> {
        let (key, value) = line.split_once('=').ok_or("expected key = value")?;
        let (key, value) = (key.trim(), value.trim());
        match key {
            "base" => *self = Profile::built_in(value).ok_or_else(|| format!("no built-in profile {value}"))?,
            "name" => self.name = value.into(),
            "memory" if value == "host" => self.memory = Memory::Host,
            "memory" => self.memory = Memory::Bytes(value.parse().map_err(|_| "expected bytes or host")?),
            "kept" => self.kept = value.parse().map_err(|_| "expected bytes")?,
            "reserved" => self.reserved = value.parse().map_err(|_| "expected bytes")?,
            "fabric" => {
                self.fabric = match value {
                    "none" => false,
                    "host" => true,
                    _ => return Err("expected none or host".into()),
                }
            }
            "decompression" => {
                self.decompression = 0;
                for word in value.split_whitespace() {
                    self.decompression |= match word {
                        "none" => 0,
                        "deflate" => 1,
                        "snappy" => 2,
                        "lz4" => 4,
                        _ => return Err(format!("unknown algorithm {word}")),
                    };
                }
            }
            _ => {
                let value: i32 = value.parse().map_err(|_| "expected a number")?;
                let attribute = match key.split_once(' ') {
                    Some((number, _)) => {
                        let number = number
                            .parse()
                            .ok()
                            .filter(|&n| n < MOST_ATTRIBUTES)
                            .ok_or("expected an attribute number")?;
                        DeviceAttribute(number)
                    }
                    None => named(key).ok_or_else(|| format!("unknown key {key}"))?,
                };
                self.set_attribute(attribute, value);
            }
        }
        Ok(())
    }

    /// The profiles that `DOPPEL_DEVICES` asks for: a count (`2`), or a comma-separated list of names and files.
    /// `files` says whether files may be read.
    pub fn list(spec: &str, files: bool) -> Result<Vec<Arc<Profile>>, String> {
        if let Ok(count) = spec.trim().parse::<usize>() {
            if count > 64 {
                return Err("at most 64 devices".into());
            }
            let profile = Arc::new(Profile::built_in("doppel").expect("built in"));
            return Ok(vec![profile; count]);
        }
        let mut profiles = Vec::new();
        for name in spec.split(',').map(str::trim) {
            let profile = match Profile::built_in(name) {
                Some(profile) => profile,
                None if !files => {
                    return Err(format!("{name}: files are not read in a privileged process"));
                }
                None => {
                    let text = std::fs::read_to_string(name)
                        .map_err(|e| format!("{name}: neither a built-in profile nor a readable file ({e})"))?;
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
    fn lists_and_errors() {
        assert_eq!(Profile::list("3", true).unwrap().len(), 3);
        assert_eq!(Profile::list("h200,doppel", true).unwrap()[0].name, "NVIDIA H200");
        assert!(Profile::list("65", true).is_err());
        assert!(Profile::list("h200,,", true).is_err());
        assert!(
            Profile::parse("base = h200\nMULTIPROCESSOR_COUNT = 4")
                .unwrap()
                .attribute(DeviceAttribute::MULTIPROCESSOR_COUNT)
                == Some(4)
        );
        assert!(Profile::parse("base = h200\nNO_SUCH = 4").unwrap_err().contains("line 2"));
        assert!(Profile::parse("name = x").is_err());
    }
}
