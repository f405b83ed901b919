//! The forms that instructions have: which modifiers, types and operands go together, and since when.
//!
//! The tables in the files of this folder have a line a form: opcodes, modifiers, operands and requirements.
//! - Modifiers: groups of alternatives (`rn|rz`), each taken once, `?` for those that may be left out. `$name` is one of
//!   [`SETS`]. As the real assembler does, we take modifiers in any order; only types have one, layouts of matrices
//!   (`row`, `col`), and what `!` marks, which is part of the name.
//! - Operands: results, `=`, sources. `t` has the last type of the modifiers, `t1` the first; `w` is twice as wide; other
//!   names are types. `+`: a register may be wider. `a|b`: two results in one operand, `?` behind: or one. `[]` is an
//!   address, `v` a vector of as many elements as the modifiers say, `four` one of four, `imm` a number, `part` a register of which a selector
//!   may take a part, `any` whatever there is. `*` leaves all operands to the lowering.
//! - Requirements: `@90 7.8` needs `.target sm_90` and `.version 7.8`; `@90a` the target with all of its own features, `@100f` it
//!   or a later one of its family with these, `@100f,120a` one of the two; `@<70` only exists for targets below.
//!
//! The compiler checks (`check`) that every word of a table is an opcode or a modifier of the lists, and that every opcode has a
//! form.
//!
//! What is not in a table is not PTX: the module is invalid. What is in a table may still be refused as not supported, by
//! the lowering.

mod check;
mod control;
pub mod examples;
mod matrix;
mod memory;
pub mod operands;
mod scalar;
mod tables;
mod target;
#[cfg(test)]
mod tests;

use crate::diagnostic::{Diagnostic, ErrorKind};
use crate::forms::operands::Operands;
use crate::forms::tables::{SETS, VECTORS, WIDE_VECTORS};
use crate::instruction::Instruction;
use crate::modifier::Modifier;
use crate::module::Body;
use crate::opcode::Opcode;
use foldhash::HashMap;
use std::sync::OnceLock;

pub use operands::{Form, Group};
pub use tables::GROUPS;
pub use target::{Own, Target};

/// What a modifier needs beyond what its form does.
struct Need {
    /// Of these opcodes; of all, where there is none.
    opcodes: &'static [Opcode],
    modifier: Modifier<'static>,
    /// Only together with this one.
    with: Option<Modifier<'static>>,
    /// The oldest target.
    target: u32,
    /// The oldest version, times ten.
    version: u32,
}

const fn need(
    opcodes: &'static [Opcode],
    modifier: Modifier<'static>,
    with: Option<Modifier<'static>>,
    target: u32,
    version: u32,
) -> Need {
    Need { opcodes, modifier, with, target, version }
}

const NEEDS: &[Need] = &[
    need(&[], Modifier::Cluster, None, 90, 78),
    need(&[], Modifier::SharedCluster, None, 90, 78),
    need(&[], Modifier::SharedCta, None, 0, 78),
    need(&[], Modifier::ParamEntry, None, 0, 83),
    need(&[], Modifier::ParamFunc, None, 0, 83),
    need(&[], Modifier::L2CacheHint, None, 80, 74),
    need(&[], Modifier::L2Fetch64, None, 0, 74),
    need(&[], Modifier::L2Fetch128, None, 0, 74),
    need(&[], Modifier::L2Fetch256, None, 80, 74),
    need(&[], Modifier::B128, Some(Modifier::Sys), 0, 84),
    need(&[Opcode::Cvta, Opcode::Isspacep], Modifier::Param, None, 0, 77),
    need(&[Opcode::Bar, Opcode::Barrier], Modifier::Cta, None, 0, 78),
    need(&[Opcode::Barrier], Modifier::Release, None, 0, 80),
    need(&[Opcode::Barrier], Modifier::Relaxed, None, 0, 80),
    need(&[Opcode::Barrier], Modifier::Acquire, None, 0, 80),
    need(&[Opcode::Min, Opcode::Max], Modifier::PropagateNan, None, 80, 70),
    need(&[Opcode::Abs], Modifier::F16, None, 0, 65),
    need(&[Opcode::Abs], Modifier::F16x2, None, 0, 65),
    need(&[Opcode::Set], Modifier::Bf16, None, 90, 78),
];

/// All forms.
pub struct Table {
    /// Those of each opcode. A program uses few opcodes, so they are read when the opcode is first used.
    entries: [OnceLock<Vec<Form>>; Opcode::ALL.len()],
}

