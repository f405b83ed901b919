//! What the compiler knows of an instruction: the operation of its step, or that it calls the interpreter's step.

use ptx::modifier::Comparison;
use ptx::{AtomicOperation, Instruction, Modifier, Opcode, Operand, Space, Type};

/// A type of numbers that lanes of 32 or 64 bits hold. Of narrow ones the upper bits of a lane mean nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Number {
    U8,
    S8,
    U16,
    S16,
    F16,
    Bf16,
    U32,
    S32,
    U64,
    S64,
    F32,
    F64,
}

impl Number {
    /// The type of an instruction; none for those that have no lanes of their own.
    fn of(ty: Type) -> Option<Number> {
        Some(match ty {
            Type::B8 | Type::U8 => Number::U8,
            Type::S8 => Number::S8,
            Type::B16 | Type::U16 => Number::U16,
            Type::S16 => Number::S16,
            Type::F16 => Number::F16,
            Type::Bf16 => Number::Bf16,
            Type::B32 | Type::U32 => Number::U32,
            Type::S32 => Number::S32,
            Type::B64 | Type::U64 => Number::U64,
            Type::S64 => Number::S64,
            Type::F32 => Number::F32,
            Type::F64 => Number::F64,
            _ => return None,
        })
    }

    /// Lanes of 64 bits.
    pub fn is_wide(self) -> bool {
        matches!(self, Number::U64 | Number::S64 | Number::F64)
    }

    /// A floating point type.
    pub fn is_float(self) -> bool {
        matches!(self, Number::F16 | Number::Bf16 | Number::F32 | Number::F64)
    }

    /// A signed integer type.
    pub fn is_signed(self) -> bool {
        matches!(self, Number::S8 | Number::S16 | Number::S32 | Number::S64)
    }

    /// Bits of a number of up to 16 bits; none for those that fill their lanes.
    pub fn narrow(self) -> Option<u32> {
        match self {
            Number::U8 | Number::S8 => Some(8),
            Number::U16 | Number::S16 | Number::F16 | Number::Bf16 => Some(16),
            _ => None,
        }
    }

    /// The type that fills the lane, for what gives the same lower bits.
    fn whole(self) -> Number {
        match self {
            Number::U8 | Number::S8 | Number::U16 | Number::S16 => Number::U32,
            other => other,
        }
    }
}

/// How elements lie in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Element {
    /// Bytes: 1, 2, 4 or 8.
    pub bytes: u8,
    /// Extended by its sign.
    pub signed: bool,
}

/// The window that an address belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Window {
    /// Addresses of the process: global, generic, constant and parameter space.
    Plain,
    /// Offsets into the shared memory of the block.
    Shared,
}

/// A function of f32 that the device approximates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Function {
    Exp2,
    Sin,
    Cos,
}

/// A polynomial for 2^x from -1/2 to 1/2, the highest coefficient first: off by 2^-39.7 at most, and 1 at 0. All levels and the
/// interpreter add it up with one fused multiplication for each coefficient, so that they get the same bits.
pub const EXP2: [f64; 9] = [
    1.334_418_348_413_417_9e-6,
    1.531_420_922_334_952_5e-5,
    1.540_309_828_658_179e-4,
    1.333_343_415_756_017_6e-3,
    9.618_129_558_838_935e-3,
    5.550_410_959_228_811e-2,
    0.240_226_506_947_425_9,
    0.693_147_180_541_232_7,
    1.0,
];
/// Exponents beyond this count as this: f32 hold no such powers.
pub const EXP2_LIMIT: f32 = 200.0;
/// Added to a small number, it leaves no fraction, and the whole part in the lowest bits.
pub const WHOLE: f64 = 1.5 * (1u64 << 52) as f64;

