//! Fragments to and from memory: `ldmatrix`, `stmatrix`, `movmatrix`, `wmma.load`, `wmma.store`.

use super::{Element, Fragment};
use crate::numeric::value::LANES;
use crate::operations::check;
use crate::operations::memory::{Address, Plain, Shared, Window, addresses_at};
use crate::state::fault::Fault;
use crate::state::payload::{DetailOf, payload};
use crate::state::registers::{set_vector, vector};
use crate::state::step::Flow;
use crate::state::warp::{Execute, Step, Warp};
use core::arch::x86_64::*;
use ptx::Space;

/// Rows of a small matrix, and bytes of a row.
const ROWS: usize = 8;
const ROW_BYTES: usize = 16;

/// A fragment in memory.
pub struct Transfer {
    /// The registers and what they hold.
    pub fragment: Fragment,
    /// Columns of the matrix, as the layout counts.
    columns: usize,
    /// Columns lie one after another in memory.
    by_columns: bool,
    /// Where the lanes' words of 32 bits are, of one register after the other; none where not all elements of a word are neighbours in
    /// memory, or where elements are bits or of another size than a word can be made of.
    words: Vec<[Place; LANES]>,
}

/// Where a word is: in which line of the matrix, and so many bytes behind the line's begin.
#[derive(Clone, Copy)]
struct Place {
    line: u16,
    bytes: u16,
}

payload! {
    /// A step that moves a fragment.
    pub struct Move {
        pub address: Address,
        pub transfer: DetailOf<Transfer>,
    }
}

/// Where row `lane` of the matrices is: 16 aligned bytes.
unsafe fn row<W: Window>(warp: &Warp, step: &Step, lane: usize) -> Result<*mut u16, Fault> {
    // SAFETY: the contract of `Execute`.
    let address = unsafe {
        let Address { offset, narrow, .. } = step.payload();
        if narrow {
            u64::from(vector::<u32>(warp, step.from[0])[lane].wrapping_add(offset as u32))
        } else {
            vector::<u64>(warp, step.from[0])[lane].wrapping_add(offset as u64)
        }
    };
    if address % ROW_BYTES as u64 != 0 {
        return Err(Fault::Misaligned);
    }
    // SAFETY: the contract of `Execute`.
    unsafe { W::translate(warp, lane, address, ROW_BYTES).map(|at| at as *mut u16) }
}

/// A small matrix: two neighbours of a row are the word of a lane.
#[derive(Clone, Copy)]
#[repr(C, align(16))]
struct Small([[u16; ROWS]; ROWS]);

impl Small {
    /// With rows for columns.
    fn turned(self) -> Small {
        let mut to = Small([[0; ROWS]; ROWS]);
        // SAFETY: every x86-64 has these instructions; a row is a vector.
        unsafe {
            let rows: [__m128i; ROWS] = core::mem::transmute(self.0);
            // Pairs of rows four apart, three times: each time one bit of the numbers of rows and columns changes sides.
            let step = |rows: [__m128i; ROWS]| -> [__m128i; ROWS] {
                core::array::from_fn(|n| {
                    let (near, far) = (rows[n / 2], rows[n / 2 + 4]);
                    if n % 2 == 0 { _mm_unpacklo_epi16(near, far) } else { _mm_unpackhi_epi16(near, far) }
                })
            };
            to.0 = core::mem::transmute::<[__m128i; ROWS], [[u16; ROWS]; ROWS]>(step(step(step(rows))));
        }
        to
    }
}

/// `ldmatrix`: `N` matrices of 8 by 8 elements of 16 bits; their rows begin where lanes 0 to 8 `N` say.
unsafe fn load<W: Window, const N: usize, const TURNED: bool>(warp: &mut Warp, step: &Step) -> Flow {
    if !warp.aligned() {
        return Flow::Held;
    }
    let mut all = [Small([[0; ROWS]; ROWS]); N];
    for lane in 0..N * ROWS {
        // SAFETY: the contract of `Execute`; what an address leads to is guarded.
        match unsafe { row::<W>(warp, step, lane) } {
            // SAFETY: a row is `ROWS` elements; what an address leads to is guarded.
            Ok(from) => all[lane / ROWS].0[lane % ROWS] = unsafe { from.cast::<[u16; ROWS]>().read_unaligned() },
            Err(fault) => return Flow::Fault(fault),
        }
    }
    for (matrix, small) in all.into_iter().enumerate() {
        let small = if TURNED { small.turned() } else { small };
        // SAFETY: as many bytes, of which any are words; the contract of `Execute`.
        unsafe { set_vector(warp, step.to[matrix], &core::mem::transmute::<Small, [u32; LANES]>(small)) };
    }
    Flow::Next
}

