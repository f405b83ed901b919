//! Constant expressions, with C's operators.
//!
//! Integers have 64 bits, signed unless they say otherwise; where one is unsigned both are. Decimal fractions are `f64`.

use crate::cursor::{Parsed, Parser};
use crate::diagnostic::{Diagnostic, ErrorKind, Position};
use crate::lexer::Token;

/// The value of an expression.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Constant {
    /// A signed integer.
    Signed(i64),
    /// An unsigned integer.
    Unsigned(u64),
    /// `0fXXXXXXXX` alone: the bits of an `f32`.
    F32(u32),
    /// An `f64`.
    F64(f64),
}

impl Constant {
    /// The bits of an integer.
    pub fn integer(self) -> Option<u64> {
        match self {
            Constant::Signed(value) => Some(value as u64),
            Constant::Unsigned(value) => Some(value),
            _ => None,
        }
    }

    fn as_f64(self) -> f64 {
        match self {
            Constant::Signed(value) => value as f64,
            Constant::Unsigned(value) => value as f64,
            Constant::F32(bits) => f64::from(f32::from_bits(bits)),
            Constant::F64(value) => value,
        }
    }

    fn truth(self) -> bool {
        self.integer().map_or_else(|| self.as_f64() != 0.0, |bits| bits != 0)
    }
}

/// Operators between two values: how they are written, and how strongly they bind.
const BINARY: &[(&str, u32)] = &[
    ("||", 1),
    ("&&", 2),
    ("|", 3),
    ("^", 4),
    ("&", 5),
    ("==", 6),
    ("!=", 6),
    ("<=", 7),
    (">=", 7),
    ("<<", 8),
    (">>", 8),
    ("<", 7),
    (">", 7),
    ("+", 9),
    ("-", 9),
    ("*", 10),
    ("/", 10),
    ("%", 10),
];

fn wrong(at: Position, message: &str) -> Diagnostic {
    Diagnostic::new(ErrorKind::Semantics, at, message)
}

