//! Kernels whose loops share out an array: each turn goes further by the whole grid, as real kernels go through long arrays. The
//! array is the output; element `i` is of the thread whose number in the grid is `i` modulo the grid's threads, in every loop.

use super::kernel::{Builder, Place, STRIDE};

/// Seeds from which on there are such kernels, and how many of a hundred.
pub const STRIDED: u64 = 1_800_000_000;
pub const SHARE: usize = 60;

/// Blocks and grids, of as many threads as the output has room for.
pub const SHAPES: [([usize; 3], [usize; 3]); 16] = [
    ([128, 1, 1], [8, 1, 1]),
    ([256, 1, 1], [5, 1, 1]),
    ([96, 1, 1], [15, 1, 1]),
    ([100, 1, 1], [12, 1, 1]),
    ([160, 1, 1], [9, 1, 1]),
    ([150, 1, 1], [10, 1, 1]),
    ([64, 1, 1], [17, 1, 1]),
    ([64, 1, 1], [5, 1, 1]),
    ([33, 1, 1], [40, 1, 1]),
    ([32, 1, 1], [33, 1, 1]),
    ([352, 1, 1], [4, 1, 1]),
    ([480, 1, 1], [3, 1, 1]),
    ([1024, 1, 1], [1, 1, 1]),
    ([1000, 1, 1], [2, 1, 1]),
    ([32, 4, 1], [9, 1, 1]),
    ([16, 8, 1], [4, 3, 1]),
];

/// Pieces of 16 bytes that each thread has in the output: loops have the first ones, the registers at the end the last ones.
const PIECES: usize = STRIDE / 16;
const DUMPED: usize = 25;
const LOOPED: usize = PIECES - DUMPED;
/// The most loops, and turns of one.
const LOOPS: usize = 3;
const TURNS: usize = 40;

/// How an element is read and written.
#[derive(Clone, Copy)]
struct Element {
    bytes: usize,
    ty: &'static str,
    /// The kind of its registers, and how many of them.
    kind: &'static str,
    count: usize,
}

const ELEMENTS: [Element; 12] = [
    Element { bytes: 4, ty: "u32", kind: "r", count: 1 },
    Element { bytes: 4, ty: "s32", kind: "r", count: 1 },
    Element { bytes: 4, ty: "b32", kind: "f", count: 1 },
    Element { bytes: 4, ty: "f32", kind: "f", count: 1 },
    Element { bytes: 4, ty: "b16", kind: "h", count: 2 },
    Element { bytes: 8, ty: "b64", kind: "x", count: 1 },
    Element { bytes: 8, ty: "f64", kind: "d", count: 1 },
    Element { bytes: 8, ty: "b32", kind: "r", count: 2 },
    Element { bytes: 8, ty: "f32", kind: "f", count: 2 },
    Element { bytes: 16, ty: "b32", kind: "r", count: 4 },
    Element { bytes: 16, ty: "b64", kind: "x", count: 2 },
    Element { bytes: 16, ty: "f32", kind: "f", count: 4 },
];

