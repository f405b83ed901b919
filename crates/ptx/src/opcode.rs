//! The list of opcodes. What hangs on it: the forms that an opcode has ([`crate::forms`], checked by the compiler), what it
//! does with registers ([`Dataflow`]) and with memory ([`MemoryEffect`]), where control goes ([`ControlFlow`]), how its results differ between
//! lanes ([`Lanes`]), and how it is lowered (an exhaustive match in the
//! engine). `docs/PTX.md` says how to add one.

use crate::words::Words;

/// What an instruction does with its operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Dataflow {
    /// The first operand is the result. It follows from the others, and nothing can go wrong.
    Pure,
    /// The first operand is the result.
    Result,
    /// All operands are read.
    NoResult,
    /// The first operand is the result, and the carry flag is read.
    Carry,
    /// A reduction over a barrier has a result, other barriers have none.
    Barrier,
    /// A list in front is the results.
    Call,
    /// Any operand may be read and written.
    Any,
}

/// The most that an instruction does with memory that other threads may see.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MemoryEffect {
    /// Nothing.
    Untouched,
    /// Reads it.
    Reads,
    /// Writes it.
    Writes,
    /// Reads and writes it.
    Updates,
    /// Orders the accesses of others.
    Orders,
}

/// Where the lanes go from an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ControlFlow {
    /// To the next one.
    Next,
    /// To a label.
    Branch,
    /// To a label of a list.
    Table,
    /// Out of the function.
    End,
}

/// What is known of how the results of an instruction differ between the lanes of a warp.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Lanes {
    /// A pure instruction with the same operands has the same result. Nothing is known of others.
    Plain,
    /// One access for all lanes with the same address.
    Access,
    /// The lanes that a mask names find the same.
    Members,
    /// All lanes find the same.
    Warp,
    /// Of integers: an affine result where the operands are affine.
    Copy,
    Sum,
    Difference,
    Negation,
    /// To the left, by a constant.
    Shift,
    Product,
    ProductSum,
    Conversion,
}

macro_rules! opcodes {
    ($($name:ident $text:literal $dataflow:ident $memory:ident $flow:ident $lanes:ident),* $(,)?) => {
        /// The name of an instruction before the first dot.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Opcode { $($name),* }

        impl Opcode {
            /// All of them.
            pub const ALL: &[Opcode] = &[$(Opcode::$name),*];

            const TEXTS: &[&str] = &[$($text),*];

            /// What it does with its operands.
            pub const fn dataflow(self) -> Dataflow {
                match self { $(Opcode::$name => Dataflow::$dataflow),* }
            }

            /// What it does with memory.
            pub const fn memory(self) -> MemoryEffect {
                match self { $(Opcode::$name => MemoryEffect::$memory),* }
            }

            /// Where lanes go from it.
            pub const fn control_flow(self) -> ControlFlow {
                match self { $(Opcode::$name => ControlFlow::$flow),* }
            }

            /// What is known of how its results differ between lanes.
            pub const fn lanes(self) -> Lanes {
                match self { $(Opcode::$name => Lanes::$lanes),* }
            }
        }
    };
}

