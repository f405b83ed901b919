//! Operands, and what names mean where.

use crate::constant::Constant;
use crate::cursor::{Parsed, Parser};
use crate::diagnostic::{Diagnostic, ErrorKind, Position};
use crate::instruction::{Operand, Register, Selector, Special};
use crate::lexer::Token;
use crate::module::Body;
use crate::types::Type;
use foldhash::{HashMap, HashMapExt};

/// One block.
#[derive(Default)]
struct Scope<'a> {
    parent: Option<u32>,
    /// None for the many blocks that declare nothing.
    names: Option<Box<Names<'a>>>,
}

/// The names of a block.
#[derive(Default)]
struct Names<'a> {
    /// `%r<10>`: prefix, type, lanes, count.
    ranges: HashMap<&'a str, (Type, u32, u32)>,
    /// Type and lanes.
    alone: HashMap<&'a str, (Type, u32)>,
    /// Those that were used.
    registers: HashMap<&'a str, Register>,
    variables: HashMap<&'a str, u32>,
    labels: HashMap<&'a str, usize>,
}

/// A list of labels: its name, theirs, its block, and where it is.
type Targets<'a> = (&'a str, Vec<&'a str>, u32, Position);

/// The names of a function. Blocks that were left are kept, for labels.
pub(super) struct Scopes<'a> {
    all: Vec<Scope<'a>>,
    current: u32,
    targets: Vec<Targets<'a>>,
    /// Of vectors of registers, which come one after the other, the first and how many they are.
    vectors: HashMap<Register, u32>,
}

impl<'a> Scopes<'a> {
    pub(super) fn new() -> Self {
        Scopes { all: vec![Scope::default()], current: 0, targets: Vec::new(), vectors: HashMap::new() }
    }

    pub(super) fn enter(&mut self) {
        self.all.push(Scope { parent: Some(self.current), ..Scope::default() });
        self.current = self.all.len() as u32 - 1;
    }

    pub(super) fn leave(&mut self) {
        self.current = self.all[self.current as usize].parent.unwrap_or(0);
    }

    fn here(&mut self) -> &mut Names<'a> {
        self.all[self.current as usize].names.get_or_insert_default()
    }

    /// Declares registers. True when the block has such a name.
    pub(super) fn declare_registers(&mut self, prefix: &'a str, ty: Type, lanes: u32, count: u32) -> bool {
        self.here().ranges.insert(prefix, (ty, lanes, count)).is_some()
    }

    /// Declares a register. True when the block has such a name.
    pub(super) fn declare_register(&mut self, name: &'a str, ty: Type, lanes: u32) -> bool {
        self.here().alone.insert(name, (ty, lanes)).is_some()
    }

    /// Declares a variable. True when the block has such a name.
    pub(super) fn variable(&mut self, name: &'a str, number: u32) -> bool {
        self.here().variables.insert(name, number).is_some() && name != "_"
    }

    /// False when the block has such a label.
    pub(super) fn label(&mut self, name: &'a str, at: usize) -> bool {
        self.here().labels.insert(name, at).is_none()
    }

    pub(super) fn targets(&mut self, name: &'a str, labels: Vec<&'a str>, position: Position) {
        self.targets.push((name, labels, self.current, position));
    }

    pub(super) fn take_targets(&mut self) -> Vec<Targets<'a>> {
        core::mem::take(&mut self.targets)
    }

    fn chain(&self, from: u32) -> impl Iterator<Item = (u32, &Names<'a>)> {
        let all = core::iter::successors(Some(from), |&at| self.all[at as usize].parent);
        all.filter_map(|at| Some((at, self.all[at as usize].names.as_deref()?)))
    }

    pub(super) fn find_label(&self, name: &str, from: u32) -> Option<usize> {
        self.chain(from).find_map(|(_, scope)| scope.labels.get(name).copied())
    }

    fn find_variable(&self, name: &str) -> Option<u32> {
        self.chain(self.current).find_map(|(_, scope)| scope.variables.get(name).copied())
    }

    /// The register with a name; it gets a number when it is first used.
    pub(super) fn register(&mut self, name: &'a str, body: &mut Body<'a>) -> Option<Register> {
        /// Of a number of 32 bits.
        const MOST_DIGITS: usize = 10;
        let digits = name.len() - name.trim_end_matches(|c: char| c.is_ascii_digit()).len();
        let mut found = None;
        'scopes: for (at, scope) in self.chain(self.current) {
            if let Some(&register) = scope.registers.get(name) {
                return Some(register);
            }
            if let Some(&(ty, lanes)) = scope.alone.get(name) {
                found = Some((at, ty, lanes));
                break;
            }
            // A prefix may itself end in digits.
            for split in (name.len() - digits.min(MOST_DIGITS)..name.len()).rev() {
                let (prefix, number) = name.split_at(split);
                let plain = number.len() == 1 || !number.starts_with('0');
                if let Some(&(ty, lanes, count)) = scope.ranges.get(prefix)
                    && plain
                    && number.parse::<u32>().is_ok_and(|n| n < count)
                {
                    found = Some((at, ty, lanes));
                    break 'scopes;
                }
            }
        }
        let (at, ty, lanes) = found?;
        let register = body.registers.len() as Register;
        for _ in 0..lanes {
            body.registers.push(ty);
        }
        if ty == Type::B128 {
            body.registers.push(Type::B64);
        }
        if lanes > 1 {
            self.vectors.insert(register, lanes);
        }
        body.names.push((register, name));
        self.all[at as usize].names.get_or_insert_default().registers.insert(name, register);
        Some(register)
    }
}