/// `stmatrix`.
unsafe fn store<W: Window, const N: usize, const TURNED: bool>(warp: &mut Warp, step: &Step) -> Flow {
    if !warp.aligned() {
        return Flow::Held;
    }
    for matrix in 0..N {
        // SAFETY: the contract of `Execute`; as many bytes.
        let small: Small = unsafe { core::mem::transmute(vector::<u32>(warp, step.from[matrix + 1])) };
        let small = if TURNED { small.turned() } else { small };
        for (number, own) in small.0.into_iter().enumerate() {
            // SAFETY: the contract of `Execute`; what an address leads to is guarded.
            match unsafe { row::<W>(warp, step, matrix * ROWS + number) } {
                // SAFETY: as above.
                Ok(to) => unsafe { to.cast::<[u16; ROWS]>().write_unaligned(own) },
                Err(fault) => return Flow::Fault(fault),
            }
        }
    }
    Flow::Next
}

/// The sixteen elements of a row of bytes, or of shorter numbers close together.
fn elements(row: [u8; ROW_BYTES], width: u32) -> [u8; ROW_BYTES] {
    let all = u128::from_le_bytes(row);
    core::array::from_fn(|n| (all >> (width * n as u32)) as u8 & (0xff >> (8 - width)))
}

/// `ldmatrix` of `N` matrices of bytes, whose elements have `WIDTH` bits in memory: of 8 rows of 16, or of 16 rows of 16, turned
/// over.
unsafe fn load_bytes<W: Window, const N: usize, const WIDTH: u32, const TALL: bool>(
    warp: &mut Warp,
    step: &Step,
) -> Flow {
    if !warp.aligned() {
        return Flow::Held;
    }
    let height = if TALL { 2 * ROWS } else { ROWS };
    let mut all = [[0u8; ROW_BYTES]; LANES];
    for (lane, own) in all.iter_mut().enumerate().take(N * height) {
        // SAFETY: the contract of `Execute`; what an address leads to is guarded.
        match unsafe { row::<W>(warp, step, lane) } {
            // SAFETY: a row has as many bytes; what an address leads to is guarded.
            Ok(from) => *own = elements(unsafe { from.cast::<[u8; ROW_BYTES]>().read_unaligned() }, WIDTH),
            Err(fault) => return Flow::Fault(fault),
        }
    }
    for (matrix, rows) in all.chunks(height).take(N).enumerate() {
        let halves = if TALL { 2 } else { 1 };
        for half in 0..halves {
            let words: [u32; LANES] = core::array::from_fn(|lane| {
                let (group, first) = (lane / 4, lane % 4 * 4);
                u32::from_le_bytes(core::array::from_fn(|n| {
                    if TALL { rows[first + n][group + half * ROWS] } else { rows[group][first + n] }
                }))
            });
            // SAFETY: the contract of `Execute`.
            unsafe { set_vector(warp, step.to[matrix * halves + half], &words) };
        }
    }
    Flow::Next
}

/// `stmatrix` of `N` matrices of 16 by 8 bytes, column after column.
unsafe fn store_bytes<W: Window, const N: usize>(warp: &mut Warp, step: &Step) -> Flow {
    if !warp.aligned() {
        return Flow::Held;
    }
    for matrix in 0..N {
        // SAFETY: the contract of `Execute`.
        let words = unsafe { vector::<u32>(warp, step.from[matrix + 1]) }.map(u32::to_le_bytes);
        for column in 0..ROWS {
            // Lanes have two neighbours of a row, and of the one eight below.
            let own: [u8; ROW_BYTES] =
                core::array::from_fn(|row| words[row % ROWS * 4 + column / 2][row / ROWS * 2 + column % 2]);
            // SAFETY: the contract of `Execute`; what an address leads to is guarded.
            match unsafe { row::<W>(warp, step, matrix * ROWS + column) } {
                // SAFETY: as above.
                Ok(to) => unsafe { to.cast::<[u8; ROW_BYTES]>().write_unaligned(own) },
                Err(fault) => return Flow::Fault(fault),
            }
        }
    }
    Flow::Next
}

