//! Text to tokens.

use crate::diagnostic::{Diagnostic, ErrorKind, Position};

/// The smallest piece of text with a meaning.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Token<'a> {
    /// A name, with `%` and `$` where it has them.
    Word(&'a str),
    /// What follows a dot: directives, modifiers, components.
    Dot(&'a str),
    /// An integer, and whether it is unsigned: by a `U` behind it, or because no signed one is so large.
    Integer(u64, bool),
    /// `0fXXXXXXXX`: the bits of an `f32`.
    F32(u32),
    /// `0dXXXXXXXXXXXXXXXX` or a decimal fraction: the bits of an `f64`.
    F64(u64),
    /// A string, without its quotes.
    Text(&'a str),
    /// Anything else.
    Sign(u8),
    /// The end of the text.
    End,
}

/// Reads tokens one after the other.
#[derive(Clone)]
pub struct Lexer<'a> {
    source: &'a str,
    text: &'a [u8],
    at: usize,
    line: u32,
    line_start: usize,
    /// Lines that begin with [`DWARF`] are comments.
    pub dwarf: bool,
}

/// What lines for debuggers began with before version 2.0.
const DWARF: &[u8] = b"@@DWARF";

fn is_start(c: u8) -> bool {
    c.is_ascii_alphabetic() || matches!(c, b'_' | b'$' | b'%')
}

fn is_part(c: u8) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, b'_' | b'$')
}

impl<'a> Lexer<'a> {
    /// At the beginning of `text`.
    pub fn new(text: &'a str) -> Self {
        Lexer { source: text, text: text.as_bytes(), at: 0, line: 1, line_start: 0, dwarf: true }
    }

    fn peek(&self, ahead: usize) -> u8 {
        self.text.get(self.at + ahead).copied().unwrap_or(0)
    }