/// The operation of a step. Operands stand in the order of the step's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Operation {
    /// The interpreter's step is called.
    #[default]
    Step,
    /// `d = a`.
    Copy {
        wide: bool,
    },
    Add(Number),
    Sub(Number),
    /// The lower half of integer products.
    Mul(Number),
    /// `d = a * b + c`: fused, or the lower half.
    Mad(Number),
    /// 32 by 32 bits to 64.
    MulWide {
        signed: bool,
    },
    /// The same, and 64 bits added.
    MadWide {
        signed: bool,
    },
    /// The upper half of the product of 32 bits.
    MulHigh {
        signed: bool,
    },
    And {
        wide: bool,
    },
    Or {
        wide: bool,
    },
    Xor {
        wide: bool,
    },
    Not {
        wide: bool,
    },
    Shl {
        wide: bool,
    },
    Shr(Number),
    Min(Number),
    Max(Number),
    Neg(Number),
    Abs(Number),
    Div(Number),
    /// Of integers.
    Rem(Number),
    Sqrt(Number),
    Rcp(Number),
    Rsqrt(Number),
    /// The fourth operand is the table.
    Lop3,
    /// Bit `4 * a + 2 * b + c` of the table for bits `a`, `b` and `c` of the operands: what several steps make ([`crate::bitwise`]).
    Bitwise {
        table: u8,
        wide: bool,
    },
    /// `d = p ? a : b`.
    Select {
        wide: bool,
    },
    /// A comparison; the step says what becomes of the result.
    Compare(Number, Comparison),
    /// Logic of predicates; the step says which.
    Logic,
    /// Between numbers, rounded as the manner says.
    Convert {
        to: Number,
        from: Number,
    },
    /// Rounded to an integer that stays a floating point number.
    Integral(Number),
    /// Two f32 to a pair of 16-bit numbers of this type: the first goes into the upper half.
    ConvertPair(Number),
    /// 16 by 16 bits to 32.
    MulWide16 {
        signed: bool,
    },
    /// How many ones.
    Popc {
        wide: bool,
    },
    /// How many zeros lead.
    Clz {
        wide: bool,
    },
    /// Bits in reverse.
    Brev,
    /// A field of bits: of a place and a length that are known.
    Bfe(Number),
    /// The first operand into the second, the same.
    Bfi,
    /// Bytes by a selector that is known.
    Prmt,
    /// A shift of two words in a row.
    Funnel {
        right: bool,
        clamp: bool,
    },
    /// The sign of the first operand, the rest of the second.
    Copysign {
        wide: bool,
    },
    /// `d = c >= 0 ? a : b`; `by` is the type of `c`.
    SelectSign {
        wide: bool,
        by: Number,
    },
    /// The lower half of the product of 24 bits, and a third number.
    Mad24 {
        signed: bool,
    },
    /// How far two numbers of 32 bits are apart, and a third one.
    Sad {
        signed: bool,
    },
    Approximate(Function),
    /// 1 for 0, else 0.
    Cnot,
    /// The place of the highest bit that counts.
    Bfind {
        signed: bool,
    },
    /// `vote`, `redux`: the mode says which.
    Vote,
    Reduce,
    /// `activemask`.
    ActiveMask,
    /// Lanes wait for others of their warp: `bar.warp.sync`.
    Meet,
    /// A load of `count` elements into lanes of 32 or 64 bits.
    Load {
        window: Window,
        element: Element,
        count: u8,
    },
    /// A store of `count` elements from lanes of 32 or 64 bits.
    Store {
        window: Window,
        element: Element,
        count: u8,
    },
    /// A branch to the position in the step, under the step's guard.
    Branch,
    /// `shfl` of 32 bits.
    Shuffle,
    /// Changes words in memory, lane by lane; the result is what was there.
    Atomic {
        window: Window,
        change: AtomicOperation,
        number: Number,
        /// Two numbers of 16 bits in a word.
        pair: bool,
        /// Addresses of `Window::Plain` may lead to shared memory.
        generic: bool,
        /// Subnormal f32 stay as they are in global memory, too: `.noftz`.
        exact: bool,
    },
    /// Addresses of the process are multiples of a power of two, else the interpreter's step fails.
    Aligned {
        bytes: u8,
    },
    /// The active lanes end.
    Exit,
    /// All threads of the block wait for each other, at its first barrier.
    Barrier,
    /// So many bytes of each lane from global to shared memory. The step's mode is 1 where a predicate says which lanes put zeros
    /// there instead, else its third operand says how many bytes come from the source.
    CopyAcross {
        bytes: u8,
    },
    /// Small matrices of 16 bits an element, whose rows lie in shared memory: into registers or out of them.
    Rows {
        count: u8,
        turned: bool,
        stores: bool,
    },
    /// Accesses of the warp before it come before those behind it, for everybody.
    Fence,
    /// What has no effect here: hints, and waiting for what is done at once.
    Nothing,
}

