//! A function: its variables, and the list of opcodes with the lowering of each.

use crate::lowering::context::{Around, layout};
use crate::lowering::per_lane::Pieced;
use crate::lowering::select::{Jumps, Select, Selected, unsupported};
use crate::lowering::{affine, native, per_lane};
use crate::numeric::packed::{Bytes, Operation as Packed};
use crate::numeric::video::VideoOperation as First;
use crate::numeric::{bits, half};
use crate::operations;
use crate::operations::arithmetic as scalar;
use crate::operations::arithmetic::{Binary, Manner, Quaternary, Ternary, Unary};
use crate::operations::control::{Jump, TableJump};
use crate::operations::elementwise::Comparison;
use crate::state::bounds::LARGEST_ALIGNMENT;
use crate::state::core_dump::Access;
use crate::state::coverage;
use crate::state::frame::{NOWHERE, SLOT};
use crate::state::program::{LocalVariable, Missing, Parameter, SourceLine};
use crate::state::step::UNGUARDED;
use crate::state::warp::{Code, Step, Warps};
use ptx::analysis::fuse::Fused;
use ptx::analysis::ssa::Ssa;
use ptx::analysis::{class, fuse};
use ptx::{
    Body, Diagnostic, ErrorKind, Function, Instruction, Modifier, Opcode, Operand, Space, Type, flow, module, pressure,
};
use std::collections::HashMap;
use std::sync::Arc;
/// What makes an access one that others see.
const STRONG: [Modifier; 6] =
    [Modifier::Volatile, Modifier::Relaxed, Modifier::Acquire, Modifier::Release, Modifier::AcqRel, Modifier::Mmio];

/// Prepares a function. Calls in a kernel are replaced by what they call where that is small.
pub fn function(around: &Around<'_, '_>, function: &Function<'_>) -> Result<Code, Diagnostic> {
    let wanted = &around.wanted;
    // What looks at kernels tells which function does something.
    if function.entry && !(wanted.checked || wanted.races || wanted.misuse || wanted.plain) {
        let find = |name: &str| {
            let number = around.functions.get(name)?;
            around.module.functions.get(*number as usize)
        };
        if let Some(body) = ptx::inline::inline(function, &find) {
            // Where that does not work, the function alone is to blame, and not its callers.
            if let Ok(code) = prepare(around, function, Some(&body))
                && code.missing.is_none()
            {
                return Ok(code);
            }
        }
    }
    prepare(around, function, function.body.as_ref())
}

