//! Operands, and what names mean where.

use super::instruction::{Operand, Register, Special};
use super::lexer::Token;
use super::parser::{Parsed, Parser};
use super::{Body, Diagnostic, Fault, Type};
use std::collections::HashMap;

/// The names of one block.
#[derive(Default)]
struct Scope<'a> {
    parent: Option<u32>,
    /// `%r<10>`: prefix, type, count.
    ranges: HashMap<&'a str, (Type, u32)>,
    singles: HashMap<&'a str, Type>,
    /// Those that were used.
    registers: HashMap<&'a str, Register>,
    variables: HashMap<&'a str, u32>,
    labels: HashMap<&'a str, usize>,
}

/// The names of a function. Blocks that were left are kept, for labels.
pub(super) struct Scopes<'a> {
    all: Vec<Scope<'a>>,
    current: u32,
    targets: Vec<(&'a str, Vec<&'a str>, u32)>,
}

impl<'a> Scopes<'a> {
    pub(super) fn new() -> Self {
        Scopes { all: vec![Scope::default()], current: 0, targets: Vec::new() }
    }

    pub(super) fn enter(&mut self) {
        self.all.push(Scope { parent: Some(self.current), ..Scope::default() });
        self.current = self.all.len() as u32 - 1;
    }

    pub(super) fn leave(&mut self) {
        self.current = self.all[self.current as usize].parent.unwrap_or(0);
    }

    fn here(&mut self) -> &mut Scope<'a> {
        &mut self.all[self.current as usize]
    }

    pub(super) fn range(&mut self, prefix: &'a str, ty: Type, count: u32) {
        self.here().ranges.insert(prefix, (ty, count));
    }

    pub(super) fn single(&mut self, name: &'a str, ty: Type) {
        self.here().singles.insert(name, ty);
    }

    pub(super) fn variable(&mut self, name: &'a str, number: u32) {
        self.here().variables.insert(name, number);
    }

    /// False when the block has such a label.
    pub(super) fn label(&mut self, name: &'a str, at: usize) -> bool {
        self.here().labels.insert(name, at).is_none()
    }

    pub(super) fn targets(&mut self, name: &'a str, labels: Vec<&'a str>) {
        self.targets.push((name, labels, self.current));
    }

    pub(super) fn is_target(&self, name: &str) -> bool {
        self.targets.iter().any(|t| t.0 == name)
    }

    pub(super) fn all_targets(&self) -> Vec<(&'a str, Vec<&'a str>, u32)> {
        self.targets.clone()
    }

    fn chain(&self, from: u32) -> impl Iterator<Item = (u32, &Scope<'a>)> {
        core::iter::successors(Some(from), |&at| self.all[at as usize].parent).map(|at| (at, &self.all[at as usize]))
    }

    pub(super) fn find_label(&self, name: &str, from: u32) -> Option<usize> {
        self.chain(from).find_map(|(_, scope)| scope.labels.get(name).copied())
    }

    fn find_variable(&self, name: &str) -> Option<u32> {
        self.chain(self.current).find_map(|(_, scope)| scope.variables.get(name).copied())
    }

    /// The register with a name; it gets a number when it is first used.
    pub(super) fn register(&mut self, name: &'a str, body: &mut Body<'a>) -> Option<Register> {
        let digits = name.len() - name.trim_end_matches(|c: char| c.is_ascii_digit()).len();
        let mut found = None;
        'scopes: for (at, scope) in self.chain(self.current) {
            if let Some(&register) = scope.registers.get(name) {
                return Some(register);
            }
            if let Some(&ty) = scope.singles.get(name) {
                found = Some((at, ty));
                break;
            }
            // A prefix may itself end in digits.
            for split in (name.len() - digits..name.len()).rev() {
                let (prefix, number) = name.split_at(split);
                let plain = number.len() == 1 || !number.starts_with('0');
                if let Some(&(ty, count)) = scope.ranges.get(prefix)
                    && plain
                    && number.parse::<u32>().is_ok_and(|n| n < count)
                {
                    found = Some((at, ty));
                    break 'scopes;
                }
            }
        }
        let (at, ty) = found?;
        let register = body.registers.len() as Register;
        body.registers.push(ty);
        self.all[at as usize].registers.insert(name, register);
        Some(register)
    }
}

impl<'a> Operand<'a> {
    /// Applies `f` to all operands inside of this one and to itself.
    pub(super) fn each(&mut self, f: &mut impl FnMut(&mut Operand<'a>) -> Parsed<()>) -> Parsed<()> {
        match self {
            Operand::Address(base, _) => base.each(f)?,
            Operand::Place(all) | Operand::Vector(all) | Operand::List(all) => {
                for operand in all {
                    operand.each(f)?;
                }
            }
            Operand::Pair(a, b) => {
                a.each(f)?;
                b.each(f)?;
            }
            Operand::Negative(inner) => inner.each(f)?,
            _ => {}
        }
        f(self)
    }
}

impl<'a> Parser<'a> {
    fn operands(&mut self, end: u8, scopes: &mut Scopes<'a>, body: &mut Body<'a>) -> Parsed<Vec<Operand<'a>>> {
        let mut all = Vec::new();
        while !self.accept(end)? {
            all.push(self.nested(|parser| parser.operand(scopes, body))?);
            if !self.accept(b',')? {
                self.expect(end)?;
                break;
            }
        }
        Ok(all)
    }

