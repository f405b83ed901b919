"""Asynchronous copies."""

from common import *

WAIT = "W@@: mbarrier.try_wait.parity.shared.b64 %p0, [%r50], 0;\n@!%p0 bra W@@;\n"


def copy(opcode, modifiers, operands):
    if "tensor" in modifiers:
        return []
    if "bulk" in modifiers or "reduce" in modifiers:
        return bulk(opcode, modifiers, operands)
    mine = name(opcode, modifiers)
    body = own_shared() + "ld.param.u64 %a, [p0]; add.u64 %a, %a, %i; and.b64 %a, %a, -16;\n"
    wait = "cp.async.wait_all;\n"
    read = "ld.shared.v2.u64 {%x0, %x1}, [%s];\n" + fold("%w10", "%x0") + fold("%w11", "%x1") + "\n"
    plain = "cp.async.ca.shared.global [%s], [%a], 16;\n"
    if "mbarrier" in modifiers:
        address = "%r50" if any(m.startswith("shared") for m in modifiers) else "%x50"
        instruction = f"{mine} [{address}];"
        body += "add.u32 %r50, %s, 24; cvt.u64.u32 %x50, %r50; cvta.shared.u64 %x50, %x50; mbarrier.init.shared.b64 [%r50], 1;\n"
        body += plain + instruction + "\n" + ("" if "noinc" in modifiers else "mbarrier.arrive.shared.b64 %x9, [%r50];\n")
        return [Kernel(instruction, body + WAIT + read, memory=SHARED)]
    if "wait_group" in modifiers:
        body += plain + "cp.async.commit_group;\ncp.async.ca.shared.global [%s+16], [%a], 8;\ncp.async.commit_group;\n" + f"{mine} 1;\n" + read
        body += f"{mine} 0;\nld.shared.u64 %x0, [%s+16];\n" + fold("%w10", "%x0")
        return [Kernel(f"{mine} 1;", body, memory=SHARED)]
    if "commit_group" in modifiers or "wait_all" in modifiers:
        body += plain + "cp.async.commit_group;\n" + wait + read
        return [Kernel(f"{mine};", body, memory=SHARED)]
    policy = ", %x58" if "L2::cache_hint" in modifiers else ""
    body += POLICY if policy else ""
    body += "and.b32 %r40, %k, 31; min.u32 %r41, %r40, 16; min.u32 %r42, %r40, 8; min.u32 %r43, %r40, 4; and.b32 %z, %k, 1; setp.eq.u32 %p5, %z, 1;\n"
    instruction = f"{mine} [%s], [%a], 16{policy};"
    for size in (16,) if "cg" in modifiers else (16, 8, 4):
        least = {16: "%r41", 8: "%r42", 4: "%r43"}[size]
        for more in (f", {least}", "", ", 0", ", %p5"):
            if more == ", %p5" and policy:
                continue
            body += f"{mine} [%s+{16 - size}], [%a], {size}{more}{policy};\n{wait}{read}"
    return [Kernel(instruction, body, memory=SHARED)]