/// Prepares a function with this body.
fn prepare(around: &Around<'_, '_>, function: &Function<'_>, body: Option<&Body<'_>>) -> Result<Code, Diagnostic> {
    let (offsets, bytes) = layout(function.parameters.iter());
    let parameters = offsets.iter().zip(&function.parameters);
    let end = parameters.clone().next_back().map_or(0, |(o, p)| *o as usize + p.size);
    let code = Code {
        name: function.name.to_owned(),
        entry: function.entry,
        parameters: parameters
            .map(|(o, p)| Parameter {
                offset: *o as usize,
                size: p.size,
                is_float: matches!((p.ty, p.size), (Type::F32, 4) | (Type::F64, 8)),
            })
            .collect(),
        parameter_bytes: end,
        most_threads: function.most_threads,
        required_threads: function.required_threads,
        required_cluster: function.required_cluster,
        explicit_cluster: function.explicit_cluster,
        largest_cluster: function.most_cluster,
        ..Code::default()
    };
    let _ = bytes;
    let Some(body) = body else { return Ok(code) };
    let mut select = Select {
        around,
        function,
        body,
        code,
        constants: HashMap::new(),
        places: Vec::new(),
        flag: None,
        reconvergence: flow::reconvergence(body),
        at: 0,
        guard: UNGUARDED,
        after: Vec::new(),
        fused: Vec::new(),
        jumps: Vec::new(),
        stack: None,
        probes: false,
        strong: false,
        weights: Select::weigh(body),
        // Of two with the same name the first one counts.
        prototypes: body.prototypes.iter().rev().map(|prototype| (prototype.name, prototype)).collect(),
        tables: body.targets.iter().enumerate().rev().map(|(number, (name, _))| (*name, number as u32)).collect(),
    };
    let table = |all: &[usize]| all.iter().map(|&to| to as u32).collect();
    select.code.tables = body.targets.iter().map(|(_, all)| table(all)).collect();
    select.variables(&offsets);
    select.check_room()?;
    select.code.slots = body.registers.len() as u32;
    select.code.types = body.registers.clone();
    let own = function.body.as_ref().unwrap_or(body);
    select.code.registers = pressure::registers(own).min(function.most_registers.unwrap_or(u32::MAX));
    let mut starts = Vec::with_capacity(body.instructions.len() + 1);
    let ssa = Ssa::new(body);
    let (early, classes) = select.analyse(&ssa);
    select.mark_stack();
    for (at, instruction) in body.instructions.iter().enumerate() {
        starts.push(select.code.steps.len() as u32);
        if select.fused[at] == Fused::Dropped {
            continue;
        }
        select.at = at;
        // What is executed once a launch cannot go wrong.
        let strong = |m: &Modifier| STRONG.contains(m);
        select.strong = instruction.modifiers.iter().any(strong);
        select.probes = around.wanted.checked && early.get(at) != Some(&true);
        select.guard = instruction.guard.map_or(UNGUARDED, |g| (g.register * SLOT) | u32::from(g.negated));
        match select.instruction(instruction) {
            Ok(()) => {}
            // The rest of the module may do without it.
            Err(reason) if reason.is_empty() && !around.wanted.strict => return Ok(select.cannot_run(instruction)),
            Err(reason) => {
                let reason = if reason.is_empty() { "not supported" } else { &reason };
                let message = format!("instruction '{}' of '{}': {reason}", instruction.full_name(), function.name);
                return Err(Diagnostic::new(ErrorKind::Unsupported, instruction.position, message));
            }
        }
        let after = core::mem::take(&mut select.after);
        select.code.steps.extend(after);
        if around.wanted.plain && early.get(at) != Some(&true) {
            select.keep_for_core_dumps(instruction, starts[at]);
        }
        if early.get(at) == Some(&true) {
            let steps = select.code.steps.drain(starts[at] as usize..);
            select.code.once.extend(steps);
        }
        select.code.lines.resize(select.code.steps.len(), instruction.position.line);
    }
    if around.wanted.plain {
        let names = body.names.iter().map(|&(register, name)| (register, Box::from(name))).collect();
        select.code.plain.get_or_insert_default().names = names;
    }
    starts.push(select.code.steps.len() as u32);
    select.code.sources = sources(body, &starts);
    let fused = core::mem::take(&mut select.fused);
    let mut code = select.finish(&starts);
    // What looks at accesses wants the addresses of all lanes.
    if code.entry && !around.wanted.checked && !around.wanted.plain {
        let strides = affine::strides(function, body, &ssa, &fused, &classes);
        code.affine = affine::select(&code, (function, body), &ssa, (&fused, &early), &strides, &starts);
        if compiler::level().is_some() {
            let native = native::describe(&code, body, &ssa, (&fused, &early), strides, &starts);
            code.native = Some(Box::new(native));
        }
    }
    if coverage::is_wanted() {
        // All are counted at one place.
        code.affine = None;
        let instruction = |at: u32| starts.partition_point(|&start| start <= at).checked_sub(1);
        let named = |at| body.instructions.get(instruction(at)?).map(Instruction::full_name);
        let names = (0..code.steps.len() as u32).map(|at| named(at).unwrap_or_else(|| "end".to_owned())).collect();
        let count = operations::control::counted;
        code.counted = Some(coverage::count_steps::<Warps>(function.name, &mut code.steps, names, count));
    }
    Ok(code)
}

