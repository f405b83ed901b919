//! Reads profiles, which are TOML: the crate's build script those that are built in, the library those of users.

use std::borrow::Cow;
use std::collections::BTreeMap;
use toml::Spanned;
use toml::de::{DeInteger, DeTable, DeValue};

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
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Profile {
    /// The device's name.
    pub name: Cow<'static, str>,
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
    pub(crate) attributes: Cow<'static, [Option<i32>]>,
}

/// What a profile is read with: those that it may name as its base, and the numbers of attributes.
pub struct Known<'k> {
    /// The profile that is built in under a name.
    pub base: &'k dyn Fn(&str) -> Option<Profile>,
    /// The attribute that a built-in profile has under a name.
    pub number: &'k dyn Fn(&str) -> Option<u32>,
}

/// What is wrong, and the place in the text.
type Wrong = (usize, String);

/// Reads a profile. The error says which line is wrong and why.
pub fn read(text: &str, known: &Known) -> Result<Profile, String> {
    let line = |at: usize| text.as_bytes()[..at.min(text.len())].iter().filter(|&&b| b == b'\n').count() + 1;
    let table = DeTable::parse(text).map_err(|error| {
        let at = error.span().map_or(0, |span| span.start);
        format!("line {}: {}", line(at), error.message())
    })?;
    let profile = from(table.get_ref(), known).map_err(|(at, why)| format!("line {}: {why}", line(at)))?;
    if profile.attributes.is_empty() {
        return Err("no attributes: name a base".into());
    }
    Ok(profile)
}

/// The value of a number, if `T` has it.
fn number<T: TryFrom<i64>>(value: &DeInteger) -> Option<T> {
    T::try_from(i64::from_str_radix(value.as_str(), value.radix()).ok()?).ok()
}

fn bytes(value: &Spanned<DeValue>) -> Option<u64> {
    number(value.get_ref().as_integer()?)
}

/// The names of attributes and their values, whose numbers stand in front or are known.
fn attributes(table: &DeTable, known: &Known, values: &mut BTreeMap<u32, i32>) -> Result<(), Wrong> {
    for (key, value) in table {
        let mut set = |attribute: u32, value: &Spanned<DeValue>| {
            let number = value.get_ref().as_integer().and_then(number);
            values.insert(
                attribute,
                number.ok_or_else(|| (value.span().start, "expected a number of 32 bits".to_owned()))?,
            );
            Ok(())
        };
        let name = key.get_ref();
        match value.get_ref() {
            DeValue::Table(names) => {
                let attribute = name.parse().ok().filter(|&number| number < MOST_ATTRIBUTES);
                let attribute =
                    attribute.ok_or_else(|| (key.span().start, "expected an attribute number".to_owned()))?;
                names.iter().try_for_each(|(_, value)| set(attribute, value))?;
            }
            _ => {
                let attribute =
                    (known.number)(name).ok_or_else(|| (key.span().start, format!("unknown attribute {name}")))?;
                set(attribute, value)?;
            }
        }
    }
    Ok(())
}

fn from(table: &DeTable, known: &Known) -> Result<Profile, Wrong> {
    let mut profile = Profile {
        name: Cow::Borrowed(""),
        memory: Memory::Host,
        reserved: 0,
        kept: 0,
        decompression: 0,
        fabric: false,
        attributes: Cow::Borrowed(&[]),
    };
    // The base comes first, wherever it stands.
    if let Some(value) = table.get("base") {
        let wrong = |why: String| (value.span().start, why);
        let name = value.get_ref().as_str().ok_or_else(|| wrong("expected the name of a profile".into()))?;
        profile = (known.base)(name).ok_or_else(|| wrong(format!("no built-in profile {name}")))?;
    }
    for (key, value) in table {
        let expected = |what: &str| (value.span().start, format!("expected {what}"));
        let text = value.get_ref().as_str();
        match key.get_ref().as_ref() {
            "base" => {}
            "name" => profile.name = Cow::Owned(text.ok_or_else(|| expected("a text"))?.to_owned()),
            "memory" if text == Some("host") => profile.memory = Memory::Host,
            "memory" => profile.memory = Memory::Bytes(bytes(value).ok_or_else(|| expected("bytes or \"host\""))?),
            "kept" => profile.kept = bytes(value).ok_or_else(|| expected("bytes"))?,
            "reserved" => profile.reserved = bytes(value).ok_or_else(|| expected("bytes"))?,
            "fabric" => {
                profile.fabric = match text {
                    Some("none") => false,
                    Some("host") => true,
                    _ => return Err(expected("\"none\" or \"host\"")),
                }
            }
            "decompression" => {
                profile.decompression = 0;
                for word in value.get_ref().as_array().ok_or_else(|| expected("a list of algorithms"))?.iter() {
                    profile.decompression |= match word.get_ref().as_str() {
                        Some("deflate") => 1,
                        Some("snappy") => 2,
                        Some("lz4") => 4,
                        _ => return Err((word.span().start, "expected \"deflate\", \"snappy\" or \"lz4\"".into())),
                    };
                }
            }
            "attributes" => {
                let mut values = BTreeMap::new();
                attributes(value.get_ref().as_table().ok_or_else(|| expected("a table"))?, known, &mut values)?;
                profile.set(values);
            }
            key_name => return Err((key.span().start, format!("unknown key {key_name}"))),
        }
    }
    Ok(profile)
}

impl Profile {
    /// Sets values of attributes, by their numbers.
    pub(crate) fn set(&mut self, values: impl IntoIterator<Item = (u32, i32)>) {
        let attributes = self.attributes.to_mut();
        for (number, value) in values {
            let at = number as usize;
            if at >= attributes.len() {
                attributes.resize(at + 1, None);
            }
            attributes[at] = Some(value);
        }
    }
}
