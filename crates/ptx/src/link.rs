//! Several modules become one, as a linker puts them together.
//!
//! Modules that belong together travel as one text, with a NUL between them ([`join`]); [`super::parse`] reads each and
//! [`merge`] lets declarations meet definitions by name. What a module keeps to itself and another one has under the same
//! name, too, is renamed when the texts are joined.

use crate::cursor::Parsed;
use crate::diagnostic::{Diagnostic, ErrorKind, Position};
use crate::lexer::{Lexer, Token};
use crate::module::{Function, Linkage, Module, Variable};
use crate::parser::{read, read_mistakes};
use crate::types::Space;
use std::collections::{HashMap, HashSet};

/// What stands between modules. Text from a program never holds it: it ends there.
pub const BETWEEN: char = '\0';

/// Reads a module, or several that [`join`] has put into one text.
pub fn parse(text: &str) -> Parsed<Module<'_>> {
    let units: Parsed<Vec<_>> = text.split(BETWEEN).map(read).collect();
    let mut units = units?;
    if units.len() == 1 { Ok(units.remove(0)) } else { merge(units) }
}

/// What is wrong with a text that [`parse`] refuses; nothing with one whose modules only do not fit together.
#[cold]
pub fn mistakes(text: &str) -> Vec<Diagnostic> {
    text.split(BETWEEN).flat_map(read_mistakes).collect()
}

/// One text out of those of several modules.
pub fn join(mut texts: Vec<String>) -> String {
    if texts.len() == 1 {
        return texts.remove(0);
    }
    // A text that cannot be read stays as it is: parsing the whole reports what is wrong.
    let units: Vec<Module<'_>> = texts.iter().map(|text| parse(text).unwrap_or_default()).collect();
    let mut owners: HashMap<&str, usize> = HashMap::new();
    for unit in &units {
        let own: HashSet<&str> = names(unit).map(|(name, _)| name).collect();
        own.into_iter().for_each(|name| *owners.entry(name).or_default() += 1);
    }
    let mut whole = String::new();
    for (number, (text, unit)) in texts.iter().zip(&units).enumerate() {
        if number > 0 {
            whole.push(BETWEEN);
        }
        let clash = |&(name, internal): &(&str, bool)| internal && owners.get(name).is_some_and(|&n| n > 1);
        let clashing: HashSet<&str> = names(unit).filter(clash).map(|(name, _)| name).collect();
        rename(text, &clashing, number, &mut whole);
    }
    whole
}

/// Names that a module gives to functions and variables, and whether it keeps them to itself. Kernels are always visible to others.
fn names<'m, 'a>(module: &'m Module<'a>) -> impl Iterator<Item = (&'a str, bool)> + 'm {
    let functions = module.functions.iter().map(|f| (f.name, !f.entry && f.linkage == Linkage::Internal));
    functions.chain(module.variables.iter().map(|v| (v.name, v.linkage == Linkage::Internal)))
}

/// Appends a text in which some words have the number of the module behind them.
fn rename(text: &str, words: &HashSet<&str>, number: usize, to: &mut String) {
    if words.is_empty() {
        return to.push_str(text);
    }
    let start = text.as_ptr() as usize;
    let (mut lexer, mut done) = (Lexer::new(text), 0);
    while let Ok((token, _)) = lexer.read() {
        match token {
            Token::Word(word) if words.contains(word) => {
                let end = word.as_ptr() as usize - start + word.len();
                to.push_str(&text[done..end]);
                to.push_str(&format!("${number}"));
                done = end;
            }
            Token::End => break,
            _ => {}
        }
    }
    to.push_str(&text[done..]);
}

/// Adds what a module calls of a library and does not define.
pub fn with_library<'a>(module: Module<'a>, library: &'static str) -> Parsed<Module<'a>> {
    let missing = |f: &Function<'_>| f.body.is_none() && library.contains(f.name);
    if !module.functions.iter().any(missing) {
        return Ok(module);
    }
    let Module { version, architecture, suffix, linked, .. } = module;
    let mut library = parse(library)?;
    library.functions.retain(|own| module.function(own.name).is_some_and(|f| f.body.is_none()));
    Ok(Module { version, architecture, suffix, linked, ..merge(vec![module, library])? })
}

/// A text in which some names are others, which no other text has: they have `number` behind them.
pub fn renamed(text: &str, names: &HashSet<&str>, number: usize) -> String {
    let mut new = String::with_capacity(text.len());
    rename(text, names, number, &mut new);
    new
}

/// Names that a module defines for others.
pub fn visible<'m, 'a>(module: &'m Module<'a>) -> impl Iterator<Item = &'a str> + 'm {
    let others = |linkage: Linkage| !matches!(linkage, Linkage::Internal | Linkage::Extern);
    let functions = module.functions.iter().filter(move |f| f.body.is_some() && (f.entry || others(f.linkage)));
    let variables = module.variables.iter().filter(move |v| others(v.linkage));
    functions.map(|f| f.name).chain(variables.map(|v| v.name)).chain(module.aliases.iter().map(|&(new, _)| new))
}

/// Names of which a program has one definition only, and this module has it.
pub fn definitions<'m, 'a>(module: &'m Module<'a>) -> impl Iterator<Item = &'a str> + 'm {
    let functions = module.functions.iter().filter(|f| f.body.is_some()).map(|f| (f.name, f.entry, f.linkage));
    let all = functions.chain(module.variables.iter().map(|v| (v.name, false, v.linkage)));
    all.filter(|&(_, entry, linkage)| entry || linkage == Linkage::Visible).map(|(name, ..)| name)
}

/// A name that code uses and no module defines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Undefined<'a> {
    /// The name.
    pub name: &'a str,
    /// It is declared as a function; else as a variable.
    pub function: bool,
    /// The function whose code uses it.
    pub user: &'a str,
}

