"""Moves, addresses, loads, stores, cache control."""

from common import *


def registers(ty):
    """The registers that an access may use: of the type's width, and wider ones."""
    if ty in ("f32", "f64"):
        return [prefix(ty)]
    return [p for p, b in (("%h", 16), ("%r", 32), ("%x", 64)) if b >= bits(ty)] or ["%q"]


def shape(modifiers):
    ty = [m for m in modifiers if m in TYPES][-1]
    count = next((int(m[1:]) for m in modifiers if m in ("v2", "v4", "v8")), 1)
    return ty, count, bits(ty) // 8 * count


def vector(of):
    return of[0] if len(of) == 1 else "{" + ", ".join(of) + "}"


def space_of(modifiers):
    spaces = "const global local param param::entry param::func shared shared::cta shared::cluster".split()
    return next((m for m in modifiers if m in spaces), "")


def load(opcode, modifiers, operands):
    ty, count, size = shape(modifiers)
    space = space_of(modifiers)
    mine = name(opcode, modifiers)
    policy = ", %x58" if "L2::cache_hint" in modifiers else ""
    off = [0, size, -size, 5, -3, 4096, -2048][seed(mine) % 7]
    body = POLICY if policy else ""

    def all_of(address, extra=True):
        text = ""
        ways = registers(ty) if extra else registers(ty)[:1]
        for way in ways:
            to = [f"{way}{n}" for n in range(count)]
            text += f"{mine} {vector(to)}, {address}{policy};\n" + "".join(fold("%w10", r) + "\n" for r in to)
        if count > 1 and extra:
            to = [f"{ways[0]}{n}" for n in range(count - 1)] + ["_"]
            text += f"{mine} {vector(to)}, {address}{policy};\n" + "".join(fold("%w11", r) + "\n" for r in to[:-1])
        return text

    def at(base, room, wide=True):
        """The address of an element behind base, without the offset."""
        index = f"mul.lo.u32 %z, %k, {size * 3}; and.b32 %z, %z, {room - size}; "
        if wide:
            return index + f"cvt.u64.u32 %y, %z; add.s64 %a, {base}, %y; add.s64 %a, %a, {-off};\n"
        return index + f"add.s32 %r59, {base}, %z; add.s32 %r59, %r59, {-off};\n"

    first = vector([f"{registers(ty)[0]}{n}" for n in range(count)])
    instruction = f"{mine} {first}, [%a+{off}]{policy};"
    memory = before = ""
    wide, narrow = f"[%a+{off}]", f"[%r59+{off}]"
    if space in ("", "global"):
        body += "ld.param.u64 %x50, [p0];\n" + at("%x50", 32768) + all_of(wide)
        if space == "" and not any(m.startswith(("L1", "L2")) for m in modifiers) and "mmio" not in modifiers and opcode == "ld":
            memory = SHARED + LOCAL
            body += own_shared() + own_local()
            body += "cvt.u64.u32 %x50, %s; cvta.shared.u64 %x50, %x50;\n" + at("%x50", 32) + all_of(wide, False)
            body += "cvta.local.u64 %x50, %b;\n" + at("%x50", 64) + all_of(wide, False)
            if opcode == "ld" and not any(m in ("relaxed", "acquire", "volatile") for m in modifiers):
                body += "mov.u64 %x50, table; cvta.const.u64 %x50, %x50;\n" + at("%x50", 256) + all_of(wide, False)
    elif space == "const":
        body += "mov.u64 %x50, table;\n" + at("%x50", 256) + all_of(wide)
        body += all_of(f"[table+{size * 3}]", False)
    elif space in ("param", "param::entry"):
        instruction = f"{mine} {first}, [pb+{size * 3}];"
        body += all_of(f"[pb+{size * 3}]") + "mov.b64 %x50, pb;\n" + at("%x50", 128) + all_of(wide, False)
    elif space == "param::func":
        instruction = f"{mine} {first}, [f+{16 - size}];"
        before = (
            ".func (.param .align 16 .b8 u[16]) f@@(.param .align 16 .b8 f[16]) {\n"
            + REGISTERS
            + "mov.u64 %w10, 0; mov.u64 %w11, 0;\n"
            + all_of(f"[f+{16 - size}]")
            + "st.param.v2.b64 [u], {%w10, %w11}; ret;\n}\n"
        )
        body += source(2) + (
            "\n{ .param .align 16 .b8 q[16]; .param .align 16 .b8 c[16]; st.param.b64 [q], %w0; st.param.b64 [q+8], %w1;\n"
            "call (c), f@@, (q); ld.param.v2.b64 {%w10, %w11}, [c]; }"
        )
    elif space == "local":
        memory = LOCAL
        body += own_local() + at("%b", 64) + all_of(wide)
    else:
        memory = SHARED
        instruction = f"{mine} {first}, [%r59+{off}]{policy};"
        body += own_shared() + at("%s", 32, False) + all_of(narrow)
    return [Kernel(instruction, body, "b64,b64" if space == "param::func" else "b64", before, memory)]