impl<'a> Operand<'a> {
    /// Applies `f` to all operands inside of this one and to itself.
    pub(super) fn each(&mut self, f: &mut impl FnMut(&mut Operand<'a>) -> Parsed<()>) -> Parsed<()> {
        match self {
            Operand::Address(base, _) => base.each(f)?,
            Operand::Indexed(all) | Operand::Vector(all) | Operand::List(all) => {
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
                        Ok(Operand::Indexed(all))
                    }
                    (_, None) => Err(self.unexpected()),
                };
            }
            Token::Sign(b'{') => {
                self.advance()?;
                Operand::Vector(self.operands(b'}', scopes, body)?)
            }
            Token::Sign(b'(') if self.in_call => {
                self.advance()?;
                return Ok(Operand::List(self.operands(b')', scopes, body)?));
            }
            Token::Sign(b'!') if matches!(self.ahead(), Token::Word(_)) => {
                self.advance()?;
                let name = self.word()?;
                return match scopes.register(name, body) {
                    Some(register) => Ok(Operand::Not(register)),
                    None => self.nameless(name, position, scopes),
                };
            }
            Token::Sign(b'-') if matches!(self.ahead(), Token::Word(name) if name != "WARP_SZ") => {
                self.advance()?;
                let name = self.word()?;
                let operand = self.named(name, position, scopes, body)?;
                return match operand {
                    Operand::Register(_) | Operand::Part(..) => Ok(Operand::Negative(Box::new(operand))),
                    _ => Err(Diagnostic::new(ErrorKind::Syntax, position, "a sign in front of no number")),
                };
            }
            _ if self.is_constant() => {
                return Ok(match self.constant()? {
                    Constant::Signed(value) => Operand::Integer(value as u64),
                    Constant::Unsigned(value) => Operand::Integer(value),
                    Constant::F32(bits) => Operand::F32(bits),
                    Constant::F64(value) => Operand::F64(value.to_bits()),
                });
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

    /// What stands behind the name of a variable: an offset in bytes, or the number of an element, which makes an address.
    fn element(&mut self, bytes: usize, name: impl FnOnce(i64) -> Operand<'a>) -> Parsed<Operand<'a>> {
        if !self.accept(b'[')? {
            return Ok(name(self.offset()?));
        }
        let number = self.integer()?;
        self.expect(b']')?;
        let offset = number.wrapping_mul(bytes as i64).wrapping_add(self.offset()?);
        Ok(Operand::Address(Box::new(name(0)), offset))
    }

    fn named(
        &mut self,
        name: &'a str,
        position: Position,
        scopes: &mut Scopes<'a>,
        body: &mut Body<'a>,
    ) -> Parsed<Operand<'a>> {
        if name == "_" {
            return Ok(Operand::Nothing);
        }
        if let Some(register) = scopes.register(name, body) {
            if let Some(&lanes) = scopes.vectors.get(&register) {
                let Token::Dot(component) = self.token else {
                    return Ok(Operand::Vector((register..register + lanes).map(Operand::Register).collect()));
                };
                let number = match component {
                    "x" | "r" => 0,
                    "y" | "g" => 1,
                    "z" | "b" => 2,
                    "w" | "a" => 3,
                    _ => lanes,
                };
                if number >= lanes {
                    let message = format!("Unknown vector selector: '{component}'");
                    return Err(Diagnostic::new(ErrorKind::Semantics, position, message));
                }
                self.advance()?;
                return Ok(Operand::Register(register + number));
            }
            if let Token::Dot(part) = self.token {
                self.advance()?;
                return Ok(Operand::Part(register, Selector::parse(part)));
            }
            let offset = self.offset()?;
            let register = Operand::Register(register);
            // Only brackets may hold a sum; they take this apart again.
            return Ok(if offset == 0 { register } else { Operand::Address(Box::new(register), offset) });
        }
        if let Some(variable) = scopes.find_variable(name) {
            let element = body.variables.get(variable as usize).map_or(1, |v| v.ty.bytes());
            return self.element(element, |offset| Operand::Local(variable, offset));
        }
        if name.starts_with('%') {
            let component = if let Token::Dot(component) = self.token { Some(component) } else { None };
            if component.is_none()
                && let Some(all) = Special::vector(name)
            {
                return Ok(Operand::Vector(all.map(Operand::Special).to_vec()));
            }
            let Some(special) = Special::parse(name, component) else { return self.nameless(name, position, scopes) };
            if component.is_some() {
                self.advance()?;
            }
            return Ok(Operand::Special(special));
        }
        if self.known.contains(name) {
            let variable = if self.token == Token::Sign(b'[') { self.variable(name) } else { None };
            let element = variable.map_or(1, |v| v.ty.bytes());
            return self.element(element, |offset| Operand::Symbol(name, offset));
        }
        if self.mistakes.is_some() {
            self.offset()?;
        }
        Ok(Operand::Name(name, scopes.current()))
    }

    /// What stands for a name that has no meaning: nothing, or itself where all mistakes are wanted.
    #[cold]
    fn nameless(&mut self, name: &'a str, position: Position, scopes: &Scopes<'a>) -> Parsed<Operand<'a>> {
        if self.mistakes.is_none() {
            return Err(crate::cursor::unknown(name, position));
        }
        if let Token::Dot(_) = self.token {
            self.advance()?;
        }
        self.offset()?;
        Ok(Operand::Name(name, scopes.current()))
    }
}

impl Scopes<'_> {
    fn current(&self) -> u32 {
        self.current
    }
}
