//! How values differ between the lanes of a warp, and between blocks.

use super::effect::Purity;
use super::marks::Marks;
use super::region::{Finder, Region};
use super::ssa::{Origin, Ssa, Value};
use crate::instruction::{Instruction, Operand, Special};
use crate::modifier::Modifier;
use crate::module::Body;
use crate::opcode::{Lanes, Opcode};
use crate::types::{Space, Type};
use core::cell::Cell;

/// How a value differs between the lanes that hold it at the same time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Uniformity {
    /// Not at all.
    Uniform,
    /// Each lane's is `stride` more than that of the lane before.
    ///
    /// `guarded`: only if a number of 32 bits did not wrap on the way. A user has to check that the values
    /// of the last and of the first lane differ by 31 strides.
    Affine { stride: i64, guarded: bool },
    /// In any way.
    Varying,
}

/// What is known of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Class {
    /// Between lanes.
    pub uniformity: Uniformity,
    /// A thread's value is the same in all blocks of a launch: nothing but the parameters, the shape of the launch and the
    /// thread's place in its block goes into it.
    pub fixed: bool,
    /// So many lower bits of the first lane's number are zeros.
    pub zeros: u8,
}

/// A warp has two to the power of this lanes.
const WARP_BITS: u8 = 5;

/// Whether each warp of such blocks is a row of threads, which differ in `%tid.x` alone.
#[inline]
pub fn warps_are_rows([x, y, z]: [u32; 3]) -> bool {
    x % 32 == 0 || y == 1 && z == 1
}

impl Class {
    const CONSTANT: Class = Class { uniformity: Uniformity::Uniform, fixed: true, zeros: 0 };
    const UNKNOWN: Class = Class { uniformity: Uniformity::Varying, fixed: false, zeros: 0 };

    fn is_uniform(self) -> bool {
        self.uniformity == Uniformity::Uniform
    }

    /// Stride and guard, for what has one.
    fn stride(self) -> Option<(i64, bool)> {
        match self.uniformity {
            Uniformity::Uniform => Some((0, false)),
            Uniformity::Affine { stride, guarded } => Some((stride, guarded)),
            Uniformity::Varying => None,
        }
    }

    /// What both are.
    fn merge(self, other: Class) -> Class {
        let uniformity = match (self.stride(), other.stride()) {
            (Some((a, guarded)), Some((b, too))) if a == b => affine(a, guarded | too),
            _ => Uniformity::Varying,
        };
        Class { uniformity, fixed: self.fixed && other.fixed, zeros: self.zeros.min(other.zeros) }
    }

    /// How many lower bits differ between lanes, where nothing is carried into the bits above: what the first lane has in
    /// their place are zeros.
    fn low_bits(self) -> Option<u32> {
        match self.uniformity {
            Uniformity::Uniform => Some(0),
            Uniformity::Affine { stride, guarded: false } if stride > 0 => {
                let bits = 64 - stride.checked_mul(31)?.leading_zeros();
                (bits <= u32::from(self.zeros)).then_some(bits)
            }
            _ => None,
        }
    }
}

fn affine(stride: i64, guarded: bool) -> Uniformity {
    if stride == 0 && !guarded { Uniformity::Uniform } else { Uniformity::Affine { stride, guarded } }
}

/// The classes of a function's values.
pub struct Classes {
    /// For each value.
    pub of: Vec<Class>,
    /// Branches that part the lanes of a warp.
    pub divergent: Vec<Region>,
    /// More would be known of blocks that are a multiple of 32 threads wide.
    pub wants_whole: bool,
}

/// What is known of the threads that run a function.
#[derive(Clone, Copy, Debug, Default)]
pub struct Known {
    /// It is a kernel.
    pub entry: bool,
    /// How many parameters it has: the first variables of the body.
    pub parameters: usize,
    /// The threads of a block, if they are known.
    pub threads: Option<[u32; 3]>,
    /// `%ntid.x` is a multiple of 32.
    pub whole: bool,
}

