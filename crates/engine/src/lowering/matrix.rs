//! Matrix instructions.

use crate::lowering::select::{Select, Selected, unsupported};
use crate::numeric::float;
use crate::operations;
use crate::operations::matrix::group::GroupProduct;
use crate::operations::matrix::layout::{Form, Key, Layout, Role};
use crate::operations::matrix::moves::{Move, Transfer};
use crate::operations::matrix::numbers::{Parts, Rules};
use crate::operations::matrix::{Element, Fragment, Product, ScaleOperand, Scales, group, layout, moves};
use crate::operations::memory::Address;
use crate::operations::{arithmetic as scalar, check, matrix};
use ptx::{Instruction, Modifier, Operand, Type};

/// Bits that sums keep below the highest exponent.
const FRACTION: i32 = 25;
/// The same for products of a warpgroup of numbers of 8 bits.
const FRACTION_OF_BYTES: i32 = 13;

/// The three extents of a product.
fn extents_of(i: &Instruction<'_>) -> Selected<[usize; 3]> {
    let extents = i.modifiers.iter().find_map(|m| match *m {
        Modifier::Shape([m, n, k]) if k != 0 => Some([m, n, k].map(usize::from)),
        _ => None,
    });
    extents.ok_or_else(String::new)
}

fn elements_of(i: &Instruction<'_>) -> Vec<Element> {
    i.modifiers.iter().filter_map(|m| Element::of(*m)).collect()
}

/// Columns as the layouts count: single bits come in words.
fn columns_of(element: Element, k: usize) -> usize {
    if element == Element::B1 { k / 32 } else { k }
}

fn rounding(i: &Instruction<'_>) -> u32 {
    i.modifiers.iter().find_map(|m| scalar::rounding(*m)).unwrap_or(float::NEAREST)
}

/// How the products of a type are added up.
fn rules(i: &Instruction<'_>, a: Element, b: Element, d: Element) -> Selected<Rules> {
    use Element::*;
    let half = d == F16;
    Ok(match (a, b, d) {
        (F16, F16, F16 | F32) | (Bf16, Bf16, F32) | (Tf32, Tf32, F32) => {
            Rules::Short { fraction: FRACTION, half, narrow: false, parts: Parts::Whole }
        }
        // Converted to half precision, in two parts.
        (E4m3 | E5m2, E4m3 | E5m2, F16 | F32) => {
            Rules::Short { fraction: FRACTION, half, narrow: false, parts: Parts::Pairs }
        }
        (F64, F64, F64) => Rules::Double(rounding(i)),
        (S8 | U8, S8 | U8, S32) | (S4 | U4, S4 | U4, S32) => Rules::Integer { saturate: i.has(Modifier::Satfinite) },
        (B1, B1, S32) if i.has(Modifier::Popc) && (i.has(Modifier::And) || i.has(Modifier::Xor)) => {
            Rules::Bits { and: i.has(Modifier::And) }
        }
        _ => return unsupported(),
    })
}

