"""Makes a kernel for every instruction with two operands of 16 bits, or with one of two such halves: reads FOLDER/forms.all
(`cargo xtask kernels`), writes FOLDER/sixteen.ptx, and to FOLDER/sixteen.txt a line for each: name, types, instruction. With a
number as a second argument, cuts both into so many, to run on a device.

A thread has 16 first operands and takes one second operand after the other; its third operand stays. What all that gives is
mixed into a word, which is added to the cell of its slice. `sixteen.c` says what the operands are, and makes the same words
of what the models give."""

import sys

HALVES = {"u16": 16, "s16": 16, "b16": 16, "f16": 16, "bf16": 16, "u16x2": 32, "s16x2": 32, "f16x2": 32, "bf16x2": 32}
# Odd numbers, one for each result of a round.
FACTORS = [
    0x9E3779B1, 0x85EBCA77, 0xC2B2AE3D, 0x27D4EB2F, 0x165667B1, 0xD3A2646D, 0xFD7046C5, 0xB55A4F09,
    0x8CB92BA7, 0xE9846AF9, 0xC6EF3721, 0x7FEB352D, 0x846CA68B, 0xAC4C1B51, 0x58F38DED, 0x9C8F2D35,
]  # fmt: skip


# Atomic operations, by space: on a cell of the thread, with the first operand in it. What is in it then is the result.
ATOMICS = [
    (f"{ty},{ty}", f"atom.{space}.add.noftz.{ty} %{'r' if HALVES[ty] == 32 else 'h'}0, [%own], %{'r' if HALVES[ty] == 32 else 'h'}1;")
    for ty in ("f16", "bf16", "f16x2", "bf16x2")
    for space in ("global", "shared")
] + [("b16,b16,b16", f"atom.{space}.cas.b16 %h0, [%own], %h1, %h2;") for space in ("global", "shared")]
OWN = ".global .align 4 .b8 own_global[4194304];\n"


def chosen(types, instruction):
    """Two operands of 16 bits come first, or the only one has two halves. Not approximate functions, which are not the same."""
    if ".approx." in instruction:
        return False
    if len(types) == 1:
        return HALVES.get(types[0]) == 32
    # Of shifts, the second operand is a word.
    return types[0] in HALVES and (types[1] in HALVES or types[1] == "u32" and len(types) == 2)


def third(ty):
    """Brings word %c into a third operand."""
    return {
        "pred": "and.b32 %c, %c, 1; setp.ne.u32 %tp, %c, 0;",
        "f32": "mov.b32 %tf, %c;",
    }.get(ty, "cvt.u16.u32 %th, %c;" if HALVES.get(ty) == 16 else "mov.b32 %tr, %c;")


