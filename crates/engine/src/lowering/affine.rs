//! The steps of a kernel for blocks whose warps are rows of threads: those for vectors, of which some are marked.

use crate::operations::elementwise::{Comparison, Elementwise, Widens};
use crate::operations::memory::Access;
use crate::state::affine::AffineRegister;
use crate::state::warp::{AffineSteps, Code};
use ptx::analysis::affine;
use ptx::analysis::class::{Classes, Known, classes};
use ptx::analysis::effect::Purity;
use ptx::analysis::fuse::Fused;
use ptx::analysis::ssa::Ssa;
use ptx::instruction::{Register, Special};
use ptx::{Body, Function, Instruction, Modifier, Opcode, Operand, Space, Type};
use std::collections::HashSet;

/// What is done to the step of an instruction.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    /// Nothing.
    None,
    /// Its result is worked out for the first lane; the operand of that number is made wider, from this stride on, as a
    /// signed number or not.
    Result(Option<(u8, i32, bool)>),
    /// The operands of a comparison have these strides.
    Compare(i32, i32),
    /// The addresses of an access have this stride; its results are written whatever the mask.
    Access(i32, bool),
}

/// Integer arithmetic whose steps can be marked. `mov` copies anything.
const ARITHMETIC: [Opcode; 17] = [
    Opcode::Abs,
    Opcode::Add,
    Opcode::And,
    Opcode::Cvt,
    Opcode::Cvta,
    Opcode::Mad,
    Opcode::Max,
    Opcode::Min,
    Opcode::Mov,
    Opcode::Mul,
    Opcode::Neg,
    Opcode::Not,
    Opcode::Or,
    Opcode::Shl,
    Opcode::Shr,
    Opcode::Sub,
    Opcode::Xor,
];

fn is_integer(ty: Type) -> bool {
    matches!(ty, Type::U32 | Type::S32 | Type::B32 | Type::U64 | Type::S64 | Type::B64)
}

struct Search<'s, 'a> {
    body: &'s Body<'a>,
    ssa: &'s Ssa,
    fused: &'s [Fused],
    early: &'s [bool],
    /// First step of each instruction.
    starts: &'s [u32],
    /// How many of the variables are parameters of the kernel.
    parameters: usize,
    /// The strides of registers that may be kept in their first lane, and of those that are written once a launch.
    strides: Vec<Option<i64>>,
}

/// The strides of registers that may be kept in their first lane.
pub(super) struct Strides {
    /// The registers that the step of each instruction reads.
    pub reads: Vec<Vec<Register>>,
    /// In blocks of any shape, and in blocks whose warps are rows.
    pub general: Vec<Option<i64>>,
    pub rows: Vec<Option<i64>>,
    /// In blocks that are a multiple of 32 threads wide, where that makes a difference.
    pub whole: Option<Vec<Option<i64>>>,
}

/// Finds them; `general` are the classes of values in blocks of any shape.
pub(super) fn strides(
    function: &Function<'_>,
    body: &Body<'_>,
    ssa: &Ssa,
    fused: &[Fused],
    general: &Classes,
) -> Strides {
    // What holds for one row holds for all blocks that consist of rows.
    let known = Known { entry: true, parameters: function.parameters.len(), threads: Some([32, 1, 1]), whole: false };
    let reads: Vec<Vec<Register>> = (0..body.instructions.len()).map(|at| reads(ssa, fused, at)).collect();
    let lives = affine::Lives::new(body, ssa, &reads);
    let of = |classes: &Classes| affine::registers(body, ssa, classes, &lives);
    let in_rows = classes(body, ssa, known);
    let rows = of(&in_rows);
    let whole = in_rows.wants_whole.then(|| of(&classes(body, ssa, Known { whole: true, ..known })));
    let whole = whole.filter(|whole| *whole != rows);
    Strides { general: of(general), rows, whole, reads }
}

