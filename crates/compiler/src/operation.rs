//! What the compiler knows of an instruction: the operation of its step, or that it calls the interpreter's step.

use ptx::modifier::Comparison;
use ptx::{Instruction, Modifier, Opcode, Operand, Space, Type};

/// A type of numbers that lanes of 32 or 64 bits hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Number {
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
        matches!(self, Number::F32 | Number::F64)
    }

    /// A signed integer type.
    pub fn is_signed(self) -> bool {
        matches!(self, Number::S32 | Number::S64)
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
    Sqrt(Number),
    Rcp(Number),
    Rsqrt(Number),
    /// The fourth operand is the table.
    Lop3,
    /// `d = p ? a : b`.
    Select {
        wide: bool,
    },
    /// A comparison; the step says what becomes of the result.
    Compare(Number, Comparison),
    /// Logic of predicates; the step says which.
    Logic,
    /// Between numbers; towards zero from floating point to integers, to the nearest otherwise.
    Convert {
        to: Number,
        from: Number,
    },
    /// A load of `count` elements into lanes of 32 or 64 bits.
    Load {
        window: Window,
        element: Element,
        wide: bool,
        count: u8,
    },
    /// A store of `count` elements from lanes of 32 or 64 bits.
    Store {
        window: Window,
        element: Element,
        wide: bool,
        count: u8,
    },
    /// A branch to the position in the step, under the step's guard.
    Branch,
    /// `shfl` of 32 bits.
    Shuffle,
}

/// How the f32 operations of an instruction round and treat subnormal numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Manner {
    /// As the control word of SSE counts rounding modes: nearest, down, up, zero.
    pub rounding: u8,
    /// Subnormal f32 count as zero.
    pub flush: bool,
    /// The result is clamped to 0 to 1.
    pub saturate: bool,
}

/// The operation of an instruction whose lowering is a single step. Every opcode of the list has an arm: what is not native says so.
pub fn operation_of(i: &Instruction<'_>) -> (Operation, Manner) {
    let mut manner = Manner::default();
    for modifier in &i.modifiers {
        match modifier {
            Modifier::Ftz => manner.flush = true,
            Modifier::Sat => manner.saturate = true,
            Modifier::Rm => manner.rounding = 1,
            Modifier::Rp => manner.rounding = 2,
            Modifier::Rz => manner.rounding = 3,
            _ => {}
        }
    }
    (find(i, manner).unwrap_or_default(), manner)
}

