"""Ray finds the devices of the machine by itself, and gives tasks and actors their shares of them; Numba's kernels run inside.

    ray_tasks.py                 on this host, half a device for each task
    ray_tasks.py ADDRESS FILE    in a cluster that runs, a device for each task. The file has a line for each task that begins; FILE.now
                                 is made when a quarter of the tasks is done and every host has begun some
"""
import os
import sys
import time

import numpy as np
import ray

from sums import kernel, total

TASKS, NUMBERS = 64, 10_000
address, signal = sys.argv[1:] if len(sys.argv) > 1 else (None, None)
share = 1 if address else 0.5
own = {} if address else {"num_cpus": 4, "include_dashboard": False}
ray.init(address=address, **own, logging_level="error", log_to_driver=False)
print(f"Ray {ray.__version__} finds {ray.cluster_resources()['GPU']:.0f} devices on {len(ray.nodes())} hosts", flush=True)


def begun():
    """The hosts of the tasks that have begun, one for each time."""
    return open(signal).read().splitlines()


# A worker stays for more than one task, which is not what Ray does with devices unless it is told.
@ray.remote(num_gpus=share, max_retries=10, max_calls=0)
def part(first, n):
    node = os.environ.get("DOPPEL_NODE", "")
    if signal:
        with open(signal, "a") as file:
            file.write(node + "\n")
        # Some are in the middle of their work whenever a host is lost; and no host is late for it.
        time.sleep(0.5)
        late = time.monotonic() + 60
        while len(set(begun())) < hosts and time.monotonic() < late:
            time.sleep(0.1)
    return total(first, n), node, os.environ["CUDA_VISIBLE_DEVICES"]


@ray.remote(num_gpus=share)
class Counter:
    """Keeps a number in device memory."""

    def __init__(self):
        from numba import cuda

        self.memory = cuda.to_device(np.zeros(1, np.int64))

    def add(self, value):
        kernel()[1, 32](self.memory, value, 1)
        return int(self.memory.copy_to_host()[0])

    def device(self):
        return ray.get_gpu_ids()[0]


hosts = len(ray.nodes())
if signal:
    open(signal, "w").close()
waiting = [part.remote(i * NUMBERS, NUMBERS) for i in range(TASKS)]
results = []
while waiting:
    done, waiting = ray.wait(waiting)
    results += ray.get(done)
    if signal and len(results) >= TASKS // 4 and len(set(begun())) == hosts:
        open(signal + ".now", "w").close()
found = sum(result[0] for result in results)
places = {result[1:] for result in results}
print(f"{TASKS} tasks with {share} of a device each: the sum is {found}, on {len(places)} devices of {len({p[0] for p in places})} hosts")
assert found == sum(range(TASKS * NUMBERS))

if signal:
    # Ray starts lost tasks again before it calls the host dead.
    late = time.monotonic() + 60
    while (left := sum(node["Alive"] for node in ray.nodes())) == hosts and time.monotonic() < late:
        time.sleep(0.5)
    print(f"{left} of {hosts} hosts are left; {len(begun()) - TASKS} tasks began again")
    assert left == hosts - 1 and len(begun()) > TASKS
else:
    counters = [Counter.remote() for _ in range(4)]
    assert ray.get([counter.add.remote(5) for counter in counters for _ in range(2)]) == [5, 10] * 4
    devices = sorted(ray.get([counter.device.remote() for counter in counters]))
    print(f"4 actors with half a device each are on devices {devices}")
    assert devices == [0, 0, 1, 1] and len(places) == 2
ray.shutdown()
print("done")
