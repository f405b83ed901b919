"""Control flow."""

from common import *

# Some steps of a walk whose length and direction depend on the thread's number.
STEPS = "mul.lo.u32 %r1, %r1, 3; add.u32 %r1, %r1, 1;"


def branch(opcode, modifiers, operands):
    mine = name(opcode, modifiers)
    body = source(1) + "\ncvt.u32.u64 %r1, %w0; and.b32 %r2, %r1, 15; mov.u32 %r3, 0;\n"
    if "uni" in modifiers:
        body += f"mov.u32 %r2, 10;\n{mine} H@@;\nT@@: {STEPS}\nadd.u32 %r3, %r3, 1;\nH@@: setp.lt.u32 %p0, %r3, %r2;\n@%p0 {mine} T@@;\n"
    else:
        body += (
            f"T@@: setp.ge.u32 %p0, %r3, %r2;\n@%p0 {mine} E@@;\nadd.u32 %r3, %r3, 1; and.b32 %r4, %r1, 1; setp.eq.u32 %p1, %r4, 0;\n"
            f"@!%p1 {mine} O@@;\nshr.u32 %r1, %r1, 1; {mine} T@@;\nO@@: {STEPS}\n{mine} T@@;\nE@@:\n"
        )
    return [Kernel(f"{mine} T@@;".replace("@@", ""), body + fold("%w10", "%r1") + fold("%w11", "%r3"))]


def table(opcode, modifiers, operands):
    mine = name(opcode, modifiers)
    index = "%ctaid.x" if "uni" in modifiers else "%k"
    body = source(1) + f"\nmov.u32 %r2, {index}; and.b32 %r2, %r2, 3; cvt.u32.u64 %r1, %w0;\n"
    body += f"S@@: .branchtargets A@@, B@@, C@@, B@@;\n{mine} %r2, S@@;\n"
    body += f"A@@: {STEPS}\nbra E@@;\nB@@: shr.u32 %r1, %r1, 3;\nC@@: add.u32 %r1, %r1, 77;\nE@@:\n" + fold("%w10", "%r1")
    return [Kernel(f"{mine} %r2, S;", body)]


def call(opcode, modifiers, operands):
    """Direct, with and without operands; by a register, to others in each lane; recursive."""
    mine = name(opcode, modifiers)
    before = (
        ".func (.param .b32 u) f@@(.param .b32 a, .param .b64 b) {\n.reg .b32 %r<4>; .reg .b64 %x<3>;\n"
        "ld.param.b32 %r0, [a]; ld.param.b64 %x0, [b]; cvt.u32.u64 %r1, %x0; mad.lo.u32 %r0, %r0, 5, %r1; st.param.b32 [u], %r0; ret;\n}\n"
        ".func (.param .b32 u) g@@(.param .b32 a, .param .b64 b) {\n.reg .b32 %r<4>; .reg .b64 %x<3>; .reg .pred %p;\n"
        "ld.param.b32 %r0, [a]; and.b32 %r1, %r0, 7; setp.eq.u32 %p, %r1, 0; @%p bra D;\nsub.u32 %r1, %r0, 1; ld.param.b64 %x0, [b];\n"
        "{ .param .b32 v; .param .b32 c; .param .b64 d; st.param.b32 [c], %r1; st.param.b64 [d], %x0; call (v), g@@, (c, d);\n"
        "ld.param.b32 %r2, [v]; }\nadd.u32 %r0, %r0, %r2;\nD: st.param.b32 [u], %r0; ret;\n}\n"
        ".func n@@() {\n.reg .b32 %r<4>; .reg .b64 %x<3>;\nmov.u32 %r0, %tid.x; mul.wide.u32 %x0, %r0, 4; mov.u64 %x1, scratch; add.u64 %x0, %x0, %x1;\n"
        "st.global.u32 [%x0], %r0; ret;\n}\n"
    )
    body = source(2) + "\ncvt.u32.u64 %r1, %w0;\n"

    def one(target, more=""):
        return (
            "{ .param .b32 v; .param .b32 c; .param .b64 d; st.param.b32 [c], %r1; st.param.b64 [d], %w1;\n"
            f"{mine} (v), {target}, (c, d){more};\nld.param.b32 %r2, [v]; }}\n" + fold("%w10", "%r2") + "\n"
        )

    body += one("f@@") + one("g@@") + f"{mine} n@@;\n"
    body += "P@@: .callprototype (.param .b32 _) _ (.param .b32 _, .param .b64 _);\n"
    body += "mov.u64 %x1, f@@; mov.u64 %x2, g@@; and.b32 %r3, %k, 1; setp.eq.u32 %p0, %r3, 0;\n"
    body += ("" if "uni" in modifiers else "selp.b64 %x1, %x1, %x2, %p0;\n") + one("%x1", ", P@@")
    return [Kernel(f"{mine} (v), f, (c, d);", body, "b64,b64", before)]


def give_back(opcode, modifiers, operands):
    mine = name(opcode, modifiers)
    early = "" if "uni" in modifiers else f"setp.gt.u32 %p, %r0, 0x7fffffff; @%p {mine};\n"
    before = (
        ".func (.param .b32 u) f@@(.param .b32 a) {\n.reg .b32 %r<4>; .reg .pred %p;\n"
        f"ld.param.b32 %r0, [a]; st.param.b32 [u], %r0;\n{early}not.b32 %r0, %r0; st.param.b32 [u], %r0;\n{mine};\n}}\n"
    )
    body = source(1) + "\ncvt.u32.u64 %r1, %w0;\n{ .param .b32 v; .param .b32 c; st.param.b32 [c], %r1; call (v), f@@, (c);\n"
    body += "ld.param.b32 %r2, [v]; }\n" + fold("%w10", "%r2") + f"\nst.global.v2.u64 [%o], {{%w10, %w11}};\n{mine};\n"
    return [Kernel(f"{mine};", body, before=before)]


def leave(opcode, modifiers, operands):
    body = source(1) + "\nst.global.v2.u64 [%o], {%w0, %k64};\nand.b32 %z, %k, 1; setp.eq.u32 %p0, %z, 1;\n@%p0 exit;\nbar.sync 0;\nnot.b64 %w10, %w0;"
    body = body.replace("{%w0, %k64}", "{%w0, %w0}").replace("bar.sync 0;\n", "")
    return [Kernel("exit;", body)]


def stop(opcode, modifiers, operands):
    """Ends the kernel with an error, in a process of its own."""
    body = source(1) + f"\nsetp.eq.u32 %p0, %k, 100;\n@%p0 {opcode};\nmov.b64 %w10, %w0;"
    return [Kernel(f"{opcode};", body, alone=True)]


def nothing(opcode, modifiers, operands):
    """What changes nothing that a kernel could see."""
    mine = name(opcode, modifiers)
    operand = {"nanosleep": " %r1", "pmevent": " 3", "setmaxnreg": " 64"}.get(opcode, "")
    body = source(1) + f"\nmov.u32 %r1, 100;\n{mine}{operand};\nmov.b64 %w10, %w0;"
    attributes = ".maxntid 128 .maxnreg 64" if opcode == "setmaxnreg" else ""
    return [Kernel(f"{mine}{operand};", body, alone=opcode == "setmaxnreg", attributes=attributes)]


MAKERS = {
    "bra": branch, "brx": table, "call": call, "ret": give_back, "exit": leave, "trap": stop, "brkpt": stop, "nanosleep": nothing,
    "pmevent": nothing, "setmaxnreg": nothing, "griddepcontrol": nothing,
}
