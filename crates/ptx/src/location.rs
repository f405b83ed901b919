//! Where instructions come from in the source that a compiler read: `.file` and `.loc`.

use crate::cursor::{Parsed, Parser};
use crate::lexer::Token;
use crate::module::{Body, Module, SourceLine};
use foldhash::HashMap;

impl<'a> Parser<'a> {
    /// `.file 1 "name", time, size`.
    pub(super) fn file(&mut self) -> Parsed<()> {
        self.advance()?;
        let number = self.number()?;
        if let (Some(number), Token::Text(name)) = (number, self.token) {
            self.files.push((number, name));
        }
        self.rest_of_place()
    }

    /// `.loc 1 line column, function_name label + n, inlined_at 1 line column`.
    pub(super) fn location(&mut self, body: &mut Body<'a>) -> Parsed<()> {
        self.advance()?;
        if let (Some(number), Some(line)) = (self.number()?, self.number()?) {
            let instruction = body.instructions.len() as u32;
            let source = SourceLine { instruction, number, file: "", line: line as u32 };
            match body.sources.last_mut() {
                Some(last) if last.instruction == instruction => *last = source,
                _ => body.sources.push(source),
            }
        }
        self.rest_of_place()
    }

    fn number(&mut self) -> Parsed<Option<u64>> {
        let Token::Integer(value, _) = self.token else { return Ok(None) };
        self.advance()?;
        Ok(Some(value))
    }

    fn rest_of_place(&mut self) -> Parsed<()> {
        loop {
            while let Token::Integer(..) | Token::Text(_) = self.token {
                self.advance()?;
            }
            if !self.accept(b',')? {
                return Ok(());
            }
            match self.token {
                Token::Word("function_name") => {
                    self.advance()?;
                    self.advance()?;
                    self.offset()?;
                }
                Token::Word("inlined_at") => {
                    self.advance()?;
                }
                Token::Integer(..) => {}
                _ => return Err(self.unexpected()),
            }
        }
    }

    /// Gives files their names, which may stand behind the code.
    pub(super) fn name_files(files: &[(u64, &'a str)], module: &mut Module<'a>) {
        // Of two with the same number the first one counts.
        let names: HashMap<u64, &'a str> = files.iter().rev().copied().collect();
        for source in module.functions.iter_mut().flat_map(|f| &mut f.body).flat_map(|b| &mut b.sources) {
            source.file = names.get(&source.number).copied().unwrap_or("");
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::parse;

    #[test]
    fn instructions_know_their_source() {
        let text = ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k()\n{\n.reg .b32 %r<3>;\n\
            mov.u32 %r0, 1;\n.loc 2 7 3\n.loc\t1 12 3, function_name $L__info_string0, inlined_at 2 9 1\n\
            mov.u32 %r1, 2;\nmov.u32 %r2, 3;\n.loc 2 14 1\nret; }\n.file 1 \"/src/a b.cuh\"\n.file 2 \"k.cu\", 1, 2\n";
        let module = parse(text).unwrap();
        let sources = &module.functions[0].body.as_ref().unwrap().sources;
        let found: Vec<_> = sources.iter().map(|s| (s.instruction, s.file, s.line)).collect();
        assert_eq!(found, [(1, "/src/a b.cuh", 12), (3, "k.cu", 14)]);
    }

    #[test]
    fn odd_directives_are_passed_over() {
        let text = ".version 8.0\n.target sm_80\n.address_size 64\n.file\n.file 1\n.file \"x\"\n.visible .entry k()\n{\n\
            .loc\n.loc 1\n.loc 1 2\nret; }\n";
        let module = parse(text).unwrap();
        let sources = &module.functions[0].body.as_ref().unwrap().sources;
        assert_eq!(sources.iter().map(|s| (s.file, s.line)).collect::<Vec<_>>(), [("", 2)]);
    }
}
