//! An instruction as the lowering names it, before it is encoded: the assembler library's own form takes longer to make than to encode.

use super::{Extras, Memory, Parts};
use crate::assembler::{Mask, Operand};
use iced_x86::{Code, IcedError, Instruction, MemoryOperand, Register, RoundingControl};

/// An instruction with up to four operands, which jumps nowhere.
#[derive(Clone, Copy, Debug)]
pub struct Draft {
    pub code: Code,
    /// Operands that are registers; there are none behind the fourth.
    registers: [Register; 8],
    /// Which operand is memory, which one a number, and how many there are.
    memory_at: u8,
    number_at: u8,
    count: u8,
    locks: bool,
    memory: Memory,
    number: i64,
    pub mask: Mask,
    /// As the control word counts modes; 0 for the one that is set.
    rounding: u8,
}

/// No such operand.
const NOWHERE: u8 = u8::MAX;
const NO_MEMORY: Memory =
    Memory { base: Register::None, index: Register::None, scale: 1, broadcasts: false, offset: 0 };

impl From<Memory> for MemoryOperand {
    fn from(memory: Memory) -> MemoryOperand {
        let Memory { base, index, scale, broadcasts, offset } = memory;
        // How long the library takes the offset to be: it finds a shorter form of the second by itself.
        let size = if base == Register::None { 8 } else { 1 };
        MemoryOperand::new(base, index, scale.into(), offset, size, broadcasts, Register::None)
    }
}

impl Draft {
    /// Of operands at most one is memory: what else there is goes without encoding ([`Parts::instruction`]).
    #[inline]
    pub fn new<const N: usize>(code: Code, operands: &[Operand; N]) -> Draft {
        let mut draft = Draft {
            code,
            registers: [Register::None; 8],
            memory_at: NOWHERE,
            number_at: NOWHERE,
            count: N as u8,
            locks: false,
            memory: NO_MEMORY,
            number: 0,
            mask: Mask::ALL,
            rounding: 0,
        };
        for (n, operand) in operands.iter().enumerate() {
            match *operand {
                Operand::Register(register) => draft.registers[n] = register,
                Operand::Memory(memory) => (draft.memory_at, draft.memory) = (n as u8, memory),
            }
        }
        draft
    }

    /// With a number as its last operand.
    #[inline]
    pub fn number(self, at: u8, number: i64) -> Draft {
        Draft { number_at: at, number, count: at + 1, ..self }
    }

    /// The register that is its first operand.
    #[inline]
    pub fn first(&self) -> Register {
        self.registers[0]
    }

    /// With another register as the first operand.
    pub fn writing(self, to: Register) -> Draft {
        let mut draft = self;
        draft.registers[0] = to;
        draft
    }

    #[inline]
    pub fn with_mask(self, mask: Mask) -> Draft {
        Draft { mask, ..self }
    }

    /// As one step for all cores.
    pub fn locked(self) -> Draft {
        Draft { locks: true, ..self }
    }

    /// Rounding in a mode as the control word counts them.
    #[inline]
    pub fn rounding(self, rounding: u8) -> Draft {
        Draft { rounding, ..self }
    }

    fn mode(&self) -> RoundingControl {
        match self.rounding {
            0 => RoundingControl::None,
            1 => RoundingControl::RoundDown,
            2 => RoundingControl::RoundUp,
            _ => RoundingControl::RoundTowardZero,
        }
    }

    /// The same in the library's form.
    pub fn to_instruction(self) -> Result<Instruction, IcedError> {
        let m = MemoryOperand::from(self.memory);
        let (code, [a, b, c, ..], number) = (self.code, self.registers, self.number as i32);
        let mut i = match (self.count, self.memory_at, self.number_at) {
            (0, ..) => Instruction::with(code),
            (1, NOWHERE, NOWHERE) => Instruction::with1(code, a)?,
            (1, 0, NOWHERE) => Instruction::with1(code, m)?,
            (1, _, 0) => Instruction::with1(code, number as u32)?,
            (2, NOWHERE, NOWHERE) => Instruction::with2(code, a, b)?,
            (2, 0, NOWHERE) => Instruction::with2(code, m, b)?,
            (2, 1, NOWHERE) => Instruction::with2(code, a, m)?,
            (2, NOWHERE, 1) if code == Code::Mov_r64_imm64 => Instruction::with2(code, a, self.number as u64)?,
            (2, NOWHERE, 1) if code == Code::Mov_r32_imm32 => Instruction::with2(code, a, self.number as u32)?,
            (2, NOWHERE, 1) => Instruction::with2(code, a, number)?,
            (2, 0, 1) => Instruction::with2(code, m, number)?,
            (3, NOWHERE, NOWHERE) => Instruction::with3(code, a, b, c)?,
            (3, 2, NOWHERE) => Instruction::with3(code, a, b, m)?,
            (3, NOWHERE, 2) => Instruction::with3(code, a, b, number)?,
            (3, 0, 2) => Instruction::with3(code, m, b, number)?,
            (3, 1, 2) => Instruction::with3(code, a, m, number)?,
            (4, NOWHERE, 3) => Instruction::with4(code, a, b, c, number)?,
            (4, 2, 3) => Instruction::with4(code, a, b, m, number)?,
            // The library says that there is none.
            _ => Instruction::with2(Code::INVALID, Register::RAX, Register::RAX)?,
        };
        if self.mask.register != Register::None {
            i.set_op_mask(self.mask.register);
            i.set_zeroing_masking(self.mask.zero);
        }
        if self.rounding != 0 {
            i.set_rounding_control(self.mode());
        }
        if self.locks {
            i.set_has_lock_prefix(true);
        }
        Ok(i)
    }
}

impl Parts for Draft {
    #[inline]
    fn code(&self) -> Code {
        self.code
    }

    #[inline]
    fn memory(&self, operand: u32) -> Option<Memory> {
        (u32::from(self.memory_at) == operand).then_some(self.memory)
    }

    #[inline]
    fn register(&self, operand: u8) -> Register {
        self.registers[operand as usize & 7]
    }

    #[inline]
    fn number(&self, _: u32, _: u8) -> u64 {
        self.number as u64
    }

    #[inline]
    fn extras(&self) -> Extras {
        Extras {
            locks: self.locks,
            mask: self.mask.register,
            zeroes: self.mask.zero,
            rounding: self.rounding + u8::from(self.rounding != 0),
            quiet: false,
        }
    }

    fn instruction(&self) -> Result<Instruction, IcedError> {
        self.to_instruction()
    }
}
