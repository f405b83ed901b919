"""Two processes send each other device memory by ucxx: tagged messages, small and large, between two devices; the contents are right.

    ucxx_tags.py    starts the other process itself
"""
import asyncio
import os
import subprocess
import sys

import numpy as np
import ucxx
from cuda.bindings import driver

SIZES = 8, 4096, 1 << 20, 64 << 20


def call(result):
    code, *values = result
    if code != driver.CUresult.CUDA_SUCCESS:
        sys.exit(f"a call gives {code!r}")
    return values[0] if values else None


class Memory:
    """Bytes on the current device, as ucxx takes them."""

    def __init__(self, size, value=0):
        self.size = size
        self.address = call(driver.cuMemAlloc(size))
        call(driver.cuMemsetD8(self.address, value, size))
        call(driver.cuCtxSynchronize())

    @property
    def __cuda_array_interface__(self):
        return {"shape": (self.size,), "typestr": "|u1", "data": (int(self.address), False), "version": 3}

    def are(self, value):
        host = np.empty(self.size, np.uint8)
        call(driver.cuMemcpyDtoH(host, self.address, self.size))
        return bool((host == value).all())


def use(device):
    call(driver.cuInit(0))
    context = call(driver.cuDevicePrimaryCtxRetain(device))
    call(driver.cuCtxSetCurrent(context))


async def client(port):
    endpoint = await ucxx.create_endpoint("127.0.0.1", port)
    for size in SIZES:
        received = Memory(size)
        await endpoint.recv(received)
        assert received.are(size % 251 + 1), f"{size} bytes did not come"
        await endpoint.send(Memory(size, size % 251 + 2))
    await endpoint.close()


async def server():
    done = asyncio.Event()

    async def serve(endpoint):
        for size in SIZES:
            await endpoint.send(Memory(size, size % 251 + 1))
            received = Memory(size)
            await endpoint.recv(received)
            assert received.are(size % 251 + 2), f"{size} bytes did not come back"
            print(f"{size} bytes there and back", flush=True)
        await endpoint.close()
        done.set()

    listener = ucxx.create_listener(serve)
    other = subprocess.Popen([sys.executable, __file__, str(listener.port)])
    await asyncio.wait_for(done.wait(), 60)
    assert other.wait(60) == 0


if len(sys.argv) > 1:
    use(1)
    asyncio.run(client(int(sys.argv[1])))
else:
    use(0)
    print(f"ucxx {ucxx.__version__} on UCX {'.'.join(map(str, ucxx.get_ucx_version()))}")
    asyncio.run(server())
    print("done")
