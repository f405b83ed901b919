//! Kernels: what is around random code, and its structure.
//!
//! A *place* is where code is written: the lanes that are certain to come there together, if they are known (`%m` registers
//! hold them), and whether all threads of the block do. What is about several lanes or threads is only written where that
//! is known. Code for which it is not may jump about as it likes, as long as it ends.

use super::Random;
use super::forms::{self, Forms, REGISTERS, any};
use super::strided;
use core::fmt::Write;

/// A kernel, and how it is launched.
pub struct Kernel {
    pub name: String,
    pub text: String,
    pub grid: [usize; 3],
    pub block: [usize; 3],
    /// Bytes of dynamic shared memory.
    pub dynamic: usize,
    /// Parts that may be left out.
    pub items: usize,
}

/// Bytes that a thread has in the output, and where what lies in it. `tests/ptx/random.c` knows the first.
pub const STRIDE: usize = 1024;
const SLOTS_AT: usize = 400;
const SHARED_AT: usize = 528;
const COMMON_AT: usize = 544;
const MINE_AT: usize = 576;
const EXIT_AT: usize = 832;
/// Bytes of a thread's local memory, and of a block's cells in shared memory.
pub const SLOTS: usize = 128;
const COMMON: usize = 64;

/// How deep functions call themselves, and the parts that the beginning of one is worth.
pub const MOST_DEPTH: usize = 3;
const BEGINNING: f64 = 20.0;

/// Shapes of blocks and grids.
const BLOCKS: [[usize; 3]; 16] = [
    [1, 1, 1],
    [31, 1, 1],
    [32, 1, 1],
    [33, 1, 1],
    [64, 1, 1],
    [100, 1, 1],
    [96, 1, 1],
    [128, 1, 1],
    [5, 20, 1],
    [10, 5, 2],
    [8, 4, 3],
    [3, 11, 1],
    [32, 2, 1],
    [7, 3, 3],
    [1, 1, 64],
    [2, 31, 1],
];
const GRIDS: [[usize; 3]; 7] = [[1, 1, 1], [2, 1, 1], [3, 1, 1], [2, 2, 1], [1, 2, 2], [5, 1, 1], [1, 1, 3]];

/// What a cell that all threads change holds: any order gives the same.
#[derive(Clone, Copy)]
pub struct Cell {
    pub op: &'static str,
    pub ty: &'static str,
    /// Of `inc` and `dec`.
    pub bound: u32,
}

/// Where code is written.
#[derive(Clone)]
pub struct Place {
    /// The register with the lanes that are here together, if that is known.
    pub mask: Option<String>,
    /// All threads of the block come here, in the same turns.
    pub whole: bool,
    pub depth: usize,
    /// Labels that code without a mask may jump to.
    pub ways: Vec<String>,
    /// Threads may end here.
    pub leave: bool,
    /// How often code here runs at most, each time what is around all of it does.
    pub turns: f64,
}

/// A function that kernels call.
pub struct Callee {
    pub name: String,
    /// It takes the lanes that come together.
    pub masked: bool,
    /// Parts that a call runs at most.
    pub work: f64,
}

/// Writes a kernel.
pub struct Builder<'a> {
    pub random: Random,
    pub forms: &'a Forms,
    name: String,
    /// Parts that are written; later ones are left out.
    length: usize,
    items: usize,
    /// Every part writes down the registers that it names.
    trace: bool,
    /// The body at hand.
    pub text: String,
    masks: usize,
    counters: usize,
    labels: usize,
    /// In a kernel, not in a function.
    pub entry: bool,
    /// Cells may be chosen by lanes, and have floating point numbers.
    pub newer: bool,
    /// The latter begin with 0.
    zeroed: bool,
    /// Loops share out an array, and nothing else is written.
    strided: bool,
    /// The loop at hand has what most programs' loops have.
    pub common_code: bool,
    pub threads: usize,
    pub cells: Vec<Cell>,
    pub common: Vec<Cell>,
    /// Functions that may be called.
    pub callees: Vec<Callee>,
    /// Their parameters and results include arrays.
    pub arrays: bool,
    /// Shared cells may be changed.
    pub open: bool,
    /// The function at hand, if it may call itself.
    pub own: Option<Callee>,
    pub dynamic: bool,
    /// There was a call where it is not known who is there.
    pub apart: bool,
    /// Parts that the body at hand runs at most, and its calls of itself.
    pub work: f64,
    pub again: f64,
    calls: Calls,
}

