//! Instructions to steps.

use super::arithmetic::{self, Manner};
use super::atomic::{self, Operation};
use super::call::call;
use super::program::{Around, Base, Code, FUNCTIONS, Parameter, Passed, Place, Site, Target, layout, system};
use super::step::{Execute, Step, UNGUARDED};
use super::warp::{NOWHERE, SLOT};
use super::{convert, memory, warp_wide};
use crate::ptx::instruction::Special;
use crate::ptx::{Body, Diagnostic, Fault, Function, Instruction, Operand, Space, Type, flow};
use std::collections::HashMap;

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
    guard: (u32, u32),
    line: u32,
    /// Steps behind the one at hand.
    after: Vec<Step>,
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
        guard: (UNGUARDED, 0),
        line: 0,
        after: Vec::new(),
    };
    select.variables(&offsets);
    select.code.slots = body.registers.len() as u32;
    select.code.registers = body.registers.iter().map(|ty| (ty.bytes() as u32).div_ceil(4)).sum();
    let mut starts = Vec::with_capacity(body.instructions.len() + 1);
    for (at, instruction) in body.instructions.iter().enumerate() {
        starts.push(select.code.steps.len() as u32);
        select.at = at;
        select.line = instruction.position.line;
        select.guard =
            instruction.guard.map_or((UNGUARDED, 0), |g| (g.register * SLOT, if g.negated { u32::MAX } else { 0 }));
        select.instruction(instruction).map_err(|reason| {
            let reason = if reason.is_empty() { "not supported".to_owned() } else { reason };
            let message = format!("instruction '{}': {reason}", instruction.full_name());
            Diagnostic::new(Fault::Unsupported, instruction.position, message)
        })?;
        let after = core::mem::take(&mut select.after);
        select.code.steps.extend(after);
    }
    Ok(select.finish(&starts))
}

impl<'m, 'a> Select<'m, 'a> {
    fn variables(&mut self, parameters: &[u64]) {
        let (mut local, mut shared) =
            (0u64, u64::from(self.around.own_shared.get(self.function.name).copied().unwrap_or(0)));
        for (number, variable) in self.body.variables.iter().enumerate() {
            let align = variable.align.clamp(1, 1024) as u64;
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
            *end += variable.size as u64;
        }
        self.code.local = local.next_multiple_of(128);
        self.code.shared = shared as u32;
    }

    fn finish(mut self, starts: &[u32]) -> Code {
        let position = |at: usize| starts.get(at).copied().unwrap_or(NOWHERE);
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
        Step {
            execute,
            guard: self.guard.0,
            flip: self.guard.1,
            to: [NONE; 4],
            from: [0; 5],
            value: 0,
            number: 0,
            meet: NOWHERE,
            line: self.line,
        }
    }

    fn push(&mut self, step: Step) {
        self.code.steps.push(step);
    }

    fn is_wide(&self, register: u32) -> bool {
        self.body.registers[register as usize].bytes() == 8
    }

    fn special(&mut self, special: Special) -> u32 {
        let number = match special {
            Special::Clock => 0,
            Special::ClockHi => 2,
            Special::Clock64 => 4,
            Special::GlobalTimerLo => 1,
            Special::GlobalTimerHi => 3,
            Special::GlobalTimer => 5,
            _ => {
                if let Some(&(slot, _)) = self.code.specials.iter().find(|s| s.1 == special) {
                    return slot * SLOT;
                }
                let at = self.slot();
                self.code.specials.push((at / SLOT, special));
                return at;
            }
        };
        let at = self.slot();
        let mut step = self.step(warp_wide::clock);
        step.to[0] = at;
        step.number = number;
        self.push(step);
        at
    }

    /// The vector that an operand of a type is.
    fn value(&mut self, operand: &Operand<'a>, ty: Type) -> Selected<u32> {
        let wide = ty.bytes() == 8;
        match *operand {
            Operand::Register(register) => {
                let own = self.body.registers[register as usize];
                if (own == Type::Pred) != (ty == Type::Pred) || own == Type::B128 {
                    return Err("Arguments mismatch".into());
                }
                match (own.bytes() == 8, wide) {
                    (true, false) if ty != Type::Pred => {
                        let at = self.slot();
                        let mut step = self.step(convert::narrow());
                        (step.from[0], step.to[0]) = (register * SLOT, at);
                        self.push(step);
                        Ok(at)
                    }
                    (false, true) => Err("Arguments mismatch".into()),
                    _ => Ok(register * SLOT),
                }
            }
            Operand::Integer(value) if ty == Type::Pred => {
                Ok(self.constant(if value & 1 != 0 { u64::MAX } else { 0 }, false))
            }
            Operand::Integer(value) => Ok(match ty {
                Type::F32 => self.constant(u64::from((value as i64 as f32).to_bits()), false),
                Type::F64 => self.constant((value as i64 as f64).to_bits(), true),
                _ => self.constant(value, wide),
            }),
            Operand::Single(bits) => Ok(match ty {
                Type::F64 => self.constant(f64::from(f32::from_bits(bits)).to_bits(), true),
                _ => self.constant(bits.into(), wide),
            }),
            Operand::Double(bits) => Ok(match ty {
                Type::F32 => self.constant((f64::from_bits(bits) as f32).to_bits().into(), false),
                _ if wide => self.constant(bits, true),
                _ => return Err("Arguments mismatch".into()),
            }),
            Operand::Special(special) => {
                let at = self.special(special);
                match (special.is_wide(), wide) {
                    (true, false) => {
                        let to = self.slot();
                        let mut step = self.step(convert::narrow());
                        (step.from[0], step.to[0]) = (at, to);
                        self.push(step);
                        Ok(to)
                    }
                    (false, true) => {
                        let to = self.slot();
                        let mut step = self.step(convert::widen(Type::U32));
                        (step.from[0], step.to[0]) = (at, to);
                        self.push(step);
                        Ok(to)
                    }
                    _ => Ok(at),
                }
            }
            Operand::Local(..) | Operand::Symbol(..) => self.address_value(operand, wide),
            _ => Err("Arguments mismatch".into()),
        }
    }

