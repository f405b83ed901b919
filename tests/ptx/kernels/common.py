"""What the kernels of all groups have in common."""

import zlib

TYPES = "b8 u8 s8 b16 u16 s16 b32 u32 s32 b64 u64 s64 f16 bf16 f16x2 bf16x2 f32 f64 b128 pred".split()

# What stands before all kernels: constants, cells in global memory of a thread and of a block.
CONSTANTS = ", ".join(str((n * 73 + 0x9D) & 255) for n in range(256))
HEAD = f""".version 8.6
.target sm_90a
.address_size 64
.const .align 32 .b8 table[256] = {{{CONSTANTS}}};
.global .align 128 .b8 scratch[131072];
.global .align 128 .b8 common[4096];
"""

REGISTERS = """.reg .pred %p<20>; .reg .b16 %h<40>; .reg .b32 %r<60>, %z, %k, %n, %m, %s; .reg .b64 %x<60>, %w<12>, %a, %b, %i, %o, %y;
.reg .b128 %q<30>; .reg .f32 %f<20>; .reg .f64 %d<20>;
"""


def bits(ty):
    """How many bits a type has."""
    return {"bf16": 16, "f16x2": 32, "bf16x2": 32, "pred": 1}.get(ty) or int(ty[1:])


def seed(text):
    return zlib.crc32(text.encode())


def prefix(ty):
    """The registers that are just as wide."""
    if ty in ("f32", "f64"):
        return {"f32": "%f", "f64": "%d"}[ty]
    return {1: "%p", 8: "%h", 16: "%h", 32: "%r", 64: "%x", 128: "%q"}[bits(ty)]


def bring(register, word):
    """Brings a word of 64 bits into a register."""
    kind = register[1]
    return {
        "p": f"and.b64 %y, {word}, 1; setp.ne.u64 {register}, %y, 0;",
        "h": f"cvt.u16.u64 {register}, {word};",
        "r": f"cvt.u32.u64 {register}, {word};",
        "f": f"cvt.u32.u64 %z, {word}; mov.b32 {register}, %z;",
        "d": f"mov.b64 {register}, {word};",
        "x": f"mov.b64 {register}, {word};",
        "q": f"mov.b64 %x57, {word}; not.b64 %y, %x57; mov.b128 {register}, {{%x57, %y}};",
    }[kind]


def fold(word, register):
    """Mixes a register into a word."""
    mix = f"mad.lo.u64 {word}, {word}, 0x9E3779B97F4A7C15, %y;"
    kind = register[1]
    widen = {
        "p": f"selp.b64 %y, 1, 0, {register};",
        "h": f"cvt.u64.u16 %y, {register};",
        "r": f"cvt.u64.u32 %y, {register};",
        "z": f"cvt.u64.u32 %y, {register};",
        "f": f"mov.b32 %z, {register}; cvt.u64.u32 %y, %z;",
        "d": f"mov.b64 %y, {register};",
        "x": f"mov.b64 %y, {register};",
        "w": f"mov.b64 %y, {register};",
        "q": f"mov.b128 {{%y, %x59}}, {register}; {mix} mov.b64 %y, %x59;",
    }[kind]
    return f"{widen} {mix}"


def source(count):
    """Loads the words that the arrays have for this thread."""
    return "\n".join(
        f"ld.param.u64 %a, [p{n}]; add.u64 %a, %a, %i; ld.global.u64 %w{n}, [%a];" for n in range(count)
    )


POLICY = "createpolicy.fractional.L2::evict_last.b64 %x58, 1.0;\n"


class Kernel:
    """A kernel for an instruction."""

    def __init__(self, instruction, body, types="b64", before="", memory="", alone=False, attributes="", stores=True):
        self.instruction = instruction
        self.body = body
        self.types = types
        self.before = before
        self.memory = memory
        self.alone = alone
        self.attributes = attributes
        self.stores = stores

    def text(self, name):
        parameters = ", ".join(f".param .u64 p{n}" for n in range(5))
        # Names of functions and labels are those of this kernel.
        return (
            self.before.replace("@@", name)
            + f".visible .entry {name}({parameters}, .param .u64 po, .param .u32 pn, .param .align 64 .b8 pb[128]) {self.attributes} {{\n"
            + REGISTERS
            + self.memory
            + "mov.u32 %k, %ctaid.x; mov.u32 %n, %ntid.x; mov.u32 %m, %tid.x; mad.lo.u32 %k, %k, %n, %m; mul.wide.u32 %i, %k, 8;\n"
            "ld.param.u64 %o, [po]; add.u64 %o, %o, %i; add.u64 %o, %o, %i; mov.u64 %w10, 0; mov.u64 %w11, 0;\n"
            + self.body.replace("@@", name)
            + ("\nst.global.v2.u64 [%o], {%w10, %w11};" if self.stores else "")
            + "\nret;\n}\n"
        )


SHARED = ".shared .align 128 .b8 cells[8192];\n"
LOCAL = ".local .align 32 .b8 stack[64];\n"


def own_shared():
    """%s: 32 bytes of shared memory of this thread, with what the first array has from here on."""
    return (
        "mov.u32 %s, cells; mad.lo.u32 %s, %m, 32, %s;\n" + fill("st.shared.u64 [%s+{}], %y;", 4)
    )


def own_local():
    """%b: 64 bytes of local memory."""
    return "mov.u64 %b, stack;\n" + fill("st.local.u64 [%b+{}], %y;", 8)


def fill(store, count):
    text = "ld.param.u64 %a, [p0];\n"
    for n in range(count):
        text += (
            f"add.u32 %z, %k, {n}; and.b32 %z, %z, 4095; mul.wide.u32 %y, %z, 8; add.u64 %y, %y, %a; ld.global.u64 %y, [%y]; "
            + store.format(8 * n)
            + "\n"
        )
    return text


# Clusters of two blocks.
PAIRS = ".reqnctapercluster 2, 1, 1"


def meet(size):
    """Of clusters: %r50 and %r51 are the places of the thread's memory and, 24 bytes on, of its barrier in the other block;
    %r52 is its own barrier, which waits for so many bytes in the phase %x10. All are ready."""
    return (
        "mov.u32 %r53, %cluster_ctarank; xor.b32 %r53, %r53, 1; add.u32 %r52, %s, 24;\n"
        "mapa.shared::cluster.u32 %r50, %s, %r53; mapa.shared::cluster.u32 %r51, %r52, %r53;\n"
        "mbarrier.init.shared.b64 [%r52], 1; fence.mbarrier_init.release.cluster;\n"
        f"mbarrier.arrive.expect_tx.shared.b64 %x10, [%r52], {size};\n"
        "barrier.cluster.arrive; barrier.cluster.wait;\n"
    )


AWAIT = "W@@: mbarrier.try_wait.shared.b64 %p0, [%r52], %x10;\n@!%p0 bra W@@;\nbarrier.cluster.arrive; barrier.cluster.wait;\n"


def name(opcode, modifiers):
    return ".".join([opcode, *modifiers])
