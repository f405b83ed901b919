//! Collective operations, what threads of a block do with each other, and calls.

use super::kernel::{Builder, Callee, MOST_DEPTH, Place};

impl Builder<'_> {
    /// Code that puts one of the lanes of a mask into `%tr0`.
    fn pick_lane(&mut self, mask: &str) -> String {
        let by = self.random.below(32);
        // The mask is turned so that the lane looked at first is its lowest bit.
        format!(
            "add.u32 %tr0, %lane, {by}; and.b32 %tr0, %tr0, 31; shf.r.wrap.b32 %tr1, {mask}, {mask}, %tr0; brev.b32 %tr1, %tr1; \
             clz.b32 %tr1, %tr1; add.u32 %tr0, %tr0, %tr1; and.b32 %tr0, %tr0, 31;"
        )
    }

    /// An operation of the lanes that are together.
    pub fn warp_wide(&mut self, mask: &str) {
        let (p, q, r, s, x, d) =
            (self.any("p"), self.any("p"), self.any("r"), self.any("r"), self.any("x"), self.any("r"));
        let not = if self.chance(30) { "!" } else { "" };
        let text = match self.random.below(16) {
            0..6 => return self.shuffle(mask),
            6 => {
                let how = *self.random.pick(&["all", "any", "uni"]);
                format!("vote.sync.{how}.pred {p}, {not}{q}, {mask};")
            }
            7 => format!("vote.sync.ballot.b32 {d}, {not}{q}, {mask};"),
            8 => {
                let small = self.random.below(8);
                format!("and.b32 %tr0, {r}, {small}; match.any.sync.b32 {d}, %tr0, {mask};")
            }
            9 => format!("shr.u64 %tx0, {x}, 62; match.any.sync.b64 {d}, %tx0, {mask};"),
            10 => {
                let (ty, from) = if self.chance(50) { ("b32", "%tr0") } else { ("b64", "%tx0") };
                let pair = if self.chance(70) { format!("{d}|{p}") } else { d };
                format!("and.b32 %tr0, {r}, 1; cvt.u64.u32 %tx0, %tr0; match.all.sync.{ty} {pair}, {from}, {mask};")
            }
            11 | 12 => {
                let how = *self.random.pick(&[
                    "add.u32", "add.s32", "min.u32", "min.s32", "max.u32", "max.s32", "and.b32", "or.b32", "xor.b32",
                ]);
                format!("redux.sync.{how} {d}, {s}, {mask};")
            }
            // Which one it is, is not said; one it has to be.
            13 => format!(
                "elect.sync %tr0|%tp0, {mask}; vote.sync.ballot.b32 %tr0, %tp0, {mask}; popc.b32 {d}, %tr0; setp.lt.u32 {p}, {d}, 2;"
            ),
            14 => format!("bar.warp.sync {mask};"),
            _ if self.entry => {
                // What another lane has in shared memory.
                let (ty, to) = *self.random.pick(&[("b32", "r"), ("b64", "x"), ("f64", "d"), ("u16", "h")]);
                let to = self.any(to);
                let lane = self.pick_lane(mask);
                format!(
                    "{lane} sub.u32 %tr0, %tr0, %lane; mad.lo.u32 %tr0, %tr0, 16, %own; bar.warp.sync {mask}; \
                     ld.shared.{ty} {to}, [%tr0]; bar.warp.sync {mask};"
                )
            }
            _ => format!("vote.sync.ballot.b32 {d}, {q}, {mask};"),
        };
        self.item(&text);
    }

    /// A shuffle. What comes from a lane that takes no part is not known, and replaced.
    fn shuffle(&mut self, mask: &str) {
        let (p, a, b, d) = (self.any("p"), self.any("r"), self.any("r"), self.any("r"));
        let a = if self.chance(20) { self.any("f") } else { a };
        if self.chance(25) {
            let lane = self.pick_lane(mask);
            return self.item(&format!("{lane} shfl.sync.idx.b32 {d}, {a}, %tr0, 31, {mask};"));
        }
        let mode = *self.random.pick(&["up", "down", "bfly", "idx"]);
        let segments = 32 - (1 << self.random.below(6));
        let c = match (mode, self.random.below(6)) {
            (_, 0) => self.any("r"),
            ("up", _) => (segments << 8).to_string(),
            _ => (segments << 8 | 31).to_string(),
        };
        let b = if self.chance(50) { self.random.below(33).to_string() } else { b };
        // The lane that it comes from, as the manual has it.
        let from = match mode {
            "up" => "sub.u32 %tr0, %lane, %tr0;",
            "down" => "add.u32 %tr0, %lane, %tr0;",
            "bfly" => "xor.b32 %tr0, %lane, %tr0;",
            _ => "and.b32 %tr2, %lane, %tr1; not.b32 %tr1, %tr1; and.b32 %tr0, %tr0, %tr1; or.b32 %tr0, %tr0, %tr2;",
        };
        self.item(&format!(
            "and.b32 %tr0, {b}, 31; mov.b32 %tr1, {c}; shr.u32 %tr1, %tr1, 8; and.b32 %tr1, %tr1, 31; \
             shfl.sync.{mode}.b32 {d}|{p}, {a}, {b}, {c}, {mask}; {from} selp.b32 %tr0, %tr0, %lane, {p}; \
             shr.u32 %tr0, {mask}, %tr0; and.b32 %tr0, %tr0, 1; setp.ne.u32 %tp0, %tr0, 0; selp.b32 {d}, {d}, 77, %tp0;"
        ));
    }

    /// An operation of the whole block.
    pub fn block_wide(&mut self) {
        if self.threads.is_multiple_of(32) && self.chance(40) {
            return if self.chance(60) { self.product() } else { self.matrices() };
        }
        let whole = self.threads.div_ceil(32) * 32;
        let number = self.random.below(16);
        let sync = match self.random.below(6) {
            0 => format!("bar.sync {number};"),
            1 => format!("bar.sync {number}, {whole};"),
            2 => format!("barrier.sync {number};"),
            3 => format!("barrier.cta.sync {number}, {whole};"),
            4 => format!("mov.u32 %tr3, {number}; barrier.sync.aligned %tr3, {whole};"),
            _ => format!("bar.cta.sync {number};"),
        };
        let (p, q, d, r) = (self.any("p"), self.any("p"), self.any("r"), self.any("r"));
        let not = if self.chance(30) { "!" } else { "" };
        let threads = self.threads;
        let text = match self.random.below(8) {
            0 => {
                let count = if self.chance(50) { format!(", {whole}") } else { String::new() };
                format!("bar.red.popc.u32 {d}, {number}{count}, {not}{q};")
            }
            1 => {
                let how = *self.random.pick(&["and", "or"]);
                let name = *self.random.pick(&["bar.red", "barrier.red", "barrier.cta.red"]);
                let aligned = if name != "bar.red" && self.chance(50) { ".aligned" } else { "" };
                format!("{name}.{how}{aligned}.pred {p}, {number}, {not}{q};")
            }
            // Warps with even numbers give, those with odd ones wait for what they gave.
            2 if threads > 32 => {
                let other = (number + 1) % 16;
                let count = whole;
                let x = self.any("x");
                format!(
                    "bar.sync {other}; shr.u32 %tr0, %t, 5; and.b32 %tr0, %tr0, 1; setp.ne.u32 %tp0, %tr0, 0; \
                     @!%tp0 st.shared.b64 [%own], {x}; @!%tp0 barrier.arrive {number}, {count}; @%tp0 barrier.sync {number}, {count}; \
                     sub.u32 %tr0, %own, 512; @%tp0 ld.shared.b64 {x}, [%tr0]; bar.sync {other};"
                )
            }
            3 => format!(
                "{sync} and.b32 %tr0, {r}, 56; mov.u32 %tr1, common; add.u32 %tr0, %tr0, %tr1; ld.shared.b32 {d}, [%tr0]; {sync}"
            ),
            _ => {
                let (ty, kind, bytes) = *self.random.pick(&[
                    ("b32", "r", 4),
                    ("b64", "x", 8),
                    ("f32", "f", 4),
                    ("f64", "d", 8),
                    ("u8", "h", 1),
                    ("s16", "r", 2),
                ]);
                let to = self.any(kind);
                let offset = self.random.below(16 / bytes) * bytes;
                let turn = if self.chance(50) { r } else { self.random.below(threads).to_string() };
                format!(
                    "{sync} rem.u32 %tr0, {turn}, {threads}; add.u32 %tr0, %tr0, %t; rem.u32 %tr0, %tr0, {threads}; sub.u32 %tr0, %tr0, %t; \
                     mad.lo.u32 %tr0, %tr0, 16, %own; ld.shared.{ty} {to}, [%tr0+{offset}]; {sync}"
                )
            }
        };
        self.item(&text);
    }

    /// Registers in braces.
    pub fn pieces(&mut self, kind: &str, count: usize, distinct: bool) -> String {
        let mut all: Vec<String> = Vec::new();
        while all.len() < count {
            let name = self.any(kind);
            if !distinct || !all.contains(&name) {
                all.push(name);
            }
        }
        format!("{{{}}}", all.join(", "))
    }

    /// A product of matrices, each warp's. Left out: `f64`, as which of several that are no numbers comes out is not certain.
    fn product(&mut self) {
        let r = &mut self.random;
        let whole =
            |r: &mut super::Random, bits: usize| format!("{}{bits}.{}{bits}", r.pick(&["s", "u"]), r.pick(&["s", "u"]));
        let saturate = *r.pick(&["", ".satfinite"]);
        // Shape, types, registers of the factors, and of the sum and its kind.
        let (shape, types, a, b, c, kind) = match r.below(15) {
            0 => ("m8n8k16", format!("{saturate}.s32.{}.s32", whole(r, 8)), 1, 1, 2, "r"),
            1 => ("m16n8k16", format!("{saturate}.s32.{}.s32", whole(r, 8)), 2, 1, 4, "r"),
            2 => ("m16n8k32", format!("{saturate}.s32.{}.s32", whole(r, 8)), 4, 2, 4, "r"),
            3 => ("m8n8k32", format!("{saturate}.s32.{}.s32", whole(r, 4)), 1, 1, 2, "r"),
            4 => ("m16n8k64", format!("{saturate}.s32.{}.s32", whole(r, 4)), 4, 2, 4, "r"),
            5 => ("m8n8k128", format!(".s32.b1.b1.s32.{}.popc", r.pick(&["xor", "and"])), 1, 1, 2, "r"),
            6 => ("m16n8k256", format!(".s32.b1.b1.s32.{}.popc", r.pick(&["xor", "and"])), 4, 2, 4, "r"),
            7 => ("m16n8k8", ".f16.f16.f16.f16".to_owned(), 2, 1, 2, "r"),
            8 => ("m16n8k16", ".f16.f16.f16.f16".to_owned(), 4, 2, 2, "r"),
            9 => ("m16n8k16", ".f32.f16.f16.f32".to_owned(), 4, 2, 4, "f"),
            10 => ("m16n8k8", ".f32.bf16.bf16.f32".to_owned(), 2, 1, 4, "f"),
            11 => ("m16n8k16", ".f32.bf16.bf16.f32".to_owned(), 4, 2, 4, "f"),
            12 => ("m16n8k4", ".f32.tf32.tf32.f32".to_owned(), 2, 1, 4, "f"),
            13 => ("m16n8k8", ".f32.tf32.tf32.f32".to_owned(), 4, 2, 4, "f"),
            _ => {
                let of = |r: &mut super::Random| *r.pick(&["e4m3", "e5m2"]);
                ("m16n8k32", format!(".f32.{}.{}.f32", of(r), of(r)), 4, 2, 4, "f")
            }
        };
        let (d, a, b, c) = (
            self.pieces(kind, c, true),
            self.pieces("r", a, false),
            self.pieces("r", b, false),
            self.pieces(kind, c, false),
        );
        // Of eighths the assembler makes products of halves and additions, of which each may write what the next one reads.
        let c = if types.contains(".e") { d.clone() } else { c };
        self.item(&format!("mma.sync.aligned.{shape}.row.col{types} {d}, {a}, {b}, {c};"));
    }

    /// Moves matrices between registers and the shared memory of the warp's lanes, or transposes one.
    fn matrices(&mut self) {
        let count = *self.random.pick(&[1, 2, 4]);
        let transposed = *self.random.pick(&["", ".trans"]);
        let list = self.pieces("r", count, true);
        let (r, d) = (self.any("r"), self.any("r"));
        let text = match self.random.below(3) {
            0 => format!("ldmatrix.sync.aligned.m8n8.x{count}{transposed}.shared.b16 {list}, [%own];"),
            1 => format!("stmatrix.sync.aligned.m8n8.x{count}{transposed}.shared.b16 [%own], {list};"),
            _ => format!("movmatrix.sync.aligned.m8n8.trans.b16 {d}, {r};"),
        };
        self.item(&format!("bar.warp.sync -1; {text} bar.warp.sync -1;"));
    }

    /// Results and parameters of this kernel's functions.
    pub fn signature(&self) -> (String, String) {
        let array = if self.arrays { ", .param .align 8 .b8 s[24]" } else { "" };
        let result = if self.arrays { ".param .align 8 .b8 q[16]" } else { ".param .b32 q" };
        (
            format!("({result})"),
            format!(
                "(.param .b32 mask, .param .b64 in, .param .b64 mine, .param .b64 cells, .param .b32 depth, .param .b32 a, \
                 .param .b64 b, .param .f32 c, .param .b16 h{array})"
            ),
        )
    }

    /// The begin of a function: its registers come from the parameters.
    pub fn begin(&mut self, mask: &str) {
        self.line(&format!(
            "ld.param.b32 {mask}, [mask]; ld.param.b64 %in, [in]; ld.param.b64 %mine, [mine]; ld.param.b64 %cells, [cells];\n\
             ld.param.b32 %t, [depth]; mov.u32 %lane, %laneid;\n\
             ld.param.b32 %tr0, [a]; and.b32 %tr0, %tr0, 127; mad.wide.u32 %base, %tr0, 512, %in;"
        ));
        self.fill();
        self.line("ld.param.b32 %r0, [a]; ld.param.b64 %x0, [b]; ld.param.f32 %f0, [c]; ld.param.b16 %h0, [h];");
        if self.arrays {
            self.line("ld.param.b64 %x1, [s]; ld.param.v2.b32 {%r2, %r3}, [s+8]; ld.param.u8 %r4, [s+17]; ld.param.f32 %f1, [s+20];");
        }
    }

    /// Its end.
    pub fn end(&mut self) {
        let (r, x, f, h) = (self.any("r"), self.any("x"), self.any("f"), self.any("h"));
        self.line(&format!(
            "cvt.u32.u64 %tr0, {x}; xor.b32 %tr0, %tr0, {r}; mov.b32 %tr1, {f}; add.u32 %tr0, %tr0, %tr1; cvt.u32.u16 %tr1, {h}; \
             xor.b32 %tr0, %tr0, %tr1;"
        ));
        if self.arrays {
            self.line(&format!("st.param.b32 [q], %tr0; st.param.b32 [q+4], {r}; st.param.b64 [q+8], {x};"));
        } else {
            self.line("st.param.b32 [q], %tr0;");
        }
    }

    /// A call, direct or by an address.
    pub fn call(&mut self, place: &Place) {
        let mask = place.mask.as_deref();
        let takes = |c: &Callee| mask.is_some() || !c.masked;
        let own = self.own.as_ref().filter(|c| takes(c)).map(|c| c.name.clone());
        let others: Vec<String> = self.callees.iter().filter(|c| takes(c)).map(|c| c.name.clone()).collect();
        let all_take = self.callees.iter().all(takes);
        let again = own.is_some() && (others.is_empty() || self.chance(50));
        let name = match own.filter(|_| again) {
            Some(own) => own,
            None if others.is_empty() => return,
            None => self.random.pick(&others).clone(),
        };
        // Of several that an address may lead to, the longest.
        let work = self.callees.iter().map(|c| c.work).fold(0.0, f64::max);
        if again {
            self.again += place.turns
        } else {
            self.work += place.turns * work
        }
        let (a, b, c, h) = (self.any("r"), self.any("x"), self.any("f"), self.any("h"));
        let (r, x) = (self.any("r"), self.any("x"));
        let mut here = mask.unwrap_or("%m0").to_owned();
        if mask.is_none() {
            self.line("mov.b32 %m0, 0;");
        }
        let (result, parameters) = self.signature();
        let (result, parameters) = (result.replace(['(', ')'], ""), parameters.replace(['(', ')'], ""));
        let mut text = String::from("{ ");
        for (n, parameter) in [result].iter().map(String::as_str).chain(parameters.split(", ")).enumerate() {
            let name = parameter.rsplit(' ').next().unwrap_or("");
            text += &parameter
                .replace(&format!(" {name}"), &format!(" a{n}{}", &name[name.find('[').unwrap_or(name.len())..]));
            text += "; ";
        }
        // Deeper calls of its own are fewer.
        let depth = if again {
            "add.u32 %tr2, %t, -1;".to_owned()
        } else {
            format!("mov.u32 %tr2, {};", 1 + self.random.below(MOST_DEPTH))
        };
        let skip = self.label();
        if again {
            // Depths are alike for all that come together.
            text += &format!("setp.eq.u32 %tp0, %t, 0; @%tp0 bra {skip}; ");
        }
        let indirect = !again && self.chance(40);
        let mut target = name;
        if indirect {
            target = "%tx0".to_owned();
            if all_take && !self.callees.is_empty() && self.chance(60) {
                let table = self.function_table();
                let table_known = self.entry;
                if table_known {
                    text += &format!(
                        "and.b32 %tr0, {a}, 3; mov.u64 %tx1, {table}; mad.wide.u32 %tx1, %tr0, 8, %tx1; ld.global.u64 %tx0, [%tx1]; "
                    );
                } else {
                    text += &format!("mov.u64 %tx0, {}; ", others[0]);
                }
            } else {
                let (one, two) = (self.random.pick(&others).clone(), self.random.pick(&others).clone());
                let p = self.any("p");
                text += &format!("mov.u64 %tx0, {one}; mov.u64 %tx1, {two}; selp.b64 %tx0, %tx0, %tx1, {p}; ");
            }
            if let Some(mask) = mask {
                here = self.mask();
                text += &format!("match.any.sync.b64 {here}, %tx0, {mask}; ");
            }
        }
        text += &format!(
            "{depth} st.param.b32 [a1], {here}; st.param.b64 [a2], %in; st.param.b64 [a3], %mine; st.param.b64 [a4], %cells; \
             st.param.b32 [a5], %tr2; st.param.b32 [a6], {a}; st.param.b64 [a7], {b}; st.param.f32 [a8], {c}; st.param.b16 [a9], {h}; "
        );
        if self.arrays {
            let d = self.any("d");
            text += &format!(
                "st.param.f64 [a10], {d}; st.param.v2.b32 [a10+8], {{{r}, {a}}}; st.param.b64 [a10+16], {x}; "
            );
        }
        let arguments = (1..10 + usize::from(self.arrays)).map(|n| format!("a{n}")).collect::<Vec<_>>().join(", ");
        if indirect {
            let prototype = self.label();
            let (result, parameters) = self.signature();
            text += &format!(
                "{prototype}: .callprototype {result} _ {parameters}; call (a0), {target}, ({arguments}), {prototype}; "
            );
        } else {
            text += &format!("call (a0), {target}, ({arguments}); ");
        }
        text += &format!("ld.param.b32 {r}, [a0]; ");
        if self.arrays {
            text += &format!("ld.param.b64 {x}, [a0+8]; ");
        }
        if again {
            text += &format!("{skip}: ");
        }
        // Behind a call by an address the assembler of driver 580 does not always bring lanes together that went apart.
        match mask {
            Some(mask) => text += &format!("bar.warp.sync {mask}; "),
            None => self.apart = true,
        }
        text.push('}');
        self.item(&text);
    }
}