fn groups(text: &'static str) -> Vec<Group> {
    let group = |word: &'static str| {
        let (optional, placed) = (word.contains('?'), word.contains('!'));
        let mut any_of = Vec::new();
        let mut open = false;
        for part in word.trim_end_matches(['?', '!']).split('|') {
            let alternatives = match part.strip_prefix('$') {
                Some(name) => SETS.iter().find(|s| s.0 == name).map_or("", |s| s.1),
                None => part,
            };
            for alternative in alternatives.split('|') {
                match (alternative, alternative.strip_suffix("n*")) {
                    ("*", _) => open = true,
                    (_, Some(m)) => {
                        any_of.push(Modifier::Shape([m.trim_start_matches('m').parse().unwrap_or(0), 0, 0]))
                    }
                    _ => any_of.push(Modifier::parse(alternative)),
                }
            }
        }
        Group { any_of, optional, placed, open }
    };
    text.split_whitespace().map(group).collect()
}

static TABLE: Table = Table { entries: [const { OnceLock::new() }; Opcode::ALL.len()] };

/// The table.
pub fn table() -> &'static Table {
    &TABLE
}

impl Table {
    /// The forms of an opcode.
    pub fn of(&self, opcode: Opcode) -> &[Form] {
        self.entries[opcode as usize].get_or_init(|| {
            let lines = check::LINES.iter().filter(|line| line.opcode == opcode as u16);
            lines.flat_map(|line| Table::read(opcode, line)).collect()
        })
    }

    /// All forms.
    pub fn forms(&self) -> impl Iterator<Item = &Form> + Clone {
        Opcode::ALL.iter().flat_map(|&opcode| self.of(opcode))
    }

    fn knows(&self, modifier: Modifier<'_>) -> bool {
        self.forms().flat_map(|f| &f.modifiers).any(|g| g.holds(modifier))
    }

    /// The forms that a line gives the opcode.
    fn read(opcode: Opcode, line: &check::Line) -> Vec<Form> {
        let group = usize::from(line.group);
        let line = &GROUPS[group].1[line.from.into()..line.to.into()];
        let (line, needs) = line.split_once('@').unwrap_or((line, ""));
        let mut parts = line.splitn(3, " :").skip(1);
        let (modifiers, operands) = (parts.next().unwrap_or(""), parts.next().unwrap_or(""));
        let mut needs = needs.split_whitespace();
        let (first, second) = (needs.next().unwrap_or(""), needs.next().unwrap_or(""));
        let before = first.strip_prefix('<').and_then(|n| n.parse().ok()).unwrap_or(u32::MAX);
        let own: Vec<Own> = first.split(',').filter_map(Own::read).collect();
        let least = own.iter().map(|own| own.number).min();
        let target: u32 = least.or_else(|| first.parse().ok()).unwrap_or(0);
        let version: u32 = second.replace('.', "").parse().unwrap_or(0);
        let mut variants = vec![(groups(modifiers), 0, 0)];
        if let Some((front, rest)) = modifiers.split_once("$vector") {
            let narrow = if rest.starts_with("256") { &[] } else { VECTORS };
            let wide = if rest.starts_with("256") || front.contains("global") { WIDE_VECTORS } else { &[] };
            variants = narrow
                .iter()
                .chain(wide)
                .map(|&(vector, target, version)| {
                    let mut all = groups(front);
                    all.extend(groups(vector));
                    (all, target, version)
                })
                .collect();
        }
        let form = |(modifiers, least, since)| Form {
            opcode,
            group,
            modifiers,
            operands: Operands::read(operands.trim()),
            target: target.max(least),
            own: own.clone(),
            before,
            version: version.max(since),
        };
        variants.into_iter().map(form).collect()
    }
}

/// Why modifiers do not make a form.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Mismatch {
    /// Nothing takes this one.
    Extra(usize),
    /// None of a group is there.
    Missing(usize),
}