/// Finds the classes of all values. Where that takes too long, nothing is known of any.
pub fn classes(body: &Body<'_>, ssa: &Ssa, known: Known) -> Classes {
    /// Blocks, ways and values of all regions together: branches that all skip the rest of a function have as many as their
    /// number squared.
    const ENOUGH: usize = 1 << 24;
    let blocks = ssa.graph.starts.len();
    let mut search = Search {
        body,
        ssa,
        known,
        of: vec![None; ssa.values.len()],
        parted: vec![false; blocks + 1],
        spoilt: vec![false; ssa.values.len()],
        divergent: Vec::new(),
        known_divergent: vec![false; blocks],
        users: Users::new(ssa),
        joins: vec![Vec::new(); blocks + 1],
        stale: Marks::all(ssa.values.len()),
        pending: Marks::none(blocks),
        finder: Finder::new(blocks),
        live: ssa.live_values(),
        work: ENOUGH,
        misses: Cell::new(false),
        asks: Cell::new(false),
    };
    search.index();
    let reconverge = ssa.graph.reconvergence_blocks();
    while let Some(changed) = search.round(&reconverge) {
        if !changed {
            // What was never evaluated stands in blocks that cannot be reached.
            let of = search.of.into_iter().map(|class| class.unwrap_or(Class::UNKNOWN)).collect();
            let wants_whole = search.misses.get() && search.asks.get();
            return Classes { of, divergent: search.divergent, wants_whole };
        }
    }
    Classes { of: vec![Class::UNKNOWN; ssa.values.len()], divergent: Vec::new(), wants_whole: false }
}

/// Who reads each value: instructions, and joins.
struct Users {
    starts: Vec<u32>,
    all: Vec<User>,
}

#[derive(Clone, Copy)]
enum User {
    Instruction(u32),
    Join(Value),
}

impl Users {
    fn new(ssa: &Ssa) -> Users {
        let mut starts = vec![0u32; ssa.values.len() + 1];
        Users::each(ssa, |value, _| starts[value as usize + 1] += 1);
        for at in 1..starts.len() {
            starts[at] += starts[at - 1];
        }
        let mut all = vec![User::Join(0); *starts.last().unwrap_or(&0) as usize];
        let mut place = starts.clone();
        Users::each(ssa, |value, user| {
            all[place[value as usize] as usize] = user;
            place[value as usize] += 1;
        });
        Users { starts, all }
    }

    fn each(ssa: &Ssa, mut f: impl FnMut(Value, User)) {
        for (at, uses) in ssa.uses.iter().enumerate() {
            uses.iter().for_each(|&value| f(value, User::Instruction(at as u32)));
        }
        for (number, definition) in ssa.values.iter().enumerate() {
            if let Origin::Join(_) = definition.origin {
                definition.from.iter().for_each(|&value| f(value, User::Join(number as Value)));
            }
        }
    }

    fn of(&self, value: usize) -> &[User] {
        &self.all[self.starts[value] as usize..self.starts[value + 1] as usize]
    }
}

struct Search<'s, 'a> {
    body: &'s Body<'a>,
    ssa: &'s Ssa,
    known: Known,
    /// None for what has not been evaluated.
    of: Vec<Option<Class>>,
    /// Blocks at whose beginning lanes reconverge that came different ways.
    parted: Vec<bool>,
    /// Values that lanes took out of a loop at different times.
    spoilt: Vec<bool>,
    divergent: Vec<Region>,
    /// Blocks whose branches are among them.
    known_divergent: Vec<bool>,
    users: Users,
    /// For each block the values that are joined at its beginning.
    joins: Vec<Vec<Value>>,
    /// Values that have to be evaluated (again).
    stale: Marks,
    /// Blocks whose branches have to be.
    pending: Marks,
    finder: Finder,
    /// Values that are read, joins by others included.
    live: Vec<bool>,
    /// How much more may be done.
    work: usize,
    /// A row's lower bits are taken apart from the others, and more zeros would have to be known for that; `%ntid.x` is read,
    /// of which they are not known.
    misses: Cell<bool>,
    asks: Cell<bool>,
}

impl Search<'_, '_> {
    /// Looks at values, then at branches. True when anything has changed; none when it is too much.
    fn round(&mut self, reconverge: &[usize]) -> Option<bool> {
        let values = self.pass();
        Some(self.branches(reconverge)? | values)
    }