/// How the f32 operations of an instruction round and treat subnormal numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Manner {
    /// As the control word of SSE counts rounding modes: nearest, down, up, zero.
    pub rounding: u8,
    /// Subnormal f32 count as zero.
    pub flush: bool,
    /// The result is clamped: floating point numbers to 0 to 1, integers to what their type holds.
    pub saturate: bool,
    /// `.approx`, and not `.full`.
    pub approximate: bool,
}

/// The operation of an instruction whose lowering is a single step. Every opcode of the list has an arm: what is not native says so.
pub fn operation_of(i: &Instruction<'_>) -> (Operation, Manner) {
    let mut manner = Manner::default();
    for modifier in &i.modifiers {
        match modifier {
            Modifier::Ftz => manner.flush = true,
            Modifier::Sat => manner.saturate = true,
            Modifier::Approx => manner.approximate = !i.has(Modifier::Full),
            Modifier::Rn | Modifier::Rni => manner.rounding = 0,
            Modifier::Rm | Modifier::Rmi => manner.rounding = 1,
            Modifier::Rp | Modifier::Rpi => manner.rounding = 2,
            Modifier::Rz | Modifier::Rzi => manner.rounding = 3,
            _ => {}
        }
    }
    (find(i, manner).unwrap_or_default(), manner)
}

/// The operations of an instruction whose lowering is several steps, if they all are known: moves that take a value apart or put
/// one together, and comparisons that give numbers.
pub fn operations_of(i: &Instruction<'_>) -> Option<Vec<(Operation, Manner)>> {
    let ty = i.types().last()?;
    let plain = |operation| (operation, Manner::default());
    match (i.opcode, i.operands.as_slice()) {
        (Opcode::Mov, [to, from]) => {
            let wide = ty.bytes() == 8;
            let whole = if wide { Number::U64 } else { Number::U32 };
            let narrow = |count: usize| match ty.bytes() / count.max(1) {
                1 => Some(Number::U8),
                2 => Some(Number::U16),
                4 => Some(Number::U32),
                _ => None,
            };
            match (to, from) {
                (Operand::Vector(_), Operand::Vector(_)) => None,
                (Operand::Vector(parts), _) => {
                    let narrow = narrow(parts.len())?;
                    let part = [Operation::Shr(whole), Operation::Convert { to: narrow, from: whole }];
                    let written = parts.iter().filter(|&part| *part != Operand::Nothing).count();
                    let first = core::iter::once(Operation::Copy { wide });
                    Some(first.chain((0..written).flat_map(|_| part)).map(plain).collect())
                }
                (_, Operand::Vector(parts)) => {
                    let narrow = narrow(parts.len())?;
                    let convert = Operation::Convert { to: whole, from: narrow };
                    let part = [convert, Operation::Shl { wide }, Operation::Or { wide }];
                    let last = core::iter::once(Operation::Copy { wide });
                    Some((0..parts.len()).flat_map(|_| part).chain(last).map(plain).collect())
                }
                _ => None,
            }
        }
        // Each element is an operation of its own, once the vector is found to be aligned.
        (Opcode::Red, [Operand::Address(..), Operand::Vector(values), ..]) => {
            let change = atomic(i, ty)?;
            let Operation::Atomic { window: Window::Plain, .. } = change else { return None };
            let bytes = u8::try_from(values.len() * ty.bytes()).ok()?;
            let first = core::iter::once(Operation::Aligned { bytes });
            Some(first.chain(values.iter().map(|_| change)).map(plain).collect())
        }
        (Opcode::Set, _) => {
            let number = Number::of(ty).filter(|n| !matches!(n, Number::F16 | Number::Bf16))?;
            let how = i.modifiers.iter().rev().find_map(|m| m.comparison())?;
            let manner = Manner { flush: i.has(Modifier::Ftz), ..Manner::default() };
            Some(vec![(Operation::Compare(number, how), manner), plain(Operation::Select { wide: false })])
        }
        _ => None,
    }
}