impl Parser<'_> {
    /// `+ n`, `- n` or nothing.
    pub(super) fn offset(&mut self) -> Parsed<i64> {
        let at = self.position;
        if !self.accept(b'+')? && self.token != Token::Sign(b'-') {
            return Ok(0);
        }
        let value = self.constant()?.integer();
        value
            .map(|bits| bits as i64)
            .ok_or_else(|| Diagnostic::new(ErrorKind::Semantics, at, "Integer constant expected"))
    }

    /// True when a constant expression begins at the current token, as far as that tells.
    pub(super) fn is_constant(&self) -> bool {
        match self.token {
            Token::Integer(..) | Token::F32(_) | Token::F64(_) | Token::Word("WARP_SZ") => true,
            Token::Sign(sign) => matches!(sign, b'~' | b'-' | b'+' | b'!' | b'('),
            // `.5`
            Token::Dot(digits) => digits.starts_with(|c: char| c.is_ascii_digit()),
            _ => false,
        }
    }

    /// A constant expression.
    pub(super) fn constant(&mut self) -> Parsed<Constant> {
        self.nested(|parser| {
            let condition = parser.binary(1)?;
            if !parser.accept(b'?')? {
                return Ok(condition);
            }
            let first = parser.constant()?;
            parser.expect(b':')?;
            let second = parser.constant()?;
            Ok(if condition.truth() { first } else { second })
        })
    }

    /// The operator at the current token, if it binds at least so strongly.
    fn operator(&self, least: u32) -> Option<(&'static str, u32)> {
        let Token::Sign(first) = self.token else { return None };
        let second = match self.ahead() {
            Token::Sign(sign) => sign,
            _ => 0,
        };
        let fits = |text: &str| match *text.as_bytes() {
            [one] => one == first,
            [one, two] => one == first && two == second,
            _ => false,
        };
        BINARY.iter().copied().find(|o| fits(o.0)).filter(|o| o.1 >= least)
    }

    fn binary(&mut self, least: u32) -> Parsed<Constant> {
        let mut left = self.unary()?;
        while let Some((operator, strength)) = self.operator(least) {
            let at = self.position;
            for _ in operator.bytes() {
                self.advance()?;
            }
            let right = self.nested(|parser| parser.binary(strength + 1))?;
            left = apply(operator, left, right).map_err(|message| wrong(at, message))?;
        }
        Ok(left)
    }

    fn unary(&mut self) -> Parsed<Constant> {
        let at = self.position;
        let token = self.token;
        match token {
            Token::Sign(sign @ (b'-' | b'+' | b'~' | b'!')) => {
                self.advance()?;
                let value = self.nested(Self::unary)?;
                return Ok(match (sign, value) {
                    (b'+', value) => value,
                    (b'-', Constant::Signed(value)) => Constant::Signed(value.wrapping_neg()),
                    (b'-', Constant::Unsigned(value)) => Constant::Unsigned(value.wrapping_neg()),
                    (b'-', Constant::F32(bits)) => Constant::F32(bits ^ 1 << 31),
                    (b'-', Constant::F64(value)) => Constant::F64(-value),
                    (b'~', Constant::Signed(value)) => Constant::Signed(!value),
                    (b'~', Constant::Unsigned(value)) => Constant::Unsigned(!value),
                    (b'!', value) => Constant::Signed(i64::from(!value.truth())),
                    _ => return Err(wrong(at, "Integer constant expression expected")),
                });
            }
            Token::Sign(b'(') => {
                self.advance()?;
                if let Token::Dot(ty @ ("s64" | "u64")) = self.token {
                    self.advance()?;
                    self.expect(b')')?;
                    let value = self.nested(Self::unary)?.integer();
                    let value = value.ok_or_else(|| wrong(at, "Integer constant expression expected"))?;
                    return Ok(if ty == "s64" { Constant::Signed(value as i64) } else { Constant::Unsigned(value) });
                }
                let value = self.constant()?;
                self.expect(b')')?;
                return Ok(value);
            }
            _ => {}
        }
        let value = match token {
            Token::Integer(value, false) => Constant::Signed(value as i64),
            Token::Integer(value, true) => Constant::Unsigned(value),
            Token::F32(bits) => Constant::F32(bits),
            Token::F64(bits) => Constant::F64(f64::from_bits(bits)),
            Token::Word("WARP_SZ") => Constant::Signed(32),
            Token::Dot(digits) if digits.starts_with(|c: char| c.is_ascii_digit()) => {
                Constant::F64(format!("0.{digits}").parse().map_err(|_| self.unexpected())?)
            }
            _ => return Err(self.unexpected()),
        };
        self.advance()?;
        Ok(value)
    }
}

fn apply(operator: &str, a: Constant, b: Constant) -> Result<Constant, &'static str> {
    let truth = |holds: bool| Ok(Constant::Signed(i64::from(holds)));
    match operator {
        "&&" => return truth(a.truth() && b.truth()),
        "||" => return truth(a.truth() || b.truth()),
        _ => {}
    }
    let (Some(x), Some(y)) = (a.integer(), b.integer()) else {
        let (a, b) = (a.as_f64(), b.as_f64());
        return match operator {
            "+" => Ok(Constant::F64(a + b)),
            "-" => Ok(Constant::F64(a - b)),
            "*" => Ok(Constant::F64(a * b)),
            "/" => Ok(Constant::F64(a / b)),
            "==" => truth(a == b),
            "!=" => truth(a != b),
            "<" => truth(a < b),
            "<=" => truth(a <= b),
            ">" => truth(a > b),
            ">=" => truth(a >= b),
            _ => Err("Integer constant expression expected"),
        };
    };
    // The type of a shift is that of its first operand.
    let signed = match operator {
        "<<" | ">>" => matches!(a, Constant::Signed(_)),
        _ => matches!((a, b), (Constant::Signed(_), Constant::Signed(_))),
    };
    let (p, q) = (x as i64, y as i64);
    let order = if signed { p.cmp(&q) } else { x.cmp(&y) };
    let divided = |f: fn(u64, u64) -> u64, g: fn(i64, i64) -> i64| match (y, signed) {
        (0, _) => Err("Constant expression has division by zero"),
        (_, true) => Ok(g(p, q) as u64),
        _ => Ok(f(x, y)),
    };
    let bits = match operator {
        "+" => x.wrapping_add(y),
        "-" => x.wrapping_sub(y),
        "*" => x.wrapping_mul(y),
        "/" => divided(u64::wrapping_div, i64::wrapping_div)?,
        "%" => divided(u64::wrapping_rem, i64::wrapping_rem)?,
        "&" => x & y,
        "|" => x | y,
        "^" => x ^ y,
        // Counts are taken modulo 64.
        "<<" => x.wrapping_shl(y as u32),
        ">>" if signed => p.wrapping_shr(y as u32) as u64,
        ">>" => x.wrapping_shr(y as u32),
        "==" => return truth(x == y),
        "!=" => return truth(x != y),
        "<" => return truth(order.is_lt()),
        "<=" => return truth(order.is_le()),
        ">" => return truth(order.is_gt()),
        _ => return truth(order.is_ge()),
    };
    Ok(if signed { Constant::Signed(bits as i64) } else { Constant::Unsigned(bits) })
}

