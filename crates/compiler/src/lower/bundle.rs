//! Loads of words that lie side by side in each lane's row of eight: the rows are loaded as they lie in memory and turned into
//! columns by permutations, all at the first of these loads.

use super::memory::Place;
use super::{FRAME, Lower, zmm};
use crate::allocate::Home;
use crate::assembler::at;
use crate::encode::Memory;
use crate::map::Map;
use crate::operation::{Operation, Window};
use crate::unit::{SLOT, Step, UNGUARDED};
use iced_x86::Code;
use std::collections::HashMap;

const LOAD: Code = Code::EVEX_Vmovdqu32_zmm_k1z_zmmm512;
const STORE: Code = Code::EVEX_Vmovdqu32_zmmm512_k1z_zmm;
/// Words of a row, and its bytes.
const COLUMNS: usize = 8;
const ROW: i64 = 4 * COLUMNS as i64;
/// Loads from which on this pays.
const ENOUGH: usize = 4;

struct Bundle {
    /// The position of its first load, and the offset of the rows from where its group begins.
    first: usize,
    start: i64,
    /// Where its columns wait: places in the frame, of registers that live elsewhere.
    columns: [Option<u32>; COLUMNS],
    loads: Vec<(usize, usize)>,
}

/// The bundles of a block, and the bundle and column of each load.
#[derive(Default)]
pub(crate) struct Bundles {
    all: Vec<Bundle>,
    pub(super) of: Map<usize, (usize, usize)>,
}

impl Lower<'_> {
    /// Looks for them in a block.
    pub fn find_bundles(&mut self, block: usize) {
        self.bundles = Bundles::default();
        if self.groups.is_empty() {
            return;
        }
        let mut open: HashMap<(usize, i64), Bundle> = HashMap::new();
        let mut all: Vec<Bundle> = Vec::new();
        for position in self.flow.range(block) {
            let step = &self.unit.steps[position];
            if let Some((number, start, column)) = self.column(position, step) {
                let bundle = open.entry((number, start)).or_insert_with(|| Bundle {
                    first: position,
                    start,
                    columns: [None; COLUMNS],
                    loads: Vec::new(),
                });
                bundle.columns[column].get_or_insert(step.to[0]);
                bundle.loads.push((position, column));
                continue;
            }
            // Whatever stores registers may store one where a column waits.
            if !open.is_empty() && !self.is_quiet(position, step) {
                all.extend(open.drain().map(|(_, bundle)| bundle));
            }
        }
        all.extend(open.into_values());
        all.retain(|bundle| bundle.loads.len() >= ENOUGH);
        all.sort_by_key(|bundle| bundle.first);
        // Columns wait in few places, one bundle after the other.
        let mut waiting: Option<(usize, [Option<u32>; COLUMNS])> = None;
        all.retain_mut(|bundle| {
            let last = bundle.loads.iter().map(|&(position, _)| position).max().unwrap_or(0);
            let (end, places) = waiting.get_or_insert((0, [None; COLUMNS]));
            let apart = *end < bundle.first || *end == 0;
            if apart {
                for (column, place) in bundle.columns.iter_mut().zip(places) {
                    *column = column.map(|own| *place.get_or_insert(own));
                }
                *end = last;
            }
            apart
        });
        for (number, bundle) in all.iter().enumerate() {
            let loads = bundle.loads.iter().map(|&(position, column)| (position, (number, column)));
            self.bundles.of.extend(loads);
        }
        self.bundles.all = all;
    }

    /// The group of a load, where its row begins behind that, and its column.
    fn column(&self, position: usize, step: &Step) -> Option<(usize, i64, usize)> {
        let Operation::Load { window: Window::Shared, element, count: 1, .. } = step.operation else { return None };
        let group = self.group(position)?;
        let place = self.kind(step, Window::Shared, &element, 1)?;
        let to = step.to[0];
        let own = matches!(self.home(to), Some(Home::Vector(_))) && !self.wide(to);
        let whole = step.guard == UNGUARDED && self.flow.masked.get((to / SLOT) as usize) == Some(&false);
        // Of halves all lanes have been looked at, those that are not active, too: their rows are loaded with the others.
        if place != Place::Halves(ROW) || element.bytes != 4 || !own || !whole {
            return None;
        }
        let more = step.offset - group.least;
        let start = more - more.rem_euclid(ROW);
        let inside = start >= 0 && start + ROW <= group.extent;
        inside.then_some((group.number, start, (more - start) as usize / 4))
    }

    /// Loads a column. False if it is in no bundle.
    pub fn load_column(&mut self, position: usize, step: &Step) -> bool {
        let Some(&(number, column)) = self.bundles.of.get(&position) else { return false };
        let bundle = &self.bundles.all[number];
        let (columns, start) = (bundle.columns, bundle.start);
        if bundle.first == position {
            for half in 0..2 {
                let base = at(self.bases[half as usize], start);
                self.turn_columns(&columns, half, base);
            }
        }
        let Some(from) = columns[column] else { return false };
        for half in 0..2 {
            let target = self.target(step, step.to[0], half);
            self.asm.op2(LOAD, target, at(FRAME, i64::from(from) + 64 * i64::from(half)));
            self.put(step, step.to[0], half, false, target);
        }
        true
    }

    /// Rows of sixteen lanes to columns: three times, halves of rows of twice as many lanes come together.
    fn turn_columns(&mut self, columns: &[Option<u32>; COLUMNS], half: u32, rows: Memory) {
        let spare = columns.iter().flatten().next().copied().unwrap_or_default();
        let aside = at(FRAME, i64::from(spare) + 128);
        // Which word of two vectors goes where: the own half of the rows of `lanes` lanes each.
        let own = |lanes: u32, side: u32| {
            let width = 16 / lanes;
            move |n: u32| {
                let (lane, word) = (n / (width / 2), n % (width / 2));
                lane / lanes * 16 + lane % lanes * width + side * (width / 2) + word
            }
        };
        for four in 0..2u32 {
            for pair in 0..4u32 {
                let place = |n: u32| at(rows.base, rows.offset + 64 * i64::from(n));
                self.asm.op2(LOAD, zmm(0), place(2 * pair));
                self.permuted(zmm(1 + pair), own(2, four), zmm(0), place(2 * pair + 1));
            }
            for two in 0..2u32 {
                let wanted = columns[(4 * four + 2 * two) as usize..][..2].to_vec();
                if wanted.iter().all(Option::is_none) {
                    continue;
                }
                self.permuted(zmm(5), own(4, two), zmm(3), zmm(4));
                self.asm.op2(STORE, aside, zmm(5));
                self.permuted(zmm(5), own(4, two), zmm(1), zmm(2));
                for (one, to) in wanted.into_iter().enumerate() {
                    if let Some(to) = to {
                        self.permuted(zmm(0), own(8, one as u32), zmm(5), aside);
                        self.asm.op2(STORE, at(FRAME, i64::from(to) + 64 * i64::from(half)), zmm(0));
                    }
                }
            }
        }
    }
}
