//! Tokens to a module.

use crate::bounds::{DEEPEST_BLOCKS, MOST_EDGES};
use crate::cursor::{Parsed, Parser, duplicate, unknown};
use crate::declare::DeclaredIn;
use crate::diagnostic::{Diagnostic, ErrorKind, Position};
use crate::forms::{Checker, Target};
use crate::instruction::{Guard, Instruction, Operand};
use crate::lexer::Token;
use crate::mistakes::no_opcode;
use crate::modifier::Modifier;
use crate::module::{Body, Function, Linkage, Module, NEWEST, Variable};
use crate::opcode::Opcode;
use crate::operand::Scopes;
use crate::types::{Space, Type};
use crate::{flow, legacy};
use std::collections::HashSet;

/// The number of `sm_90` or `compute_90`, whatever its suffix.
fn architecture_of(target: &str) -> Option<u32> {
    let digits = target.strip_prefix("sm_").or_else(|| target.strip_prefix("compute_"))?;
    digits.trim_end_matches(['a', 'f']).parse().ok()
}

/// Reads a module.
pub(super) fn read(text: &str) -> Parsed<Module<'_>> {
    let mut parser = Parser::new(text)?;
    parser.module()?;
    Parser::name_files(&parser.files, &mut parser.module);
    Ok(parser.module)
}

/// Reads a module that [`read`] refuses: all that is wrong with it.
#[cold]
pub(super) fn read_mistakes(text: &str) -> Vec<Diagnostic> {
    let mut parser = match Parser::new(text) {
        Ok(parser) => parser,
        Err(problem) => return vec![problem],
    };
    parser.mistakes = Some(Box::default());
    let end = parser.module();
    let mut all = parser.mistakes.map(|found| found.all).unwrap_or_default();
    all.extend(end.err());
    all
}

impl<'a> Parser<'a> {
    fn module(&mut self) -> Parsed<()> {
        self.header()?;
        loop {
            match self.token {
                Token::End => return Ok(()),
                Token::Dot("file") => self.file()?,
                Token::Dot("section") => self.skip_block()?,
                Token::Dot("alias") => self.alias()?,
                Token::Dot("pragma") => self.pragma()?,
                Token::Dot(_) => self.or_mistake(|parser| parser.declaration())?,
                Token::Sign(b'@') if self.ahead() == Token::Sign(b'@') => {
                    let message = "Deprecated feature: '@@DWARF directive' not supported as of PTX version 2.0";
                    return Err(Diagnostic::new(ErrorKind::Semantics, self.position, message));
                }
                _ => return Err(self.unexpected()),
            }
        }
    }

