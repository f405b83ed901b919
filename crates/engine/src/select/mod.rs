//! Instructions to steps: one file a group of instructions, and the list of opcodes here.

mod access;
mod arithmetic;
mod asynchronous;
mod check;
mod control;
mod lanes;
mod linear;
mod matrix;
mod operand;
mod rare;
mod stack;
mod texture;
mod wide;

use super::arithmetic::{self as scalar, Manner};
use super::atomic::{self, Operation};
use super::call::call;
use super::program::{
    Around, Base, Code, FUNCTIONS, MOST_ALIGNED, Missing, Named, Parameter, Passed, Place, Site, Source, Target,
    layout, system,
};
use super::step::{Execute, Step, UNGUARDED};
use super::warp::{EAGER, NOWHERE, SLOT};
use super::{convert, fiber, memory, warp_wide};
use ptx::analysis::fuse::{self, Fused};
use ptx::analysis::{class, ssa::Ssa};
use ptx::instruction::Special;
use ptx::module;
use ptx::{Body, Diagnostic, Fault, Function, Instruction, Operand, Space, Type, flow, pressure};
use std::collections::HashMap;
use std::sync::Arc;

/// No place.
const NONE: u32 = u32::MAX;

/// Why an instruction cannot be prepared.
type Selected<T = ()> = Result<T, String>;

fn unsupported<T>() -> Selected<T> {
    Err(String::new())
}

struct Select<'m, 'a> {
    around: &'m Around<'m, 'a>,
    function: &'m Function<'a>,
    body: &'m Body<'a>,
    code: Code,
    constants: HashMap<(u64, bool), u32>,
    /// Where each variable is: in local memory, in shared memory or among the parameters.
    places: Vec<u64>,
    flag: Option<u32>,
    meets: Vec<usize>,
    /// The instruction at hand.
    at: usize,
    guard: u32,
    /// Steps behind the one at hand.
    after: Vec<Step>,
    /// For each instruction what it does for others.
    fused: Vec<Fused>,
    /// Steps that compare and branch.
    branches: Vec<usize>,
    /// Of a function that allocates on the stack: the vector with the top of it at the beginning.
    stack: Option<u32>,
    /// The accesses of the instruction at hand are looked at.
    looks: bool,
    /// What [`Select::weight`] goes by.
    weights: [Vec<u32>; 2],
    /// Lists of labels, by name.
    tables: HashMap<&'a str, u32>,
    /// Prototypes of indirect calls, by name.
    prototypes: HashMap<&'a str, &'m Function<'a>>,
}

