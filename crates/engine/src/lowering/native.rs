//! What the compiler is told of the steps of a kernel.

use crate::lowering::affine::Strides;
use crate::state::affine::AffineRegister;
use crate::state::frame::SLOT;
use crate::state::native::{Leads, Native, NativeStep};
use crate::state::warp::Code;
use compiler::map::Map;
use compiler::operation::{Operation, operation_of, operations_of};
use compiler::unit::Touched;
use ptx::analysis::effect::{Effect, Purity};
use ptx::analysis::fuse::Fused;
use ptx::analysis::ssa::Ssa;
use ptx::instruction::{Register, Special};
use ptx::opcode::Dataflow;
use ptx::{Body, Instruction, Modifier, Opcode, Operand};
use std::collections::HashMap;
use std::sync::Arc;

/// Describes the steps of a kernel.
pub(super) fn describe(
    code: &Code,
    body: &Body<'_>,
    ssa: &Ssa,
    (fused, early): (&[Fused], &[bool]),
    strides: Strides,
    starts: &[u32],
) -> Native {
    let Strides { reads: mut touches, general, rows, whole } = strides;
    let strides = [Some(general), Some(rows), whole];
    let none = vec![false; body.registers.len()];
    let mut native = Native { strides, early: none.clone(), shared: none, ..Native::default() };
    native.constants = constants(body, ssa);
    native.unordered = true;
    // Steps that are executed once a launch, by what they write.
    let once: HashMap<u32, u32> = (0..).zip(&code.once).map(|(n, step)| (step.to[0], n)).collect();
    native.touched.push(Arc::default());
    native.steps.resize(code.steps.len(), NativeStep { control: true, ..NativeStep::default() });
    for (at, instruction) in body.instructions.iter().enumerate() {
        if early.get(at) == Some(&true) {
            let shared = is_shared(instruction, &ssa.effects[at], &native.shared);
            for &register in &ssa.effects[at].defs {
                (native.early[register as usize], native.shared[register as usize]) = (true, shared);
            }
            let step = ssa.effects[at].defs.first().and_then(|&register| once.get(&(register * SLOT)));
            native.once.extend(step.map(|&step| (step, operation_of(instruction).0)));
            continue;
        }
        native.unordered &= is_unordered(instruction);
        let steps = starts[at] as usize..starts[at + 1] as usize;
        let known = operation_of(instruction);
        let (operation, manner) = if steps.len() == 1 { known } else { Default::default() };
        let pieces = operations_of(instruction).filter(|pieces| pieces.len() == steps.len());
        let ends = instruction.guard.is_none()
            && matches!(instruction.opcode, Opcode::Ret | Opcode::Exit | Opcode::Trap | Opcode::Brkpt | Opcode::Brx);
        // Native steps name their registers themselves.
        let steps_alone = operation == Operation::Step;
        let touched = if steps_alone { native.touched.len() as u32 } else { 0 };
        // A comparison without native code may branch.
        let branches = fused[at] == Fused::Branches;
        let control = gives_way(instruction, known.0) || branches;
        for (n, step) in steps.clone().enumerate() {
            let (operation, manner) = pieces.as_ref().map_or((operation, manner), |pieces| pieces[n]);
            let last = step + 1 == steps.end;
            let leads = match instruction.opcode {
                Opcode::Brx => Leads::Table,
                _ if branches && operation == Operation::Step => Leads::Target,
                _ => Leads::Nowhere,
            };
            let (control, ends, leads) = if last { (control, ends, leads) } else { (false, false, Leads::Nowhere) };
            native.steps[step] =
                NativeStep { operation, opcode: Some(instruction.opcode), manner, touched, control, ends, leads };
        }
        if steps_alone {
            let (reads, writes) = (core::mem::take(&mut touches[at]), ssa.effects[at].defs.clone());
            native.touched.push(Arc::new(Touched { reads, writes }));
        }
    }
    if let Some(last) = native.steps.last_mut() {
        // The function ends here.
        last.ends = true;
    }
    let known =
        |n: usize, slot: usize| native.strides[n].as_ref().and_then(|strides| strides.get(slot).copied().flatten());
    // What holds for a row holds for a part of it. Numbers of 32 bits that wrap still go up evenly; those that come of them might not.
    native.halves = (0..)
        .zip(&code.types)
        .filter(|&(slot, ty)| native.early[slot] && ty.bytes() == 4 && known(0, slot).is_none())
        .filter_map(|(slot, _)| Some(AffineRegister { slot: slot as u32, wide: false, stride: known(1, slot)? }))
        .collect();
    native.assumed = native.strides.each_ref().map(|strides| {
        let all = strides.iter().flatten().zip(&native.early).zip(&code.types).zip(0..);
        all.filter_map(|(((stride, early), ty), slot)| {
            let stride = stride.filter(|&stride| *early && stride != 0)?;
            Some(AffineRegister { slot, wide: ty.bytes() == 8, stride })
        })
        .collect()
    });
    native
}

