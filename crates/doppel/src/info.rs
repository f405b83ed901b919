//! `doppel info`: the devices that a program would see.

use crate::arguments::Variables;
use crate::library::{self, DRIVER, Driver};
use crate::{Failure, print};
use core::ffi::c_int;
use std::fmt::Write;

/// How a number is shown.
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

/// Prints them. Without a device the exit status is 1.
pub fn info(variables: &Variables) -> Result<u8, Failure> {
    for (name, value) in variables {
        // SAFETY: no other thread runs.
        unsafe { std::env::set_var(name, value) };
    }
    let folder = library::folder()?;
    let driver = Driver::open(&folder)?;
    let version = driver.version()?;
    let mode = std::env::var("DOPPEL_MODE").unwrap_or_default();
    let mode = if mode.is_empty() { "cpu" } else { &mode };
    let mut text = format!("library         {}\n", folder.join(DRIVER).display());
    let _ = writeln!(text, "mode            {mode}");
    let checks = std::env::var("DOPPEL_CHECK").unwrap_or_default();
    let _ = writeln!(text, "checks          {}", if checks.is_empty() { "none" } else { &checks });
    let _ = writeln!(text, "CUDA version    {}.{}", version / 1000, version % 1000 / 10);
    print(&text);
    driver.init()?;
    let count = driver.device_count()?;
    print(&format!("devices         {count}\n"));
    for device in 0..count {
        print(&describe(&driver, device)?);
    }
    Ok(u8::from(count == 0))
}

fn describe(driver: &Driver, device: c_int) -> Result<String, Failure> {
    let mut text = format!("\ndevice {device}: {}\n", driver.device_name(device)?);
    let mut line = |name: &str, value: String| {
        let _ = writeln!(text, "  {name:<36}{value}");
    };
    let attribute = |number| driver.attribute(number, device);
    line("compute capability", format!("{}.{}", attribute(75)?, attribute(76)?));
    line("memory", bytes(driver.total_memory(device)? as u64));
    let uuid = driver.device_uuid(device)?;
    let hex = |range: core::ops::Range<usize>| uuid[range].iter().map(|b| format!("{b:02x}")).collect::<String>();
    line("UUID", format!("GPU-{}-{}-{}-{}-{}", hex(0..4), hex(4..6), hex(6..8), hex(8..10), hex(10..16)));
    line("PCI address", format!("{:04x}:{:02x}:{:02x}.0", attribute(50)?, attribute(33)?, attribute(34)?));
    for (name, number, unit) in ATTRIBUTES {
        let value = attribute(*number)?;
        line(
            name,
            match unit {
                Unit::Plain => value.to_string(),
                Unit::Bytes => bytes(value as u64),
                Unit::KiloHertz => format!("{} MHz", value / 1000),
                Unit::Bits => format!("{value} bits"),
                Unit::YesNo => if value != 0 { "yes" } else { "no" }.to_owned(),
            },
        );
    }
    line("grid", format!("{} x {} x {}", attribute(5)?, attribute(6)?, attribute(7)?));
    line("block", format!("{} x {} x {}", attribute(2)?, attribute(3)?, attribute(4)?));
    Ok(text)
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
