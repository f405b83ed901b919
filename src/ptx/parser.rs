//! Tokens to a module.

use super::forms::{Checker, Target};
use super::instruction::Guard;
use super::lexer::{Lexer, Token};
use super::module::{Initial, Linkage};
use super::operand::Scopes;
use super::{
    Body, Diagnostic, Fault, Function, Instruction, Module, NEWEST, Operand, Position, Space, Type, Variable, link,
};
use std::collections::{HashMap, HashSet};

/// What reading gives.
pub type Parsed<T> = Result<T, Diagnostic>;

/// Reads a module, or several that [`link::join`] has put into one text.
pub fn parse(text: &str) -> Parsed<Module<'_>> {
    let units: Parsed<Vec<_>> = text.split(link::BETWEEN).map(Parser::read).collect();
    let mut units = units?;
    if units.len() == 1 { Ok(units.remove(0)) } else { link::merge(units) }
}

pub(super) struct Parser<'a> {
    lexer: Lexer<'a>,
    pub(super) token: Token<'a>,
    pub(super) position: Position,
    module: Module<'a>,
    /// Names of the module.
    pub(super) known: HashSet<&'a str>,
    /// Knows the forms of instructions.
    checker: Checker<'a>,
    /// How deep in brackets we are.
    depth: u32,
    /// Where each variable and each function of the module is.
    variables: HashMap<&'a str, usize>,
    functions: HashMap<&'a str, usize>,
}

/// Brackets in brackets: no program needs more, and our stack has an end.
const DEEPEST: u32 = 64;
/// Blocks in blocks: every name is looked for in all that are around it.
const DEEPEST_BLOCK: u32 = 256;

/// How a token looks in a message.
fn show(token: Token<'_>) -> String {
    match token {
        Token::Word(word) => word.to_owned(),
        Token::Dot(word) => format!(".{word}"),
        Token::Integer(value) => value.to_string(),
        Token::Single(bits) => format!("0f{bits:08X}"),
        Token::Double(bits) => format!("0d{bits:016X}"),
        Token::Text(text) => format!("\"{text}\""),
        Token::Sign(sign) => char::from(sign).to_string(),
        Token::End => "end of text".to_owned(),
    }
}

impl<'a> Parser<'a> {
    fn read(text: &'a str) -> Parsed<Module<'a>> {
        let mut parser = Parser::new(text)?;
        parser.module()?;
        Ok(parser.module)
    }

    fn new(text: &'a str) -> Parsed<Self> {
        let mut lexer = Lexer::new(text);
        let (token, position) = lexer.read()?;
        Ok(Parser {
            lexer,
            token,
            position,
            module: Module::default(),
            known: HashSet::new(),
            checker: Checker::new(Target::default()),
            depth: 0,
            variables: HashMap::new(),
            functions: HashMap::new(),
        })
    }

    /// The variable of the module with a name.
    pub(super) fn variable(&self, name: &str) -> Option<&Variable<'a>> {
        self.module.variables.iter().find(|v| v.name == name)
    }

    /// The complaint about the current token.
    pub(super) fn unexpected(&self) -> Diagnostic {
        let message = format!("Parsing error near '{}': syntax error", show(self.token));
        Diagnostic::new(Fault::Syntax, self.position, message)
    }

