//! Loads, stores, atomic operations and moves.

use super::forms::{HIDDEN, bytes, register, result};
use super::kernel::{Builder, Cell, SLOTS};

/// A piece of memory that a thread may read, and how its address is found.
struct Region {
    space: &'static str,
    /// The name of what holds its address, and whether that is a register of 64 bits, one of 32, or a variable.
    base: &'static str,
    width: usize,
    bytes: usize,
    writable: bool,
}

const REGIONS: [Region; 8] = [
    Region { space: "global", base: "%in", width: 64, bytes: 65536, writable: false },
    Region { space: "global", base: "%base", width: 64, bytes: 512, writable: false },
    Region { space: "const", base: "fixed", width: 0, bytes: 256, writable: false },
    Region { space: "global", base: "table", width: 0, bytes: 256, writable: false },
    Region { space: "local", base: "slots", width: 0, bytes: SLOTS, writable: true },
    Region { space: "global", base: "%mine", width: 64, bytes: 256, writable: true },
    // A kernel's alone.
    Region { space: "shared", base: "%own", width: 32, bytes: 16, writable: true },
    Region { space: "param", base: "array", width: 0, bytes: 64, writable: false },
];
/// Of these, the ones that functions have, too.
const EVERYWHERE: usize = 6;

const TYPES: [&str; 14] =
    ["b8", "u8", "s8", "b16", "u16", "s16", "b32", "u32", "s32", "f32", "b64", "u64", "s64", "f64"];

/// What may stand before and behind the space of a load.
const LOADS: [(&str, &str); 14] = [
    ("", ""),
    ("", ""),
    ("", ""),
    (".weak", ""),
    (".volatile", ""),
    (".relaxed.gpu", ""),
    (".acquire.cta", ""),
    (".relaxed.sys", ""),
    ("", ".ca"),
    ("", ".cg"),
    ("", ".cs"),
    ("", ".cv"),
    ("", ".L1::evict_last"),
    ("", ".L1::no_allocate.L2::128B"),
];
/// Behind the space of memory that nobody writes.
const CONSTANT_LOADS: [&str; 6] =
    [".nc", ".ca.nc", ".cg.nc", ".nc.L1::evict_first", ".nc.L2::256B", ".nc.L1::no_allocate.L2::64B"];
const STORES: [(&str, &str); 12] = [
    ("", ""),
    ("", ""),
    ("", ""),
    (".weak", ""),
    (".volatile", ""),
    (".relaxed.gpu", ""),
    (".release.cta", ""),
    (".relaxed.sys", ""),
    ("", ".wb"),
    ("", ".cg"),
    ("", ".cs"),
    ("", ".wt"),
];

/// A load in front of an operation on shared memory that is made as a loop. Without it the optimiser makes one loop of this
/// one and another one that it begins, and counts the turns of that for lanes together and apart: some never end.
fn looped(name: &str, address: &str, space: &str) -> String {
    let alone = ["exch", "cas"].iter().any(|op| name.contains(op)) || name.ends_with("32") && !name.ends_with("f32");
    if alone { String::new() } else { format!("ld.volatile{space}.b32 %tr8, {address}; ") }
}

