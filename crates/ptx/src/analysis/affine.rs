//! Registers that the first lane can stand for: each other lane's number follows from it.

use super::class::{Classes, Uniformity};
use super::sets::{Sets, has, insert};
use super::ssa::{Origin, Ssa};
use crate::instruction::Register;
use crate::module::Body;
use crate::types::Type;
use std::collections::VecDeque;

/// A bound on the work: larger functions go without.
const ENOUGH: usize = 1 << 26;

/// For each register how much more a lane's number is than that of the lane before, if that is always the same, and if one
/// number can stand for those of all lanes at any time: each write is a write for all later readers.
///
/// Numbers that come from narrower ones are only affine if those did
/// not wrap, which the step that makes them wider has to check.
pub fn registers(body: &Body<'_>, ssa: &Ssa, classes: &Classes, lives: &Lives) -> Vec<Option<i64>> {
    let (blocks, count) = (ssa.graph.starts.len(), body.registers.len());
    let mut found: Vec<Option<Option<i64>>> = vec![None; count];
    if blocks * count > ENOUGH {
        return vec![None; count];
    }
    for (value, live) in ssa.live_values().into_iter().enumerate() {
        let definition = &ssa.values[value];
        if !live || definition.origin == Origin::Undefined {
            continue;
        }
        let stride = match classes.of[value].uniformity {
            Uniformity::Uniform => Some(0),
            Uniformity::Affine { stride, .. } => Some(stride),
            Uniformity::Varying => None,
        };
        let place = &mut found[definition.register as usize];
        *place = Some(match *place {
            Some(other) if other != stride => None,
            _ => stride,
        });
    }
    let own = |register: usize| match body.registers[register] {
        Type::Pred | Type::B128 => None,
        ty if matches!(ty.bytes(), 4 | 8) => found[register].flatten(),
        // Narrow numbers wrap: only what is the same for all lanes stays so.
        ty if matches!(ty.bytes(), 1 | 2) => found[register].flatten().filter(|&stride| stride == 0),
        _ => None,
    };
    let mut all: Vec<Option<i64>> = (0..count).map(own).collect();
    let words = count.div_ceil(64);
    let looked_at: usize = classes.divergent.iter().map(|region| region.blocks.len()).sum();
    let Some((written, live)) = lives.0.as_ref().filter(|_| looked_at.saturating_mul(words) <= ENOUGH) else {
        return vec![None; count];
    };
    for region in &classes.divergent {
        let reconvergence = region.reconvergence.map(|reconvergence| reconvergence as usize);
        let ways: Vec<usize> = ssa.graph.next[region.branch as usize].to_vec();
        let ways: Vec<usize> = ways.into_iter().filter(|&way| Some(way) != reconvergence && way < blocks).collect();
        // Lanes that wait while others go through the region: where all reconverge, and, if there is more than one way, at the
        // beginning of each. What they still need must not change.
        let waiting = reconvergence.into_iter().chain(if ways.len() > 1 { ways } else { Vec::new() });
        let waiting: Vec<usize> = waiting.collect();
        for &inside in &region.blocks {
            for (word, &bits) in written.of(inside as usize).iter().enumerate() {
                let needed = waiting.iter().fold(0, |all, &block| all | live.of(block)[word]);
                let mut lost = bits & needed;
                while lost != 0 {
                    all[word * 64 + lost.trailing_zeros() as usize] = None;
                    lost &= lost - 1;
                }
            }
        }
    }
    all
}

/// Where registers of a function are written and needed; nothing, if that takes too long to find out.
pub struct Lives(Option<(Sets, Sets)>);

impl Lives {
    /// `reads` are the registers that each instruction reads.
    pub fn new(body: &Body<'_>, ssa: &Ssa, reads: &[Vec<Register>]) -> Lives {
        Lives((ssa.graph.starts.len() * body.registers.len() <= ENOUGH).then(|| lives(ssa, body, reads)).flatten())
    }
}

/// For each block the registers that are written there, and those that are needed where it begins. None if that takes too
/// long.
fn lives(ssa: &Ssa, body: &Body<'_>, reads: &[Vec<Register>]) -> Option<(Sets, Sets)> {
    /// Words that are looked at.
    const ENOUGH: usize = 1 << 27;
    let (blocks, count) = (ssa.graph.starts.len(), body.registers.len());
    let (mut written, mut live) = (Sets::new(blocks, count), Sets::new(blocks, count));
    // Written on every path before it is read there.
    let mut killed = Sets::new(blocks, count);
    for (at, effect) in ssa.effects.iter().enumerate() {
        let block = ssa.block_of[at] as usize;
        let guarded = body.instructions[at].guard.is_some();
        let kept = effect.defs.iter().filter(|_| guarded);
        for &register in reads[at].iter().chain(kept) {
            if !has(killed.of(block), register) {
                insert(live.of_mut(block), register);
            }
        }
        for &register in &effect.defs {
            insert(written.of_mut(block), register);
            if !guarded {
                insert(killed.of_mut(block), register);
            }
        }
    }
    // Blocks whose successors need more than was known, from the last one on.
    let mut work: VecDeque<usize> = (0..blocks).rev().collect();
    let mut waits = vec![true; blocks];
    let mut left = ENOUGH;
    while let Some(block) = work.pop_front() {
        waits[block] = false;
        let mut changed = false;
        for &to in ssa.graph.next[block].iter().filter(|&&to| to < blocks) {
            left = left.checked_sub(1 + live.words())?;
            for word in 0..live.words() {
                let new = live.of(to)[word] & !killed.of(block)[word];
                let place = &mut live.of_mut(block)[word];
                changed |= new & !*place != 0;
                *place |= new;
            }
        }
        if changed {
            for &before in &ssa.before[block] {
                if !core::mem::replace(&mut waits[before as usize], true) {
                    work.push_back(before as usize);
                }
            }
        }
    }
    Some((written, live))
}