/// Where steps come from; `starts` are the first steps of all instructions.
fn sources<'a>(body: &Body<'a>, starts: &[u32]) -> Vec<SourceLine> {
    let mut files: HashMap<&str, Arc<str>> = HashMap::new();
    let source = |source: &module::SourceLine<'a>| SourceLine {
        step: starts.get(source.instruction as usize).copied().unwrap_or(u32::MAX),
        file: files.entry(source.file).or_insert_with(|| Arc::from(source.file)).clone(),
        line: source.line,
    };
    body.sources.iter().map(source).collect()
}

impl<'m, 'a> Select<'m, 'a> {
    /// Looks at the function as a whole: what is executed together, and for each instruction of a kernel whether it is
    /// executed once a launch.
    fn analyse(&mut self, ssa: &Ssa) -> (Vec<bool>, class::Classes) {
        let entry = self.function.entry;
        let classes = class::classes(
            self.body,
            ssa,
            class::Known { entry, parameters: self.function.parameters.len(), ..class::Known::default() },
        );
        let early = if entry { class::fixed(self.body, ssa, &classes) } else { Vec::new() };
        self.fused = match self.around.wanted.plain {
            true => vec![Fused::Alone; self.body.instructions.len()],
            false => fuse::fuse(self.body, ssa, &classes, &early),
        };
        (early, classes)
    }

    /// Keeps what core dumps tell about an instruction that begins with a step.
    fn keep_for_core_dumps(&mut self, instruction: &Instruction<'a>, start: u32) {
        let end = self.code.steps.len() as u32;
        let plain = self.code.plain.get_or_insert_default();
        if instruction.opcode == Opcode::Call
            && let Some(site) = self.code.sites.len().checked_sub(1)
        {
            plain.calls.push((site as u32, end.saturating_sub(1)));
        }
        let space = instruction.modifiers.iter().find_map(|modifier| match modifier {
            Modifier::Global => Some(Space::Global),
            Modifier::Shared | Modifier::SharedCluster => Some(Space::Shared),
            Modifier::Local => Some(Space::Local),
            Modifier::Const => Some(Space::Constant),
            Modifier::Param => Some(Space::Parameter),
            _ => None,
        });
        let address = instruction.operands.iter().find_map(|operand| match operand {
            Operand::Address(base, offset) => match **base {
                Operand::Register(register) => Some((Some(register), *offset as u64)),
                Operand::Integer(at) => Some((None, at.wrapping_add_signed(*offset))),
                Operand::Symbol(name, more) => {
                    let at = self.around.addresses.get(name).copied()?;
                    Some((None, at.wrapping_add_signed(more.wrapping_add(*offset))))
                }
                _ => None,
            },
            _ => None,
        });
        if let Some((base, offset)) = address {
            let elements = |operand: &Operand<'_>| if let Operand::Vector(all) = operand { all.len() } else { 1 };
            let elements = instruction.operands.iter().map(elements).max().unwrap_or(1);
            let bytes = (instruction.types().last().map_or(1, Type::bytes) * elements) as u64;
            let instruction = instruction.full_name().into_boxed_str();
            plain.accesses.push(Access { steps: start..end, instruction, base, offset, bytes, space });
        }
    }

    /// What is left of a function with an instruction that is not implemented: its properties, and a step that
    /// is reached only through the function's address.
    fn cannot_run(&self, instruction: &Instruction<'a>) -> Code {
        let line = instruction.position.line;
        let function = self.function.name.to_owned();
        let missing = Missing { instruction: instruction.full_name(), line, function };
        Code {
            steps: vec![Step { guard: UNGUARDED, ..self.step(operations::control::not_implemented) }],
            lines: vec![line],
            slots: self.code.slots,
            missing: Some(Arc::new(missing)),
            ..self.code.outline()
        }
    }