    /// Where a name leads: the vector with its base or none, an offset, and the space.
    fn resolve(&mut self, operand: &Operand<'a>) -> Selected<(Option<u32>, u64, Space)> {
        match *operand {
            Operand::Local(number, offset) => {
                let variable = &self.body.variables[number as usize];
                let place = self.places[number as usize].wrapping_add(offset as u64);
                Ok(match variable.space {
                    Space::Parameter if self.function.entry && (number as usize) < self.function.parameters.len() => {
                        (Some(self.base(Base::Parameters)), place, Space::Parameter)
                    }
                    Space::Shared if variable.size == 0 => {
                        (Some(self.base(Base::DynamicShared)), offset as u64, Space::Shared)
                    }
                    Space::Shared => (None, place, Space::Shared),
                    Space::Global | Space::Constant => return Err("global variables in functions".into()),
                    _ => (Some(self.base(Base::Local)), place, Space::Local),
                })
            }
            Operand::Symbol(name, offset) => {
                if let Some(&at) = self.around.shared.get(name) {
                    return Ok((None, u64::from(at).wrapping_add(offset as u64), Space::Shared));
                }
                if let Some(&at) = self.around.addresses.get(name) {
                    return Ok((None, at.wrapping_add(offset as u64), Space::Global));
                }
                if let Some(&number) = self.around.functions.get(name) {
                    return Ok((None, FUNCTIONS + u64::from(number) * 16, Space::Generic));
                }
                let variable = self.around.module.variables.iter().find(|v| v.name == name);
                match variable.map(|v| v.space) {
                    Some(Space::Shared) => Ok((Some(self.base(Base::DynamicShared)), offset as u64, Space::Shared)),
                    _ => Err(format!("Unresolved extern variable '{name}'")),
                }
            }
            _ => unsupported(),
        }
    }

    /// The address of a name, as a value.
    fn address_value(&mut self, operand: &Operand<'a>, wide: bool) -> Selected<u32> {
        let (base, offset, space) = self.resolve(operand)?;
        let Some(base) = base else {
            if !wide && space != Space::Shared {
                return Err("an address needs 64 bits".into());
            }
            return Ok(self.constant(offset, wide));
        };
        let sum = self.slot();
        let offset = self.constant(offset, true);
        let execute = arithmetic::binary_of("add", Type::U64, Manner::default());
        let mut step = self.step(execute.ok_or_else(String::new)?);
        (step.from[0], step.from[1], step.to[0]) = (base, offset, sum);
        self.push(step);
        if wide {
            return Ok(sum);
        }
        let to = self.slot();
        let mut step = self.step(convert::narrow());
        (step.from[0], step.to[0]) = (sum, to);
        self.push(step);
        Ok(to)
    }

    /// Where a result of a type goes. A wider register gets it extended.
    fn result(&mut self, operand: &Operand<'a>, ty: Type) -> Selected<u32> {
        match *operand {
            Operand::Register(register) => {
                let own = self.body.registers[register as usize];
                if (own == Type::Pred) != (ty == Type::Pred) || own == Type::B128 {
                    return Err("Arguments mismatch".into());
                }
                match (own.bytes() == 8, ty.bytes() == 8) {
                    (true, false) => {
                        let at = self.slot();
                        let mut step = self.step(convert::widen(ty));
                        (step.from[0], step.to[0]) = (at, register * SLOT);
                        self.after.push(step);
                        Ok(at)
                    }
                    (false, true) => Err("Arguments mismatch".into()),
                    _ => Ok(register * SLOT),
                }
            }
            // Written and forgotten.
            Operand::Nothing => Ok(self.slot()),
            _ => Err("Arguments mismatch".into()),
        }
    }

    fn simple(&mut self, execute: Option<Execute>, i: &Instruction<'a>, result: Type, operands: &[Type]) -> Selected {
        let execute = execute.ok_or_else(String::new)?;
        if i.operands.len() != operands.len() + 1 {
            return Err("Arguments mismatch".into());
        }
        let mut from = [0; 5];
        for (n, &ty) in operands.iter().enumerate() {
            from[n] = self.value(&i.operands[n + 1], ty)?;
        }
        let to = self.result(&i.operands[0], result)?;
        let mut step = self.step(execute);
        step.from = from;
        step.to[0] = to;
        self.push(step);
        Ok(())
    }

    /// A predicate operand, and whether it is negated.
    fn predicate(&mut self, operand: &Operand<'a>) -> Selected<(u32, bool)> {
        match *operand {
            Operand::Not(register) => Ok((self.value(&Operand::Register(register), Type::Pred)?, true)),
            _ => Ok((self.value(operand, Type::Pred)?, false)),
        }
    }