/// What stands before the kernels of a module.
pub fn head(random: &mut Random) -> String {
    let mut bytes = |n: usize| (0..n).map(|_| (random.next() as u8).to_string()).collect::<Vec<_>>().join(", ");
    let (fixed, table) = (bytes(256), bytes(256));
    format!(
        ".version 8.6\n.target sm_90\n.address_size 64\n.const .align 16 .b8 fixed[256] = {{{fixed}}};\n\
         .global .align 16 .b8 table[256] = {{{table}}};\n.global .u32 nothing;\n.extern .shared .align 16 .b8 dynamic[];\n"
    )
}

/// Bytes that a thread writes down for a part.
pub const TRACED: usize = 64;

/// The registers that a part names, most of them.
pub fn named(part: &str) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for word in part.split(|c: char| !c.is_ascii_alphanumeric() && c != '%') {
        let kind = REGISTERS.iter().find(|r| word.strip_prefix('%').is_some_and(|w| w.starts_with(r.0)));
        let number = word.get(2..).is_some_and(|n| n.parse::<u32>().is_ok());
        if kind.is_some() && number && all.len() < TRACED / 8 && !all.iter().any(|a| a == word) {
            all.push(word.to_owned());
        }
    }
    all
}

/// Seeds from which on kernels have what others have no results of hardware for.
const NEWER: u64 = 100_000_000;
/// Seeds from which on cells of floating point numbers begin with 0: sums from other beginnings are rounded, so that their order counts.
const ZEROED: u64 = 1_700_000_000;

fn commutative(random: &mut Random) -> Cell {
    let (op, ty) = *random.pick(&[
        ("add", "u32"),
        ("add", "s32"),
        ("add", "u64"),
        ("min", "u32"),
        ("min", "s32"),
        ("min", "u64"),
        ("min", "s64"),
        ("max", "u32"),
        ("max", "s32"),
        ("max", "u64"),
        ("max", "s64"),
        ("and", "b32"),
        ("and", "b64"),
        ("or", "b32"),
        ("or", "b64"),
        ("xor", "b32"),
        ("xor", "b64"),
        ("inc", "u32"),
        ("dec", "u32"),
    ]);
    Cell { op, ty, bound: random.next() as u32 % 1000 }
}

/// Parts that a thread may run at most: functions that call themselves in loops would come to any number. Kernels that a device has
/// run come near.
pub const MOST_WORK: f64 = 3e7;

/// The kernel of a seed, as far as its first parts go.
pub fn kernel(forms: &Forms, seed: u64, length: usize, trace: bool) -> Kernel {
    let mut made =
        [Calls::Themselves, Calls::Others].into_iter().map(|calls| attempt(forms, seed, length, trace, calls));
    let short = made.find(|(_, work)| *work <= MOST_WORK);
    short.unwrap_or_else(|| attempt(forms, seed, length, trace, Calls::None)).0
}

/// What functions may call.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Calls {
    Themselves,
    Others,
    /// There are no functions.
    None,
}

/// A kernel, and the parts that a thread of it runs at most.
pub fn attempt(forms: &Forms, seed: u64, length: usize, trace: bool, calls: Calls) -> (Kernel, f64) {
    let mut random = Random::of(seed, 0x6b65_726e_656c);
    let name = format!("s{seed}");
    let block = *random.pick(&BLOCKS);
    let grid = *random.pick(&GRIDS);
    let threads = block.iter().product();
    let cells = (0..32).map(|_| commutative(&mut random)).collect();
    let mut common: Vec<Cell> = (0..COMMON / 8).map(|_| commutative(&mut random)).collect();
    let newer = seed >= NEWER;
    if newer {
        // Small whole numbers are added, in any order.
        common[0] = Cell { op: "add", ty: "f32", bound: 0 };
        common[1] = Cell { op: "add", ty: "f64", bound: 0 };
    }
    let dynamic = random.below(3) == 0;
    let arrays = random.below(2) == 0;
    let mut b = Builder {
        random,
        forms,
        name: name.clone(),
        length,
        items: 0,
        trace,
        text: String::new(),
        masks: 0,
        counters: 0,
        labels: 0,
        entry: false,
        newer,
        zeroed: seed >= ZEROED,
        strided: false,
        common_code: false,
        threads,
        cells,
        common,
        callees: Vec::new(),
        arrays,
        open: false,
        own: None,
        dynamic,
        apart: false,
        work: 0.0,
        again: 0.0,
        calls,
    };
    if seed >= strided::STRIDED && b.chance(strided::SHARE) {
        let (block, grid) = *b.random.pick(&strided::SHAPES);
        b.strided = true;
        b.threads = block.iter().product();
        let text = b.shared_out(block, grid);
        return (Kernel { text, name, grid, block, dynamic: 0, items: b.items }, b.work);
    }
    let functions = b.functions();
    b.work = 0.0;
    let entry = b.entry(block);
    let work = b.work;
    let kernel = Kernel {
        text: functions + &entry,
        name,
        grid,
        block,
        dynamic: if dynamic { threads * 16 } else { 0 },
        items: b.items,
    };
    (kernel, work)
}

