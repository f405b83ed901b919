//! Branches, calls and barriers.

use crate::lowering::context::layout;
use crate::lowering::select::{Jumps, Select, Selected};
use crate::operations;
use crate::operations::call::{Call, call};
use crate::operations::check;
use crate::operations::collective::Barrier;
use crate::operations::control::{EAGER, Jump, PATIENCE, TableJump};
use crate::operations::fiber;
use crate::state::fiber::BarrierKind;
use crate::state::frame::{NOWHERE, SLOT};
use crate::state::program::{ArgumentPlace, CallSite, Callee, Passed, system};
use crate::state::warp::Execute;
use ptx::{Body, Instruction, Modifier, Opcode, Operand, Space, Type, flow};
use settings::config::{Schedule, settings};
use std::sync::OnceLock;

impl<'a> Select<'_, 'a> {
    pub(super) fn reconverge(&self) -> u32 {
        let reconverge = self.reconvergence[self.at];
        if reconverge == flow::END { NOWHERE } else { reconverge as u32 }
    }

    /// How likely a loop that goes back to `to` waits for other threads: 0 for no, [`EAGER`] for one that looks like it.
    pub(super) fn weight(&self, to: usize) -> u16 {
        let last = |heaviest: &[u32]| heaviest.get(self.at).is_some_and(|&last| last as usize > to);
        let [eager, any] = &self.weights;
        if last(eager) { EAGER } else { last(any).into() }
    }

    /// What a jump back in a loop of that weight counts. Where work runs in any legal order, others get their turn after a few of them.
    fn counted(weight: u16) -> u16 {
        static OFTEN: OnceLock<bool> = OnceLock::new();
        let often = || settings().is_some_and(|settings| matches!(settings.schedule, Schedule::Random(_)));
        match weight {
            0 => 0,
            _ if !OFTEN.get_or_init(often) => weight,
            EAGER => (PATIENCE / 3) as u16,
            _ => (PATIENCE / 12) as u16,
        }
    }

    /// For each instruction the last one up to it that looks like waiting, and the last that might be; counted from 1.
    pub(super) fn weigh(body: &Body<'_>) -> [Vec<u32>; 2] {
        // Modifiers of accesses that see what others write.
        use Modifier::{Acquire, Gpu, Mmio, Relaxed, Sys, Volatile};
        let strong = |m: &Modifier<'_>| matches!(m, Volatile | Relaxed | Acquire | Mmio | Sys | Gpu);
        let weight = |i: &Instruction<'_>| match i.opcode {
            Opcode::Ld if i.modifiers.iter().any(strong) => EAGER,
            Opcode::Atom | Opcode::Nanosleep | Opcode::Mbarrier => EAGER,
            Opcode::Ld if !i.has(Modifier::Param) && !i.has(Modifier::Const) => 1,
            Opcode::Call => 1,
            _ => 0,
        };
        let (mut eager, mut any) = (0, 0);
        let mut weights = [Vec::new(), Vec::new()];
        for (at, instruction) in (1..).zip(&body.instructions) {
            match weight(instruction) {
                0 => {}
                1 => any = at,
                _ => (eager, any) = (at, at),
            }
            weights[0].push(eager);
            weights[1].push(any);
        }
        weights
    }

    /// A jump to an instruction by the one at hand.
    pub(super) fn jump(&mut self, to: usize) -> Jump {
        let weight = self.weight(to);
        self.code.loops |= to <= self.at;
        self.code.waits |= weight == EAGER;
        Jump { target: to as u32, reconverge: self.reconverge(), weight: Self::counted(weight) }
    }

    pub(super) fn control(&mut self, execute: Execute) -> Selected {
        self.push(self.step(execute));
        Ok(())
    }

    pub(super) fn bra(&mut self, i: &Instruction<'a>) -> Selected {
        let Some(Operand::Label(to)) = i.operands.first() else { return Err("Arguments mismatch".into()) };
        let mut step = self.step(operations::control::branch);
        step.set(self.jump(*to));
        self.jumps.push((self.code.steps.len(), Jumps::Branch));
        self.push(step);
        Ok(())
    }

    pub(super) fn brx(&mut self, i: &Instruction<'a>) -> Selected {
        let [index, Operand::Symbol(name, _)] = i.operands.as_slice() else { return Err("Arguments mismatch".into()) };
        let Some(&table) = self.tables.get(name) else { return Err("Arguments mismatch".into()) };
        let to = &self.body.targets[table as usize].1;
        let Jump { reconverge, weight, .. } = self.jump(to.iter().copied().min().unwrap_or(usize::MAX));
        let index = self.value(index, Type::U32)?;
        let mut step = self.step(operations::control::branch_table);
        step.from[0] = index;
        step.set(TableJump { table, reconverge, weight });
        self.jumps.push((self.code.steps.len(), Jumps::Table));
        self.push(step);
        Ok(())
    }

    pub(super) fn call(&mut self, i: &Instruction<'a>) -> Selected {
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
                let declared = self.around.declared.get(name);
                let declared = declared.and_then(|&number| self.around.module.functions.get(number as usize));
                let Some(function) = declared else { return Err(format!("Unknown symbol '{name}'")) };
                let target = match (&function.body, system(name)) {
                    (None, Some(system)) => Callee::System(system),
                    _ => Callee::Function(*self.around.functions.get(name).ok_or_else(String::new)?),
                };
                (target, function)
            }
            Operand::Register(_) => {
                let prototype = rest.iter().rev().find_map(|o| match o {
                    Operand::Symbol(name, _) => self.prototypes.get(name).copied(),
                    _ => None,
                });
                let prototype = prototype.ok_or("an indirect call without a prototype")?;
                (Callee::Register(self.value(callee, Type::U64)?), prototype)
            }
            _ => return Err("Arguments mismatch".into()),
        };
        // Another module may have declared a result that there is not; nothing is written then, as on a device.
        let results = if self.around.module.linked && shape.returns.is_empty() { &[] } else { results };
        if arguments.len() != shape.parameters.len() || results.len() != shape.returns.len() {
            return Err("the number of arguments does not fit the function".into());
        }
        let (offsets, _) = layout(shape.returns.iter().chain(&shape.parameters));
        let mut site = CallSite { target, arguments: Vec::new(), results: Vec::new() };
        for (n, operand) in results.iter().chain(arguments).enumerate() {
            let is_result = n < results.len();
            let formal = if is_result { &shape.returns[n] } else { &shape.parameters[n - results.len()] };
            // Declarations of another module may differ.
            let own = match *operand {
                Operand::Local(number, 0) => self.body.variables.get(number as usize).map(|v| v.size),
                Operand::Register(register) => self.body.registers.get(register as usize).map(|ty| ty.bytes()),
                _ => None,
            };
            let differs = |own: usize| own.max(4) != formal.size.max(4) && formal.size <= 8;
            if own.is_some_and(differs) && !self.around.module.linked {
                return Err(format!("Type of argument does not match formal parameter '{}'", formal.name));
            }
            let place = match *operand {
                Operand::Local(number, offset) if self.body.variables[number as usize].space != Space::Shared => {
                    if self.function.entry && (number as usize) < self.function.parameters.len() {
                        return Err("a kernel's parameter as an argument".into());
                    }
                    ArgumentPlace::Local(self.places[number as usize].wrapping_add(offset as u64))
                }
                Operand::Register(register) if self.is_wide(register) == (formal.ty.bytes() == 8) => {
                    ArgumentPlace::Lane(register * SLOT, self.is_wide(register))
                }
                _ if !is_result => ArgumentPlace::Lane(self.value(operand, formal.ty)?, formal.ty.bytes() == 8),
                _ => return Err("Arguments mismatch".into()),
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
        step.set(Call { site: self.code.sites.len() as u32 - 1 });
        self.push(step);
        Ok(())
    }

    pub(super) fn barrier(&mut self, i: &Instruction<'a>) -> Selected {
        if i.has(Modifier::Warp) {
            let mut step = self.step(fiber::warp_barrier);
            step.from[0] = self.value(i.operands.first().unwrap_or(&Operand::Integer(0xffff_ffff)), Type::U32)?;
            self.probe_members(&step, 0, true);
            self.push(step);
            return Ok(());
        }
        if i.has(Modifier::Cluster) {
            let waits = i.has(Modifier::Wait);
            self.code.waits |= waits;
            return self.control(if waits {
                crate::operations::cluster::wait
            } else {
                crate::operations::cluster::arrive
            });
        }
        let kind = match (i.has(Modifier::Arrive), i.has(Modifier::Red)) {
            (true, _) => BarrierKind::Arrive,
            (_, true) if i.has(Modifier::Popc) => BarrierKind::Count,
            (_, true) if i.has(Modifier::And) => BarrierKind::All,
            (_, true) => BarrierKind::Any,
            _ => BarrierKind::Wait,
        };
        let aligned = i.opcode == Opcode::Bar || i.has(Modifier::Aligned);
        let mut barrier = Barrier { kind, negated: false, known: false, aligned, number: 0, threads: 0 };
        let mut operands = i.operands.as_slice();
        let mut step = self.step(operations::collective::barrier);
        if !matches!(kind, BarrierKind::Wait | BarrierKind::Arrive) {
            let [to, middle @ .., p] = operands else { return Err("Arguments mismatch".into()) };
            step.to[0] = self.result(to, if kind == BarrierKind::Count { Type::U32 } else { Type::Pred })?;
            let (p, negated) = self.predicate(p)?;
            step.from[2] = p;
            barrier.negated = negated;
            operands = middle;
        }
        let (id, threads) = (operands.first().unwrap_or(&Operand::Integer(0)), operands.get(1));
        let threads = threads.unwrap_or(&Operand::Integer(0));
        if let (Operand::Integer(id), Operand::Integer(threads)) = (id, threads) {
            (barrier.known, barrier.number, barrier.threads) = (true, *id as u32, *threads as u32);
        }
        step.set(barrier);
        step.from[0] = self.value(id, Type::U32)?;
        step.from[1] = self.value(threads, Type::U32)?;
        if self.around.wanted.misuse {
            self.probe_with(&step, check::barrier);
        }
        self.push(step);
        Ok(())
    }
}
