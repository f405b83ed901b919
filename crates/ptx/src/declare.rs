//! Declarations of variables, and what they hold at first.

use crate::constant::Constant;
use crate::cursor::{Parsed, Parser};
use crate::diagnostic::{Diagnostic, ErrorKind, Position};
use crate::lexer::Token;
use crate::module::{Initial, Linkage, Variable};
use crate::types::{Space, Type};

/// Where a variable is declared.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum DeclaredIn {
    /// Outside of functions.
    Module,
    /// In a function or a block.
    Function,
    /// Among parameters or results.
    Parameter,
}

/// The number of elements of an array that counts its initial values.
const COUNTED: usize = usize::MAX;

fn wrong<T>(at: Position, message: impl Into<String>) -> Parsed<T> {
    Err(Diagnostic::new(ErrorKind::Semantics, at, message))
}

impl<'a> Parser<'a> {
    /// The type with a name, for registers and variables.
    pub(super) fn declared_type(&self, name: &str) -> Parsed<Type> {
        match Type::parse(name) {
            Some(Type::Bf16 | Type::Bf16x2 | Type::Tf32) | None => Err(self.unexpected()),
            Some(ty) if ty.is_of_instructions() => {
                wrong(self.position, format!("Type .{name} may only be used as an instruction type"))
            }
            Some(ty) => Ok(ty),
        }
    }

    /// `.attribute(...)`: true when it says that memory is managed.
    pub(super) fn attributes(&mut self) -> Parsed<bool> {
        let mut managed = false;
        self.advance()?;
        self.expect(b'(')?;
        loop {
            match self.token {
                Token::Dot("managed") => {
                    self.advance()?;
                    managed = true;
                }
                // A number for the linker of two modules; there is nothing to be done for it.
                Token::Dot("unified") => {
                    self.advance()?;
                    self.expect(b'(')?;
                    self.integer()?;
                    self.expect(b',')?;
                    self.integer()?;
                    self.expect(b')')?;
                }
                _ => return Err(self.unexpected()),
            }
            if !self.accept(b',')? {
                self.expect(b')')?;
                return Ok(managed);
            }
        }
    }

    /// `[2]`, behind `.const`: a bank of the first devices.
    pub(super) fn bank(&mut self) -> Parsed<i64> {
        let at = self.position;
        self.expect(b'[')?;
        let bank = self.integer()?;
        self.expect(b']')?;
        match bank {
            _ if self.module.version >= (2, 2) => {
                wrong(at, "Deprecated feature: 'explicit constant banks' not supported as of PTX version 2.2")
            }
            0 => Ok(bank),
            _ if self.module.version < (1, 5) => {
                wrong(at, "Feature 'banked constants' requires PTX ISA .version 1.5 or later")
            }
            1..=10 => Ok(bank),
            _ => wrong(at, format!("Illegal bank number: {bank}")),
        }
    }

    /// The state space of a declaration. Arrays that another module completes may be `incomplete`.
    fn declared_space(&mut self, level: DeclaredIn, incomplete: bool) -> Parsed<Space> {
        let at = self.position;
        let Token::Dot(name) = self.token else { return Err(self.unexpected()) };
        if name == "tex" {
            if self.module.version >= (1, 5) {
                return wrong(at, "Deprecated feature: '.tex' not supported as of PTX version 1.5");
            }
            self.advance()?;
            return Ok(Space::Global);
        }
        let space = Space::parse(name).ok_or_else(|| self.unexpected())?;
        self.advance()?;
        if space == Space::Constant && self.token == Token::Sign(b'[') && self.bank()? > 0 && !incomplete {
            return wrong(at, "Constant banks 1..11 are reserved for external incomplete arrays");
        }
        if level == DeclaredIn::Module && matches!(space, Space::Local | Space::Register) {
            return wrong(at, format!("Module-scoped variables in .{name} state space are not allowed with ABI"));
        }
        Ok(space)
    }

