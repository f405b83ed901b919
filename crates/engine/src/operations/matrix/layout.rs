//! Which lane holds which element of a matrix.

use super::{Element, Sparsity};
use crate::numeric::value::LANES;
use parking_lot::Mutex;
use std::collections::HashMap;
use std::sync::Arc;

/// The role of a matrix in a product.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// The left factor.
    A,
    /// The right factor.
    B,
    /// What is added, and the result.
    C,
}

/// What a fragment is a fragment of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Key {
    /// Its role.
    pub role: Role,
    /// The elements.
    pub element: Element,
    /// Rows and columns of the matrix (of the stored part of a sparse one).
    pub rows: usize,
    pub columns: usize,
    /// How the lanes share it.
    pub form: Form,
}

/// How lanes share a matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Form {
    /// In groups of four, rows (of the right factor: columns) one after another.
    Plain,
    /// As for the transposed product.
    Turned,
    /// The four small products of `m8n8k4` in half precision, in one matrix; the flag says that a factor is in the other
    /// order than its fragment's (`.col` for the left, `.row` for the right).
    Quads(bool),
}

/// How a matrix lies in a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Row after row.
    Rows,
    /// Column after column.
    Columns,
    /// Two rows, or two columns, after the other: neighbours beside each other.
    PairsOfRows,
    PairsOfColumns,
}

/// Where the elements of a fragment are in the matrix.
pub struct Layout {
    /// By [`Order`].
    places: [Vec<u16>; 4],
    /// Registers of a lane.
    pub registers: usize,
}

/// Every layout is made once.
static LAYOUTS: Mutex<Option<HashMap<Key, Arc<Layout>>>> = Mutex::new(None);

impl Layout {
    /// The layout of a fragment.
    pub fn of(key: Key) -> Arc<Layout> {
        let mut all = LAYOUTS.lock();
        all.get_or_insert_default().entry(key).or_insert_with(|| Arc::new(Layout::make(key))).clone()
    }

    /// The index in the matrix, row after row, of an element of a lane.
    #[inline(always)]
    pub fn index(&self, element: usize, lane: usize) -> usize {
        usize::from(self.places[Order::Rows as usize][element * LANES + lane])
    }

    /// Elements of the matrix.
    pub fn size(&self) -> usize {
        self.places[Order::Rows as usize].len()
    }

    /// The places of an element of all lanes.
    #[inline(always)]
    pub fn places(&self, order: Order, element: usize) -> &[u16] {
        &self.places[order as usize][element * LANES..][..LANES]
    }

    fn make(key: Key) -> Layout {
        let elements = match (key.form, key.role) {
            (Form::Quads(_), Role::C) => 8,
            (Form::Quads(_), _) => 4,
            _ => key.rows * key.columns / LANES,
        };
        let mut places = [const { Vec::new() }; 4];
        let (rows, columns) = (key.rows, key.columns);
        for element in 0..elements {
            for lane in 0..LANES {
                let (row, column) = match key.form {
                    Form::Plain => place(&key, element, lane),
                    Form::Turned => {
                        let role = [Role::B, Role::A, Role::C][key.role as usize];
                        let turned = Key { role, rows: key.columns, columns: key.rows, ..key };
                        let (row, column) = place(&turned, element, lane);
                        (column, row)
                    }
                    Form::Quads(turned) => in_quad(&key, turned, element, lane),
                };
                places[Order::Rows as usize].push((row * columns + column) as u16);
                places[Order::Columns as usize].push((column * rows + row) as u16);
                places[Order::PairsOfRows as usize].push(((row / 2 * columns + column) * 2 + row % 2) as u16);
                places[Order::PairsOfColumns as usize].push(((column / 2 * rows + row) * 2 + column % 2) as u16);
            }
        }
        Layout { places, registers: elements.div_ceil(key.element.per_register()) }
    }
}

/// Row and column of an element in the layout that most products have: groups of four lanes hold a row (a column of the
/// right factor), each lane some neighbours of it.
fn place(key: &Key, element: usize, lane: usize) -> (usize, usize) {
    let (group, member) = (lane / 4, lane % 4);
    let per = key.element.per_register();
    let (register, within) = (element / per, element % per);
    match key.role {
        // Blocks of 8 rows by 4 registers: two below each other, as many beside each other as there are, and so on.
        Role::A => {
            let (below, beside) = ((key.rows / 8).min(2), key.columns / (4 * per));
            let row = group + register % below * 8 + register / (below * beside) * 16;
            (row, member * per + within + register / below % beside * 4 * per)
        }
        Role::B => {
            let deep = key.rows / (4 * per);
            ((register % deep) * 4 * per + member * per + within, group + register / deep * 8)
        }
        // Blocks of 8 by 8; two columns in each lane.
        Role::C => {
            let (block, within) = (element / 2, element % 2);
            let below = key.rows / 8;
            (group + block % below * 8, member * 2 + within + block / below * 8)
        }
    }
}

/// `m8n8k4` in half precision is four products of 8 by 8 by 4, each by lanes `4q..4q + 4` and `16 + 4q..`. They stand
/// below each other in the left factor and the result, beside each other in the right factor.
fn in_quad(key: &Key, turned: bool, element: usize, lane: usize) -> (usize, usize) {
    let (quad, member, upper) = (lane % 16 / 4, lane % 4, lane / 16 * 4);
    match (key.role, turned) {
        (Role::A, false) => (quad * 8 + member + upper, element),
        (Role::A, true) => (quad * 8 + element + upper, member),
        (Role::B, false) => (element, quad * 8 + member + upper),
        (Role::B, true) => (member, quad * 8 + element + upper),
        (Role::C, _) if key.element == Element::F16 => (quad * 8 + member + upper, element),
        (Role::C, _) => (quad * 8 + (lane & 1) + (element & 2) + upper, (element & 4) + (lane & 2) + (element & 1)),
    }
}

/// Where the metadata of `mma.sp` is, for a left factor of which `columns` columns are stored.
pub fn sparsity(register: u32, element: Element, columns: usize, selector: usize) -> Sparsity {
    let (group, together) = match element {
        Element::Tf32 => (2, 1),
        Element::S4 | Element::U4 | Element::Packed2m1 => (4, 2),
        _ => (4, 1),
    };
    // Bits of a row: two for each stored element, or four.
    let bits = if group == 2 { columns * 4 } else { columns / together * 2 };
    let mut places = Vec::with_capacity(16 * columns);
    for row in 0..16 {
        for column in 0..columns {
            let bit = if group == 2 { column * 4 } else { column / together * 2 };
            let quad = row % 8 * 4;
            let lower = row / 8;
            let (lane, bit) = match bits {
                // A lane has both rows.
                16 => (quad + selector, lower * 16 + bit),
                // Two lanes have both rows.
                32 if element.bits() >= 16 => (quad + selector * 2 + bit / 16, lower * 16 + bit % 16),
                // Two lanes have a row each.
                32 => (quad + selector * 2 + lower, bit),
                // Four lanes have half a row each.
                _ => (quad + lower + bit / 32 * 2, bit % 32),
            };
            places.push((lane as u8, bit as u8));
        }
    }
    Sparsity { register, places, group, together }
}