    fn instruction(&mut self, i: &Instruction<'a>) -> Selected {
        let mut manner = Manner::default();
        let mut integral = false;
        for modifier in &i.modifiers {
            match *modifier {
                "ftz" => manner.flush = true,
                "sat" | "satfinite" => manner.saturate = true,
                "approx" | "full" => manner.approximate = true,
                "NaN" => manner.nan = true,
                "relu" => manner.relu = true,
                other => {
                    if let Some(mode) = arithmetic::rounding(other) {
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
            "st" => self.store(i),
            "prefetch" | "prefetchu" | "applypriority" | "discard" => {
                self.push(self.step(warp_wide::nothing));
                Ok(())
            }
            "mov" => self.mov(i),
            "cvta" => self.cvta(i),
            "isspacep" => {
                let space = i.modifiers.first().and_then(|m| Space::parse(m)).ok_or_else(String::new)?;
                let number = match space {
                    Space::Shared => 0,
                    Space::Local => 1,
                    Space::Global => 2,
                    _ => 3,
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
                let choose: Execute =
                    if ty.bytes() == 8 { super::lanes::choose::<u64> } else { super::lanes::choose::<u32> };
                let mut step = self.step(choose);
                (step.from[0], step.from[1], step.from[2], step.to[0]) = (a, b, p, to);
                step.number = u32::from(negated);
                self.push(step);
                Ok(())
            }
            "slct" => unsupported(),
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
            "mul" | "mad" | "mul24" if !ty.is_some_and(Type::is_float) => {
                self.product(i, ty.ok_or_else(String::new)?, manner)
            }
            "add" | "sub" | "addc" | "subc" | "madc" if i.has("cc") || matches!(i.opcode, "addc" | "subc" | "madc") => {
                self.carry(i, ty.ok_or_else(String::new)?)
            }
            "fma" | "mad" | "sad" | "prmt" => {
                let ty = ty.ok_or_else(String::new)?;
                if i.opcode == "prmt" && i.modifiers.len() > 1 {
                    return unsupported();
                }
                self.simple(arithmetic::ternary_of(i.opcode, ty, manner), i, ty, &[ty, ty, ty])
            }
            "bfe" => {
                let ty = ty.ok_or_else(String::new)?;
                self.simple(arithmetic::ternary_of("bfe", ty, manner), i, ty, &[ty, Type::U32, Type::U32])
            }
            "shf" => {
                let name = match (i.has("l"), i.has("wrap")) {
                    (true, true) => "shf.l.wrap",
                    (false, true) => "shf.r.wrap",
                    (true, false) => "shf.l.clamp",
                    (false, false) => "shf.r.clamp",
                };
                self.simple(arithmetic::ternary_of(name, Type::B32, manner), i, Type::B32, &[Type::B32; 3])
            }
            "bfi" => {
                let ty = ty.ok_or_else(String::new)?;
                self.simple(arithmetic::quaternary_of("bfi", ty), i, ty, &[ty, ty, Type::U32, Type::U32])
            }
            "lop3" if i.operands.len() == 5 => {
                self.simple(arithmetic::quaternary_of("lop3", Type::B32), i, Type::B32, &[Type::B32; 4])
            }
            "dp4a" if types.len() == 2 && types[0] == types[1] => {
                let mut with = i.clone();
                with.operands.push(Operand::Integer(0));
                self.simple(arithmetic::quaternary_of("dp4a", types[0]), &with, Type::B32, &[Type::B32; 4])
            }
            "shl" | "shr" => {
                let ty = ty.ok_or_else(String::new)?;
                self.simple(arithmetic::binary_of(i.opcode, ty, manner), i, ty, &[ty, Type::U32])
            }
            "add" | "sub" | "mul" | "div" | "rem" | "min" | "max" | "and" | "or" | "xor" | "copysign" => {
                let ty = ty.ok_or_else(String::new)?;
                if i.has("xorsign") || i.operands.len() != 3 {
                    return unsupported();
                }
                self.simple(arithmetic::binary_of(i.opcode, ty, manner), i, ty, &[ty, ty])
            }
            "popc" | "clz" | "bfind" => {
                let ty = ty.ok_or_else(String::new)?;
                let name = if i.has("shiftamt") { "bfind.shiftamt" } else { i.opcode };
                self.simple(arithmetic::unary_of(name, ty, manner), i, Type::U32, &[ty])
            }
            "abs" | "neg" | "not" | "cnot" | "brev" | "sqrt" | "rcp" | "rsqrt" | "ex2" | "lg2" | "sin" | "cos"
            | "tanh" => {
                let ty = ty.ok_or_else(String::new)?;
                self.simple(arithmetic::unary_of(i.opcode, ty, manner), i, ty, &[ty])
            }
            "testp" => self.testp(i, ty.ok_or_else(String::new)?),
            "bra" => {
                let Some(Operand::Label(to)) = i.operands.first() else { return Err("Arguments mismatch".into()) };
                self.code.loops |= *to <= self.at;
                let mut step = self.step(warp_wide::branch);
                step.number = *to as u32;
                step.meet = self.meet();
                self.push(step);
                Ok(())
            }
            "brx" => self.brx(i),
            "call" => self.call(i),
            "ret" => self.control(warp_wide::return_),
            "exit" => self.control(warp_wide::exit),
            "trap" => self.control(warp_wide::trap),
            "brkpt" => self.control(warp_wide::nothing),
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
            _ => unsupported(),
        }
    }

    fn meet(&self) -> u32 {
        let meet = self.meets[self.at];
        if meet == flow::END { NOWHERE } else { meet as u32 }
    }

    fn control(&mut self, execute: Execute) -> Selected {
        self.push(self.step(execute));
        Ok(())
    }

    /// What an access goes to: the vector of the address, whether its lanes have 64 bits, an offset, the space.
    fn place(&mut self, operand: &Operand<'a>, space: Space) -> Selected<(u32, bool, i64, Space)> {
        let Operand::Address(base, offset) = operand else { return Err("Arguments mismatch".into()) };
        match **base {
            Operand::Register(register) => {
                let wide = self.is_wide(register);
                if !wide && matches!(space, Space::Global | Space::Generic | Space::Constant) {
                    return Err("an address needs 64 bits".into());
                }
                let space = if space == Space::Parameter && !self.function.entry { Space::Local } else { space };
                Ok((register * SLOT, wide, *offset, space))
            }
            Operand::Local(..) | Operand::Symbol(..) => {
                let (at, place, found) = self.resolve(base)?;
                // A name without a space in the instruction is used as a generic address.
                if space == Space::Generic && matches!(found, Space::Shared | Space::Local) {
                    return Err("a generic access by the name of a variable".into());
                }
                let offset = (*offset).wrapping_add(place as i64);
                let zero = self.constant(0, true);
                Ok((at.unwrap_or(zero), true, offset, found))
            }
            Operand::Integer(address) => {
                let zero = self.constant(0, true);
                Ok((zero, true, offset.wrapping_add(address as i64), space))
            }
            _ => unsupported(),
        }
    }

    fn space_of(i: &Instruction<'a>) -> Selected<Space> {
        if i.has("shared::cluster") {
            // Without clusters a block reaches its own shared memory alone.
            return Ok(Space::Shared);
        }
        Ok(i.modifiers.iter().find_map(|m| Space::parse(m)).unwrap_or(Space::Generic))
    }

    /// The registers of a vector operand.
    fn elements<'o>(operand: &'o Operand<'a>) -> &'o [Operand<'a>] {
        match operand {
            Operand::Vector(all) => all,
            other => core::slice::from_ref(other),
        }
    }

    fn load(&mut self, i: &Instruction<'a>) -> Selected {
        let ty = i.types().last().ok_or_else(String::new)?;
        let [to, from, ..] = i.operands.as_slice() else { return Err("Arguments mismatch".into()) };
        let (at, wide, offset, space) = self.place(from, Self::space_of(i)?)?;
        let elements = Self::elements(to);
        let wide_register = |o: &Operand<'a>| matches!(o, Operand::Register(r) if self.is_wide(*r));
        let wide_to = elements.iter().any(wide_register) || ty.bytes() == 8;
        let mut step = self.step(memory::load_of(space, ty, wide_to, elements.len()).ok_or_else(String::new)?);
        for (n, element) in elements.iter().enumerate() {
            step.to[n] = match *element {
                Operand::Register(r) if self.is_wide(r) == wide_to => r * SLOT,
                Operand::Nothing => NONE,
                _ => return Err("Arguments mismatch".into()),
            };
        }
        (step.from[0], step.value, step.number) = (at, offset, u32::from(!wide));
        self.push(step);
        Ok(())
    }

    fn store(&mut self, i: &Instruction<'a>) -> Selected {
        let ty = i.types().last().ok_or_else(String::new)?;
        let [to, from, ..] = i.operands.as_slice() else { return Err("Arguments mismatch".into()) };
        let (at, wide, offset, space) = self.place(to, Self::space_of(i)?)?;
        let elements = Self::elements(from);
        let wide_from = ty.bytes() == 8;
        let mut places = [0; 5];
        places[0] = at;
        for (n, element) in elements.iter().enumerate() {
            *places.get_mut(n + 1).ok_or_else(String::new)? = self.value(element, ty)?;
        }
        let mut step = self.step(memory::store_of(space, ty, wide_from, elements.len()).ok_or_else(String::new)?);
        (step.from, step.value, step.number) = (places, offset, u32::from(!wide));
        self.push(step);
        Ok(())
    }

    fn copy(&mut self, from: u32, to: u32, wide: bool) {
        let execute: Execute = if wide { warp_wide::copy64 } else { warp_wide::copy32 };
        let mut step = self.step(execute);
        (step.from[0], step.to[0]) = (from, to);
        self.push(step);
    }

    fn mov(&mut self, i: &Instruction<'a>) -> Selected {
        let ty = i.types().last().ok_or_else(String::new)?;
        let [to, from] = i.operands.as_slice() else { return Err("Arguments mismatch".into()) };
        if ty == Type::Pred {
            let (a, negated) = self.predicate(from)?;
            let to = self.result(to, Type::Pred)?;
            let mut step = self.step(warp_wide::logic);
            (step.from[0], step.from[1], step.to[0], step.number) = (a, a, to, 4);
            step.value = i64::from(negated);
            self.push(step);
            return Ok(());
        }
        let part = |count: usize| match ty.bytes() / count {
            1 => Ok(Type::U8),
            2 => Ok(Type::U16),
            4 => Ok(Type::U32),
            _ => unsupported(),
        };
        match (to, from) {
            (Operand::Vector(parts), Operand::Vector(values)) if parts.len() == values.len() => {
                let values: Selected<Vec<u32>> = values.iter().map(|v| self.value(v, ty)).collect();
                let values = values?;
                // All are read before one is written.
                let mut held = Vec::new();
                for value in values {
                    let at = self.slot();
                    self.copy(value, at, ty.bytes() == 8);
                    held.push(at);
                }
                for (part, at) in parts.iter().zip(held) {
                    let to = self.result(part, ty)?;
                    self.copy(at, to, ty.bytes() == 8);
                }
                Ok(())
            }
            (Operand::Vector(parts), value) => {
                // Takes a value apart.
                let narrow = part(parts.len())?;
                let value = self.value(value, ty)?;
                let held = self.slot();
                self.copy(value, held, ty.bytes() == 8);
                for (n, element) in parts.iter().enumerate() {
                    if *element == Operand::Nothing {
                        continue;
                    }
                    let shift = self.constant((n * narrow.bytes() * 8) as u64, false);
                    let shifted = self.slot();
                    let whole = if ty.bytes() == 8 { Type::U64 } else { Type::U32 };
                    let shr = arithmetic::binary_of("shr", whole, Manner::default()).ok_or_else(String::new)?;
                    let mut step = self.step(shr);
                    (step.from[0], step.from[1], step.to[0]) = (held, shift, shifted);
                    self.push(step);
                    let to = self.result(element, narrow)?;
                    let cut = convert::convert_of(narrow, whole, false, Manner::default()).ok_or_else(String::new)?;
                    let mut step = self.step(cut);
                    (step.from[0], step.to[0]) = (shifted, to);
                    self.push(step);
                }
                Ok(())
            }
            (to, Operand::Vector(values)) => {
                // Puts one together.
                let narrow = part(values.len())?;
                let whole = if ty.bytes() == 8 { Type::U64 } else { Type::U32 };
                let mut sum = self.constant(0, ty.bytes() == 8);
                for (n, element) in values.iter().enumerate() {
                    let value = self.value(element, narrow)?;
                    let (extended, shifted, joined) = (self.slot(), self.slot(), self.slot());
                    let widen = convert::convert_of(whole, narrow, false, Manner::default()).ok_or_else(String::new)?;
                    let mut step = self.step(widen);
                    (step.from[0], step.to[0]) = (value, extended);
                    self.push(step);
                    let shift = self.constant((n * narrow.bytes() * 8) as u64, false);
                    let shl = arithmetic::binary_of("shl", whole, Manner::default()).ok_or_else(String::new)?;
                    let mut step = self.step(shl);
                    (step.from[0], step.from[1], step.to[0]) = (extended, shift, shifted);
                    self.push(step);
                    let or = arithmetic::binary_of("or", whole, Manner::default()).ok_or_else(String::new)?;
                    let mut step = self.step(or);
                    (step.from[0], step.from[1], step.to[0]) = (sum, shifted, joined);
                    self.push(step);
                    sum = joined;
                }
                let to = self.result(to, ty)?;
                self.copy(sum, to, ty.bytes() == 8);
                Ok(())
            }
            (to, from) => {
                let from = self.value(from, ty)?;
                let to = self.result(to, ty)?;
                self.copy(from, to, ty.bytes() == 8);
                Ok(())
            }
        }
    }

    fn cvta(&mut self, i: &Instruction<'a>) -> Selected {
        let space = Self::space_of(i)?;
        let [to, from] = i.operands.as_slice() else { return Err("Arguments mismatch".into()) };
        if i.types().last().is_none_or(|ty| ty.bytes() != 8) {
            return Err("an address needs 64 bits".into());
        }
        let at = self.value(from, Type::U64)?;
        let to = self.result(to, Type::U64)?;
        let execute: Execute = match (space, i.has("to")) {
            (Space::Shared, false) => memory::shared_to_generic,
            (Space::Shared, true) => memory::generic_to_shared,
            (Space::Local, false) => memory::local_to_generic,
            (Space::Local, true) => memory::generic_to_local,
            _ => warp_wide::copy64,
        };
        let mut step = self.step(execute);
        (step.from[0], step.to[0]) = (at, to);
        self.push(step);
        Ok(())
    }

    fn cvt(&mut self, i: &Instruction<'a>, types: &[Type], integral: bool, manner: Manner) -> Selected {
        let &[to, from] = types else { return unsupported() };
        if i.operands.len() == 3 {
            return self.simple(convert::convert_pair(to, manner), i, to, &[from, from]);
        }
        let packed = [Type::F16x2, Type::Bf16x2, Type::Tf32];
        if packed.contains(&to) || packed.contains(&from) || i.has("satfinite") {
            return unsupported();
        }
        self.simple(convert::convert_of(to, from, integral, manner), i, to, &[from])
    }

    /// The comparison and the combination among the modifiers.
    fn comparison(i: &Instruction<'a>) -> Selected<(&'a str, i64)> {
        let mut found = None;
        let mut combination = 0;
        for &modifier in &i.modifiers {
            match modifier {
                "and" => combination = 1,
                "or" => combination = 2,
                "xor" => combination = 3,
                "ftz" => {}
                _ if Type::parse(modifier).is_some() => {}
                _ => found = Some(modifier),
            }
        }
        Ok((found.ok_or_else(String::new)?, combination))
    }

    fn setp(&mut self, i: &Instruction<'a>, manner: Manner) -> Selected {
        let ty = i.types().last().ok_or_else(String::new)?;
        let (how, combination) = Self::comparison(i)?;
        let execute = arithmetic::compare_of(how, ty, manner.flush).ok_or_else(String::new)?;
        let [to, a, b, rest @ ..] = i.operands.as_slice() else { return Err("Arguments mismatch".into()) };
        let (a, b) = (self.value(a, ty)?, self.value(b, ty)?);
        let mut step = self.step(execute);
        (step.from[0], step.from[1], step.value) = (a, b, combination);
        if combination != 0 {
            let (c, negated) = self.predicate(rest.first().unwrap_or(&Operand::Nothing))?;
            step.from[2] = c;
            step.number |= u32::from(negated) << 1;
        }
        match to {
            Operand::Pair(p, q) => {
                step.to[0] = self.result(p, Type::Pred)?;
                step.to[1] = self.result(q, Type::Pred)?;
                step.number |= 1;
            }
            p => step.to[0] = self.result(p, Type::Pred)?,
        }
        self.push(step);
        Ok(())
    }

    fn set(&mut self, i: &Instruction<'a>, types: &[Type], manner: Manner) -> Selected {
        let &[to, from] = types else { return unsupported() };
        let (how, combination) = Self::comparison(i)?;
        let execute = arithmetic::compare_of(how, from, manner.flush).ok_or_else(String::new)?;
        let [d, a, b, rest @ ..] = i.operands.as_slice() else { return Err("Arguments mismatch".into()) };
        let (a, b, p) = (self.value(a, from)?, self.value(b, from)?, self.slot());
        let mut step = self.step(execute);
        (step.from[0], step.from[1], step.to[0], step.value) = (a, b, p, combination);
        if combination != 0 {
            let (c, negated) = self.predicate(rest.first().unwrap_or(&Operand::Nothing))?;
            step.from[2] = c;
            step.number |= u32::from(negated) << 1;
        }
        self.push(step);
        let one = match to {
            Type::F32 => 0x3f80_0000,
            Type::F16 => 0x3c00,
            Type::Bf16 => 0x3f80,
            Type::U32 | Type::S32 => 0xffff_ffff,
            _ => return unsupported(),
        };
        let (one, zero) = (self.constant(one, false), self.constant(0, false));
        let d = self.result(d, to)?;
        let mut step = self.step(super::lanes::choose::<u32>);
        (step.from[0], step.from[1], step.from[2], step.to[0]) = (one, zero, p, d);
        self.push(step);
        Ok(())
    }

    fn testp(&mut self, i: &Instruction<'a>, ty: Type) -> Selected {
        let how = i.modifiers.first().copied().unwrap_or("");
        let execute = match (how, ty) {
            ("notanumber", Type::F32) => super::lanes::compare(|a: f32, _: f32| a.is_nan()),
            ("notanumber", Type::F64) => super::lanes::compare(|a: f64, _: f64| a.is_nan()),
            ("number", Type::F32) => super::lanes::compare(|a: f32, _: f32| !a.is_nan()),
            ("number", Type::F64) => super::lanes::compare(|a: f64, _: f64| !a.is_nan()),
            ("finite", Type::F32) => super::lanes::compare(|a: f32, _: f32| a.is_finite()),
            ("finite", Type::F64) => super::lanes::compare(|a: f64, _: f64| a.is_finite()),
            ("infinite", Type::F32) => super::lanes::compare(|a: f32, _: f32| a.is_infinite()),
            ("infinite", Type::F64) => super::lanes::compare(|a: f64, _: f64| a.is_infinite()),
            ("normal", Type::F32) => super::lanes::compare(|a: f32, _: f32| a.is_normal()),
            ("normal", Type::F64) => super::lanes::compare(|a: f64, _: f64| a.is_normal()),
            ("subnormal", Type::F32) => super::lanes::compare(|a: f32, _: f32| a.is_subnormal()),
            ("subnormal", Type::F64) => super::lanes::compare(|a: f64, _: f64| a.is_subnormal()),
            _ => return unsupported(),
        };
        let [to, a] = i.operands.as_slice() else { return Err("Arguments mismatch".into()) };
        let a = self.value(a, ty)?;
        let to = self.result(to, Type::Pred)?;
        let mut step = self.step(execute);
        (step.from[0], step.from[1], step.to[0]) = (a, a, to);
        self.push(step);
        Ok(())
    }

    fn product(&mut self, i: &Instruction<'a>, ty: Type, manner: Manner) -> Selected {
        if i.has("cc") {
            return self.carry(i, ty);
        }
        let kind = ["lo", "hi", "wide"].into_iter().find(|k| i.has(k)).ok_or_else(String::new)?;
        if manner.saturate {
            return unsupported();
        }
        let name = format!("{}.{kind}", i.opcode);
        let wide = match (kind, ty) {
            ("wide", Type::U16) => Type::U32,
            ("wide", Type::S16) => Type::S32,
            ("wide", Type::U32) => Type::U64,
            ("wide", Type::S32) => Type::S64,
            ("wide", _) => return unsupported(),
            _ => ty,
        };
        match i.opcode {
            "mad" => self.simple(arithmetic::ternary_of(&name, ty, manner), i, wide, &[ty, ty, wide]),
            _ => self.simple(arithmetic::binary_of(&name, ty, manner), i, wide, &[ty, ty]),
        }
    }

    fn carry(&mut self, i: &Instruction<'a>, ty: Type) -> Selected {
        if !matches!(ty, Type::U32 | Type::S32 | Type::U64 | Type::S64 | Type::B32 | Type::B64) {
            return unsupported();
        }
        let flag = match self.flag {
            Some(flag) => flag,
            None => *self.flag.insert({
                self.code.slots += 1;
                (self.code.slots - 1) * SLOT
            }),
        };
        let product = match i.opcode {
            "mad" | "madc" => {
                if i.has("hi") {
                    2
                } else {
                    1
                }
            }
            _ => 0,
        };
        let operands = if product != 0 { 3 } else { 2 };
        if i.operands.len() != operands + 1 {
            return Err("Arguments mismatch".into());
        }
        let mut from = [0, 0, 0, flag, 0];
        for (place, operand) in from.iter_mut().zip(&i.operands[1..]) {
            *place = self.value(operand, ty)?;
        }
        let to = self.result(&i.operands[0], ty)?;
        let mut step = self.step(warp_wide::carry);
        step.from = from;
        step.to[0] = to;
        step.value = i64::from(ty.is_signed());
        step.number = u32::from(i.opcode.ends_with('c'))
            | u32::from(i.has("cc")) << 1
            | u32::from(i.opcode.starts_with("sub")) << 2
            | u32::from(ty.bytes() == 8) << 3
            | product << 4;
        self.push(step);
        Ok(())
    }

    fn brx(&mut self, i: &Instruction<'a>) -> Selected {
        let [index, Operand::Symbol(name, _)] = i.operands.as_slice() else { return Err("Arguments mismatch".into()) };
        let table = self.body.targets.iter().find(|t| t.0 == *name).ok_or_else(String::new)?;
        self.code.loops |= table.1.iter().any(|&to| to <= self.at);
        self.code.tables.push(table.1.iter().map(|&to| to as u32).collect());
        let index = self.value(index, Type::U32)?;
        let mut step = self.step(warp_wide::branch_table);
        step.from[0] = index;
        step.number = self.code.tables.len() as u32 - 1;
        step.meet = self.meet();
        self.push(step);
        Ok(())
    }

    fn call(&mut self, i: &Instruction<'a>) -> Selected {
        let mut operands = i.operands.as_slice();
        let mut results: &[Operand<'a>] = &[];
        if let [Operand::List(all), rest @ ..] = operands
            && !rest.is_empty()
        {
            (results, operands) = (all, rest);
        }
        let [callee, rest @ ..] = operands else { return Err("Arguments mismatch".into()) };
        let arguments: &[Operand<'a>] = match rest.first() {
            Some(Operand::List(all)) => all,
            _ => &[],
        };
        let (target, shape) = match callee {
            Operand::Symbol(name, _) => {
                let function = self.around.module.function(name).ok_or_else(String::new)?;
                let target = match (&function.body, system(name)) {
                    (None, Some(system)) => Target::System(system),
                    _ => Target::Function(*self.around.functions.get(name).ok_or_else(String::new)?),
                };
                (target, function)
            }
            Operand::Register(_) => {
                let prototype = rest.iter().rev().find_map(|o| match o {
                    Operand::Symbol(name, _) => self.body.prototypes.iter().find(|p| p.name == *name),
                    _ => None,
                });
                let prototype = prototype.ok_or("an indirect call without a prototype")?;
                (Target::Register(self.value(callee, Type::U64)?), prototype)
            }
            _ => return unsupported(),
        };
        if arguments.len() != shape.parameters.len() || results.len() != shape.returns.len() {
            return Err("the number of arguments does not fit the function".into());
        }
        let (offsets, _) = layout(shape.returns.iter().chain(&shape.parameters));
        let mut site = Site { target, arguments: Vec::new(), results: Vec::new() };
        for (n, operand) in results.iter().chain(arguments).enumerate() {
            let is_result = n < results.len();
            let formal = if is_result { &shape.returns[n] } else { &shape.parameters[n - results.len()] };
            let place = match *operand {
                Operand::Local(number, offset) if self.body.variables[number as usize].space != Space::Shared => {
                    if self.function.entry && (number as usize) < self.function.parameters.len() {
                        return Err("a kernel's parameter as an argument".into());
                    }
                    Place::Local(self.places[number as usize].wrapping_add(offset as u64))
                }
                Operand::Register(register) if self.is_wide(register) == (formal.ty.bytes() == 8) => {
                    Place::Lane(register * SLOT, self.is_wide(register))
                }
                _ if !is_result => Place::Lane(self.value(operand, formal.ty)?, formal.ty.bytes() == 8),
                _ => return unsupported(),
            };
            let passed = Passed { place, size: formal.size, offset: offsets[n] };
            if is_result {
                site.results.push(passed);
            } else {
                site.arguments.push(passed);
            }
        }
        self.code.loops = true;
        self.code.sites.push(site);
        let mut step = self.step(call);
        step.number = self.code.sites.len() as u32 - 1;
        self.push(step);
        Ok(())
    }

    fn barrier(&mut self, i: &Instruction<'a>) -> Selected {
        if i.has("warp") {
            return self.control(warp_wide::nothing);
        }
        if i.has("cluster") {
            return unsupported();
        }
        let number = match (i.has("arrive"), i.has("red")) {
            (true, _) => return unsupported(),
            (_, true) if i.has("popc") => 2,
            (_, true) if i.has("and") => 3,
            (_, true) => 4,
            _ => 0,
        };
        let mut operands = i.operands.as_slice();
        let mut step = self.step(warp_wide::barrier);
        step.number = number;
        if number >= 2 {
            let [to, middle @ .., p] = operands else { return Err("Arguments mismatch".into()) };
            step.to[0] = self.result(to, if number == 2 { Type::U32 } else { Type::Pred })?;
            let (p, negated) = self.predicate(p)?;
            step.from[2] = p;
            step.value = if negated { -1 } else { 0 };
            operands = middle;
        }
        step.from[0] = self.value(operands.first().unwrap_or(&Operand::Integer(0)), Type::U32)?;
        step.from[1] = self.value(operands.get(1).unwrap_or(&Operand::Integer(0)), Type::U32)?;
        self.push(step);
        Ok(())
    }

    fn atomic(&mut self, i: &Instruction<'a>, types: &[Type]) -> Selected {
        let operation = i.modifiers.iter().find_map(|m| Operation::parse(m)).ok_or_else(String::new)?;
        let &[ty] = types else { return unsupported() };
        let red = i.opcode == "red";
        let operands = if red { i.operands.as_slice() } else { i.operands.get(1..).unwrap_or(&[]) };
        let [address, b, rest @ ..] = operands else { return Err("Arguments mismatch".into()) };
        if matches!(b, Operand::Vector(_)) || i.has("v2") || i.has("v4") || i.has("v8") {
            return unsupported();
        }
        let (at, wide, offset, space) = self.place(address, Self::space_of(i)?)?;
        let execute = atomic::atomic_of(operation, ty, space).ok_or_else(String::new)?;
        let b = self.value(b, ty)?;
        let c = match rest.first() {
            Some(c) if operation == Operation::CompareExchange => self.value(c, ty)?,
            _ => b,
        };
        let to = match (red, i.operands.first()) {
            (false, Some(d)) if *d != Operand::Nothing => self.result(d, ty)?,
            _ => NONE,
        };
        let mut step = self.step(execute);
        (step.from[0], step.from[1], step.from[2], step.to[0]) = (at, b, c, to);
        (step.value, step.number) = (offset, u32::from(!wide));
        self.push(step);
        Ok(())
    }

    fn shuffle(&mut self, i: &Instruction<'a>) -> Selected {
        let number = ["up", "down", "bfly", "idx"].iter().position(|m| i.has(m)).ok_or_else(String::new)?;
        let [to, a, b, c, ..] = i.operands.as_slice() else { return Err("Arguments mismatch".into()) };
        let (a, b, c) = (self.value(a, Type::B32)?, self.value(b, Type::B32)?, self.value(c, Type::B32)?);
        let mut step = self.step(warp_wide::shuffle);
        (step.from[0], step.from[1], step.from[2], step.number) = (a, b, c, number as u32);
        self.pair(to, &mut step)?;
        self.push(step);
        Ok(())
    }

    /// `d` or `d|p`.
    fn pair(&mut self, to: &Operand<'a>, step: &mut Step) -> Selected {
        match to {
            Operand::Pair(d, p) => {
                step.to[0] = self.result(d, Type::B32)?;
                step.to[1] = self.result(p, Type::Pred)?;
            }
            d => step.to[0] = self.result(d, Type::B32)?,
        }
        Ok(())
    }

    fn vote(&mut self, i: &Instruction<'a>) -> Selected {
        let number = ["all", "any", "uni", "ballot"].iter().position(|m| i.has(m)).ok_or_else(String::new)?;
        let [to, p, rest @ ..] = i.operands.as_slice() else { return Err("Arguments mismatch".into()) };
        let (p, negated) = self.predicate(p)?;
        let members = self.value(rest.first().unwrap_or(&Operand::Integer(0xffff_ffff)), Type::B32)?;
        let to = self.result(to, if number == 3 { Type::B32 } else { Type::Pred })?;
        let mut step = self.step(warp_wide::vote);
        (step.from[0], step.from[1], step.to[0], step.number) = (p, members, to, number as u32);
        step.value = if negated { -1 } else { 0 };
        self.push(step);
        Ok(())
    }

    fn match_lanes(&mut self, i: &Instruction<'a>, ty: Type) -> Selected {
        let [to, a, members] = i.operands.as_slice() else { return Err("Arguments mismatch".into()) };
        let (a, members) = (self.value(a, ty)?, self.value(members, Type::B32)?);
        let mut step = self.step(warp_wide::match_lanes);
        (step.from[0], step.from[1]) = (a, members);
        step.number = u32::from(ty.bytes() == 8) | u32::from(i.has("all")) << 1;
        self.pair(to, &mut step)?;
        self.push(step);
        Ok(())
    }

    fn redux(&mut self, i: &Instruction<'a>, ty: Type) -> Selected {
        let signed = ty == Type::S32;
        let number = match i.modifiers.iter().find(|m| Operation::parse(m).is_some()).copied() {
            Some("add") => 0,
            Some("min") if signed => 3,
            Some("max") if signed => 4,
            Some("min") => 1,
            Some("max") => 2,
            Some("and") => 5,
            Some("or") => 6,
            Some("xor") => 7,
            _ => return unsupported(),
        };
        if ty.is_float() {
            return unsupported();
        }
        let [to, a, members] = i.operands.as_slice() else { return Err("Arguments mismatch".into()) };
        let (a, members) = (self.value(a, ty)?, self.value(members, Type::B32)?);
        let to = self.result(to, ty)?;
        let mut step = self.step(warp_wide::reduce);
        (step.from[0], step.from[1], step.to[0], step.number) = (a, members, to, number);
        self.push(step);
        Ok(())
    }
}