impl Form {
    /// The types among the modifiers, in the order of the form.
    fn fit<'t>(&self, modifiers: &[Modifier<'t>]) -> Result<Vec<Modifier<'t>>, Mismatch> {
        let mut taken = vec![None; self.modifiers.len()];
        let (mut after, mut after_layout) = (0, 0);
        for (at, &modifier) in modifiers.iter().enumerate() {
            let layout = matches!(modifier, Modifier::Row | Modifier::Col);
            let is_type = modifier.class().is_some();
            let first = match (is_type, layout) {
                (true, _) => after,
                (_, true) => after_layout,
                _ => 0,
            };
            let free = |(n, group): (usize, &Group)| {
                let before = || taken[..n].iter().flatten().count();
                let fits =
                    n >= first && taken[n].is_none() && group.holds(modifier) && (!group.placed || before() == at);
                (group.open || fits).then_some(n)
            };
            let found = self.modifiers.iter().enumerate().find_map(free).ok_or(Mismatch::Extra(at))?;
            taken[found] = Some(modifier);
            if is_type {
                after = found + 1;
            }
            if layout {
                after_layout = found + 1;
            }
        }
        for (n, group) in self.modifiers.iter().enumerate() {
            if taken[n].is_none() && !group.optional && !group.open {
                return Err(Mismatch::Missing(n));
            }
        }
        Ok(taken.into_iter().flatten().filter(|m| m.class().is_some()).collect())
    }

    /// Whether the types among the modifiers are those of the form.
    fn takes_types(&self, modifiers: &[Modifier<'_>]) -> bool {
        let mut groups = self.modifiers.iter().filter(|g| g.of_types()).peekable();
        for &ty in modifiers.iter().filter(|m| m.class().is_some()) {
            while groups.next_if(|g| g.optional && !g.holds(ty)).is_some() {}
            if !groups.next().is_some_and(|g| g.holds(ty)) {
                return false;
            }
        }
        groups.all(|g| g.optional)
    }
}

/// Forms that the modifiers of an instruction make, each with their types.
type Fitting<'a> = Vec<(&'static Form, Vec<Modifier<'a>>)>;

/// The forms that an instruction has, and those that the module has no target or version for; or why it has none.
type Judged<'a> = Result<(Fitting<'a>, Fitting<'a>), String>;

/// Checks instructions. Those seen before are looked up.
pub struct Checker<'a> {
    target: Target,
    /// For each opcode.
    seen: Vec<Seen<'a>>,
}

/// What was said of an opcode, with the modifiers that it had.
#[derive(Clone, Default)]
struct Seen<'a> {
    /// The first ones: comparing is quicker than hashing.
    first: Vec<(Vec<Modifier<'a>>, Judged<'a>)>,
    others: Option<HashMap<Vec<Modifier<'a>>, Judged<'a>>>,
}

impl<'a> Seen<'a> {
    /// Entries that are compared one by one.
    const COMPARED: usize = 8;

    fn judged(&mut self, i: &Instruction<'a>, target: Target) -> &Judged<'a> {
        if let Some(at) = self.first.iter().position(|(modifiers, _)| *modifiers == i.modifiers) {
            return &self.first[at].1;
        }
        if self.first.len() < Seen::COMPARED {
            self.first.push((i.modifiers.clone(), find(i, target)));
            return &self.first[self.first.len() - 1].1;
        }
        let others = self.others.get_or_insert_default();
        others.entry(i.modifiers.clone()).or_insert_with(|| find(i, target))
    }
}

/// Whether any form has a modifier.
pub(super) fn exists(modifier: Modifier<'_>) -> bool {
    table().knows(modifier)
}

impl<'a> Checker<'a> {
    /// For modules of a target.
    pub fn new(target: Target) -> Checker<'a> {
        Checker { target, seen: vec![Seen::default(); Opcode::ALL.len()] }
    }

    /// What modules are for.
    pub fn target(&self) -> Target {
        self.target
    }

    /// Checks the modifiers of an instruction.
    pub(super) fn check_modifiers(&mut self, i: &Instruction<'a>) -> Result<(), Diagnostic> {
        let judged = self.seen[i.opcode as usize].judged(i, self.target);
        judged.as_ref().map(drop).map_err(|text| Diagnostic::new(ErrorKind::Semantics, i.position, text))
    }

    /// Checks an instruction.
    pub fn check(&mut self, i: &Instruction<'a>, body: &Body<'a>) -> Result<(), Diagnostic> {
        let complain = |message: &str| Err(Diagnostic::new(ErrorKind::Semantics, i.position, message));
        let target = self.target;
        let (forms, unmet) = match self.seen[i.opcode as usize].judged(i, target) {
            Ok(forms) => forms,
            Err(message) => return complain(message),
        };
        let mut reason = None;
        for (form, types) in forms {
            match operands::check(form, types, i, body) {
                Ok(()) => return Ok(()),
                Err(problem) => reason = Some(problem),
            }
        }
        // One more operand than older targets take.
        let fits = |(form, types): &&(&'static Form, Vec<Modifier<'_>>)| operands::check(form, types, i, body).is_ok();
        reason = unmet.iter().find(fits).and_then(|(form, _)| form.unmet(target)).or(reason);
        complain(&reason.unwrap_or_else(|| format!("Arguments mismatch for instruction '{}'", i.opcode)))
    }
}