    /// Finds out what is joined where.
    fn index(&mut self) {
        for (number, definition) in self.ssa.values.iter().enumerate() {
            if let Origin::Join(block) = definition.origin {
                self.joins[block as usize].push(number as Value);
            }
        }
    }

    /// Lanes come different ways to the beginning of a block.
    fn part(&mut self, block: u32) {
        if !core::mem::replace(&mut self.parted[block as usize], true) {
            for &value in &self.joins[block as usize] {
                self.stale.insert(value as usize);
            }
        }
    }

    /// Looks at all values that may have changed, in their order. True when one has.
    fn pass(&mut self) -> bool {
        let (mut changed, mut word) = (false, 0);
        while let Some(value) = self.stale.take_from(word) {
            word = value / 64;
            changed |= self.evaluate(value);
        }
        changed
    }

    /// Looks at a value. True when it has changed; then those that follow from it may, too.
    fn evaluate(&mut self, value: usize) -> bool {
        let definition = &self.ssa.values[value];
        let mut class = match definition.origin {
            Origin::Undefined => Class::CONSTANT,
            Origin::Any => Class::UNKNOWN,
            Origin::Instruction(at) => match self.instruction(at as usize) {
                Some(class) => class,
                None => return false,
            },
            Origin::Join(block) => {
                let from = definition.from.iter().filter_map(|&from| self.of[from as usize]);
                let Some(all) = from.reduce(Class::merge) else { return false };
                let uniformity = if self.parted[block as usize] { Uniformity::Varying } else { all.uniformity };
                Class { uniformity, fixed: false, zeros: all.zeros }
            }
        };
        if self.spoilt[value] {
            class.uniformity = Uniformity::Varying;
        }
        // Never back up: then this ends.
        if let Some(old) = self.of[value] {
            class = Class { fixed: old.fixed && class.fixed, zeros: old.zeros.min(class.zeros), ..class };
            if old.uniformity == Uniformity::Varying || (!old.is_uniform() && class.is_uniform()) {
                class.uniformity = old.uniformity;
            } else if !old.is_uniform() && class.uniformity != old.uniformity {
                class.uniformity = Uniformity::Varying;
            }
        }
        if self.of[value] == Some(class) {
            return false;
        }
        self.of[value] = Some(class);
        for &user in self.users.of(value) {
            match user {
                User::Join(join) => self.stale.insert(join as usize),
                User::Instruction(at) => {
                    self.ssa.defs[at as usize].iter().for_each(|&def| self.stale.insert(def as usize));
                    if self.body.instructions[at as usize].opcode.branches() {
                        self.pending.insert(self.ssa.block_of[at as usize] as usize);
                    }
                }
            }
        }
        true
    }

    /// Looks at branches on values that have changed. True when one was found to part lanes that was not known to; none when
    /// the regions are too large.
    fn branches(&mut self, reconverge: &[usize]) -> Option<bool> {
        let mut changed = false;
        while let Some(block) = self.pending.take_from(0) {
            let at = self.ssa.graph.range(block, self.body.instructions.len()).end - 1;
            // Lanes that leave the function do not reconverge.
            if self.known_divergent[block] || !self.body.instructions[at].opcode.branches() {
                continue;
            }
            let uniform = |value: &Value| self.of[*value as usize].is_none_or(Class::is_uniform);
            if self.ssa.uses[at].iter().all(uniform) {
                continue;
            }
            let reconvergence = reconverge[block];
            let region = self.finder.find(&self.ssa.graph, block, reconvergence, &mut self.work)?;
            // Where all but those that wait go one way, they go it together.
            let ways = self.ssa.graph.next[block].iter().filter(|&&way| way != reconvergence).count();
            for &inside in region.blocks.iter().filter(|_| ways > 1) {
                self.part(inside);
            }
            if let Some(reconvergence) = region.reconvergence {
                self.part(reconvergence);
            }
            if region.cyclic {
                self.vary_outside(&region)?;
            }
            self.known_divergent[block] = true;
            self.divergent.push(region);
            changed = true;
        }
        Some(changed)
    }

