//! The state of the parser, and reading token by token. The other files add what they read.

use crate::bounds::{DEEPEST_BRACKETS, MOST_MISTAKES};
use crate::diagnostic::{Diagnostic, ErrorKind, Position};
use crate::forms::{Checker, Target};
use crate::instruction::Instruction;
use crate::lexer::{Lexer, Token};
use crate::module::{Module, Variable};
use foldhash::{HashMap, HashMapExt};
use std::collections::HashSet;

/// What reading gives.
pub type Parsed<T> = Result<T, Diagnostic>;

/// Mistakes of a text of which all are wanted.
#[derive(Default)]
pub(super) struct Mistakes {
    pub(super) all: Vec<Diagnostic>,
    /// Names of the function at hand that have no meaning.
    pub(super) unknown: Vec<Diagnostic>,
    /// Instructions of the function at hand whose opcode does not exist.
    pub(super) senseless: HashSet<usize>,
}

/// Reads tokens of one module, and keeps what is known of it so far.
pub(super) struct Parser<'a> {
    pub(super) lexer: Lexer<'a>,
    pub(super) token: Token<'a>,
    pub(super) position: Position,
    pub(super) module: Module<'a>,
    /// `.target` names textures and samplers apart.
    pub(super) samplers: bool,
    /// Names of the module.
    pub(super) known: HashSet<&'a str>,
    /// Knows the forms of instructions.
    pub(super) checker: Checker<'a>,
    /// What the function at hand does before it returns: it stores results that it has in registers.
    pub(super) results: Vec<Instruction<'a>>,
    /// The first instruction of the function at hand whose opcode does not exist: how many come before it, and what is said.
    pub(super) unknown: Option<(usize, Diagnostic)>,
    /// How deep in brackets we are.
    pub(super) depth: u32,
    /// Brackets are lists of arguments.
    pub(super) in_call: bool,
    /// Where each variable and each function of the module is.
    pub(super) variables: HashMap<&'a str, usize>,
    pub(super) functions: HashMap<&'a str, usize>,
    /// `.file`: numbers and names.
    pub(super) files: Vec<(u64, &'a str)>,
    /// Where all mistakes are wanted, those so far.
    pub(super) mistakes: Option<Box<Mistakes>>,
}

/// How a token looks in a message.
fn show(token: Token<'_>) -> String {
    match token {
        Token::Word(word) => word.to_owned(),
        Token::Dot(word) => format!(".{word}"),
        Token::Integer(value, _) => value.to_string(),
        Token::F32(bits) => format!("0f{bits:08X}"),
        Token::F64(bits) => format!("0d{bits:016X}"),
        Token::Text(text) => format!("\"{text}\""),
        Token::Sign(sign) => char::from(sign).to_string(),
        Token::End => "end of text".to_owned(),
    }
}

impl<'a> Parser<'a> {
    pub(super) fn new(text: &'a str) -> Parsed<Self> {
        let mut lexer = Lexer::new(text);
        let (token, position) = lexer.read()?;
        Ok(Parser {
            lexer,
            token,
            position,
            module: Module::default(),
            samplers: false,
            in_call: false,
            results: Vec::new(),
            unknown: None,
            known: HashSet::new(),
            checker: Checker::new(Target::default()),
            depth: 0,
            variables: HashMap::new(),
            functions: HashMap::new(),
            files: Vec::new(),
            mistakes: None,
        })
    }

