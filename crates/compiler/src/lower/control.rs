//! Comparisons, predicates and branches.

use super::{FRAME, GENERAL, Late, Lower, WARP};
use crate::allocate::Home;
use crate::assembler::{Label, Level, Mask, Operand, at, full, narrow};
use crate::operation::{Number, Operation};
use crate::unit::{Branch, NOWHERE, SLOT, Step, UNGUARDED, path};
use crate::values::Source;
use iced_x86::{Code, Register};
use ptx::modifier::Comparison;

/// The predicate of a vector comparison of floating point numbers.
fn float_predicate(how: Comparison) -> Option<i32> {
    use Comparison::*;
    Some(match how {
        Eq => 0x00,
        Lt => 0x11,
        Le => 0x12,
        Nan => 0x03,
        // Unordered counts.
        Neu => 0x04,
        Geu => 0x15,
        Gtu => 0x16,
        Num => 0x07,
        Equ => 0x08,
        Ltu => 0x19,
        Leu => 0x1a,
        // Unordered does not.
        Ne => 0x0c,
        Ge => 0x1d,
        Gt => 0x1e,
        Lo | Ls | Hi | Hs => return None,
    })
}

/// The same of integers, and whether they count as unsigned.
fn integer_predicate(how: Comparison, number: Number) -> Option<(i32, bool)> {
    use Comparison::*;
    let unsigned = !number.is_signed() || matches!(how, Lo | Ls | Hi | Hs);
    let code = match how {
        Eq => 0,
        Lt | Lo => 1,
        Le | Ls => 2,
        Ne => 4,
        Ge | Hs => 5,
        Gt | Hi => 6,
        _ => return None,
    };
    Some((code, unsigned))
}

/// Instructions that set a byte when a condition holds, by [`condition_of`].
const SET: [Code; 10] = [
    Code::Sete_rm8,
    Code::Setne_rm8,
    Code::Setb_rm8,
    Code::Setae_rm8,
    Code::Seta_rm8,
    Code::Setbe_rm8,
    Code::Setl_rm8,
    Code::Setge_rm8,
    Code::Setg_rm8,
    Code::Setle_rm8,
];

/// The opposites of conditions.
const OPPOSITE: [usize; 10] = [1, 0, 3, 2, 5, 4, 7, 6, 9, 8];

/// What lanes are foreseen to get: inside of bounds, and none at an edge.
fn foreseen(how: Comparison) -> u32 {
    use Comparison::*;
    if matches!(how, Ne | Lt | Lo | Le | Ls) { u32::MAX } else { 0 }
}

/// A comparison of numbers that go up evenly from lane to lane with one that is the same for all.
pub(super) struct Ends {
    row: u32,
    same: u32,
    stride: i64,
    how: Comparison,
    unsigned: bool,
    wide: bool,
}

impl Ends {
    fn is_equality(&self) -> bool {
        matches!(self.how, Comparison::Eq | Comparison::Ne)
    }

    fn foreseen(&self) -> u32 {
        foreseen(self.how)
    }

    fn pick<T>(&self, short: T, long: T) -> T {
        if self.wide { long } else { short }
    }

    fn sized(&self, register: Register) -> Register {
        if self.wide { full(register) } else { narrow(register) }
    }
}

/// A comparison that nearly always comes out in one way: where code goes if it does not, and what it is else.
pub(crate) struct Foreseen {
    pub(super) label: Label,
    pub(super) at: usize,
    pub(super) to: u32,
    pub(super) value: u32,
    /// Where code goes if lanes are not all alike, or wrap.
    pub(super) lanes: Option<Label>,
}

/// A comparison that looks at one bit of a number: its predicate, the number, the bit's constant, and whether the bit is set where it holds.
pub(crate) struct Bit {
    compare: u32,
    from: u32,
    mask: u32,
    set: bool,
}

/// What becomes of a comparison that did not come out as foreseen, before code goes on where all do.
#[derive(Clone, Copy)]
pub(crate) enum Then {
    /// It is in `eax`.
    GoOn,
    /// It is written.
    Set,
    /// It jumps by itself.
    Take,
    /// The step behind it jumps, or combines it with another predicate, which may pass on what it gives.
    Branch,
    Logic {
        passes: bool,
    },
}

/// The condition of the flags for which a comparison of integers holds: each beside its opposite.
fn condition_of(how: Comparison, unsigned: bool) -> usize {
    use Comparison::*;
    match (how, unsigned) {
        (Eq, _) => 0,
        (Ne, _) => 1,
        (Lt | Lo, true) => 2,
        (Ge | Hs, true) => 3,
        (Gt | Hi, true) => 4,
        (Le | Ls, true) => 5,
        (Lt, _) => 6,
        (Ge, _) => 7,
        (Gt, _) => 8,
        _ => 9,
    }
}

