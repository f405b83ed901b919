"""Lanes of a warp that see each other: all of them; the even and the odd ones for themselves; the first twenty."""

from common import *


def in_masks(body_of, types, instruction, before=""):
    """The same for three sets of lanes; `body_of` takes the set and says whether it is part of the warp."""
    body = source(types.count(",") + 1) + "\n" + before + "mov.u32 %r20, -1;\n" + body_of("%r20", False)
    body += "and.b32 %z, %m, 1; setp.eq.u32 %p10, %z, 1;\n@%p10 bra O@@;\nmov.u32 %r20, 0x55555555;\n" + body_of("%r20", True)
    body += "bra.uni E@@;\nO@@: mov.u32 %r20, 0xaaaaaaaa;\n" + body_of("%r20", True) + "E@@:\nbar.warp.sync -1;\n"
    body += "and.b32 %z, %m, 31; setp.ge.u32 %p10, %z, 20;\n@%p10 bra F@@;\nmov.u32 %r20, 0xfffff;\n" + body_of("%r20", True) + "F@@:"
    return [Kernel(instruction, body, types)]


def shuffle(opcode, modifiers, operands):
    mine = name(opcode, modifiers)
    instruction = f"{mine} %r0|%p0, %r1, %r2, %r3, %r20;"

    def of(mask, part):
        # Of a part of the warp, lanes read from lanes of the same part: distances are even, numbers have the lane's parity.
        text = "cvt.u32.u64 %r1, %w0; cvt.u32.u64 %r2, %w1; cvt.u32.u64 %r3, %w2;\n"
        if part:
            text += "and.b32 %r2, %r2, 2; mov.u32 %r3, 0x1c1f;\n" if "idx" not in modifiers else "and.b32 %r2, %m, 15; mov.u32 %r3, 0x1f;\n"
            if "up" in modifiers:
                text += "mov.u32 %r3, 0x1c00;\n"
        else:
            text += ""
        # Operands of all kinds.
        text += instruction + "\n" + fold("%w10", "%r0") + "\n" + fold("%w10", "%p0") + "\n"
        text += f"{mine} %r0, %r1, %r2, %r3, {mask};\n" + fold("%w11", "%r0") + "\n"
        if not part:
            for lane, clamp in ((1, "0x1f"), (31, "0"), (16, "0x101f"), (5, "0x1807"), (33, "0x1f"), (0, "0x1f00")):
                text += f"{mine} %r0|%p0, %r1, {lane}, {clamp}, {mask};\n" + fold("%w11", "%r0") + "\n" + fold("%w11", "%p0") + "\n"
        return text

    return in_masks(of, "b64,b64,b64", instruction)


def vote(opcode, modifiers, operands):
    mine = name(opcode, modifiers)
    result = "%r0" if "ballot" in modifiers else "%p0"
    instruction = f"{mine} {result}, %p1, %r20;"

    def of(mask, part):
        text = ""
        for p in ("%p1", "!%p1", "%p2", "%p3", "!%p3"):
            text += f"{mine} {result}, {p}, {mask};\n" + fold("%w10", result) + "\n"
        return text

    # Of the thread's data; false for one lane; the same for all of a warp.
    before = "and.b64 %y, %w0, 1; setp.ne.u64 %p1, %y, 0; and.b32 %z, %m, 31; setp.ne.u32 %p2, %z, 6; setp.lt.u32 %p3, %m, 64;\n"
    return in_masks(of, "b64", instruction, before)


def match(opcode, modifiers, operands):
    mine = name(opcode, modifiers)
    ty = modifiers[-1]
    r = prefix(ty)
    every = "all" in modifiers
    instruction = f"{mine} %r0{'|%p0' if every else ''}, {r}5, %r20;"

    def of(mask, part):
        text = ""
        for value in ("%w0", "%w5", "%w6", "77"):
            text += bring(f"{r}5", value) + f"\n{instruction}\n" + fold("%w10", "%r0") + "\n" + (fold("%w10", "%p0") + "\n" if every else "")
        if every:
            text += f"{mine} %r0, {r}5, {mask};\n" + fold("%w11", "%r0") + "\n"
        return text

    # Few values; those that differ in the upper half alone.
    before = "and.b64 %w5, %w0, 3; shl.b64 %w6, %w5, 32;\n"
    return in_masks(of, "b64", instruction, before)


def active(opcode, modifiers, operands):
    body = source(1) + "\nactivemask.b32 %r0;\n" + fold("%w10", "%r0")
    body += "and.b32 %z, %m, 3; setp.eq.u32 %p0, %z, 1;\n@%p0 bra E@@;\nactivemask.b32 %r0;\n" + fold("%w11", "%r0") + "\nE@@:"
    return [Kernel("activemask.b32 %r0;", body)]


def reduce(opcode, modifiers, operands):
    if "f32" in modifiers:
        return []
    mine = name(opcode, modifiers)
    instruction = f"{mine} %r0, %r1, %r20;"

    def of(mask, part):
        text = ""
        for value in ("%w0", "%w5", "%w6"):
            text += bring("%r1", value) + f"\n{instruction}\n" + fold("%w10", "%r0") + "\n"
        return text

    return in_masks(of, "b64", instruction, "not.b64 %w5, %w0; and.b64 %w6, %w0, 0xff;\n")


def elect(opcode, modifiers, operands):
    instruction = "elect.sync %r0|%p0, %r20;"

    def of(mask, part):
        return instruction + "\n" + fold("%w10", "%r0") + "\n" + fold("%w10", "%p0") + "\nelect.sync _|%p0, %r20;\n" + fold("%w11", "%p0") + "\n"

    return in_masks(of, "b64", instruction)


MAKERS = {"shfl": shuffle, "vote": vote, "match": match, "activemask": active, "redux": reduce, "elect": elect}