    /// Goes to the next token and gives the one before.
    pub(super) fn advance(&mut self) -> Parsed<Token<'a>> {
        let (next, position) = self.lexer.read()?;
        self.position = position;
        Ok(core::mem::replace(&mut self.token, next))
    }

    /// Goes on if the current token is this sign.
    pub(super) fn accept(&mut self, sign: u8) -> Parsed<bool> {
        let found = self.token == Token::Sign(sign);
        if found {
            self.advance()?;
        }
        Ok(found)
    }

    /// The current token has to be this sign.
    pub(super) fn expect(&mut self, sign: u8) -> Parsed<()> {
        if self.accept(sign)? { Ok(()) } else { Err(self.unexpected()) }
    }

    pub(super) fn word(&mut self) -> Parsed<&'a str> {
        match self.token {
            Token::Word(word) => {
                self.advance()?;
                Ok(word)
            }
            _ => Err(self.unexpected()),
        }
    }

    /// Reads what is one level deeper.
    pub(super) fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth == DEEPEST {
            return Err(Diagnostic::new(Fault::Syntax, self.position, "nested too deeply"));
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    /// An integer constant, with sign.
    pub(super) fn integer(&mut self) -> Parsed<i64> {
        let negative = self.accept(b'-')?;
        match self.token {
            Token::Integer(value) => {
                self.advance()?;
                Ok(if negative { (value as i64).wrapping_neg() } else { value as i64 })
            }
            _ => Err(self.unexpected()),
        }
    }

    fn integers(&mut self) -> Parsed<Vec<u32>> {
        let mut all = Vec::new();
        while matches!(self.token, Token::Integer(_)) {
            all.push(self.integer()? as u32);
            if !self.accept(b',')? {
                break;
            }
        }
        Ok(all)
    }

    fn module(&mut self) -> Parsed<()> {
        self.header()?;
        loop {
            match self.token {
                Token::End => return Ok(()),
                Token::Dot("file") => self.skip_line()?,
                Token::Dot("section") => self.skip_block()?,
                // Nobody may run another function than the one that was meant.
                Token::Dot("alias") => {
                    return Err(Diagnostic::new(Fault::Unsupported, self.position, ".alias is not supported"));
                }
                Token::Dot("pragma") => {
                    while !self.accept(b';')? {
                        if self.token == Token::End {
                            return Err(self.unexpected());
                        }
                        self.advance()?;
                    }
                }
                Token::Dot(_) => self.declaration()?,
                _ => return Err(self.unexpected()),
            }
        }
    }

    fn header(&mut self) -> Parsed<()> {
        if self.token != Token::Dot("version") {
            let message = "Missing .version directive at start of file";
            return Err(Diagnostic::new(Fault::Syntax, self.position, message));
        }
        let at = self.position;
        self.advance()?;
        let version = match self.advance()? {
            // The number that was read as a fraction: major and minor.
            Token::Double(bits) => {
                let tenths = (f64::from_bits(bits) * 10.0).round();
                ((tenths / 10.0) as u32, (tenths % 10.0) as u32)
            }
            _ => return Err(self.unexpected()),
        };
        self.module.version = version;
        if version > NEWEST {
            let message = format!(
                "Unsupported .version {}.{}; current version is '{}.{}'",
                version.0, version.1, NEWEST.0, NEWEST.1
            );
            return Err(Diagnostic::new(Fault::Version, at, message));
        }
        if self.token != Token::Dot("target") {
            let message = "Missing .target directive";
            return Err(Diagnostic::new(Fault::Syntax, self.position, message));
        }
        self.advance()?;
        let target = self.word()?;
        let digits = target.strip_prefix("sm_").or_else(|| target.strip_prefix("compute_")).unwrap_or("");
        self.module.suffix = digits.chars().last().filter(|c| matches!(c, 'a' | 'f'));
        self.module.architecture = digits
            .trim_end_matches(['a', 'f'])
            .parse()
            .map_err(|_| Diagnostic::new(Fault::Syntax, at, format!("Unknown target '{target}'")))?;
        while self.accept(b',')? {
            self.word()?;
        }
        let (architecture, suffix) = (self.module.architecture, self.module.suffix);
        self.checker = Checker::new(Target { architecture, suffix, version });
        self.module.address_size = 32;
        self.module.address_position = self.position;
        if self.token == Token::Dot("address_size") {
            self.advance()?;
            self.module.address_size = self.integer()? as u32;
        }
        Ok(())
    }

    /// `.file` and `.loc` have no end of their own but the line's.
    fn skip_line(&mut self) -> Parsed<()> {
        let line = self.position.line;
        while self.position.line == line && self.token != Token::End && self.token != Token::Sign(b'}') {
            self.advance()?;
        }
        Ok(())
    }

    fn skip_block(&mut self) -> Parsed<()> {
        while self.token != Token::Sign(b'{') {
            if self.token == Token::End {
                return Err(self.unexpected());
            }
            self.advance()?;
        }
        while !self.accept(b'}')? {
            if self.token == Token::End {
                return Err(self.unexpected());
            }
            self.advance()?;
        }
        Ok(())
    }

    fn declaration(&mut self) -> Parsed<()> {
        let mut linkage = Linkage::Internal;
        loop {
            let Token::Dot(name) = self.token else { return Err(self.unexpected()) };
            match name {
                "visible" => linkage = Linkage::Visible,
                "weak" => linkage = Linkage::Weak,
                "common" => linkage = Linkage::Common,
                "extern" => linkage = Linkage::Extern,
                "func" | "entry" => return self.function(name == "entry", linkage),
                _ => {
                    let variables = self.variables(linkage)?;
                    for variable in variables {
                        self.known.insert(variable.name);
                        let known = self.variables.get(variable.name).copied();
                        match known.and_then(|at| self.module.variables.get_mut(at)) {
                            Some(old) if old.linkage == Linkage::Extern => *old = variable,
                            Some(_) if variable.linkage == Linkage::Extern => {}
                            Some(_) => {
                                let message = format!("Duplicate definition of variable '{}'", variable.name);
                                return Err(Diagnostic::new(Fault::Semantics, variable.position, message));
                            }
                            None => {
                                self.variables.insert(variable.name, self.module.variables.len());
                                self.module.variables.push(variable);
                            }
                        }
                    }
                    return self.expect(b';');
                }
            }
            self.advance()?;
        }
    }

    /// The declaration of one or more variables, up to the semicolon.
    pub(super) fn variables(&mut self, linkage: Linkage) -> Parsed<Vec<Variable<'a>>> {
        let Token::Dot(space) = self.token else { return Err(self.unexpected()) };
        // `.const[2]` is a bank of the first devices.
        let space = Space::parse(space).ok_or_else(|| self.unexpected())?;
        self.advance()?;
        if self.accept(b'[')? {
            self.integer()?;
            self.expect(b']')?;
        }
        let (mut align, mut ty, mut lanes, mut managed) = (None, None, 1, false);
        while let Token::Dot(name) = self.token {
            let at = self.unexpected();
            self.advance()?;
            match name {
                "align" => align = Some(self.integer()?.max(1) as usize),
                "v2" => lanes = 2,
                "v4" => lanes = 4,
                "attribute" => {
                    self.expect(b'(')?;
                    loop {
                        let Token::Dot(attribute) = self.advance()? else { return Err(self.unexpected()) };
                        managed |= attribute == "managed";
                        if self.accept(b'(')? {
                            self.integers()?;
                            self.expect(b')')?;
                        }
                        if !self.accept(b',')? {
                            break;
                        }
                    }
                    self.expect(b')')?;
                }
                "ptr" => {
                    // What a kernel's parameter points to.
                    if matches!(self.token, Token::Dot("global" | "const" | "local" | "shared")) {
                        self.advance()?;
                    }
                    if self.token == Token::Dot("align") {
                        self.advance()?;
                        self.integer()?;
                    }
                }
                _ => ty = Some(Type::parse(name).ok_or(at)?),
            }
        }
        let ty = ty.ok_or_else(|| self.unexpected())?;
        let mut all = Vec::new();
        loop {
            let position = self.position;
            let name = if let Token::Word(_) = self.token { self.word()? } else { "_" };
            let element = ty.bytes() * lanes;
            let mut size = element;
            let mut unsized_array = false;
            while self.accept(b'[')? {
                if self.accept(b']')? {
                    unsized_array = true;
                    continue;
                }
                let count = self.integer()?;
                self.expect(b']')?;
                size = usize::try_from(count)
                    .ok()
                    .and_then(|n| size.checked_mul(n))
                    .filter(|&n| n <= 1 << 40)
                    .ok_or_else(|| Diagnostic::new(Fault::Semantics, position, format!("'{name}' is too large")))?;
            }
            let initial = if self.accept(b'=')? { self.initial(ty)? } else { Vec::new() };
            if unsized_array {
                size = initial.iter().map(Initial::bytes).sum();
            }
            let align = align.unwrap_or(element).max(1);
            all.push(Variable { name, space, ty, align, size, initial, linkage, managed, position });
            if self.token != Token::Sign(b',') || space == Space::Parameter {
                return Ok(all);
            }
            self.advance()?;
        }
    }

    fn initial(&mut self, ty: Type) -> Parsed<Vec<Initial<'a>>> {
        let mut all = Vec::new();
        self.initial_into(ty, &mut all)?;
        Ok(all)
    }

    fn initial_into(&mut self, ty: Type, all: &mut Vec<Initial<'a>>) -> Parsed<()> {
        if self.accept(b'{')? {
            while !self.accept(b'}')? {
                self.nested(|parser| parser.initial_into(ty, all))?;
                if !self.accept(b',')? {
                    self.expect(b'}')?;
                    break;
                }
            }
            return Ok(());
        }
        let size = ty.bytes();
        let negative = self.accept(b'-')?;
        let mut shift = 0;
        let bits: u64 = match self.token {
            Token::Integer(mut value) => {
                self.advance()?;
                if self.accept(b'(')? {
                    // `0xFF00(symbol)`: the byte of the address that the mask shows.
                    let symbol = self.address_of()?;
                    self.expect(b')')?;
                    shift = value.trailing_zeros().min(63);
                    all.push(Initial::Address { symbol: symbol.0, offset: symbol.1, size, shift });
                    return Ok(());
                }
                if ty.is_float() {
                    let exact = value as f64;
                    value = if ty == Type::F32 { u64::from((exact as f32).to_bits()) } else { exact.to_bits() };
                    if negative {
                        value ^= 1 << (size * 8 - 1);
                    }
                    value
                } else if negative {
                    value.wrapping_neg()
                } else {
                    value
                }
            }
            Token::Single(bits) => {
                self.advance()?;
                u64::from(bits) ^ (u64::from(negative) << 31)
            }
            Token::Double(bits) => {
                self.advance()?;
                let bits = bits ^ (u64::from(negative) << 63);
                if ty == Type::F32 { u64::from((f64::from_bits(bits) as f32).to_bits()) } else { bits }
            }
            Token::Word(_) => {
                let (symbol, offset) = self.address_of()?;
                all.push(Initial::Address { symbol, offset, size, shift });
                return Ok(());
            }
            _ => return Err(self.unexpected()),
        };
        let bytes = bits.to_le_bytes();
        match all.last_mut() {
            Some(Initial::Bytes(last)) => last.extend_from_slice(bytes.get(..size).unwrap_or(&bytes)),
            _ => all.push(Initial::Bytes(bytes.get(..size).unwrap_or(&bytes).to_vec())),
        }
        Ok(())
    }

    /// `symbol`, `symbol + 4`, `generic(symbol) + 4`.
    fn address_of(&mut self) -> Parsed<(&'a str, i64)> {
        let mut symbol = self.word()?;
        if symbol == "generic" && self.accept(b'(')? {
            symbol = self.word()?;
            let inner = self.offset()?;
            self.expect(b')')?;
            return Ok((symbol, inner.wrapping_add(self.offset()?)));
        }
        Ok((symbol, self.offset()?))
    }

    /// `+ n`, `- n` or nothing.
    pub(super) fn offset(&mut self) -> Parsed<i64> {
        let signed = self.accept(b'+')? || self.token == Token::Sign(b'-');
        if signed { self.integer() } else { Ok(0) }
    }

    fn parameters(&mut self) -> Parsed<Vec<Variable<'a>>> {
        let mut all = Vec::new();
        if !self.accept(b'(')? {
            return Ok(all);
        }
        while !self.accept(b')')? {
            let position = self.position;
            let mut declared = self.variables(Linkage::Internal)?;
            if declared.iter().any(|v| v.space != Space::Parameter) {
                let message = "parameters in registers are not supported";
                return Err(Diagnostic::new(Fault::Unsupported, position, message));
            }
            all.append(&mut declared);
            if !self.accept(b',')? {
                self.expect(b')')?;
                break;
            }
        }
        Ok(all)
    }

    fn function(&mut self, entry: bool, linkage: Linkage) -> Parsed<()> {
        self.advance()?;
        let returns = if entry { Vec::new() } else { self.parameters()? };
        let position = self.position;
        let name = self.word()?;
        let parameters = self.parameters()?;
        let mut function = Function {
            name,
            entry,
            linkage,
            returns,
            parameters,
            most_threads: None,
            required_threads: None,
            required_cluster: None,
            most_registers: None,
            body: None,
            position,
        };
        self.directives(&mut function)?;
        // Known inside of itself.
        self.known.insert(name);
        if self.token == Token::Sign(b'{') {
            function.body = Some(self.body(&function)?);
        } else {
            self.expect(b';')?;
        }
        let known = self.functions.get(name).copied();
        match known.and_then(|at| self.module.functions.get_mut(at)) {
            Some(old) if old.body.is_none() => *old = function,
            Some(_) if function.body.is_none() => {}
            Some(_) => {
                let message = format!("Duplicate definition of function '{name}'");
                return Err(Diagnostic::new(Fault::Semantics, position, message));
            }
            None => {
                self.functions.insert(name, self.module.functions.len());
                self.module.functions.push(function);
            }
        }
        Ok(())
    }

    fn directives(&mut self, function: &mut Function<'a>) -> Parsed<()> {
        let shape = |n: &[u32]| {
            let at = |i: usize| n.get(i).copied().unwrap_or(1);
            [at(0), at(1), at(2)]
        };
        while let Token::Dot(name) = self.token {
            self.advance()?;
            if name == "pragma" {
                while !self.accept(b';')? {
                    if self.token == Token::End {
                        return Err(self.unexpected());
                    }
                    self.advance()?;
                }
                continue;
            }
            let numbers = self.integers()?;
            match name {
                "maxntid" => function.most_threads = Some(shape(&numbers)),
                "reqntid" => function.required_threads = Some(shape(&numbers)),
                "reqnctapercluster" => function.required_cluster = Some(shape(&numbers)),
                "maxnreg" => function.most_registers = numbers.first().copied(),
                "minnctapersm"
                | "maxnctapersm"
                | "noreturn"
                | "explicitcluster"
                | "maxclusterrank"
                | "blocksareclusters"
                | "abi_preserve"
                | "abi_preserve_control" => {}
                _ => return Err(self.unexpected()),
            }
        }
        Ok(())
    }

    fn body(&mut self, function: &Function<'a>) -> Parsed<Body<'a>> {
        let mut scopes = Scopes::new();
        let mut body = Body::default();
        for variable in function.returns.iter().chain(&function.parameters) {
            scopes.variable(variable.name, body.variables.len() as u32);
            body.variables.push(variable.clone());
        }
        self.expect(b'{')?;
        self.block(&mut scopes, &mut body)?;
        let end = self.position;
        self.resolve(&mut scopes, &mut body)?;
        for instruction in &body.instructions {
            self.checker.check(instruction, &body)?;
        }
        // Falling off the end is returning.
        body.instructions.push(Instruction {
            opcode: "ret",
            modifiers: Vec::new(),
            operands: Vec::new(),
            guard: None,
            position: end,
        });
        Ok(body)
    }

    /// Statements up to the closing brace.
    fn block(&mut self, scopes: &mut Scopes<'a>, body: &mut Body<'a>) -> Parsed<()> {
        let mut depth = 1;
        loop {
            let position = self.position;
            match self.token {
                Token::Sign(b'}') => {
                    self.advance()?;
                    depth -= 1;
                    if depth == 0 {
                        return Ok(());
                    }
                    scopes.leave();
                }
                Token::Sign(b'{') => {
                    self.advance()?;
                    depth += 1;
                    if depth > DEEPEST_BLOCK {
                        return Err(Diagnostic::new(Fault::Syntax, position, "nested too deeply"));
                    }
                    scopes.enter();
                }
                Token::Sign(b';') => {
                    self.advance()?;
                }
                Token::Dot("loc" | "file") => self.skip_line()?,
                Token::Dot("pragma") => {
                    while !self.accept(b';')? {
                        if self.token == Token::End {
                            return Err(self.unexpected());
                        }
                        self.advance()?;
                    }
                }
                Token::Dot("reg") => self.registers(scopes)?,
                Token::Dot(_) => {
                    for variable in self.variables(Linkage::Internal)? {
                        scopes.variable(variable.name, body.variables.len() as u32);
                        body.variables.push(variable);
                    }
                    self.expect(b';')?;
                }
                Token::Sign(b'@') => {
                    self.advance()?;
                    let negated = self.accept(b'!')?;
                    let name = self.word()?;
                    let Some(register) = scopes.register(name, body) else {
                        return Err(unknown(name, position));
                    };
                    let opcode = self.word()?;
                    self.instruction(opcode, position, Some(Guard { register, negated }), scopes, body)?;
                }
                Token::Word(name) => {
                    self.advance()?;
                    if self.accept(b':')? {
                        self.label(name, position, scopes, body)?;
                    } else {
                        self.instruction(name, position, None, scopes, body)?;
                    }
                }
                _ => return Err(self.unexpected()),
            }
        }
    }

    fn registers(&mut self, scopes: &mut Scopes<'a>) -> Parsed<()> {
        self.advance()?;
        let position = self.position;
        let Token::Dot(name) = self.advance()? else { return Err(self.unexpected()) };
        if matches!(name, "v2" | "v4") {
            return Err(Diagnostic::new(Fault::Unsupported, position, "vector registers are not supported"));
        }
        let ty = Type::parse(name).ok_or_else(|| self.unexpected())?;
        loop {
            let name = self.word()?;
            if self.accept(b'<')? {
                let count = self.integer()?;
                self.expect(b'>')?;
                scopes.range(name, ty, count.clamp(0, i64::from(u32::MAX)) as u32);
            } else {
                scopes.single(name, ty);
            }
            if !self.accept(b',')? {
                return self.expect(b';');
            }
        }
    }

    fn label(&mut self, name: &'a str, position: Position, scopes: &mut Scopes<'a>, body: &mut Body<'a>) -> Parsed<()> {
        match self.token {
            Token::Dot("branchtargets") => {
                self.advance()?;
                let mut names = Vec::new();
                loop {
                    names.push(self.word()?);
                    if !self.accept(b',')? {
                        break;
                    }
                }
                self.expect(b';')?;
                scopes.targets(name, names);
                Ok(())
            }
            Token::Dot("calltargets") => {
                while !self.accept(b';')? {
                    self.advance()?;
                    if self.token == Token::End {
                        return Err(self.unexpected());
                    }
                }
                Ok(())
            }
            Token::Dot("callprototype") => {
                self.advance()?;
                let returns = self.parameters()?;
                self.word()?;
                let parameters = self.parameters()?;
                let mut prototype = Function {
                    name,
                    entry: false,
                    linkage: Linkage::Extern,
                    returns,
                    parameters,
                    most_threads: None,
                    required_threads: None,
                    required_cluster: None,
                    most_registers: None,
                    body: None,
                    position,
                };
                self.directives(&mut prototype)?;
                self.expect(b';')?;
                body.prototypes.push(prototype);
                Ok(())
            }
            _ if scopes.label(name, body.instructions.len()) => Ok(()),
            _ => Err(Diagnostic::new(Fault::Semantics, position, format!("Duplicate definition of label '{name}'"))),
        }
    }

    fn instruction(
        &mut self,
        opcode: &'a str,
        position: Position,
        guard: Option<Guard>,
        scopes: &mut Scopes<'a>,
        body: &mut Body<'a>,
    ) -> Parsed<()> {
        let mut modifiers = Vec::new();
        while let Token::Dot(name) = self.token {
            modifiers.push(name);
            self.advance()?;
        }
        let mut operands = Vec::new();
        if self.token != Token::Sign(b';') {
            loop {
                operands.push(self.operand(scopes, body)?);
                if !self.accept(b',')? {
                    break;
                }
            }
        }
        self.expect(b';')?;
        body.instructions.push(Instruction { opcode, modifiers, operands, guard, position });
        Ok(())
    }

    /// Gives names of labels and of what is declared further down their meaning.
    fn resolve(&self, scopes: &mut Scopes<'a>, body: &mut Body<'a>) -> Parsed<()> {
        let prototypes: Vec<&str> = body.prototypes.iter().map(|p| p.name).collect();
        for instruction in &mut body.instructions {
            let position = instruction.position;
            for operand in &mut instruction.operands {
                operand.each(&mut |operand| {
                    let Operand::Name(name, scope) = *operand else { return Ok(()) };
                    *operand = match scopes.find_label(name, scope) {
                        Some(at) => Operand::Label(at),
                        None if self.known.contains(name) || scopes.is_target(name) || prototypes.contains(&name) => {
                            Operand::Symbol(name, 0)
                        }
                        None => return Err(unknown(name, position)),
                    };
                    Ok(())
                })?;
            }
        }
        for (name, labels, scope) in scopes.all_targets() {
            let find =
                |label: &&'a str| scopes.find_label(label, scope).ok_or_else(|| unknown(label, Position::default()));
            let labels: Parsed<Vec<usize>> = labels.iter().map(find).collect();
            body.targets.push((name, labels?));
        }
        Ok(())
    }
}