/// `ldmatrix` of matrices of bytes, tall ones or not, with so many bits an element in memory.
pub fn load_bytes_of(space: Space, count: usize, width: u32, tall: bool) -> Option<Execute> {
    macro_rules! by_window {
        ($($count:literal $width:literal $tall:literal),*) => {
            match (space, count, width, tall) {
                $((Space::Shared, $count, $width, $tall) => load_bytes::<Shared, $count, $width, $tall>,)*
                $((Space::Generic, $count, $width, $tall) => load_bytes::<Plain, $count, $width, $tall>,)*
                _ => return None,
            }
        };
    }
    Some(by_window!(
        1 4 false, 2 4 false, 4 4 false, 1 6 false, 2 6 false, 4 6 false,
        1 4 true, 2 4 true, 1 6 true, 2 6 true, 1 8 true, 2 8 true
    ))
}

/// `stmatrix` of matrices of bytes.
pub fn store_bytes_of(space: Space, count: usize) -> Option<Execute> {
    Some(match (space, count) {
        (Space::Shared, 1) => store_bytes::<Shared, 1>,
        (Space::Shared, 2) => store_bytes::<Shared, 2>,
        (Space::Shared, 4) => store_bytes::<Shared, 4>,
        (Space::Generic, 1) => store_bytes::<Plain, 1>,
        (Space::Generic, 2) => store_bytes::<Plain, 2>,
        (Space::Generic, 4) => store_bytes::<Plain, 4>,
        _ => return None,
    })
}

/// `movmatrix`: a matrix of 8 by 8 elements of 16 bits, turned over.
///
/// # Safety
/// The contract of [`Execute`](crate::state::warp::Execute).
pub unsafe fn turn(warp: &mut Warp, step: &Step) -> Flow {
    if !warp.aligned() {
        return Flow::Held;
    }
    // SAFETY: the contract of `Execute`.
    unsafe {
        let from = vector::<u32>(warp, step.from[0]);
        let at = |row: usize, column: usize| from[row * 4 + column / 2] >> (column % 2 * 16) & 0xffff;
        let to: [u32; LANES] = core::array::from_fn(|lane| {
            let (row, column) = (lane / 4, lane % 4 * 2);
            at(column, row) | at(column + 1, row) << 16
        });
        set_vector(warp, step.to[0], &to);
    }
    Flow::Next
}

macro_rules! pick {
    ($f:ident, $space:expr, $count:expr, $turned:expr) => {
        match ($space, $count, $turned) {
            (Space::Shared, 1, false) => Some($f::<Shared, 1, false> as Execute),
            (Space::Shared, 2, false) => Some($f::<Shared, 2, false> as Execute),
            (Space::Shared, 4, false) => Some($f::<Shared, 4, false> as Execute),
            (Space::Shared, 1, true) => Some($f::<Shared, 1, true> as Execute),
            (Space::Shared, 2, true) => Some($f::<Shared, 2, true> as Execute),
            (Space::Shared, 4, true) => Some($f::<Shared, 4, true> as Execute),
            (Space::Generic, 1, false) => Some($f::<Plain, 1, false> as Execute),
            (Space::Generic, 2, false) => Some($f::<Plain, 2, false> as Execute),
            (Space::Generic, 4, false) => Some($f::<Plain, 4, false> as Execute),
            (Space::Generic, 1, true) => Some($f::<Plain, 1, true> as Execute),
            (Space::Generic, 2, true) => Some($f::<Plain, 2, true> as Execute),
            (Space::Generic, 4, true) => Some($f::<Plain, 4, true> as Execute),
            _ => None,
        }
    };
}

/// `ldmatrix` of a number of matrices.
pub fn load_of(space: Space, count: usize, turned: bool) -> Option<Execute> {
    pick!(load, space, count, turned)
}

/// `stmatrix` of a number of matrices.
pub fn store_of(space: Space, count: usize, turned: bool) -> Option<Execute> {
    pick!(store, space, count, turned)
}

impl Transfer {
    /// A fragment of a matrix of so many columns, which lie one after another in memory, or rows do.
    pub fn new(fragment: Fragment, columns: usize, by_columns: bool) -> Transfer {
        let mut transfer = Transfer { fragment, columns, by_columns, words: Vec::new() };
        transfer.words = transfer.find_words().unwrap_or_default();
        transfer
    }

    fn find_words(&self) -> Option<Vec<[Place; LANES]>> {
        let Fragment { element, layout, .. } = &self.fragment;
        let (bits, per) = (element.bits(), element.per_register());
        if !matches!(bits, 8 | 16 | 32) || *element == Element::B1 {
            return None;
        }
        let word = |number: usize, lane: usize| {
            let (line, first) = self.line(number * per, lane);
            let neighbours = (0..per).all(|e| self.line(number * per + e, lane) == (line, first + e));
            let bytes = first * bits / 8;
            neighbours.then_some(Place { line: u16::try_from(line).ok()?, bytes: u16::try_from(bytes).ok()? })
        };
        let mut all = Vec::with_capacity(layout.registers);
        for number in 0..layout.registers {
            let mut lanes = [Place { line: 0, bytes: 0 }; LANES];
            for (lane, place) in lanes.iter_mut().enumerate() {
                *place = word(number, lane)?;
            }
            all.push(lanes);
        }
        Some(all)
    }