#[cfg(test)]
mod tests {
    use crate::module::Initial;
    use crate::parse;

    /// Expressions and what an H200 holds of them.
    #[test]
    fn expressions() {
        for (ty, text, bits) in [
            ("u32", "3+4*2", 0xb),
            ("u32", "(1<<4)|3", 0x13),
            ("u32", "5>3?7:9", 7),
            ("u32", "1?2:3?4:5", 2),
            ("u32", "~0", 0xffff_ffff),
            ("u32", "!0", 1),
            ("u32", "!7", 0),
            ("s32", "-5/2", 0xffff_fffe),
            ("u64", "-1/2", 0),
            ("u64", "-1>>1", u64::MAX),
            ("u64", "(.u64)-1>>1", u64::MAX >> 1),
            ("u64", "0xFFFFFFFFFFFFFFFF>>1", u64::MAX >> 1),
            ("u64", "0xFFFFFFFFFFFFFFFF/2", u64::MAX >> 1),
            ("u64", "5U-6", u64::MAX),
            ("s64", "(5U-6)/2", u64::MAX >> 1),
            ("s64", "-6/2U", 0x7fff_ffff_ffff_fffd),
            ("u32", "5>-1", 1),
            ("u32", "5U>-1", 0),
            ("u32", "2&&4", 1),
            ("u32", "2||0", 1),
            ("u32", "6^3", 5),
            ("u32", "6&3", 2),
            ("u32", "1<2==1", 1),
            ("u32", "7&3==3", 1),
            ("u32", "10-4-3", 3),
            ("u32", "7 % 4", 3),
            ("u32", "WARP_SZ*2", 64),
            ("u8", "256", 0),
            ("s8", "-129", 0x7f),
            ("u16", "65537", 1),
            ("s32", "017", 15),
            ("u64", "0x8000000000000000>>63", 1),
            ("s64", "9223372036854775808>>63", 1),
            ("s64", "(.s64)0xFFFFFFFFFFFFFFFF>>1", u64::MAX),
            ("u64", "18446744073709551616", 0),
            ("u64", "1<<64", 1),
            ("u64", "1<<-1", 1 << 63),
            ("s64", "-8>>1", (-4i64) as u64),
            ("u64", "4294967295+1", 1 << 32),
            ("f32", "1.5+2.25", 0x4070_0000),
            ("f64", "1.0/3.0", 0x3fd5_5555_5555_5555),
            ("f32", "0.1", 0x3dcc_cccd),
            ("f32", "-(1.5)", 0xbfc0_0000),
            ("f64", "0f3F800000", 0x3f80_0000),
            ("f32", "0d3FF8000000000000", 0x3fc0_0000),
            ("b32", "1.5", 0x3fc0_0000),
            ("b64", "1.5", 0x3ff8_0000_0000_0000),
            ("b32", "0f3F800000", 0x3f80_0000),
            ("b64", "0f3F800000", 0x3f80_0000),
            ("b32", "0d3FF8000000000000", 0x3fc0_0000),
            ("u32", "1.5>1.0", 1),
            ("u32", "1.5<2.5 && 1", 1),
        ] {
            let module = format!(".version 9.0\n.target sm_90\n.address_size 64\n.global .{ty} v = {text};");
            let module = parse(&module).unwrap_or_else(|problem| panic!("{text}: {problem}"));
            let Initial::Bytes(bytes) = &module.variables[0].initial[0] else { panic!("{text}") };
            let mut word = [0; 8];
            word[..bytes.len()].copy_from_slice(bytes);
            assert_eq!(u64::from_le_bytes(word), bits, "{ty} {text}");
        }
    }
}