fn find(i: &Instruction<'_>, manner: Manner) -> Option<Operation> {
    use Modifier as M;
    let types: Vec<Type> = i.types().collect();
    let ty = types.last().copied();
    // Numbers of 16 bits in floating point have few operations.
    let any = || ty.and_then(Number::of);
    let number = || any().filter(|n| !matches!(n, Number::F16 | Number::Bf16));
    let has = |m: M<'_>| i.has(m);
    let bits = || match ty.map(Type::bytes) {
        Some(1 | 2 | 4) => Some(false),
        Some(8) => Some(true),
        _ => None,
    };
    // Forms that need more than the plain operation.
    let odd = has(M::Cc) || has(M::Relu) || has(M::PropagateNan) || has(M::Xorsign) || types.len() > 1;
    let exact = |make: fn(Number) -> Operation| {
        let number = number().filter(|_| !odd)?;
        (number == Number::F32 || !manner.saturate).then(|| make(number))
    };
    // Those whose lower bits do not depend on upper ones.
    let arithmetic = |make: fn(Number) -> Operation| {
        let number = number().filter(|_| !odd)?;
        (number == Number::F32 || !manner.saturate).then(|| make(number.whole()))
    };
    let float = |make: fn(Number) -> Operation| number().filter(|n| n.is_float() && !odd).map(make);
    use Opcode::*;
    match i.opcode {
        Mov if matches!(i.operands.as_slice(), [Operand::Register(_), from] if !matches!(from, Operand::Vector(_))) => {
            bits().map(|wide| Operation::Copy { wide })
        }
        Cvta if !i.modifiers.iter().any(|m| matches!(m, M::Shared | M::Local | M::SharedCluster)) => {
            bits().map(|wide| Operation::Copy { wide })
        }
        Add => arithmetic(Operation::Add),
        Sub => arithmetic(Operation::Sub),
        Mul | Mad if !ty?.is_float() => {
            let number = number().filter(|_| !has(M::Cc) && !has(M::Sat))?;
            let (signed, mad) = (number.is_signed(), i.opcode == Mad);
            if number.narrow().is_some() {
                return match (has(M::Lo), has(M::Wide), mad) {
                    (true, _, false) => Some(Operation::Mul(Number::U32)),
                    (true, _, true) => Some(Operation::Mad(Number::U32)),
                    (_, true, false) => Some(Operation::MulWide16 { signed }),
                    _ => None,
                };
            }
            match (has(M::Lo), has(M::Wide), mad) {
                (true, _, false) => Some(Operation::Mul(number)),
                (true, _, true) => Some(Operation::Mad(number)),
                (_, true, _) if number.is_wide() => None,
                (_, true, false) => Some(Operation::MulWide { signed }),
                (_, true, true) => Some(Operation::MadWide { signed }),
                (_, _, false) if !number.is_wide() => Some(Operation::MulHigh { signed }),
                _ => None,
            }
        }
        Mul => arithmetic(Operation::Mul),
        Fma | Mad => arithmetic(Operation::Mad),
        Min | Max if i.operands.len() == 4 => None,
        Min => exact(Operation::Min).filter(|_| !manner.saturate),
        Max => exact(Operation::Max).filter(|_| !manner.saturate),
        Neg => arithmetic(Operation::Neg),
        Abs => exact(Operation::Abs),
        And if ty? != Type::Pred => bits().map(|wide| Operation::And { wide }),
        Or if ty? != Type::Pred => bits().map(|wide| Operation::Or { wide }),
        Xor if ty? != Type::Pred => bits().map(|wide| Operation::Xor { wide }),
        Not if ty? != Type::Pred => bits().map(|wide| Operation::Not { wide }),
        And | Or | Xor | Not => Some(Operation::Logic),
        Mov if ty? == Type::Pred => Some(Operation::Logic),
        Shl => bits().map(|wide| Operation::Shl { wide }),
        Shr => number().map(Operation::Shr),
        Div | Rem if !ty?.is_float() => {
            let number = number().filter(|n| !n.is_wide())?;
            Some(if i.opcode == Div { Operation::Div(number) } else { Operation::Rem(number) })
        }
        Div => float(Operation::Div),
        Sqrt => float(Operation::Sqrt),
        Rcp if ty? == Type::F64 && has(M::Approx) => None,
        Rcp => float(Operation::Rcp),
        Rsqrt if ty? == Type::F32 => float(Operation::Rsqrt),
        Lop3 if i.operands.len() == 5 => Some(Operation::Lop3),
        Selp => bits().map(|wide| Operation::Select { wide }),
        Slct => {
            let &[ty, by] = types.as_slice() else { return None };
            let by = Number::of(by).filter(|by| matches!(by, Number::S32 | Number::F32) && !manner.flush)?;
            Some(Operation::SelectSign { wide: ty.bytes() == 8, by })
        }
        Copysign => bits().map(|wide| Operation::Copysign { wide }),
        Popc => bits().map(|wide| Operation::Popc { wide }),
        Clz => bits().map(|wide| Operation::Clz { wide }),
        Mul24 | Mad24 if !has(M::Hi) && !manner.saturate => Some(Operation::Mad24 { signed: ty?.is_signed() }),
        Sad if ty?.bytes() == 4 => Some(Operation::Sad { signed: ty?.is_signed() }),
        Cnot if ty?.bytes() == 4 => Some(Operation::Cnot),
        Bfind if ty?.bytes() == 4 && !has(M::Shiftamt) => Some(Operation::Bfind { signed: ty?.is_signed() }),
        Brev if ty?.bytes() == 4 => Some(Operation::Brev),
        Bfe => number().map(Operation::Bfe),
        Bfi if ty?.bytes() == 4 => Some(Operation::Bfi),
        Prmt if i.modifiers.len() == 1 => Some(Operation::Prmt),
        Shf => Some(Operation::Funnel { right: !has(M::L), clamp: !has(M::Wrap) }),
        Setp => {
            let how = i.modifiers.iter().rev().find_map(|m| m.comparison())?;
            number().map(|number| Operation::Compare(number, how))
        }
        Cvt => {
            let &[to, from] = types.as_slice() else { return None };
            let plain = |m: &M<'_>| {
                let rounds = matches!(m, M::Rn | M::Rm | M::Rp | M::Rz | M::Rni | M::Rmi | M::Rpi | M::Rzi);
                m.ty().is_some() || rounds || matches!(m, M::Ftz | M::Sat)
            };
            if !i.modifiers.iter().all(plain) {
                return None;
            }
            let bent = manner.flush || manner.saturate;
            if i.operands.len() == 3 {
                let halves = match to {
                    Type::F16x2 => Number::F16,
                    Type::Bf16x2 => Number::Bf16,
                    _ => return None,
                };
                let known = from == Type::F32 && !bent && matches!(manner.rounding, 0 | 3);
                return known.then_some(Operation::ConvertPair(halves));
            }
            let (to, from) = (Number::of(to)?, Number::of(from)?);
            let integral = i.modifiers.iter().any(|m| matches!(m, M::Rni | M::Rmi | M::Rpi | M::Rzi));
            use Number::{Bf16, F16, F32, F64};
            let convert = Operation::Convert { to, from };
            match (from.is_float(), to.is_float()) {
                // Clamped within 32 bits alone.
                (false, false) => (!manner.saturate || !from.is_wide() && !to.is_wide()).then_some(convert),
                (false, true) => match to {
                    F32 => Some(convert),
                    F64 if !bent => Some(convert),
                    _ => None,
                },
                (true, false) => {
                    let known = match from {
                        F32 => true,
                        F64 => to.narrow().is_none(),
                        _ => false,
                    };
                    (known && integral && !(manner.saturate && to.is_wide())).then_some(convert)
                }
                (true, true) => match (from, to) {
                    (F32, F32) if integral => Some(Operation::Integral(F32)),
                    (F64, F64) if integral && !bent => Some(Operation::Integral(F64)),
                    (_, _) if integral => None,
                    (F32, F32) if !bent => Some(Operation::Copy { wide: false }),
                    (F64, F64) if !bent => Some(Operation::Copy { wide: true }),
                    (F32, F32) | (F64, F32) => Some(convert),
                    (F32, F64) if !manner.saturate => Some(convert),
                    (F16 | Bf16, F32) if !bent => Some(convert),
                    (F32, F16 | Bf16) if !bent && matches!(manner.rounding, 0 | 3) => Some(convert),
                    _ => None,
                },
            }
        }
        Ld | Ldu => {
            let (window, element) = access(i)?;
            let [to, Operand::Address(..)] = i.operands.as_slice() else { return None };
            let count = elements(to)?;
            // Which lanes they are is the step's to say: the engine fills it in.
            Some(Operation::Load { window, element, count })
        }
        St if !has(M::Async) => {
            let (window, element) = access(i)?;
            let [Operand::Address(..), from] = i.operands.as_slice() else { return None };
            Some(Operation::Store { window, element, count: elements(from)? })
        }
        Atom | Red if i.operands.iter().any(|operand| matches!(operand, Operand::Vector(_))) => None,
        Atom | Red => atomic(i, ty?),
        Bra => Some(Operation::Branch),
        // Of a kernel; functions are not compiled.
        Ret | Exit => Some(Operation::Exit),
        Bar | Barrier if is_first_barrier(i) => Some(Operation::Barrier),
        Bar if has(M::Warp) => Some(Operation::Meet),
        Shfl => Some(Operation::Shuffle),
        Vote => Some(Operation::Vote),
        Redux if number() != Some(Number::F32) => Some(Operation::Reduce),
        Activemask => Some(Operation::ActiveMask),
        // Steps of the interpreter.
        Mov | Cvta | St | Rsqrt | Lop3 | Redux | Rem => None,
        Mul24 | Mad24 | Sad | Bfind | Fns | Brev | Bfi | Szext | Bmsk | Dp4a | Dp2a => None,
        Addc | Subc | Madc | Cnot | Prmt | Set | Testp => None,
        Sin if ty? == Type::F32 => Some(Operation::Approximate(Function::Sin)),
        Cos if ty? == Type::F32 => Some(Operation::Approximate(Function::Cos)),
        Ex2 if ty? == Type::F32 => Some(Operation::Approximate(Function::Exp2)),
        Sin | Cos | Lg2 | Ex2 | Tanh => None,
        Vadd | Vsub | Vabsdiff | Vmin | Vmax | Vshl | Vshr | Vset | Vmad => None,
        Vadd2 | Vsub2 | Vavrg2 | Vabsdiff2 | Vmin2 | Vmax2 | Vset2 => None,
        Vadd4 | Vsub4 | Vavrg4 | Vabsdiff4 | Vmin4 | Vmax4 | Vset4 => None,
        Isspacep | Istypep | Mapa | Getctarank | Alloca | Stacksave | Stackrestore => None,
        Prefetch | Prefetchu | Applypriority | Discard | Pmevent | Setmaxnreg | Griddepcontrol => {
            Some(Operation::Nothing)
        }
        Createpolicy => None,
        Multimem => None,
        Brx | Call | Trap | Brkpt | Nanosleep => None,
        Membar | Fence => Some(Operation::Fence),
        Clusterlaunchcontrol | Bar | Barrier | Mbarrier => None,
        Match | Elect => None,
        Cp => copy(i),
        Ldmatrix | Stmatrix => rows(i),
        Wgmma if !has(M::MmaAsync) => Some(Operation::Nothing),
        Tensormap | Movmatrix | Wmma | Mma | Wgmma | Tcgen05 => None,
        Tex | Tld4 | Txq | Suld | Sust | Sured | Suq => None,
    }
}

