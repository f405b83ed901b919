//! Surfaces: all lanes at once do what they do one by one.

use super::{Words, launch};
use crate::state::services::{Images, Reference, Unsupported};
use crate::state::texture::source::{Backing, MipLevel, Stack, Surface, TextureSource};
use std::sync::Arc;

/// The same surface behind every handle.
struct Everywhere(Surface);

impl Images for Everywhere {
    fn texture(&self, _: u64) -> Result<Option<TextureSource>, Unsupported> {
        Ok(None)
    }
    fn surface(&self, _: u64) -> Option<Surface> {
        Some(self.0)
    }
    fn reference(&self, _: u64) -> Option<Reference> {
        None
    }
}

struct Random(u64);

impl Random {
    fn below(&mut self, n: u32) -> u32 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as u32 % n
    }
}

/// Words of a thread: whether it takes part, three coordinates, four values of 64 bits.
const OWN: usize = 12;

/// A kernel that loads or stores once.
fn text(loads: bool, bits: u32, count: usize, geometry: &str, outside: &str) -> String {
    let kind = match bits {
        8 | 16 => "b16",
        32 => "b32",
        _ => "b64",
    };
    let names: Vec<String> = (0..count).map(|n| format!("%v{n}")).collect();
    let (vector, values) = match count {
        1 => (String::new(), names[0].clone()),
        n => (format!(".v{n}"), format!("{{{}}}", names.join(", "))),
    };
    let at = match geometry {
        "1d" => "{%x}",
        "2d" => "{%x, %y}",
        "3d" => "{%x, %y, %z, %z}",
        "a1d" => "{%y, %x}",
        _ => "{%z, %x, %y, %y}",
    };
    let fetch: String = (0..count).map(|n| format!("ld.global.{kind} %v{n}, [%mine+{}];\n", 16 + n * 8)).collect();
    let keep: String = (0..count).map(|n| format!("st.global.{kind} [%mine+{}], %v{n};\n", 16 + n * 8)).collect();
    let access = if loads {
        format!("@%p suld.b.{geometry}{vector}.b{bits}.{outside} {values}, [%h, {at}];")
    } else {
        format!("@%p sust.b.{geometry}{vector}.b{bits}.{outside} [%h, {at}], {values};")
    };
    format!(
        ".visible .entry k(.param .u64 a, .param .u64 h, .param .u64 step) {{\n.reg .pred %p; .reg .b32 %t, %x, %y, %z;\n\
         .reg .{kind} %v<4>; .reg .b64 %h, %step, %wide, %mine;\nld.param.u64 %mine, [a]; ld.param.u64 %h, [h]; ld.param.u64 %step, [step];\n\
         mov.u32 %t, %tid.x; mad.wide.u32 %mine, %t, {}, %mine; cvt.u64.u32 %wide, %t; mad.lo.u64 %h, %wide, %step, %h;\n\
         ld.global.b32 %t, [%mine]; setp.ne.u32 %p, %t, 0;\nld.global.b32 %x, [%mine+4]; ld.global.b32 %y, [%mine+8];\n\
         ld.global.b32 %z, [%mine+12];\n{fetch}{access}\n{keep}ret;\n}}\n",
        OWN * 4
    )
}

#[test]
fn all_lanes_at_once_do_what_they_do_one_by_one() {
    let mut random = Random(7);
    let (mut fine, mut failed) = (0, 0);
    for loads in [true, false] {
        for (bits, count) in
            [(8, 1), (8, 2), (8, 4), (16, 1), (16, 2), (16, 4), (32, 1), (32, 2), (32, 4), (64, 1), (64, 2)]
        {
            for geometry in ["1d", "2d", "3d", "a1d", "a2d"] {
                for outside in ["trap", "clamp", "zero"] {
                    let text = text(loads, bits, count, geometry, outside);
                    let own = bits as usize / 8 * count;
                    for _ in 0..3 {
                        let extent: [usize; 3] = core::array::from_fn(|_| random.below(5) as usize + 1);
                        let element = [own, own, 4, 16][random.below(4) as usize];
                        let row = extent[0] * element;
                        let inside = random.below(2) == 0;
                        let threads = (0..32).flat_map(|_| {
                            let mut words = [0; OWN];
                            words.iter_mut().skip(4).for_each(|word| *word = random.below(u32::MAX));
                            words[0] = u32::from(random.below(5) > 0);
                            let columns = (row / own).max(1) as u32;
                            for (n, most) in [columns, extent[1] as u32, extent[2] as u32].into_iter().enumerate() {
                                words[n + 1] =
                                    if inside { random.below(most) } else { random.below(most + 3).wrapping_sub(1) };
                            }
                            words[1] = words[1].wrapping_mul(own as u32);
                            if !inside && random.below(100) == 0 {
                                words[1] = words[1].wrapping_add(1);
                            }
                            words
                        });
                        let threads: Vec<u32> = threads.collect();
                        let contents: [u32; 512] = core::array::from_fn(|_| random.below(u32::MAX));
                        // A step from handle to handle: each lane has one of its own.
                        let outcome = |step: u64| {
                            let (mut threads, mut memory) = (threads.clone(), Words(contents));
                            let backing = Backing::At(memory.0.as_mut_ptr() as usize);
                            let surface = Surface {
                                level: MipLevel { extent, backing, row, slice: row * extent[1] },
                                row_bytes: row,
                                element_bytes: element,
                                format: None,
                                extent,
                                layers: 0,
                                stack: Stack::None,
                            };
                            let mut launch = launch(&text, 1, 32, &[threads.as_mut_ptr() as u64, 16, step]);
                            launch.images = Some(Arc::new(Everywhere(surface)));
                            let fault = launch.run().err().map(|failure| failure.fault);
                            (threads, memory.0.to_vec(), fault)
                        };
                        let at_once = outcome(0);
                        assert!(
                            at_once == outcome(1),
                            "{text}\nextent {extent:?}, row {row}, {:?} {:?}",
                            at_once.2,
                            outcome(1).2
                        );
                        if at_once.2.is_none() {
                            fine += 1;
                        } else {
                            failed += 1;
                        }
                    }
                }
            }
        }
    }
    assert!(fine > 300 && failed > 50, "{fine} launches were fine, {failed} failed");
}