    /// The variable of the module with a name.
    pub(super) fn variable(&self, name: &str) -> Option<&Variable<'a>> {
        self.variables.get(name).and_then(|&at| self.module.variables.get(at))
    }

    /// The complaint about the current token.
    pub(super) fn unexpected(&self) -> Diagnostic {
        let message = format!("Parsing error near '{}': syntax error", show(self.token));
        Diagnostic::new(ErrorKind::Syntax, self.position, message)
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
        if self.depth == DEEPEST_BRACKETS {
            return Err(Diagnostic::new(ErrorKind::Syntax, self.position, "nested too deeply"));
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    /// Where the parser is, to come back to.
    pub(super) fn here(&self) -> (Lexer<'a>, Token<'a>, Position) {
        (self.lexer.clone(), self.token, self.position)
    }

    /// Comes back.
    pub(super) fn go_back(&mut self, (lexer, token, position): (Lexer<'a>, Token<'a>, Position)) {
        (self.lexer, self.token, self.position) = (lexer, token, position);
    }

    /// The token behind the current one.
    pub(super) fn ahead(&self) -> Token<'a> {
        self.lexer.clone().read().map_or(Token::End, |(token, _)| token)
    }

    /// An integer, with sign: no expression.
    pub(super) fn integer(&mut self) -> Parsed<i64> {
        let negative = self.accept(b'-')?;
        match self.token {
            Token::Integer(value, _) => {
                self.advance()?;
                Ok(if negative { (value as i64).wrapping_neg() } else { value as i64 })
            }
            Token::Word("WARP_SZ") => {
                self.advance()?;
                Ok(32)
            }
            _ => Err(self.unexpected()),
        }
    }

    /// Up to three numbers of a directive.
    pub(super) fn integers(&mut self) -> Parsed<Vec<u32>> {
        let mut all = vec![self.integer()? as u32];
        while all.len() < 3 && self.accept(b',')? {
            all.push(self.integer()? as u32);
        }
        Ok(all)
    }

    /// Notes a mistake that the text can be read on after; any other one, or the first where only that is wanted, is given back.
    #[cold]
    pub(super) fn note(&mut self, problem: Diagnostic) -> Parsed<()> {
        match &mut self.mistakes {
            Some(found) if problem.kind == ErrorKind::Semantics && found.all.len() < MOST_MISTAKES => {
                found.all.push(problem);
                Ok(())
            }
            _ => Err(problem),
        }
    }

    /// Notes a name without a meaning, whose turn comes at the end of the function.
    #[cold]
    pub(super) fn note_unknown(&mut self, name: &str, position: Position) -> Parsed<()> {
        match &mut self.mistakes {
            Some(found) if found.unknown.len() < MOST_MISTAKES => {
                found.unknown.push(unknown(name, position));
                Ok(())
            }
            _ => Err(unknown(name, position)),
        }
    }

    /// Reads a statement or a declaration. One with a mistake is passed over where all are wanted.
    #[inline]
    pub(super) fn or_mistake(&mut self, read: impl FnOnce(&mut Self) -> Parsed<()>) -> Parsed<()> {
        if self.mistakes.is_none() {
            return read(self);
        }
        let start = self.here();
        let Err(problem) = read(self) else { return Ok(()) };
        self.note(problem)?;
        self.go_back(start);
        self.skip()
    }

    /// Goes behind the next `;` or block.
    fn skip(&mut self) -> Parsed<()> {
        let mut depth = 0;
        loop {
            match self.token {
                Token::End => return Ok(()),
                Token::Sign(b'{') => depth += 1,
                Token::Sign(b'}') if depth == 0 => return Ok(()),
                Token::Sign(b'}') => depth -= 1,
                Token::Sign(b';') if depth == 0 => return self.advance().map(drop),
                _ => {}
            }
            let closed = depth == 0 && self.token == Token::Sign(b'}');
            self.advance()?;
            // Behind initial values, or operands, there is more.
            if closed && !matches!(self.token, Token::Sign(b';' | b',')) {
                return Ok(());
            }
        }
    }

    /// How many were noted when a function begins.
    pub(super) fn noted(&self) -> usize {
        self.mistakes.as_ref().map_or(0, |found| found.all.len())
    }
}

/// The complaint about a name without a meaning.
pub(super) fn unknown(name: &str, position: Position) -> Diagnostic {
    Diagnostic::new(ErrorKind::Semantics, position, format!("Unknown symbol '{name}'"))
}

/// The complaint about a name that has a meaning already.
pub(super) fn duplicate(name: &str, position: Position) -> Diagnostic {
    Diagnostic::new(ErrorKind::Semantics, position, format!("Duplicate definition of variable '{name}'"))
}