    /// Values of a loop that lanes leave at different times, and that are used outside of it. The region is the last that
    /// was found.
    fn vary_outside(&mut self, region: &Region) -> Option<()> {
        let (ssa, count) = (self.ssa, self.body.instructions.len());
        for &block in &region.blocks {
            let made = ssa.graph.range(block as usize, count).flat_map(|at| &ssa.defs[at]);
            for &value in self.joins[block as usize].iter().chain(made) {
                let users = self.users.of(value as usize);
                self.work = self.work.checked_sub(1 + users.len())?;
                let outside = |user: &User| match *user {
                    User::Instruction(at) => !self.finder.is_inside(ssa.block_of[at as usize]),
                    // A join that nobody reads takes nothing out.
                    User::Join(join) if !self.live[join as usize] => false,
                    User::Join(join) => match ssa.values[join as usize].origin {
                        Origin::Join(block) => !self.finder.is_inside(block),
                        _ => false,
                    },
                };
                if users.iter().any(outside) {
                    self.spoilt[value as usize] = true;
                    self.stale.insert(value as usize);
                }
            }
        }
        Some(())
    }

    /// The class of what an instruction writes; none as long as nothing is known of what it reads.
    fn instruction(&self, at: usize) -> Option<Class> {
        let i = &self.body.instructions[at];
        let effect = &self.ssa.effects[at];
        let mut read = Vec::with_capacity(effect.uses.len());
        for &value in &self.ssa.uses[at] {
            read.push(self.of[value as usize]?);
        }
        let all = read.iter().copied().reduce(|a, b| Class {
            uniformity: if a.is_uniform() && b.is_uniform() { Uniformity::Uniform } else { Uniformity::Varying },
            fixed: a.fixed && b.fixed,
            zeros: 0,
        });
        let all = all.unwrap_or(Class::CONSTANT);
        let class = match effect.purity {
            Purity::Pure => self.pure(at, i),
            Purity::Parameter if self.known.entry && self.is_own(i) => {
                Class { uniformity: if all.is_uniform() { Uniformity::Uniform } else { Uniformity::Varying }, ..all }
            }
            Purity::Constant => {
                Class { uniformity: if all.is_uniform() { Uniformity::Uniform } else { Uniformity::Varying }, ..all }
            }
            Purity::Parameter => Class::UNKNOWN,
            Purity::Other => match i.opcode.lanes() {
                Lanes::Access if all.is_uniform() && !i.has(Modifier::Volatile) && !i.has(Modifier::Local) => {
                    Class { fixed: false, ..Class::CONSTANT }
                }
                lanes @ (Lanes::Members | Lanes::Warp) => {
                    let masks = i.operands.last().map(|o| self.operand(at, o));
                    let uniform = lanes == Lanes::Warp || masks.is_none_or(Class::is_uniform);
                    if uniform { Class { fixed: false, ..Class::CONSTANT } } else { Class::UNKNOWN }
                }
                // With a carry, or a volatile access.
                Lanes::Plain | Lanes::Access | Lanes::Copy | Lanes::Sum | Lanes::Difference | Lanes::Negation => {
                    Class::UNKNOWN
                }
                Lanes::Shift | Lanes::Product | Lanes::ProductSum | Lanes::Conversion => Class::UNKNOWN,
            },
        };
        if i.guard.is_some() {
            // Some lanes keep what they had.
            let mixed = if all.is_uniform() && class.is_uniform() { Uniformity::Uniform } else { Uniformity::Varying };
            return Some(Class { uniformity: mixed, fixed: class.fixed && all.fixed, zeros: 0 });
        }
        Some(class)
    }

    /// True when an access goes to a parameter of the kernel, and not to one of a call that it makes.
    fn is_own(&self, i: &Instruction<'_>) -> bool {
        variable_of(i).is_some_and(|(number, _)| (number as usize) < self.known.parameters)
    }

