"""Conversions between brain floats and registers of 8 bits, which other kernels have none of: sixteen a thread, so that all
brain floats are taken."""

from common import *


def convert(opcode, modifiers, operands):
    *_, to, of = modifiers
    if not ({to, of} & {"u8", "s8"} and "bf16" in (to, of)):
        return []
    mine = name(opcode, modifiers)
    instruction = f"{mine} %b0, %h0;" if of == "bf16" else f"{mine} %h0, %b0;"
    body = ".reg .b8 %b<2>;\nmul.lo.u32 %r0, %k, 16;\n"
    for n in range(16):
        body += f"add.u32 %r1, %r0, {n}; " + ("cvt.u16.u32 %h0, %r1;" if of == "bf16" else "cvt.u8.u32 %b0, %r1;") + f" {instruction}\n"
        body += ("cvt.u16.u8 %h0, %b0;\n" if of == "bf16" else "") + fold("%w10", "%h0") + "\n"
    return [Kernel(instruction, body)]


MAKERS = {"cvt": convert}