/// What a program lacks: functions and variables that code uses, each once. `provided` knows what the system has.
pub fn undefined<'a>(module: &Module<'a>, provided: impl Fn(&str) -> bool) -> Vec<Undefined<'a>> {
    let aliases: HashSet<&str> = module.aliases.iter().map(|&(new, _)| new).collect();
    let functions = module.functions.iter().filter(|f| f.body.is_none() && !aliases.contains(f.name));
    let functions = functions.filter(|f| !provided(f.name)).map(|f| (f.name, true));
    // A variable in shared memory without a size is the launch's.
    let variables = module.variables.iter().filter(|v| v.linkage == Linkage::Extern && v.space != Space::Shared);
    let mut missing: HashMap<&str, bool> = functions.chain(variables.map(|v| (v.name, false))).collect();
    let mut found = Vec::new();
    if missing.is_empty() {
        return found;
    }
    for (user, body) in module.functions.iter().filter_map(|f| Some((f.name, f.body.as_ref()?))) {
        for operand in body.instructions.iter().flat_map(|instruction| &instruction.operands) {
            operand.symbols(&mut |name| {
                if let Some(function) = missing.remove(name) {
                    found.push(Undefined { name, function, user });
                }
            });
        }
    }
    found
}

/// How much a definition counts against another one.
fn strength(linkage: Linkage) -> u8 {
    match linkage {
        Linkage::Extern => 0,
        Linkage::Common => 1,
        Linkage::Weak => 2,
        Linkage::Internal | Linkage::Visible => 3,
    }
}

fn twice(name: &str, position: Position) -> Diagnostic {
    Diagnostic::new(ErrorKind::Semantics, position, format!("Multiple definition of '{name}'"))
}

/// One module out of several. The newest version and the highest architecture hold for all.
pub fn merge<'a>(units: Vec<Module<'a>>) -> Parsed<Module<'a>> {
    let mut whole: Option<Module<'a>> = None;
    let (mut functions, mut variables) = (HashMap::new(), HashMap::new());
    for unit in units {
        let Module { functions: new_functions, variables: new_variables, aliases: new_aliases, .. } = unit;
        let whole = match &mut whole {
            Some(whole) => whole,
            empty => empty.insert(Module {
                functions: Vec::new(),
                variables: Vec::new(),
                aliases: Vec::new(),
                linked: true,
                ..unit
            }),
        };
        whole.version = whole.version.max(unit.version);
        if unit.architecture > whole.architecture {
            (whole.architecture, whole.suffix) = (unit.architecture, unit.suffix);
        }
        if unit.address_size != 64 {
            (whole.address_size, whole.address_position) = (unit.address_size, unit.address_position);
        }
        whole.aliases.extend(new_aliases);
        for function in new_functions {
            match functions.get(function.name) {
                None => {
                    functions.insert(function.name, whole.functions.len());
                    whole.functions.push(function);
                }
                Some(&at) => choose_function(&mut whole.functions[at], function)?,
            }
        }
        for variable in new_variables {
            match variables.get(variable.name) {
                None => {
                    variables.insert(variable.name, whole.variables.len());
                    whole.variables.push(variable);
                }
                Some(&at) => choose_variable(&mut whole.variables[at], variable)?,
            }
        }
    }
    Ok(whole.unwrap_or_default())
}

fn choose_function<'a>(old: &mut Function<'a>, new: Function<'a>) -> Parsed<()> {
    let strength = |f: &Function<'_>| if f.body.is_some() { strength(f.linkage) } else { 0 };
    match (strength(old), strength(&new)) {
        (_, 0) => {}
        (a, b) if a < b => *old = new,
        (3, 3) => return Err(twice(new.name, new.position)),
        _ => {}
    }
    Ok(())
}