    fn slice(&self, from: usize, to: usize) -> &'a str {
        self.source.get(from..to).unwrap_or("")
    }

    fn skip_blanks(&mut self) {
        loop {
            match self.peek(0) {
                b'\n' => {
                    self.at += 1;
                    self.line += 1;
                    self.line_start = self.at;
                }
                b' ' | b'\t' | b'\r' | 0x0c => self.at += 1,
                // Where a preprocessor has been.
                b'#' if self.is_line_empty() => self.skip_line(),
                b'/' if self.peek(1) == b'/' => self.skip_line(),
                b'@' if self.dwarf && self.text.get(self.at..).is_some_and(|rest| rest.starts_with(DWARF)) => {
                    self.skip_line()
                }
                b'/' if self.peek(1) == b'*' => {
                    self.at += 2;
                    while self.at < self.text.len() && !(self.peek(0) == b'*' && self.peek(1) == b'/') {
                        if self.peek(0) == b'\n' {
                            self.line += 1;
                            self.line_start = self.at + 1;
                        }
                        self.at += 1;
                    }
                    self.at = (self.at + 2).min(self.text.len());
                }
                _ => return,
            }
        }
    }

    fn skip_line(&mut self) {
        while self.at < self.text.len() && self.peek(0) != b'\n' {
            self.at += 1;
        }
    }

    /// Nothing but blanks stands before this in its line.
    fn is_line_empty(&self) -> bool {
        self.text.get(self.line_start..self.at).is_some_and(|line| line.iter().all(u8::is_ascii_whitespace))
    }

    fn take(&mut self, part: impl Fn(u8) -> bool) -> &'a str {
        let from = self.at;
        while self.at < self.text.len() && part(self.peek(0)) {
            self.at += 1;
        }
        self.slice(from, self.at)
    }

    /// The next token and where it begins.
    pub fn read(&mut self) -> Result<(Token<'a>, Position), Diagnostic> {
        self.skip_blanks();
        let position = Position { line: self.line, column: (self.at - self.line_start) as u32 + 1 };
        if self.at >= self.text.len() {
            return Ok((Token::End, position));
        }
        let c = self.peek(0);
        let token = if is_start(c) && (c != b'%' || is_part(self.peek(1))) {
            self.at += 1;
            let from = self.at - 1;
            self.take(is_part);
            Token::Word(self.slice(from, self.at))
        } else if c == b'.' && is_part(self.peek(1)) {
            self.at += 1;
            let from = self.at;
            loop {
                self.take(is_part);
                if self.peek(0) == b':' && self.peek(1) == b':' && is_part(self.peek(2)) {
                    self.at += 2;
                } else {
                    break;
                }
            }
            Token::Dot(self.slice(from, self.at))
        } else if c.is_ascii_digit() {
            self.number().ok_or_else(|| Diagnostic::new(ErrorKind::Syntax, position, "a number that is none"))?
        } else if c == b'"' {
            self.at += 1;
            let text = self.take(|c| c != b'"' && c != b'\n');
            if self.peek(0) != b'"' {
                return Err(Diagnostic::new(ErrorKind::Syntax, position, "a string without an end"));
            }
            self.at += 1;
            Token::Text(text)
        } else {
            self.at += 1;
            Token::Sign(c)
        };
        Ok((token, position))
    }

    fn number(&mut self) -> Option<Token<'a>> {
        if self.peek(0) == b'0' {
            let radix = match self.peek(1) {
                b'x' | b'X' => 16,
                b'b' | b'B' => 2,
                b'f' | b'F' => {
                    self.at += 2;
                    let digits = self.take(|c| c.is_ascii_hexdigit());
                    return u32::from_str_radix(digits, 16).ok().filter(|_| digits.len() == 8).map(Token::F32);
                }
                b'd' | b'D' => {
                    self.at += 2;
                    let digits = self.take(|c| c.is_ascii_hexdigit());
                    return u64::from_str_radix(digits, 16).ok().filter(|_| digits.len() == 16).map(Token::F64);
                }
                _ => 0,
            };
            if radix != 0 {
                self.at += 2;
                let digits = self.take(|c| c.is_ascii_hexdigit());
                return self.integer(digits, radix);
            }
        }
        let from = self.at;
        self.take(|c| c.is_ascii_digit());
        let mut fraction = false;
        let exponent = |at: &Self| matches!(at.peek(1), b'e' | b'E') && !at.peek(2).is_ascii_alphabetic();
        if self.peek(0) == b'.' && (!is_start(self.peek(1)) || exponent(self)) {
            fraction = true;
            self.at += 1;
            self.take(|c| c.is_ascii_digit());
        }
        if matches!(self.peek(0), b'e' | b'E') {
            fraction = true;
            self.at += 1;
            if matches!(self.peek(0), b'+' | b'-') {
                self.at += 1;
            }
            self.take(|c| c.is_ascii_digit());
        }
        let digits = self.slice(from, self.at);
        if fraction {
            return digits.parse::<f64>().ok().map(|value| Token::F64(value.to_bits()));
        }
        let octal = digits.len() > 1 && digits.starts_with('0');
        self.integer(digits, if octal { 8 } else { 10 })
    }

    fn integer(&mut self, digits: &str, radix: u32) -> Option<Token<'a>> {
        // What is too large loses its upper bits.
        let value = u128::from_str_radix(digits, radix).ok()? as u64;
        let unsigned = matches!(self.peek(0), b'U' | b'u');
        if unsigned {
            self.at += 1;
        }
        (!is_part(self.peek(0))).then_some(Token::Integer(value, unsigned || value > i64::MAX as u64))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &str) -> Vec<Token<'_>> {
        let mut lexer = Lexer::new(text);
        let mut tokens = Vec::new();
        loop {
            match lexer.read().unwrap().0 {
                Token::End => return tokens,
                token => tokens.push(token),
            }
        }
    }

    #[test]
    fn tokens_of_each_kind() {
        use Token::*;
        assert_eq!(
            all("ld.shared::cta.v2.b32 %r1"),
            [Word("ld"), Dot("shared::cta"), Dot("v2"), Dot("b32"), Word("%r1")]
        );
        assert_eq!(
            all("0x1F 017 0b101 12U 0x8000000000000000 18446744073709551617"),
            [
                Integer(31, false),
                Integer(15, false),
                Integer(5, false),
                Integer(12, true),
                Integer(1 << 63, true),
                Integer(1, false)
            ]
        );
        assert_eq!(all("5 % 3 %r"), [Integer(5, false), Sign(b'%'), Integer(3, false), Word("%r")]);
        assert_eq!(all("1.e3 1E+3"), [F64(1e3f64.to_bits()), F64(1e3f64.to_bits())]);
        assert_eq!(
            all("0f3F800000 0d3FF0000000000000 1.5"),
            [F32(0x3f80_0000), F64(0x3ff0_0000_0000_0000), F64(1.5f64.to_bits())]
        );
        assert_eq!(all("/* a\n b */ x // y\n \"s t\""), [Word("x"), Text("s t")]);
    }

    #[test]
    fn positions() {
        let mut lexer = Lexer::new("a\n  b");
        lexer.read().unwrap();
        assert_eq!(lexer.read().unwrap().1, Position { line: 2, column: 3 });
        for wrong in ["0f12", "0x", "1x", "\"abc"] {
            assert!(Lexer::new(wrong).read().is_err(), "{wrong}");
        }
    }
}