def bulk(opcode, modifiers, operands):
    """Of a block: one thread copies, all look at what came."""
    mine = name(opcode, modifiers)
    if "cp_mask" in modifiers:
        return []
    policy = ", %x58" if "L2::cache_hint" in modifiers else ""
    reduces = "reduce" in modifiers
    ty = modifiers[-1] if reduces else ""
    body = source(2) + "\n" + (POLICY if policy else "")
    # Two pieces of shared memory with the threads' words; a piece of global memory with other ones.
    body += "mov.u32 %r0, cells; mad.lo.u32 %s, %m, 8, %r0; st.shared.u64 [%s], %w0; st.shared.u64 [%s+1024], %w1;\n"
    body += "mov.u64 %b, scratch; mov.u32 %z, %ctaid.x; mul.wide.u32 %y, %z, 1024; add.u64 %b, %b, %y; mul.wide.u32 %y, %m, 8; add.u64 %x0, %b, %y;\n"
    body += "st.global.u64 [%x0], %w1; ld.param.u64 %a, [p0]; mul.wide.u32 %y, %z, 1024; add.u64 %a, %a, %y;\n"
    body += "add.u32 %r50, %r0, 4096; add.u32 %r1, %r0, 1024; setp.ne.u32 %p1, %m, 0;\n"
    body += "@%p1 bra I@@;\nmbarrier.init.shared.b64 [%r50], 1; fence.mbarrier_init.release.cluster;\nI@@:\nfence.proxy.async; membar.gl;\nbar.sync 0;\n@%p1 bra C@@;\n"
    types = "b64,b64"
    if reduces and ty in ("f32", "f64"):
        types = f"{ty},{ty}"
    elif reduces and ty in ("f16", "bf16"):
        types = "f16,f16" if ty == "f16" else "bf16,bf16"
    done = "cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;\n"
    own = "shared::cluster" in modifiers and "shared::cta" in modifiers
    if "prefetch" in modifiers:
        instruction = f"{mine} [%a], 1024{policy};"
        body += instruction + "\nC@@: ld.global.u64 %w10, [%x0];"
        return [Kernel(instruction, body, types, memory=SHARED)]
    if "commit_group" in modifiers or "wait_group" in modifiers:
        operand = " 0" if "wait_group" in modifiers else ""
        instruction = f"{mine}{operand};"
        body += "cp.async.bulk.global.shared::cta.bulk_group [%b], [%r0], 1024;\ncp.async.bulk.commit_group;\n"
        body += f"{instruction}\ncp.async.bulk.wait_group 0;\nmembar.gl;\nC@@: bar.sync 0;\nld.global.u64 %w10, [%x0];"
        return [Kernel(instruction, body, types, memory=SHARED)]
    if own:
        # To the other block of the cluster, which waits for what comes.
        instruction = f"{mine} [%r51], [%r0], 1008, [%r52];"
        body = body.replace("@%p1 bra C@@;\n", "") + "mov.u32 %r53, %cluster_ctarank; xor.b32 %r53, %r53, 1;\n"
        body += "mapa.shared::cluster.u32 %r51, %r1, %r53; mapa.shared::cluster.u32 %r52, %r50, %r53;\n@%p1 bra M@@;\n"
        body += "mbarrier.arrive.expect_tx.shared.b64 %x9, [%r50], 1008;\nM@@: barrier.cluster.arrive; barrier.cluster.wait;\n@%p1 bra C@@;\n"
        body += f"{instruction}\nC@@:\n{WAIT}ld.shared.u64 %w10, [%s+1024];\nbarrier.cluster.arrive; barrier.cluster.wait;"
        return [Kernel(instruction, body, types, memory=SHARED, attributes=PAIRS)]
    if "mbarrier::complete_tx::bytes" in modifiers:
        # To shared memory.
        mask = ", %h1" if "multicast::cluster" in modifiers else ""
        # What is ignored at the ends comes all the same.
        ignored = " 3, 5," if "ignore_oob" in modifiers else ""
        instruction = f"{mine} [%r1], [%a], 1008,{ignored} [%r50]{mask}{policy};"
        body += "mov.b16 %h1, 1;\nmbarrier.arrive.expect_tx.shared.b64 %x9, [%r50], 1008;\n" + instruction + "\n"
        body += "C@@:\n" + WAIT + "ld.shared.u64 %w10, [%s+1024];"
        return [Kernel(instruction, body, types, memory=SHARED)]
    instruction = f"{mine} [%b], [%r0], 1008{policy};"
    body += instruction + "\n" + done + "membar.gl;\nC@@: bar.sync 0;\nld.global.u64 %w10, [%x0];"
    return [Kernel(instruction, body, types, memory=SHARED)]


MAKERS = {"cp": copy}
