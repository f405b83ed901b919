//! Operands: the vectors that they are, and where results go.

use crate::lowering::select::{Select, Selected};
use crate::operations;
use crate::operations::arithmetic::{Binary, Manner};
use crate::operations::control::{Clock, ClockPart};
use crate::operations::{arithmetic as scalar, convert};
use crate::state::frame::SLOT;
use crate::state::program::{Base, FUNCTIONS};
use crate::state::warp::Execute;
use ptx::instruction::Special;
use ptx::{Instruction, Operand, Space, Type};

impl<'a> Select<'_, 'a> {
    pub(super) fn is_wide(&self, register: u32) -> bool {
        self.body.registers[register as usize].bytes() >= 8
    }

    pub(super) fn special(&mut self, special: Special) -> u32 {
        let (time, part) = match special {
            Special::Clock => (false, ClockPart::Lower),
            Special::ClockHi => (false, ClockPart::Upper),
            Special::Clock64 => (false, ClockPart::Whole),
            Special::GlobalTimerLo => (true, ClockPart::Lower),
            Special::GlobalTimerHi => (true, ClockPart::Upper),
            Special::GlobalTimer => (true, ClockPart::Whole),
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
        let mut step = self.step(operations::control::clock);
        step.to[0] = at;
        step.set(Clock { time, part });
        self.push(step);
        at
    }

    /// The vector that an operand of a type is.
    pub(super) fn value(&mut self, operand: &Operand<'a>, ty: Type) -> Selected<u32> {
        let wide = ty.bytes() == 8;
        match *operand {
            Operand::Register(register) => {
                let own = self.body.registers[register as usize];
                if (own == Type::Pred) != (ty == Type::Pred) {
                    return Err("Arguments mismatch".into());
                }
                // Of 128 bits the lower half.
                match (own.bytes() >= 8, wide) {
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
            Operand::F32(bits) => Ok(match ty {
                Type::F64 => self.constant(f64::from(f32::from_bits(bits)).to_bits(), true),
                _ => self.constant(bits.into(), wide),
            }),
            Operand::F64(bits) => Ok(match ty {
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
    pub(super) fn resolve(&mut self, operand: &Operand<'a>) -> Selected<(Option<u32>, u64, Space)> {
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
            _ => Err("Arguments mismatch".into()),
        }
    }

    /// The address of a name, as a value.
    pub(super) fn address_value(&mut self, operand: &Operand<'a>, wide: bool) -> Selected<u32> {
        let (base, offset, _) = self.resolve(operand)?;
        let Some(base) = base else {
            return Ok(self.constant(offset, wide));
        };
        let sum = self.slot();
        let offset = self.constant(offset, true);
        let execute = scalar::binary_of(Binary::Add, Type::U64, Manner::default());
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
    pub(super) fn result(&mut self, operand: &Operand<'a>, ty: Type) -> Selected<u32> {
        match *operand {
            Operand::Register(register) => {
                let own = self.body.registers[register as usize];
                if (own == Type::Pred) != (ty == Type::Pred) {
                    return Err("Arguments mismatch".into());
                }
                if own == Type::B128 {
                    self.clear_upper(register);
                }
                match (own.bytes() >= 8, ty.bytes() == 8) {
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

    pub(super) fn simple(
        &mut self,
        execute: Option<Execute>,
        i: &Instruction<'a>,
        result: Type,
        operands: &[Type],
    ) -> Selected {
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
    pub(super) fn predicate(&mut self, operand: &Operand<'a>) -> Selected<(u32, bool)> {
        match *operand {
            Operand::Not(register) => Ok((self.value(&Operand::Register(register), Type::Pred)?, true)),
            _ => Ok((self.value(operand, Type::Pred)?, false)),
        }
    }
}
