//! Texture and surface instructions.

use crate::lowering::select::{Select, Selected, unsupported};
use crate::operations;
use crate::operations::predicate::{Logic, LogicOperation};
use crate::operations::surface::{Access, Action, Outside, Reduction};
use crate::operations::texture::{Detail, Fetch, Given, Query, ReferenceType, TextureQuery};
use crate::operations::{surface, texture};
use ptx::{Instruction, Modifier, Opcode, Operand, Type};

/// Questions in the manual that NVIDIA's driver does not know, either: it refuses the module.
const UNKNOWN: &str = "no driver answers this";

/// The shape of what is read: dimensions, layers, cube, several samples of an element.
#[derive(Clone, Copy)]
struct Geometry {
    dimensions: usize,
    layered: bool,
    cube: bool,
    samples: bool,
}

impl Geometry {
    fn of(i: &Instruction<'_>) -> Selected<Geometry> {
        let make = |dimensions, layered, cube| Some(Geometry { dimensions, layered, cube, samples: false });
        let found = i.modifiers.iter().find_map(|m| match *m {
            Modifier::D1 => make(1, false, false),
            Modifier::D2 => make(2, false, false),
            Modifier::D3 => make(3, false, false),
            Modifier::A1d => make(1, true, false),
            Modifier::A2d => make(2, true, false),
            Modifier::Cube => make(3, false, true),
            Modifier::Acube => make(3, true, true),
            Modifier::D2Ms | Modifier::A2dMs => {
                Some(Geometry { dimensions: 2, layered: *m == Modifier::A2dMs, cube: false, samples: true })
            }
            _ => None,
        });
        found.ok_or_else(String::new)
    }
}

/// Registers that say which element is meant.
struct Coordinates {
    at: Vec<u32>,
    layer: Option<u32>,
    sample: Option<u32>,
}