impl<'a> Select<'_, 'a> {
    /// The registers of a fragment.
    fn fragment(&mut self, operand: &Operand<'a>, key: Key, writes: bool) -> Selected<Fragment> {
        let layout = Layout::of(key);
        let all = Self::elements(operand);
        if all.len() % layout.registers != 0 || all.is_empty() {
            return Err("Arguments mismatch".into());
        }
        let ty = if key.element == Element::F64 { Type::F64 } else { Type::B32 };
        let mut registers = Vec::with_capacity(all.len());
        for element in all {
            registers.push(if writes { self.result(element, ty)? } else { self.value(element, ty)? });
        }
        Ok(Fragment { element: key.element, registers, layout })
    }

    /// A factor, an accumulator or a result of a product; only what its layout needs of the registers.
    fn factor(&mut self, operand: &Operand<'a>, key: Key, writes: bool) -> Selected<Fragment> {
        let mut fragment = self.fragment(operand, key, writes)?;
        fragment.registers.truncate(fragment.layout.registers);
        Ok(fragment)
    }

    pub(super) fn mma(&mut self, i: &Instruction<'a>) -> Selected {
        let [m, n, k] = extents_of(i)?;
        let sparse = i.has(Modifier::Sp) || i.has(Modifier::SpOrderedMetadata);
        let &[d, mut a, mut b, c] = elements_of(i).as_slice() else { return unsupported() };
        let half_quads = [m, n, k] == [8, 8, 4] && a == Element::F16;
        let ordered = i.has(Modifier::Row) && i.has(Modifier::Col);
        if !half_quads
            && (!ordered
                || i.modifiers.iter().position(|m| *m == Modifier::Row)
                    > i.modifiers.iter().position(|m| *m == Modifier::Col))
        {
            return unsupported();
        }
        use Modifier::{KindF8f6f4, KindMxf4, KindMxf4nvf4, KindMxf8f6f4};
        let newer = i.modifiers.iter().any(|m| matches!(m, KindF8f6f4 | KindMxf4 | KindMxf4nvf4 | KindMxf8f6f4));
        if i.has(KindMxf4) || i.has(KindMxf4nvf4) {
            (a, b) = (Element::Packed2m1, Element::Packed2m1);
        }
        let rules = if newer {
            Rules::Short { fraction: FRACTION, half: d == Element::F16, narrow: false, parts: Parts::Long }
        } else {
            rules(i, a, b, d)?
        };
        if !newer && !known(a, [m, n, k], sparse) {
            return unsupported();
        }
        if half_quads {
            return self.quads(i, d, c, Rules::Chain { half: d == Element::F16 });
        }
        let depth = columns_of(a, if sparse { k / 2 } else { k });
        let [to, left, right, add, rest @ ..] = i.operands.as_slice() else { return Err("Arguments mismatch".into()) };
        let (scales, rest) = match rest {
            [rest @ .., scale_a, place_a, scale_b, place_b] if i.has(Modifier::BlockScale) => {
                (Some(self.scales(i, [scale_a, place_a], [scale_b, place_b])?), rest)
            }
            rest => (None, rest),
        };
        let key = |role, element, rows, columns| Key { role, element, rows, columns, form: Form::Plain };
        let product = Product {
            rows: m,
            columns: n,
            depth,
            b_columns: n,
            a: self.factor(left, key(Role::A, a, m, depth), false)?,
            b: self.factor(right, key(Role::B, b, columns_of(b, k), n), false)?,
            c: self.factor(add, key(Role::C, c, m, n), false)?,
            d: self.factor(to, key(Role::C, d, m, n), true)?,
            rules,
            sparsity: match (sparse, rest) {
                (true, [_, Operand::Integer(1..)]) if newer => return Err("the sparsity selector has to be 0".into()),
                (true, [metadata, Operand::Integer(selector)]) => {
                    let register = self.value(metadata, Type::B32)?;
                    Some(layout::sparsity(register, a, depth, (*selector & 3) as usize))
                }
                (false, []) => None,
                _ => return Err("Arguments mismatch".into()),
            },
            scales,
            known: None,
        };
        self.add_product(product.recognise());
        Ok(())
    }

    /// What blocks of the factors are multiplied by: words, and the byte and the lanes of them that count.
    fn scales(&mut self, i: &Instruction<'a>, a: [&Operand<'a>; 2], b: [&Operand<'a>; 2]) -> Selected<Scales> {
        let blocks = match (i.has(Modifier::ScaleVec4x), i.has(Modifier::KindMxf8f6f4)) {
            (true, _) => 4,
            (_, true) => 1,
            _ => 2,
        };
        let mut operand = |[words, place]: [&Operand<'a>; 2], lanes: u64| -> Selected<ScaleOperand> {
            let [byte, thread] = Self::elements(place) else { return Err("Arguments mismatch".into()) };
            let wrong =
                |n: &Operand<'_>, most: u64, step: u64| matches!(n, Operand::Integer(n) if *n > most || n % step != 0);
            if wrong(byte, 4 - blocks, blocks) || wrong(thread, lanes - 1, 1) {
                return Err("no such byte or thread of the scales".into());
            }
            let register = self.value(words, Type::B32)?;
            Ok(ScaleOperand { register, byte: self.value(byte, Type::U16)?, thread: self.value(thread, Type::U16)? })
        };
        let (a, b) = (operand(a, 2)?, operand(b, 4)?);
        Ok(Scales { a, b, blocks: blocks as usize, powers: i.has(Modifier::Ue8m0) })
    }

    fn add_product(&mut self, product: Product) {
        let mut step = self.step(matrix::product);
        step.set(self.code.details.add(product));
        self.push(step);
    }

    /// `m8n8k4` in half precision.
    fn quads(&mut self, i: &Instruction<'a>, d: Element, c: Element, rules: Rules) -> Selected {
        let order = |m: &Modifier<'_>| matches!(m, Modifier::Row | Modifier::Col);
        let orders: Vec<Modifier<'_>> = i.modifiers.iter().copied().filter(order).collect();
        let ([order_a, order_b], [to, left, right, add]) = (orders.as_slice(), i.operands.as_slice()) else {
            return Err("Arguments mismatch".into());
        };
        let key =
            |role, element, rows, columns, turned| Key { role, element, rows, columns, form: Form::Quads(turned) };
        let product = Product {
            rows: 32,
            columns: 8,
            depth: 4,
            b_columns: 32,
            a: self.factor(left, key(Role::A, Element::F16, 32, 4, *order_a == Modifier::Col), false)?,
            b: self.factor(right, key(Role::B, Element::F16, 4, 32, *order_b == Modifier::Row), false)?,
            c: self.factor(add, key(Role::C, c, 32, 8, false), false)?,
            d: self.factor(to, key(Role::C, d, 32, 8, false), true)?,
            rules,
            sparsity: None,
            scales: None,
            known: None,
        };
        self.add_product(product.recognise());
        Ok(())
    }

    pub(super) fn wmma(&mut self, i: &Instruction<'a>) -> Selected {
        let shape @ [m, n, k] = extents_of(i)?;
        let elements = elements_of(i);
        let form = if shape == [8, 32, 16] { Form::Turned } else { Form::Plain };
        let key = |role, element, rows, columns| Key { role, element, rows, columns, form };
        if i.has(Modifier::Mma) {
            let (d, a, b, c) = match *elements.as_slice() {
                [d, c] => (d, Element::F16, Element::F16, c),
                [d, a, b, c] => (d, a, b, c),
                _ => return unsupported(),
            };
            let mut rules = rules(i, a, b, d)?;
            match (a, &mut rules) {
                (Element::Tf32, Rules::Short { parts, .. }) => *parts = Parts::Runs(4),
                // An f32 that is rounded to a half.
                (_, Rules::Short { half, narrow, .. }) if *half && c == Element::F32 => {
                    (*half, *narrow) = (false, true)
                }
                _ => {}
            }
            // Of floating point numbers only older versions saturate.
            if !known_whole(a, shape) || (i.has(Modifier::Satfinite) && d != Element::S32) {
                return unsupported();
            }
            let [to, left, right, add] = i.operands.as_slice() else { return Err("Arguments mismatch".into()) };
            let depth = columns_of(a, k);
            let product = Product {
                rows: m,
                columns: n,
                depth,
                b_columns: n,
                a: self.factor(left, key(Role::A, a, m, depth), false)?,
                b: self.factor(right, key(Role::B, b, depth, n), false)?,
                c: self.factor(add, key(Role::C, c, m, n), false)?,
                d: self.factor(to, key(Role::C, d, m, n), true)?,
                rules,
                sparsity: None,
                scales: None,
                known: None,
            };
            self.add_product(product.recognise());
            return Ok(());
        }
        let &[element] = elements.as_slice() else { return unsupported() };
        let role = i.modifiers.iter().find_map(|m| match *m {
            Modifier::A => Some(Role::A),
            Modifier::B => Some(Role::B),
            Modifier::C | Modifier::D => Some(Role::C),
            _ => None,
        });
        let role = role.ok_or_else(String::new)?;
        let accumulator = matches!(element, Element::F32 | Element::F64 | Element::S32 | Element::F16);
        if (role == Role::C && !accumulator) || (role != Role::C && !known_whole(element, shape)) {
            return unsupported();
        }
        let depth = columns_of(element, k);
        let (rows, columns) = match role {
            Role::A => (m, depth),
            Role::B => (depth, n),
            Role::C => (m, n),
        };
        let stores = i.has(Modifier::Store);
        let by_columns = i.has(Modifier::Col);
        let (address, vector, stride) = match (stores, i.operands.as_slice()) {
            (false, [vector, address, stride @ ..]) | (true, [address, vector, stride @ ..]) => {
                (address, vector, stride)
            }
            _ => return Err("Arguments mismatch".into()),
        };
        let (at, wide, offset, space) = self.place(address, Self::space_of(i)?)?;
        let tight = Operand::Integer(match (role, by_columns) {
            (Role::A, true) | (Role::C, true) => m,
            (Role::A, false) | (Role::B, true) => k,
            _ => n,
        } as u64);
        let stride = self.value(stride.first().unwrap_or(&tight), Type::U32)?;
        let fragment = self.fragment(vector, key(role, element, rows, columns), !stores)?;
        let execute = moves::transfer_of(space, stores).ok_or_else(String::new)?;
        let mut step = self.step(execute);
        (step.from[0], step.from[1]) = (at, stride);
        let transfer = self.code.details.add(Transfer::new(fragment, columns, by_columns));
        step.set(Move { address: Address { offset, narrow: !wide, based: false }, transfer });
        self.probe_matrix(&step, moves::probe, stores, space, 0);
        self.push(step);
        Ok(())
    }

    /// `ldmatrix` and `stmatrix`.
    pub(super) fn rows_of_matrices(&mut self, i: &Instruction<'a>, stores: bool) -> Selected {
        let count = i.modifiers.iter().find_map(|m| match m {
            Modifier::X1 => Some(1),
            Modifier::X2 => Some(2),
            Modifier::X4 => Some(4),
            _ => None,
        });
        let count = count.ok_or_else(String::new)?;
        let shape = i.modifiers.iter().find_map(|m| match *m {
            Modifier::Shape([rows, columns, 0]) => Some((rows, columns)),
            _ => None,
        });
        let bytes = match shape.ok_or_else(String::new)? {
            (8, 8) => None,
            (16, 16) => Some(true),
            _ => Some(false),
        };
        // Registers and rows of a matrix.
        let (registers, rows) = if bytes == Some(true) { (2, 16) } else { (1, 8) };
        let (address, vector) = match (stores, i.operands.as_slice()) {
            (false, [vector, address]) | (true, [address, vector]) => (address, Self::elements(vector)),
            _ => return Err("Arguments mismatch".into()),
        };
        if vector.len() != count * registers {
            return Err("Arguments mismatch".into());
        }
        let (at, wide, offset, space) = self.place(address, Self::space_of(i)?)?;
        let width = match (i.has(Modifier::B4x16P64), i.has(Modifier::B6x16P32)) {
            (true, _) => 4,
            (_, true) => 6,
            _ => 8,
        };
        let execute = match (bytes, stores) {
            (None, true) => moves::store_of(space, count, i.has(Modifier::Trans)),
            (None, false) => moves::load_of(space, count, i.has(Modifier::Trans)),
            (Some(_), true) => moves::store_bytes_of(space, count),
            (Some(tall), false) => moves::load_bytes_of(space, count, width, tall),
        };
        let mut step = self.step(execute.ok_or_else(String::new)?);
        for (n, element) in vector.iter().enumerate() {
            if stores {
                step.from[n + 1] = self.value(element, Type::B32)?;
            } else {
                step.to[n] = self.result(element, Type::B32)?;
            }
        }
        step.from[0] = at;
        step.set(Address { offset, narrow: !wide, based: false });
        self.probe_matrix(&step, check::rows, stores, space, rows * count as u32 * check::ROW);
        self.push(step);
        Ok(())
    }

    pub(super) fn movmatrix(&mut self, i: &Instruction<'a>) -> Selected {
        if !i.has(Modifier::Shape([8, 8, 0])) || !i.has(Modifier::Trans) {
            return unsupported();
        }
        self.simple(Some(moves::turn), i, Type::B32, &[Type::B32])
    }

    pub(super) fn wgmma(&mut self, i: &Instruction<'a>) -> Selected {
        if !i.has(Modifier::MmaAsync) {
            // Products are complete when they are issued.
            return if i.has(Modifier::Fence) || i.has(Modifier::CommitGroup) || i.has(Modifier::WaitGroup) {
                self.control(operations::control::nothing)
            } else {
                unsupported()
            };
        }
        let [m, n, k] = extents_of(i)?;
        let elements = elements_of(i);
        let &[d, a, b] = elements.as_slice() else { return unsupported() };
        let bytes = if a == Element::B1 { k / 8 } else { k * a.bits() / 8 };
        let whole = d == Element::S32;
        let columns_fit = if whole { n % 8 == 0 && (n <= 32 || n % 16 == 0) } else { n % 8 == 0 };
        let sparse = i.has(Modifier::Sp);
        if m != 64 || !(8..=256).contains(&n) || !columns_fit || bytes != if sparse { 64 } else { 32 } {
            return unsupported();
        }
        let mut rules = rules(i, a, b, d)?;
        match &mut rules {
            Rules::Double(_) => return unsupported(),
            Rules::Integer { .. } if a.bits() != 8 => return unsupported(),
            Rules::Bits { and } if !*and || sparse => return unsupported(),
            Rules::Short { fraction, parts, .. } if *parts == Parts::Pairs => {
                (*fraction, *parts) = (FRACTION_OF_BYTES, Parts::Whole);
            }
            _ => {}
        }
        let [to, left, right, rest @ ..] = i.operands.as_slice() else { return Err("Arguments mismatch".into()) };
        let depth = columns_of(a, if sparse { k / 2 } else { k });
        let (sparsity, rest) = match rest {
            [metadata, Operand::Integer(selector), rest @ ..] if sparse => {
                // Numbers of 8 bits have metadata in all lanes.
                if *selector > if a.bits() == 8 { 0 } else { 1 } {
                    return Err("Arguments mismatch".into());
                }
                let register = self.value(metadata, Type::B32)?;
                (Some(layout::sparsity(register, a, depth, *selector as usize)), rest)
            }
            rest => (None, rest),
        };
        let [keep, scales @ ..] = rest else { return Err("Arguments mismatch".into()) };
        let mut numbers = Vec::new();
        for scale in scales {
            let Operand::Integer(value) = *scale else { return Err("Arguments mismatch".into()) };
            numbers.push(value as i64);
        }
        let registers = matches!(left, Operand::Vector(_));
        let turns = if a.bits() == 16 { if registers { 1 } else { 2 } } else { 0 };
        let signs = if matches!(rules, Rules::Short { .. }) { 2 } else { 0 };
        if numbers.len() != signs + turns
            || !numbers.iter().take(signs).all(|n| matches!(n, 1 | -1))
            || !numbers.iter().skip(signs).all(|n| matches!(n, 0 | 1))
        {
            return Err("Arguments mismatch".into());
        }
        let negative = numbers.iter().take(signs).filter(|n| **n < 0).count() == 1;
        let turned = match numbers.get(signs..) {
            Some(&[a, b]) => [a != 0, b != 0],
            Some(&[b]) => [false, b != 0],
            _ => [false, false],
        };
        let rows = m / 4;
        let key = |role, element, columns| Key { role, element, rows, columns, form: Form::Plain };
        let nothing = |element| Fragment { element, registers: Vec::new(), layout: group::no_layout() };
        let (keep, keep_negated) = self.predicate(keep)?;
        let product = GroupProduct {
            a: if registers { None } else { Some(self.value(left, Type::B64)?) },
            b: self.value(right, Type::B64)?,
            keep: (keep, if keep_negated { u32::MAX } else { 0 }),
            negative,
            turned,
            product: Product {
                rows,
                columns: n,
                depth,
                b_columns: n,
                a: if registers { self.factor(left, key(Role::A, a, depth), false)? } else { nothing(a) },
                b: nothing(b),
                c: self.factor(to, key(Role::C, d, n), false)?,
                d: self.factor(to, key(Role::C, d, n), true)?,
                rules,
                sparsity,
                scales: None,
                known: None,
            },
        };
        let mut step = self.step(group::product);
        step.set(self.code.details.add(product));
        self.push(step);
        Ok(())
    }
}

