//! All mistakes of a function, in the order in which the real assembler lists them.
//!
//! [`crate::parse`] ends at the first one. A text that it refuses is read once more, and then what does not make the rest unreadable is
//! noted: instructions and declarations that do not fit. An error of syntax ends this, too, as it ends the real assembler. Of a
//! function come first the instructions that are wrong, in the order of the text; names without a meaning come when it ends.

use crate::cursor::{Parsed, Parser};
use crate::diagnostic::{Diagnostic, ErrorKind, Position};
use crate::forms;
use crate::instruction::{Instruction, Operand};
use crate::modifier::Modifier;
use crate::module::Body;
use crate::opcode::Opcode;
use crate::operand::Scopes;

impl<'a> Parser<'a> {
    /// Notes modifiers that do not exist, and takes them out; then an opcode that does not.
    #[cold]
    pub(super) fn note_words(
        &mut self,
        opcode: &str,
        known: Option<Opcode>,
        modifiers: &mut Vec<Modifier<'a>>,
        position: Position,
        number: usize,
    ) -> Parsed<()> {
        for modifier in modifiers.iter().filter(|&&modifier| !forms::exists(modifier)) {
            self.note(Diagnostic::new(ErrorKind::Semantics, position, format!("Unknown modifier '.{modifier}'")))?;
        }
        modifiers.retain(|&modifier| forms::exists(modifier));
        if known.is_none() {
            self.note(no_opcode(opcode, position))?;
            if let Some(found) = &mut self.mistakes {
                found.senseless.insert(number);
            }
        }
        Ok(())
    }

    /// Notes what is wrong with the instructions of a function, which end with `end`. `first`: how many mistakes were known before.
    #[cold]
    pub(super) fn examine(
        &mut self,
        scopes: &mut Scopes<'a>,
        body: &mut Body<'a>,
        (results, parameters): (usize, usize),
        first: usize,
        end: Parsed<()>,
    ) -> Parsed<()> {
        let resolved = self.resolve(scopes, body);
        let target = self.checker.target();
        let senseless = self.mistakes.as_mut().map(|found| core::mem::take(&mut found.senseless)).unwrap_or_default();
        for number in (0..body.instructions.len()).filter(|number| !senseless.contains(number)) {
            let Some(instruction) = body.instructions.get_mut(number) else { break };
            let modern = crate::legacy::modernise(instruction, target);
            let instruction = &body.instructions[number];
            let checked = modern.and_then(|()| {
                if instruction.operands.iter().any(has_name) {
                    return self.checker.check_modifiers(instruction).map(|()| without_meaning(instruction));
                }
                self.checker.check(instruction, body)?;
                Self::check_parameters(instruction, body, results, results + parameters).map(|()| Vec::new())
            });
            let complain = |text| Diagnostic::new(ErrorKind::Semantics, instruction.position, text);
            let problems =
                checked.map_or_else(|problem| vec![problem], |said| said.into_iter().map(complain).collect());
            problems.into_iter().try_for_each(|problem| self.note(problem))?;
        }
        let in_text = |problem: &Diagnostic| (problem.line, problem.column);
        let mut late = Vec::new();
        if let Some(found) = &mut self.mistakes {
            found.all[first..].sort_by_key(in_text);
            late = core::mem::take(&mut found.unknown);
            late.sort_by_key(in_text);
        }
        // What ends the text ends the function before its names are looked up.
        end?;
        late.into_iter().try_for_each(|problem| self.note(problem))?;
        resolved
    }
}

/// The complaint about an opcode that does not exist.
pub(super) fn no_opcode(name: &str, position: Position) -> Diagnostic {
    Diagnostic::new(ErrorKind::Semantics, position, format!("Not a name of any known instruction: '{name}'"))
}

/// Whether an operand holds a name without a meaning.
fn has_name(operand: &Operand<'_>) -> bool {
    match operand {
        Operand::Name(..) => true,
        Operand::Address(of, _) | Operand::Negative(of) => has_name(of),
        Operand::Indexed(all) | Operand::Vector(all) | Operand::List(all) => all.iter().any(has_name),
        Operand::Pair(a, b) => has_name(a) || has_name(b),
        _ => false,
    }
}