    fn variables(&mut self, parameters: &[u64]) {
        let (mut local, mut shared) =
            (0u64, u64::from(self.around.own_shared.get(self.function.name).copied().unwrap_or(0)));
        for (number, variable) in self.body.variables.iter().enumerate() {
            let align = variable.align.clamp(1, LARGEST_ALIGNMENT) as u64;
            let end = match variable.space {
                Space::Parameter if self.function.entry && number < parameters.len() => {
                    self.places.push(parameters[number]);
                    continue;
                }
                Space::Shared => &mut shared,
                _ => &mut local,
            };
            *end = end.next_multiple_of(align);
            self.places.push(*end);
            if self.around.wanted.checked && variable.space != Space::Shared {
                let (name, offset, size) = (variable.name.to_owned(), *end, variable.size as u64);
                self.code.variables.push(LocalVariable { name, offset, size });
            }
            *end += variable.size as u64;
        }
        self.code.local = local.next_multiple_of(self.around.alignment);
        self.code.shared = u32::try_from(shared).unwrap_or(u32::MAX);
    }

    /// Refuses what no device has room for.
    fn check_room(&self) -> Result<(), Diagnostic> {
        /// Bytes of a block's shared memory without opting in, and of a thread's local memory.
        const SHARED: u32 = 0xc000;
        const LOCAL: u64 = 0x8_0000;
        let (code, name) = (&self.code, self.function.name);
        let kind = if code.entry { "Entry function" } else { "Function" };
        let message = if code.shared > SHARED {
            format!("{kind} '{name}' uses too much shared data (0x{:x} bytes, 0x{SHARED:x} max)", code.shared)
        } else if code.local > LOCAL {
            format!("{kind} '{name}' uses too much local data (0x{:x} bytes, 0x{LOCAL:x} max)", code.local)
        } else {
            return Ok(());
        };
        Err(Diagnostic::new(ErrorKind::Semantics, self.function.position, message))
    }

    fn finish(mut self, starts: &[u32]) -> Code {
        // Falling off the end returns.
        self.guard = UNGUARDED;
        self.release_stack();
        self.push(self.step(operations::control::return_));
        self.code.lines.resize(self.code.steps.len(), 0);
        let position = |at: usize| starts.get(at).copied().unwrap_or(NOWHERE);
        let meeting = |at: u32| if at == NOWHERE { NOWHERE } else { position(at as usize) };
        let place = |jump: &mut Jump| {
            (jump.target, jump.reconverge) = (position(jump.target as usize), meeting(jump.reconverge));
        };
        for &(at, jumps) in &self.jumps {
            let step = &mut self.code.steps[at];
            match jumps {
                Jumps::Branch => step.change(place),
                Jumps::Comparison => step.change(|how: &mut Comparison| place(&mut how.jump)),
                Jumps::Table => step.change(|jump: &mut TableJump| jump.reconverge = meeting(jump.reconverge)),
            }
        }
        for table in &mut self.code.tables {
            for to in table {
                *to = position(*to as usize);
            }
        }
        self.code
    }