/// Prepares a function.
pub fn function(around: &Around<'_, '_>, function: &Function<'_>) -> Result<Code, Diagnostic> {
    let (offsets, bytes) = layout(function.parameters.iter());
    let parameters = offsets.iter().zip(&function.parameters);
    let end = parameters.clone().next_back().map_or(0, |(o, p)| *o as usize + p.size);
    let code = Code {
        name: function.name.to_owned(),
        entry: function.entry,
        parameters: parameters.map(|(o, p)| Parameter { offset: *o as usize, size: p.size }).collect(),
        parameter_bytes: end,
        most_threads: function.most_threads,
        required_threads: function.required_threads,
        required_cluster: function.required_cluster,
        explicit_cluster: function.explicit_cluster,
        largest_cluster: function.most_cluster,
        ..Code::default()
    };
    let _ = bytes;
    let Some(body) = &function.body else { return Ok(code) };
    let mut select = Select {
        around,
        function,
        body,
        code,
        constants: HashMap::new(),
        places: Vec::new(),
        flag: None,
        meets: flow::reconvergence(body),
        at: 0,
        guard: UNGUARDED,
        after: Vec::new(),
        fused: Vec::new(),
        branches: Vec::new(),
        stack: None,
        looks: false,
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
    select.code.registers = pressure::registers(body).min(function.most_registers.unwrap_or(u32::MAX));
    let mut starts = Vec::with_capacity(body.instructions.len() + 1);
    let ssa = Ssa::new(body);
    let early = select.analyse(&ssa);
    select.mark_stack();
    for (at, instruction) in body.instructions.iter().enumerate() {
        starts.push(select.code.steps.len() as u32);
        if select.fused[at] == Fused::Dropped {
            continue;
        }
        select.at = at;
        // What is executed once a launch cannot go wrong.
        select.looks = around.wanted.checked && early.get(at) != Some(&true);
        select.guard = instruction.guard.map_or(UNGUARDED, |g| (g.register * SLOT) | u32::from(g.negated));
        match select.instruction(instruction) {
            Ok(()) => {}
            // The rest of the module may do without it.
            Err(reason) if reason.is_empty() && !around.wanted.strict => return Ok(select.cannot_run(instruction)),
            Err(reason) => {
                let reason = if reason.is_empty() { "not supported" } else { &reason };
                let message = format!("instruction '{}' of '{}': {reason}", instruction.full_name(), function.name);
                return Err(Diagnostic::new(Fault::Unsupported, instruction.position, message));
            }
        }
        let after = core::mem::take(&mut select.after);
        select.code.steps.extend(after);
        if early.get(at) == Some(&true) {
            let steps = select.code.steps.drain(starts[at] as usize..);
            select.code.once.extend(steps);
        }
        select.code.lines.resize(select.code.steps.len(), instruction.position.line);
    }
    starts.push(select.code.steps.len() as u32);
    select.code.sources = sources(body, &starts);
    let fused = core::mem::take(&mut select.fused);
    let mut code = select.finish(&starts);
    // What looks at accesses wants the addresses of all lanes.
    if code.entry && !around.wanted.checked {
        code.linear = linear::select(&code, function, body, &ssa, &fused, &early, &starts);
    }
    Ok(code)
}

/// Where steps come from; `starts` are the first steps of all instructions.
fn sources<'a>(body: &Body<'a>, starts: &[u32]) -> Vec<Source> {
    let mut files: HashMap<&str, Arc<str>> = HashMap::new();
    let source = |source: &module::Source<'a>| Source {
        step: starts.get(source.instruction as usize).copied().unwrap_or(u32::MAX),
        file: files.entry(source.file).or_insert_with(|| Arc::from(source.file)).clone(),
        line: source.line,
    };
    body.sources.iter().map(source).collect()
}

impl<'m, 'a> Select<'m, 'a> {
    /// Looks at the function as a whole: what is executed together, and for each instruction of a kernel whether it is
    /// executed once a launch.
    fn analyse(&mut self, ssa: &Ssa) -> Vec<bool> {
        let entry = self.function.entry;
        let classes = class::classes(
            self.body,
            ssa,
            class::Known { entry, parameters: self.function.parameters.len(), threads: None },
        );
        let early = if entry { class::fixed(self.body, ssa, &classes) } else { Vec::new() };
        self.fused = fuse::fuse(self.body, ssa, &classes, &early);
        early
    }