/// What is said of an instruction with such operands, beside the names.
fn without_meaning(i: &Instruction<'_>) -> Vec<String> {
    let mut said = Vec::new();
    let mut mismatch = false;
    for operand in i.operands.iter().filter(|operand| has_name(operand)) {
        match operand {
            Operand::Name(..) if i.opcode == Opcode::Bra => {}
            Operand::Name(name, _) if i.opcode == Opcode::Call => {
                said.push(format!("Call to '{name}' requires call prototype"));
            }
            Operand::Address(of, _) if matches!(**of, Operand::Name(..)) => {
                said.push(format!("Illegal operand type to instruction '{}'", i.opcode));
            }
            Operand::Vector(all) => {
                let names =
                    all.iter().filter_map(|part| if let Operand::Name(name, _) = part { Some(name) } else { None });
                said.extend(names.map(|name| format!("Illegal expression '{name}'")));
            }
            _ => mismatch = true,
        }
    }
    if mismatch {
        said.push(format!("Arguments mismatch for instruction '{}'", i.opcode));
    }
    said
}

#[cfg(test)]
mod tests {
    use crate::bounds::MOST_MISTAKES;
    use crate::link::mistakes;

    /// Lines and messages of a text behind its three first lines.
    fn of(text: &str) -> Vec<(u32, String)> {
        let text = format!(".version 8.0\n.target sm_80\n.address_size 64\n{text}");
        assert!(crate::parse(&text).is_err());
        mistakes(&text).into_iter().map(|problem| (problem.line, problem.message)).collect()
    }

    fn said(all: &[(u32, &str)]) -> Vec<(u32, String)> {
        all.iter().map(|&(line, text)| (line, text.to_owned())).collect()
    }

    #[test]
    fn instructions_then_names_function_by_function() {
        let text = ".visible .entry k() { .reg .b32 %r<3>;\nadd.u32 %r1, %x, 1;\nfoo; bra A; .reg .b32 %r<3>;\n\
                    add.bar.u32 %r1, %r2, %r2; ret; }\n.visible .entry k() { @%p ret; }\n.global .u32 k;";
        let expected = [
            (5, "Arguments mismatch for instruction 'add'"),
            (6, "Not a name of any known instruction: 'foo'"),
            (6, "Duplicate definition of variable '%r<'"),
            (7, "Unknown modifier '.bar'"),
            (5, "Unknown symbol '%x'"),
            (6, "Unknown symbol 'A'"),
            (8, "Duplicate definition of function 'k'"),
            (8, "Predicate expression expected"),
            (8, "Unknown symbol '%p'"),
            (9, "Inconsistent redefinition of variable 'k'"),
            (9, "Duplicate definition of variable 'k'"),
        ];
        assert_eq!(of(text), said(&expected));
    }

    #[test]
    fn an_error_of_syntax_is_the_last() {
        let text = ".entry k() {\nfoo;\nbra A;\n1;\nbar; }\n.entry k() { foo; }";
        let expected = [(5, "Not a name of any known instruction: 'foo'"), (7, "Parsing error near '1': syntax error")];
        assert_eq!(of(text), said(&expected));
        assert_eq!(of(".global"), said(&[(4, "Parsing error near 'end of text': syntax error")]));
    }

    #[test]
    fn texts_that_are_joined_have_their_own() {
        let one = ".version 8.0\n.target sm_80\n.address_size 64\n.entry k() { foo; }";
        let both = mistakes(&crate::link::join(vec![one.to_owned(), one.replace("foo", "bogus")]));
        let lines: Vec<_> = both.iter().map(|problem| problem.message.as_str()).collect();
        let wanted = ["Not a name of any known instruction: 'foo'", "Not a name of any known instruction: 'bogus'"];
        assert_eq!(lines, wanted);
    }

    #[test]
    fn there_is_an_end_to_them() {
        let text = format!(".entry k() {{ {} }}", "foo;".repeat(2 * MOST_MISTAKES));
        assert_eq!(of(&text).len(), MOST_MISTAKES + 1);
    }
}
