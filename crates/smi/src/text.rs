//! Values as the tool writes them.

use crate::library::Answer;
use core::fmt::Display;

/// What is not there, in the log and the table.
pub const NONE: &str = "N/A";

/// A value, or that there is none.
pub fn or_none<T: Display>(value: Answer<T>) -> String {
    value.map_or_else(|_| NONE.into(), |value| value.to_string())
}

/// A value with its unit, or that there is none.
pub fn with_unit<T: Display>(value: Answer<T>, unit: &str) -> String {
    value.map_or_else(|_| NONE.into(), |value| format!("{value} {unit}"))
}

/// Whole mebibytes. The tool rounds up.
pub fn mebibytes(bytes: u64) -> u64 {
    bytes.div_ceil(1 << 20)
}

/// Whether something is on.
pub fn enabled(state: u32) -> &'static str {
    if state != 0 { "Enabled" } else { "Disabled" }
}

/// A compute mode.
pub fn compute_mode(mode: u32) -> &'static str {
    ["Default", "Exclusive_Thread", "Prohibited", "Exclusive_Process"].get(mode as usize).copied().unwrap_or("Unknown")
}

/// A compute mode as short as the table has room for.
pub fn short_compute_mode(mode: u32) -> &'static str {
    ["Default", "E. Thread", "Prohibited", "E. Process"].get(mode as usize).copied().unwrap_or("Unknown")
}

/// A brand.
pub fn brand(brand: u32) -> &'static str {
    let names = [
        "Unknown",
        "Quadro",
        "Tesla",
        "NVS",
        "Grid",
        "GeForce",
        "Titan",
        "NVIDIA Virtual Applications",
        "NVIDIA Virtual PC",
        "NVIDIA Virtual Compute Server",
        "NVIDIA RTX Virtual Workstation",
        "NVIDIA Cloud Gaming",
        "Quadro RTX",
        "NVIDIA RTX",
        "NVIDIA",
        "GeForce RTX",
        "Titan RTX",
    ];
    names.get(brand as usize).copied().unwrap_or("Unknown")
}

/// An architecture.
pub fn architecture(number: u32) -> &'static str {
    let names = ["Kepler", "Maxwell", "Pascal", "Volta", "Turing", "Ampere", "Ada Lovelace", "Hopper", "Blackwell"];
    (number as usize).checked_sub(2).and_then(|at| names.get(at)).copied().unwrap_or("Unknown")
}

/// How the device reaches the host's memory.
pub fn addressing(mode: u32) -> &'static str {
    ["None", "HMM", "ATS"].get(mode as usize).copied().unwrap_or("Unknown")
}

/// Now, as `strftime` writes it.
pub fn now(format: &core::ffi::CStr) -> String {
    let mut buffer = [0u8; 64];
    // SAFETY: all of what is written is ours, and as long as is said; a time is numbers.
    let length = unsafe {
        let mut parts: libc::tm = core::mem::zeroed();
        let seconds = libc::time(core::ptr::null_mut());
        libc::localtime_r(&seconds, &mut parts);
        libc::strftime(buffer.as_mut_ptr().cast(), buffer.len(), format.as_ptr(), &parts)
    };
    String::from_utf8_lossy(&buffer[..length]).into_owned()
}

/// Now, to the millisecond.
pub fn timestamp() -> String {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    format!("{}.{:03}", now(c"%Y/%m/%d %H:%M:%S"), since.subsec_millis())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mebibytes_are_rounded_up() {
        // As an H200's: total, reserved, free.
        assert_eq!([150754820096, 644939776, 150109880320].map(mebibytes), [143771, 616, 143156]);
        assert_eq!(mebibytes(0), 0);
    }

    #[test]
    fn what_is_unknown_has_a_word() {
        assert_eq!(
            (compute_mode(9), brand(99), architecture(0), architecture(99)),
            ("Unknown", "Unknown", "Unknown", "Unknown")
        );
        assert_eq!((architecture(9), brand(14)), ("Hopper", "NVIDIA"));
    }
}
