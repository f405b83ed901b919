//! Loads that the step which needs them makes itself: rows of f32 in shared memory that one product reads, and rows in global memory
//! that the next step adds or multiplies.

use super::memory::Place;
use super::{Late, Lower, arithmetic};
use crate::allocate::Home;
use crate::assembler::{Label, Level, at, broadcast};
use crate::encode::Memory;
use crate::flow::{Sets, has};
use crate::map::Map;
use crate::operation::{Element, Number, Operation, Window};
use crate::unit::{SLOT, Step, UNGUARDED};
use iced_x86::{Code, Register};

/// Steps between a load and the product, at most.
const FAR: usize = 16;

/// Where the rows of both halves of the warp are.
#[derive(Clone, Copy)]
struct Rows {
    bases: [Register; 2],
    offsets: [i64; 2],
    /// A word for all lanes of a half.
    single: bool,
}

/// The loads of a block.
#[derive(Default)]
pub(crate) struct Folds {
    /// By the position of a load that of the only step that reads it.
    readers: Map<usize, usize>,
    /// Loads that have not been made, by register.
    open: Vec<(u32, Rows)>,
    /// Where code comes back that makes a load and the step behind it slowly: behind that step.
    pub back: Option<(usize, Label)>,
}

fn is_product(step: &Step) -> bool {
    step.operation == Operation::Mad(Number::F32) && step.guard == UNGUARDED && step.manner.rounding == 0
}