def kernel(name, types, instruction):
    opcode, operands = instruction.rstrip(";").split(" ", 1)
    operands = operands.split(", ")
    results = operands[0].split("|")
    kind = results[0][1]
    wide = HALVES[types[0]] == 32
    alone = len(types) == 1
    space = opcode.split(".")[1] if opcode.startswith("atom.") else None
    text = f".visible .entry {name}(.param .u64 firsts, .param .u64 seconds, .param .u64 thirds, .param .u64 cells, .param .u32 from, "
    text += ".param .u32 columns, .param .u32 rows, .param .u32 length, .param .u32 count, .param .u32 threads) {\n"
    text += ".reg .pred %p<2>, %g, %tp; .reg .b16 %b, %th, %h<16>, %a<16>; .reg .b32 %r<16>, %w<16>, %k, %n, %x, %y, %z, %c, %tr, %bits, %more;\n"
    text += ".reg .b64 %at, %end, %acc, %o, %own; .reg .f32 %f<16>, %tf;\n"
    if space == "shared":
        text += ".shared .align 4 .b8 own_shared[512];\n"
    text += "mov.u32 %k, %ctaid.x; mov.u32 %n, %ntid.x; mov.u32 %x, %tid.x; mad.lo.u32 %k, %k, %n, %x; ld.param.u32 %n, [threads];\n"
    text += "setp.ge.u32 %g, %k, %n; @%g ret;\n"
    if space:
        text += f"mov.u64 %own, own_{space}; mul.wide.u32 %o, {'%k' if space == 'global' else '%x'}, 4; add.u64 %own, %own, %o;\n"
    text += "ld.param.u32 %n, [columns]; rem.u32 %x, %k, %n; div.u32 %k, %k, %n; ld.param.u32 %n, [from]; add.u32 %x, %x, %n;\n"
    text += "ld.param.u32 %n, [rows]; rem.u32 %y, %k, %n; div.u32 %z, %k, %n;\n"
    text += "add.u32 %k, %x, %y; add.u32 %k, %k, %z; ld.param.u32 %n, [count]; rem.u32 %k, %k, %n; mul.wide.u32 %o, %k, 4;\n"
    text += "ld.param.u64 %at, [thirds]; add.u64 %at, %at, %o; ld.global.u32 %c, [%at];\n"
    if len(types) > 2:
        text += third(types[2]) + "\n"
    text += "ld.param.u64 %at, [firsts]; mul.wide.u32 %o, %x, 64; add.u64 %at, %at, %o;\n"
    for j in range(16):
        text += f"ld.global.u32 %w{j}, [%at+{4 * j}];" + ("\n" if wide and not alone else f" cvt.u16.u32 %a{j}, %w{j};\n")
    text += "ld.param.u64 %at, [seconds]; ld.param.u32 %n, [length]; mul.lo.u32 %k, %n, %y; mul.wide.u32 %o, %k, 4; add.u64 %at, %at, %o;\n"
    text += "mul.wide.u32 %o, %n, 4; add.u64 %end, %at, %o; mov.u64 %acc, 0;\n"
    # A round.
    text += "L:\nld.global.u32 %k, [%at];\n"
    if alone or not wide and types[1] != "u32":
        text += "cvt.u16.u32 %b, %k;\n"
    second = "%k" if wide or types[1] == "u32" else "%b"
    if kind == "p":
        text += "mov.u32 %bits, 0;" + (" mov.u32 %more, 0;" if len(results) > 1 else "") + "\n"
    for j in range(16):
        sources = [f"%w{j}" if wide else f"%a{j}", second]
        if alone:
            text += f"mov.b32 %r{j}, {{%a{j}, %b}};\n"
            sources = [f"%r{j}"]
        if len(types) > 2:
            sources.append({"pred": "%tp", "f32": "%tf"}.get(types[2], "%th" if HALVES.get(types[2]) == 16 else "%tr"))
        if kind == "p":
            text += f"{opcode} {'|'.join(f'%p{n}' for n in range(len(results)))}, {', '.join(sources)};\n"
            for n, word in zip(range(len(results)), ("%bits", "%more")):
                text += f"@%p{n} or.b32 {word}, {word}, {1 << j};\n"
            continue
        if space:
            bits = 32 if wide else 16
            text += f"st.{space}.b{bits} [%own], {sources[0]}; {opcode} %{kind}{j}, [%own], {', '.join(sources[1:])}; ld.{space}.b{bits} %{kind}{j}, [%own];\n"
        else:
            text += f"{opcode} %{kind}{j}, {', '.join(sources)};\n"
        if kind == "h" and j % 2:
            text += f"mov.b32 %r{j}, {{%h{j - 1}, %h{j}}};\n"
        if kind == "f":
            text += f"mov.b32 %r{j}, %f{j};\n"
        if kind != "h" or j % 2:
            text += f"mad.wide.u32 %acc, %r{j}, {FACTORS[j]}, %acc;\n"
    if kind == "p":
        text += f"mad.wide.u32 %acc, %bits, {FACTORS[0]}, %acc;\n"
        if len(results) > 1:
            text += f"mad.wide.u32 %acc, %more, {FACTORS[1]}, %acc;\n"
    text += "shr.u64 %o, %acc, 29; xor.b64 %acc, %acc, %o; mul.lo.u64 %acc, %acc, 0xbf58476d1ce4e5b9;\n"
    text += "add.u64 %at, %at, 4; setp.ne.u64 %g, %at, %end; @%g bra L;\n"
    # Where it was comes in, and all is mixed.
    text += "ld.param.u32 %n, [rows]; mad.lo.u32 %k, %z, %n, %y; mul.wide.u32 %o, %k, 4096; cvt.u64.u32 %at, %x; add.u64 %o, %o, %at;\n"
    text += "mad.lo.u64 %acc, %o, 0x9e3779b97f4a7c15, %acc;\n"
    for shift, factor in ((30, "0xbf58476d1ce4e5b9"), (27, "0x94d049bb133111eb")):
        text += f"shr.u64 %o, %acc, {shift}; xor.b64 %acc, %acc, %o; mul.lo.u64 %acc, %acc, {factor};\n"
    text += "shr.u64 %o, %acc, 31; xor.b64 %acc, %acc, %o;\n"
    text += "shr.u32 %x, %x, 4; mul.wide.u32 %o, %x, 8; ld.param.u64 %at, [cells]; add.u64 %at, %at, %o; red.global.add.u64 [%at], %acc;\nret;\n}\n"
    return text


def main():
    folder, parts = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 1
    head, *pieces = open(f"{folder}/forms.all").read().split("//// ")
    kernels = {}
    for piece in pieces:
        name, types, instruction = piece.split("\n", 1)[0].split(" ", 2)
        if types == "b32" and instruction.split(" ")[0].endswith(".f16x2"):
            types = "f16x2"
        if chosen(types.split(","), instruction) and instruction not in kernels:
            name = name.replace("k", "s")
            kernels[instruction] = (f"{name} {types} {instruction}\n", kernel(name, types.split(","), instruction))
    for number, (types, instruction) in enumerate(ATOMICS):
        kernels[instruction] = (f"t{number} {types} {instruction}\n", kernel(f"t{number}", types.split(","), instruction))
    for part in range(parts):
        name = f"{folder}/sixteen" + (f"-{part}" if parts > 1 else "")
        mine = list(kernels.values())[part::parts]
        with open(f"{name}.ptx", "w") as module, open(f"{name}.txt", "w") as out:
            module.write(head + OWN + "".join(text for _, text in mine))
            out.write("".join(line for line, _ in mine))


main()