    /// The line that an element is in, and its number there.
    fn line(&self, element: usize, lane: usize) -> (usize, usize) {
        let at = self.fragment.layout.index(element, lane);
        // A power of two.
        let (row, column) = (at >> self.columns.trailing_zeros(), at & (self.columns - 1));
        if self.by_columns { (column, row) } else { (row, column) }
    }

    /// Bytes behind the matrix's begin at which an element is, `stride` elements from row to row.
    fn offset(&self, element: usize, lane: usize, stride: u32) -> u64 {
        let (major, minor) = self.line(element, lane);
        // Single bits come in words, whose distance is counted in bits.
        if self.fragment.element == Element::B1 {
            return major as u64 * u64::from(stride) / 8 + minor as u64 * 4;
        }
        (major as u64 * u64::from(stride) + minor as u64) * self.fragment.element.bits() as u64 / 8
    }
}

/// Where a matrix is if all of it can be accessed.
unsafe fn whole<W: Window>(warp: &Warp, transfer: &Transfer, base: u64, stride: u32) -> Option<u64> {
    let (rows, columns) = (transfer.fragment.layout.size() / transfer.columns, transfer.columns);
    let (major, minor) = if transfer.by_columns { (columns, rows) } else { (rows, columns) };
    // Lines and what is between them; a little more where elements are bits.
    let elements = (major as u64 - 1) * u64::from(stride) + minor as u64;
    let bytes = elements * (transfer.fragment.element.bits() as u64).div_ceil(8);
    // SAFETY: the contract of `Execute`.
    unsafe { W::translate(warp, 0, base, usize::try_from(bytes).ok()?).ok() }
}

/// Where an element of a lane is, `offset` bytes behind the matrix's begin.
#[inline(always)]
unsafe fn element_at<W: Window>(
    warp: &Warp,
    lane: usize,
    whole: Option<u64>,
    (base, offset): (u64, u64),
    bytes: usize,
) -> Result<u64, Fault> {
    match whole {
        Some(at) => Ok(at + offset),
        // SAFETY: the contract of `Execute`.
        None => unsafe { W::translate(warp, lane, base.wrapping_add(offset), bytes) },
    }
}

/// The first address and the stride of a matrix: those of the first lane.
unsafe fn place(warp: &Warp, step: &Step) -> (u64, u32) {
    let lane = warp.mask.trailing_zeros() as usize & 31;
    // SAFETY: the contract of `Execute`.
    unsafe { (addresses_at(warp, step, step.payload())[lane], vector::<u32>(warp, step.from[1])[lane]) }
}

/// `wmma.load`, by a [`Move`].
unsafe fn load_matrix<W: Window>(warp: &mut Warp, step: &Step) -> Flow {
    if !warp.aligned() {
        return Flow::Held;
    }
    let Some(transfer) = warp.code().details.get(step.payload::<Move>().transfer) else { return Flow::Next };
    // SAFETY: the contract of `Execute`; what an address leads to is guarded.
    unsafe {
        let (base, stride) = place(warp, step);
        let (bits, per) = (transfer.fragment.element.bits(), transfer.fragment.element.per_register());
        let bytes = if bits < 8 { 4 } else { bits / 8 };
        if base % bytes as u64 != 0 {
            return Flow::Fault(Fault::Misaligned);
        }
        let whole = whole::<W>(warp, transfer, base, stride);
        if let (Some(at), false) = (whole, transfer.words.is_empty()) {
            let line = u64::from(stride) * bytes as u64;
            // Some fragments have everything several times.
            for (&register, places) in transfer.fragment.registers.iter().zip(transfer.words.iter().cycle()) {
                let words: [u32; LANES] = core::array::from_fn(|lane| {
                    let Place { line: number, bytes } = places[lane];
                    let at = at + u64::from(number) * line + u64::from(bytes);
                    (at as *const u32).read_unaligned()
                });
                set_vector(warp, register, &words);
            }
            return Flow::Next;
        }
        for (number, &register) in transfer.fragment.registers.iter().enumerate() {
            // Some fragments have everything several times.
            let number = number % transfer.fragment.layout.registers;
            let mut words = [0u64; LANES];
            for (lane, word) in words.iter_mut().enumerate() {
                let elements = if bits < 8 { 1 } else { per };
                for element in 0..elements {
                    let offset = transfer.offset(number * per + element, lane, stride);
                    let at = match element_at::<W>(warp, lane, whole, (base, offset), bytes) {
                        Ok(at) => at,
                        Err(fault) => return Flow::Fault(fault),
                    };
                    let value = match bytes {
                        1 => u64::from((at as *const u8).read_volatile()),
                        2 => u64::from((at as *const u16).read_volatile()),
                        4 => u64::from((at as *const u32).read_volatile()),
                        _ => (at as *const u64).read_volatile(),
                    };
                    *word |= value << (element * bits);
                }
            }
            if bits == 64 {
                set_vector(warp, register, &words);
            } else {
                set_vector(warp, register, &words.map(|w| w as u32));
            }
        }
    }
    Flow::Next
}