impl Lower<'_> {
    /// Looks for such loads in a block. `live`: what is live before each of its steps.
    pub fn find_folds(&mut self, block: usize, live: &Sets) {
        self.folds = Folds::default();
        if self.asm.level() != Level::Avx512 {
            return;
        }
        let range = self.flow.range(block);
        for position in range.clone() {
            if let Some(reader) = self.reader(position, range.end) {
                let dies = !has(live.of(reader + 1 - range.start), self.unit.steps[position].to[0] / SLOT);
                if dies {
                    self.folds.readers.insert(position, reader);
                }
            }
        }
    }

    /// The step that reads a load, if it is a product and none in between may leave the code or write to memory; of global memory the next one.
    fn reader(&self, position: usize, end: usize) -> Option<usize> {
        let unit = self.unit;
        let step = &unit.steps[position];
        let Operation::Load { window, element: Element { bytes: 4, .. }, count: 1, .. } = step.operation else {
            return None;
        };
        let to = step.to[0];
        let slot = to / SLOT;
        let own = matches!(self.home(to), Some(Home::Vector(_))) && !self.wide(to);
        if step.guard != UNGUARDED || !own || self.flow.masked.get(slot as usize) != Some(&false) {
            return None;
        }
        if window == Window::Plain {
            return (position + 1 < end && self.is_row_for_next(position)).then_some(position + 1);
        }
        for at in position + 1..end.min(position + FAR) {
            let other = &unit.steps[at];
            let (mut reads, mut writes) = (0, false);
            self.flow.touches_plainly(at, |r| reads += u32::from(r == slot), |w, _| writes |= w == slot);
            if reads > 0 {
                let [a, b, c, ..] = other.from;
                let another = if a == to { b } else { a };
                let fits = is_product(other) && reads == 1 && c != to && self.is_in_register(another);
                return fits.then_some(at);
            }
            if writes || !self.is_quiet(at, other) {
                return None;
            }
        }
        None
    }

    /// Whether a load is of a row in global memory, and the next step can make it.
    fn is_row_for_next(&self, position: usize) -> bool {
        let [step, next] = [&self.unit.steps[position], &self.unit.steps[position + 1]];
        let Operation::Load { window, element, count, .. } = step.operation else { return false };
        let (to, result) = (step.to[0], next.to[0]);
        let [a, b, c, ..] = next.from;
        let once = match next.operation {
            Operation::Mad(_) => (a == to) != (b == to) && c != to,
            Operation::Sub(_) => b == to && a != to,
            _ => (a == to) != (b == to),
        };
        let plain = arithmetic::is_plain(next) && next.guard == UNGUARDED && next.manner.rounding == 0;
        let vector = !self.is_scalar(result) && !self.is_in_halves(result);
        let flushes = self.flushes || super::float::flushes(next) == Some(true);
        let row = self.kind(step, window, &element, count) == Some(Place::Row(4));
        // Where steps are counted, or loops ask for lines beforehand, the address may be lost.
        let quiet = self.layout.counters == 0 && self.flow.depth[self.flow.block_of(position)] == 0;
        once && plain && vector && !flushes && row && quiet && self.unit.tiles.is_empty()
    }

    /// Whether the next step makes a load of global memory: where the interpreter does, that is done at once, too.
    pub fn is_made_next(&mut self, position: usize, window: Window) -> bool {
        window == Window::Plain && self.folds.readers.contains_key(&position)
    }

    /// Where a load goes on that is left to the interpreter, with the step behind it.
    pub fn late_fold(&mut self, position: usize) -> Label {
        let (label, back) = (self.asm.label(), self.asm.label());
        self.late.push(Late::Folded { label, back, at: position });
        self.folds.back = Some((position + 1, back));
        label
    }

    /// A step that makes a load waits for nothing.
    pub fn makes_load(&self, position: usize) -> bool {
        position > 0 && self.folds.readers.get(&(position - 1)) == Some(&position)
    }

    /// Sums and products, and loads near others: none of them stores registers and goes on.
    pub fn is_quiet(&self, position: usize, step: &Step) -> bool {
        match step.operation {
            Operation::Load { window: Window::Shared, element: Element { bytes: 4, .. }, count: 1, .. } => {
                self.group(position).is_some() && !self.wide(step.to[0])
            }
            _ => arithmetic::is_plain(step) && !self.is_scalar(step.to[0]),
        }
    }

    /// Leaves a load to the step that reads it. False if it is made now: its address is in no register of its own, or loads in
    /// between look at theirs.
    pub fn fold(&mut self, position: usize, to: u32, place: Place, more: i64) -> bool {
        let Some(&reader) = self.folds.readers.get(&position) else { return false };
        let [first, second] = self.bases;
        let scratch = |register: Register| matches!(register, Register::RAX | Register::RCX);
        let single = place == Place::Halves(0);
        let rows = match place {
            Place::Row(4) => Rows { bases: [first; 2], offsets: [more, more + 64], single },
            Place::Halves(0 | 4) => Rows { bases: [first, second], offsets: [more; 2], single },
            _ => return false,
        };
        // A word is, where the other factor is a row in memory that both halves read.
        let [a, b, ..] = self.unit.steps[reader].from;
        if single && !self.is_one_row(if a == to { b } else { a }) {
            return false;
        }
        let quiet = (position + 1..reader).all(|at| {
            let load = matches!(self.unit.steps[at].operation, Operation::Load { .. });
            !load || self.group(at).is_some_and(|group| group.looked_at)
        });
        let next = matches!(self.unit.steps[position].operation, Operation::Load { window: Window::Plain, .. });
        if !next && (rows.bases.into_iter().any(scratch) || !quiet) {
            return false;
        }
        self.folds.open.push((to / SLOT, rows));
        true
    }

    /// Whether a factor is still in memory, in one row for both halves of the warp.
    fn is_one_row(&self, offset: u32) -> bool {
        self.open_rows(offset)
            .is_some_and(|rows| !rows.single && rows.bases[0] == rows.bases[1] && rows.offsets[0] == rows.offsets[1])
    }

    fn open_rows(&self, offset: u32) -> Option<Rows> {
        self.folds.open.iter().find(|(slot, _)| *slot == offset / SLOT).map(|&(_, rows)| rows)
    }

    /// The factors of a product, if both are in memory still: a row for both halves, and a word for each. The first half's turn loads
    /// the row.
    pub fn folded_both(&mut self, (a, b): (u32, u32), piece: u32, row: Register) -> Option<Memory> {
        let (whole, word) = if self.is_one_row(a) { (a, b) } else { (b, a) };
        let (rows, words) = (self.open_rows(whole)?, self.open_rows(word)?);
        if !words.single {
            return None;
        }
        if piece == 0 {
            self.asm.op2(Code::EVEX_Vmovdqu32_zmm_k1z_zmmm512, row, at(rows.bases[0], rows.offsets[0]));
        }
        let half = piece as usize & 1;
        Some(broadcast(words.bases[half], words.offsets[half]))
    }

    /// Memory that a factor of a product is still in.
    pub fn folded(&self, offset: u32, piece: u32) -> Option<Memory> {
        let rows = self.open_rows(offset)?;
        let half = piece as usize & 1;
        Some(at(rows.bases[half], rows.offsets[half]))
    }

    /// A step has been made: what it read has been loaded.
    pub fn close_folds(&mut self, step: &Step) {
        if !self.folds.open.is_empty() && arithmetic::is_plain(step) {
            self.folds.open.retain(|(slot, _)| !step.from[..2].iter().any(|from| from / SLOT == *slot));
        }
    }
}
