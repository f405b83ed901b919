//! The list of opcodes. What hangs on it: the forms that an opcode has ([`crate::forms`], checked by the compiler), what it
//! does with registers ([`Dataflow`]) and with memory ([`Memory`]), and how it is lowered (an exhaustive match in the
//! engine). `docs/PTX.md` says how to add one.

use super::words::Words;

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
pub enum Memory {
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

macro_rules! opcodes {
    ($($name:ident $text:literal $dataflow:ident $memory:ident),* $(,)?) => {
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
            pub const fn memory(self) -> Memory {
                match self { $(Opcode::$name => Memory::$memory),* }
            }
        }
    };
}

opcodes! {
    // Integer arithmetic.
    Add "add" Pure Untouched,
    Sub "sub" Pure Untouched,
    Min "min" Pure Untouched,
    Max "max" Pure Untouched,
    Neg "neg" Pure Untouched,
    Mul "mul" Pure Untouched,
    Mad "mad" Pure Untouched,
    Mul24 "mul24" Pure Untouched,
    Mad24 "mad24" Pure Untouched,
    Sad "sad" Pure Untouched,
    Div "div" Pure Untouched,
    Rem "rem" Pure Untouched,
    Abs "abs" Pure Untouched,
    Popc "popc" Pure Untouched,
    Clz "clz" Pure Untouched,
    Bfind "bfind" Pure Untouched,
    Fns "fns" Pure Untouched,
    Brev "brev" Pure Untouched,
    Bfe "bfe" Pure Untouched,
    Bfi "bfi" Pure Untouched,
    Szext "szext" Pure Untouched,
    Bmsk "bmsk" Pure Untouched,
    Dp4a "dp4a" Pure Untouched,
    Dp2a "dp2a" Pure Untouched,
    // Extended precision.
    Addc "addc" Carry Untouched,
    Subc "subc" Carry Untouched,
    Madc "madc" Carry Untouched,
    // Logic and shifts.
    And "and" Pure Untouched,
    Or "or" Pure Untouched,
    Xor "xor" Pure Untouched,
    Not "not" Pure Untouched,
    Cnot "cnot" Pure Untouched,
    Lop3 "lop3" Pure Untouched,
    Shf "shf" Pure Untouched,
    Shl "shl" Pure Untouched,
    Shr "shr" Pure Untouched,
    Prmt "prmt" Pure Untouched,
    // Comparison and selection.
    Setp "setp" Pure Untouched,
    Set "set" Pure Untouched,
    Selp "selp" Pure Untouched,
    Slct "slct" Pure Untouched,
    // Floating point.
    Testp "testp" Pure Untouched,
    Copysign "copysign" Pure Untouched,
    Fma "fma" Pure Untouched,
    Rcp "rcp" Pure Untouched,
    Sqrt "sqrt" Pure Untouched,
    Rsqrt "rsqrt" Pure Untouched,
    Sin "sin" Pure Untouched,
    Cos "cos" Pure Untouched,
    Lg2 "lg2" Pure Untouched,
    Ex2 "ex2" Pure Untouched,
    Tanh "tanh" Pure Untouched,
    // Conversion.
    Cvt "cvt" Pure Untouched,
    // Video.
    Vadd "vadd" Any Untouched,
    Vsub "vsub" Any Untouched,
    Vabsdiff "vabsdiff" Any Untouched,
    Vmin "vmin" Any Untouched,
    Vmax "vmax" Any Untouched,
    Vshl "vshl" Any Untouched,
    Vshr "vshr" Any Untouched,
    Vset "vset" Any Untouched,
    Vmad "vmad" Any Untouched,
    Vadd2 "vadd2" Any Untouched,
    Vsub2 "vsub2" Any Untouched,
    Vavrg2 "vavrg2" Any Untouched,
    Vabsdiff2 "vabsdiff2" Any Untouched,
    Vmin2 "vmin2" Any Untouched,
    Vmax2 "vmax2" Any Untouched,
    Vadd4 "vadd4" Any Untouched,
    Vsub4 "vsub4" Any Untouched,
    Vavrg4 "vavrg4" Any Untouched,
    Vabsdiff4 "vabsdiff4" Any Untouched,
    Vmin4 "vmin4" Any Untouched,
    Vmax4 "vmax4" Any Untouched,
    Vset2 "vset2" Any Untouched,
    Vset4 "vset4" Any Untouched,
    // Moves and addresses.
    Mov "mov" Pure Untouched,
    Cvta "cvta" Pure Untouched,
    Isspacep "isspacep" Pure Untouched,
    Istypep "istypep" Any Untouched,
    Mapa "mapa" Any Untouched,
    Getctarank "getctarank" Any Untouched,
    Alloca "alloca" Any Untouched,
    Stacksave "stacksave" Any Untouched,
    Stackrestore "stackrestore" Any Untouched,
    // Loads, stores, cache control.
    Ld "ld" Result Reads,
    Ldu "ldu" Result Reads,
    St "st" NoResult Writes,
    Prefetch "prefetch" NoResult Untouched,
    Prefetchu "prefetchu" NoResult Untouched,
    Applypriority "applypriority" NoResult Untouched,
    Discard "discard" NoResult Writes,
    Createpolicy "createpolicy" Any Untouched,
    // Atomics.
    Atom "atom" Result Updates,
    Red "red" NoResult Updates,
    Multimem "multimem" Any Updates,
    // Control flow.
    Bra "bra" NoResult Untouched,
    Brx "brx" NoResult Untouched,
    Call "call" Call Updates,
    Ret "ret" NoResult Untouched,
    Exit "exit" NoResult Untouched,
    Trap "trap" NoResult Untouched,
    Brkpt "brkpt" NoResult Untouched,
    Nanosleep "nanosleep" NoResult Untouched,
    Pmevent "pmevent" NoResult Untouched,
    Setmaxnreg "setmaxnreg" Any Untouched,
    Griddepcontrol "griddepcontrol" Any Orders,
    Clusterlaunchcontrol "clusterlaunchcontrol" Any Writes,
    // Barriers and fences.
    Membar "membar" NoResult Orders,
    Fence "fence" NoResult Orders,
    Bar "bar" Barrier Orders,
    Barrier "barrier" Barrier Orders,
    Mbarrier "mbarrier" Any Updates,
    // Warp.
    Shfl "shfl" Result Untouched,
    Vote "vote" Result Untouched,
    Match "match" Result Untouched,
    Activemask "activemask" Result Untouched,
    Redux "redux" Result Untouched,
    Elect "elect" Result Untouched,
    // Asynchronous copies.
    Cp "cp" Any Updates,
    Tensormap "tensormap" Any Updates,
    // Matrix.
    Ldmatrix "ldmatrix" Result Reads,
    Stmatrix "stmatrix" NoResult Writes,
    Movmatrix "movmatrix" Any Untouched,
    Wmma "wmma" Any Updates,
    Mma "mma" Any Untouched,
    Wgmma "wgmma" Any Reads,
    Tcgen05 "tcgen05" Any Updates,
    // Textures and surfaces.
    Tex "tex" Result Reads,
    Tld4 "tld4" Result Reads,
    Txq "txq" Result Untouched,
    Suld "suld" Result Reads,
    Sust "sust" NoResult Writes,
    Sured "sured" Any Updates,
    Suq "suq" Any Untouched,
}

pub(super) static WORDS: Words<512> = Words::new(Opcode::TEXTS);

impl Opcode {
    /// The opcode with a name.
    #[inline]
    pub fn parse(name: &str) -> Option<Opcode> {
        WORDS.find(name).map(|at| Opcode::ALL[at])
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
