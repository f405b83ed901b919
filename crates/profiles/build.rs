//! Reads the profiles that are built in, so that no process has to: `OUT_DIR/built_in.rs` has them as constants, with the names
//! of all attributes that they have.

// What only the library uses of it.
#[allow(dead_code)]
#[path = "src/text.rs"]
mod text;

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;
use text::{Known, Memory, Profile, read};

/// Their names, bases first.
const BUILT_IN: [&str; 10] = ["h200", "h100", "doppel", "cc75", "cc80", "cc86", "cc89", "cc90", "cc100", "cc120"];

fn main() {
    // As it is now: what is built may have moved since this program was compiled.
    let folder = Path::new(&std::env::var_os("CARGO_MANIFEST_DIR").expect("cargo says it")).join("../../profiles");
    println!("cargo::rerun-if-changed={}", folder.display());
    println!("cargo::rerun-if-changed=src/text.rs");
    let texts = BUILT_IN.map(|name| {
        let file = folder.join(format!("{name}.toml"));
        std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
    });
    let names: BTreeMap<&str, u32> = texts.iter().flat_map(|text| text.lines()).filter_map(numbered).collect();
    let mut read_so_far: BTreeMap<&str, Profile> = BTreeMap::new();
    let mut code = String::from("pub static BUILT_IN: &[(&str, Profile)] = &[\n");
    for (name, text) in BUILT_IN.iter().zip(&texts) {
        let known =
            Known { base: &|base| read_so_far.get(base).cloned(), number: &|attribute| names.get(attribute).copied() };
        let profile = read(text, &known).unwrap_or_else(|why| panic!("{name}.toml: {why}"));
        let memory = match profile.memory {
            Memory::Bytes(bytes) => format!("Memory::Bytes({bytes})"),
            Memory::Host => "Memory::Host".to_owned(),
        };
        let Profile { name: shown, reserved, kept, decompression, fabric, attributes, .. } = &profile;
        writeln!(
            code,
            "({name:?}, Profile {{ name: Cow::Borrowed({shown:?}), memory: {memory}, reserved: {reserved}, kept: {kept}, \
             decompression: {decompression}, fabric: {fabric}, attributes: Cow::Borrowed(&{attributes:?}) }}),"
        )
        .expect("a string takes everything");
        read_so_far.insert(name, profile);
    }
    write!(code, "];\npub static NAMES: &[(&str, u32)] = &{:?};\n", names.into_iter().collect::<Vec<_>>())
        .expect("a string takes everything");
    let out = std::env::var("OUT_DIR").expect("cargo sets it");
    std::fs::write(Path::new(&out).join("built_in.rs"), code).expect("its folder can be written");
}

/// The name and the number of an attribute that has its number in front: `16.MULTIPROCESSOR_COUNT = 132`.
fn numbered(line: &str) -> Option<(&str, u32)> {
    let (number, name) = line.split_once(" = ")?.0.split_once('.')?;
    Some((name, number.parse().ok()?))
}