/// The complaint about a name without a meaning.
pub(super) fn unknown(name: &str, position: Position) -> Diagnostic {
    Diagnostic::new(Fault::Semantics, position, format!("Unknown symbol '{name}'"))
}

impl Initial<'_> {
    /// Its size.
    pub fn bytes(&self) -> usize {
        match self {
            Initial::Bytes(bytes) => bytes.len(),
            Initial::Address { size, .. } => *size,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = ".version 7.8\n.target sm_80\n.address_size 64\n";

    #[test]
    fn a_kernel() {
        let text = format!(
            "{HEAD}.global .align 4 .u32 g[4] = {{1, -2, 3}};\n.extern .shared .align 16 .b8 dyn[];\n\
             .visible .entry k(.param .u64 .ptr .global .align 4 a, .param .align 8 .b8 s[24]) .maxntid 128, 1, 1 {{\n\
             .reg .pred %p<2>; .reg .b32 %r<5>, %q; .reg .b64 %rd<3>;\n ld.param.u64 %rd1, [a+0];\n\
             L: @!%p1 bra.uni L;\n {{ .reg .b32 %r<2>; mov.u32 %r1, %tid.x; }}\n mov.u32 %r1, g+4;\n ret; }}"
        );
        let module = parse(&text).unwrap();
        assert_eq!((module.version, module.architecture, module.address_size), ((7, 8), 80, 64));
        assert_eq!(module.variables[0].size, 16);
        let bytes: Vec<u8> = [1i32, -2, 3].iter().flat_map(|v| v.to_le_bytes()).collect();
        assert_eq!(module.variables[0].initial, [Initial::Bytes(bytes)]);
        let kernel = module.function("k").unwrap();
        assert_eq!(kernel.most_threads, Some([128, 1, 1]));
        assert_eq!(kernel.parameters.iter().map(|p| (p.size, p.align)).collect::<Vec<_>>(), [(8, 8), (24, 8)]);
        let body = kernel.body.as_ref().unwrap();
        let code = &body.instructions;
        assert_eq!(code[1].operands, [Operand::Label(1)]);
        assert_eq!(code[1].guard.map(|g| g.negated), Some(true));
        assert_ne!(code[2].operands[0], code[3].operands[0], "the inner %r1 is another one");
        assert_eq!(code[3].operands[1], Operand::Symbol("g", 4));
    }

    #[test]
    fn elements_of_arrays() {
        let text = format!(
            "{HEAD}.global .align 4 .u32 g[4];\n.visible .entry k() {{ .reg .b64 %a; .shared .align 16 .b8 s[64];\n\
             mov.u64 %a, s[3]; mov.u64 %a, g[2]; ld.global.u64 %a, [g[1]+4]; ret; }}"
        );
        let module = parse(&text).unwrap();
        let code = &module.function("k").unwrap().body.as_ref().unwrap().instructions;
        assert_eq!(code[0].operands[1], Operand::Local(0, 3));
        assert_eq!(code[1].operands[1], Operand::Symbol("g", 8));
        assert_eq!(code[2].operands[1], Operand::Address(Box::new(Operand::Symbol("g", 0)), 8));
    }

    #[test]
    fn errors_have_places() {
        let fault = |code: &str| parse(&format!("{HEAD}.visible .entry k() {{ {code} }}\n")).unwrap_err();
        let syntax = fault("this is not ptx;");
        assert_eq!((syntax.fault, syntax.line), (Fault::Syntax, 4));
        assert!(syntax.message.contains("'not'"), "{}", syntax.message);
        let unknown = fault("mov.u32 %r1, 5; ret;");
        assert_eq!(unknown.fault, Fault::Semantics);
        assert_eq!(unknown.message, "Unknown symbol '%r1'");
        assert_eq!(fault("bra nowhere;").fault, Fault::Semantics);
        let newer = parse(".version 99.0\n.target sm_80\n").unwrap_err();
        assert_eq!((newer.fault, newer.line), (Fault::Version, 1));
        // Depth is refused, whatever is nested.
        let deep = |n: usize| format!("{HEAD}.global .u32 g = {}1{};", "{".repeat(n), "}".repeat(n));
        assert!(parse(&deep(60)).is_ok());
        assert_eq!(parse(&deep(100_000)).unwrap_err().message, "nested too deeply");
        for (open, count) in [("(", 100_000), ("[", 100_000), ("{", 100_000), ("1|", 100_000)] {
            assert_eq!(fault(&format!("mov.u32 {}", open.repeat(count))).message, "nested too deeply");
        }
        assert!(parse(&format!("{HEAD}.entry k() {{ {}{} }}", "{".repeat(200), "}".repeat(200))).is_ok());
        assert_eq!(fault(&"{".repeat(100_000)).message, "nested too deeply");
        for bad in ["", "hello", ".version 7.8", ".version 7.8 .target sm_80 .visible .entry k( {"] {
            assert!(parse(bad).is_err(), "{bad}");
        }
    }
}