/// `wmma.store`.
unsafe fn store_matrix<W: Window>(warp: &mut Warp, step: &Step) -> Flow {
    if !warp.aligned() {
        return Flow::Held;
    }
    let Some(transfer) = warp.code().details.get(step.payload::<Move>().transfer) else { return Flow::Next };
    // SAFETY: the contract of `Execute`; what an address leads to is guarded.
    unsafe {
        let (base, stride) = place(warp, step);
        let (bits, per) = (transfer.fragment.element.bits(), transfer.fragment.element.per_register());
        let bytes = bits / 8;
        if base % bytes as u64 != 0 {
            return Flow::Fault(Fault::Misaligned);
        }
        let whole = whole::<W>(warp, transfer, base, stride);
        if let (Some(at), false) = (whole, transfer.words.is_empty()) {
            let line = u64::from(stride) * bytes as u64;
            for (&register, places) in transfer.fragment.registers.iter().zip(&transfer.words) {
                for (word, &Place { line: number, bytes }) in vector::<u32>(warp, register).iter().zip(places) {
                    let at = at + u64::from(number) * line + u64::from(bytes);
                    (at as *mut u32).write_unaligned(*word);
                }
            }
            return Flow::Next;
        }
        for (number, &register) in transfer.fragment.registers.iter().enumerate() {
            let words: [u64; LANES] =
                if bits == 64 { vector::<u64>(warp, register) } else { vector::<u32>(warp, register).map(u64::from) };
            for (lane, word) in words.iter().enumerate() {
                for element in 0..per {
                    let offset = transfer.offset(number * per + element, lane, stride);
                    let at = match element_at::<W>(warp, lane, whole, (base, offset), bytes) {
                        Ok(at) => at,
                        Err(fault) => return Flow::Fault(fault),
                    };
                    let value = word >> (element * bits);
                    match bytes {
                        2 => (at as *mut u16).write_volatile(value as u16),
                        4 => (at as *mut u32).write_volatile(value as u32),
                        _ => (at as *mut u64).write_volatile(value),
                    }
                }
            }
        }
    }
    Flow::Next
}

/// Looks at what `wmma.load` or `wmma.store` will access.
///
/// # Safety
/// The contract of [`Execute`](crate::state::warp::Execute).
pub unsafe fn probe(warp: &mut Warp, step: &Step) -> Flow {
    let Some(transfer) = warp.code().details.get(step.payload::<Move>().transfer) else { return Flow::Next };
    // SAFETY: the contract of `Execute`.
    let (base, stride) = unsafe { place(warp, step) };
    let (bits, per) = (transfer.fragment.element.bits(), transfer.fragment.element.per_register());
    let bytes = if bits < 8 { 4 } else { bits / 8 };
    let elements = if bits < 8 { 1 } else { per };
    let all = (0..transfer.fragment.layout.registers).flat_map(|number| {
        let offset = move |element, lane| transfer.offset(number * per + element, lane, stride);
        (0..elements).map(move |e| core::array::from_fn(|lane| base.wrapping_add(offset(e, lane))))
    });
    check::fragments(warp, step, bytes as u64, all)
}

/// `wmma.load` or `wmma.store` in a space.
pub fn transfer_of(space: Space, stores: bool) -> Option<Execute> {
    Some(match (space, stores) {
        (Space::Shared, false) => load_matrix::<Shared>,
        (Space::Shared, true) => store_matrix::<Shared>,
        (Space::Global | Space::Generic, false) => load_matrix::<Plain>,
        (Space::Global | Space::Generic, true) => store_matrix::<Plain>,
        _ => return None,
    })
}
