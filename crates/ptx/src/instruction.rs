//! Instructions and their operands.

use crate::diagnostic::Position;
use crate::modifier::Modifier;
use crate::opcode::Opcode;
use crate::types::Type;

/// A register of the function, by number.
pub type Register = u32;

/// An instruction as the text has it.
#[derive(Clone, Debug)]
pub struct Instruction<'a> {
    /// The name before the first dot.
    pub opcode: Opcode,
    /// What comes behind, in the order of the text.
    pub modifiers: Vec<Modifier<'a>>,
    /// In order, destinations first.
    pub operands: Vec<Operand<'a>>,
    /// Executes only where this predicate holds.
    pub guard: Option<Guard>,
    /// Where it stands.
    pub position: Position,
}

/// `@%p` or `@!%p`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Guard {
    /// The predicate.
    pub register: Register,
    /// Executes where it does not hold.
    pub negated: bool,
}

/// What an instruction works on.
#[derive(Clone, Debug, PartialEq)]
pub enum Operand<'a> {
    /// A register.
    Register(Register),
    /// An integer, negative ones in two's complement.
    Integer(u64),
    /// The bits of an `f32`.
    F32(u32),
    /// The bits of an `f64`.
    F64(u64),
    /// A special register such as `tid.x`.
    Special(Special),
    /// The address of a variable of the function, by number, and an offset.
    Local(u32, i64),
    /// The address of something of the module, by name, and an offset.
    Symbol(&'a str, i64),
    /// A position in the function.
    Label(usize),
    /// A name whose meaning is not known before the function ends. Never left in a module.
    Name(&'a str, u32),
    /// `[a + offset]`.
    Address(Box<Operand<'a>>, i64),
    /// `[a, b, ...]`: textures, surfaces, tensors.
    Indexed(Vec<Operand<'a>>),
    /// `{a, b, ...}`.
    Vector(Vec<Operand<'a>>),
    /// `(a, b, ...)`.
    List(Vec<Operand<'a>>),
    /// `!%p`.
    Not(Register),
    /// `a|b`.
    Pair(Box<Operand<'a>>, Box<Operand<'a>>),
    /// `_`: a result that is not used.
    Nothing,
    /// `r.b0`: a part of a register.
    Part(Register, Selector<'a>),
    /// `-r`, of a register or a part of one.
    Negative(Box<Operand<'a>>),
}

impl<'a> Operand<'a> {
    /// Calls `each` with the names of the module that it holds.
    pub fn symbols(&self, each: &mut impl FnMut(&'a str)) {
        match self {
            Operand::Symbol(name, _) | Operand::Name(name, _) => each(name),
            Operand::Address(of, _) | Operand::Negative(of) => of.symbols(each),
            Operand::Indexed(all) | Operand::Vector(all) | Operand::List(all) => {
                all.iter().for_each(|operand| operand.symbols(each));
            }
            Operand::Pair(a, b) => {
                a.symbols(each);
                b.symbols(each);
            }
            _ => {}
        }
    }
}

/// Which bytes or halves of a register are meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Selector<'a> {
    /// `b0`, or `b7012` of the eight bytes of two registers.
    Bytes(Digits),
    /// `h1`, or `h32` of the four halves of two registers.
    Halves(Digits),
    /// One that does not exist.
    Other(&'a str),
}

/// The digits of a selector, four bits each, the last one lowest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Digits {
    /// One to four.
    pub count: u8,
    /// Their values.
    pub digits: u16,
}

impl Digits {
    /// From the first to the last.
    pub fn iter(self) -> impl Iterator<Item = u16> {
        (0..self.count).rev().map(move |at| self.digits >> (4 * at) & 15)
    }
}

impl<'a> Selector<'a> {
    /// The selector with a name.
    pub fn parse(name: &'a str) -> Selector<'a> {
        let digits = name.get(1..).filter(|digits| matches!(digits.len(), 1..=4));
        let digits = digits.filter(|digits| digits.bytes().all(|c| c.is_ascii_digit()));
        let Some(text) = digits else { return Selector::Other(name) };
        let value = text.bytes().fold(0, |all, c| all << 4 | u16::from(c - b'0'));
        let digits = Digits { count: text.len() as u8, digits: value };
        match name.as_bytes()[0] {
            b'b' => Selector::Bytes(digits),
            b'h' => Selector::Halves(digits),
            _ => Selector::Other(name),
        }
    }
}

impl core::fmt::Display for Selector<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let (letter, digits) = match *self {
            Selector::Bytes(digits) => ('b', digits),
            Selector::Halves(digits) => ('h', digits),
            Selector::Other(name) => return f.write_str(name),
        };
        write!(f, "{letter}")?;
        digits.iter().try_for_each(|digit| write!(f, "{digit}"))
    }
}

/// What can be asked of the shared memory that the system keeps: where it begins and ends, the two parts that libraries use, and
/// how large it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reserved {
    Begin,
    First,
    Second,
    End,
    Capacity,
}

/// What the hardware tells a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Special {
    /// `%tid`, component.
    Tid(u8),
    Ntid(u8),
    Ctaid(u8),
    Nctaid(u8),
    LaneId,
    WarpId,
    NwarpId,
    SmId,
    NsmId,
    GridId,
    LanemaskEq,
    LanemaskLe,
    LanemaskLt,
    LanemaskGe,
    LanemaskGt,
    Clock,
    ClockHi,
    Clock64,
    GlobalTimer,
    GlobalTimerLo,
    GlobalTimerHi,
    DynamicShared,
    TotalShared,
    AggregateShared,
    /// Shared memory that the system keeps of each block.
    ReservedShared(Reserved),
    /// `%current_graph_exec`
    GraphExec,
    /// Where the block is in its cluster, and the cluster in the grid.
    ClusterId(u8),
    NclusterId(u8),
    ClusterCtaid(u8),
    ClusterNctaid(u8),
    ClusterCtarank,
    ClusterNctarank,
    IsExplicitCluster,
    /// `%envreg0` to `%envreg31`.
    Environment(u8),
    /// `%pm0` and `%pm0_64`: always 0.
    Counter,
    Counter64,
}

impl Special {
    /// True for registers of 64 bits.
    pub fn is_wide(self) -> bool {
        use Special::*;
        matches!(self, Clock64 | GlobalTimer | GridId | GraphExec | Counter64)
    }

    /// True for those that change from one moment to the next.
    pub fn is_clock(self) -> bool {
        use Special::*;
        matches!(self, Clock | ClockHi | Clock64 | GlobalTimer | GlobalTimerLo | GlobalTimerHi | Counter | Counter64)
    }

    /// True for those that are the same for a thread of all blocks of a launch.
    pub fn is_fixed(self) -> bool {
        use Special::*;
        matches!(
            self,
            Tid(_)
                | Ntid(_)
                | Nctaid(_)
                | LaneId
                | WarpId
                | NwarpId
                | LanemaskEq
                | LanemaskLe
                | LanemaskLt
                | LanemaskGe
                | LanemaskGt
        )
    }

    /// The four components of a register that is a vector.
    pub fn vector(name: &str) -> Option<[Special; 4]> {
        let of = |axis: &str| Special::parse(name, Some(axis));
        Some([of("x")?, of("y")?, of("z")?, of("w")?])
    }

    /// True for those that are predicates.
    pub fn is_predicate(self) -> bool {
        self == Special::IsExplicitCluster
    }

    /// The register with a name, component included (`tid.x`).
    pub fn parse(name: &str, component: Option<&str>) -> Option<Special> {
        let axis = match component {
            None => 4,
            Some("x") => 0,
            Some("y") => 1,
            Some("z") => 2,
            // Always 0.
            Some("w") => 3,
            _ => return None,
        };
        let vector = match name {
            "%tid" => Some(Special::Tid(axis)),
            "%ntid" => Some(Special::Ntid(axis)),
            "%ctaid" => Some(Special::Ctaid(axis)),
            "%nctaid" => Some(Special::Nctaid(axis)),
            "%clusterid" => Some(Special::ClusterId(axis)),
            "%nclusterid" => Some(Special::NclusterId(axis)),
            "%cluster_ctaid" => Some(Special::ClusterCtaid(axis)),
            "%cluster_nctaid" => Some(Special::ClusterNctaid(axis)),
            _ => None,
        };
        if vector.is_some() {
            return vector.filter(|_| axis < 4);
        }
        if component.is_some() {
            return None;
        }
        Some(match name {
            "%laneid" => Special::LaneId,
            "%warpid" => Special::WarpId,
            "%nwarpid" => Special::NwarpId,
            "%smid" => Special::SmId,
            "%nsmid" => Special::NsmId,
            "%gridid" => Special::GridId,
            "%lanemask_eq" => Special::LanemaskEq,
            "%lanemask_le" => Special::LanemaskLe,
            "%lanemask_lt" => Special::LanemaskLt,
            "%lanemask_ge" => Special::LanemaskGe,
            "%lanemask_gt" => Special::LanemaskGt,
            "%clock" => Special::Clock,
            "%clock_hi" => Special::ClockHi,
            "%clock64" => Special::Clock64,
            "%globaltimer" => Special::GlobalTimer,
            "%globaltimer_lo" => Special::GlobalTimerLo,
            "%globaltimer_hi" => Special::GlobalTimerHi,
            "%dynamic_smem_size" => Special::DynamicShared,
            "%total_smem_size" => Special::TotalShared,
            "%aggr_smem_size" => Special::AggregateShared,
            "%reserved_smem_offset_begin" => Special::ReservedShared(Reserved::Begin),
            "%reserved_smem_offset_0" => Special::ReservedShared(Reserved::First),
            "%reserved_smem_offset_1" => Special::ReservedShared(Reserved::Second),
            "%reserved_smem_offset_end" => Special::ReservedShared(Reserved::End),
            "%reserved_smem_offset_cap" => Special::ReservedShared(Reserved::Capacity),
            "%current_graph_exec" => Special::GraphExec,
            "%cluster_ctarank" => Special::ClusterCtarank,
            "%cluster_nctarank" => Special::ClusterNctarank,
            "%is_explicit_cluster" => Special::IsExplicitCluster,
            _ => {
                if let Some(number) = name.strip_prefix("%envreg") {
                    return number.parse().ok().filter(|&n: &u8| n < 32).map(Special::Environment);
                }
                let counter = name.strip_prefix("%pm")?;
                let (number, special) = match counter.strip_suffix("_64") {
                    Some(number) => (number, Special::Counter64),
                    None => (counter, Special::Counter),
                };
                return number.parse::<u8>().ok().filter(|&n| n < 8).map(|_| special);
            }
        })
    }
}

impl<'a> Instruction<'a> {
    /// True when a modifier is there.
    pub fn has(&self, modifier: Modifier<'_>) -> bool {
        self.modifiers.contains(&modifier)
    }

    /// The types among the modifiers.
    pub fn types(&self) -> impl Iterator<Item = Type> + '_ {
        self.modifiers.iter().filter_map(|m| m.ty())
    }

    /// The name with all modifiers, as the text has it.
    pub fn full_name(&self) -> String {
        let mut name = self.opcode.to_string();
        for modifier in &self.modifiers {
            name.push('.');
            name.push_str(&modifier.to_string());
        }
        name
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn selectors() {
        let digits = |count, digits| Digits { count, digits };
        assert_eq!(Selector::parse("b3"), Selector::Bytes(digits(1, 3)));
        assert_eq!(Selector::parse("b7012"), Selector::Bytes(digits(4, 0x7012)));
        assert_eq!(Selector::parse("h10"), Selector::Halves(digits(2, 0x10)));
        for other in ["", "b", "x1", "b12345", "h1x", "é1"] {
            assert_eq!(Selector::parse(other), Selector::Other(other));
        }
        for name in ["b3", "b7012", "h01", "q"] {
            assert_eq!(Selector::parse(name).to_string(), name);
        }
    }
}