/// The barrier 0 that all threads of the block come to.
fn is_first_barrier(i: &Instruction<'_>) -> bool {
    let plain = |m: &Modifier<'_>| matches!(m, Modifier::Sync | Modifier::Cta | Modifier::Aligned);
    i.has(Modifier::Sync) && i.modifiers.iter().all(plain) && matches!(i.operands.as_slice(), [Operand::Integer(0)])
}

/// A copy that a device does in the background. Here it is done at once: what waits for it has nothing to wait for.
fn copy(i: &Instruction<'_>) -> Option<Operation> {
    use Modifier as M;
    let waits = i.has(M::CommitGroup) || i.has(M::WaitGroup) || i.has(M::WaitAll);
    if waits || i.has(M::Prefetch) && !i.has(M::Tensor) {
        return Some(Operation::Nothing);
    }
    let other = [M::Mbarrier, M::Arrive, M::Bulk, M::SharedCluster].into_iter().any(|m| i.has(m));
    let spaces: Vec<Space> = i.modifiers.iter().filter_map(|m| m.space()).collect();
    match i.operands.as_slice() {
        [Operand::Address(..), Operand::Address(..), Operand::Integer(bytes @ (4 | 8 | 16)), ..]
            if !other && spaces == [Space::Shared, Space::Global] =>
        {
            Some(Operation::CopyAcross { bytes: *bytes as u8 })
        }
        _ => None,
    }
}