impl Builder<'_> {
    /// Finds an address for an access of so many bytes: what comes before it, the address, the space that the instruction
    /// names (none for a generic address), and the region.
    fn address(&mut self, size: usize, write: bool) -> (String, String, String, &'static Region) {
        let known = if self.entry { REGIONS.len() } else { EVERYWHERE };
        let region = loop {
            let region = &REGIONS[self.random.below(known)];
            if !write || region.writable {
                break region;
            }
        };
        let mut offset = self.random.below(region.bytes.min(512) / size) * size;
        let generic = self.chance(20);
        let mut base = region.base.to_owned();
        let mut before = String::new();
        let moving = self.chance(50);
        if moving || generic {
            // The address is computed.
            match region.width {
                64 => base = format!("mov.b64 %tx0, {};", region.base),
                32 => base = format!("cvt.u64.u32 %tx0, {};", region.base),
                _ => base = format!("mov.u64 %tx0, {};", region.base),
            }
            before += &base;
            if generic {
                before += &format!(" cvta.{}.u64 %tx0, %tx0;", region.space);
            }
            if moving {
                let r = self.any("r");
                before += &format!(
                    " and.b32 %tr0, {r}, {}; cvt.u64.u32 %tx1, %tr0; add.u64 %tx0, %tx0, %tx1;",
                    (region.bytes - 1) & !(size - 1)
                );
                offset = 0;
            }
            base = "%tx0".to_owned();
            before.push(' ');
        }
        let address = if offset == 0 { format!("[{base}]") } else { format!("[{base}+{offset}]") };
        let space = if generic { String::new() } else { format!(".{}", region.space) };
        (before, address, space, region)
    }

    /// A type, a number of elements, and what to write for them.
    fn elements(&mut self) -> (&'static str, usize, &'static str) {
        let ty = *self.random.pick(&TYPES);
        match self.random.below(4) {
            0 => (ty, 2, ".v2"),
            1 if bytes(ty) <= 4 => (ty, 4, ".v4"),
            _ => (ty, 1, ""),
        }
    }

    /// Registers for the elements of a vector, all of one kind.
    fn list(&mut self, ty: &str, count: usize, distinct: bool) -> String {
        let first = if distinct { result(ty, &mut self.random) } else { register(ty, &mut self.random) };
        let mut all = vec![first];
        let kind = all[0][1..2].to_owned();
        while all.len() < count {
            let name = self.any(&kind);
            if !distinct || !all.contains(&name) {
                all.push(name);
            }
        }
        if count == 1 { all.remove(0) } else { format!("{{{}}}", all.join(", ")) }
    }

    /// Loads or stores 128 bits by a register of that size.
    fn wide(&mut self, write: bool) {
        let (before, address, space, _) = self.address(16, write);
        let (x, guard) = (self.any("x"), self.guard());
        let y = loop {
            let y = self.any("x");
            if y != x {
                break y;
            }
        };
        self.item(&if write {
            format!("{before}mov.b128 %tw0, {{{x}, {y}}}; {guard}st{space}.b128 {address}, %tw0;")
        } else {
            // What the guard leaves is a pair of registers.
            format!("{before}mov.b128 %tw0, {{{y}, {x}}}; {guard}ld{space}.b128 %tw0, {address}; mov.b128 {{{x}, {y}}}, %tw0;")
        });
    }

    pub fn load(&mut self) {
        if self.chance(5) {
            return self.wide(false);
        }
        let (ty, count, vector) = self.elements();
        let (before, address, space, region) = self.address(bytes(ty) * count, false);
        let (mut front, mut behind) = *self.random.pick(&LOADS);
        let strong = front.starts_with(".relaxed") || front.starts_with(".acquire");
        match region.space {
            "const" | "param" => (front, behind) = ("", ""),
            "local" if strong || front == ".volatile" || behind.contains("L1::") || behind == ".cv" => {
                (front, behind) = ("", "");
            }
            // What a hint is for is global memory; a generic address has none here.
            "shared" if !behind.is_empty() => (front, behind) = ("", ""),
            "global" if !region.writable && !space.is_empty() && self.chance(30) => {
                (front, behind) = ("", *self.random.pick(&CONSTANT_LOADS));
            }
            _ => {}
        }
        if space.is_empty() && behind.contains("::") {
            behind = "";
        }
        let to = self.list(&format!("{ty}+"), count, true);
        let guard = self.guard();
        self.item(&format!("{before}{guard}ld{front}{space}{behind}{vector}.{ty} {to}, {address};"));
    }

    pub fn store(&mut self) {
        if self.chance(5) {
            return self.wide(true);
        }
        let (ty, count, vector) = match self.elements() {
            // Of bytes the assembler of driver 580 makes integers, where registers of 16 bits held other numbers.
            (ty, 2.., _) if bytes(ty) == 1 => (ty, 1, ""),
            all => all,
        };
        let (before, address, space, region) = self.address(bytes(ty) * count, true);
        let (mut front, mut behind) = *self.random.pick(&STORES);
        let strong = front.starts_with(".relaxed") || front.starts_with(".release");
        match region.space {
            "local" if strong || front == ".volatile" => front = "",
            "shared" if !behind.is_empty() => behind = "",
            _ => {}
        }
        let mut from = self.list(&format!("{ty}+"), count, false);
        if bytes(ty) == 1 {
            from = from.replace("%h", "%r");
        }
        let guard = self.guard();
        self.item(&format!("{before}{guard}st{front}{space}{behind}{vector}.{ty} {address}, {from};"));
    }

    /// An atomic operation on memory of the thread's own, of which the result is known.
    pub fn private_atomic(&mut self) {
        let entry = self.entry;
        let drawn = self
            .forms
            .of("atomics", &mut self.random, |d| !d.has("L2::cache_hint") && (entry || !d.name.contains("shared")));
        let shared = drawn.name.contains("shared");
        let generic = !shared && !drawn.has("global");
        let offset = 16 * self.random.below(15);
        let (mut before, mut address) = (String::new(), format!("[%mine+{offset}]"));
        if shared {
            address = "[%own]".to_owned();
        } else if generic {
            before = if entry && self.chance(50) {
                "cvt.u64.u32 %tx0, %own; cvta.shared.u64 %tx0, %tx0; ".to_owned()
            } else {
                format!("add.u64 %tx0, %mine, {offset}; cvta.global.u64 %tx0, %tx0; ")
            };
            address = "[%tx0]".to_owned();
            // Vectors only exist in global memory.
            if drawn.name.contains(".v") {
                return self.store();
            }
        }
        let values: Vec<String> = drawn.sources.iter().filter(|s| *s != "[]").cloned().collect();
        let vector = ["v2", "v4", "v8"].iter().any(|v| drawn.has(v));
        let mut operands = Vec::new();
        if vector {
            if !drawn.results.is_empty() {
                operands.push(self.list(&drawn.results[0], drawn.results.len(), true));
            }
            operands.push(address.clone());
            operands.push(self.list(&values[0], values.len(), false));
        } else {
            for result in &drawn.results {
                operands.push(super::forms::result(result, &mut self.random));
            }
            operands.push(address.clone());
            for value in &values {
                operands.push(register(value, &mut self.random));
            }
        }
        let mut name = drawn.name.clone();
        if shared || address == "[%tx0]" && before.contains("%own") {
            // With packed halves in shared memory the assembler takes the upper half of the operand from another register if
            // the operand was cut out of 64 bits.
            for ty in ["f16x2", "bf16x2"] {
                name = name.replace(&format!("add.noftz.{ty}"), "add.u32");
            }
            // Of two doubles that are no numbers one stays without optimisation, the other one with it.
            if name.ends_with("add.f64") {
                let value = operands.pop().unwrap();
                before +=
                    &format!("setp.nan.f64 %tp1, {value}, {value}; selp.b64 %tx3, 0x3ff8000000000000, {value}, %tp1; ");
                operands.push("%tx3".to_owned());
            }
        }
        if shared || address == "[%tx0]" && before.contains("%own") {
            before += &looped(&name, &address, if shared { ".shared" } else { "" });
        }
        let guard = self.guard();
        if drawn.has("b128") {
            let space = if shared { ".shared" } else { "" };
            let address = operands.into_iter().find(|o| o.starts_with('[')).unwrap();
            return self.wide_atomic(&before, &guard, &name, space, &address);
        }
        self.item(&format!("{before}{guard}{name} {};", operands.join(", ")));
    }

    /// An exchange of 128 bits; half of those that compare find what they look for.
    fn wide_atomic(&mut self, before: &str, guard: &str, name: &str, space: &str, address: &str) {
        let (x, y, z) = (self.any("x"), self.any("x"), self.any("x"));
        let mut text = format!("{before}mov.b128 %tw0, {{{x}, {y}}}; mov.b128 %tw2, {{{z}, {y}}}; ");
        let values = if name.contains(".cas.") {
            if self.chance(50) {
                text += &format!("ld{space}.b128 %tw0, {address}; ");
            }
            "%tw0, %tw2"
        } else {
            "%tw0"
        };
        text += &format!("{guard}{name} %tw2, {address}, {values}; mov.b128 {{%tx0, %tx1}}, %tw2; ");
        self.item(&format!("{text}xor.b64 {x}, {x}, %tx0; add.s64 {y}, {y}, %tx1;"));
    }

    /// What waits, orders, fetches and copies, none of which changes what a thread computes.
    pub fn aside(&mut self) {
        if self.entry && self.chance(50) {
            let size = *self.random.pick(&[4, 8, 16]);
            let to = size * self.random.below(16 / size);
            let from = size * self.random.below(64);
            let how = if size == 16 && self.chance(50) { "cg" } else { "ca" };
            let hint = *self.random.pick(&["", ".L2::64B", ".L2::128B"]);
            let part = if self.chance(30) { format!(", {}", self.random.below(size + 1)) } else { String::new() };
            let end = *self.random.pick(&[
                "cp.async.wait_all;",
                "cp.async.commit_group; cp.async.wait_group 0;",
                "cp.async.commit_group; cp.async.wait_all;",
            ]);
            let guard = self.guard();
            return self.item(&format!(
                "{guard}cp.async.{how}.shared.global{hint} [%own+{to}], [%in+{from}], {size}{part}; {end}"
            ));
        }
        let text = *self.random.pick(&[
            "fence.acq_rel.cta;",
            "fence.acq_rel.gpu;",
            "fence.sc.gpu;",
            "fence.sc.sys;",
            "fence.acquire.sync_restrict::shared::cluster.cluster;",
            "fence.proxy.async;",
            "fence.proxy.alias;",
            "membar.cta;",
            "membar.gl;",
            "membar.sys;",
            "fence.proxy.tensormap::generic.release.gpu;",
            "prefetch.global.L1 [%in];",
            "prefetch.global.L2 [%mine+64];",
            "prefetch.global.L2::evict_last [%in+128];",
            "cvta.global.u64 %tx0, %in; prefetchu.L1 [%tx0];",
            "cp.async.wait_group 1;",
        ]);
        self.item(text);
    }

    /// An operation on a cell that all threads change, each in the same way.
    pub fn shared_cell(&mut self) {
        let global = !self.entry || !self.open || self.chance(60);
        let all = if global { &self.cells } else { &self.common };
        let n = self.random.below(all.len());
        let Cell { op, ty, bound } = all[n];
        let alike = |m: usize| m != n && all[m].op == op && all[m].ty == ty && !matches!(op, "inc" | "dec");
        let other = (0..all.len()).find(|&m| alike(m)).unwrap_or(n);
        let (mut before, value) = match ty {
            _ if matches!(op, "inc" | "dec") => (String::new(), bound.to_string()),
            "f32" | "f64" => {
                let from = register("u32", &mut self.random);
                let (number, to) = if ty == "f32" { ("%tf0", "%tr5") } else { ("%td0", "%tx7") };
                let text = format!(
                    "and.b32 %tr5, {from}, 15; {{ .reg .{ty} {number}; cvt.rn.{ty}.u32 {number}, %tr5; mov.b{} {to}, {number}; }} ",
                    &ty[1..]
                );
                (text, to.to_owned())
            }
            _ => (String::new(), register(ty, &mut self.random)),
        };
        // Lanes choose between two cells that are alike; or between one and itself, which turns out when they are there.
        let chosen = self.newer && self.chance(50);
        if chosen {
            let bit = 1 << self.random.below(6);
            before += &format!(
                "mov.u32 %tr6, %tid.x; and.b32 %tr6, %tr6, {bit}; setp.eq.u32 %tp1, %tr6, 0; selp.b32 %tr6, {}, {}, %tp1; ",
                8 * n,
                8 * other
            );
            before += if global {
                "cvt.u64.u32 %tx8, %tr6; add.u64 %tx8, %tx8, %cells; "
            } else {
                "mov.u32 %tr4, common; add.u32 %tr6, %tr6, %tr4; "
            };
        }
        let (mut base, mut space) = match (global, chosen) {
            (true, false) => ("%cells", ".global"),
            (true, true) => ("%tx8", ".global"),
            (false, false) => ("common", ".shared"),
            (false, true) => ("%tr6", ".shared"),
        };
        if self.chance(25) {
            before += &match (global, chosen) {
                (true, _) => format!("cvta.global.u64 %tx0, {base}; "),
                (false, false) => format!("mov.u64 %tx0, {base}; cvta.shared.u64 %tx0, %tx0; "),
                (false, true) => format!("cvt.u64.u32 %tx0, {base}; cvta.shared.u64 %tx0, %tx0; "),
            };
            (base, space) = ("%tx0", "");
        }
        // What lanes have chosen has the place in it.
        let address = if chosen { format!("[{base}]") } else { format!("[{base}+{}]", 8 * n) };
        let scope = *self.random.pick(&["", ".relaxed.gpu", ".relaxed.sys"]);
        let loaded = if global { String::new() } else { looped(&format!("{op}.{ty}"), &address, space) };
        let before = before + &loaded;
        let guard = self.guard();
        let text = if self.chance(60) {
            format!("{before}{guard}red{scope}{space}.{op}.{ty} {address}, {value};")
        } else {
            // What it gives depends on who was first.
            let to = if bytes(ty) == 8 { "%tx9" } else { "%tr9" };
            let sem = if scope.is_empty() { *self.random.pick(&["", ".acq_rel.gpu", ".acquire.gpu"]) } else { scope };
            format!("{before}{guard}atom{sem}{space}.{op}.{ty} {to}, {address}, {value};")
        };
        self.item(&text);
    }

    /// Moves, also of parts, and what the hardware tells.
    pub fn moves(&mut self) {
        let guard = self.guard();
        let mut r = |kind: &str| super::forms::any(kind, &mut self.random);
        let (p, h, r0, r1, x, f, d) = (r("p"), r("h"), r("r"), r("r"), r("x"), r("f"), r("d"));
        let (h1, h2, h3) = (r("h"), r("h"), r("h"));
        let distinct =
            [&h, &h1, &h2, &h3].iter().enumerate().all(|(n, a)| [&h, &h1, &h2, &h3][..n].iter().all(|b| b != a));
        let text = match self.random.below(18) {
            0 => format!("mov.b32 {r0}, {{{h}, {h1}}};"),
            1 => format!("mov.b64 {x}, {{{r0}, {r1}}};"),
            2 => format!("mov.b64 {x}, {{{h}, {h1}, {h2}, {h3}}};"),
            3 if h != h1 => format!("mov.b32 {{{h}, {h1}}}, {r0};"),
            4 => format!("mov.b32 {{{h}, _}}, {f};"),
            5 if r0 != r1 => format!("mov.b64 {{{r0}, {r1}}}, {d};"),
            6 => format!("mov.b64 {{_, {r1}}}, {x};"),
            7 if distinct => format!("mov.b64 {{{h}, {h1}, {h2}, {h3}}}, {x};"),
            8 => format!("mov.b64 {d}, {{{f}, {r1}}};"),
            9 => format!("mov.b32 {f}, {r0};"),
            10 => format!("mov.b64 {x}, {d};"),
            11 => {
                let (space, of) = (
                    *self.random.pick(&["global", "local", "const", "shared"]),
                    *self.random.pick(&["%mine", "slots", "table"]),
                );
                let from = match of {
                    "slots" => "local",
                    _ => "global",
                };
                return self.item(&format!(
                    "mov.u64 %tx0, {of}; cvta.{from}.u64 %tx0, %tx0; {guard}isspacep.{space} {p}, %tx0;"
                ));
            }
            17 => {
                let (first, second) = if self.chance(50) { (&x, &d) } else { (&d, &x) };
                let to = if self.chance(50) { format!("%tx0, {x}") } else { format!("{x}, _") };
                return self.item(&format!("mov.b128 %tw1, {{{first}, {second}}}; {guard}mov.b128 {{{to}}}, %tw1;"));
            }
            12 => {
                let from = super::forms::any("p", &mut self.random);
                return self.item(&format!("{HIDDEN} {guard}setp.eq.and.u32 {p}, %tr8, 0, {from};"));
            }
            13 if self.entry => {
                let (name, ty, to) = self
                    .random
                    .pick(&[
                        ("small", "u8", &h),
                        ("short", "s16", &h),
                        ("single", "f32", &f),
                        ("double", "f64", &d),
                        ("number", "u32", &r0),
                        ("short", "s16", &x),
                    ])
                    .to_owned();
                format!("ld.param.{ty} {to}, [{name}];")
            }
            13 => format!("mov.pred {p}, %is_explicit_cluster;"),
            _ => {
                let special = *self.random.pick(&SPECIALS);
                if self.chance(15) {
                    format!("cvt.u16.u32 {h}, {special};")
                } else {
                    format!("mov.u32 {r0}, {special};")
                }
            }
        };
        self.item(&format!("{guard}{text}"));
    }
}

/// What the hardware tells, if that is the same everywhere. Left out: clocks, counters, the numbers of warps, processors and
/// grids, sizes of shared memory, `%envreg`.
const SPECIALS: [&str; 26] = [
    "%tid.x",
    "%tid.y",
    "%tid.z",
    "%ntid.x",
    "%ntid.y",
    "%ntid.z",
    "%ctaid.x",
    "%ctaid.y",
    "%ctaid.z",
    "%nctaid.x",
    "%nctaid.y",
    "%nctaid.z",
    "%laneid",
    "%lanemask_eq",
    "%lanemask_le",
    "%lanemask_lt",
    "%lanemask_ge",
    "%lanemask_gt",
    "%cluster_ctarank",
    "%cluster_nctarank",
    "%cluster_ctaid.x",
    "%cluster_nctaid.y",
    "%clusterid.x",
    "%clusterid.z",
    "%nclusterid.x",
    "%dynamic_smem_size",
];