impl Lower<'_> {
    /// The position that the interpreter sees in a fault.
    pub fn note_position(&mut self, position: usize) {
        if self.asm.level() == Level::Avx512 {
            self.mark(NOWHERE);
        }
        self.asm.op2i(Code::Mov_rm32_imm32, at(WARP, self.layout.position.into()), position as i32);
    }

    /// The same of an access that nothing but the code right behind this makes: whoever handles a fault knows by the instruction.
    pub fn mark_position(&mut self, position: usize) {
        if self.asm.level() == Level::Avx512 {
            self.mark(position as u32);
        } else {
            self.note_position(position);
        }
    }

    /// From here on a fault is at a position; or at the one that was noted, if it is none.
    pub fn mark(&mut self, position: u32) {
        let last = self.marks.last().map_or(NOWHERE, |&(_, last)| last);
        if last != position {
            let label = self.asm.mark();
            self.marks.push((label, position));
        }
    }

    /// A comparison, with what becomes of it. False if it is left to the interpreter.
    pub fn compare(&mut self, position: usize, step: &Step, number: Number, how: Comparison) -> bool {
        let known =
            if number.is_float() { float_predicate(how).is_some() } else { integer_predicate(how, number).is_some() };
        if !known {
            return false;
        }
        if self.values.is_uniform_branch(self.unit, position) && !step.pair {
            self.set_flushing(self.flushes);
            if !self.foresee_numbers(position, step, number, how) {
                self.compare_scalars(position, step, number, how);
            }
            return true;
        }
        if self.foresee(position, step, number, how) {
            return true;
        }
        // The lanes for which it holds, of the active ones, in `eax`; the others as they come.
        let by_ends = self.compare_ends(position, step, number, how);
        if !by_ends && self.turn_lanes(position, step, number, how) {
            return true;
        }
        if !by_ends && self.in_masks {
            self.compare_vectors(step, number, how, false, [Register::K5, Register::K6]);
            self.set_flushing(self.flushes);
            self.asm.hold(Some(step.to[0]));
            self.only_in_masks = Some(step.to[0]);
            return true;
        }
        if !by_ends {
            self.compare_lanes(step, number, how);
            self.set_flushing(self.flushes);
        }
        if step.combination != 0 {
            self.combine(step);
        }
        match step.branch {
            Some(_) => self.take(position, step),
            None => {
                if step.pair && step.to[1] != u32::MAX {
                    // Worked out before the first is written, which may be an operand.
                    self.asm.op2(Code::Mov_r32_rm32, Register::ECX, Register::EAX);
                    if step.combination == 0 {
                        self.asm.op1(Code::Not_rm32, Register::ECX);
                    } else {
                        self.asm.op2(Code::Mov_r32_rm32, Register::ECX, Register::EDX);
                    }
                    self.asm.op1(Code::Push_r64, Register::RCX);
                    self.set_predicate(step, step.to[0]);
                    self.asm.op1(Code::Pop_r64, Register::RAX);
                    self.set_predicate(step, step.to[1]);
                } else {
                    self.set_predicate(step, step.to[0]);
                    let spares = self.flow.masked.get((step.to[0] / SLOT) as usize) == Some(&true);
                    if !by_ends && step.combination == 0 && step.guard == UNGUARDED && !spares {
                        self.asm.hold(Some(step.to[0]));
                    }
                }
            }
        }
        true
    }

    /// Whether a step only picks a bit for the comparison behind it, which looks at it by itself: that is noted then.
    pub fn picks_bit(&mut self, position: usize, dies: impl Fn(u32) -> bool) -> bool {
        let unit = self.unit;
        let [step, next] = [&unit.steps[position], &unit.steps[position + 1]];
        let (Operation::And { wide: false }, Operation::Compare(number, how)) = (step.operation, next.operation) else {
            return false;
        };
        let to = step.to[0];
        let plain = [step, next].iter().all(|step| step.guard == UNGUARDED) && next.from[0] == to && next.from[1] != to;
        let small = number.is_wide() || number.is_float() || number.narrow().is_some();
        let own =
            |offset: u32| self.flow.masked.get((offset / SLOT) as usize) == Some(&false) && !self.is_scalar(offset);
        if self.layout.counters != 0
            || !plain
            || small
            || next.pair
            || !own(to)
            || !dies(to / SLOT)
            || self.asm.level() != Level::Avx512
        {
            return false;
        }
        let (from, mask, bit) = match [step.from[0], step.from[1]].map(|offset| self.constant(offset)) {
            [None, Some(bit)] => (step.from[0], step.from[1], bit as u32),
            [Some(bit), None] => (step.from[1], step.from[0], bit as u32),
            _ => return false,
        };
        let loose = self.loose.get((from / SLOT) as usize) == Some(&true);
        let equal = match how {
            Comparison::Eq => true,
            Comparison::Ne => false,
            _ => return false,
        };
        let set = match self.constant(next.from[1]).map(|number| number as u32) {
            Some(0) => !equal,
            Some(number) if number == bit && bit.is_power_of_two() => equal,
            _ => return false,
        };
        if loose || self.values.stride(from).is_some() || self.values.stride(to).is_some() {
            return false;
        }
        self.bit = Some(Bit { compare: next.to[0], from, mask, set });
        true
    }

    /// Whether the lanes of a comparison are all that anybody reads of it, and are where it leaves them, as far as choices behind it in the
    /// block go. `dies` says of a step whether the predicate is dead behind it.
    pub fn stays_in_masks(&self, position: usize, end: usize, dies: impl Fn(usize) -> bool) -> bool {
        /// Steps that are looked at.
        const MOST: usize = 16;
        use Operation::*;
        let step = &self.unit.steps[position];
        let Compare(number, _) = step.operation else { return false };
        let to = step.to[0];
        let plain = step.guard == UNGUARDED && step.combination == 0 && !step.pair && step.branch.is_none();
        let ends = |n: usize| self.values.stride(step.from[n]).is_some();
        let masked = self.flow.masked.get((to / SLOT) as usize) != Some(&false);
        if !plain || masked || ends(0) && ends(1) || self.asm.level() != Level::Avx512 {
            return false;
        }
        // What comes between leaves the masks alone.
        for at in position + 1..end.min(position + MOST) {
            let step = &self.unit.steps[at];
            let Some(operands) = self.leaves_masks(step) else { return false };
            // Another predicate would take its place in the masks.
            let chooses = !matches!(step.operation, Select { .. }) || step.from[2] == to;
            if !chooses || self.is_scalar(step.to[0]) || operands.contains(&to) || step.to[0] == to {
                return false;
            }
            if dies(at) {
                return matches!(step.operation, Select { .. }) && !number.is_wide();
            }
        }
        false
    }

    pub fn compare_lanes(&mut self, step: &Step, number: Number, how: Comparison) {
        self.compare_vectors(step, number, how, false, [Register::K5, Register::K6]);
        self.asm.op3(Code::VEX_Kunpckwd_kr_kr_kr, Register::K7, Register::K6, Register::K5);
        self.asm.op2(Code::VEX_Kmovd_r32_kr, Register::EAX, Register::K7);
    }

    /// Compares a number that goes up from lane to lane with one that is the same for all: nearly always what holds for the first
    /// and the last lane holds for all of them. False if it is no such comparison.
    fn compare_ends(&mut self, position: usize, step: &Step, number: Number, how: Comparison) -> bool {
        let Some(ends) = self.ends_of(step, number, how) else { return false };
        self.set_flushing(self.flushes);
        let (label, back) = (self.asm.label(), self.asm.label());
        if ends.is_equality() {
            self.look_for_equal(&ends, label);
            self.asm.number(Register::RAX, ends.foreseen().into());
        } else {
            self.order_ends(&ends, label);
        }
        self.asm.place(back);
        self.late.push(Late::Compare { label, back, at: position, lanes: None, then: Then::GoOn });
        true
    }

    /// A comparison of a row with one number.
    pub(super) fn ends_of(&self, step: &Step, number: Number, how: Comparison) -> Option<Ends> {
        use Comparison::*;
        if number.is_float() || number.narrow().is_some() {
            return None;
        }
        let stride = |n: usize| self.values.stride(step.from[n]);
        let (row, same, stride, how) = match (stride(0), stride(1)) {
            (Some(stride), Some(0)) if stride != 0 => (step.from[0], step.from[1], stride, how),
            (Some(0), Some(stride)) if stride != 0 => {
                let mirrored = match how {
                    Lt => Gt,
                    Gt => Lt,
                    Le => Ge,
                    Ge => Le,
                    Lo => Hi,
                    Hi => Lo,
                    Ls => Hs,
                    Hs => Ls,
                    other => other,
                };
                (step.from[1], step.from[0], stride, mirrored)
            }
            _ => return None,
        };
        let (_, unsigned) = integer_predicate(how, number)?;
        let wide = number.is_wide();
        let stride = if wide { stride } else { i64::from(stride as i32) };
        let reach = i32::try_from(stride.unsigned_abs()).ok().and_then(|stride| stride.checked_mul(31));
        (reach.is_some() || !matches!(how, Eq | Ne)).then_some(Ends { row, same, stride, how, unsigned, wide })
    }

    /// Jumps away if some lane's number is the one that it is compared with.
    fn look_for_equal(&mut self, ends: &Ends, label: Label) {
        let most = ends.stride.unsigned_abs() as i32 * 31;
        // How far it is behind the lane with the lowest number.
        let row = self.scalar_operand(ends.row, ends.wide, Register::RAX);
        let same = self.scalar_operand(ends.same, ends.wide, Register::RCX);
        if !matches!(same, Operand::Register(register) if full(register) == Register::RCX) {
            self.asm.op2(ends.pick(Code::Mov_r32_rm32, Code::Mov_r64_rm64), ends.sized(Register::RCX), same);
        }
        self.asm.op2(ends.pick(Code::Sub_r32_rm32, Code::Sub_r64_rm64), ends.sized(Register::RCX), row);
        if ends.stride < 0 {
            self.asm.op2i(ends.pick(Code::Add_rm32_imm32, Code::Add_rm64_imm32), ends.sized(Register::RCX), most);
        }
        self.asm.op2i(ends.pick(Code::Cmp_rm32_imm32, Code::Cmp_rm64_imm32), ends.sized(Register::RCX), most);
        self.asm.jbe(label);
    }

    /// What holds for the first and the last lane, in `eax`. Jumps away if that is not the same.
    fn order_ends(&mut self, ends: &Ends, label: Label) {
        let (compare, copy) =
            (ends.pick(Code::Cmp_r32_rm32, Code::Cmp_r64_rm64), ends.pick(Code::Mov_r32_rm32, Code::Mov_r64_rm64));
        let set = SET[condition_of(ends.how, ends.unsigned)];
        let first = self.scalar_in(ends.row, ends.wide, Register::RAX);
        self.asm.op2(copy, ends.sized(Register::RCX), ends.sized(first));
        self.advance_lanes(ends.sized(Register::RCX), ends.stride, 31, !ends.unsigned, label);
        let same = self.scalar_operand(ends.same, ends.wide, Register::RDX);
        self.asm.op2(compare, ends.sized(Register::RCX), same);
        self.asm.op1(set, Register::CL);
        self.asm.op2(compare, ends.sized(first), same);
        self.asm.op1(set, Register::AL);
        self.asm.op2(Code::Cmp_r8_rm8, Register::AL, Register::CL);
        self.asm.jne(label);
        self.asm.op2(Code::Movzx_r32_rm8, Register::EAX, Register::AL);
        self.asm.op1(Code::Neg_rm32, Register::EAX);
    }

    /// A comparison of a row with one number that nearly always comes out in one way, as those of bounds and of edges do: code goes
    /// on as if it had, without a word for the lanes, and leaves other ways to code that is seldom run. What is done with
    /// the result right behind it belongs to both. False if it is no such comparison.
    fn foresee(&mut self, position: usize, step: &Step, number: Number, how: Comparison) -> bool {
        let plain = step.guard == UNGUARDED && step.combination == 0 && !step.pair;
        let spares = step.branch.is_none() && self.flow.masked.get((step.to[0] / SLOT) as usize) == Some(&true);
        let free = plain && !spares && !self.is_in_tail();
        let Some(ends) = self.ends_of(step, number, how).filter(|_| free) else { return false };
        if !ends.is_equality() && ends.stride < 0 {
            return false;
        }
        self.set_flushing(self.flushes);
        let label = self.asm.label();
        let lanes = if ends.is_equality() {
            self.look_for_equal(&ends, label);
            None
        } else {
            let lanes = self.asm.label();
            // The last lane is the highest.
            let row = self.scalar_operand(ends.row, ends.wide, Register::RCX);
            if !matches!(row, Operand::Register(register) if full(register) == Register::RCX) {
                self.asm.op2(ends.pick(Code::Mov_r32_rm32, Code::Mov_r64_rm64), ends.sized(Register::RCX), row);
            }
            self.advance_lanes(ends.sized(Register::RCX), ends.stride, 31, !ends.unsigned, lanes);
            let same = self.scalar_operand(ends.same, ends.wide, Register::RDX);
            self.asm.op2(ends.pick(Code::Cmp_r32_rm32, Code::Cmp_r64_rm64), ends.sized(Register::RCX), same);
            let holds = condition_of(ends.how, ends.unsigned);
            self.jump_if(if ends.foreseen() == 0 { holds } else { OPPOSITE[holds] }, label);
            Some(lanes)
        };
        let foreseen = Foreseen { label, at: position, to: step.to[0], value: ends.foreseen(), lanes };
        match step.branch {
            Some(branch) => {
                let jumps = (foreseen.value != 0) != branch.unless;
                self.jump_as_foreseen(&foreseen, position, branch, jumps, Then::Take);
            }
            None => self.set_foreseen(foreseen),
        }
        true
    }

    /// The same of two numbers that stand for all lanes, outside of loops.
    fn foresee_numbers(&mut self, position: usize, step: &Step, number: Number, how: Comparison) -> bool {
        let block = self.flow.block_of(position);
        let spares = self.flow.masked.get((step.to[0] / SLOT) as usize) == Some(&true);
        if step.branch.is_some() || spares || self.flow.depth[block] != 0 || self.is_in_tail() {
            return false;
        }
        let label = self.asm.label();
        let holds = self.compare_first_lanes(step, number, how);
        let value = foreseen(how);
        self.jump_if(if value == 0 { holds } else { OPPOSITE[holds] }, label);
        self.set_foreseen(Foreseen { label, at: position, to: step.to[0], value, lanes: None });
        true
    }

    /// What a comparison gives that came out as foreseen: for the next step alone, or written.
    fn set_foreseen(&mut self, foreseen: Foreseen) {
        if self.may_assume(foreseen.at) {
            self.assume(&foreseen);
        } else if self.passes {
            self.foreseen = Some(foreseen);
        } else {
            let place = self.predicate(foreseen.to);
            self.asm.op2i(Code::Mov_rm32_imm32, place, foreseen.value as i32);
            self.end_foreseen(&foreseen, Then::Set);
        }
    }

    /// Where code that was left for what is not as foreseen comes back.
    fn end_foreseen(&mut self, &Foreseen { label, at, lanes, .. }: &Foreseen, then: Then) {
        let back = self.asm.label();
        self.late.push(Late::Compare { label, back, at, lanes, then });
        self.asm.place(back);
    }

    /// A branch that all active lanes take, or none.
    fn jump_as_foreseen(&mut self, foreseen: &Foreseen, position: usize, branch: Branch, jumps: bool, then: Then) {
        if jumps {
            self.jump(position, branch);
        }
        self.end_foreseen(foreseen, then);
    }

    /// Logic of a predicate that is known, if nothing unforeseen happens.
    fn logic_as_foreseen(&mut self, step: &Step, foreseen: &Foreseen) {
        let negated = |n: usize| if step.negated & 1 << n != 0 { u32::MAX } else { 0 };
        let known = |n: usize| (step.from[n] == foreseen.to).then_some(foreseen.value ^ negated(n));
        // A number, or another predicate and what it is turned by.
        let result = match (step.mode, known(0), known(1)) {
            (3, Some(a), _) => Ok(!a),
            (0, Some(a), Some(b)) => Ok(a & b),
            (1, Some(a), Some(b)) => Ok(a | b),
            (2, Some(a), Some(b)) => Ok(a ^ b),
            (mode @ 0..3, a, b) => {
                let (number, other) = if let Some(a) = a { (a, 1) } else { (b.unwrap_or_default(), 0) };
                match (mode, number) {
                    (0, 0) => Ok(0),
                    (1, u32::MAX) => Ok(u32::MAX),
                    (2, turned) => Err((step.from[other], turned ^ negated(other))),
                    _ => Err((step.from[other], negated(other))),
                }
            }
            (_, a, _) => Ok(a.unwrap_or_default()),
        };
        let passes = self.passes;
        let spares = step.guard != UNGUARDED || self.flow.masked.get((step.to[0] / SLOT) as usize) == Some(&true);
        match result {
            Err((other, 0)) if !passes && !spares && self.is_in_general(step.to[0]) => {
                let (to, from) = (self.predicate(step.to[0]), self.predicate(other));
                if self.home(step.to[0]) != self.home(other) {
                    self.asm.op2(Code::Mov_r32_rm32, to, from);
                }
            }
            Err((other, turned)) => {
                let from = self.predicate(other);
                self.asm.op2(Code::Mov_r32_rm32, Register::EAX, from);
                if turned != 0 {
                    self.asm.op1(Code::Not_rm32, Register::EAX);
                }
                self.set_predicate(step, step.to[0]);
            }
            Ok(number) => {
                self.asm.number(Register::RAX, number.into());
                self.set_predicate(step, step.to[0]);
            }
        }
        self.end_foreseen(foreseen, Then::Logic { passes });
    }

    /// What the step right behind a comparison does with it, if that was foreseen. False if nothing was.
    pub fn follow_foreseen(&mut self, position: usize, step: &Step) -> bool {
        let Some(foreseen) = self.foreseen.take() else { return false };
        match (step.operation, step.branch) {
            (Operation::Branch, Some(branch)) => {
                let jumps = (foreseen.value != 0) != (step.guard & 1 != 0);
                self.jump_as_foreseen(&foreseen, position, branch, jumps, Then::Branch);
            }
            _ => self.logic_as_foreseen(step, &foreseen),
        }
        true
    }

    /// A comparison that did not come out as foreseen, or whose result is not the same for all lanes. With `lanes` the last lane's is
    /// not as foreseen, and numbers do not wrap: where the first one's is not either, none is.
    pub fn late_compare(&mut self, at: usize, lanes: Option<Label>, then: Then) {
        let unit = self.unit;
        let step = &unit.steps[at];
        let Operation::Compare(number, how) = step.operation else { return };
        let done = self.asm.label();
        let same = self.values.is_uniform_branch(unit, at);
        if let Some(lanes) = lanes
            && let Some(ends) = self.ends_of(step, number, how)
        {
            let first = self.scalar_in(ends.row, ends.wide, Register::RAX);
            let same = self.scalar_operand(ends.same, ends.wide, Register::RDX);
            self.asm.op2(ends.pick(Code::Cmp_r32_rm32, Code::Cmp_r64_rm64), ends.sized(first), same);
            let holds = condition_of(ends.how, ends.unsigned);
            self.jump_if(if ends.foreseen() == 0 { OPPOSITE[holds] } else { holds }, lanes);
            self.asm.number(Register::RAX, (!ends.foreseen()).into());
            self.asm.jmp(done);
            self.asm.place(lanes);
        }
        if same {
            // The only other way.
            self.asm.number(Register::RAX, (!foreseen(how)).into());
        } else {
            self.compare_lanes(step, number, how);
        }
        self.asm.place(done);
        match then {
            Then::GoOn => {}
            Then::Set => {
                self.passes = false;
                self.set_predicate(step, step.to[0]);
            }
            Then::Take => self.take(at, step),
            Then::Branch => self.branch(at + 1, &unit.steps[at + 1], Some(step.to[0])),
            Then::Logic { passes } => {
                self.passes = passes;
                self.logic(&unit.steps[at + 1], Some(step.to[0]));
            }
        }
    }

    /// Combines the result in `eax` with a predicate; the second result in `edx`.
    fn combine(&mut self, step: &Step) {
        let code = match step.combination {
            1 => Code::And_r32_rm32,
            2 => Code::Or_r32_rm32,
            _ => Code::Xor_r32_rm32,
        };
        self.asm.op2(Code::Mov_r32_rm32, Register::ECX, at(FRAME, step.from[2].into()));
        if step.negated & 1 != 0 {
            self.asm.op1(Code::Not_rm32, Register::ECX);
        }
        self.asm.op2(Code::Mov_r32_rm32, Register::EDX, Register::EAX);
        self.asm.op1(Code::Not_rm32, Register::EDX);
        self.asm.op2(code, Register::EAX, Register::ECX);
        self.asm.op2(code, Register::EDX, Register::ECX);
    }

    /// Both halves into two mask registers: of `k1` and `k2` lanes are left out that are not in them.
    pub(super) fn compare_vectors(
        &mut self,
        step: &Step,
        number: Number,
        how: Comparison,
        unless: bool,
        halves: [Register; 2],
    ) {
        let wide = number.is_wide();
        if !number.is_float() {
            self.fix(step.from[0]);
            self.fix(step.from[1]);
        }
        let (code, predicate) = match number {
            Number::F32 => (Code::EVEX_Vcmpps_kr_k1_zmm_zmmm512b32_imm8_sae, float_predicate(how)),
            Number::F64 => (Code::EVEX_Vcmppd_kr_k1_zmm_zmmm512b64_imm8_sae, float_predicate(how)),
            _ => {
                let (predicate, unsigned) = integer_predicate(how, number).unwrap_or_default();
                let code = match (wide, unsigned) {
                    (false, false) => Code::EVEX_Vpcmpd_kr_k1_zmm_zmmm512b32_imm8,
                    (false, true) => Code::EVEX_Vpcmpud_kr_k1_zmm_zmmm512b32_imm8,
                    (true, false) => Code::EVEX_Vpcmpq_kr_k1_zmm_zmmm512b64_imm8,
                    (true, true) => Code::EVEX_Vpcmpuq_kr_k1_zmm_zmmm512b64_imm8,
                };
                (code, Some(predicate))
            }
        };
        // The opposite is 4 apart.
        let predicate = predicate.unwrap_or_default() ^ if unless { 4 } else { 0 };
        let masks =
            halves.map(|half| if half == Register::K1 || half == Register::K2 { Mask::of(half) } else { Mask::ALL });
        if let Some(bit) = self.bit.take_if(|bit| bit.compare == step.to[0]) {
            let code = if bit.set != unless {
                Code::EVEX_Vptestmd_kr_k1_zmm_zmmm512b32
            } else {
                Code::EVEX_Vptestnmd_kr_k1_zmm_zmmm512b32
            };
            for (piece, to) in [0, 1].into_iter().zip(halves) {
                let x = self.piece_in(bit.from, piece, false, super::zmm(0));
                let bits = self.piece(bit.mask, piece, false, super::zmm(1));
                self.asm.masked3(code, to, x, bits, masks[piece as usize], 0);
            }
            return;
        }
        let one = |lower: &mut Self, piece: u32, to: Register, mask: Mask| {
            let a = lower.extended_piece(step.from[0], piece, number, super::zmm(0));
            let b = match number.narrow() {
                Some(_) => lower.extended_piece(step.from[1], piece, number, super::zmm(1)).into(),
                None => lower.piece(step.from[1], piece, wide, super::zmm(1)),
            };
            lower.asm.op4i(code, to, a, b, predicate, mask);
        };
        if wide {
            for (half, to) in [0, 1].into_iter().zip(halves) {
                one(self, half * 2, to, Mask::ALL);
                one(self, half * 2 + 1, Register::K7, Mask::ALL);
                self.asm.op3(Code::VEX_Kunpckbw_kr_kr_kr, to, Register::K7, to);
            }
        } else {
            one(self, 0, halves[0], masks[0]);
            one(self, 1, halves[1], masks[1]);
        }
    }

    fn is_in_general(&self, predicate: u32) -> bool {
        matches!(self.home(predicate), Some(Home::General(_)))
    }

    /// Where a predicate is that no guard but that of a branch names.
    pub(super) fn predicate(&self, offset: u32) -> Operand {
        match self.home(offset) {
            Some(Home::General(n)) => narrow(GENERAL[usize::from(n)]).into(),
            _ => at(FRAME, offset.into()).into(),
        }
    }

    /// Writes `eax` into a predicate, for the lanes of a step.
    pub fn set_predicate(&mut self, step: &Step, to: u32) {
        let place = self.predicate(to);
        let spares = self.flow.masked.get((to / SLOT) as usize) == Some(&true);
        if step.guard != UNGUARDED || spares {
            // `old ^ (old ^ new) & mask`
            self.asm.op2(Code::Mov_r32_rm32, Register::EDX, place);
            self.asm.op2(Code::Xor_r32_rm32, Register::EAX, Register::EDX);
            self.mask_of(step, Register::ECX);
            self.asm.op2(Code::And_r32_rm32, Register::EAX, Register::ECX);
            self.asm.op2(Code::Xor_r32_rm32, Register::EAX, Register::EDX);
        }
        if !self.passes {
            let code = if self.is_in_general(to) { Code::Mov_r32_rm32 } else { Code::Mov_rm32_r32 };
            self.asm.op2(code, place, Register::EAX);
        }
        self.in_eax = Some(to);
    }

    /// True when a step gives a predicate that the next one takes from `eax`, and nobody else needs.
    pub fn passes_on(&self, position: usize, dies: impl Fn(u32) -> bool) -> bool {
        let [step, next] = [&self.unit.steps[position], &self.unit.steps[position + 1]];
        let gives = match step.operation {
            Operation::Compare(..) => step.branch.is_none() && !step.pair,
            Operation::Logic => true,
            _ => false,
        };
        let to = step.to[0];
        let takes = match next.operation {
            Operation::Logic => next.from[0] == to || next.mode < 3 && next.from[1] == to,
            Operation::Branch => next.guard & !1 == to,
            _ => false,
        };
        let plain = step.guard == UNGUARDED && self.flow.masked.get((to / SLOT) as usize) == Some(&false);
        // A logic step under a guard looks at the predicate's old lanes.
        let plain = plain && (next.guard == UNGUARDED || matches!(next.operation, Operation::Branch));
        gives && takes && plain && self.layout.counters == 0 && dies(to / SLOT)
    }

    /// The lanes that a step is for, in a general register.
    pub fn mask_of(&mut self, step: &Step, to: Register) {
        if step.guard == UNGUARDED {
            self.asm.op2(Code::Mov_r32_rm32, to, at(WARP, self.layout.active.into()));
            return;
        }
        self.asm.op2(Code::Mov_r32_rm32, to, at(FRAME, i64::from(step.guard & !1)));
        if step.guard & 1 != 0 {
            self.asm.op1(Code::Not_rm32, to);
        }
        self.asm.op2(Code::And_r32_rm32, to, at(WARP, self.layout.active.into()));
    }

    /// Calls the interpreter's step, unless its guard holds for no active lane.
    pub fn call_guarded(&mut self, position: usize, step: &Step, before: &[u64], after: &[u64]) {
        if step.guard == UNGUARDED {
            return self.call(position, before, after);
        }
        let past = self.skip_unless_guarded(step);
        self.call(position, before, after);
        self.asm.place(past);
    }

    /// Jumps to what comes back if a step's guard holds for no active lane.
    pub fn skip_unless_guarded(&mut self, step: &Step) -> Label {
        let past = self.asm.label();
        self.mask_of(step, Register::EAX);
        self.asm.op2(Code::Test_rm32_r32, Register::EAX, Register::EAX);
        self.asm.je(past);
        past
    }

    /// Jumps to what comes back if some lanes that have not ended are not active.
    fn unless_whole(&mut self) -> Label {
        let label = self.asm.label();
        self.asm.op2(Code::Mov_r32_rm32, Register::EAX, at(WARP, self.layout.active.into()));
        self.asm.op2(Code::Cmp_r32_rm32, Register::EAX, at(WARP, self.layout.alive.into()));
        self.asm.jne(label);
        label
    }

    /// The end of the kernel, for the lanes of a step.
    pub fn exit(&mut self, position: usize, step: &Step, before: &[u64], after: &[u64]) {
        if step.guard != UNGUARDED {
            return self.call_guarded(position, step, before, after);
        }
        self.chain();
        let some = self.unless_whole();
        if self.layout.alive == self.layout.active + 4 {
            self.asm.op2i(Code::Mov_rm64_imm32, at(WARP, self.layout.active.into()), 0);
        } else {
            self.asm.op2i(Code::Mov_rm32_imm32, at(WARP, self.layout.active.into()), 0);
            self.asm.op2i(Code::Mov_rm32_imm32, at(WARP, self.layout.alive.into()), 0);
        }
        self.pass_on(position, None);
        self.asm.number(Register::RAX, crate::unit::outcome::DONE.into());
        self.asm.jmp(self.turns[1]);
        self.asm.place(some);
        self.call(position, before, after);
    }

    /// The first barrier of the block, where whole warps wait at once.
    pub fn barrier(&mut self, position: usize, step: &Step, before: &[u64], after: &[u64]) {
        if step.guard != UNGUARDED {
            return self.call_guarded(position, step, before, after);
        }
        let some = self.unless_whole();
        // Compiled code goes on behind it: of numbers that stand for all lanes the first one is enough.
        self.store_lean(after);
        self.note_position(position + 1);
        self.pass_on(position, Some(position + 1));
        self.asm.number(Register::RAX, crate::unit::outcome::BARRIER.into());
        self.asm.jmp(self.turns[0]);
        self.asm.place(some);
        self.call(position, before, after);
    }

    /// Logic of predicates.
    pub fn logic(&mut self, step: &Step, known: Option<u32>) {
        let [mut a, mut b, ..] = step.from;
        let mut negated = [step.negated & 1 != 0, step.negated & 2 != 0];
        if step.mode < 3 && known == Some(b) {
            (a, b) = (b, a);
            negated.swap(0, 1);
        }
        if known != Some(a) {
            let a = self.predicate(a);
            self.asm.op2(Code::Mov_r32_rm32, Register::EAX, a);
        }
        // Both may be the one in `eax`.
        let both = step.mode < 3 && known == Some(b);
        if both {
            self.asm.op2(Code::Mov_r32_rm32, Register::ECX, Register::EAX);
        }
        if negated[0] {
            self.asm.op1(Code::Not_rm32, Register::EAX);
        }
        if step.mode < 3 {
            let code = [Code::And_r32_rm32, Code::Or_r32_rm32, Code::Xor_r32_rm32][usize::from(step.mode)];
            if negated[1] || both {
                if !both {
                    let b = self.predicate(b);
                    self.asm.op2(Code::Mov_r32_rm32, Register::ECX, b);
                }
                if negated[1] {
                    self.asm.op1(Code::Not_rm32, Register::ECX);
                }
                self.asm.op2(code, Register::EAX, Register::ECX);
            } else {
                let b = self.predicate(b);
                self.asm.op2(code, Register::EAX, b);
            }
        } else if step.mode == 3 {
            self.asm.op1(Code::Not_rm32, Register::EAX);
        }
        self.set_predicate(step, step.to[0]);
    }

    /// A comparison of numbers that stand for all lanes.
    fn compare_scalars(&mut self, position: usize, step: &Step, number: Number, how: Comparison) {
        let condition = self.compare_first_lanes(step, number, how);
        let Some(branch) = step.branch else {
            self.asm.op1(SET[condition], Register::AL);
            self.asm.op2(Code::Movzx_r32_rm8, Register::EAX, Register::AL);
            self.asm.op1(Code::Neg_rm32, Register::EAX);
            self.set_predicate(step, step.to[0]);
            return;
        };
        let jumps = if branch.unless { OPPOSITE[condition] } else { condition };
        if branch.target as usize <= position {
            let past = self.asm.label();
            self.jump_if(OPPOSITE[jumps], past);
            self.jump(position, branch);
            self.asm.place(past);
        } else {
            self.jump_if(jumps, self.way_to(branch.target));
        }
    }

    /// The flags for two such numbers, and the condition for which the comparison holds.
    fn compare_first_lanes(&mut self, step: &Step, number: Number, how: Comparison) -> usize {
        let wide = number.is_wide();
        let (_, unsigned) = integer_predicate(how, number).unwrap_or_default();
        let a = self.scalar_in(step.from[0], wide, Register::RAX);
        let sized = if wide { a } else { narrow(a) };
        let constant = match self.source(step.from[1]) {
            Source::Constant(bits) if wide => i32::try_from(bits as i64).ok(),
            Source::Constant(bits) => Some(bits as i32),
            _ => None,
        };
        if let Some(number) = constant {
            self.asm.op2i(if wide { Code::Cmp_rm64_imm32 } else { Code::Cmp_rm32_imm32 }, sized, number);
        } else {
            let b = self.scalar_operand(step.from[1], wide, Register::RCX);
            self.asm.op2(if wide { Code::Cmp_r64_rm64 } else { Code::Cmp_r32_rm32 }, sized, b);
        }
        condition_of(how, unsigned)
    }

    fn jump_if(&mut self, condition: usize, label: Label) {
        let asm = &mut self.asm;
        match condition {
            0 => asm.je(label),
            1 => asm.jne(label),
            2 => asm.jb(label),
            3 => asm.jae(label),
            4 => asm.ja(label),
            5 => asm.jbe(label),
            6 => asm.jl(label),
            7 => asm.jge(label),
            8 => asm.jg(label),
            _ => asm.jle(label),
        }
    }

    /// Jumps where a branch goes, and counts it if that is backwards.
    pub(super) fn jump(&mut self, position: usize, Branch { target, weight, .. }: Branch) {
        if target as usize > position {
            let to = self.way_to(target);
            self.asm.jmp(to);
            return;
        }
        let to = self.way_back(position, target);
        let jumps = at(WARP, self.layout.jumps.into());
        self.asm.op2i(Code::Add_rm32_imm32, jumps, weight.max(1) as i32);
        self.compare_number(jumps, self.layout.patience);
        self.asm.jb(to);
        let label = self.asm.label();
        self.asm.jmp(label);
        self.late.push(Late::Tired { label, target, weight });
    }

    /// A branch under a guard, or under none.
    pub fn branch(&mut self, position: usize, step: &Step, known: Option<u32>) {
        let Some(branch) = step.branch else { return };
        if step.guard == UNGUARDED {
            self.jump(position, branch);
            return;
        }
        if known != Some(step.guard & !1) {
            let guard = self.predicate(step.guard & !1);
            self.asm.op2(Code::Mov_r32_rm32, Register::EAX, guard);
        }
        if step.guard & 1 != 0 {
            self.asm.op1(Code::Not_rm32, Register::EAX);
        }
        self.take_lanes(position, branch);
    }

    /// The branch of a comparison whose result is in `eax`.
    fn take(&mut self, position: usize, step: &Step) {
        let Some(branch) = step.branch else { return };
        if branch.unless {
            self.asm.op1(Code::Not_rm32, Register::EAX);
        }
        if step.guard != UNGUARDED {
            self.mask_of(step, Register::ECX);
            self.asm.op2(Code::And_r32_rm32, Register::EAX, Register::ECX);
        }
        self.take_lanes(position, branch);
    }

    /// The lanes in `eax` are the active ones from here on.
    fn set_active(&mut self) {
        self.asm.op2(Code::Mov_rm32_r32, at(WARP, self.layout.active.into()), Register::EAX);
        self.asm.op2(Code::VEX_Kmovw_kr_r32, Register::K1, Register::EAX);
        self.asm.op2i(Code::Shr_rm32_imm8, Register::EAX, 16);
        self.asm.op2(Code::VEX_Kmovw_kr_r32, Register::K2, Register::EAX);
    }

    /// Lanes in `eax` jump, if they are active.
    fn take_lanes(&mut self, position: usize, branch: Branch) {
        let active = at(WARP, self.layout.active.into());
        let (past, part) = (self.asm.label(), self.asm.label());
        self.asm.op2(Code::And_r32_rm32, Register::EAX, active);
        self.asm.je(past);
        self.asm.op2(Code::Cmp_r32_rm32, Register::EAX, active);
        let next = position as u32 + 1;
        // Lanes that go nowhere but where all reconverge wait there already, if that is known.
        let waits = if branch.reconverge == next {
            Some(true)
        } else if branch.reconverge == branch.target {
            Some(false)
        } else {
            None
        };
        match waits {
            Some(jumping) => {
                let (all, parted) = (self.asm.label(), self.asm.label());
                self.asm.je(all);
                self.compare_number(at(WARP, self.layout.reconverge.into()), branch.reconverge);
                self.asm.jne(part);
                self.late.push(Late::Part { label: part, at: position, parted: Some(parted) });
                self.asm.place(parted);
                if jumping {
                    // Those that jump go on.
                    self.set_active();
                } else {
                    self.asm.op2(Code::Xor_r32_rm32, Register::EAX, active);
                    self.set_active();
                    self.asm.jmp(past);
                }
                self.asm.place(all);
                self.jump(position, branch);
            }
            None => {
                self.asm.jne(part);
                self.jump(position, branch);
                self.late.push(Late::Part { label: part, at: position, parted: None });
            }
        }
        self.asm.place(past);
    }

    /// The lanes in `eax` jump, other active ones do not: the stack remembers who goes on where they reconverge and, if
    /// `parted` is none, who goes on behind the branch. Else the lanes of `eax` or the others wait there already.
    pub fn part(&mut self, position: usize, parted: Option<Label>) {
        let Some(branch) = self.unit.steps[position].branch else { return };
        let slow = self.asm.label();
        let known = branch.reconverge != crate::unit::NOWHERE;
        if known {
            let (length, active) = (at(WARP, self.layout.paths.into()), at(WARP, self.layout.active.into()));
            self.asm.op2(Code::Mov_r32_rm32, Register::ECX, length);
            self.asm.op2i(Code::Add_rm32_imm32, Register::ECX, 2);
            self.asm.op2(Code::Cmp_r32_rm32, Register::ECX, at(WARP, self.layout.paths_room.into()));
            self.asm.ja(slow);
            self.asm.op2(Code::Lea_r32_m, Register::EDX, at(Register::RCX, -2));
            self.asm.op2i(Code::Shl_rm64_imm8, Register::RDX, path::SHIFT as i32);
            self.asm.op2(Code::Add_r64_rm64, Register::RDX, at(WARP, self.layout.first_path.into()));
            let pushed = self.asm.label();
            let reconverge = at(WARP, self.layout.reconverge.into());
            if parted.is_none() {
                self.compare_number(reconverge, branch.reconverge);
                self.asm.je(pushed);
            }
            self.asm.op1(Code::Inc_rm32, length);
            self.asm.op2i(Code::Mov_rm32_imm32, at(Register::RDX, path::POSITION), branch.reconverge as i32);
            self.asm.op2(Code::Mov_r32_rm32, Register::ECX, reconverge);
            self.asm.op2(Code::Mov_rm32_r32, at(Register::RDX, path::RECONVERGE), Register::ECX);
            self.asm.op2(Code::Mov_r32_rm32, Register::ECX, active);
            self.asm.op2(Code::Mov_rm32_r32, at(Register::RDX, path::MASK), Register::ECX);
            self.asm.op2i(Code::Mov_rm32_imm32, at(Register::RDX, path::DEPTH), 1);
            self.asm.op2i(Code::Mov_rm32_imm32, reconverge, branch.reconverge as i32);
            if let Some(parted) = parted {
                self.asm.jmp(parted);
            } else {
                self.asm.op2i(Code::Add_rm64_imm32, Register::RDX, 1 << path::SHIFT);
                self.asm.place(pushed);
                self.asm.op1(Code::Inc_rm32, length);
                self.asm.op2i(Code::Mov_rm32_imm32, at(Register::RDX, path::POSITION), position as i32 + 1);
                self.asm.op2i(Code::Mov_rm32_imm32, at(Register::RDX, path::RECONVERGE), branch.reconverge as i32);
                self.asm.op2(Code::Mov_r32_rm32, Register::ECX, Register::EAX);
                self.asm.op2(Code::Xor_r32_rm32, Register::ECX, active);
                self.asm.op2(Code::Mov_rm32_r32, at(Register::RDX, path::MASK), Register::ECX);
                self.asm.op2i(Code::Mov_rm32_imm32, at(Register::RDX, path::DEPTH), 1);
                self.set_active();
                self.jump(position, branch);
            }
        }
        self.asm.place(slow);
        self.add_sums();
        self.asm.op2i(Code::Shl_rm64_imm8, Register::RAX, 32);
        self.asm.op2i(Code::Or_rm64_imm32, Register::RAX, position as i32);
        self.asm.op1(Code::Push_r64, Register::RAX);
        self.call_thunk(1);
        self.go_on(self.flow.live_out.of(self.flow.block_of(position)));
    }

    /// Lanes have come where they reconverge with others: those on top of the stack go on.
    pub fn join(&mut self) {
        let (again, empty) = (self.join, self.asm.label());
        self.asm.place(again);
        self.join = again;
        // Those that go on may look at what these have added.
        self.add_sums();
        let length = at(WARP, self.layout.paths.into());
        self.asm.op2(Code::Mov_r32_rm32, Register::ECX, length);
        self.asm.op2(Code::Test_rm32_r32, Register::ECX, Register::ECX);
        self.asm.je(empty);
        self.asm.op1(Code::Dec_rm32, Register::ECX);
        self.asm.op2(Code::Mov_rm32_r32, length, Register::ECX);
        self.asm.op2i(Code::Shl_rm64_imm8, Register::RCX, path::SHIFT as i32);
        self.asm.op2(Code::Add_r64_rm64, Register::RCX, at(WARP, self.layout.first_path.into()));
        self.asm.op2(Code::Mov_r32_rm32, Register::EAX, at(Register::RCX, path::MASK));
        self.asm.op2(Code::And_r32_rm32, Register::EAX, at(WARP, self.layout.alive.into()));
        self.asm.je(again);
        self.asm.op2(Code::Mov_r32_rm32, Register::EDX, at(Register::RCX, path::POSITION));
        self.asm.op2(Code::Mov_r32_rm32, Register::ECX, at(Register::RCX, path::RECONVERGE));
        self.asm.op2(Code::Cmp_r32_rm32, Register::EDX, Register::ECX);
        self.asm.je(again);
        self.asm.op2(Code::Mov_rm32_r32, at(WARP, self.layout.position.into()), Register::EDX);
        self.asm.op2(Code::Mov_rm32_r32, at(WARP, self.layout.reconverge.into()), Register::ECX);
        self.set_active();
        let table = self.table.as_ptr() as u64;
        self.jump_by(table);
        // None are left: the function has ended.
        self.asm.place(empty);
        self.asm.op2(Code::Mov_r32_rm32, Register::EAX, at(WARP, self.layout.reconverge.into()));
        self.asm.op1(Code::Push_r64, Register::RAX);
        self.call_thunk(2);
        self.go_on(&[]);
    }
}