    /// What is left of a function with an instruction that is not implemented: all that can be asked of it, and a step that
    /// nobody comes to but by its address.
    fn cannot_run(&self, instruction: &Instruction<'a>) -> Code {
        let line = instruction.position.line;
        let function = self.function.name.to_owned();
        let missing = Missing { instruction: instruction.full_name(), line, function };
        Code {
            steps: vec![Step { guard: UNGUARDED, ..self.step(warp_wide::not_implemented) }],
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
            let align = variable.align.clamp(1, MOST_ALIGNED) as u64;
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
                self.code.variables.push(Named { name, offset, size });
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
        Err(Diagnostic::new(Fault::Semantics, self.function.position, message))
    }

    fn finish(mut self, starts: &[u32]) -> Code {
        // Whoever comes to the end leaves the function.
        self.guard = UNGUARDED;
        self.release_stack();
        self.push(self.step(warp_wide::return_));
        self.code.lines.resize(self.code.steps.len(), 0);
        let position = |at: usize| starts.get(at).copied().unwrap_or(NOWHERE);
        for &at in &self.branches {
            let step = &mut self.code.steps[at];
            step.from[3] = position(step.from[3] as usize);
        }
        for step in &mut self.code.steps {
            if step.execute as usize == warp_wide::branch as *const () as usize {
                step.number = position(step.number as usize);
            }
            step.meet = if step.meet == NOWHERE { NOWHERE } else { position(step.meet as usize) };
        }
        for table in &mut self.code.tables {
            for to in table {
                *to = position(*to as usize);
            }
        }
        self.code
    }

    fn slot(&mut self) -> u32 {
        self.code.slots += 1;
        (self.code.slots - 1) * SLOT
    }

    fn constant(&mut self, bits: u64, wide: bool) -> u32 {
        let bits = if wide { bits } else { bits & 0xffff_ffff };
        if let Some(&at) = self.constants.get(&(bits, wide)) {
            return at;
        }
        let at = self.slot();
        self.code.constants.push((at / SLOT, bits, wide));
        self.constants.insert((bits, wide), at);
        at
    }

    fn base(&mut self, base: Base) -> u32 {
        if let Some(&(slot, _)) = self.code.bases.iter().find(|b| b.1 == base) {
            return slot * SLOT;
        }
        let at = self.slot();
        self.code.bases.push((at / SLOT, base));
        at
    }

    fn step(&self, execute: Execute) -> Step {
        Step { execute, guard: self.guard, to: [NONE; 4], from: [0; 5], value: 0, number: 0, meet: NOWHERE }
    }

    fn push(&mut self, step: Step) {
        self.code.steps.push(step);
    }

    fn instruction(&mut self, i: &Instruction<'a>) -> Selected {
        let mut manner = Manner::default();
        let mut integral = false;
        for modifier in &i.modifiers {
            match *modifier {
                "ftz" => manner.flush = true,
                "sat" => manner.saturate = true,
                "approx" => manner.approximate = true,
                "full" => (manner.approximate, manner.full) = (true, true),
                "NaN" => manner.nan = true,
                "relu" => manner.relu = true,
                other => {
                    if let Some(mode) = scalar::rounding(other) {
                        manner.rounding = mode;
                        integral |= other.len() == 3;
                    }
                }
            }
        }
        let types: Vec<Type> = i.types().collect();
        let ty = types.last().copied();
        match i.opcode {
            "ld" | "ldu" => self.load(i),
            "st" | "red" if i.has("async") => self.store_asynchronously(i),
            "st" => self.store(i),
            "cp" => self.copy_asynchronously(i),
            "mbarrier" => self.mbarrier(i),
            "tensormap" => self.tensor_map(i),
            "mapa" | "getctarank" => self.map_shared(i, ty.ok_or_else(String::new)?),
            "cvta" | "isspacep" if i.has("shared::cluster") => self.cluster_address(i),
            "prefetch" | "prefetchu" | "applypriority" | "discard" => {
                self.push(self.step(warp_wide::nothing));
                Ok(())
            }
            "mov" => self.mov(i),
            "alloca" | "stacksave" | "stackrestore" => self.stack(i, ty.ok_or_else(String::new)?),
            "createpolicy" => self.policy(i),
            "cvta" => self.cvta(i),
            "isspacep" => {
                let space = i.modifiers.first().and_then(|m| Space::parse(m)).ok_or_else(String::new)?;
                let number = match space {
                    Space::Shared => 0,
                    Space::Local => 1,
                    Space::Global => 2,
                    Space::Constant => 3,
                    _ => 4,
                };
                let from = self.value(i.operands.get(1).unwrap_or(&Operand::Nothing), Type::U64)?;
                let to = self.result(&i.operands[0], Type::Pred)?;
                let mut step = self.step(memory::is_space);
                (step.from[0], step.to[0], step.number) = (from, to, number << 1);
                self.push(step);
                Ok(())
            }
            "cvt" => self.cvt(i, &types, integral, manner),
            "setp" => self.setp(i, manner),
            "set" => self.set(i, &types, manner),
            "selp" => {
                let ty = ty.ok_or_else(String::new)?;
                let [d, a, b, p] = i.operands.as_slice() else { return Err("Arguments mismatch".into()) };
                let (a, b) = (self.value(a, ty)?, self.value(b, ty)?);
                let (p, negated) = self.predicate(p)?;
                let to = self.result(d, ty)?;
                let mut step = self.step(crate::lanes::chooser(ty.bytes() == 8));
                (step.from[0], step.from[1], step.from[2], step.to[0]) = (a, b, p, to);
                step.number = u32::from(negated);
                self.push(step);
                Ok(())
            }
            "slct" => self.slct(i, &types, manner),
            "vadd" | "vsub" | "vabsdiff" | "vmin" | "vmax" | "vshl" | "vshr" | "vset" | "vmad" | "vadd2" | "vsub2"
            | "vavrg2" | "vabsdiff2" | "vmin2" | "vmax2" | "vset2" | "vadd4" | "vsub4" | "vavrg4" | "vabsdiff4"
            | "vmin4" | "vmax4" | "vset4" => self.video(i, &types),
            "bmsk" | "szext" | "fns" | "dp4a" | "dp2a" | "mul24" | "mad24" => self.pieces(i, &types, manner),
            "add" | "min" | "max"
                if matches!(ty, Some(Type::U16x2 | Type::S16x2)) || manner.relu && ty == Some(Type::S32) =>
            {
                self.pieces(i, &types, manner)
            }
            "mad" if i.has("hi") && !i.has("cc") && (manner.saturate || matches!(ty, Some(Type::U16 | Type::S16))) => {
                self.pieces(i, &types, manner)
            }
            // Two types: the operands are narrower than the result.
            "add" | "sub" | "fma" if types.len() == 2 => unsupported(),
            "add" | "sub" | "mul" | "fma" | "min" | "max" | "abs" | "neg" | "tanh" | "ex2"
                if ty.is_some_and(rare::is_half) =>
            {
                self.half(i, ty.ok_or_else(String::new)?, manner)
            }
            "and" | "or" | "xor" | "not" if ty == Some(Type::Pred) => {
                let number = match i.opcode {
                    "and" => 0,
                    "or" => 1,
                    "xor" => 2,
                    _ => 3,
                };
                let (a, not_a) = self.predicate(i.operands.get(1).unwrap_or(&Operand::Nothing))?;
                let (b, not_b) = if number == 3 {
                    (a, false)
                } else {
                    self.predicate(i.operands.get(2).unwrap_or(&Operand::Nothing))?
                };
                let to = self.result(&i.operands[0], Type::Pred)?;
                let mut step = self.step(warp_wide::logic);
                (step.from[0], step.from[1], step.to[0], step.number) = (a, b, to, number);
                step.value = i64::from(not_a) | i64::from(not_b) << 1;
                self.push(step);
                Ok(())
            }
            "mul" | "mad" if !ty.is_some_and(Type::is_float) => self.product(i, ty.ok_or_else(String::new)?, manner),
            "add" | "sub" | "addc" | "subc" | "madc" if i.has("cc") || matches!(i.opcode, "addc" | "subc" | "madc") => {
                self.carry(i, ty.ok_or_else(String::new)?)
            }
            "fma" | "mad" | "sad" | "prmt" => {
                let ty = ty.ok_or_else(String::new)?;
                if i.opcode == "prmt" && i.modifiers.len() > 1 {
                    return self.pieces(i, &types, manner);
                }
                self.simple(scalar::ternary_of(i.opcode, ty, manner), i, ty, &[ty, ty, ty])
            }
            "bfe" => {
                let ty = ty.ok_or_else(String::new)?;
                self.simple(scalar::ternary_of("bfe", ty, manner), i, ty, &[ty, Type::U32, Type::U32])
            }
            "shf" => {
                let name = match (i.has("l"), i.has("wrap")) {
                    (true, true) => "shf.l.wrap",
                    (false, true) => "shf.r.wrap",
                    (true, false) => "shf.l.clamp",
                    (false, false) => "shf.r.clamp",
                };
                self.simple(scalar::ternary_of(name, Type::B32, manner), i, Type::B32, &[Type::B32; 3])
            }
            "bfi" => {
                let ty = ty.ok_or_else(String::new)?;
                self.simple(scalar::quaternary_of("bfi", ty), i, ty, &[ty, ty, Type::U32, Type::U32])
            }
            "lop3" if i.operands.len() == 5 => {
                self.simple(scalar::quaternary_of("lop3", Type::B32), i, Type::B32, &[Type::B32; 4])
            }
            "lop3" => self.lop3_predicate(i),
            "shl" | "shr" => {
                let ty = ty.ok_or_else(String::new)?;
                self.simple(scalar::binary_of(i.opcode, ty, manner), i, ty, &[ty, Type::U32])
            }
            "add" | "sub" | "mul" | "div" | "rem" | "min" | "max" | "and" | "or" | "xor" | "copysign" => {
                let ty = ty.ok_or_else(String::new)?;
                if i.operands.len() != 3 {
                    return unsupported();
                }
                if i.has("xorsign") {
                    return self.xor_sign(i, manner);
                }
                // Only newer devices have it.
                if ty == Type::U32 && manner.saturate {
                    return unsupported();
                }
                // Flushes of doubles are nowhere described.
                if ty == Type::F64 && manner.flush {
                    return unsupported();
                }
                self.simple(scalar::binary_of(i.opcode, ty, manner), i, ty, &[ty, ty])
            }
            "popc" | "clz" | "bfind" => {
                let ty = ty.ok_or_else(String::new)?;
                let name = if i.has("shiftamt") { "bfind.shiftamt" } else { i.opcode };
                self.simple(scalar::unary_of(name, ty, manner), i, Type::U32, &[ty])
            }
            "abs" | "neg" | "not" | "cnot" | "brev" | "sqrt" | "rcp" | "rsqrt" | "ex2" | "lg2" | "sin" | "cos"
            | "tanh" => {
                let ty = ty.ok_or_else(String::new)?;
                // Subnormal doubles are not flushed; only the approximation flushes on its own.
                if i.opcode == "rcp" && ty == Type::F64 && !manner.approximate {
                    manner.flush = false;
                }
                self.simple(scalar::unary_of(i.opcode, ty, manner), i, ty, &[ty])
            }
            "testp" => self.testp(i, ty.ok_or_else(String::new)?),
            "bra" => {
                let Some(Operand::Label(to)) = i.operands.first() else { return Err("Arguments mismatch".into()) };
                let mut step = self.step(warp_wide::branch);
                step.number = *to as u32;
                (step.value, step.meet) = self.jump(*to);
                self.push(step);
                Ok(())
            }
            "brx" => self.brx(i),
            "call" => self.call(i),
            "ret" => {
                self.release_stack();
                self.control(warp_wide::return_)
            }
            "exit" => self.control(warp_wide::exit),
            // Without a debugger, a break point ends the kernel, too.
            "trap" | "brkpt" => self.control(warp_wide::trap),
            "pmevent" | "setmaxnreg" | "griddepcontrol" => self.control(warp_wide::nothing),
            "membar" | "fence" => self.control(warp_wide::fence),
            "nanosleep" => self.control(warp_wide::pause),
            "bar" | "barrier" => self.barrier(i),
            "atom" | "red" => self.atomic(i, &types),
            "shfl" => self.shuffle(i),
            "vote" => self.vote(i),
            "match" => self.match_lanes(i, ty.ok_or_else(String::new)?),
            "redux" => self.redux(i, ty.ok_or_else(String::new)?),
            "activemask" => {
                let to = self.result(&i.operands[0], Type::B32)?;
                let mut step = self.step(warp_wide::active_mask);
                step.to[0] = to;
                self.push(step);
                Ok(())
            }
            "elect" => {
                let [Operand::Pair(d, p), mask] = i.operands.as_slice() else {
                    return Err("Arguments mismatch".into());
                };
                let from = self.value(mask, Type::B32)?;
                let (to, p) = (self.result(d, Type::B32)?, self.result(p, Type::Pred)?);
                let mut step = self.step(warp_wide::elect);
                (step.from[0], step.to[0], step.to[1]) = (from, to, p);
                self.push(step);
                Ok(())
            }
            "tex" | "tld4" => self.tex(i),
            "txq" | "suq" => self.query(i),
            "istypep" => self.is_type(i),
            "suld" | "sust" | "sured" => self.surface(i),
            "mma" => self.mma(i),
            "wmma" => self.wmma(i),
            "wgmma" => self.wgmma(i),
            "ldmatrix" => self.rows_of_matrices(i, false),
            "stmatrix" => self.rows_of_matrices(i, true),
            "movmatrix" => self.movmatrix(i),
            _ => unsupported(),
        }
    }
}