/// The shapes of `mma` by the type of the factors.
fn known(a: Element, shape: [usize; 3], sparse: bool) -> bool {
    use Element::*;
    let shapes: &[[usize; 3]] = match (a, sparse) {
        (F16, false) => &[[8, 8, 4], [16, 8, 8], [16, 8, 16]],
        (Bf16, false) => &[[16, 8, 8], [16, 8, 16]],
        (Tf32, false) => &[[16, 8, 4], [16, 8, 8]],
        (F64, false) => &[[8, 8, 4], [16, 8, 4], [16, 8, 8], [16, 8, 16]],
        (E4m3 | E5m2, false) => &[[16, 8, 16], [16, 8, 32]],
        (S8 | U8, false) => &[[8, 8, 16], [16, 8, 16], [16, 8, 32]],
        (S4 | U4, false) => &[[8, 8, 32], [16, 8, 32], [16, 8, 64]],
        (B1, false) => &[[8, 8, 128], [16, 8, 128], [16, 8, 256]],
        (F16 | Bf16, true) => &[[16, 8, 16], [16, 8, 32]],
        (Tf32, true) => &[[16, 8, 8], [16, 8, 16]],
        (S8 | U8, true) => &[[16, 8, 32], [16, 8, 64]],
        (S4 | U4, true) => &[[16, 8, 64], [16, 8, 128]],
        (E4m3 | E5m2, true) => &[[16, 8, 64]],
        _ => &[],
    };
    shapes.contains(&shape)
}

/// The shapes of `wmma` by the type of the factors.
fn known_whole(a: Element, shape: [usize; 3]) -> bool {
    use Element::*;
    match a {
        F16 | Bf16 | S8 | U8 => [[16, 16, 16], [8, 32, 16], [32, 8, 16]].contains(&shape),
        Tf32 => shape == [16, 16, 8],
        // The assembler takes 16 by 16, too, but then a device's results are none.
        F64 => shape == [8, 8, 4],
        S4 | U4 => shape == [8, 8, 32],
        B1 => shape == [8, 8, 128],
        _ => false,
    }
}