/// `ldmatrix` and `stmatrix` of matrices of 8 by 8 elements of 16 bits in shared memory.
fn rows(i: &Instruction<'_>) -> Option<Operation> {
    use Modifier as M;
    let count = match (i.has(M::X1), i.has(M::X2), i.has(M::X4)) {
        (true, ..) => 1,
        (_, true, _) => 2,
        (.., true) => 4,
        _ => return None,
    };
    let shared = i.modifiers.iter().find_map(|m| m.space()) == Some(Space::Shared) && !i.has(M::SharedCluster);
    let known = shared && i.has(M::Shape([8, 8, 0]));
    let (turned, stores) = (i.has(M::Trans), i.opcode == Opcode::Stmatrix);
    known.then_some(Operation::Rows { count, turned, stores })
}

/// A change of words in memory. The operations of this machine order all accesses, whatever the instruction asks for.
fn atomic(i: &Instruction<'_>, ty: Type) -> Option<Operation> {
    use Modifier as M;
    let space = i.modifiers.iter().find_map(|m| m.space()).unwrap_or(Space::Generic);
    let window = match space {
        Space::Generic | Space::Global => Window::Plain,
        Space::Shared if !i.has(M::SharedCluster) => Window::Shared,
        _ => return None,
    };
    let change = i.modifiers.iter().find_map(|m| AtomicOperation::of(*m))?;
    let plain = |m: &M<'_>| {
        let order =
            matches!(m, M::Relaxed | M::Acquire | M::Release | M::AcqRel | M::Cta | M::Cluster | M::Gpu | M::Sys);
        order
            || matches!(m, M::Noftz | M::L2CacheHint | M::V2 | M::V4 | M::V8)
            || m.space().is_some()
            || m.ty().is_some()
            || AtomicOperation::of(*m).is_some()
    };
    let operands = if i.opcode == Opcode::Red { i.operands.as_slice() } else { i.operands.get(1..)? };
    match operands {
        [Operand::Address(..), _] => {}
        // The third one is what an equal word is replaced by, or a policy for caches.
        [Operand::Address(..), _, _] if change == AtomicOperation::CompareExchange || i.has(M::L2CacheHint) => {}
        _ => return None,
    }
    let (of, pair) = match ty {
        Type::F16x2 => (Number::F16, true),
        Type::Bf16x2 => (Number::Bf16, true),
        _ => (Number::of(ty)?, false),
    };
    let number = match (of, change) {
        (Number::F16 | Number::Bf16, AtomicOperation::Add) => of,
        (Number::U16 | Number::S16, AtomicOperation::CompareExchange) => Number::U16,
        (number, AtomicOperation::Exchange | AtomicOperation::CompareExchange) if number.narrow().is_none() => {
            if number.is_wide() { Number::U64 } else { Number::U32 }
        }
        (number, AtomicOperation::Add) if number.narrow().is_none() => number,
        (number, _) if number.narrow().is_none() && !number.is_float() => number,
        _ => return None,
    };
    let known = i.types().count() == 1 && i.modifiers.iter().all(plain);
    let (generic, exact) = (space == Space::Generic, i.has(M::Noftz));
    known.then_some(Operation::Atomic { window, change, number, pair, generic, exact })
}