fn choose_variable<'a>(old: &mut Variable<'a>, new: Variable<'a>) -> Parsed<()> {
    match (strength(old.linkage), strength(new.linkage)) {
        (a, b) if a < b => *old = new,
        (3, 3) => return Err(twice(new.name, new.position)),
        // The largest of those that are one.
        (1, 1) => {
            let align = old.align.max(new.align);
            if new.size > old.size {
                *old = new;
            }
            old.align = align;
        }
        _ => {}
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::module::Initial;

    fn unit(body: &str) -> String {
        format!(".version 8.0\n.target sm_80\n.address_size 64\n{body}\n")
    }

    fn linked(bodies: &[&str]) -> String {
        join(bodies.iter().map(|b| unit(b)).collect())
    }

    fn variable<'m, 'a>(module: &'m Module<'a>, name: &str) -> &'m Variable<'a> {
        module.variables.iter().find(|v| v.name == name).unwrap()
    }

    #[test]
    fn declarations_meet_definitions_in_either_order() {
        for order in [[0, 1], [1, 0]] {
            let both = [
                ".extern .global .align 4 .u32 v;\n.extern .func f(.param .b32 a);\n\
                 .visible .entry k() { .reg .b32 %r<2>; ld.global.u32 %r1, [v]; ret; }",
                ".visible .global .align 4 .u32 v = 7;\n.visible .func f(.param .b32 a) { ret; }",
            ];
            let text = linked(&order.map(|at| both[at]));
            let module = parse(&text).unwrap();
            assert_eq!(variable(&module, "v").initial, [Initial::Bytes(vec![7, 0, 0, 0])]);
            assert!(module.function("f").unwrap().body.is_some());
            assert_eq!(module.variables.len(), 1);
        }
    }

    #[test]
    fn what_modules_keep_to_themselves_stays_apart() {
        let one = |value: u32, kernel: &str| {
            format!(
                ".global .align 4 .u32 own = {value};\n.func helper() {{ ret; }}\n\
                 .visible .entry {kernel}() {{ .reg .b32 %r<2>; ld.global.u32 %r1, [own]; call helper; ret; }}"
            )
        };
        let text = linked(&[&one(1, "a"), &one(2, "b")]);
        let module = parse(&text).unwrap();
        assert_eq!(module.variables.len(), 2);
        assert_eq!(module.functions.len(), 4);
        assert_ne!(module.variables[0].name, module.variables[1].name);
    }

    #[test]
    fn weak_common_and_strong_definitions() {
        let text = linked(&[
            ".weak .global .align 4 .u32 w = 1;\n.common .global .align 4 .u32 c;\n.common .global .align 4 .b8 d[4];",
            ".visible .global .align 4 .u32 w = 2;\n.common .global .align 4 .u32 c;\n.common .global .align 8 .b8 d[12];",
            ".weak .global .align 4 .u32 w = 3;",
        ]);
        let module = parse(&text).unwrap();
        assert_eq!(variable(&module, "w").initial, [Initial::Bytes(vec![2, 0, 0, 0])]);
        assert_eq!((variable(&module, "d").size, variable(&module, "d").align), (12, 8));
        assert_eq!(module.variables.len(), 3);
    }

    #[test]
    fn two_strong_definitions_are_an_error() {
        let strong = ".visible .global .align 4 .u32 v = 7;";
        assert!(parse(&linked(&[strong, strong])).unwrap_err().message.contains("Multiple definition of 'v'"));
        let strong = ".visible .func f() { ret; }";
        assert!(parse(&linked(&[strong, strong])).unwrap_err().message.contains("Multiple definition of 'f'"));
    }

    #[test]
    fn a_library_gives_what_is_called_and_missing() {
        const LIBRARY: &str =
            ".version 8.0\n.target sm_80\n.address_size 64\n.visible .func f() { ret; }\n.visible .func g() { ret; }";
        let text = unit(".extern .func f();\n.visible .entry k() { call f; ret; }");
        let module = with_library(parse(&text).unwrap(), LIBRARY).unwrap();
        assert!(module.function("f").unwrap().body.is_some());
        assert!(module.function("g").is_none());
    }

    #[test]
    fn what_nobody_defines() {
        let text = unit(
            ".extern .global .align 4 .u32 v;\n.extern .shared .align 4 .b8 s[];\n.extern .func f();\n.extern .func g();\n\
             .extern .func unused();\n.visible .entry k() { .reg .b32 %r<2>; call f; call g; ld.global.u32 %r1, [v]; \
             ld.shared.u32 %r1, [s]; ret; }",
        );
        let found = undefined(&parse(&text).unwrap(), |name| name == "g");
        let found: Vec<_> = found.iter().map(|u| (u.name, u.function, u.user)).collect();
        assert_eq!(found, [("f", true, "k"), ("v", false, "k")]);
    }

    #[test]
    fn a_broken_module_is_reported() {
        let texts = [unit(""), ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k( { ret; }".to_owned()];
        assert_eq!(parse(&join(texts.to_vec())).unwrap_err().kind, ErrorKind::Syntax);
    }
}
