//! `doppel info`: the devices that a program would see.

use crate::arguments::Variables;
use crate::library::{self, DRIVER, Driver};
use crate::{Failure, print, print_json};
use core::ffi::c_int;
use serde_json::{Map, Value, json};
use std::fmt::Write;

/// How a number is shown; in JSON bytes are bytes, and clocks are in kHz.
enum Unit {
    Plain,
    Bytes,
    KiloHertz,
    Bits,
    YesNo,
}

/// What is shown of a device: its name and number in `CUdevice_attribute`.
const ATTRIBUTES: &[(&str, c_int, Unit)] = &[
    ("multiprocessors", 16, Unit::Plain),
    ("clock rate", 13, Unit::KiloHertz),
    ("memory clock rate", 36, Unit::KiloHertz),
    ("memory bus", 37, Unit::Bits),
    ("second-level cache", 38, Unit::Bytes),
    ("constant memory", 9, Unit::Bytes),
    ("shared memory per block", 8, Unit::Bytes),
    ("shared memory per block, opted in", 97, Unit::Bytes),
    ("shared memory per multiprocessor", 81, Unit::Bytes),
    ("registers per block", 12, Unit::Plain),
    ("warp size", 10, Unit::Plain),
    ("threads per block", 1, Unit::Plain),
    ("threads per multiprocessor", 39, Unit::Plain),
    ("copy engines", 40, Unit::Plain),
    ("unified addressing", 41, Unit::YesNo),
    ("managed memory", 83, Unit::YesNo),
    ("concurrent managed access", 89, Unit::YesNo),
    ("virtual memory management", 102, Unit::YesNo),
    ("memory pools", 115, Unit::YesNo),
    ("cooperative launch", 95, Unit::YesNo),
    ("compute preemption", 90, Unit::YesNo),
    ("ECC", 32, Unit::YesNo),
];

/// A line about a device: its name, what is shown, and the value for programs.
struct Fact {
    name: &'static str,
    shown: String,
    value: Value,
}

/// Prints them. Without a device the exit status is 1.
pub fn info(variables: &Variables, json: bool) -> Result<u8, Failure> {
    let folder = library::folder()?;
    library::check(&folder, variables)?;
    for (name, value) in variables {
        // SAFETY: no other thread runs: the library starts its threads at `cuInit`.
        unsafe { std::env::set_var(name, value) };
    }
    let set = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    let asked = set("DOPPEL_MODE").unwrap_or_else(|| "cpu".to_owned());
    let driver = Driver::open(&folder)?;
    let version = driver.version()?;
    let version = format!("{}.{}", version / 1000, version % 1000 / 10);
    let file = folder.join(DRIVER);
    // Where a real driver answers, it answers for this question, too.
    let (mode, why) = match driver.launcher() {
        Some(table) => table.mode(),
        None => {
            let real = library::real_driver(&file).map_or_else(String::new, |file| file.display().to_string());
            ("forward".to_owned(), real)
        }
    };
    let checks = set("DOPPEL_CHECK");
    if !json {
        let mut text = format!("library         {}\nmode            {asked}", file.display());
        match (asked == mode, mode.as_str(), why.as_str()) {
            (true, _, "") => {}
            (true, _, why) => text.push_str(&format!(": {why}")),
            (false, "forward", real) => text.push_str(&format!(": forward, the real driver {real} has a device")),
            (false, mode, why) => text.push_str(&format!(": {mode}, because of the real driver: {why}")),
        }
        let _ = write!(text, "\nchecks          {}\n", checks.as_deref().unwrap_or("none"));
        let _ = writeln!(text, "CUDA version    {version}");
        print(&text)?;
    }
    driver.init()?;
    let count = driver.device_count()?;
    let devices: Vec<_> = (0..count).map(|device| describe(&driver, device)).collect::<Result<_, _>>()?;
    if json {
        let devices = devices.iter().map(|facts| -> Value {
            facts
                .iter()
                .map(|fact| (fact.name.replace([' ', '-'], "_").replace(',', ""), fact.value.clone()))
                .collect::<Map<_, _>>()
                .into()
        });
        print_json(&json!({
            "library": file.to_string_lossy(), "mode": { "asked": asked, "chosen": mode, "why": why }, "checks": checks,
            "cuda_version": version, "devices": devices.collect::<Vec<_>>(),
        }))?;
        return Ok(u8::from(count == 0));
    }
    print(&format!("devices         {count}\n"))?;
    for (device, facts) in devices.iter().enumerate() {
        let mut text = String::new();
        for fact in facts {
            let _ = match fact.name {
                NAME => writeln!(text, "\ndevice {device}: {}", fact.shown),
                name => writeln!(text, "  {name:<36}{}", fact.shown),
            };
        }
        print(&text)?;
    }
    Ok(u8::from(count == 0))
}