    /// The declaration of one or more variables, up to the semicolon.
    pub(super) fn variables(&mut self, linkage: Linkage, level: DeclaredIn) -> Parsed<Vec<Variable<'a>>> {
        let at = self.position;
        let texture = self.token == Token::Dot("tex");
        let space = self.declared_space(level, linkage == Linkage::Extern)?;
        let (mut align, mut ty, mut lanes, mut managed) = (None, None, 1, false);
        while let Token::Dot(name) = self.token {
            match name {
                "attribute" => {
                    managed |= self.attributes()?;
                    continue;
                }
                "v2" => lanes = 2,
                "v4" => lanes = 4,
                "align" => {
                    self.advance()?;
                    let bytes = usize::try_from(self.integer()?).unwrap_or(0);
                    if !bytes.is_power_of_two() {
                        return wrong(at, "Alignment must be a power of two");
                    }
                    align = Some(bytes);
                    continue;
                }
                "ptr" if level == DeclaredIn::Parameter => {
                    // What a kernel's parameter points to.
                    self.advance()?;
                    if matches!(self.token, Token::Dot("global" | "const" | "local" | "shared")) {
                        self.advance()?;
                    }
                    if self.token == Token::Dot("align") {
                        self.advance()?;
                        self.integer()?;
                    }
                    continue;
                }
                _ => ty = Some(self.declared_type(name)?),
            }
            self.advance()?;
        }
        let ty = ty.ok_or_else(|| self.unexpected())?;
        let ty = match (texture, ty) {
            (false, ty) => ty,
            (_, Type::U32 | Type::U64) if lanes == 1 => Type::TextureReference,
            _ => return wrong(at, "Texture variables must be type .u32 or .u64"),
        };
        if ty.bytes() * lanes > 16 {
            return wrong(at, "Vector type too large, exceeds 128 bit limit");
        }
        if linkage == Linkage::Common && space != Space::Global {
            return wrong(at, ".common variables must be declared in .global space");
        }
        if ty == Type::SamplerReference && !self.samplers {
            return wrong(at, "Instruction or declaration violates .target texmode_unified setting");
        }
        if ty.is_opaque() && !texture {
            self.since("opaque type", (1, 5))?;
        }
        if ty.is_opaque() && !matches!(space, Space::Global | Space::Parameter) {
            return wrong(at, "Texture and surface variables must be declared in .global space");
        }
        let mut all = Vec::new();
        loop {
            let position = self.position;
            let name = if let Token::Word(_) = self.token { self.word()? } else { "_" };
            if ty == Type::Pred {
                return wrong(position, format!("Predicate variable '{name}' must be in register state space"));
            }
            if managed && space != Space::Global {
                return wrong(position, format!("Illegal attribute '.managed' for symbol '{name}'"));
            }
            if lanes > 1 && level == DeclaredIn::Parameter {
                return wrong(position, format!("Variable '{name}' cannot be allocated in .param state space"));
            }
            let mut shape = self.dimensions(name, ty.bytes() * lanes)?;
            let element = ty.bytes() * lanes;
            let counted = shape.first() == Some(&COUNTED);
            let mut size = shape.iter().filter(|&&n| n != COUNTED).product::<usize>() * element;
            let mut initial = Vec::new();
            if self.accept(b'=')? {
                if linkage == Linkage::Extern {
                    return wrong(position, format!("No initial value is allowed for external symbol '{name}'"));
                }
                if !matches!(space, Space::Global | Space::Constant) {
                    return wrong(position, format!("No initial value is allowed for '{name}' in this state space"));
                }
                if lanes > 1 {
                    shape.push(lanes);
                }
                let elements = self.initial(ty, &shape, &mut initial)?;
                if counted {
                    size *= elements;
                }
            } else if counted {
                if linkage != Linkage::Extern && level != DeclaredIn::Parameter {
                    return wrong(position, format!("Non-external variable '{name}' has incomplete type"));
                }
                size = 0;
            }
            let align = align.unwrap_or(element).max(1);
            all.push(Variable { name, space, ty, align, size, initial, linkage, managed, position });
            if self.token != Token::Sign(b',') || level == DeclaredIn::Parameter {
                return Ok(all);
            }
            self.advance()?;
        }
    }

    /// Numbers of elements, the outermost first, for elements of so many bytes.
    fn dimensions(&mut self, name: &str, element: usize) -> Parsed<Vec<usize>> {
        let position = self.position;
        let (mut shape, mut size) = (Vec::new(), element);
        while self.accept(b'[')? {
            if shape.is_empty() && self.accept(b']')? {
                shape.push(COUNTED);
                continue;
            }
            let count = self.integer()?;
            self.expect(b']')?;
            let count = usize::try_from(count).ok();
            let whole = count.and_then(|n| size.checked_mul(n)).filter(|&n| n <= 1 << 40);
            let (Some(count), Some(whole)) = (count, whole) else {
                return wrong(position, format!("'{name}' is too large"));
            };
            size = whole;
            shape.push(count);
        }
        Ok(shape)
    }

    /// The contents of an array of a shape, or of a scalar. Gives the number of elements of the outermost dimension.
    fn initial(&mut self, ty: Type, shape: &[usize], all: &mut Vec<Initial<'a>>) -> Parsed<usize> {
        let at = self.position;
        let Some((&count, inner)) = shape.split_first() else {
            self.scalar(ty, all)?;
            return Ok(1);
        };
        if !self.accept(b'{')? {
            return wrong(at, "Initial value type mismatch");
        }
        let mut given = 0;
        while !self.accept(b'}')? {
            if given == count {
                return wrong(at, "Greater number of elements in array initializer");
            }
            given += 1;
            let elements = self.nested(|parser| parser.initial(ty, inner, all))?;
            // What an inner array leaves out is zero.
            if let Some((&whole, rest)) = inner.split_first()
                && elements < whole
            {
                all.push(Initial::Zeros((whole - elements) * rest.iter().product::<usize>() * ty.bytes()));
            }
            if !self.accept(b',')? {
                self.expect(b'}')?;
                break;
            }
        }
        Ok(given)
    }

    /// The contents of one element.
    fn scalar(&mut self, ty: Type, all: &mut Vec<Initial<'a>>) -> Parsed<()> {
        let at = self.position;
        let mismatch = || wrong(at, "Initial value type mismatch");
        let size = ty.bytes();
        if ty.is_opaque() {
            return Err(Diagnostic::new(
                ErrorKind::Unsupported,
                at,
                "properties of texture references are not supported",
            ));
        }
        if matches!(ty, Type::F16 | Type::F16x2) {
            let name = if ty == Type::F16 { "f16" } else { "f16x2" };
            return wrong(at, format!("No initial value is allowed for .{name} type"));
        }
        match self.token {
            // `0xFF00(symbol)`: the byte of the address that the mask shows.
            Token::Integer(mask, _) if self.ahead() == Token::Sign(b'(') => {
                self.advance()?;
                self.advance()?;
                let (symbol, offset) = self.address_of(at)?;
                self.expect(b')')?;
                let shift = mask.trailing_zeros() & !7;
                if mask != 0xff_u64.wrapping_shl(shift) || mask == 0 {
                    return wrong(at, format!("Invalid mask value '{mask:#x}' used in initializer"));
                }
                if size != 1 {
                    return mismatch();
                }
                all.push(Initial::Address { symbol, offset, size, shift });
                return Ok(());
            }
            Token::Word(word) if word != "WARP_SZ" => {
                let (symbol, offset) = self.address_of(at)?;
                if size < 4 || ty.is_float() {
                    return mismatch();
                }
                all.push(Initial::Address { symbol, offset, size, shift: 0 });
                return Ok(());
            }
            _ => {}
        }
        let bits_type = matches!(ty, Type::B8 | Type::B16 | Type::B32 | Type::B64 | Type::B128);
        let bits = match self.constant()? {
            value @ (Constant::Signed(_) | Constant::Unsigned(_)) if !ty.is_float() => value.integer().unwrap_or(0),
            // Written as bits, they are taken as they are.
            Constant::F32(bits) if ty.is_float() || bits_type => bits.into(),
            Constant::F64(value) if ty == Type::F32 || ty == Type::B32 => (value as f32).to_bits().into(),
            Constant::F64(value) if ty == Type::F64 || bits_type && size >= 8 => value.to_bits(),
            _ => return mismatch(),
        };
        let mut bytes = [0; 16];
        bytes[..8].copy_from_slice(&bits.to_le_bytes());
        match all.last_mut() {
            Some(Initial::Bytes(last)) => last.extend_from_slice(&bytes[..size]),
            _ => all.push(Initial::Bytes(bytes[..size].to_vec())),
        }
        Ok(())
    }

    /// `symbol`, `symbol + 4`, `generic(symbol) + 4`.
    fn address_of(&mut self, at: Position) -> Parsed<(&'a str, i64)> {
        let mut symbol = self.word()?;
        if symbol == "generic" && self.accept(b'(')? {
            symbol = self.word()?;
            self.expect(b')')?;
        }
        if !self.known.contains(symbol) {
            return wrong(at, format!("Invalid initial value symbol '{symbol}'"));
        }
        if self.variable(symbol).is_some_and(|v| !matches!(v.space, Space::Global | Space::Constant)) {
            return wrong(at, "Variable used as initial value not in .global or .const state space");
        }
        let offset = if self.token == Token::Sign(b'+') { self.offset()? } else { 0 };
        Ok((symbol, offset))
    }
}

impl Initial<'_> {
    /// Its size.
    pub fn bytes(&self) -> usize {
        match self {
            Initial::Bytes(bytes) => bytes.len(),
            Initial::Zeros(count) => *count,
            Initial::Address { size, .. } => *size,
        }
    }
}