    fn header(&mut self) -> Parsed<()> {
        if self.token != Token::Dot("version") {
            let message = "Missing .version directive at start of file";
            return Err(Diagnostic::new(ErrorKind::Syntax, self.position, message));
        }
        let at = self.position;
        self.advance()?;
        let version = match self.advance()? {
            // The number that was read as a fraction: major and minor.
            Token::F64(bits) => {
                let tenths = (f64::from_bits(bits) * 10.0).round();
                ((tenths / 10.0) as u32, (tenths % 10.0) as u32)
            }
            _ => return Err(self.unexpected()),
        };
        self.module.version = version;
        self.lexer.dwarf = version < (2, 0);
        if version > NEWEST || !legacy::is_version(version) {
            let message = format!(
                "Unsupported .version {}.{}; current version is '{}.{}'",
                version.0, version.1, NEWEST.0, NEWEST.1
            );
            return Err(Diagnostic::new(ErrorKind::Version, at, message));
        }
        if self.token != Token::Dot("target") {
            let message = "Missing .target directive";
            return Err(Diagnostic::new(ErrorKind::Syntax, self.position, message));
        }
        self.advance()?;
        let target = self.word()?;
        let digits = target.strip_prefix("sm_").or_else(|| target.strip_prefix("compute_")).unwrap_or("");
        self.module.suffix = digits.chars().last().filter(|c| matches!(c, 'a' | 'f'));
        let unknown = || Diagnostic::new(ErrorKind::Syntax, at, format!("Unsupported .target '{target}'"));
        self.module.architecture = architecture_of(target).ok_or_else(unknown)?;
        legacy::check_target(target, self.module.architecture, version, at)?;
        while self.accept(b',')? {
            match self.word()? {
                "texmode_independent" => {
                    self.since("texmode_independent", (1, 5))?;
                    self.samplers = true;
                }
                "debug" => self.since("debug", (3, 0))?,
                "texmode_unified" => {}
                // Others that would do as well.
                other if architecture_of(other).is_some() => {}
                // `f64` stays `f64`: every device that there is has it.
                "map_f64_to_f32" if self.module.architecture < 13 => {}
                "map_f64_to_f32" => {
                    let message = "Directive map_f64_to_f32 is not supported with SM 1.3 or higher";
                    return Err(Diagnostic::new(ErrorKind::Semantics, at, message));
                }
                other => return Err(Diagnostic::new(ErrorKind::Syntax, at, format!("Unsupported .target '{other}'"))),
            }
        }
        let (architecture, suffix) = (self.module.architecture, self.module.suffix);
        self.checker = Checker::new(Target { architecture, suffix, version });
        // The default is the driver's.
        self.module.address_size = 64;
        self.module.address_position = self.position;
        if self.token == Token::Dot("address_size") {
            self.since(".address_size directive", (2, 3))?;
            self.advance()?;
            self.module.address_size = self.integer()? as u32;
        }
        Ok(())
    }

    /// `.pragma` with its strings: hints to an assembler.
    fn pragma(&mut self) -> Parsed<()> {
        self.since(".pragma directive", (2, 0))?;
        self.advance()?;
        loop {
            let Token::Text(_) = self.advance()? else { return Err(self.unexpected()) };
            if !self.accept(b',')? {
                return self.expect(b';');
            }
        }
    }