/// Whether an instruction that is executed once a launch gives the same number in all threads of a block. `shared` says it of registers.
fn is_shared(instruction: &Instruction<'_>, effect: &Effect, shared: &[bool]) -> bool {
    let parameter = effect.purity == Purity::Parameter;
    let operands = instruction.operands.iter().all(|operand| match operand {
        Operand::Register(_) | Operand::Integer(_) | Operand::F32(_) | Operand::F64(_) => true,
        Operand::Special(special) => matches!(special, Special::Ntid(_) | Special::Nctaid(_) | Special::NwarpId),
        // Variables of a function have an address of their own in each warp.
        Operand::Address(..) => parameter,
        _ => false,
    });
    operands && effect.uses.iter().all(|&register| shared[register as usize])
}

/// Registers that a move of a number writes, and nothing else.
fn constants(body: &Body<'_>, ssa: &Ssa) -> Map<Register, u64> {
    let mut writes = vec![0u32; body.registers.len()];
    ssa.effects.iter().flat_map(|effect| effect.defs.iter()).for_each(|&register| writes[register as usize] += 1);
    let moves = body.instructions.iter().filter(|i| i.opcode == Opcode::Mov && i.guard.is_none());
    let numbers = moves.filter_map(|i| match (i.operands.as_slice(), i.types().last()) {
        (&[Operand::Register(register), Operand::Integer(number)], Some(ty)) if ty.bytes() == 4 => {
            Some((register, number & 0xffff_ffff))
        }
        _ => None,
    });
    numbers.filter(|&(register, _)| writes[register as usize] == 1).collect()
}

/// True for instructions that neither order accesses nor wait for anybody.
fn is_unordered(instruction: &Instruction<'_>) -> bool {
    use Modifier as M;
    let orders = |m: &M<'_>| {
        matches!(
            m,
            M::Relaxed | M::Acquire | M::Release | M::Cta | M::Cluster | M::Gpu | M::Sys | M::Volatile | M::Cv | M::Wt
        )
    };
    match operation_of(instruction).0 {
        Operation::Step => instruction.opcode.dataflow() == Dataflow::Pure,
        Operation::Load { .. } | Operation::Store { .. } => !instruction.modifiers.iter().any(orders),
        Operation::Atomic { .. }
        | Operation::Aligned { .. }
        | Operation::Barrier
        | Operation::Meet
        | Operation::CopyAcross { .. }
        | Operation::Rows { .. }
        | Operation::Fence
        | Operation::Nothing => false,
        _ => true,
    }
}

/// True for instructions after which other lanes may be active, or other warps have had their turn.
fn gives_way(instruction: &Instruction<'_>, operation: Operation) -> bool {
    if operation != Operation::Step {
        use Opcode::{Bar, Barrier, Exit, Ldmatrix, Redux, Ret, Shfl, Stmatrix, Vote};
        return matches!(instruction.opcode, Shfl | Vote | Redux | Ret | Exit | Bar | Barrier | Ldmatrix | Stmatrix);
    }
    let plain = matches!(
        instruction.opcode,
        Opcode::Ld
            | Opcode::Ldu
            | Opcode::St
            | Opcode::Atom
            | Opcode::Red
            | Opcode::Multimem
            | Opcode::Membar
            | Opcode::Fence
            | Opcode::Addc
    );
    let texture = matches!(instruction.opcode, Opcode::Tex | Opcode::Tld4 | Opcode::Txq | Opcode::Suld | Opcode::Sust);
    let pure = instruction.opcode.dataflow() == Dataflow::Pure;
    !(pure || texture || plain && !instruction.has(Modifier::Async))
}