/// Marks what can be marked. None if that is nothing.
pub(super) fn select(
    code: &Code,
    (function, body): (&Function<'_>, &Body<'_>),
    ssa: &Ssa,
    (fused, early): (&[Fused], &[bool]),
    known: &Strides,
    starts: &[u32],
) -> Option<AffineSteps> {
    // Steps that are marked know numbers of 32 and 64 bits.
    let full = |(&stride, ty): (&Option<i64>, &Type)| stride.filter(|_| ty.bytes() >= 4);
    let strides = known.rows.iter().zip(&body.registers).map(full).collect();
    let reads = &known.reads;
    let mut search = Search { body, ssa, fused, early, starts, parameters: function.parameters.len(), strides };
    search.prune(reads);
    let marks: Vec<Mark> = (0..body.instructions.len()).map(|at| search.mark(at)).collect();
    if marks.iter().all(|mark| *mark == Mark::None) {
        return None;
    }
    // Registers of which some instruction needs all lanes.
    let mut whole = vec![false; body.registers.len()];
    let mut marked: HashSet<Register> = HashSet::new();
    for (at, mark) in marks.iter().enumerate() {
        let some = match mark {
            _ if fused[at] == Fused::Dropped || early.get(at) == Some(&true) => continue,
            Mark::Result(_) | Mark::Compare(..) => {
                marked.extend(&reads[at]);
                continue;
            }
            Mark::Access(..) => search.addresses(at),
            Mark::None => Vec::new(),
        };
        marked.extend(&some);
        // A value that is stored may be an address of its own.
        let stored = match (mark, body.instructions[at].operands.get(1)) {
            (Mark::Access(..), Some(value)) if body.instructions[at].opcode == Opcode::St => registers_of(value),
            _ => Vec::new(),
        };
        for &register in reads[at].iter().filter(|r| !some.contains(r) || stored.contains(r)) {
            whole[register as usize] = true;
        }
    }
    let steps = code.steps.clone();
    let mut affine = AffineSteps { steps, kept: Vec::new(), assumed: Vec::new(), specials: Vec::new() };
    let wide = |register: Register| body.registers[register as usize].bytes() == 8;
    for (at, &mark) in marks.iter().enumerate() {
        let step = match (mark, affine.steps.get_mut(starts[at] as usize)) {
            (Mark::None, _) | (_, None) => continue,
            (_, Some(step)) => step,
        };
        match mark {
            Mark::Result(widens) => {
                let register = ssa.effects[at].defs[0];
                let (widened, widened_stride, signed) = widens.unwrap_or_default();
                step.set(Elementwise {
                    affine: true,
                    fills: whole[register as usize],
                    widens: match signed {
                        _ if widens.is_none() => Widens::Nothing,
                        true => Widens::Signed,
                        false => Widens::Unsigned,
                    },
                    widened,
                    widened_stride,
                    stride: search.strides[register as usize].unwrap_or(0),
                });
            }
            Mark::Compare(a, b) => Comparison::set_strides(step, (a, b)),
            Mark::Access(stride, fills) => {
                step.change(|access: &mut Access| {
                    (access.affine, access.stride, access.fills) = (true, stride, fills);
                });
            }
            Mark::None => {}
        }
    }
    // Registers that are written once a launch, before all others.
    let mut is_early = vec![false; body.registers.len()];
    for at in (0..early.len()).filter(|&at| early[at]) {
        ssa.effects[at].defs.iter().for_each(|&register| is_early[register as usize] = true);
    }
    // What is completed when a warp leaves these steps, and what must hold for it to begin with them.
    for register in 0..body.registers.len() as Register {
        let Some(stride) = search.strides[register as usize] else { continue };
        let kept = AffineRegister { slot: register, wide: wide(register), stride };
        if !is_early[register as usize] {
            affine.kept.push(kept);
        } else if stride != 0 && marked.contains(&register) {
            affine.assumed.push(kept);
        }
    }
    for &(slot, special) in code.specials.iter().filter(|s| !s.1.is_fixed()) {
        let whole = (0..body.instructions.len()).any(|at| {
            let lean = matches!(marks[at], Mark::Result(_) | Mark::Compare(..));
            !lean && body.instructions[at].operands.iter().any(|o| mentions(o, special))
        });
        affine.specials.push((slot, special, whole));
        if !whole {
            affine.kept.push(AffineRegister { slot, wide: special.is_wide(), stride: 0 });
        }
    }
    Some(affine)
}