def store(opcode, modifiers, operands):
    if "async" in modifiers:
        return asynchronous(opcode, modifiers)
    ty, count, size = shape(modifiers)
    space = space_of(modifiers)
    mine = name(opcode, modifiers)
    policy = ", %x58" if "L2::cache_hint" in modifiers else ""
    ways = registers(ty)
    off = [0, 8, -16, 5, -3, 4096, -2048][seed(mine) % 7]

    def all_of(address):
        """Stores from registers of all widths, one behind the other where there is room."""
        text = ""
        for n, way in enumerate(ways):
            if (n + 1) * size > 16:
                break
            values = [f"{way}{e}" for e in range(count)]
            text += "".join(bring(v, f"%w{(e + n) % 4}") + "\n" for e, v in enumerate(values))
            text += f"{mine} {address(16 - size - n * size)}, {vector(values)}{policy};\n"
        return text

    values = vector([f"{ways[0]}{e}" for e in range(count)])
    instruction = f"{mine} [%a+{off}], {values}{policy};"
    body = source(4) + "\n" + (POLICY if policy else "")
    back = "ld.{0}.v2.u64 {{%w10, %w11}}, [{1}];"
    memory = before = ""
    if space in ("", "global"):
        body += "not.b64 %y, %w3; st.global.v2.u64 [%o], {%w3, %y};\n"
        body += f"add.s64 %a, %o, {-off};\n" + all_of(lambda at: f"[%a+{at + off}]")
        kernels = [Kernel(instruction, body + "membar.gl;", "b64,b64,b64,b64", stores=False)]
        if space == "" and not any(m.startswith(("L1", "L2")) for m in modifiers) and "mmio" not in modifiers:
            more = source(4) + "\n" + own_shared() + "cvt.u64.u32 %a, %s; cvta.shared.u64 %a, %a;\n"
            more += all_of(lambda at: f"[%a+{at}]") + "membar.cta;\n" + back.format("shared", "%s") + own_local()
            more += "cvta.local.u64 %a, %b;\n" + all_of(lambda at: f"[%a+{at}]")
            more += "ld.local.v2.u64 {%x50, %x51}, [%b];\n" + fold("%w10", "%x50") + fold("%w11", "%x51")
            other = f"{mine} [%a], {values}; // shared, local"
            kernels.append(Kernel(other, more, "b64,b64,b64,b64", memory=SHARED + LOCAL))
        return kernels
    if space in ("param", "param::func"):
        instruction = f"{mine} [q+{16 - size}], {values};"
        before = (
            ".func (.param .align 16 .b8 u[16]) f@@(.param .align 16 .b8 f[16]) {\n.reg .b64 %x<3>;\n"
            "ld.param.v2.b64 {%x0, %x1}, [f]; st.param.v2.b64 [u], {%x0, %x1}; ret;\n}\n"
        )
        # No byte of a parameter is stored to twice.
        free = 16 - size * min(len(ways), 16 // size)
        body += "{ .param .align 16 .b8 q[16]; .param .align 16 .b8 c[16]; cvt.u16.u64 %h30, %w3;\n"
        body += "".join(f"st.param.b8 [q+{n}], %h30;\n" for n in range(free))
        body += all_of(lambda at: f"[q+{at}]")
        body += "call (c), f@@, (q); ld.param.v2.b64 {%w10, %w11}, [c]; }"
    elif space == "local":
        memory = LOCAL
        body += own_local() + f"add.s64 %a, %b, {-off};\n" + all_of(lambda at: f"[%a+{at + off}]")
        body += "\n" + back.format("local", "%b")
    else:
        memory = SHARED
        body += own_shared() + f"add.s32 %r59, %s, {-off};\n" + all_of(lambda at: f"[%r59+{at + off}]")
        body += "\n" + back.format("shared", "%s")
        instruction = f"{mine} [%r59+{off}], {values};"
    return [Kernel(instruction, body, "b64,b64,b64,b64", before, memory)]


def asynchronous(opcode, modifiers):
    """st.async: each thread stores to shared memory of the other block of its cluster, and waits for what comes to its own."""
    ty, count, size = shape(modifiers)
    if size > 16:
        return []
    mine = name(opcode, modifiers)
    values = [f"{prefix(ty)}{e}" for e in range(count)]
    instruction = f"{mine} [%r50], {vector(values)}, [%r51];"
    body = source(4) + "\n" + own_shared() + meet(size)
    body += "".join(bring(v, f"%w{e}") + "\n" for e, v in enumerate(values))
    body += f"{instruction}\n{AWAIT}ld.shared.v2.u64 {{%w10, %w11}}, [%s];"
    return [Kernel(instruction, body, "b64,b64,b64,b64", memory=SHARED, attributes=PAIRS)]


def touch(opcode, modifiers, operands):
    """What leaves memory as it is."""
    mine = name(opcode, modifiers)
    space = space_of(modifiers)
    data = "ld.param.u64 %b, [p0]; add.u64 %b, %b, %i; ld.global.u64 %w10, [%b];"
    if "tensormap" in modifiers:
        address = {"param": "[pb]", "const": "[%a]", "": "[%a]"}[space]
        base = {"param": "", "const": "mov.u64 %a, table;", "": "mov.b64 %a, pb; cvta.param.u64 %a, %a;"}[space]
        return [Kernel(f"{mine} {address};", f"{base}\n{mine} {address};\n{data}", alone=True)]
    if opcode in ("applypriority", "discard"):
        body = source(1) + "\nmov.u64 %a, scratch; mul.wide.u32 %y, %k, 128; and.b64 %y, %y, 131071; add.u64 %a, %a, %y;\n"
        body += "" if "global" in modifiers else "cvta.global.u64 %a, %a;\n"
        body += "bar.sync 0;\n" + f"{mine} [%a], 128;\nbar.sync 0;\n" + data
        return [Kernel(f"{mine} [%a], 128;", body)]
    if space == "local":
        return [
            Kernel(f"{mine} [%b];", own_local() + f"{mine} [%b];\nld.local.u64 %w10, [%b+8];", memory=LOCAL)
        ]
    return [Kernel(f"{mine} [%a+8];", f"ld.param.u64 %a, [p0]; add.u64 %a, %a, %i;\n{mine} [%a+8];\n{data}")]


def policy(opcode, modifiers, operands):
    """The policy itself is opaque: it is used."""
    mine = name(opcode, modifiers)
    body = "ld.param.u64 %a, [p0]; add.u64 %a, %a, %i;\n"
    if "range" in modifiers:
        call = f"{mine} %x0, [%a], 4096, 8192;"
        if "global" not in modifiers:
            call = f"{mine} %x0, [%a], 4096, 8192;"
    elif "cvt" in modifiers:
        call = f"{mine} %x0, %x1;"
        body += "mov.u64 %x1, 0;\n"
    else:
        call = f"{mine} %x0, 0.5;"
        body += f"{mine} %x0;\nld.global.L2::cache_hint.u64 %w11, [%a], %x0;\n"
    body += f"{call}\nld.global.L2::cache_hint.u64 %w10, [%a], %x0;"
    return [Kernel(call, body, alone="cvt" in modifiers)]


def move(opcode, modifiers, operands):
    ty, count, _ = shape(modifiers)
    mine = name(opcode, modifiers)
    kind = prefix(ty)
    to, of = [f"{kind}{n}" for n in range(count)], [f"{kind}{n + 10}" for n in range(count)]
    body = source(4) + "\n" + "".join(bring(r, f"%w{n}") + "\n" for n, r in enumerate(of))
    instruction = f"{mine} {vector(to)}, {vector(of)};"
    body += instruction + "\n" + "".join(fold("%w10", r) + "\n" for r in to)

    def also(text, *results):
        return text + "\n" + "".join(fold("%w11", r) + "\n" for r in results)

    if count > 1:
        # Elements change places: all are read before one is written.
        body += also(f"{mine} {vector(to)}, {vector(to[::-1])};", *to)
        return [Kernel(instruction, body, "b64,b64,b64,b64")]
    number = {"f32": "0f3FC00000", "f64": "0d3FF8000000000000", "pred": "1"}.get(ty, "-3")
    if bits(ty) <= 64 and ty != "pred":
        body += also(f"{mine} {to[0]}, {number};", to[0])
    if ty in ("u32", "b32", "s32"):
        body += also(f"{mine} %r1, %tid.x;", "%r1") + also(f"{mine} %r1, cells;", "%r0")
    if ty in ("u16", "b16", "s16"):
        body += also(f"{mine} %h1, %ntid.x;", "%h1")
    if ty == "b16":
        body += ""
    if ty == "b32":
        body += "cvt.u16.u64 %h1, %w1; cvt.u16.u64 %h2, %w2;\n" + also("mov.b32 %r1, {%h1, %h2};", "%r1")
        body += also("mov.b32 {%h3, %h4}, %r10;", "%h3", "%h4") + also("mov.b32 {_, %h4}, %r10;", "%h4")
        body += "mov.b32 %f0, %r10;\n" + also("mov.b32 %r2, %f0;", "%r2")
    if ty == "b64":
        body += "cvt.u32.u64 %r1, %w1; cvt.u32.u64 %r2, %w2; cvt.u16.u64 %h1, %w1; cvt.u16.u64 %h2, %w2;\n"
        body += also("mov.b64 %x1, {%r1, %r2};", "%x1") + also("mov.b64 {%r3, %r4}, %x10;", "%r3", "%r4")
        body += also("mov.b64 %x1, {%h1, %h2, %h2, %h1};", "%x1")
        body += also("mov.b64 {%h3, %h4, %h5, %h6}, %x10;", "%h3", "%h4", "%h5", "%h6")
        body += also("mov.b64 {_, %r4}, %x10;", "%r4")
    if ty == "b128":
        body += also("mov.b128 %q1, {%w1, %w2};", "%q1") + also("mov.b128 {%x1, %x2}, %q10;", "%x1", "%x2").replace("%q10", "%q1")
        body = body.replace("%q10", "%q3")
        instruction = instruction.replace("%q10", "%q3")
    if ty == "pred":
        body += also("mov.pred %p1, 1;", "%p1") + also("mov.pred %p1, 0;", "%p1")
    return [Kernel(instruction, body, "b64,b64,b64,b64", memory=SHARED)]


def spaces(kind="u64"):
    """Generic addresses of all spaces, in %x10 to %x14, as the first four threads' threads see them; %x15: numbers."""
    return (
        "ld.param.u64 %x10, [p0]; mov.u32 %r0, cells; cvt.u64.u32 %x11, %r0; cvta.shared.u64 %x11, %x11;\n"
        "mov.u64 %x12, stack; cvta.local.u64 %x12, %x12; mov.u64 %x13, table; cvta.const.u64 %x13, %x13;\n"
        "mov.b64 %x14, pb; cvta.param.u64 %x14, %x14;\n"
    )


def is_space(opcode, modifiers, operands):
    mine = name(opcode, modifiers)
    body = spaces() + "st.local.u64 [stack], %i; st.shared.u64 [cells], %i;\n"
    for n in range(10, 15):
        body += f"{mine} %p0, %x{n};\n" + fold("%w10", "%p0") + "\n"
        body += f"add.u64 %y, %x{n}, 8; {mine} %p0, %y;\n" + fold("%w11", "%p0") + "\n"
    return [Kernel(f"{mine} %p0, %x10;", body, memory=SHARED + LOCAL)]


def is_reference(opcode, modifiers, operands):
    """Of a texture, a surface, memory, and nothing."""
    mine = name(opcode, modifiers)
    before = ".global .texref t@@;\n.global .surfref s@@;\n"
    body = "mov.u64 %x0, t@@; mov.u64 %x1, s@@; ld.param.u64 %x2, [p0]; mov.u64 %x3, 0;\n"
    for n in range(4):
        body += f"{mine} %p0, %x{n};\n" + fold("%w10" if n < 2 else "%w11", "%p0") + "\n"
    return [Kernel(f"{mine} %p0, %x0;", body, before=before, alone=True)]


def convert_address(opcode, modifiers, operands):
    mine = name(opcode, modifiers)
    space = space_of(modifiers)
    wide = "u64" in modifiers
    place = {"const": "table", "global": "scratch", "local": "stack", "param": "pb", "param::entry": "pb"}.get(space, "cells")
    other = name("cvta", [m for m in (["to"] if "to" not in modifiers else []) + [m for m in modifiers if m != "to"]])
    if not wide:
        return []
    body = "st.local.u64 [stack+16], %i; st.shared.u64 [cells+16], 77; bar.sync 0;\n" + f"mov.b64 %x1, {place};\n"
    read = "shared" if place == "cells" else "param" if place == "pb" else space
    if "to" in modifiers:
        body += f"{other} %x2, %x1;\n{mine} %x0, %x2;\nld.{read}.u64 %w10, [%x0+16];"
    else:
        body += f"{mine} %x0, %x1;\nld.u64 %w10, [%x0+16];"
    if place == "scratch":
        body = body.replace("ld.global.u64 %w10, [%x0+16];", "sub.u64 %w10, %x0, %x1;").replace("ld.u64 %w10, [%x0+16];", "sub.u64 %w10, %x0, %x1;")
    return [Kernel(f"{mine} %x0, %x1;", body, memory=SHARED + LOCAL)]


def cluster_address(opcode, modifiers, operands):
    mine = name(opcode, modifiers)
    wide, shared = "u64" in modifiers, "shared::cluster" in modifiers
    a, d = ("%x1", "%x0") if wide else ("%r1", "%r0")
    body = own_shared() + ("cvt.u64.u32 %x1, %s;" if wide else "mov.u32 %r1, %s;")
    if not shared:
        if not wide:
            return []
        body += " cvta.shared.u64 %x1, %x1;"
    # What the other block of the cluster has there, and what it says of its own address.
    other = "mov.u32 %r5, %cluster_ctarank; xor.b32 %r5, %r5, 1;\nbarrier.cluster.arrive; barrier.cluster.wait;\n"
    end = "\nbarrier.cluster.arrive; barrier.cluster.wait;"
    if opcode == "mapa":
        instruction = f"{mine} {d}, {a}, %r5;"
        body += f"\n{other}{instruction}\n" + ("ld.shared::cluster" if shared else "ld") + f".u64 %w10, [{d}+8];{end}"
        return [Kernel(instruction, body, memory=SHARED, attributes=PAIRS)]
    instruction = f"{mine} %r0, {d};"
    body += f"\n{other}{name('mapa', modifiers)} {d}, {a}, %r5;\n{instruction}\n" + fold("%w10", "%r0")
    body += f"\n{mine} %r0, {a};\n" + fold("%w10", "%r0") + end
    return [Kernel(instruction, body, memory=SHARED, attributes=PAIRS)]


def stack(opcode, modifiers, operands):
    """Memory of the stack, of a size that only runs know, twice; where it begins is a multiple of what was asked for."""
    ty = modifiers[-1]
    r = "%x" if ty == "u64" else "%r"
    mask = f"and.b{ty[1:]}"
    body = source(1) + f"\ncvt.{ty}.u64 {r}20, %w0; {mask} {r}20, {r}20, 31; add.{ty} {r}20, {r}20, 8;\n"
    save, restore = f"stacksave.{ty} {r}5;", f"stackrestore.{ty} {r}5;"
    get = f"alloca.{ty} {r}0, {r}20, 32;"
    body += f"{save}\n{get}\nst.local.u64 [{r}0], %w0;\nalloca.{ty} {r}1, {r}20;\nst.local.u64 [{r}1], %i;\n"
    body += f"ld.local.u64 %w10, [{r}0]; ld.local.u64 %w11, [{r}1]; {mask} {r}2, {r}0, 31;\n{restore}\n"
    body += f"alloca.{ty} {r}3, {r}20, 32; setp.eq.{ty} %p0, {r}3, {r}0;\n"
    body += fold("%w10", f"{r}2") + "\n" + fold("%w10", "%p0")
    instruction = {"alloca": get, "stacksave": save, "stackrestore": restore}[opcode]
    return [Kernel(instruction, body)]


MAKERS = {
    "ld": load, "ldu": load, "st": store, "prefetch": touch, "prefetchu": touch, "applypriority": touch, "discard": touch,
    "createpolicy": policy, "mov": move, "isspacep": is_space, "istypep": is_reference, "cvta": convert_address, "mapa": cluster_address,
    "getctarank": cluster_address, "alloca": stack, "stacksave": stack, "stackrestore": stack,
}
