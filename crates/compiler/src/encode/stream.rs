//! Instructions behind each other as bytes, and the jumps among them, which are as short as they can be.

use super::{Bytes, Parts, encode, encode_move, encode_number};
use crate::assembler::Assembled;
use iced_x86::{Code, IcedError, Instruction, OpKind};

/// Instructions that have been encoded.
#[derive(Default)]
pub struct Stream {
    bytes: Bytes,
    jumps: Vec<Jump>,
    /// Labels, their offsets, ascending, and how many jumps there are before them.
    placed: Vec<(u32, u32, u32)>,
    error: Option<String>,
}

/// A jump, with an offset of 32 bits until all labels have their places.
struct Jump {
    at: u32,
    label: u32,
    /// The opcode of its short form; of a call its only one.
    opcode: u8,
    /// Its bytes at first, and as it is now.
    long: u8,
    bytes: u8,
}

const JUMP: u8 = 0xeb;
const CALL: u8 = 0xe8;
/// Bytes of a short jump.
const SHORT: u8 = 2;

/// The opcode of a jump's short form.
fn opcode(code: Code) -> Option<u8> {
    let opcode = match code {
        Code::Jmp_rel32_64 => JUMP,
        Code::Call_rel32_64 => CALL,
        Code::Jo_rel32_64 => 0x70,
        Code::Jno_rel32_64 => 0x71,
        Code::Jb_rel32_64 => 0x72,
        Code::Jae_rel32_64 => 0x73,
        Code::Je_rel32_64 => 0x74,
        Code::Jne_rel32_64 => 0x75,
        Code::Jbe_rel32_64 => 0x76,
        Code::Ja_rel32_64 => 0x77,
        Code::Js_rel32_64 => 0x78,
        Code::Jns_rel32_64 => 0x79,
        Code::Jp_rel32_64 => 0x7a,
        Code::Jnp_rel32_64 => 0x7b,
        Code::Jl_rel32_64 => 0x7c,
        Code::Jge_rel32_64 => 0x7d,
        Code::Jle_rel32_64 => 0x7e,
        Code::Jg_rel32_64 => 0x7f,
        _ => return None,
    };
    Some(opcode)
}

impl Stream {
    /// With room for so many bytes, and so many jumps and labels.
    pub fn with_capacity(bytes: usize, jumps: usize) -> Stream {
        Stream {
            bytes: Bytes::with_capacity(bytes),
            jumps: Vec::with_capacity(jumps),
            placed: Vec::with_capacity(jumps),
            error: None,
        }
    }

    /// The label of what follows.
    pub fn place(&mut self, label: u32) {
        self.placed.push((label, self.bytes.length() as u32, self.jumps.len() as u32));
    }

    /// A jump to a label.
    pub fn jump(&mut self, code: Code, label: u32) {
        let Some(opcode) = opcode(code) else {
            self.error.get_or_insert_with(|| format!("{} as a jump", code as u32));
            return;
        };
        let long = if matches!(opcode, JUMP | CALL) { 5 } else { 6 };
        self.jumps.push(Jump { at: self.bytes.length() as u32, label, opcode, long, bytes: long });
        self.bytes.skip(long.into());
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
        self.bytes.length()
    }

    /// Takes back what was put behind a place, where no label stands and nothing jumps.
    pub fn retract(&mut self, length: usize) {
        self.bytes.truncate(length);
    }

    /// [`encode_move`].
    #[inline]
    pub fn put_move(&mut self, opcode: u8, register: u8, base: u8, offset: i64) -> bool {
        encode_move(opcode, register, base, offset, &mut self.bytes)
    }

    /// [`encode_number`].
    #[inline]
    pub fn put_number(&mut self, register: u8, number: u64) {
        encode_number(register, number, &mut self.bytes);
    }

    /// An instruction that jumps nowhere.
    #[inline(always)]
    pub fn put(&mut self, i: &impl Parts) {
        if let Err(error) = encode(i, &mut self.bytes) {
            self.fail(&error);
        }
    }

    #[cold]
    fn fail(&mut self, error: &IcedError) {
        self.error.get_or_insert_with(|| error.to_string());
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
        self.placed.iter().for_each(|&(label, offset, _)| offsets[label as usize] = offset);
        let has_place = |jump: &Jump| offsets.get(jump.label as usize).is_some_and(|&to| to != Assembled::NOWHERE);
        if !self.jumps.iter().all(has_place) {
            return Err("a jump to a label without a place".to_owned());
        }
        let mut shorter = Vec::with_capacity(self.jumps.len() + 1);
        for _ in 0..ROUNDS {
            // As they were before this round: whatever lies between a jump and its target only shrinks.
            let (mut shrunk, mut changed) = (0, false);
            for jump in &mut self.jumps {
                let (at, target) = (i64::from(jump.at) - shrunk, i64::from(offsets[jump.label as usize]));
                // Targets behind it count from its end as it is, others from where a short one ends.
                let distance = target - at - i64::from(if target > at { jump.bytes } else { SHORT });
                shrunk += i64::from(jump.long - jump.bytes);
                let shortens = (jump.bytes != SHORT) & (jump.opcode != CALL) & i8::try_from(distance).is_ok();
                jump.bytes = if shortens { SHORT } else { jump.bytes };
                changed |= shortens;
            }
            if !changed {
                break;
            }
            self.move_labels(&mut offsets, &mut shorter);
        }
        // In place: what is written ends before what is still to be read.
        let bytes = self.bytes.all_mut();
        let (mut end, mut done) = (0, 0);
        for jump in &self.jumps {
            let at = jump.at as usize;
            bytes.copy_within(done..at, end);
            end += at - done;
            let long = usize::from(jump.long);
            done = at + long;
            let distance = i64::from(offsets[jump.label as usize]) - (end as i64 + i64::from(jump.bytes));
            let [a, b, c, d] = (distance as i32).to_le_bytes();
            match jump.opcode {
                opcode if jump.bytes == SHORT => bytes[end..][..2].copy_from_slice(&[opcode, a]),
                CALL => bytes[end..][..long].copy_from_slice(&[CALL, a, b, c, d]),
                JUMP => bytes[end..][..long].copy_from_slice(&[0xe9, a, b, c, d]),
                condition => bytes[end..][..long].copy_from_slice(&[0x0f, condition + 0x10, a, b, c, d]),
            }
            end += usize::from(jump.bytes);
        }
        bytes.copy_within(done.., end);
        end += bytes.len() - done;
        self.bytes.truncate(end);
        Ok(Assembled::new(self.bytes, offsets))
    }

    /// The offsets of labels, with jumps as short as they are now.
    fn move_labels(&self, offsets: &mut [u32], shrunk: &mut Vec<u32>) {
        // By so much the first jumps are shorter than at first.
        shrunk.clear();
        shrunk.push(0);
        shrunk.extend(self.jumps.iter().scan(0, |all, jump| {
            *all += u32::from(jump.long - jump.bytes);
            Some(*all)
        }));
        for &(label, offset, before) in &self.placed {
            offsets[label as usize] = offset - shrunk[before as usize];
        }
    }
}