opcodes! {
    // Integer arithmetic.
    Add "add" Pure Untouched Next Sum,
    Sub "sub" Pure Untouched Next Difference,
    Min "min" Pure Untouched Next Plain,
    Max "max" Pure Untouched Next Plain,
    Neg "neg" Pure Untouched Next Negation,
    Mul "mul" Pure Untouched Next Product,
    Mad "mad" Pure Untouched Next ProductSum,
    Mul24 "mul24" Pure Untouched Next Plain,
    Mad24 "mad24" Pure Untouched Next Plain,
    Sad "sad" Pure Untouched Next Plain,
    Div "div" Pure Untouched Next Plain,
    Rem "rem" Pure Untouched Next Plain,
    Abs "abs" Pure Untouched Next Plain,
    Popc "popc" Pure Untouched Next Plain,
    Clz "clz" Pure Untouched Next Plain,
    Bfind "bfind" Pure Untouched Next Plain,
    Fns "fns" Pure Untouched Next Plain,
    Brev "brev" Pure Untouched Next Plain,
    Bfe "bfe" Pure Untouched Next Plain,
    Bfi "bfi" Pure Untouched Next Plain,
    Szext "szext" Pure Untouched Next Plain,
    Bmsk "bmsk" Pure Untouched Next Plain,
    Dp4a "dp4a" Pure Untouched Next Plain,
    Dp2a "dp2a" Pure Untouched Next Plain,
    // Extended precision.
    Addc "addc" Carry Untouched Next Plain,
    Subc "subc" Carry Untouched Next Plain,
    Madc "madc" Carry Untouched Next Plain,
    // Logic and shifts.
    And "and" Pure Untouched Next Plain,
    Or "or" Pure Untouched Next Plain,
    Xor "xor" Pure Untouched Next Plain,
    Not "not" Pure Untouched Next Plain,
    Cnot "cnot" Pure Untouched Next Plain,
    Lop3 "lop3" Pure Untouched Next Plain,
    Shf "shf" Pure Untouched Next Plain,
    Shl "shl" Pure Untouched Next Shift,
    Shr "shr" Pure Untouched Next Plain,
    Prmt "prmt" Pure Untouched Next Plain,
    // Comparison and selection.
    Setp "setp" Pure Untouched Next Plain,
    Set "set" Pure Untouched Next Plain,
    Selp "selp" Pure Untouched Next Plain,
    Slct "slct" Pure Untouched Next Plain,
    // Floating point.
    Testp "testp" Pure Untouched Next Plain,
    Copysign "copysign" Pure Untouched Next Plain,
    Fma "fma" Pure Untouched Next Plain,
    Rcp "rcp" Pure Untouched Next Plain,
    Sqrt "sqrt" Pure Untouched Next Plain,
    Rsqrt "rsqrt" Pure Untouched Next Plain,
    Sin "sin" Pure Untouched Next Plain,
    Cos "cos" Pure Untouched Next Plain,
    Lg2 "lg2" Pure Untouched Next Plain,
    Ex2 "ex2" Pure Untouched Next Plain,
    Tanh "tanh" Pure Untouched Next Plain,
    // Conversion.
    Cvt "cvt" Pure Untouched Next Conversion,
    // Video.
    Vadd "vadd" Any Untouched Next Plain,
    Vsub "vsub" Any Untouched Next Plain,
    Vabsdiff "vabsdiff" Any Untouched Next Plain,
    Vmin "vmin" Any Untouched Next Plain,
    Vmax "vmax" Any Untouched Next Plain,
    Vshl "vshl" Any Untouched Next Plain,
    Vshr "vshr" Any Untouched Next Plain,
    Vset "vset" Any Untouched Next Plain,
    Vmad "vmad" Any Untouched Next Plain,
    Vadd2 "vadd2" Any Untouched Next Plain,
    Vsub2 "vsub2" Any Untouched Next Plain,
    Vavrg2 "vavrg2" Any Untouched Next Plain,
    Vabsdiff2 "vabsdiff2" Any Untouched Next Plain,
    Vmin2 "vmin2" Any Untouched Next Plain,
    Vmax2 "vmax2" Any Untouched Next Plain,
    Vadd4 "vadd4" Any Untouched Next Plain,
    Vsub4 "vsub4" Any Untouched Next Plain,
    Vavrg4 "vavrg4" Any Untouched Next Plain,
    Vabsdiff4 "vabsdiff4" Any Untouched Next Plain,
    Vmin4 "vmin4" Any Untouched Next Plain,
    Vmax4 "vmax4" Any Untouched Next Plain,
    Vset2 "vset2" Any Untouched Next Plain,
    Vset4 "vset4" Any Untouched Next Plain,
    // Moves and addresses.
    Mov "mov" Pure Untouched Next Copy,
    Cvta "cvta" Pure Untouched Next Copy,
    Isspacep "isspacep" Pure Untouched Next Plain,
    Istypep "istypep" Any Untouched Next Plain,
    Mapa "mapa" Any Untouched Next Plain,
    Getctarank "getctarank" Any Untouched Next Plain,
    Alloca "alloca" Any Untouched Next Plain,
    Stacksave "stacksave" Any Untouched Next Plain,
    Stackrestore "stackrestore" Any Untouched Next Plain,
    // Loads, stores, cache control.
    Ld "ld" Result Reads Next Access,
    Ldu "ldu" Result Reads Next Access,
    St "st" NoResult Writes Next Plain,
    Prefetch "prefetch" NoResult Untouched Next Plain,
    Prefetchu "prefetchu" NoResult Untouched Next Plain,
    Applypriority "applypriority" NoResult Untouched Next Plain,
    Discard "discard" NoResult Writes Next Plain,
    Createpolicy "createpolicy" Any Untouched Next Plain,
    // Atomics.
    Atom "atom" Result Updates Next Plain,
    Red "red" NoResult Updates Next Plain,
    Multimem "multimem" Any Updates Next Plain,
    // Control flow.
    Bra "bra" NoResult Untouched Branch Plain,
    Brx "brx" NoResult Untouched Table Plain,
    Call "call" Call Updates Next Plain,
    Ret "ret" NoResult Untouched End Plain,
    Exit "exit" NoResult Untouched End Plain,
    Trap "trap" NoResult Untouched End Plain,
    Brkpt "brkpt" NoResult Untouched Next Plain,
    Nanosleep "nanosleep" NoResult Untouched Next Plain,
    Pmevent "pmevent" NoResult Untouched Next Plain,
    Setmaxnreg "setmaxnreg" Any Untouched Next Plain,
    Griddepcontrol "griddepcontrol" Any Orders Next Plain,
    Clusterlaunchcontrol "clusterlaunchcontrol" Any Writes Next Plain,
    // Barriers and fences.
    Membar "membar" NoResult Orders Next Plain,
    Fence "fence" NoResult Orders Next Plain,
    Bar "bar" Barrier Orders Next Members,
    Barrier "barrier" Barrier Orders Next Members,
    Mbarrier "mbarrier" Any Updates Next Plain,
    // Warp.
    Shfl "shfl" Result Untouched Next Plain,
    Vote "vote" Result Untouched Next Members,
    Match "match" Result Untouched Next Plain,
    Activemask "activemask" Result Untouched Next Warp,
    Redux "redux" Result Untouched Next Members,
    Elect "elect" Result Untouched Next Plain,
    // Asynchronous copies.
    Cp "cp" Any Updates Next Plain,
    Tensormap "tensormap" Any Updates Next Plain,
    // Matrix.
    Ldmatrix "ldmatrix" Result Reads Next Plain,
    Stmatrix "stmatrix" NoResult Writes Next Plain,
    Movmatrix "movmatrix" Any Untouched Next Plain,
    Wmma "wmma" Any Updates Next Plain,
    Mma "mma" Any Untouched Next Plain,
    Wgmma "wgmma" Any Reads Next Plain,
    Tcgen05 "tcgen05" Any Updates Next Plain,
    // Textures and surfaces.
    Tex "tex" Result Reads Next Plain,
    Tld4 "tld4" Result Reads Next Plain,
    Txq "txq" Result Untouched Next Plain,
    Suld "suld" Result Reads Next Plain,
    Sust "sust" NoResult Writes Next Plain,
    Sured "sured" Any Updates Next Plain,
    Suq "suq" Any Untouched Next Plain,
}

pub(super) static WORDS: Words<512> = Words::new(Opcode::TEXTS);

impl Opcode {
    /// The opcode with a name.
    #[inline]
    pub fn parse(name: &str) -> Option<Opcode> {
        WORDS.find(name).map(|at| Opcode::ALL[at])
    }

    /// It may send lanes to different instructions.
    pub const fn branches(self) -> bool {
        matches!(self.control_flow(), ControlFlow::Branch | ControlFlow::Table)
    }

    /// Its name.
    pub const fn text(self) -> &'static str {
        Opcode::TEXTS[self as usize]
    }
}

impl core::fmt::Display for Opcode {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.text())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        for &opcode in Opcode::ALL {
            assert_eq!(Opcode::parse(opcode.text()), Some(opcode));
        }
        for name in ["", "ad", "addx", "ADD", "foo", "add.f32"] {
            assert_eq!(Opcode::parse(name), None, "{name}");
        }
    }
}