    /// `.alias a, f;`: `a`, which is declared, is another name of `f`, which is defined.
    fn alias(&mut self) -> Parsed<()> {
        let position = self.position;
        self.advance()?;
        let alias = self.word()?;
        self.expect(b',')?;
        let of = self.word()?;
        self.expect(b';')?;
        let complain = |message: String| Err(Diagnostic::new(ErrorKind::Semantics, position, message));
        let find = |name: &str| self.functions.get(name).and_then(|&at| self.module.functions.get(at));
        for name in [alias, of] {
            match find(name) {
                None => return Err(unknown(name, position)),
                Some(f) if f.entry => return complain(format!("Cannot define alias to entry function '{name}'")),
                Some(_) => {}
            }
        }
        let (Some(new), Some(old)) = (find(alias), find(of)) else { return Err(unknown(alias, position)) };
        if new.body.is_some() {
            return complain(format!("Illegal redefinition of function '{alias}' as alias"));
        }
        if old.linkage == Linkage::Weak {
            return complain(format!("Function '{of}' with .weak scope cannot be aliased"));
        }
        if old.body.is_none() {
            return complain(format!("Unresolved extern function '{of}'"));
        }
        let sizes = |all: &[Variable<'_>]| all.iter().map(|v| v.size).collect::<Vec<_>>();
        if sizes(&new.parameters) != sizes(&old.parameters) || sizes(&new.returns) != sizes(&old.returns) {
            return complain(format!("Mismatch in prototype of alias '{alias}' and aliasee '{of}'"));
        }
        self.module.aliases.push((alias, of));
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
        let Token::Dot(name) = self.token else { return Err(self.unexpected()) };
        let linkage = match name {
            "visible" => Linkage::Visible,
            "weak" => {
                self.since(".weak directive", (3, 1))?;
                Linkage::Weak
            }
            "common" => Linkage::Common,
            "extern" => Linkage::Extern,
            _ => Linkage::Internal,
        };
        if linkage != Linkage::Internal {
            self.advance()?;
        }
        match self.token {
            Token::Dot("func" | "entry") if linkage == Linkage::Common => return Err(self.unexpected()),
            Token::Dot(kind @ ("func" | "entry")) => return self.function(kind == "entry", linkage),
            _ => {}
        }
        for variable in self.variables(linkage, DeclaredIn::Module)? {
            self.add_variable(variable)?;
        }
        self.expect(b';')
    }

    /// Adds a variable of the module.
    fn add_variable(&mut self, variable: Variable<'a>) -> Parsed<()> {
        self.known.insert(variable.name);
        let complain = |message: String| Diagnostic::new(ErrorKind::Semantics, variable.position, message);
        if self.functions.contains_key(variable.name) {
            self.note(complain(format!("Inconsistent redefinition of variable '{}'", variable.name)))?;
            return self.note(duplicate(variable.name, variable.position));
        }
        let known = self.variables.get(variable.name).copied();
        match known.and_then(|at| self.module.variables.get_mut(at)) {
            Some(old) if old.linkage == Linkage::Extern && variable.linkage == Linkage::Internal => {
                let problem =
                    complain(format!("'.extern' variable '{}' cannot be resolved by a '.static'", variable.name));
                return self.note(problem);
            }
            Some(old) if old.linkage == Linkage::Extern => *old = variable,
            Some(_) if variable.linkage == Linkage::Extern => {}
            Some(_) => return self.note(duplicate(variable.name, variable.position)),
            None => {
                self.variables.insert(variable.name, self.module.variables.len());
                self.module.variables.push(variable);
            }
        }
        Ok(())
    }

    /// Parameters or results in brackets. Of a kernel none is in a register.
    fn parameters(&mut self, entry: bool) -> Parsed<Vec<Variable<'a>>> {
        let mut all: Vec<Variable<'a>> = Vec::new();
        let mut names = HashSet::new();
        if !self.accept(b'(')? {
            return Ok(all);
        }
        while !self.accept(b')')? {
            let position = self.position;
            for declared in self.variables(Linkage::Internal, DeclaredIn::Parameter)? {
                let complain = |message: String| Diagnostic::new(ErrorKind::Semantics, position, message);
                let name = declared.name;
                if entry && declared.space != Space::Parameter {
                    self.note(complain(format!("Entry parameter '{name}' must have .param state space")))?;
                }
                if declared.space != Space::Parameter && declared.size < 4 {
                    let message =
                        "In ABI compilation, passing predicate, 8-bit and 16-bit parameters to device functions";
                    self.note(complain(format!("{message} is not supported")))?;
                }
                if name != "_" && !names.insert(name) {
                    self.note(complain(format!("Duplicate definition of variable '{name}'")))?;
                }
                all.push(declared);
            }
            if !self.accept(b',')? {
                self.expect(b')')?;
                break;
            }
        }
        Ok(all)
    }

