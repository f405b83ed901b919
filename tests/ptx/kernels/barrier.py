"""Barriers and fences."""

from common import *


def barrier(opcode, modifiers, operands):
    mine = name(opcode, modifiers)
    body = source(1) + "\n"
    if modifiers == ["warp", "sync"]:
        # All lanes; then the odd and the even ones for themselves.
        body += "mov.u32 %s, cells; mad.lo.u32 %s, %m, 8, %s; st.shared.u64 [%s], %w0;\nbar.warp.sync -1;\n"
        body += "xor.b32 %z, %m, 31; mov.u32 %r1, cells; mad.lo.u32 %r1, %z, 8, %r1; ld.shared.u64 %w10, [%r1];\nbar.warp.sync -1;\n"
        body += "and.b32 %z, %m, 1; setp.eq.u32 %p0, %z, 1; xor.b32 %z, %m, 2; mov.u32 %r1, cells; mad.lo.u32 %r1, %z, 8, %r1;\n"
        for label, mask, pred in (("A", "0x55555555", "@%p0"), ("B", "0xaaaaaaaa", "@!%p0")):
            body += f"{pred} bra {label}@@;\nst.shared.u64 [%s], %w10; mov.u32 %r2, {mask}; bar.warp.sync %r2; ld.shared.u64 %w11, [%r1];\n{label}@@:\n"
        return [Kernel("bar.warp.sync %r2;", body, memory=SHARED)]
    if "cluster" in modifiers:
        arrive = mine if "arrive" in modifiers else "barrier.cluster.arrive" + (".aligned" if "aligned" in modifiers else "")
        wait = mine if "wait" in modifiers else "barrier.cluster.wait" + (".aligned" if "aligned" in modifiers else "")
        if "relaxed" in modifiers:
            arrive = "fence.acq_rel.cluster;\n" + arrive
        return [exchange(f"{mine};", body, f"{arrive};\n{wait};", 127)]
    counted = "u32 u32" in operands and not operands.endswith("?")
    if "red" in modifiers:
        result = "%r0" if "popc" in modifiers else "%p0"
        body += "mov.u32 %r5, 128; mov.u32 %r6, 7; setp.ne.u32 %p2, %m, 77; setp.eq.u32 %p3, %m, 32; and.b64 %y, %w0, 1; setp.ne.u64 %p1, %y, 0;\n"
        count = ", %r5" if counted else ""
        for which, p in ((3, "%p1"), (0, "%p2"), ("%r6", "%p3"), (2, "!%p3")):
            body += f"{mine} {result}, {which}{count}, {p};\n" + fold("%w10", result) + "\n"
        if counted:
            # Two halves of the block at barriers of their own.
            body += "setp.lt.u32 %p4, %m, 64; selp.u32 %r7, 4, 5, %p4;\n" + f"{mine} {result}, %r7, 64, %p1;\n" + fold("%w11", result)
        return [Kernel(f"{mine} {result}, 3{count}, %p1;", body)]
    if "arrive" in modifiers:
        sync = mine.replace("arrive", "sync")
        body += "mov.u32 %s, cells; mad.lo.u32 %s, %m, 8, %s; setp.ge.u32 %p0, %m, 64;\n@%p0 bra A@@;\nst.shared.u64 [%s], %w0;\n"
        body += f"{mine} 5, 128;\nbra B@@;\nA@@: {sync} 5, 128;\nld.shared.u64 %w10, [%s+-512];\nB@@:\n"
        return [Kernel(f"{mine} 5, 128;", body, memory=SHARED)]
    if counted or operands.endswith("?"):
        kernels = [exchange(f"{mine} 1;", body, f"{mine} 1;", 127), exchange(f"{mine} %r7, 128;", body + "mov.u32 %r7, 15;\n", f"{mine} %r7, 128;", 127)]
        halves = "setp.lt.u32 %p4, %m, 64; selp.u32 %r7, 4, 5, %p4; mov.u32 %r8, 64;\n"
        kernels.append(exchange(f"{mine} %r7, %r8;", body + halves, f"{mine} %r7, %r8;", 63))
        return kernels
    return []


def exchange(instruction, body, between, other):
    """Each thread reads what another one has written before the barrier, twice."""
    body += "mov.u32 %s, cells; mad.lo.u32 %s, %m, 8, %s; st.shared.u64 [%s], %w0;\n"
    body += f"{between}\nxor.b32 %z, %m, {other}; mov.u32 %r1, cells; mad.lo.u32 %r1, %z, 8, %r1; ld.shared.u64 %w10, [%r1];\n"
    body += f"{between}\nst.shared.u64 [%s], %i;\n{between}\nld.shared.u64 %w11, [%r1];"
    return Kernel(instruction, body, memory=SHARED)


def fence(opcode, modifiers, operands):
    """What one thread writes before it, another one reads after it and a barrier."""
    mine = name(opcode, modifiers)
    if "tensormap::generic" in modifiers and "acquire" in modifiers:
        mine += " [%b], 128"
    body = source(1) + "\nmov.u64 %b, scratch; mul.wide.u32 %y, %k, 8; add.u64 %x1, %b, %y; xor.b32 %z, %k, 127; mul.wide.u32 %y, %z, 8;\n"
    body += f"add.u64 %x2, %b, %y; st.global.u64 [%x1], %w0; mov.u32 %s, cells; st.shared.u64 [%s], %w0;\n{mine};\nbar.sync 0;\n{mine};\nld.global.u64 %w10, [%x2];"
    return [Kernel(f"{mine};", body, memory=SHARED)]