/// The registers that the step of an instruction reads.
fn reads(ssa: &Ssa, fused: &[Fused], at: usize) -> Vec<Register> {
    let mut all = ssa.effects[at].uses.clone();
    if let Fused::Based { index, base } = fused[at] {
        all.extend([index, base]);
    }
    all
}

fn registers_of(operand: &Operand<'_>) -> Vec<Register> {
    match operand {
        Operand::Register(register) => vec![*register],
        Operand::Vector(all) => all.iter().flat_map(registers_of).collect(),
        _ => Vec::new(),
    }
}

fn mentions(operand: &Operand<'_>, special: Special) -> bool {
    match operand {
        Operand::Special(s) => *s == special,
        Operand::Address(base, _) => mentions(base, special),
        Operand::Indexed(all) | Operand::Vector(all) | Operand::List(all) => all.iter().any(|o| mentions(o, special)),
        Operand::Pair(a, b) => mentions(a, special) || mentions(b, special),
        Operand::Negative(a) => mentions(a, special),
        _ => false,
    }
}

impl Search<'_, '_> {
    /// Strikes registers out that are written by steps that cannot be marked, until none is left.
    fn prune(&mut self, reads: &[Vec<Register>]) {
        let count = self.body.instructions.len();
        let mut readers: Vec<Vec<u32>> = vec![Vec::new(); self.body.registers.len()];
        for (at, reads) in (0u32..).zip(reads) {
            reads.iter().for_each(|&register| readers[register as usize].push(at));
        }
        let mut work: Vec<u32> = (0..count as u32).rev().collect();
        while let Some(at) = work.pop().map(|at| at as usize) {
            let defs = &self.ssa.effects[at].defs;
            let early = self.early.get(at) == Some(&true);
            if early || defs.iter().all(|&r| self.strides[r as usize].is_none()) {
                continue;
            }
            if !matches!(self.mark(at), Mark::Result(_) | Mark::Access(_, true)) {
                for &register in defs {
                    if self.strides[register as usize].take().is_some() {
                        // Other writers write all lanes anyway; readers may no longer be marked.
                        work.append(&mut readers[register as usize]);
                    }
                }
            }
        }
    }

    /// The registers of the address of an access.
    fn addresses(&self, at: usize) -> Vec<Register> {
        if let Fused::Based { index, base } = self.fused[at] {
            return vec![index, base];
        }
        let address = self.body.instructions[at].operands.iter().find_map(|o| match o {
            Operand::Address(base, _) => Some(registers_of(base)),
            _ => None,
        });
        address.unwrap_or_default()
    }

    fn stride(&self, operand: &Operand<'_>) -> Option<i64> {
        match operand {
            Operand::Register(register) => self.strides[*register as usize],
            Operand::Integer(_) | Operand::F32(_) | Operand::F64(_) => Some(0),
            Operand::Local(..) | Operand::Symbol(..) => Some(0),
            Operand::Special(Special::Tid(0) | Special::LaneId) => Some(1),
            Operand::Special(
                Special::LanemaskEq
                | Special::LanemaskLe
                | Special::LanemaskLt
                | Special::LanemaskGe
                | Special::LanemaskGt
                | Special::IsExplicitCluster,
            ) => None,
            Operand::Special(special) if special.is_clock() => None,
            Operand::Special(_) => Some(0),
            _ => None,
        }
    }