impl Builder<'_> {
    /// The text of such a kernel.
    pub fn shared_out(&mut self, block: [usize; 3], grid: [usize; 3]) -> String {
        self.entry = true;
        let all: usize = block.iter().chain(&grid).product();
        let flat = [block[1], block[2], grid[1], grid[2]] == [1; 4];
        self.line(if flat {
            "mov.u32 %t, %tid.x; mov.u32 %s0, %ntid.x; mov.u32 %s1, %nctaid.x; mov.u32 %s2, %ctaid.x;\n\
             mul.lo.u32 %step, %s0, %s1; mad.lo.u32 %g, %s2, %s0, %t;"
        } else {
            "mov.u32 %s6, %tid.x; mov.u32 %s7, %tid.y; mov.u32 %s0, %ntid.x; mov.u32 %s1, %ntid.y; mad.lo.u32 %t, %s7, %s0, %s6;\n\
             mov.u32 %s8, %ctaid.x; mov.u32 %s9, %ctaid.y; mov.u32 %s2, %nctaid.x; mov.u32 %s3, %nctaid.y; mad.lo.u32 %s10, %s9, %s2, %s8;\n\
             mul.lo.u32 %s4, %s0, %s1; mad.lo.u32 %g, %s10, %s4, %t; mul.lo.u32 %s5, %s2, %s3; mul.lo.u32 %step, %s4, %s5;"
        });
        self.line(
            "ld.param.u64 %given0, [in]; ld.param.u64 %given1, [out]; ld.param.u64 %given2, [cells]; cvta.to.global.u64 %in, %given0;\n\
             cvta.to.global.u64 %out, %given1; cvta.to.global.u64 %mine, %given2;\n\
             and.b32 %tr0, %g, 127; mad.wide.u32 %base, %tr0, 512, %in;",
        );
        self.fill();
        self.line("xor.b32 %r1, %r1, %g;");
        self.find_trace();
        // Some threads of a warp, some warps, or none, end first.
        match self.random.below(6) {
            0 => {
                let (r, c) = (self.any("r"), self.random.below(8));
                self.line(&format!("and.b32 %tr0, {r}, 7; setp.eq.u32 %tp0, %tr0, {c}; @%tp0 exit;"));
            }
            1 => self.line("shr.u32 %tr0, %t, 5; and.b32 %tr0, %tr0, 3; setp.eq.u32 %tp0, %tr0, 2; @%tp0 exit;"),
            _ => {}
        }
        let budget = self.random.below(8);
        self.block(&mut alone(1), budget);
        // One width in all loops: each word stays one thread's.
        let bytes = *self.random.pick(&[4, 4, 4, 8, 16]);
        for number in 0..1 + self.random.below(LOOPS) {
            self.share_out(number, bytes, all);
            let budget = self.random.below(4);
            self.block(&mut alone(1), budget);
        }
        self.dump_apart(all);
        let body = core::mem::take(&mut self.text);
        // Without a bound a device's compiler takes more registers than so many threads may have.
        let threads: usize = block.iter().product();
        let bounds = if threads > 512 { format!(".maxntid {threads}\n") } else { String::new() };
        format!(
            "{}.reg .b32 %s<11>, %step, %i<{LOOPS}>, %n<{LOOPS}>, %left<{LOOPS}>; .reg .b64 %at<{LOOPS}>, %far<{LOOPS}>, %offset<{LOOPS}>, %given<3>; .reg .pred %more;\n{body}ret;\n}}\n",
            self.head_of_entry(&bounds)
        )
    }

    /// A loop that goes through the array, or part of it.
    fn share_out(&mut self, number: usize, bytes: usize, all: usize) {
        // Registers of its own, as compilers give it.
        let [i, n, left, at, far, offset] =
            ["i", "n", "left", "at", "far", "offset"].map(|name| format!("%{name}{number}"));
        let (begin, end) = (self.label(), self.label());
        let fitting = (LOOPED * 16 / bytes - 1).min(TURNS);
        let most = if self.chance(50) { 1 + self.random.below(fitting) } else { 1 + self.random.below(fitting.min(9)) };
        // Not all threads have the last turn; or the warps of a block have different numbers of turns; or all have the same.
        let limit = most * all - self.random.below(all);
        let counted = self.chance(25);
        if counted {
            let by_warp = self.chance(60);
            self.line(&if by_warp { format!("shr.u32 {left}, %t, 5;") } else { format!("mov.u32 {left}, %ctaid.x;") });
            self.line(&format!("rem.u32 {left}, {left}, {most}; add.u32 {left}, {left}, 1; mov.u32 {i}, %g;"));
        } else if self.chance(50) {
            self.line(&format!("mov.u32 {n}, {limit}; mov.u32 {i}, %g;"));
        } else {
            self.line(&format!(
                "ld.param.u32 {n}, [number]; rem.u32 {n}, {n}, {limit}; add.u32 {n}, {n}, {}; min.u32 {n}, {n}, {limit}; mov.u32 {i}, %g;",
                limit / 2
            ));
        }
        let moving = self.chance(25);
        if moving {
            self.line(&format!(
                "mul.wide.s32 {offset}, {i}, {bytes}; add.s64 {at}, %out, {offset}; mul.wide.s32 {far}, %step, {bytes};"
            ));
        }
        let (over, again) = if counted {
            (
                format!("setp.eq.u32 %more, {left}, 0;"),
                format!("sub.u32 {left}, {left}, 1; setp.ne.u32 %more, {left}, 0;"),
            )
        } else {
            (format!("setp.ge.s32 %more, {i}, {n};"), format!("setp.lt.s32 %more, {i}, {n};"))
        };
        // The condition before the loop and at its end, as compilers leave it, or at its beginning.
        let ahead = counted || self.chance(70);
        self.line(&if ahead {
            format!("{over} @%more bra {end};\n{begin}:")
        } else {
            format!("{begin}: {over} @%more bra {end};")
        });
        if !moving {
            let address = match self.random.below(4) {
                0 => format!("mad.wide.u32 {at}, {i}, {bytes}, %out;"),
                1 => format!(
                    "cvt.s64.s32 {offset}, {i}; shl.b64 {offset}, {offset}, {}; add.s64 {at}, {offset}, %out;",
                    bytes.ilog2()
                ),
                _ => format!("mul.wide.s32 {offset}, {i}, {bytes}; add.s64 {at}, %out, {offset};"),
            };
            self.line(&address);
        }
        self.element(&at, bytes, false);
        let inside = alone(most);
        let budget = 1 + self.random.below(10);
        // Choices and loops in one of three; what is in real loops, mostly.
        let depth = if self.chance(33) { 1 } else { 4 };
        self.common_code = self.chance(75);
        self.block(&mut Place { depth, ..inside }, budget);
        self.common_code = false;
        self.element(&at, bytes, true);
        if moving {
            self.line(&format!("add.u64 {at}, {at}, {far};"));
        }
        self.line(&format!("add.s32 {i}, {i}, %step;"));
        self.line(&if ahead {
            format!("{again} @%more bra {begin};\n{end}:")
        } else {
            format!("bra {begin};\n{end}:")
        });
    }

    /// Reads or writes the element of this turn; some reads are of the next turn's.
    fn element(&mut self, at: &str, bytes: usize, write: bool) {
        let fitting: Vec<Element> = ELEMENTS.into_iter().filter(|e| e.bytes == bytes).collect();
        let element = *self.random.pick(&fitting);
        let Element { ty, kind, count, .. } = element;
        let list = if count == 1 { self.any(kind) } else { self.pieces(kind, count, true) };
        let vector = ["", "", ".v2", "", ".v4"][count];
        let guard = if self.chance(85) { String::new() } else { format!("@{} ", self.any("p")) };
        let text = if write {
            format!("{guard}st.global{vector}.{ty} [{at}], {list};")
        } else if self.chance(15) {
            format!(
                "mul.wide.u32 %tx0, %step, {bytes}; add.u64 %tx0, {at}, %tx0; {guard}ld.global{vector}.{ty} {list}, [%tx0];"
            )
        } else {
            format!("{guard}ld.global{vector}.{ty} {list}, [{at}];")
        };
        self.item(&text);
    }

    /// A part of such a kernel, which changes registers alone.
    pub fn register_part(&mut self) {
        if self.common_code {
            return self.common_part();
        }
        match self.random.below(100) {
            0..84 => self.straight(),
            84..92 => self.chain(),
            _ => self.moves(),
        }
    }

    /// What the loops of most programs are made of.
    fn common_part(&mut self) {
        let guard = self.guard();
        let mut any = |kind: &str| self.any(kind);
        let (r, r1, r2, r3) = (any("r"), any("r"), any("r"), any("r"));
        let (f, f1, f2, f3) = (any("f"), any("f"), any("f"), any("f"));
        let (x, x1, p) = (any("x"), any("x"), any("p"));
        let number = self.random.below(31);
        let text = match self.random.below(19) {
            0 => format!("add.s32 {r}, {r1}, {r2};"),
            1 => format!("add.s32 {r}, {r1}, {number};"),
            2 => format!("sub.s32 {r}, {r1}, {r2};"),
            3 => format!("mul.lo.s32 {r}, {r1}, {r2};"),
            4 => format!("mad.lo.s32 {r}, {r1}, {r2}, {r3};"),
            5 => format!("{} {r}, {r1}, {r2};", self.random.pick(&["xor.b32", "and.b32", "or.b32"])),
            6 => format!("shl.b32 {r}, {r1}, {number};"),
            7 => format!("{} {r}, {r1}, {number};", self.random.pick(&["shr.u32", "shr.s32"])),
            8 => format!("{} {r}, {r1}, {r2};", self.random.pick(&["min.s32", "max.s32", "min.u32", "max.u32"])),
            9 => format!("mul.hi.u32 {r}, {r1}, {r2};"),
            10 => format!("add.rn.f32 {f}, {f1}, {f2};"),
            11 => format!("mul.rn.f32 {f}, {f1}, {f2};"),
            12 => format!("fma.rn.f32 {f}, {f1}, {f2}, {f3};"),
            13 => format!("cvt.rn.f32.s32 {f}, {r};"),
            14 => format!("add.s64 {x}, {x}, {x1};"),
            15 => format!("mul.wide.s32 {x}, {r}, {r1};"),
            16 => format!("selp.b32 {r}, {r1}, {r2}, {p};"),
            17 => format!("setp.{}.s32 {p}, {r}, {r1};", self.random.pick(&["lt", "ge", "eq", "ne"])),
            _ => format!("mov.u32 {r}, %g;"),
        };
        self.item(&format!("{guard}{text}"));
    }

    /// Writes all registers behind what the loops have, each word of all threads side by side.
    fn dump_apart(&mut self, all: usize) {
        self.line(&format!("mad.wide.u32 %base, %g, 16, %out; add.u64 %base, %base, {};", LOOPED * 16 * all));
        let words = self.dump_registers("%base", |word| word / 2 * 16 * all + word % 2 * 8);
        assert!(words <= 2 * DUMPED);
    }
}

/// A place where it is not known which lanes are there.
fn alone(turns: usize) -> Place {
    Place { mask: None, whole: false, depth: 1, ways: Vec::new(), leave: false, turns: turns as f64 }
}