/// How many elements an access has.
fn elements(operand: &Operand<'_>) -> Option<u8> {
    match operand {
        Operand::Vector(all) if all.len() <= 4 => Some(all.len() as u8),
        Operand::Vector(_) => None,
        _ => Some(1),
    }
}

/// Where an access goes, and how its elements lie there.
///
/// This machine orders loads as much as any of these ask for. What a store releases may still wait (`lower/combine.rs`).
fn access(i: &Instruction<'_>) -> Option<(Window, Element)> {
    use Modifier as M;
    let space = i.modifiers.iter().find_map(|m| m.space()).unwrap_or(Space::Generic);
    let window = match space {
        Space::Generic | Space::Global | Space::Constant => Window::Plain,
        Space::Shared if !i.has(M::SharedCluster) => Window::Shared,
        _ => return None,
    };
    let plain = |m: &M<'_>| {
        m.ty().is_some()
            || m.space().is_some()
            || matches!(
                m,
                M::Weak
                    | M::Relaxed
                    | M::Acquire
                    | M::Release
                    | M::Cta
                    | M::Cluster
                    | M::Gpu
                    | M::Sys
                    | M::Nc
                    | M::Ca
                    | M::Cg
                    | M::Cs
                    | M::Cv
                    | M::Wb
                    | M::Wt
                    | M::Volatile
                    | M::V2
                    | M::V4
            )
    };
    let ty = i.types().last()?;
    if !i.modifiers.iter().all(plain) || !matches!(ty.bytes(), 1 | 2 | 4 | 8) {
        return None;
    }
    Some((window, Element { bytes: ty.bytes() as u8, signed: ty.is_signed() }))
}