    /// The class of an operand that an instruction reads.
    fn operand(&self, at: usize, operand: &Operand<'_>) -> Class {
        match operand {
            Operand::Register(register) | Operand::Not(register) => {
                let n = self.ssa.effects[at].uses.iter().position(|r| r == register);
                let value = n.and_then(|n| self.ssa.uses[at].get(n));
                value.and_then(|&value| self.of[value as usize]).unwrap_or(Class::UNKNOWN)
            }
            Operand::Integer(number) => Class { zeros: number.trailing_zeros() as u8, ..Class::CONSTANT },
            Operand::F32(_) | Operand::F64(_) | Operand::Symbol(..) | Operand::Nothing => Class::CONSTANT,
            Operand::Special(special) => self.special(*special),
            // Offsets of the call's variables.
            Operand::Local(..) => Class { fixed: self.known.entry, ..Class::CONSTANT },
            Operand::Vector(all) | Operand::List(all) | Operand::Indexed(all) => {
                let each = all.iter().map(|o| self.operand(at, o));
                each.reduce(Class::merge).unwrap_or(Class::CONSTANT)
            }
            Operand::Address(base, _) => self.operand(at, base),
            _ => Class::UNKNOWN,
        }
    }

    fn special(&self, special: Special) -> Class {
        let fixed = self.known.entry && special.is_fixed();
        let uniformity = match special {
            Special::Tid(axis) => self.thread(axis),
            Special::LaneId => Uniformity::Affine { stride: 1, guarded: false },
            Special::LanemaskEq | Special::LanemaskLe | Special::LanemaskLt | Special::LanemaskGe => {
                Uniformity::Varying
            }
            Special::LanemaskGt => Uniformity::Varying,
            special if special.is_clock() => Uniformity::Varying,
            _ => Uniformity::Uniform,
        };
        let zeros = match special {
            // A warp begins with a multiple of its size where it is a row.
            Special::Tid(0) if uniformity != Uniformity::Varying => WARP_BITS,
            Special::LaneId => u64::BITS as u8,
            Special::Ntid(0) if self.known.whole => WARP_BITS,
            Special::Ntid(0) => {
                self.asks.set(true);
                0
            }
            _ => 0,
        };
        Class { uniformity, fixed, zeros }
    }

    /// How the values differ of an axis of `%tid`.
    fn thread(&self, axis: u8) -> Uniformity {
        let Some(block @ [x, y, z]) = self.known.threads else { return Uniformity::Varying };
        match axis {
            0 if warps_are_rows(block) => affine(1, false),
            1 | 2 if warps_are_rows(block) => Uniformity::Uniform,
            2 if (u64::from(x) * u64::from(y)) % 32 == 0 || z == 1 => Uniformity::Uniform,
            _ => Uniformity::Varying,
        }
    }

    /// The class of the result of an instruction without effects.
    fn pure(&self, at: usize, i: &Instruction<'_>) -> Class {
        let read: Vec<Class> = i.operands.iter().skip(1).map(|o| self.operand(at, o)).collect();
        // A block learns of its cluster after it has been made.
        let early = !i.has(Modifier::SharedCluster);
        let fixed = early && read.iter().all(|class| class.fixed);
        let zeros = zeros(i, &read);
        if read.iter().all(|class| class.is_uniform()) {
            let local = matches!(i.opcode, Opcode::Cvta | Opcode::Isspacep) && i.has(Modifier::Local);
            return Class { uniformity: if local { Uniformity::Varying } else { Uniformity::Uniform }, fixed, zeros };
        }
        let uniformity = self.parts(i, &read).or_else(|| self.arithmetic(i, &read)).unwrap_or(Uniformity::Varying);
        Class { uniformity, fixed, zeros }
    }

    /// How the results differ where the lower bits of a row are taken off or kept, or put beside others: the number of the warp
    /// and of the lane, as kernels work them out.
    fn parts(&self, i: &Instruction<'_>, read: &[Class]) -> Option<Uniformity> {
        let ty = i.types().last()?;
        let (Opcode::Shr | Opcode::And | Opcode::Or | Opcode::Xor) = i.opcode else { return None };
        let &[a, b] = read else { return None };
        if !matches!(ty.bytes(), 4 | 8) || i.types().count() != 1 {
            return None;
        }
        let number = |n: usize| match i.operands.get(n + 1) {
            Some(Operand::Integer(number)) => Some(*number),
            _ => None,
        };
        let low = |class: Class| {
            let bits = class.low_bits();
            let row = matches!(class.uniformity, Uniformity::Affine { stride: 1..=1024, guarded: false });
            self.misses.set(self.misses.get() || bits.is_none() && row);
            bits
        };
        let (row, other, number) = if a.is_uniform() { (b, a, number(0)) } else { (a, b, number(1)) };
        match i.opcode {
            Opcode::Shr => {
                let by = number.filter(|_| !a.is_uniform())?;
                (u64::from(low(a)?) <= by && by < u64::from(ty.bytes() as u32) * 8).then_some(Uniformity::Uniform)
            }
            Opcode::And => {
                let ones = (1u64 << low(row)?.min(63)) - 1;
                match number? & ones {
                    0 => Some(Uniformity::Uniform),
                    all if all == ones => Some(row.uniformity),
                    _ => None,
                }
            }
            // Nothing is in the same place.
            _ if other.is_uniform() => (low(row)? <= u32::from(other.zeros)).then_some(row.uniformity),
            _ => None,
        }
    }