    /// What can be done to the step of an instruction.
    fn mark(&self, at: usize) -> Mark {
        let i = &self.body.instructions[at];
        if self.early.get(at) == Some(&true)
            || self.fused[at] == Fused::Dropped
            || self.starts[at + 1] - self.starts[at] != 1
        {
            return Mark::None;
        }
        let mark = match i.opcode {
            Opcode::Ld | Opcode::Ldu | Opcode::St => self.access(at, i),
            Opcode::Setp => self.compare(i),
            opcode if ARITHMETIC.contains(&opcode) => self.result(at, i),
            _ => None,
        };
        mark.unwrap_or(Mark::None)
    }

    fn result(&self, at: usize, i: &Instruction<'_>) -> Option<Mark> {
        let ty = i.types().last()?;
        let plain = if i.opcode == Opcode::Mov { matches!(ty.bytes(), 4 | 8) } else { i.types().all(is_integer) };
        use Modifier::{Cc, Local, Param, Relu, Sat, Shared, SharedCluster};
        let space = i.modifiers.iter().any(|m| matches!(m, Local | Shared | Param | Cc | Sat | Relu | SharedCluster));
        let &[result] = self.ssa.effects[at].defs.as_slice() else { return None };
        if !plain || space || i.guard.is_some() || self.ssa.effects[at].purity != Purity::Pure {
            return None;
        }
        self.strides[result as usize]?;
        let strides: Vec<i64> = i.operands.iter().skip(1).map(|o| self.stride(o)).collect::<Option<_>>()?;
        let from = match i.opcode {
            Opcode::Cvt => i.types().nth(1).zip(i.types().next()).filter(|(from, to)| from.bytes() < to.bytes()),
            Opcode::Mul | Opcode::Mad if i.has(Modifier::Wide) => Some((ty, Type::U64)),
            _ => None,
        };
        let operand = strides.iter().take(2).position(|&stride| stride != 0);
        Some(Mark::Result(match (from, operand) {
            (Some((from, _)), Some(operand)) => {
                Some((operand as u8, i32::try_from(strides[operand]).ok()?, from.is_signed()))
            }
            _ => None,
        }))
    }

    fn compare(&self, i: &Instruction<'_>) -> Option<Mark> {
        if !i.types().all(is_integer) {
            return None;
        }
        let [_, a, b, ..] = i.operands.as_slice() else { return None };
        let stride = |o| self.stride(o).and_then(|stride| i32::try_from(stride).ok());
        Some(Mark::Compare(stride(a)?, stride(b)?))
    }

    fn access(&self, at: usize, i: &Instruction<'_>) -> Option<Mark> {
        let stores = i.opcode == Opcode::St;
        let place = i.operands.get(usize::from(!stores))?;
        let Operand::Address(base, _) = place else { return None };
        // Local memory is each lane's own.
        let local = match **base {
            Operand::Local(number, _) => {
                let space = self.body.variables[number as usize].space;
                // What is passed in a call lies in local memory, too.
                space != Space::Shared && number as usize >= self.parameters
            }
            Operand::Register(_) => i.has(Modifier::Param),
            _ => false,
        };
        let others = i.has(Modifier::Async) || i.has(Modifier::ParamFunc);
        let narrow = i.types().last().is_some_and(|ty| ty.bytes() <= 8);
        if !narrow || i.has(Modifier::Local) || local || others || i.operands.len() != 2 {
            return None;
        }
        let stride = match self.fused[at] {
            Fused::Based { index, base } => self.strides[index as usize]?.wrapping_add(self.strides[base as usize]?),
            _ => self.stride(base)?,
        };
        let stride = i32::try_from(stride).ok()?;
        let defs = &self.ssa.effects[at].defs;
        let kept = |&register: &Register| self.strides[register as usize] == Some(0);
        let fills = !stores && stride == 0 && i.guard.is_none() && !defs.is_empty() && defs.iter().all(kept);
        Some(Mark::Access(stride, fills))
    }
}