fn find(i: &Instruction<'_>, manner: Manner) -> Option<Operation> {
    use Modifier as M;
    let types: Vec<Type> = i.types().collect();
    let ty = types.last().copied();
    let number = || ty.and_then(Number::of);
    let has = |m: M<'_>| i.has(m);
    let bits = || match ty.map(Type::bytes) {
        Some(4) => Some(false),
        Some(8) => Some(true),
        _ => None,
    };
    // Forms that need more than the plain operation.
    let odd = has(M::Cc) || has(M::Relu) || has(M::PropagateNan) || has(M::Xorsign) || types.len() > 1;
    let arithmetic = |make: fn(Number) -> Operation| {
        let number = number().filter(|_| !odd)?;
        (number == Number::F32 || !manner.saturate).then(|| make(number))
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
        Min => arithmetic(Operation::Min).filter(|_| !manner.saturate),
        Max => arithmetic(Operation::Max).filter(|_| !manner.saturate),
        Neg => arithmetic(Operation::Neg),
        Abs => arithmetic(Operation::Abs),
        And if ty? != Type::Pred => bits().map(|wide| Operation::And { wide }),
        Or if ty? != Type::Pred => bits().map(|wide| Operation::Or { wide }),
        Xor if ty? != Type::Pred => bits().map(|wide| Operation::Xor { wide }),
        Not if ty? != Type::Pred => bits().map(|wide| Operation::Not { wide }),
        And | Or | Xor | Not => Some(Operation::Logic),
        Mov if ty? == Type::Pred => Some(Operation::Logic),
        Shl => bits().map(|wide| Operation::Shl { wide }),
        Shr => number().map(Operation::Shr),
        Div if has(M::Approx) && !has(M::Full) => None,
        Div => float(Operation::Div),
        Sqrt => float(Operation::Sqrt),
        Rcp if ty? == Type::F64 && has(M::Approx) => None,
        Rcp => float(Operation::Rcp),
        Rsqrt if ty? == Type::F32 => float(Operation::Rsqrt),
        Lop3 if i.operands.len() == 5 => Some(Operation::Lop3),
        Selp => bits().map(|wide| Operation::Select { wide }),
        Setp => {
            let how = i.modifiers.iter().rev().find_map(|m| m.comparison())?;
            number().map(|number| Operation::Compare(number, how))
        }
        Cvt => {
            let &[to, from] = types.as_slice() else { return None };
            let (to, from) = (Number::of(to)?, Number::of(from)?);
            let plain = |m: &M<'_>| m.ty().is_some() || matches!(m, M::Rn | M::Rzi | M::Rni | M::Ftz);
            if i.operands.len() != 2 || !i.modifiers.iter().all(plain) {
                return None;
            }
            let integers = !to.is_float() && !from.is_float();
            let exact = from == Number::F32 && to == Number::F64 && !manner.flush;
            let rounded =
                from.is_float() != to.is_float() && !from.is_wide() && !to.is_wide() && !to_integer_rounds(i, to);
            (integers || exact || rounded).then_some(Operation::Convert { to, from })
        }
        Ld | Ldu => {
            let (window, element) = access(i)?;
            let [to, Operand::Address(..)] = i.operands.as_slice() else { return None };
            let count = elements(to)?;
            // Which lanes they are is the step's to say: the engine fills it in.
            Some(Operation::Load { window, element, wide: element.bytes == 8, count })
        }
        St if !has(M::Async) => {
            let (window, element) = access(i)?;
            let [Operand::Address(..), from] = i.operands.as_slice() else { return None };
            Some(Operation::Store { window, element, wide: element.bytes == 8, count: elements(from)? })
        }
        Bra => Some(Operation::Branch),
        Shfl => Some(Operation::Shuffle),
        // Steps of the interpreter.
        Mov | Cvta | St | Rsqrt | Lop3 => None,
        Mul24 | Mad24 | Sad | Rem | Popc | Clz | Bfind | Fns | Brev | Bfe | Bfi | Szext | Bmsk | Dp4a | Dp2a => None,
        Addc | Subc | Madc | Cnot | Shf | Prmt | Set | Slct | Testp | Copysign => None,
        Sin | Cos | Lg2 | Ex2 | Tanh => None,
        Vadd | Vsub | Vabsdiff | Vmin | Vmax | Vshl | Vshr | Vset | Vmad => None,
        Vadd2 | Vsub2 | Vavrg2 | Vabsdiff2 | Vmin2 | Vmax2 | Vset2 => None,
        Vadd4 | Vsub4 | Vavrg4 | Vabsdiff4 | Vmin4 | Vmax4 | Vset4 => None,
        Isspacep | Istypep | Mapa | Getctarank | Alloca | Stacksave | Stackrestore => None,
        Prefetch | Prefetchu | Applypriority | Discard | Createpolicy => None,
        Atom | Red | Multimem => None,
        Brx | Call | Ret | Exit | Trap | Brkpt | Nanosleep | Pmevent | Setmaxnreg => None,
        Griddepcontrol | Clusterlaunchcontrol | Membar | Fence | Bar | Barrier | Mbarrier => None,
        Vote | Match | Activemask | Redux | Elect => None,
        Cp | Tensormap | Ldmatrix | Stmatrix | Movmatrix | Wmma | Mma | Wgmma | Tcgen05 => None,
        Tex | Tld4 | Txq | Suld | Sust | Sured | Suq => None,
    }
}

/// A conversion to an integer that does not cut off.
fn to_integer_rounds(i: &Instruction<'_>, to: Number) -> bool {
    !to.is_float() && !i.has(Modifier::Rzi)
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
                M::Weak | M::Nc | M::Ca | M::Cg | M::Cs | M::Cv | M::Wb | M::Wt | M::Volatile | M::V2 | M::V4
            )
    };
    let ty = i.types().last()?;
    if !i.modifiers.iter().all(plain) || !matches!(ty.bytes(), 1 | 2 | 4 | 8) {
        return None;
    }
    Some((window, Element { bytes: ty.bytes() as u8, signed: ty.is_signed() }))
}