    /// The steps of an instruction. Every opcode of the list has an arm: what is not supported says so.
    fn instruction(&mut self, i: &Instruction<'a>) -> Selected {
        let mut manner = Manner::default();
        let mut integral = false;
        for &modifier in &i.modifiers {
            match modifier {
                Modifier::Ftz => manner.flush = true,
                Modifier::Sat => manner.saturate = true,
                Modifier::Approx => manner.approximate = true,
                Modifier::Full => (manner.approximate, manner.full) = (true, true),
                Modifier::PropagateNan => manner.nan = true,
                Modifier::Relu => manner.relu = true,
                other => {
                    if let Some(mode) = scalar::rounding(other) {
                        manner.rounding = mode;
                        integral |= matches!(other, Modifier::Rni | Modifier::Rzi | Modifier::Rmi | Modifier::Rpi);
                    }
                }
            }
        }
        let types: Vec<Type> = i.types().collect();
        let ty = types.last().copied();
        let known = || ty.ok_or_else(String::new);
        let is_half = ty.is_some_and(per_lane::is_half);
        let pairs = matches!(ty, Some(Type::U16x2 | Type::S16x2)) || manner.relu && ty == Some(Type::S32);
        let four_bytes = i.has(Modifier::U8x4) || i.has(Modifier::S8x4);
        use Opcode::*;
        match i.opcode {
            // Memory.
            Ld | Ldu => self.load(i),
            St | Red if i.has(Modifier::Async) => self.store_asynchronously(i),
            St if i.has(Modifier::Bulk) => self.fill_in_bulk(i),
            St => self.store(i),
            Atom | Red => self.atomic(i, &types),
            Cp => self.copy_asynchronously(i),
            Mbarrier => self.mbarrier(i),
            Tensormap => self.tensor_map(i),
            Prefetch | Prefetchu | Applypriority | Discard => self.control(operations::control::nothing),
            Createpolicy => self.policy(i),
            Mapa | Getctarank => self.map_shared(i, known()?),
            Cvta | Isspacep if i.has(Modifier::SharedCluster) => self.cluster_address(i),
            Cvta => self.cvta(i),
            Isspacep => self.is_space(i),
            Alloca | Stacksave | Stackrestore => self.stack(i, known()?),
            // Moves, conversions, comparisons.
            Mov => self.mov(i),
            Cvt => self.cvt(i, &types, integral, manner),
            Setp => self.setp(i, manner),
            Set => self.set(i, &types, manner),
            Selp => self.selp(i, known()?),
            Slct => self.slct(i, &types, manner),
            Testp => self.testp(i, known()?),
            // Video.
            Vadd => self.video(i, &types, First::Add, Pieced::Whole),
            Vadd2 => self.video(i, &types, First::Add, Pieced::Halves),
            Vadd4 => self.video(i, &types, First::Add, Pieced::Bytes),
            Vsub => self.video(i, &types, First::Subtract, Pieced::Whole),
            Vsub2 => self.video(i, &types, First::Subtract, Pieced::Halves),
            Vsub4 => self.video(i, &types, First::Subtract, Pieced::Bytes),
            Vabsdiff => self.video(i, &types, First::Difference, Pieced::Whole),
            Vabsdiff2 => self.video(i, &types, First::Difference, Pieced::Halves),
            Vabsdiff4 => self.video(i, &types, First::Difference, Pieced::Bytes),
            Vmin => self.video(i, &types, First::Minimum, Pieced::Whole),
            Vmin2 => self.video(i, &types, First::Minimum, Pieced::Halves),
            Vmin4 => self.video(i, &types, First::Minimum, Pieced::Bytes),
            Vmax => self.video(i, &types, First::Maximum, Pieced::Whole),
            Vmax2 => self.video(i, &types, First::Maximum, Pieced::Halves),
            Vmax4 => self.video(i, &types, First::Maximum, Pieced::Bytes),
            Vset => self.video(i, &types, First::Compare, Pieced::Whole),
            Vset2 => self.video(i, &types, First::Compare, Pieced::Halves),
            Vset4 => self.video(i, &types, First::Compare, Pieced::Bytes),
            Vavrg2 => self.video(i, &types, First::Average, Pieced::Halves),
            Vavrg4 => self.video(i, &types, First::Average, Pieced::Bytes),
            Vshl => self.video(i, &types, First::Left, Pieced::Whole),
            Vshr => self.video(i, &types, First::Right, Pieced::Whole),
            Vmad => self.multiply_add(i, &types),
            // Integers in pieces.
            Bmsk => self.mask(i),
            Szext => self.extend(i, &types),
            Fns => self.find_nth(i),
            Dp4a => self.dot(i, &types, true),
            Dp2a => self.dot(i, &types, false),
            Mul24 => self.product24(i, &types, manner, false),
            Mad24 => self.product24(i, &types, manner, true),
            Add if pairs => self.integer_pair(i, bits::Pair::Sum, known()?, manner),
            Min if pairs => self.integer_pair(i, bits::Pair::Minimum, known()?, manner),
            Max if pairs => self.integer_pair(i, bits::Pair::Maximum, known()?, manner),
            Mad if i.has(Modifier::Hi) && !i.has(Modifier::Cc) && manner.saturate => self.product_sum_saturated(i),
            Mad if i.has(Modifier::Hi) && !i.has(Modifier::Cc) && matches!(ty, Some(Type::U16 | Type::S16)) => {
                self.product_sum16(i, known()?)
            }
            Prmt if i.modifiers.len() > 1 => self.permute(i),
            // Two types: the operands are narrower than the result.
            Add if types.len() == 2 => self.half_and_single(i, Packed::Add, types[1], manner),
            Sub if types.len() == 2 => self.half_and_single(i, Packed::Subtract, types[1], manner),
            Fma if types.len() == 2 => self.half_and_single(i, Packed::Fma, types[1], manner),
            Add if i.has(Modifier::F32x2) => self.pair_of_singles(i, Packed::Add, manner),
            Sub if i.has(Modifier::F32x2) => self.pair_of_singles(i, Packed::Subtract, manner),
            Mul if i.has(Modifier::F32x2) => self.pair_of_singles(i, Packed::Multiply, manner),
            Fma if i.has(Modifier::F32x2) => self.pair_of_singles(i, Packed::Fma, manner),
            Add if four_bytes => self.four_bytes(i, Bytes::Add, manner),
            Sub if four_bytes => self.four_bytes(i, Bytes::Subtract, manner),
            Min if four_bytes => self.four_bytes(i, Bytes::Minimum, manner),
            Max if four_bytes => self.four_bytes(i, Bytes::Maximum, manner),
            Neg if four_bytes => self.four_bytes(i, Bytes::Negate, manner),
            Add if manner.saturate && ty == Some(Type::U32) => self.sum_saturated(i),
            Min if i.operands.len() == 4 => self.extreme(i, false, manner),
            Max if i.operands.len() == 4 => self.extreme(i, true, manner),
            Add if is_half => self.half(i, half::HalfOperation::Add, known()?, manner),
            Sub if is_half => self.half(i, half::HalfOperation::Sub, known()?, manner),
            Mul if is_half => self.half(i, half::HalfOperation::Mul, known()?, manner),
            Fma if is_half => self.half(i, half::HalfOperation::Fma, known()?, manner),
            Min if is_half => self.half(i, half::HalfOperation::Min, known()?, manner),
            Max if is_half => self.half(i, half::HalfOperation::Max, known()?, manner),
            Abs if is_half => self.half(i, half::HalfOperation::Abs, known()?, manner),
            Neg if is_half => self.half(i, half::HalfOperation::Neg, known()?, manner),
            Tanh if is_half => self.half(i, half::HalfOperation::Tanh, known()?, manner),
            Ex2 if is_half => self.half(i, half::HalfOperation::Ex2, known()?, manner),
            And | Or | Xor | Not if ty == Some(Type::Pred) => self.logic(i),
            Mul | Mad if !ty.is_some_and(Type::is_float) => self.product(i, known()?, manner),
            Add | Sub if i.has(Modifier::Cc) => self.carry(i, known()?),
            Addc | Subc | Madc => self.carry(i, known()?),
            // Arithmetic with three operands and more.
            Fma | Mad => self.ternary(i, Ternary::Fma, ty, manner),
            Sad => self.ternary(i, Ternary::Sad, ty, manner),
            Prmt => self.ternary(i, Ternary::Prmt, ty, manner),
            Bfe => {
                let ty = known()?;
                self.simple(scalar::ternary_of(Ternary::Bfe, ty, manner), i, ty, &[ty, Type::U32, Type::U32])
            }
            Shf => {
                let operation = match (i.has(Modifier::L), i.has(Modifier::Wrap)) {
                    (true, true) => Ternary::ShiftLeftWrap,
                    (false, true) => Ternary::ShiftRightWrap,
                    (true, false) => Ternary::ShiftLeftClamp,
                    (false, false) => Ternary::ShiftRightClamp,
                };
                self.simple(scalar::ternary_of(operation, Type::B32, manner), i, Type::B32, &[Type::B32; 3])
            }
            Bfi => {
                let ty = known()?;
                self.simple(scalar::quaternary_of(Quaternary::Bfi, ty), i, ty, &[ty, ty, Type::U32, Type::U32])
            }
            Lop3 if i.operands.len() == 5 => {
                self.simple(scalar::quaternary_of(Quaternary::Lop3, Type::B32), i, Type::B32, &[Type::B32; 4])
            }
            Lop3 => self.lop3_predicate(i),
            // With two.
            Add => self.binary(i, Binary::Add, ty, manner),
            Sub => self.binary(i, Binary::Sub, ty, manner),
            Mul => self.binary(i, Binary::Mul, ty, manner),
            Div => self.binary(i, Binary::Div, ty, manner),
            Rem => self.binary(i, Binary::Rem, ty, manner),
            Min => self.binary(i, Binary::Min, ty, manner),
            Max => self.binary(i, Binary::Max, ty, manner),
            And => self.binary(i, Binary::And, ty, manner),
            Or => self.binary(i, Binary::Or, ty, manner),
            Xor => self.binary(i, Binary::Xor, ty, manner),
            Copysign => self.binary(i, Binary::Copysign, ty, manner),
            Shl => self.shift(i, Binary::Shl, ty, manner),
            Shr => self.shift(i, Binary::Shr, ty, manner),
            // With one.
            Popc => self.count(i, Unary::Popc, ty),
            Clz => self.count(i, Unary::Clz, ty),
            Bfind if i.has(Modifier::Shiftamt) => self.count(i, Unary::BfindShift, ty),
            Bfind => self.count(i, Unary::Bfind, ty),
            Abs => self.unary(i, Unary::Abs, ty, manner),
            Neg => self.unary(i, Unary::Neg, ty, manner),
            Not => self.unary(i, Unary::Not, ty, manner),
            Cnot => self.unary(i, Unary::Cnot, ty, manner),
            Brev => self.unary(i, Unary::Brev, ty, manner),
            Sqrt => self.unary(i, Unary::Sqrt, ty, manner),
            Rcp => self.unary(i, Unary::Rcp, ty, manner),
            Rsqrt => self.unary(i, Unary::Rsqrt, ty, manner),
            Ex2 => self.unary(i, Unary::Ex2, ty, manner),
            Lg2 => self.unary(i, Unary::Lg2, ty, manner),
            Sin => self.unary(i, Unary::Sin, ty, manner),
            Cos => self.unary(i, Unary::Cos, ty, manner),
            Tanh => self.unary(i, Unary::Tanh, ty, manner),
            // Control.
            Bra => self.bra(i),
            Brx => self.brx(i),
            Call => self.call(i),
            Ret => {
                self.release_stack();
                self.control(operations::control::return_)
            }
            Exit => self.control(operations::control::exit),
            // Without a debugger, a break point ends the kernel, too.
            Trap | Brkpt => self.control(operations::control::trap),
            Pmevent | Setmaxnreg | Griddepcontrol => self.control(operations::control::nothing),
            Membar | Fence => self.control(operations::control::fence),
            Nanosleep => self.control(operations::control::pause),
            Bar | Barrier => self.barrier(i),
            // Lanes that see each other.
            Shfl => self.shuffle(i),
            Vote => self.vote(i),
            Match => self.match_lanes(i, known()?),
            Redux => self.redux(i, known()?),
            Activemask => self.active_mask(i),
            Elect => self.elect(i),
            // Textures and surfaces.
            Tex | Tld4 => self.tex(i),
            Txq | Suq => self.query(i),
            Istypep => self.is_type(i),
            Suld | Sust | Sured => self.surface(i),
            // Matrices.
            Mma => self.mma(i),
            Wmma => self.wmma(i),
            Wgmma => self.wgmma(i),
            Ldmatrix => self.rows_of_matrices(i, false),
            Stmatrix => self.rows_of_matrices(i, true),
            Movmatrix => self.movmatrix(i),
            Clusterlaunchcontrol => self.launch_control(i),
            Multimem => self.multimem(i),
            Tcgen05 => unsupported(),
        }
    }
}