    fn function(&mut self, entry: bool, linkage: Linkage) -> Parsed<()> {
        self.advance()?;
        if self.token == Token::Dot("attribute") {
            self.attributes()?;
        }
        let returns = if entry { Vec::new() } else { self.parameters(false)? };
        let position = self.position;
        let complain = |message: String| Diagnostic::new(ErrorKind::Semantics, position, message);
        if returns.len() > 1 && returns.iter().any(|result| result.space != Space::Register) {
            self.note(complain("Multiple return parameters require .register state space".to_owned()))?;
        }
        let name = self.word()?;
        let parameters = self.parameters(entry)?;
        if entry && !parameters.is_empty() && self.has_parameters_inside() {
            let message = "Feature 'kernel parameter list' requires PTX ISA .version 1.4 or later";
            return Err(complain(message.to_owned()));
        }
        let mut function = Function { name, entry, linkage, returns, parameters, position, ..Function::default() };
        self.directives(&mut function, true)?;
        if entry && self.has_parameters_inside() {
            function.parameters = self.parameters_inside()?;
        }
        if entry {
            let room = self.check_space(name, &function.parameters, position);
            room.or_else(|problem| self.note(problem))?;
        }
        if self.variables.contains_key(name) {
            self.note(complain(format!("Duplicate definition of function '{name}'")))?;
        }
        let known = self.functions.get(name).copied();
        let old = known.and_then(|at| self.module.functions.get(at));
        let twice = self.token == Token::Sign(b'{') && old.is_some_and(|old| old.body.is_some());
        let other = old.is_some_and(|old| old.parameters.len() != function.parameters.len());
        if old.is_some_and(|old| old.entry != function.entry) {
            self.note(complain(format!("Inconsistent redefinition of '{name}' as entry and function")))?;
        }
        if twice {
            self.note(complain(format!("Duplicate definition of function '{name}'")))?;
        }
        if other {
            self.note(complain(format!("Inconsistent prototypes of '{name}', number of parameters differ")))?;
        }
        // Known inside of itself.
        self.known.insert(name);
        if self.token == Token::Sign(b'{') {
            function.body = Some(self.body(&function)?);
            if linkage == Linkage::Extern {
                let message = format!("Function definition conflicts with '.extern' declaration for function '{name}'");
                self.note(complain(message))?;
            }
        } else {
            self.expect(b';')?;
        }
        match known.and_then(|at| self.module.functions.get_mut(at)) {
            Some(old) if old.body.is_none() => *old = function,
            Some(_) => {}
            None => {
                self.functions.insert(name, self.module.functions.len());
                self.module.functions.push(function);
            }
        }
        Ok(())
    }

    /// A kernel has room for so many bytes of parameters.
    fn check_space(&self, name: &str, parameters: &[Variable<'a>], position: Position) -> Parsed<()> {
        const OLD: usize = 4352;
        const LARGE: usize = 32_764;
        let end = |end: usize, p: &Variable<'_>| {
            end.checked_next_multiple_of(p.align.max(1)).unwrap_or(usize::MAX).saturating_add(p.size)
        };
        let bytes = parameters.iter().fold(0, end);
        let most = if self.module.version >= (8, 1) && self.module.architecture >= 70 { LARGE } else { OLD };
        if bytes <= most {
            return Ok(());
        }
        let message =
            format!("Entry function '{name}' uses too much parameter space ({bytes:#x} bytes, {most:#x} max).");
        Err(Diagnostic::new(ErrorKind::Semantics, position, message))
    }

    /// What a kernel or a function asks for behind its parameters; `named` unless it is a prototype.
    fn directives(&mut self, function: &mut Function<'a>, named: bool) -> Parsed<()> {
        let at = self.position;
        let complain = |message: String| Diagnostic::new(ErrorKind::Semantics, at, message);
        while let Token::Dot(name) = self.token {
            let wrong = self.unexpected();
            self.advance()?;
            match (name, function.entry) {
                ("pragma", true) => {
                    while !self.accept(b';')? {
                        let Token::Text(_) = self.advance()? else { return Err(self.unexpected()) };
                        self.accept(b',')?;
                    }
                }
                ("explicitcluster", true) => function.explicit_cluster = true,
                ("blocksareclusters", true) => function.blocks_are_clusters = true,
                ("noreturn", false) if named && !function.returns.is_empty() => {
                    self.note(complain(format!("Invalid directive '.noreturn' for function '{}'", function.name)))?;
                }
                ("noreturn", false) => {}
                ("abi_preserve" | "abi_preserve_control", false) => {
                    self.integer()?;
                }
                ("maxntid" | "reqntid" | "reqnctapercluster", true) => {
                    self.since(&format!(".{name}"), if name == "reqntid" { (2, 1) } else { (1, 3) })?;
                    let numbers = self.integers()?;
                    if numbers.contains(&0) {
                        self.note(complain(format!("Positive non-zero value expected for {name}")))?;
                    }
                    let shape = [0, 1, 2].map(|axis| numbers.get(axis).copied().unwrap_or(1));
                    match name {
                        "maxntid" => function.most_threads = Some(shape),
                        "reqntid" => function.required_threads = Some(shape),
                        _ => function.required_cluster = Some(shape),
                    }
                }
                ("maxnreg", true) => function.most_registers = Some(self.integer()? as u32),
                ("maxclusterrank", true) => function.most_cluster = Some(self.integer()? as u32),
                ("minnctapersm", true) => {
                    self.since(".minnctapersm directive", (2, 0))?;
                    self.integer()?;
                }
                ("maxnctapersm", true) => {
                    self.integer()?;
                    if self.module.version >= (2, 1) {
                        let message =
                            "Deprecated feature: '.maxnctapersm directive' not supported as of PTX version 2.1";
                        self.note(complain(message.to_owned()))?;
                    }
                }
                _ => return Err(wrong),
            }
        }
        let conflict = |a: &str, b: &str| format!("Conflicting directives: {a} and {b} cannot both be specified");
        if function.most_threads.is_some() && function.required_threads.is_some() {
            self.note(complain(conflict(".maxntid", ".reqntid")))?;
        }
        if function.required_cluster.is_some() && function.most_cluster.is_some() {
            self.note(complain(conflict(".reqnctapercluster", ".maxclusterrank")))?;
        }
        let shaped = function.required_threads.is_some() && function.required_cluster.is_some();
        if function.blocks_are_clusters && !shaped {
            let message = ".reqntid and .reqnctapercluster directive(s) required for directive '.blocksareclusters'";
            self.note(complain(message.to_owned()))?;
        }
        Ok(())
    }

