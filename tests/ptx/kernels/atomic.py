"""Atomic operations: of every thread on a cell of its own, with values at the edges; then of a block on one cell, so that
what comes out does not depend on the order."""

from common import *

OPERATIONS = "and or xor exch cas add inc dec min max".split()

# Numbers that a block adds up, or the threads' of which only the largest is left: small whole ones, the thread's lowest bits.
SMALL = {
    "f32": "and.b32 %z, %m, 3; cvt.rn.f32.u32 {0}, %z;",
    "f64": "and.b32 %z, %m, 3; cvt.rn.f64.u32 {0}, %z;",
    "f16": "and.b32 %z, %m, 1; cvt.rn.f16.u32 {0}, %z;",
    "bf16": "and.b32 %z, %m, 1; cvt.rn.bf16.u32 {0}, %z;",
    "f16x2": "and.b32 %z, %m, 1; cvt.rn.f16.u32 %h39, %z; mov.b32 {0}, {{%h39, %h39}};",
    "bf16x2": "and.b32 %z, %m, 1; cvt.rn.bf16.u32 %h39, %z; mov.b32 {0}, {{%h39, %h39}};",
}


def vector(of):
    return of[0] if len(of) == 1 else "{" + ", ".join(of) + "}"


def atomic(opcode, modifiers, operands):
    if "async" in modifiers:
        return asynchronous(opcode, modifiers)
    ty = [m for m in modifiers if m in TYPES][-1]
    operation = next(m for m in modifiers if m in OPERATIONS)
    count = next((int(m[1:]) for m in modifiers if m in ("v2", "v4", "v8")), 1)
    size = max(bits(ty) // 8 * count, 4)
    shared = any(m.startswith("shared") for m in modifiers)
    policy = ", %x58" if "L2::cache_hint" in modifiers else ""
    mine = name(opcode, modifiers)
    kind = prefix(ty)
    old, b, c = ([f"{kind}{n + at}" for n in range(count)] for at in (0, 8, 16))
    wanted = 2 if operation == "cas" else min(count, 3)
    types = {"f32": "f32", "f64": "f64"}.get(ty, ty if "f16" in ty else "b64")
    sources = f", {vector(c)}" if operation == "cas" else ""

    def step(address):
        results = f"{vector(old)}, " if opcode == "atom" else ""
        return f"{mine} {results}[{address}], {vector(b)}{sources}{policy};"

    address = "%s" if shared else "%b"
    body = source(wanted) + "\nld.param.u64 %a, [p4]; add.u64 %a, %a, %i; ld.global.u64 %w4, [%a];\nmul.lo.u64 %w5, %w4, 0x9E3779B97F4A7C15;\n"
    if policy:
        body += POLICY
    where = "shared" if shared else "global"
    # Words of vectors of halves need two numbers each to be edges.
    if ty in ("f16", "bf16") and count > 1:
        body += "xor.b64 %w5, %w5, %w0;\n"
    body += (
        "mov.u32 %s, cells; mad.lo.u32 %s, %m, 16, %s;\n"
        if shared
        else "mov.u64 %b, scratch; mul.wide.u32 %y, %k, 16; add.u64 %b, %b, %y;\n"
    )
    generic = not shared and "global" not in modifiers
    for n, r in enumerate(b):
        body += bring(r, f"%w{n % wanted}") + "\n"
    for n, r in enumerate(c):
        body += bring(r, "%w1") + "\n" if operation == "cas" and n == 0 else ""
    if operation == "cas":
        # Every other thread finds what it looks for.
        body += "and.b32 %z, %m, 1; setp.eq.u32 %p19, %z, 1; selp.b64 %w4, %w0, %w4, %p19;\n"
        if kind == "%q":
            body += "not.b64 %y, %w0; selp.b64 %w5, %y, %w5, %p19;\n"
    body += f"st.{where}.v2.u64 [{address}], {{%w4, %w5}};\n"
    if generic:
        body += "cvta.global.u64 %a, %b;\n"
    if opcode == "atom":
        body += step(address if not generic else "%a") + "\n" + "".join(fold("%w10", r) + "\n" for r in old)
    else:
        body += step(address if not generic else "%a") + "\n"
    body += f"ld.{where}.v2.u64 {{%x50, %x51}}, [{address}];\n" + fold("%w11", "%x50") + "\n" + fold("%w11", "%x51") + "\n"
    # The block's cell.
    body += (
        "mov.u32 %s, cells; add.u32 %s, %s, 4096;\n"
        if shared
        else "mov.u64 %b, common; mov.u32 %z, %ctaid.x; mul.wide.u32 %y, %z, 32; add.u64 %b, %b, %y;\n"
    )
    start = "0" if operation in ("add", "inc", "or", "xor", "max", "cas") else "-1"
    if ty not in ("b32", "u32", "s32", "b64", "u64", "s64", "b16"):
        start = "0"
    # Of 128 bits, what is compared has the complement in its upper half.
    ones = "%y" if operation != "cas" or kind != "%q" else "%x50"
    body += "mov.b64 %x50, -1;\n" if ones == "%x50" else ""
    body += f"setp.ne.u32 %p18, %m, 0; @%p18 bra G@@;\nmov.b64 %y, {start}; st.{where}.v2.u64 [{address}], {{%y, {ones}}};\nG@@: bar.sync 0;\n"
    for n, r in enumerate(b):
        if ty in SMALL:
            body += SMALL[ty].format(r) + "\n"
        elif operation in ("exch", "cas", "inc", "dec"):
            body += bring(r, {"exch": "77", "cas": "0", "inc": "100", "dec": "100"}[operation]) + "\n"
    if operation == "cas":
        body += bring(c[0], "4711") + "\n"
    if generic:
        body += "cvta.global.u64 %a, %b;\n"
    body += step(address if not generic else "%a") + "\n"
    if operation == "cas" and opcode == "atom" and kind in ("%h", "%r", "%x"):
        width = {"%h": "b16", "%r": "b32", "%x": "b64"}[kind]
        body += f"setp.eq.{width} %p17, {old[0]}, 0; bar.red.popc.u32 %r59, 0, %p17;\n" + fold("%w11", "%r59") + "\n"
    if operation == "cas" and kind == "%q":
        body += "mov.b128 {%x50, %x51}, %q0; setp.eq.u64 %p17, %x50, 0; bar.red.popc.u32 %r59, 0, %p17;\n" + fold("%w11", "%r59") + "\n"
    body += f"bar.sync 0;\nld.{where}.v2.u64 {{%x50, %x51}}, [{address}];\n" + fold("%w11", "%x50") + "\n" + fold("%w11", "%x51")
    body += "\nbar.sync 0;"
    if generic:
        # In shared memory, too.
        body += f"\nmov.u32 %s, cells; mad.lo.u32 %s, %m, 16, %s; st.shared.v2.u64 [%s], {{%w4, %w5}}; cvt.u64.u32 %a, %s; cvta.shared.u64 %a, %a;\n"
        if not policy and "noftz" not in modifiers or (not policy and count == 1):
            if not (count > 1):
                body += "".join(bring(r, f"%w{n % wanted}") + "\n" for n, r in enumerate(b))
                body += bring(c[0], "%w1") + "\n" if operation == "cas" else ""
                body += step("%a") + "\nld.shared.v2.u64 {%x50, %x51}, [%s];\n" + fold("%w11", "%x50")
    kernel = Kernel(step("%s" if shared else "%a" if generic else "%b"), body, ",".join([types] * wanted), memory=SHARED)
    return [kernel]


def asynchronous(opcode, modifiers):
    """red.async: to shared memory of the other block of the cluster, with a barrier there that counts the bytes."""
    ty = [m for m in modifiers if m in TYPES][-1]
    mine = name(opcode, modifiers)
    kind = prefix(ty)
    instruction = f"{mine} [%r50], {kind}1, [%r51];"
    body = source(2) + "\nmov.u32 %s, cells; mad.lo.u32 %s, %m, 32, %s; st.shared.v2.u64 [%s], {%w1, %w1};\n"
    body += meet(bits(ty) // 8) + bring(f"{kind}1", "%w0") + f"\n{instruction}\n{AWAIT}"
    body += "ld.shared.v2.u64 {%w10, %w11}, [%s];"
    return [Kernel(instruction, body, "b64,b64", memory=SHARED, attributes=PAIRS)]


MAKERS = {"atom": atomic, "red": atomic}