#[cfg(test)]
mod tests {
    use super::super::class::{Known, classes};
    use super::*;
    use crate as ptx;

    /// The strides of some registers, by name, in blocks whose warps are rows.
    fn of(code: &str, names: &[&str]) -> Vec<Option<i64>> {
        let text = format!(
            ".version 8.7\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 a) {{ .reg .pred %p<9>;\n\
             .reg .b32 %r<30>; .reg .b64 %rd<30>;\n\
             ld.param.u64 %rd1, [a]; mov.u32 %r1, %ctaid.x; mov.u32 %r2, %tid.x; ld.global.u32 %r3, [%rd1];\n\
             setp.lt.u32 %p1, %r2, %r3; setp.lt.u32 %p2, %r1, %r3;\n\
             {code}\nret; }}"
        );
        let module = ptx::parse(&text).unwrap_or_else(|e| panic!("{e}"));
        let body = module.functions[0].body.as_ref().unwrap();
        let ssa = Ssa::new(body);
        let classes =
            classes(body, &ssa, Known { entry: true, parameters: 1, threads: Some([32, 1, 1]), ..Known::default() });
        let reads: Vec<Vec<Register>> = ssa.effects.iter().map(|effect| effect.uses.clone()).collect();
        let all = registers(body, &ssa, &classes, &Lives::new(body, &ssa, &reads));
        // Registers are numbered as they are mentioned.
        let mut order: Vec<&str> = Vec::new();
        let start = text.find("ld.param").unwrap();
        for word in text[start..].split(|c: char| !c.is_alphanumeric() && c != '%') {
            let is_one = |p: &str| word.strip_prefix(p).is_some_and(|n| n.parse::<u32>().is_ok());
            if (is_one("%r") || is_one("%rd") || is_one("%p")) && !order.contains(&word) {
                order.push(word);
            }
        }
        names.iter().map(|name| all[order.iter().position(|n| n == name).unwrap()]).collect()
    }

    #[test]
    fn addresses_are_linear_and_data_is_not() {
        let code = "mad.lo.s32 %r4, %r1, 256, %r2; mul.wide.s32 %rd2, %r4, 4; add.s64 %rd3, %rd1, %rd2;\n\
                    ld.global.u32 %r5, [%rd3]; add.u32 %r6, %r5, 1; ld.global.u32 %r7, [%rd1+4];";
        let strides = of(code, &["%r4", "%rd2", "%rd3", "%r5", "%r6", "%r7"]);
        assert_eq!(strides, [Some(1), Some(4), Some(4), None, None, Some(0)]);
    }

    #[test]
    fn waiting_lanes_keep_what_they_need() {
        // A loop that all lanes leave together.
        let even =
            "mov.u32 %r4, 0; L: add.u32 %r4, %r4, 1; setp.lt.u32 %p3, %r4, %r3; @%p3 bra L; add.u32 %r5, %r4, 1;";
        assert_eq!(of(even, &["%r4", "%r5"]), [Some(0), Some(0)]);
        // Lanes leave it one after the other. The counter is not wanted behind it; and it is.
        let early = "mov.u32 %r4, %r2; L: add.u32 %r4, %r4, 7; setp.lt.u32 %p3, %r4, %r3; @%p3 bra L;";
        assert_eq!(of(early, &["%r4"]), [Some(1)]);
        assert_eq!(of(&format!("{early} add.u32 %r5, %r4, 1;"), &["%r4"]), [None]);
        // One side overwrites what the other one still reads; and what no instruction reads.
        let sides = "mov.u32 %r4, 5; @%p1 bra E; mov.u32 %r4, 6; st.global.u32 [%rd1], %r4; bra M;\n\
                     E: st.global.u32 [%rd1+4], %r4; M:";
        assert_eq!(of(sides, &["%r4"]), [None]);
        let own = "@%p1 bra E; mov.u32 %r4, 6; st.global.u32 [%rd1], %r4; bra M;\n\
                   E: mov.u32 %r4, 7; st.global.u32 [%rd1+4], %r4; M:";
        assert_eq!(of(own, &["%r4"]), [Some(0)]);
        // The same between branches that all lanes take.
        let together = sides.replace("%p1", "%p2");
        assert_eq!(of(&together, &["%r4"]), [Some(0)]);
        // A block before the loop that lanes may skip: what is made there for the loop alone is joined behind it with what it was
        // before, but nobody reads that.
        let skipped = "@%p1 bra M; mov.u32 %r6, 8; mov.u32 %r4, %r2; L: ld.global.u32 %r5, [%rd1+4]; add.u32 %r4, %r4, %r6;\n\
                       setp.lt.u32 %p3, %r4, %r3; @%p3 bra L; M:";
        assert_eq!(of(skipped, &["%r6", "%r4"]), [Some(0), Some(1)]);
        // Two ways through a loop: lanes that stand before one of them still need what the others make anew.
        let loops = "L: ld.global.u32 %r4, [%rd1]; @%p1 bra D; add.u32 %r6, %r6, 1; setp.lt.u32 %p3, %r6, %r2;\n\
                     @%p3 bra L; bra M; D: st.global.u32 [%rd1+4], %r4; M:";
        assert_eq!(of(loops, &["%r4"]), [None]);
    }
}