impl<'a> Select<'_, 'a> {
    /// The object of a texture or surface instruction, by handle or by name, and the rest of its place.
    fn object<'o>(&mut self, operand: &'o Operand<'a>) -> Selected<(u32, &'o [Operand<'a>])> {
        let (object, rest): (&Operand<'a>, &[Operand<'a>]) = match operand {
            Operand::Indexed(all) => all.split_first().ok_or_else(String::new)?,
            Operand::Address(object, 0) => (object, &[]),
            other => (other, &[]),
        };
        Ok((self.value(object, Type::B64)?, rest))
    }

    /// Coordinates: the layer and the sample, if there are such, and as many as there are dimensions.
    fn coordinates(&mut self, operand: &Operand<'a>, geometry: Geometry, ty: Type) -> Selected<Coordinates> {
        let mut all = Self::elements(operand);
        let mut numbers = [None; 2];
        for (number, has) in numbers.iter_mut().zip([geometry.layered, geometry.samples]) {
            if has {
                let (first, rest) = all.split_first().ok_or("Arguments mismatch")?;
                *number = Some(self.value(first, Type::U32)?);
                all = rest;
            }
        }
        if all.len() < geometry.dimensions {
            return Err("Arguments mismatch".into());
        }
        let mut at = Vec::with_capacity(geometry.dimensions);
        for coordinate in &all[..geometry.dimensions] {
            at.push(self.value(coordinate, ty)?);
        }
        Ok(Coordinates { at, layer: numbers[0], sample: numbers[1] })
    }

    /// The words of a vector operand.
    fn words(&mut self, operand: &Operand<'a>, ty: Type, count: usize) -> Selected<Vec<u32>> {
        let all = Self::elements(operand);
        if all.len() < count {
            return Err("Arguments mismatch".into());
        }
        all[..count].iter().map(|o| self.value(o, ty)).collect()
    }

    /// `tex` and `tld4`.
    pub(super) fn tex(&mut self, i: &Instruction<'a>) -> Selected {
        let geometry = Geometry::of(i)?;
        let types: Vec<Type> = i.types().collect();
        let &[given, ty] = types.as_slice() else { return unsupported() };
        if !matches!(ty, Type::S32 | Type::F32)
            || (geometry.cube && ty != Type::F32)
            || (geometry.samples
                && (ty != Type::S32 || i.modifiers.iter().any(|m| matches!(m, Modifier::Level | Modifier::Grad))))
        {
            return unsupported();
        }
        let (given, words) = match given {
            Type::F16x2 => (Given::Halves, 2),
            Type::F16 => (Given::Singly, 4),
            Type::U32 | Type::S32 | Type::F32 => (Given::Words, 4),
            _ => return unsupported(),
        };
        let gathers = i.opcode == Opcode::Tld4;
        let gather =
            [Modifier::R, Modifier::G, Modifier::B, Modifier::A].into_iter().position(|c| i.has(c)).filter(|_| gathers);
        if gathers && gather.is_none() {
            return unsupported();
        }
        let [to, place, rest @ ..] = i.operands.as_slice() else { return Err("Arguments mismatch".into()) };
        // `d|p`: the predicate says whether everything was resident.
        let (to, resident) = match to {
            Operand::Pair(to, resident) => (&**to, Some(&**resident)),
            to => (to, None),
        };
        let (object, inner) = self.object(place)?;
        let coordinates = match inner {
            [coordinates] => coordinates,
            // The device takes everything from the texture, whatever its sampler is.
            [sampler, coordinates] => {
                self.sampler(sampler)?;
                coordinates
            }
            _ => return Err("Arguments mismatch".into()),
        };
        let Coordinates { at, layer, sample } = self.coordinates(coordinates, geometry, ty)?;
        let mut rest = rest;
        let mut take = |count: usize| -> Selected<&[Operand<'a>]> {
            if rest.len() < count {
                return Err("Arguments mismatch".into());
            }
            let (first, behind) = rest.split_at(count);
            rest = behind;
            Ok(first)
        };
        let detail = if i.has(Modifier::Level) {
            Detail::Level(self.value(&take(1)?[0], ty)?)
        } else if i.has(Modifier::Grad) {
            let both = take(2)?;
            let first = self.words(&both[0], Type::F32, geometry.dimensions)?;
            Detail::Gradients(first, self.words(&both[1], Type::F32, geometry.dimensions)?)
        } else if i.has(Modifier::Base) {
            Detail::Base
        } else {
            Detail::None
        };
        // What depths are compared with comes last. No array of depths can be made, and others are read as ever.
        let compares = (geometry.dimensions < 3 || geometry.cube) && ty == Type::F32;
        if let ([.., last], true) = (rest, compares)
            && !matches!(last, Operand::Vector(_))
        {
            self.value(last, Type::F32)?;
            rest = &rest[..rest.len() - 1];
        }
        let offset = match rest {
            [] => Vec::new(),
            // Cubes have none.
            [offset] if !geometry.cube => self.words(offset, Type::S32, geometry.dimensions)?,
            _ => return Err("Arguments mismatch".into()),
        };
        let results = Self::elements(to);
        // Results of a narrower vector are the first ones.
        if results.is_empty() || results.len() > words {
            return Err("Arguments mismatch".into());
        }
        let mut registers = Vec::with_capacity(results.len());
        for result in results {
            registers.push(self.result(result, if given == Given::Singly { Type::B16 } else { Type::B32 })?);
        }
        let mut step = self.step(texture::fetch);
        step.set(self.code.details.add(Fetch {
            texture: object,
            at,
            whole: ty == Type::S32,
            layer,
            sample,
            cube: geometry.cube,
            detail,
            offset,
            gather,
            to: registers,
            given,
        }));
        self.push(step);
        if let Some(resident) = resident {
            let (all, to) = (self.constant(0xffff_ffff, false), self.result(resident, Type::Pred)?);
            let mut step = self.step(operations::predicate::logic);
            (step.from[0], step.from[1], step.to[0]) = (all, all, to);
            step.set(Logic { operation: LogicOperation::Move, negated: [false; 2] });
            self.push(step);
        }
        Ok(())
    }

    /// A sampler of its own in a register. The driver finds none by name, either.
    fn sampler(&mut self, sampler: &Operand<'a>) -> Selected {
        match sampler {
            Operand::Register(_) => self.value(sampler, Type::B64).map(|_| ()),
            _ => Err("samplers apart from their textures, by name".into()),
        }
    }

    /// `txq` and `suq`.
    pub(super) fn query(&mut self, i: &Instruction<'a>) -> Selected {
        let question = i.modifiers.iter().find_map(|m| TextureQuery::of(*m)).ok_or(UNKNOWN)?;
        let surface = i.opcode == Opcode::Suq;
        let [to, place, level @ ..] = i.operands.as_slice() else { return Err("Arguments mismatch".into()) };
        if surface
            && !matches!(
                question,
                TextureQuery::Width | TextureQuery::Height | TextureQuery::Depth | TextureQuery::ArraySize
            )
        {
            return Err(UNKNOWN.into());
        }
        let (object, _) = self.object(place)?;
        let level = self.value(level.first().unwrap_or(&Operand::Integer(0)), Type::B32)?;
        let to = self.result(to, Type::B32)?;
        let mut step = self.step(texture::query);
        (step.from[0], step.from[1], step.to[0]) = (object, level, to);
        step.set(Query { question, surface });
        self.push(step);
        Ok(())
    }

    pub(super) fn is_type(&mut self, i: &Instruction<'a>) -> Selected {
        let types = [
            (Modifier::Texref, ReferenceType::Texture),
            (Modifier::Samplerref, ReferenceType::Sampler),
            (Modifier::Surfref, ReferenceType::Surface),
        ];
        let (_, asked) = types.into_iter().find(|(m, _)| i.has(*m)).ok_or_else(String::new)?;
        let [to, object] = i.operands.as_slice() else { return Err("Arguments mismatch".into()) };
        let (from, to) = (self.value(object, Type::B64)?, self.result(to, Type::Pred)?);
        let mut step = self.step(texture::is_type);
        (step.from[0], step.to[0]) = (from, to);
        step.set(asked);
        self.push(step);
        Ok(())
    }

    /// `suld`, `sust` and `sured`.
    pub(super) fn surface(&mut self, i: &Instruction<'a>) -> Selected {
        let geometry = Geometry::of(i)?;
        let ty = i.types().last().ok_or_else(String::new)?;
        let by_element = i.has(Modifier::P);
        if geometry.cube || geometry.samples || (!by_element && !i.has(Modifier::B)) {
            return unsupported();
        }
        let outside = i.modifiers.iter().find_map(|m| match *m {
            Modifier::Trap => Some(Outside::Trap),
            Modifier::Clamp => Some(Outside::Clamp),
            Modifier::Zero => Some(Outside::Zero),
            _ => None,
        });
        let signed = ty.is_signed();
        let action = match i.opcode {
            Opcode::Suld if !by_element => Action::Load,
            Opcode::Sust if by_element => Action::StoreFormatted,
            Opcode::Sust => Action::Store,
            Opcode::Sured => Action::Reduce(
                i.modifiers
                    .iter()
                    .find_map(|m| match *m {
                        Modifier::Add => Some(Reduction::Add),
                        Modifier::Min => Some(Reduction::Min(signed)),
                        Modifier::Max => Some(Reduction::Max(signed)),
                        Modifier::And => Some(Reduction::And),
                        Modifier::Or => Some(Reduction::Or),
                        _ => None,
                    })
                    .ok_or_else(String::new)?,
            ),
            _ => return unsupported(),
        };
        let (place, values) = match (action, i.operands.as_slice()) {
            (Action::Load, [values, place]) => (place, values),
            (Action::Load, _) => return Err("Arguments mismatch".into()),
            (_, [place, values]) => (place, values),
            _ => return Err("Arguments mismatch".into()),
        };
        let (object, inner) = self.object(place)?;
        let [coordinates] = inner else { return Err("Arguments mismatch".into()) };
        let Coordinates { at, layer, .. } = self.coordinates(coordinates, geometry, Type::S32)?;
        let all = Self::elements(values);
        if all.is_empty() || all.len() > 4 || ty.bytes() * all.len() > 16 {
            return Err("Arguments mismatch".into());
        }
        let mut registers = Vec::with_capacity(all.len());
        for value in all {
            registers.push(if action == Action::Load { self.result(value, ty)? } else { self.value(value, ty)? });
        }
        let mut step = self.step(surface::lanes::access);
        step.set(self.code.details.add(Access {
            surface: object,
            at,
            layer,
            by_element,
            outside: outside.unwrap_or(Outside::Trap),
            action,
            bytes: ty.bytes(),
            registers,
        }));
        self.push(step);
        Ok(())
    }
}