impl Place {
    /// The same in a loop of so many turns at most.
    fn often(mut self, turns: usize) -> Place {
        self.turns *= turns as f64;
        self
    }
}

impl Builder<'_> {
    /// Writes a line.
    pub fn line(&mut self, text: &str) {
        self.text += text;
        self.text.push('\n');
    }

    /// Writes a part that may be left out.
    pub fn item(&mut self, text: &str) {
        self.items += 1;
        if self.items <= self.length {
            let _ = writeln!(self.text, "{text} // {}", self.items);
            if self.trace && self.entry {
                self.write_down(text);
            }
        }
    }

    /// What the registers hold that a part names.
    fn write_down(&mut self, part: &str) {
        for (n, name) in named(part).iter().enumerate() {
            let at = TRACED * self.items + 8 * n;
            let ty = REGISTERS.iter().find(|r| name[1..].starts_with(r.0)).unwrap().1;
            let _ = match ty {
                "pred" => writeln!(self.text, "selp.b32 %tq, 1, 2, {name}; st.global.b32 [%trace+{at}], %tq;"),
                ty => writeln!(self.text, "st.global.{ty} [%trace+{at}], {name};"),
            };
        }
    }

    pub fn chance(&mut self, percent: usize) -> bool {
        self.random.below(100) < percent
    }

    pub fn any(&mut self, kind: &str) -> String {
        any(kind, &mut self.random)
    }

    /// A guard, mostly none.
    pub fn guard(&mut self) -> String {
        match self.random.below(8) {
            0 => format!("@{} ", self.any("p")),
            1 => format!("@!{} ", self.any("p")),
            _ => String::new(),
        }
    }

    pub fn mask(&mut self) -> String {
        self.masks += 1;
        format!("%m{}", self.masks)
    }

    fn counter(&mut self) -> String {
        self.counters += 1;
        format!("%c{}", self.counters)
    }

    /// A label that there is not yet.
    pub fn label(&mut self) -> String {
        self.labels += 1;
        format!("L{}", self.labels)
    }

    /// Declarations of a body whose text is written.
    fn declarations(&self) -> String {
        let mut text = String::new();
        for (kind, ty, count) in REGISTERS {
            let _ = write!(text, ".reg .{ty} %{kind}<{count}>; ");
        }
        let _ = writeln!(
            text,
            ".reg .b32 %m<{}>, %c<{}>, %t, %g, %lane, %own, %tq, %tr<10>; .reg .pred %tp<4>; .reg .b16 %th<4>;\n\
             .reg .b64 %in, %out, %cells, %mine, %base, %trace, %tx<10>; .reg .b128 %tw<3>; .local .align 16 .b8 slots[{SLOTS}];",
            self.masks + 1,
            self.counters + 1,
        );
        text
    }

    /// Gives every register a value out of the words at `%base`, and fills local memory.
    pub fn fill(&mut self) {
        let mut at = 0;
        for (kind, ty, count) in REGISTERS.into_iter().skip(1) {
            for n in 0..count {
                let _ = writeln!(self.text, "ld.global.{ty} %{kind}{n}, [%base+{}];", 8 * at);
                at += 1;
            }
        }
        for n in 0..REGISTERS[0].2 {
            let _ = writeln!(self.text, "and.b32 %tr0, %r{n}, {}; setp.ne.u32 %p{n}, %tr0, 0;", 1 << n);
        }
        for n in 0..SLOTS / 16 {
            let _ = writeln!(self.text, "st.local.v2.b64 [slots+{}], {{%x{n}, %d{n}}};", 16 * n);
        }
    }

    fn entry(&mut self, block: [usize; 3]) -> String {
        self.entry = true;
        self.open = true;
        (self.masks, self.counters, self.labels) = (0, 0, 0);
        self.text = String::new();
        let threads = self.threads;
        let shared = if self.dynamic { "dynamic" } else { "shared" };
        self.line(&format!(
            "mov.u32 %tr0, %tid.x; mov.u32 %tr1, %tid.y; mov.u32 %tr2, %tid.z; mov.u32 %tr3, %ntid.x; mov.u32 %tr4, %ntid.y;\n\
             mad.lo.u32 %tr1, %tr2, %tr4, %tr1; mad.lo.u32 %t, %tr1, %tr3, %tr0; mov.u32 %lane, %laneid;\n\
             mov.u32 %tr0, %ctaid.x; mov.u32 %tr1, %ctaid.y; mov.u32 %tr2, %ctaid.z; mov.u32 %tr3, %nctaid.x; mov.u32 %tr4, %nctaid.y;\n\
             mad.lo.u32 %tr1, %tr2, %tr4, %tr1; mad.lo.u32 %tr0, %tr1, %tr3, %tr0; mad.lo.u32 %g, %tr0, {threads}, %t;\n\
             ld.param.u64 %in, [in]; ld.param.u64 %out, [out]; ld.param.u64 %cells, [cells];\n\
             cvta.to.global.u64 %in, %in; cvta.to.global.u64 %out, %out; cvta.to.global.u64 %cells, %cells;\n\
             mad.wide.u32 %out, %g, {STRIDE}, %out; add.u64 %mine, %out, {MINE_AT};\n\
             and.b32 %tr0, %g, 127; mad.wide.u32 %base, %tr0, 512, %in; mov.u32 %own, {shared}; mad.lo.u32 %own, %t, 16, %own;"
        ));
        self.fill();
        // Lanes of the warp: the last one may not be whole.
        let mask = self.mask();
        self.line(&format!(
            "and.b32 %tr0, %t, -32; sub.u32 %tr0, {threads}, %tr0; min.u32 %tr0, %tr0, 32; bmsk.clamp.b32 {mask}, 0, %tr0;\n\
             xor.b32 %r1, %r1, %g;\nst.shared.v2.b64 [%own], {{%x0, %d1}};\n\
             setp.lt.u32 %tp0, %t, 8; mov.u32 %tr0, common; mad.lo.u32 %tr0, %t, 8, %tr0; @%tp0 st.shared.b64 [%tr0], %x2;"
        ));
        if self.zeroed {
            self.line("setp.lt.u32 %tp0, %t, 2; mov.u64 %tx0, 0; @%tp0 st.shared.b64 [%tr0], %tx0;");
        }
        for n in threads..8 {
            self.line(&format!("mov.u64 %tx0, 77; st.shared.b64 [common+{}], %tx0;", 8 * n));
        }
        self.line("bar.sync 0;");
        self.find_trace();
        let mut place = Place { mask: Some(mask), whole: true, depth: 0, ways: Vec::new(), leave: false, turns: 1.0 };
        let budget = 20 + self.random.below(60);
        self.block(&mut place, budget);
        // What the block shares is looked at while all are here.
        self.line(&format!(
            "bar.sync 0; mov.u32 %tr0, common; and.b32 %tr1, %t, 7; mad.lo.u32 %tr0, %tr1, 8, %tr0; ld.shared.b64 %tx0, [%tr0];\n\
             st.global.b64 [%out+{COMMON_AT}], %tx0;"
        ));
        self.open = false;
        if self.chance(40) {
            // Some leave before the others.
            place.whole = false;
            let next = self.mask();
            let (r, c) = (self.any("r"), self.random.below(8));
            let mask = place.mask.clone().unwrap();
            let end = self.label();
            self.line(&format!(
                "and.b32 %tr0, {r}, 7; setp.eq.u32 %tp0, %tr0, {c}; vote.sync.ballot.b32 %tr1, %tp0, {mask};\n\
                 not.b32 %tr1, %tr1; and.b32 {next}, {mask}, %tr1; @!%tp0 bra {end};"
            ));
            self.leave();
            self.line(&format!("{end}:"));
            place.mask = Some(next);
            let budget = 5 + self.random.below(25);
            self.block(&mut place, budget);
        }
        if self.chance(30) {
            let mut place = Place { mask: None, whole: false, depth: 0, ways: Vec::new(), leave: true, turns: 1.0 };
            let budget = 10 + self.random.below(30);
            self.block(&mut place, budget);
        }
        self.dump();
        let body = core::mem::take(&mut self.text);
        let bounds = match self.random.below(4) {
            0 => format!(".reqntid {}, {}, {}\n", block[0], block[1], block[2]),
            1 => format!(".maxntid {threads}\n"),
            _ => String::new(),
        };
        let declared =
            if self.dynamic { String::new() } else { format!(".shared .align 16 .b8 shared[{}];\n", 16 * threads) };
        format!("{}{declared}.shared .align 16 .b8 common[{COMMON}];\n{body}ret;\n}}\n", self.head_of_entry(&bounds))
    }

    /// What stands before a kernel's body.
    pub fn head_of_entry(&self, bounds: &str) -> String {
        let more = if self.trace { ", .param .u64 trace, .param .u32 traced" } else { "" };
        format!(
            ".visible .entry {}(.param .u64 in, .param .u64 out, .param .u64 cells, .param .align 16 .b8 array[64], .param .u8 small, \
             .param .s16 short, .param .f32 single, .param .f64 double, .param .u32 number{more})\n{bounds}{{\n{}",
            self.name,
            self.declarations()
        )
    }

    /// Where the thread writes down what its parts do, if it does.
    pub fn find_trace(&mut self) {
        if self.trace {
            self.line(
                "ld.param.u64 %trace, [trace]; ld.param.u32 %tr0, [traced]; mad.wide.u32 %trace, %g, %tr0, %trace;",
            );
        }
    }

    /// Ends the thread, behind which something of it stays.
    fn leave(&mut self) {
        let (r, x, at) = (self.any("r"), self.any("x"), EXIT_AT + 16 * self.random.below(8));
        let end = *self.random.pick(&["exit", "ret"]);
        self.line(&format!("st.global.b32 [%out+{at}], {r}; st.global.b64 [%out+{}], {x}; {end};", at + 8));
    }

    /// Writes all registers to words, whose offsets from a base are told: so many words.
    pub fn dump_registers(&mut self, base: &str, offset: impl Fn(usize) -> usize) -> usize {
        let mut words = 0;
        for (kind, ty, count) in REGISTERS.into_iter().skip(1) {
            for n in 0..count {
                let _ = writeln!(self.text, "st.global.{ty} [{base}+{}], %{kind}{n};", offset(words));
                words += 1;
            }
        }
        self.line("mov.b32 %tr0, 0;");
        for n in 0..REGISTERS[0].2 {
            let _ = writeln!(self.text, "selp.b32 %tr1, {}, 0, %p{n}; or.b32 %tr0, %tr0, %tr1;", 1 << n);
        }
        let _ = writeln!(self.text, "st.global.b32 [{base}+{}], %tr0;", offset(words));
        words + 1
    }

    /// Writes all registers and the thread's memory to its place in the output.
    fn dump(&mut self) {
        let words = self.dump_registers("%out", |word| 8 * word);
        assert!(8 * words <= SLOTS_AT);
        for n in 0..SLOTS / 16 {
            let _ = writeln!(
                self.text,
                "ld.local.v2.b64 {{%tx0, %tx1}}, [slots+{}]; st.global.v2.b64 [%out+{}], {{%tx0, %tx1}};",
                16 * n,
                SLOTS_AT + 16 * n
            );
        }
        self.line(&format!(
            "ld.shared.v2.b64 {{%tx0, %tx1}}, [%own]; st.global.v2.b64 [%out+{SHARED_AT}], {{%tx0, %tx1}};"
        ));
    }

    /// Functions: their text. They take what they work on as parameters.
    fn functions(&mut self) -> String {
        let mut all = String::new();
        let count = self.random.below(4);
        for n in 0..if self.calls == Calls::None { 0 } else { count } {
            (self.masks, self.counters, self.labels) = (0, 0, 0);
            self.text = String::new();
            let masked = self.chance(60);
            let name = format!("{}_f{n}", self.name);
            let own = self.chance(35) && self.calls == Calls::Themselves;
            self.own = own.then(|| Callee { name: name.clone(), masked, work: 0.0 });
            (self.work, self.again) = (BEGINNING, 0.0);
            let mask = self.mask();
            self.begin(&mask);
            let mut place = Place {
                mask: masked.then_some(mask),
                whole: false,
                depth: 1,
                ways: Vec::new(),
                leave: false,
                turns: 1.0,
            };
            let budget = 4 + self.random.below(20);
            self.block(&mut place, budget);
            self.end();
            let body = core::mem::take(&mut self.text);
            let (results, parameters) = self.signature();
            let _ = writeln!(all, ".func {results} {name} {parameters}\n{{\n{}{body}ret;\n}}", self.declarations());
            // As deep as calls go.
            let work = (0..=MOST_DEPTH as i32).map(|depth| self.again.powi(depth)).sum::<f64>() * self.work;
            self.callees.push(Callee { name, masked, work });
        }
        self.own = None;
        if !self.callees.is_empty() {
            let names: Vec<&str> = (0..4).map(|n| self.callees[n % self.callees.len()].name.as_str()).collect();
            let _ = writeln!(all, ".global .align 8 .u64 {}_table[4] = {{{}}};", self.name, names.join(", "));
        }
        all
    }

    /// The name of the table of functions.
    pub fn function_table(&self) -> String {
        format!("{}_table", self.name)
    }

    /// So much random code.
    pub fn block(&mut self, place: &mut Place, budget: usize) {
        let mut left = budget;
        while left > 0 {
            if left > 4 && place.depth < 4 && self.chance(16) {
                let inner = 3 + self.random.below((left - 3).min(30));
                self.construct(place, inner);
                left -= inner;
            } else {
                self.simple(place);
                left -= 1;
            }
        }
    }

    fn simple(&mut self, place: &Place) {
        self.work += place.turns;
        if self.strided {
            let jumps = !place.ways.is_empty() && !self.chance(90);
            return if jumps { self.jump(place) } else { self.register_part() };
        }
        match self.random.below(100) {
            0..52 => self.straight(),
            52..57 => self.chain(),
            57..68 => self.load(),
            68..75 => self.store(),
            75..79 => self.private_atomic(),
            79..83 => self.shared_cell(),
            83..86 => self.moves(),
            86 => self.aside(),
            87..94 => match &place.mask {
                Some(mask) => {
                    let mask = mask.clone();
                    self.warp_wide(&mask);
                }
                None if place.leave && self.chance(8) => {
                    let (p, end) = (self.any("p"), self.label());
                    self.line(&format!("@{p} bra {end};"));
                    self.leave();
                    self.line(&format!("{end}:"));
                }
                None if !place.ways.is_empty() => self.jump(place),
                None => self.straight(),
            },
            94..97 if place.whole && self.open => self.block_wide(),
            94..98 if !self.callees.is_empty() || self.own.is_some() => self.call(place),
            _ => self.straight(),
        }
    }

    /// A jump of some threads.
    fn jump(&mut self, place: &Place) {
        let (p, to) = (self.any("p"), self.random.pick(&place.ways).clone());
        let not = if self.chance(50) { "!" } else { "" };
        self.item(&format!("@{not}{p} bra {to};"));
    }

    /// One instruction of the table.
    pub fn straight(&mut self) {
        let forms: &Forms = self.forms;
        let drawn = forms.draw(&mut self.random);
        let guard = if drawn.guards() { self.guard() } else { String::new() };
        let guard = if drawn.called() { String::new() } else { guard };
        let line = drawn.line(&guard, &mut self.random);
        self.item(&line);
    }

    /// A chain of additions with carries: nothing else may come between.
    pub fn chain(&mut self) {
        let forms: &Forms = self.forms;
        let mut text = String::new();
        let continues = |d: &forms::Drawn| ["addc", "subc", "madc"].iter().any(|n| d.name.starts_with(n));
        let first = forms.of("extended precision", &mut self.random, |d| d.has("cc") && !continues(d));
        text += &first.line("", &mut self.random);
        for _ in 0..self.random.below(3) {
            let next = forms.of("extended precision", &mut self.random, |d| continues(d) && d.has("cc"));
            text.push(' ');
            text += &next.line("", &mut self.random);
        }
        let last = forms.of("extended precision", &mut self.random, |d| continues(d) && !d.has("cc"));
        text.push(' ');
        text += &last.line("", &mut self.random);
        self.item(&text);
    }

    /// A branch, a loop or a jump table around random code.
    fn construct(&mut self, place: &mut Place, budget: usize) {
        let mut inner = place.clone();
        inner.depth += 1;
        if place.whole && self.chance(40) {
            return if self.chance(50) {
                self.choose_alike(&inner, budget, true)
            } else {
                self.repeat_alike(&inner, budget)
            };
        }
        inner.whole = false;
        if place.mask.is_some() && self.chance(15) && self.entry {
            return self.choose_alike(&inner, budget, false);
        }
        if self.chance(40) {
            inner.mask = None;
        }
        match self.random.below(8) {
            0..3 => self.choose(&inner, budget),
            3..5 => self.repeat(&inner, budget),
            5 => self.switch(&inner, budget),
            6 => self.until(&inner, budget),
            _ => self.machine(&inner, budget),
        }
        if let Some(mask) = &place.mask
            && self.apart
        {
            self.apart = false;
            let mask = mask.clone();
            self.line(&format!("bar.warp.sync {mask};"));
        }
    }

    /// A branch that all threads of the block take alike, or all of a warp.
    fn choose_alike(&mut self, inner: &Place, budget: usize, whole: bool) {
        let (other, end) = (self.label(), self.label());
        let condition = match (whole, self.random.below(2)) {
            (false, _) => "shr.u32 %tr0, %t, 5; and.b32 %tr0, %tr0, 1;",
            (true, 0) => "ld.param.u32 %tr0, [number]; and.b32 %tr0, %tr0, 1;",
            (true, _) => "mov.u32 %tr0, %ctaid.x; and.b32 %tr0, %tr0, 1;",
        };
        let uni = if whole || self.chance(30) { ".uni" } else { "" };
        self.line(&format!("{condition} setp.ne.u32 %tp0, %tr0, 0; @%tp0 bra{uni} {other};"));
        self.block(&mut inner.clone(), budget.div_ceil(2));
        self.line(&format!("bra{uni} {end};\n{other}:"));
        self.block(&mut inner.clone(), budget / 2);
        self.line(&format!("{end}:"));
    }

    /// A loop that all threads of the block go through as often.
    fn repeat_alike(&mut self, inner: &Place, budget: usize) {
        let (begin, counter) = (self.label(), self.counter());
        let times = 1 + self.random.below(3);
        self.line(&format!("mov.u32 {counter}, {times};\n{begin}:"));
        self.block(&mut inner.clone().often(times), budget);
        self.line(&format!("add.s32 {counter}, {counter}, -1; setp.ne.s32 %tp0, {counter}, 0; @%tp0 bra.uni {begin};"));
    }

    /// A branch, with or without another side.
    fn choose(&mut self, inner: &Place, budget: usize) {
        let (p, other, end) = (self.any("p"), self.label(), self.label());
        let (mut then, mut rest) = (inner.clone(), inner.clone());
        if let Some(mask) = &inner.mask {
            let (mine, theirs) = (self.mask(), self.mask());
            self.line(&format!(
                "vote.sync.ballot.b32 {mine}, {p}, {mask}; not.b32 {theirs}, {mine}; and.b32 {theirs}, {theirs}, {mask};"
            ));
            (then.mask, rest.mask) = (Some(mine), Some(theirs));
        }
        if self.chance(40) {
            self.line(&format!("@!{p} bra {end};"));
            self.block(&mut then, budget);
        } else {
            self.line(&format!("@!{p} bra {other};"));
            self.block(&mut then, budget.div_ceil(2));
            self.line(&format!("bra {end};\n{other}:"));
            self.block(&mut rest, budget / 2);
        }
        self.line(&format!("{end}:"));
    }

    /// A loop whose threads go through it as often as they like.
    fn repeat(&mut self, inner: &Place, budget: usize) {
        let (begin, next, end, counter) = (self.label(), self.label(), self.label(), self.counter());
        let (r, most) = (self.any("r"), *self.random.pick(&[1, 3, 3, 7]));
        let mut body = inner.clone().often(most);
        self.line(&format!("and.b32 {counter}, {r}, {most};"));
        let mut vote = String::new();
        if let Some(mask) = &inner.mask {
            let here = self.mask();
            self.line(&format!("mov.b32 {here}, {mask};"));
            vote = format!("vote.sync.ballot.b32 {here}, %tp0, {here};");
            body.mask = Some(here);
        } else {
            body.ways.extend([next.clone(), end.clone()]);
        }
        self.line(&format!(
            "{begin}: setp.ne.u32 %tp0, {counter}, 0; {vote} @!%tp0 bra {end}; add.u32 {counter}, {counter}, -1;"
        ));
        self.block(&mut body, budget.div_ceil(2));
        if let Some(here) = body.mask.clone()
            && self.chance(50)
        {
            let p = self.any("p");
            self.line(&format!(
                "vote.sync.ballot.b32 %tr0, {p}, {here}; not.b32 %tr0, %tr0; and.b32 {here}, {here}, %tr0; @{p} bra {end};"
            ));
        }
        self.block(&mut body, budget / 2);
        self.line(&format!("{next}: bra {begin};\n{end}:"));
    }

    /// A loop with its condition at the end.
    fn until(&mut self, inner: &Place, budget: usize) {
        let (begin, next, end, counter) = (self.label(), self.label(), self.label(), self.counter());
        let most = 1 + self.random.below(5);
        let mut body = inner.clone().often(most);
        body.mask = None;
        body.ways.extend([next.clone(), end.clone()]);
        let (p, not) = (self.any("p"), if self.chance(50) { "!" } else { "" });
        self.line(&format!("mov.u32 {counter}, {most};\n{begin}:"));
        self.block(&mut body, budget);
        self.line(&format!(
            "{next}: add.u32 {counter}, {counter}, -1; setp.ne.and.u32 %tp0, {counter}, 0, {not}{p}; @%tp0 bra {begin};\n{end}:"
        ));
    }

    /// A jump by a table.
    fn switch(&mut self, inner: &Place, budget: usize) {
        let ways = 2 + self.random.below(3);
        let labels: Vec<String> = (0..ways).map(|_| self.label()).collect();
        let (end, table, index) = (self.label(), self.label(), self.counter());
        let r = self.any("r");
        let mut body = inner.clone();
        self.line(&format!("rem.u32 {index}, {r}, {ways};"));
        if let Some(mask) = &inner.mask {
            let here = self.mask();
            self.line(&format!("match.any.sync.b32 {here}, {index}, {mask};"));
            body.mask = Some(here);
        }
        self.line(&format!("{table}: .branchtargets {};\nbrx.idx {index}, {table};", labels.join(", ")));
        for (n, label) in labels.iter().enumerate() {
            self.line(&format!("{label}:"));
            let mut here = body.clone();
            here.ways.extend(labels[n + 1..].iter().filter(|_| here.mask.is_none()).cloned());
            self.block(&mut here, budget.div_ceil(ways));
            // Some fall through into what comes next, where nobody knows any more who is there.
            if here.mask.is_some() || self.chance(70) {
                self.line(&format!("bra {end};"));
            }
        }
        self.line(&format!("{end}:"));
    }

    /// Pieces of code that jump to each other in any order until a thread has had its turns.
    fn machine(&mut self, inner: &Place, budget: usize) {
        let ways = 2 + self.random.below(3);
        let labels: Vec<String> = (0..ways).map(|_| self.label()).collect();
        let (next, end, table, fuel) = (self.label(), self.label(), self.label(), self.counter());
        let most = 3 + self.random.below(6);
        let mut body = inner.clone().often(most);
        body.mask = None;
        body.ways.extend(labels.iter().cloned());
        body.ways.extend([next.clone(), end.clone()]);
        let r = self.any("r");
        self.line(&format!(
            "mov.u32 {fuel}, {most};\n{next}: add.s32 {fuel}, {fuel}, -1; setp.lt.s32 %tp0, {fuel}, 0; @%tp0 bra {end};\n\
             add.u32 %tr0, {r}, {fuel}; rem.u32 %tr0, %tr0, {ways};\n{table}: .branchtargets {};\nbrx.idx %tr0, {table};",
            labels.join(", ")
        ));
        for label in &labels {
            self.line(&format!("{label}: add.s32 {fuel}, {fuel}, -1; setp.lt.s32 %tp0, {fuel}, 0; @%tp0 bra {end};"));
            self.block(&mut body.clone(), budget.div_ceil(ways));
            let to = self.random.pick(&body.ways).clone();
            let (p, to2) = (self.any("p"), self.random.pick(&[&next, &next, &end]).to_string());
            if to != *label {
                self.line(&format!("@{p} bra {to};"));
            }
            self.line(&format!("bra {to2};"));
        }
        self.line(&format!("{end}:"));
    }
}
