//! Addresses on the PCI bus, and how they are written.

use std::fmt;

/// Where a device sits. Numbers are as wide as the text form can make them; only real ones name a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Address {
    /// Domain.
    pub domain: u32,
    /// Bus in the domain.
    pub bus: u32,
    /// Device on the bus.
    pub device: u32,
    /// Function of the device.
    pub function: u32,
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04X}:{:02X}:{:02X}.{:X}", self.domain, self.bus, self.device, self.function)
    }
}

impl Address {
    /// Reads `domain:bus:device.function`, `domain:bus:device` or `bus:device.function`, all in hexadecimal. As with the
    /// C library's number conversion, a number may follow white space, a sign and `0x`, and may have any length. `None` for
    /// anything else, text after the address included.
    pub fn parse(text: &[u8]) -> Option<Address> {
        let (first, rest) = number(text)?;
        let (second, rest) = number(rest.strip_prefix(b":")?)?;
        let (domain, bus, device, rest) = match rest.strip_prefix(b":") {
            Some(rest) => {
                let (third, rest) = number(rest)?;
                (first, second, third, rest)
            }
            // Without a domain the function is what tells the form from `domain:bus`.
            None if rest.starts_with(b".") => (0, first, second, rest),
            None => return None,
        };
        let function = match rest.strip_prefix(b".") {
            Some(rest) => {
                let (function, rest) = number(rest)?;
                if !rest.is_empty() {
                    return None;
                }
                function
            }
            None if rest.is_empty() => 0,
            None => return None,
        };
        Some(Address { domain, bus, device, function })
    }
}

/// One hexadecimal number at the beginning, and what follows it.
fn number(text: &[u8]) -> Option<(u32, &[u8])> {
    let mut at = text.iter().take_while(|b| b.is_ascii_whitespace()).count();
    let negative = text.get(at) == Some(&b'-');
    if matches!(text.get(at), Some(b'-' | b'+')) {
        at += 1;
    }
    let digit = |i: usize| text.get(i).and_then(|&b| (b as char).to_digit(16));
    if text.get(at) == Some(&b'0') && matches!(text.get(at + 1), Some(b'x' | b'X')) && digit(at + 2).is_some() {
        at += 2;
    }
    let start = at;
    let mut value = 0u64;
    while let Some(d) = digit(at) {
        value = value.saturating_mul(16).saturating_add(d.into());
        at += 1;
    }
    let value = value as u32;
    (at > start).then(|| (if negative { value.wrapping_neg() } else { value }, &text[at..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(domain: u32, bus: u32, device: u32, function: u32) -> Option<Address> {
        Some(Address { domain, bus, device, function })
    }

    #[test]
    fn all_forms() {
        assert_eq!(Address::parse(b"0000:1a:06.0"), address(0, 0x1a, 6, 0));
        assert_eq!(Address::parse(b"00000001:1A:6"), address(1, 0x1a, 6, 0));
        assert_eq!(Address::parse(b"1a:06.1"), address(0, 0x1a, 6, 1));
        assert_eq!(Address::parse(b" 0x0:0:6.0"), address(0, 0, 6, 0));
        assert_eq!(Address::parse(b"-1:0:6.0"), address(u32::MAX, 0, 6, 0));
        assert_eq!(Address::parse(b"0000000000000000000000000000:00:00.0"), address(0, 0, 0, 0));
        let text = address(1, 0x1a, 6, 0).unwrap().to_string();
        assert_eq!(text, "0001:1A:06.0");
    }

    #[test]
    fn other_text_is_no_address() {
        for text in ["", ":", "hello", "00:06", "0000:00:06.0 xyz", "0000:00:06.", "GPU-00000000", "0:0:0:0", "0x:0:0"]
        {
            assert_eq!(Address::parse(text.as_bytes()), None, "{text}");
        }
    }
}