    /// How the results differ of arithmetic on something affine.
    fn arithmetic(&self, i: &Instruction<'_>, read: &[Class]) -> Option<Uniformity> {
        let ty = i.types().last()?;
        let integer = matches!(ty.bytes(), 4 | 8) && !ty.is_float() && !i.has(Modifier::Sat);
        // As the operand's type sees it.
        let number = |n: usize| match i.operands.get(n + 1) {
            Some(Operand::Integer(number)) if ty.bytes() != 4 => Some(*number as i64),
            Some(Operand::Integer(number)) if ty.is_signed() => Some(i64::from(*number as i32)),
            Some(Operand::Integer(number)) => Some(i64::from(*number as u32)),
            _ => None,
        };
        let of = |n: usize| read.get(n).copied().and_then(Class::stride);
        // A number times something affine, in either order.
        let product = || match (number(0), number(1)) {
            (_, Some(by)) => of(0).map(|(stride, guarded)| (stride.wrapping_mul(by), guarded)),
            (Some(by), _) => of(1).map(|(stride, guarded)| (stride.wrapping_mul(by), guarded)),
            // Both known to be uniform: so is the product.
            _ => match (of(0)?, of(1)?) {
                ((0, a), (0, b)) => Some((0, a | b)),
                _ => None,
            },
        };
        let sum = |(a, guarded): (i64, bool), (b, too): (i64, bool)| Some((a.wrapping_add(b), guarded | too));
        // Strides of 32 bits wrap as the numbers do.
        let wrap = |(stride, guarded): (i64, bool), ty: Type| {
            affine(if ty.bytes() == 8 { stride } else { i64::from(stride as i32) }, guarded)
        };
        // Parts of a value are not as the whole is.
        let whole = !i.operands.iter().any(|o| matches!(o, Operand::Vector(_)));
        match i.opcode.lanes() {
            Lanes::Copy if integer && whole && !i.has(Modifier::Local) => of(0).map(|a| wrap(a, ty)),
            Lanes::Sum if integer => sum(of(0)?, of(1)?).map(|a| wrap(a, ty)),
            Lanes::Difference if integer => {
                let (stride, guarded) = of(1)?;
                sum(of(0)?, (stride.wrapping_neg(), guarded)).map(|a| wrap(a, ty))
            }
            Lanes::Negation if integer => of(0).map(|(stride, guarded)| wrap((stride.wrapping_neg(), guarded), ty)),
            Lanes::Shift if integer => {
                let by = u32::try_from(number(1)?).ok().filter(|&by| by < ty.bytes() as u32 * 8)?;
                of(0).map(|(stride, guarded)| wrap((stride.wrapping_shl(by), guarded), ty))
            }
            Lanes::Product | Lanes::ProductSum if integer && i.has(Modifier::Hi) => None,
            lanes @ (Lanes::Product | Lanes::ProductSum) if integer => {
                let (stride, guarded) = product()?;
                let wide = i.has(Modifier::Wide);
                // The product is not cut off, but the number that it comes from may have wrapped.
                let (stride, guarded) = (stride, guarded || wide && stride != 0);
                let ty = if wide { Type::U64 } else { ty };
                let all = if lanes == Lanes::ProductSum { sum((stride, guarded), of(2)?)? } else { (stride, guarded) };
                if wide && i.types().last()?.bytes() != 4 { None } else { Some(wrap(all, ty)) }
            }
            Lanes::Conversion => {
                let mut types = i.types();
                let (to, from) = (types.next()?, types.next()?);
                let plain = |ty: Type| matches!(ty.bytes(), 4 | 8) && !ty.is_float();
                if !plain(to) || !plain(from) || i.has(Modifier::Sat) {
                    return None;
                }
                let (stride, guarded) = of(0)?;
                Some(wrap((stride, guarded || from.bytes() < to.bytes()), to))
            }
            // Not of integers.
            Lanes::Copy | Lanes::Sum | Lanes::Difference | Lanes::Negation | Lanes::Shift => None,
            Lanes::Product | Lanes::ProductSum => None,
            Lanes::Plain | Lanes::Access | Lanes::Members | Lanes::Warp => None,
        }
    }
}