/// What the module lacks for a modifier.
fn unmet_modifier(i: &Instruction<'_>, modifier: Modifier<'_>, target: Target) -> Option<String> {
    let &Need { target: architecture, version, .. } = NEEDS.iter().find(|need| {
        need.modifier == modifier
            && (need.opcodes.is_empty() || need.opcodes.contains(&i.opcode))
            && need.with.is_none_or(|with| i.has(with))
    })?;
    if target.version.0 * 10 + target.version.1 < version {
        let (major, minor) = (version / 10, version % 10);
        return Some(format!("Feature '.{modifier}' requires PTX ISA .version {major}.{minor} or later"));
    }
    let old = target.architecture < architecture;
    old.then(|| format!("Feature '.{modifier}' requires .target sm_{architecture} or higher"))
}

/// The forms that the modifiers of an instruction make, or what is wrong with them.
fn find<'a>(i: &Instruction<'a>, target: Target) -> Judged<'a> {
    let mut found = Vec::new();
    let mut unmet: Fitting<'_> = Vec::new();
    let mut wrong: Option<((bool, usize), &Form, Mismatch)> = None;
    for form in table().of(i.opcode) {
        match form.fit(&i.modifiers) {
            Ok(types) => match form.unmet(target) {
                None => found.push((form, types)),
                Some(_) => unmet.push((form, types)),
            },
            // The form that comes nearest tells most: its types, then what is missing, then how far it went.
            Err(mismatch) => {
                let far = if let Mismatch::Extra(at) = mismatch { at } else { usize::MAX };
                let near = (form.takes_types(&i.modifiers), far);
                if wrong.as_ref().is_none_or(|w| near > w.0) {
                    wrong = Some((near, form, mismatch));
                }
            }
        }
    }
    if !found.is_empty() {
        return i.modifiers.iter().find_map(|&m| unmet_modifier(i, m, target)).map_or(Ok((found, unmet)), Err);
    }
    if let Some(message) = unmet.first().and_then(|(form, _)| form.unmet(target)) {
        return Err(message);
    }
    if let Some(unknown) = i.modifiers.iter().find(|&&m| !table().knows(m)) {
        return Err(format!("Unknown modifier '.{unknown}'"));
    }
    let message = match wrong {
        Some(((true, _), _, Mismatch::Extra(at))) if i.modifiers[at].class().is_none() => {
            format!("Illegal modifier '.{}' for instruction '{}'", i.modifiers[at], i.opcode)
        }
        Some(((true, _), form, Mismatch::Missing(group))) if !form.modifiers[group].of_types() => {
            match form.modifiers[group].any_of.as_slice() {
                [Modifier::Sync] if i.opcode == Opcode::Bar => {
                    format!("Barrier modifier required for instruction '{}'", i.opcode)
                }
                [one] => format!(".{one} modifier required for instruction '{}'", i.opcode),
                all if all.contains(&Modifier::Rn) => {
                    format!("Rounding modifier required for instruction '{}'", i.opcode)
                }
                all if all.contains(&Modifier::Eq) => {
                    format!("Comparison modifier required for instruction '{}'", i.opcode)
                }
                all => {
                    let all: Vec<String> = all.iter().map(Modifier::to_string).collect();
                    format!("One of the modifiers .{} required for instruction '{}'", all.join(", ."), i.opcode)
                }
            }
        }
        _ => format!("Unexpected instruction types specified for '{}'", i.opcode),
    };
    Err(message)
}

impl Form {
    /// A target that has it, as `.target` names it behind `sm_`.
    pub fn home(&self) -> String {
        self.own.first().map_or_else(|| self.target.to_string(), |own| format!("{}a", own.number))
    }

    /// What the module lacks for this form.
    fn unmet(&self, target: Target) -> Option<String> {
        let name = || {
            let types = self.modifiers.iter().rev().find(|g| g.of_types());
            match types.map(|g| g.any_of.as_slice()) {
                Some([one]) => format!("{}.{one}", self.opcode),
                _ => self.opcode.to_string(),
            }
        };
        let version = target.version.0 * 10 + target.version.1;
        if version < self.version {
            let (major, minor) = (self.version / 10, self.version % 10);
            return Some(format!("Feature '{}' requires PTX ISA .version {major}.{minor} or later", name()));
        }
        if target.architecture < self.target {
            return Some(format!("Feature '{}' requires .target sm_{} or higher", name(), self.target));
        }
        // Features of one architecture end with it; later ones name their own.
        if !self.own.is_empty() && !self.own.iter().any(|own| own.has(target)) || target.architecture >= self.before {
            let suffix = target.suffix.map_or(String::new(), String::from);
            return Some(format!("Feature '{}' not supported on .target 'sm_{}{suffix}'", name(), target.architecture));
        }
        None
    }
}
