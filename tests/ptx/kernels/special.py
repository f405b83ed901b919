"""Special registers: what they say of a thread, in blocks of 128 threads, or, of clusters, in pairs of these. What is another
number on each machine, or at each moment, is looked at for what always holds of it. The driver keeps
things of its own in some of `%envreg`."""

from common import *

AXES = "xyzw"
PLAIN = (
    [f"%{name}.{axis}" for name in ("tid", "ntid", "ctaid", "nctaid") for axis in AXES]
    + ["%laneid", "%nwarpid", "%dynamic_smem_size", "%total_smem_size", "%aggr_smem_size"]
    + [f"%lanemask_{which}" for which in ("eq", "le", "lt", "ge", "gt")]
    + [f"%envreg{n}" for n in range(32) if n not in (0, 1, 2, 6, 10)]
    + [f"%pm{n}" for n in range(8)]
)
CLUSTER = [f"%{name}.{axis}" for name in ("clusterid", "nclusterid", "cluster_ctaid", "cluster_nctaid") for axis in AXES]
CLUSTER += ["%cluster_ctarank", "%cluster_nctarank"]


def read(opcode, register, destination="%r0", more="", result=None, attributes=""):
    instruction = f"{opcode} {destination}, {register};"
    return Kernel(instruction, instruction + "\n" + more + fold("%w10", result or destination), attributes=attributes, memory=SHARED)


def kernels():
    everything = [read("mov.u32", register) for register in PLAIN]
    everything += [read("mov.u16", register, "%h0") for register in ("%tid.x", "%ntid.x", "%ctaid.x", "%nctaid.x")]
    everything += [read("mov.u64", register, "%x0") for register in ["%current_graph_exec"] + [f"%pm{n}_64" for n in range(8)]]
    everything += [read("mov.u32", register, attributes=PAIRS) for register in CLUSTER]
    everything.append(read("mov.pred", "%is_explicit_cluster", "%p0", attributes=PAIRS))
    everything.append(read("mov.pred", "%is_explicit_cluster", "%p1"))
    for name, attributes in (("tid", ""), ("ntid", ""), ("ctaid", ""), ("nctaid", ""), ("clusterid", PAIRS), ("nclusterid", PAIRS), ("cluster_ctaid", PAIRS), ("cluster_nctaid", PAIRS)):
        vector = "{%r0, %r1, %r2, %r3}"
        more = "".join(fold("%w11", f"%r{n}") + "\n" for n in range(4))
        everything.append(read("mov.v4.u32", f"%{name}", vector, more, "%r0", attributes))
    # Below the number of processors, of places for warps; the same in a grid; later and later.
    for register, most in (("%smid", "%nsmid"), ("%warpid", "%nwarpid")):
        everything.append(read("mov.u32", register, "%r0", f"mov.u32 %r1, {most}; setp.lt.u32 %p0, %r0, %r1;\n", "%p0"))
    everything.append(read("mov.u32", "%nsmid", "%r0", "setp.gt.u32 %p0, %r0, 0;\n", "%p0"))
    for register in ("%clock", "%globaltimer_lo"):
        everything.append(read("mov.u32", register, "%r0", f"mov.u32 %r1, {register}; sub.u32 %r1, %r1, %r0; setp.ge.s32 %p0, %r1, 0;\n", "%p0"))
    for register in ("%clock_hi", "%globaltimer_hi"):
        everything.append(read("mov.u32", register, "%r0", f"mov.u32 %r1, {register}; sub.u32 %r1, %r1, %r0; setp.le.u32 %p0, %r1, 1;\n", "%p0"))
    for register in ("%clock64", "%globaltimer", "%gridid"):
        test = "eq" if register == "%gridid" else "ge"
        everything.append(read("mov.u64", register, "%x0", f"mov.u64 %x1, {register}; sub.u64 %x1, %x1, %x0; setp.{test}.s64 %p0, %x1, 0;\n", "%p0"))
    return everything