    pub(super) fn operand(&mut self, scopes: &mut Scopes<'a>, body: &mut Body<'a>) -> Parsed<Operand<'a>> {
        let position = self.position;
        let operand = match self.token {
            Token::Sign(b'[') => {
                self.advance()?;
                let mut all = self.operands(b']', scopes, body)?;
                return match (all.len(), all.pop()) {
                    (1, Some(Operand::Local(variable, offset))) => {
                        Ok(Operand::Address(Box::new(Operand::Local(variable, 0)), offset))
                    }
                    (1, Some(Operand::Symbol(name, offset))) => {
                        Ok(Operand::Address(Box::new(Operand::Symbol(name, 0)), offset))
                    }
                    (1, Some(Operand::Address(base, offset))) => Ok(Operand::Address(base, offset)),
                    (1, Some(base)) => Ok(Operand::Address(Box::new(base), 0)),
                    (_, Some(last)) => {
                        all.push(last);
                        Ok(Operand::Place(all))
                    }
                    (_, None) => Err(self.unexpected()),
                };
            }
            Token::Sign(b'{') => {
                self.advance()?;
                return Ok(Operand::Vector(self.operands(b'}', scopes, body)?));
            }
            Token::Sign(b'(') => {
                self.advance()?;
                return Ok(Operand::List(self.operands(b')', scopes, body)?));
            }
            Token::Sign(b'!') => {
                self.advance()?;
                let name = self.word()?;
                let register = scopes.register(name, body);
                return register.map(Operand::Not).ok_or_else(|| super::parser::unknown(name, position));
            }
            Token::Sign(b'~') => {
                self.advance()?;
                return Ok(Operand::Integer(!(self.integer()? as u64)));
            }
            Token::Sign(b'-') => {
                self.advance()?;
                match self.advance()? {
                    Token::Integer(value) => Operand::Integer(value.wrapping_neg()),
                    Token::Single(bits) => Operand::Single(bits ^ 1 << 31),
                    Token::Double(bits) => Operand::Double(bits ^ 1 << 63),
                    Token::Word(name) => {
                        let operand = self.named(name, position, scopes, body)?;
                        return match operand {
                            Operand::Register(_) | Operand::Part(..) => Ok(Operand::Negative(Box::new(operand))),
                            _ => Err(Diagnostic::new(Fault::Syntax, position, "a sign in front of no number")),
                        };
                    }
                    _ => return Err(Diagnostic::new(Fault::Syntax, position, "a sign in front of no number")),
                }
            }
            Token::Integer(value) => {
                self.advance()?;
                Operand::Integer(value)
            }
            Token::Single(bits) => {
                self.advance()?;
                Operand::Single(bits)
            }
            Token::Double(bits) => {
                self.advance()?;
                Operand::Double(bits)
            }
            Token::Word(name) => {
                self.advance()?;
                self.named(name, position, scopes, body)?
            }
            _ => return Err(self.unexpected()),
        };
        if self.accept(b'|')? {
            let second = self.nested(|parser| parser.operand(scopes, body))?;
            return Ok(Operand::Pair(Box::new(operand), Box::new(second)));
        }
        Ok(operand)
    }

    /// What stands behind the name of a variable: an offset in bytes, or the number of an element.
    fn element(&mut self, bytes: usize) -> Parsed<i64> {
        if !self.accept(b'[')? {
            return self.offset();
        }
        let number = self.integer()?;
        self.expect(b']')?;
        Ok(number.wrapping_mul(bytes as i64).wrapping_add(self.offset()?))
    }

    fn named(
        &mut self,
        name: &'a str,
        position: super::Position,
        scopes: &mut Scopes<'a>,
        body: &mut Body<'a>,
    ) -> Parsed<Operand<'a>> {
        if name == "_" {
            return Ok(Operand::Nothing);
        }
        if let Some(register) = scopes.register(name, body) {
            if let Token::Dot(part) = self.token {
                // `.x` and so on are of vector registers, which we do not have; the others are parts of words.
                if matches!(part, "x" | "y" | "z" | "w" | "r" | "g" | "b" | "a") {
                    let message = "components of vector registers are not supported";
                    return Err(Diagnostic::new(Fault::Unsupported, position, message));
                }
                self.advance()?;
                return Ok(Operand::Part(register, part));
            }
            let offset = self.offset()?;
            let register = Operand::Register(register);
            // Only brackets may hold a sum; they take this apart again.
            return Ok(if offset == 0 { register } else { Operand::Address(Box::new(register), offset) });
        }
        if let Some(variable) = scopes.find_variable(name) {
            let element = body.variables.get(variable as usize).map_or(1, |v| v.ty.bytes());
            return Ok(Operand::Local(variable, self.element(element)?));
        }
        if name == "WARP_SZ" {
            return Ok(Operand::Integer(32));
        }
        if name.starts_with('%') {
            let component = if let Token::Dot(component) = self.token { Some(component) } else { None };
            let special = Special::parse(name, component).ok_or_else(|| super::parser::unknown(name, position))?;
            if component.is_some() {
                self.advance()?;
            }
            return Ok(Operand::Special(special));
        }
        if self.known.contains(name) {
            let variable = if self.token == Token::Sign(b'[') { self.variable(name) } else { None };
            let element = variable.map_or(1, |v| v.ty.bytes());
            return Ok(Operand::Symbol(name, self.element(element)?));
        }
        Ok(Operand::Name(name, scopes.current()))
    }
}

impl Scopes<'_> {
    fn current(&self) -> u32 {
        self.current
    }
}
