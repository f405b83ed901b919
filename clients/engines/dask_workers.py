"""Dask-CUDA's cluster of this machine: a worker for each device that NVML tells of; Numba's kernels run inside."""
import os

from dask_cuda import LocalCUDACluster
from distributed import Client

from sums import total


def part(first, n):
    return total(first, n), os.environ["CUDA_VISIBLE_DEVICES"].split(",")[0]


if __name__ == "__main__":
    with LocalCUDACluster(dashboard_address=None) as cluster, Client(cluster) as client:
        client.wait_for_workers(1)
        workers = client.scheduler_info(n_workers=-1)["workers"]
        print(f"{len(workers)} workers")
        n = 10_000
        results = client.gather([client.submit(part, i * n, n) for i in range(24)])
        found = sum(result[0] for result in results)
        print(f"24 tasks: the sum is {found}, on devices {sorted({result[1] for result in results})}")
        assert found == sum(range(24 * n))
        assert len(workers) == 3
    print("done")
