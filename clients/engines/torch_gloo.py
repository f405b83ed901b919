"""PyTorch's torch.distributed on tensors in device memory, by way of gloo, which works on copies in host memory: ranks on two devices.

    torch_gloo.py N           starts N ranks itself

PyTorch has its kernels as machine code alone: numbers are made on the host, and the reductions are gloo's.
"""
import datetime
import os
import sys

import torch
import torch.distributed as dist
import torch.multiprocessing as processes


def row(base, n):
    return torch.arange(n, dtype=torch.float64) + base


def work(rank, size, rendezvous):
    dist.init_process_group("gloo", init_method=f"file://{rendezvous}", rank=rank, world_size=size, timeout=datetime.timedelta(seconds=60))
    device = torch.device("cuda", rank % torch.cuda.device_count())
    torch.cuda.set_device(device)
    passed = []

    def expect(what, tensor, expected):
        found = tensor.cpu()
        assert tensor.device == device and torch.equal(found, expected), f"rank {rank}: {what}: {found[:4]} instead of {expected[:4]}"
        if what not in passed:
            passed.append(what)

    for n in (1, 1000, 1 << 20):
        own = row(rank * 1000, n).to(device)
        every = [row(r * 1000, n) for r in range(size)]
        total = own.clone()
        dist.all_reduce(total)
        expect("all_reduce", total, sum(every))
        most = own.clone()
        dist.all_reduce(most, op=dist.ReduceOp.MAX)
        expect("all_reduce", most, every[-1])
        # Without waiting in between, in a stream of its own.
        stream = torch.cuda.Stream()
        with torch.cuda.stream(stream):
            behind = own.clone()
            pending = dist.all_reduce(behind, async_op=True)
            pending.wait()
            expect("all_reduce in a stream", behind, sum(every))
        shared = own.clone()
        dist.broadcast(shared, 1)
        expect("broadcast", shared, every[1])
        parts = [torch.empty_like(own) for _ in range(size)]
        dist.all_gather(parts, own)
        for part, expected in zip(parts, every):
            expect("all_gather", part, expected)
        gathered = [torch.empty_like(own) for _ in range(size)] if rank == 0 else None
        dist.gather(own, gathered, 0)
        for part, expected in zip(gathered or [], every):
            expect("gather", part, expected)
        mine = torch.empty_like(own)
        dist.scatter(mine, [row(r * 7, n).to(device) for r in range(size)] if rank == 0 else None, 0)
        expect("scatter", mine, row(rank * 7, n))
        sum_at = own.clone()
        dist.reduce(sum_at, 0)
        if rank == 0:
            expect("reduce", sum_at, sum(every))
        across = torch.empty(size * n, dtype=torch.float64, device=device)
        dist.all_to_all_single(across, torch.cat([row(rank * 100 + r, n) for r in range(size)]).to(device))
        expect("all_to_all", across, torch.cat([row(r * 100 + rank, n) for r in range(size)]))
        # Messages between two ranks gloo takes from host memory only.
        host = torch.empty(n, dtype=torch.float64)
        right, left = (rank + 1) % size, (rank - 1) % size
        sending = dist.isend(own.cpu(), right)
        dist.recv(host, left)
        sending.wait()
        expect("send, recv by the host", host.to(device), every[left])
    if rank == 0:
        print(f"PyTorch {torch.__version__}, {size} ranks on {torch.cuda.device_count()} devices: {', '.join(passed)}", flush=True)
    dist.destroy_process_group()


if __name__ == "__main__":
    size = int(sys.argv[1])
    rendezvous = os.path.join(os.environ["TMPDIR"], "rendezvous")
    processes.spawn(work, args=(size, rendezvous), nprocs=size)
    print("done")