/// How many lower bits of the first lane's result are zeros.
fn zeros(i: &Instruction<'_>, read: &[Class]) -> u8 {
    /// Of a register: more are all of them.
    const MOST: u8 = u64::BITS as u8;
    let integer = i.types().all(|ty| matches!(ty.bytes(), 4 | 8) && !ty.is_float());
    let of = |n: usize| read.get(n).map_or(0, |class| class.zeros);
    let number = |n: usize| match i.operands.get(n + 1) {
        Some(Operand::Integer(number)) => u8::try_from(*number).unwrap_or(MOST),
        _ => 0,
    };
    let vectors = i.operands.iter().any(|o| matches!(o, Operand::Vector(_)));
    if !integer || vectors || i.has(Modifier::Hi) || i.has(Modifier::Sat) {
        return 0;
    }
    match i.opcode {
        Opcode::Mov | Opcode::Cvt => of(0),
        Opcode::Add | Opcode::Sub | Opcode::Or | Opcode::Xor => of(0).min(of(1)),
        Opcode::And => of(0).max(of(1)),
        Opcode::Mul => of(0).saturating_add(of(1)).min(MOST),
        Opcode::Mad => of(0).saturating_add(of(1)).min(MOST).min(of(2)),
        Opcode::Shl => of(0).saturating_add(number(1)).min(MOST),
        Opcode::Shr => of(0).saturating_sub(if number(1) == 0 { MOST } else { number(1) }),
        _ => 0,
    }
}

/// Where an address that an instruction accesses lies, if that is a variable: its number and the offset.
pub fn variable_of(instruction: &Instruction<'_>) -> Option<(u32, i64)> {
    let address = instruction.operands.iter().find_map(|o| match o {
        Operand::Address(base, offset) => Some((base, offset)),
        _ => None,
    })?;
    match **address.0 {
        Operand::Local(number, more) => Some((number, address.1.wrapping_add(more))),
        _ => None,
    }
}

/// Instructions of a kernel whose results are the same for all blocks of a launch, and that can be executed before
/// anything else, by all lanes, in the order of the text. Their registers are written nowhere else.
pub fn fixed(body: &Body<'_>, ssa: &Ssa, classes: &Classes) -> Vec<bool> {
    let mut written = vec![0u32; body.registers.len()];
    for &register in ssa.effects.iter().flat_map(|effect| &effect.defs) {
        written[register as usize] += 1;
    }
    let mut early = vec![false; body.instructions.len()];
    for (at, instruction) in body.instructions.iter().enumerate() {
        let effect = &ssa.effects[at];
        let harmless = match effect.purity {
            Purity::Pure => true,
            Purity::Parameter => variable_of(instruction).is_some_and(|(number, offset)| {
                let variable = &body.variables[number as usize];
                let bytes = instruction.types().last().map_or(0, Type::bytes) * 4;
                variable.space == Space::Parameter
                    && offset >= 0
                    && offset as u64 + bytes as u64 <= variable.size as u64
                    || offset == 0 && variable.space == Space::Parameter
            }),
            _ => false,
        };
        let single = |value: &Value| written[ssa.values[*value as usize].register as usize] == 1;
        let known = |value: &Value| match ssa.values[*value as usize].origin {
            Origin::Instruction(before) => (before as usize) < at && early[before as usize],
            _ => false,
        };
        early[at] = harmless
            && instruction.guard.is_none()
            && !ssa.defs[at].is_empty()
            && ssa.defs[at].iter().all(|value| single(value) && classes.of[*value as usize].fixed)
            && ssa.uses[at].iter().all(known);
    }
    early
}