def mbarrier(opcode, modifiers, operands):
    """Each thread has a barrier of its own."""
    mine = name(opcode, modifiers)
    space = next((m for m in modifiers if m.startswith("shared")), "")
    # Without a space, addresses are generic.
    address = "%s" if space else "%a"
    body = source(1) + "\nmov.u32 %s, cells; mad.lo.u32 %s, %m, 16, %s; cvt.u64.u32 %a, %s; cvta.shared.u64 %a, %a;\n"
    init = "mbarrier.init.shared.b64 [%s], {};\n"
    test = "mbarrier.test_wait.shared.b64 %p0, [%s], {};\n" + fold("%w11", "%p0") + "\n"
    pending = "mbarrier.pending_count.b64 %r0, {};\n" + fold("%w10", "%r0") + "\n"
    arrive = "mbarrier.arrive.shared.b64 {}, [%s];\n"
    if "init" in modifiers:
        instruction = f"{mine} [{address}], %r1;"
        body += "cvt.u32.u64 %r1, %w0; and.b32 %r1, %r1, 0xffffe; add.u32 %r1, %r1, 1;\n" + instruction + "\n"
        body += arrive.format("%x0") + pending.format("%x0") + test.format("%x0")
    elif "inval" in modifiers:
        instruction = f"{mine} [{address}];"
        body += init.format(1) + instruction + "\nst.shared.u64 [%s], %w0; ld.shared.u64 %w10, [%s];"
    elif "expect_tx" in modifiers and "arrive" not in modifiers and "arrive_drop" not in modifiers or "complete_tx" in modifiers:
        expect, complete = "mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%s], 48;", "mbarrier.complete_tx.shared::cta.b64 [%s], {};"
        if "expect_tx" in modifiers:
            instruction = expect = f"{mine} [{address}], 48;"
        else:
            complete = f"{mine} [{address}], {{}};"
            instruction = complete.format(16)
        body += init.format(1) + expect + "\n" + arrive.format("%x0") + test.format("%x0") + complete.format(16) + "\n" + test.format("%x0")
        body += complete.format(32) + "\n" + test.format("%x0") + pending.format("%x0")
    elif "arrive" in modifiers or "arrive_drop" in modifiers:
        drop, expects, remote = "arrive_drop" in modifiers, "expect_tx" in modifiers, space == "shared::cluster"
        counts = "noComplete" in modifiers
        result = "_" if remote else "%x0"
        operand = ", 16" if expects else ", 1" if counts or remote else ""
        instruction = f"{mine} {result}, [{address}]{operand};"
        body += init.format(4) + arrive.format("%x5") + pending.format("%x5") + instruction + "\n"
        body += "" if remote else pending.format("%x0")
        if expects:
            body += "mbarrier.complete_tx.shared::cta.b64 [%s], 16;\n"
        body += test.format("%x5") + arrive.format("%x1") + pending.format("%x1") + test.format("%x5")
        if not expects and not counts:
            # More than one at a time.
            other = f"{mine} {'_' if remote else '%x2'}, [{address}], 1;\n"
            body += other + ("" if remote else pending.format("%x2"))
        else:
            body += arrive.format("%x2") + pending.format("%x2")
        body += test.format("%x5")
        # The next phase: those who dropped out are not waited for.
        body += (arrive.format("%x3") + pending.format("%x3")) * 2 + test.format("%x3")
        if drop:
            body += test.format("%x3")
    elif "test_wait" in modifiers or "try_wait" in modifiers:
        parity = "parity" in modifiers
        hint = ", %r9" if "try_wait" in modifiers else ""
        body += "mov.u32 %r9, 20; mov.u32 %r8, 0; mov.u32 %r7, 1;\n"

        def ask(state, phase):
            return f"{mine} %p1, [{address}], {phase if parity else state}{hint};\n" + fold("%w10", "%p1") + "\n"

        instruction = f"{mine} %p1, [{address}], {'%r8' if parity else '%x0'}{hint};"
        body += init.format(2) + arrive.format("%x0") + ask("%x0", "%r8") + (ask("%x0", "%r7") if parity else "")
        body += arrive.format("%x1") + ask("%x0", "%r8") + ask("%x1", "%r8") + arrive.format("%x2") + ask("%x2", "%r7") + arrive.format("%x3")
        body += ask("%x2", "%r7")
        if "try_wait" in modifiers:
            body += ask("%x2", "%r7").replace(hint, "")
    else:
        instruction = f"{mine} %r0, %x0;"
        body += "cvt.u32.u64 %r1, %w0; and.b32 %r1, %r1, 0xffff0; add.u32 %r1, %r1, 3;\nmbarrier.init.shared.b64 [%s], %r1;\n"
        body += arrive.format("%x0") + pending.format("%x0") + "mbarrier.arrive.shared.b64 %x1, [%s], 2;\n" + pending.format("%x1")
    if "complete_tx" not in instruction and space == "shared::cluster" and "expect_tx" in modifiers and "arrive" in modifiers:
        pass
    return [Kernel(instruction, body, memory=SHARED)]


MAKERS = {"bar": barrier, "barrier": barrier, "fence": fence, "membar": fence, "mbarrier": mbarrier}
