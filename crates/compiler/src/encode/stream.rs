//! Instructions behind each other as bytes, and the jumps among them, which are as short as they can be.

use super::{Parts, encode};
use crate::assembler::Assembled;
use iced_x86::{Code, Instruction, OpKind};

/// Instructions that have been encoded.
#[derive(Default)]
pub struct Stream {
    bytes: Vec<u8>,
    jumps: Vec<Jump>,
    /// Labels and their offsets, ascending.
    placed: Vec<(u32, u32)>,
    error: Option<String>,
}

/// A jump, with an offset of 32 bits until all labels have their places.
struct Jump {
    at: u32,
    label: u32,
    /// The opcode of its short form; of a call its only one.
    opcode: u8,
    short: bool,
}

const JUMP: u8 = 0xeb;
const CALL: u8 = 0xe8;
/// Bytes of a short jump.
const SHORT: u32 = 2;

impl Jump {
    /// Its bytes at first.
    fn long(&self) -> u32 {
        if matches!(self.opcode, JUMP | CALL) { 5 } else { 6 }
    }

    fn bytes(&self) -> u32 {
        if self.short { SHORT } else { self.long() }
    }
}

/// The opcode of a jump's short form.
fn opcode(code: Code) -> Option<u8> {
    static CONDITIONS: [(Code, u8); 16] = [
        (Code::Jo_rel32_64, 0),
        (Code::Jno_rel32_64, 1),
        (Code::Jb_rel32_64, 2),
        (Code::Jae_rel32_64, 3),
        (Code::Je_rel32_64, 4),
        (Code::Jne_rel32_64, 5),
        (Code::Jbe_rel32_64, 6),
        (Code::Ja_rel32_64, 7),
        (Code::Js_rel32_64, 8),
        (Code::Jns_rel32_64, 9),
        (Code::Jp_rel32_64, 10),
        (Code::Jnp_rel32_64, 11),
        (Code::Jl_rel32_64, 12),
        (Code::Jge_rel32_64, 13),
        (Code::Jle_rel32_64, 14),
        (Code::Jg_rel32_64, 15),
    ];
    match code {
        Code::Jmp_rel32_64 => Some(JUMP),
        Code::Call_rel32_64 => Some(CALL),
        _ => CONDITIONS.iter().find(|known| known.0 == code).map(|known| 0x70 | known.1),
    }
}

impl Stream {
    /// With room for so many bytes.
    pub fn with_capacity(bytes: usize) -> Stream {
        Stream { bytes: Vec::with_capacity(bytes), ..Stream::default() }
    }

    /// The label of what follows.
    pub fn place(&mut self, label: u32) {
        self.placed.push((label, self.bytes.len() as u32));
    }

    /// A jump to a label.
    pub fn jump(&mut self, code: Code, label: u32) {
        let Some(opcode) = opcode(code) else {
            self.error.get_or_insert_with(|| format!("{} as a jump", code as u32));
            return;
        };
        let jump = Jump { at: self.bytes.len() as u32, label, opcode, short: false };
        self.bytes.extend_from_slice(&[0; 6][..jump.long() as usize]);
        self.jumps.push(jump);
    }

    /// Any instruction; its address is the label before it, that of a branch the label which it goes to.
    pub fn add(&mut self, i: &Instruction) {
        if i.ip() != 0 {
            self.place(i.ip() as u32);
        }
        match i.code() {
            Code::Zero_bytes => {}
            code if i.op0_kind() == OpKind::NearBranch64 => self.jump(code, i.near_branch_target() as u32),
            _ => self.put(i),
        }
    }

    /// Bytes so far.
    #[inline]
    pub fn length(&self) -> usize {
        self.bytes.len()
    }

    /// Takes back what was put behind a place, where no label stands and nothing jumps.
    pub fn retract(&mut self, length: usize) {
        self.bytes.truncate(length);
    }

    /// An instruction that jumps nowhere.
    #[inline]
    pub fn put(&mut self, i: &impl Parts) {
        if let Err(error) = encode(i, &mut self.bytes) {
            self.error.get_or_insert_with(|| error.to_string());
        }
    }

    /// All of it, with jumps that know their ways.
    pub fn finish(mut self) -> Result<Assembled, String> {
        /// How often jumps are looked at that may be shorter since others are.
        const ROUNDS: usize = 3;
        if let Some(error) = self.error {
            return Err(error);
        }
        let labels = self.placed.iter().map(|placed| placed.0).max().map_or(0, |most| most as usize + 1);
        let mut offsets = vec![Assembled::NOWHERE; labels];
        self.placed.iter().for_each(|&(label, offset)| offsets[label as usize] = offset);
        let has_place = |jump: &Jump| offsets.get(jump.label as usize).is_some_and(|&to| to != Assembled::NOWHERE);
        if !self.jumps.iter().all(has_place) {
            return Err("a jump to a label without a place".to_owned());
        }
        for _ in 0..ROUNDS {
            // As they were before this round: whatever lies between a jump and its target only shrinks.
            let (mut shrunk, mut changed) = (0, false);
            for jump in &mut self.jumps {
                let bytes = jump.bytes();
                let (at, target) = (i64::from(jump.at) - shrunk, i64::from(offsets[jump.label as usize]));
                // Targets behind it count from its end as it is, others from where a short one ends.
                let distance = target - at - i64::from(if target > at { bytes } else { SHORT });
                if !jump.short && jump.opcode != CALL && i8::try_from(distance).is_ok() {
                    (jump.short, changed) = (true, true);
                }
                shrunk += i64::from(jump.long() - bytes);
            }
            if !changed {
                break;
            }
            self.move_labels(&mut offsets);
        }
        // In place: what is written ends before what is still to be read.
        let mut bytes = self.bytes;
        let (mut end, mut done) = (0, 0);
        for jump in &self.jumps {
            let at = jump.at as usize;
            bytes.copy_within(done..at, end);
            end += at - done;
            done = at + jump.long() as usize;
            let distance = i64::from(offsets[jump.label as usize]) - (end as i64 + i64::from(jump.bytes()));
            let [a, b, c, d] = (distance as i32).to_le_bytes();
            let long = jump.long() as usize;
            match jump.opcode {
                opcode if jump.short => bytes[end..][..2].copy_from_slice(&[opcode, a]),
                CALL => bytes[end..][..long].copy_from_slice(&[CALL, a, b, c, d]),
                JUMP => bytes[end..][..long].copy_from_slice(&[0xe9, a, b, c, d]),
                condition => bytes[end..][..long].copy_from_slice(&[0x0f, condition + 0x10, a, b, c, d]),
            }
            end += jump.bytes() as usize;
        }
        bytes.copy_within(done.., end);
        end += bytes.len() - done;
        bytes.truncate(end);
        Ok(Assembled::new(bytes, offsets))
    }

    /// The offsets of labels, with jumps as short as they are now.
    fn move_labels(&self, offsets: &mut [u32]) {
        let (mut shrunk, mut jumps) = (0, self.jumps.iter().peekable());
        for &(label, offset) in &self.placed {
            while let Some(jump) = jumps.next_if(|jump| jump.at < offset) {
                shrunk += jump.long() - jump.bytes();
            }
            offsets[label as usize] = offset - shrunk;
        }
    }
}