/// The fact that is a device's heading.
const NAME: &str = "name";

fn describe(driver: &Driver, device: c_int) -> Result<Vec<Fact>, Failure> {
    let mut facts = Vec::new();
    let mut fact = |name: &'static str, shown: String, value: Value| facts.push(Fact { name, shown, value });
    let attribute = |number| driver.attribute(number, device);
    let name = driver.device_name(device)?;
    fact(NAME, name.clone(), json!(name));
    let capability = format!("{}.{}", attribute(75)?, attribute(76)?);
    fact("compute capability", capability.clone(), json!(capability));
    let memory = driver.total_memory(device)? as u64;
    fact("memory", bytes(memory), json!(memory));
    let uuid = driver.device_uuid(device)?;
    let hex = |range: core::ops::Range<usize>| uuid[range].iter().map(|b| format!("{b:02x}")).collect::<String>();
    let uuid = format!("GPU-{}-{}-{}-{}-{}", hex(0..4), hex(4..6), hex(6..8), hex(8..10), hex(10..16));
    fact("UUID", uuid.clone(), json!(uuid));
    let address = format!("{:04x}:{:02x}:{:02x}.0", attribute(50)?, attribute(33)?, attribute(34)?);
    fact("PCI address", address.clone(), json!(address));
    for (name, number, unit) in ATTRIBUTES {
        let value = attribute(*number)?;
        let (shown, value) = match unit {
            Unit::Plain => (value.to_string(), json!(value)),
            Unit::Bytes => (bytes(value as u64), json!(value)),
            Unit::KiloHertz => (format!("{} MHz", value / 1000), json!(value)),
            Unit::Bits => (format!("{value} bits"), json!(value)),
            Unit::YesNo => (if value != 0 { "yes" } else { "no" }.to_owned(), json!(value != 0)),
        };
        fact(name, shown, value);
    }
    for (name, [x, y, z]) in [("grid", [5, 6, 7]), ("block", [2, 3, 4])] {
        let [x, y, z] = [attribute(x)?, attribute(y)?, attribute(z)?];
        fact(name, format!("{x} x {y} x {z}"), json!([x, y, z]));
    }
    Ok(facts)
}

/// In the largest unit that leaves a number in front of the point.
fn bytes(n: u64) -> String {
    let units = [(30, "GiB"), (20, "MiB"), (10, "KiB")];
    match units.iter().find(|(shift, _)| n >> shift != 0) {
        Some((shift, unit)) if n.is_multiple_of(1 << shift) => format!("{} {unit}", n >> shift),
        Some((shift, unit)) => format!("{:.1} {unit}", n as f64 / (1u64 << shift) as f64),
        None => format!("{n} bytes"),
    }
}

#[cfg(test)]
mod tests {
    use super::bytes;

    #[test]
    fn sizes() {
        assert_eq!(bytes(0), "0 bytes");
        assert_eq!(bytes(65536), "64 KiB");
        assert_eq!(bytes(49 << 9), "24.5 KiB");
        assert_eq!(bytes(3 << 30), "3 GiB");
    }
}