    fn body(&mut self, function: &Function<'a>) -> Parsed<Body<'a>> {
        let mut scopes = Scopes::new();
        let mut body = Body::default();
        self.results.clear();
        self.unknown = None;
        let results = function.returns.len();
        for (number, variable) in function.returns.iter().chain(&function.parameters).enumerate() {
            let place = body.variables.len() as u32;
            body.variables.push(Variable { space: Space::Parameter, ..variable.clone() });
            if variable.space != Space::Register {
                scopes.variable(variable.name, place);
                continue;
            }
            // One in a register is taken out of the memory that it is passed in, or put there before the function ends.
            scopes.declare_register(variable.name, variable.ty, 1);
            let register = scopes.register(variable.name, &mut body);
            let register = register.ok_or_else(|| unknown(variable.name, variable.position))?;
            let load = Instruction {
                opcode: Opcode::Ld,
                modifiers: vec![Modifier::Param, variable.ty.bits()],
                operands: vec![Operand::Register(register), Operand::Address(Box::new(Operand::Local(place, 0)), 0)],
                guard: None,
                position: variable.position,
            };
            if number < results {
                self.results.push(Instruction {
                    opcode: Opcode::St,
                    operands: load.operands.into_iter().rev().collect(),
                    ..load
                });
            } else {
                body.instructions.push(load);
            }
        }
        self.expect(b'{')?;
        if self.mistakes.is_some() {
            let first = self.noted();
            let end = self.block(function.entry, &mut scopes, &mut body);
            self.examine(&mut scopes, &mut body, (results, function.parameters.len()), first, end)?;
            return Ok(body);
        }
        self.block(function.entry, &mut scopes, &mut body)?;
        let end = self.position;
        body.instructions.extend(self.results.iter().cloned());
        self.resolve(&mut scopes, &mut body)?;
        if flow::edges(&body) > MOST_EDGES {
            let message = format!("Function '{}' has too many ways between its blocks", function.name);
            return Err(Diagnostic::new(ErrorKind::OutOfMemory, function.position, message));
        }
        let target = self.checker.target();
        for instruction in &mut body.instructions {
            legacy::modernise(instruction, target)?;
        }
        for (at, instruction) in body.instructions.iter().enumerate() {
            if let Some((_, problem)) = self.unknown.take_if(|(number, _)| *number == at) {
                return Err(problem);
            }
            self.checker.check(instruction, &body)?;
            Self::check_parameters(instruction, &body, results, results + function.parameters.len())?;
        }
        // Falling off the end is returning.
        body.instructions.push(Instruction {
            opcode: Opcode::Ret,
            modifiers: Vec::new(),
            operands: Vec::new(),
            guard: None,
            position: end,
        });
        Ok(body)
    }

    /// Statements up to the closing brace.
    fn block(&mut self, entry: bool, scopes: &mut Scopes<'a>, body: &mut Body<'a>) -> Parsed<()> {
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
                    if depth > DEEPEST_BLOCKS {
                        return Err(Diagnostic::new(ErrorKind::Syntax, position, "nested too deeply"));
                    }
                    scopes.enter();
                }
                _ => self.or_mistake(|parser| parser.statement(entry && depth == 1, scopes, body))?,
            }
        }
    }

    /// What stands in a body, blocks apart; `top`: in a kernel's own block.
    #[inline]
    fn statement(&mut self, top: bool, scopes: &mut Scopes<'a>, body: &mut Body<'a>) -> Parsed<()> {
        let position = self.position;
        match self.token {
            Token::Dot("file") => self.file()?,
            Token::Dot("loc") => self.location(body)?,
            Token::Dot("pragma") => self.pragma()?,
            Token::Dot("reg") => self.registers(scopes)?,
            // Read before.
            Token::Dot("param") if self.has_parameters_inside() => {
                while !self.accept(b';')? {
                    self.advance()?;
                }
            }
            Token::Dot("param") if top && self.module.version < (2, 0) => {
                let message = "Parameter variables must be declared within .entry parameter list";
                return Err(Diagnostic::new(ErrorKind::Semantics, position, message));
            }
            Token::Dot(_) => {
                for variable in self.variables(Linkage::Internal, DeclaredIn::Function)? {
                    // Memory that outlives the call belongs to the module.
                    if matches!(variable.space, Space::Global | Space::Constant) {
                        if self.known.contains(variable.name) {
                            let message = "a global variable in a function with the name of another one";
                            return Err(Diagnostic::new(ErrorKind::Unsupported, variable.position, message));
                        }
                        self.add_variable(variable)?;
                        continue;
                    }
                    if scopes.variable(variable.name, body.variables.len() as u32) {
                        self.note(duplicate(variable.name, variable.position))?;
                    }
                    body.variables.push(variable);
                }
                self.expect(b';')?;
            }
            Token::Sign(b'@') => {
                self.advance()?;
                let negated = self.accept(b'!')?;
                let name = self.word()?;
                let register = scopes.register(name, body);
                if register.is_none() {
                    self.note_unknown(name, position)?;
                }
                let is_predicate = |register| body.registers.get(register as usize) == Some(&Type::Pred);
                if !register.is_some_and(is_predicate) {
                    let message = "Predicate expression expected";
                    self.note(Diagnostic::new(ErrorKind::Semantics, position, message))?;
                }
                let opcode = self.word()?;
                let guard = register.map(|register| Guard { register, negated });
                self.instruction(opcode, position, guard, scopes, body)?;
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
        Ok(())
    }

    fn registers(&mut self, scopes: &mut Scopes<'a>) -> Parsed<()> {
        self.advance()?;
        let position = self.position;
        let complain = |message: String| Err(Diagnostic::new(ErrorKind::Semantics, position, message));
        let (mut ty, mut lanes) = (None, 1);
        while let Token::Dot(name) = self.token {
            match name {
                "v2" => lanes = 2,
                "v4" => lanes = 4,
                "align" => {
                    self.advance()?;
                    self.integer()?;
                    continue;
                }
                _ => ty = Some(self.declared_type(name)?),
            }
            self.advance()?;
        }
        let ty = ty.ok_or_else(|| self.unexpected())?;
        if ty == Type::Pred && lanes > 1 {
            return complain("Predicate type can only be used to define scalar register variables".to_owned());
        }
        if ty.bytes() as u32 * lanes > 16 {
            return complain("Vector type too large, exceeds 128 bit limit".to_owned());
        }
        loop {
            let position = self.position;
            let name = self.word()?;
            if ty.is_opaque() {
                return complain(format!("Variable '{name}' cannot be allocated into a register"));
            }
            if self.accept(b'<')? {
                let Token::Integer(count, _) = self.advance()? else { return Err(self.unexpected()) };
                self.expect(b'>')?;
                if scopes.declare_registers(name, ty, lanes, count.min(u64::from(u32::MAX)) as u32) {
                    self.note(duplicate(&format!("{name}<"), position))?;
                }
            } else if scopes.declare_register(name, ty, lanes) {
                self.note(duplicate(name, position))?;
            }
            if self.token == Token::Sign(b'=') {
                return complain(format!("No initial value is allowed for '{name}' in this state space"));
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
                scopes.targets(name, names, self.position);
                self.expect(b';')?;
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
                let returns = self.parameters(false)?;
                self.word()?;
                let parameters = self.parameters(false)?;
                let linkage = Linkage::Extern;
                let mut prototype = Function { name, linkage, returns, parameters, position, ..Function::default() };
                self.directives(&mut prototype, false)?;
                self.expect(b';')?;
                body.prototypes.push(prototype);
                Ok(())
            }
            _ if scopes.label(name, body.instructions.len()) => Ok(()),
            _ => {
                let message = format!("Duplicate definition of label '{name}'");
                self.note(Diagnostic::new(ErrorKind::Semantics, position, message))
            }
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
        let known = Opcode::parse(opcode);
        let mut modifiers = Vec::new();
        while let Token::Dot(name) = self.token {
            modifiers.push(Modifier::parse(name));
            self.advance()?;
            // A bank of constant memory.
            if name == "const" && self.token == Token::Sign(b'[') {
                self.bank()?;
            }
        }
        let mut operands = Vec::new();
        self.in_call = known == Some(Opcode::Call);
        if self.token != Token::Sign(b';') {
            loop {
                operands.push(self.operand(scopes, body)?);
                if !self.accept(b',')? {
                    break;
                }
            }
        }
        self.expect(b';')?;
        if self.mistakes.is_some() {
            self.note_words(opcode, known, &mut modifiers, position, body.instructions.len())?;
        }
        // Refused when its turn comes: what is wrong in front of it is said first.
        let opcode = known.unwrap_or_else(|| {
            self.unknown.get_or_insert_with(|| (body.instructions.len(), no_opcode(opcode, position)));
            Opcode::Trap
        });
        // An element of an array is an address; these take it as a value.
        if matches!(opcode, Opcode::Mov | Opcode::Cvta)
            && let Some(operand) = operands.get_mut(1)
            && let Operand::Address(base, offset) = operand
        {
            match **base {
                Operand::Local(number, more) => *operand = Operand::Local(number, more.wrapping_add(*offset)),
                Operand::Symbol(name, more) => *operand = Operand::Symbol(name, more.wrapping_add(*offset)),
                _ => {}
            }
        }
        if opcode == Opcode::Ret {
            body.instructions.extend(self.results.iter().cloned());
        }
        body.instructions.push(Instruction { opcode, modifiers, operands, guard, position });
        Ok(())
    }

    /// Gives names of labels and of what is declared further down their meaning.
    pub(super) fn resolve(&mut self, scopes: &mut Scopes<'a>, body: &mut Body<'a>) -> Parsed<()> {
        let all = self.mistakes.is_some();
        let mut missing = Vec::new();
        let targets = scopes.take_targets();
        let prototypes = body.prototypes.iter().map(|p| p.name);
        let lists: HashSet<&str> = targets.iter().map(|t| t.0).chain(prototypes).collect();
        for instruction in &mut body.instructions {
            let position = instruction.position;
            for operand in &mut instruction.operands {
                operand.each(&mut |operand| {
                    let Operand::Name(name, scope) = *operand else { return Ok(()) };
                    *operand = match scopes.find_label(name, scope) {
                        Some(at) => Operand::Label(at),
                        None if self.known.contains(name) || lists.contains(name) => Operand::Symbol(name, 0),
                        None if all => {
                            missing.push((name, position));
                            return Ok(());
                        }
                        None => return Err(unknown(name, position)),
                    };
                    Ok(())
                })?;
            }
        }
        for (name, labels, scope, position) in targets {
            let mut places = Vec::new();
            for label in labels {
                match scopes.find_label(label, scope) {
                    Some(place) => places.push(place),
                    None => missing.push((label, position)),
                }
            }
            body.targets.push((name, places));
        }
        missing.into_iter().try_for_each(|(name, position)| self.note_unknown(name, position))
    }
}

impl<'a> Parser<'a> {
    /// Parameters are only read, results only written: they are the first variables of a body.
    pub(super) fn check_parameters(i: &Instruction<'a>, body: &Body<'a>, results: usize, end: usize) -> Parsed<()> {
        let (at, allowed, what) = match i.opcode {
            Opcode::St => (0, 0..results, "write to function input"),
            Opcode::Ld => (1, results..end, "read function return"),
            _ => return Ok(()),
        };
        if let Some(Operand::Address(base, _)) = i.operands.get(at)
            && let Operand::Local(number, _) = **base
            && (number as usize) < end
            && !allowed.contains(&(number as usize))
        {
            let name = body.variables.get(number as usize).map_or("", |v| v.name);
            return Err(Diagnostic::new(
                ErrorKind::Semantics,
                i.position,
                format!("Illegal to {what} parameter '{name}'"),
            ));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::module::Initial;
    use crate::parse;

    const HEAD: &str = ".version 7.8\n.target sm_80\n.address_size 64\n";

    #[test]
    fn room_for_parameters() {
        let kernel = |version: &str, bytes: usize| {
            format!(
                ".version {version}\n.target sm_80\n.address_size 64\n\
                 .visible .entry k(.param .u8 a, .param .align 8 .b8 s[{bytes}]) {{ ret; }}"
            )
        };
        assert!(parse(&kernel("7.8", 4344)).is_ok());
        let message = parse(&kernel("7.8", 4345)).unwrap_err().message;
        assert!(message.contains("too much parameter space (0x1101 bytes, 0x1100 max)"));
        assert!(parse(&kernel("8.1", 32_756)).is_ok());
        assert!(parse(&kernel("8.1", 32_757)).is_err());
    }

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
        assert_eq!((syntax.kind, syntax.line), (ErrorKind::Syntax, 4));
        assert!(syntax.message.contains("'not'"), "{}", syntax.message);
        let unknown = fault("mov.u32 %r1, 5; ret;");
        assert_eq!(unknown.kind, ErrorKind::Semantics);
        assert_eq!(unknown.message, "Unknown symbol '%r1'");
        assert_eq!(fault("bra nowhere;").kind, ErrorKind::Semantics);
        let newer = parse(".version 99.0\n.target sm_80\n").unwrap_err();
        assert_eq!((newer.kind, newer.line), (ErrorKind::Version, 1));
        // Depth is refused, whatever is nested.
        let deep = |n: usize| {
            let (all, open, close) = ("[1]".repeat(n), "{".repeat(n), "}".repeat(n));
            format!("{HEAD}.global .u32 g{all} = {open}1{close};")
        };
        assert!(parse(&deep(60)).is_ok());
        assert_eq!(parse(&deep(100_000)).unwrap_err().message, "nested too deeply");
        for (open, count) in [("(", 100_000), ("[", 100_000), ("{", 100_000), ("-", 100_000), ("1?", 100_000)] {
            assert_eq!(fault(&format!("mov.u32 {}", open.repeat(count))).message, "nested too deeply");
        }
        assert!(parse(&format!("{HEAD}.entry k() {{ {}{} }}", "{".repeat(200), "}".repeat(200))).is_ok());
        assert_eq!(fault(&"{".repeat(100_000)).message, "nested too deeply");
        for bad in ["", "hello", ".version 7.8", ".version 7.8 .target sm_80 .visible .entry k( {"] {
            assert!(parse(bad).is_err(), "{bad}");
        }
    }
}
