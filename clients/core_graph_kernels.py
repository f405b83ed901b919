#!/usr/bin/env python3
"""What `cuda.core` and `cuda.bindings` reach of the driver beside kernels and memory: graphs with conditional nodes, graphs that kernels
launch, green contexts and
resources of devices, a checkpoint of the process, settings of core dumps, and the error log."""
import ctypes
import os

import numpy as np
from cuda.bindings import driver
from cuda.core import (ContextOptions, Device, LaunchConfig, LegacyPinnedMemoryResource, Linker, LinkerOptions, ObjectCode, Program,
                       ProgramOptions, SMResourceOptions, WorkqueueResourceOptions, checkpoint, launch)
from cuda.core.graph import GraphBuilder, GraphCompleteOptions
from cuda.pathfinder import StaticLibNotFoundError, find_static_lib

SOURCE = r"""
extern "C" __device__ __cudart_builtin__ void CUDARTAPI cudaGraphSetConditional(cudaGraphConditionalHandle handle, unsigned int value);
extern "C" __global__ void nothing() {}
extern "C" __global__ void add_one(int *a) { *a += 1; }
extern "C" __global__ void fill(int *out, int value, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = value;
}
template <typename T> __global__ void choose(cudaGraphConditionalHandle handle, T value) { cudaGraphSetConditional(handle, value); }
extern "C" __global__ void count_down(cudaGraphConditionalHandle handle, int *left) { cudaGraphSetConditional(handle, --*left > 0); }
"""
LAUNCHER = r"""
extern "C" __global__ void go(cudaGraphExec_t graph) { cudaGraphLaunch(graph, cudaStreamGraphTailLaunch); }
"""
ONE = LaunchConfig(grid=1, block=1)


def numbers(pinned, count):
    """A pinned buffer of zeros, and NumPy's view of it."""
    buffer = pinned.allocate(count * 4)
    array = np.from_dlpack(buffer).view(np.int32)
    array[:] = 0
    return buffer, array


def conditions(device, stream, pinned, module):
    add_one, choose = module.get_kernel("add_one"), {int: module.get_kernel("choose<unsigned int>"), bool: module.get_kernel("choose<bool>")}

    def run(builder):
        graph = builder.end_building().complete()
        graph.launch(stream)
        stream.sync()

    def body(branch, first, second):
        """Two kernels behind each other on `first`, between them one on `second` beside another on `first`."""
        branch = branch.begin_building()
        launch(branch, ONE, add_one, first)
        left, right = branch.split(2)
        launch(left, ONE, add_one, first)
        launch(right, ONE, add_one, second)
        GraphBuilder.join(left, right).end_building()

    def address(buffer, n):
        return int(buffer.handle) + 4 * n

    for kind, values in ((bool, (True, False, np.bool_(True), ctypes.c_bool(False))), (int, (0, 1, 7))):
        for value in values:
            chosen = bool(getattr(value, "value", value))
            for otherwise in (False, True):
                buffer, found = numbers(pinned, 3)
                builder = device.create_graph_builder().begin_building()
                handle = builder.create_condition()
                launch(builder, ONE, choose[kind], handle, value)
                branches = builder.if_else(handle) if otherwise else [builder.if_then(handle)]
                body(branches[0], address(buffer, 0), address(buffer, 1))
                if otherwise:
                    body(branches[1], address(buffer, 1), address(buffer, 2))
                launch(builder, ONE, add_one, address(buffer, 0))
                run(builder)
                wanted = [3, 1, 0] if chosen else [1, 2, 1] if otherwise else [1, 0, 0]
                assert list(found) == wanted, (value, otherwise, found)
                buffer.close()
    for value in range(4):
        buffer, found = numbers(pinned, 4)
        builder = device.create_graph_builder().begin_building()
        handle = builder.create_condition()
        launch(builder, ONE, choose[int], handle, value)
        for n, branch in enumerate(builder.switch(handle, 3)):
            body(branch, address(buffer, n), address(buffer, 3))
        run(builder)
        assert list(found) == [2 if n == value else 0 for n in range(3)] + [1 if value < 3 else 0], (value, found)
        buffer.close()
    for value in (0, 1):
        buffer, found = numbers(pinned, 2)
        found[1] = 10
        builder = device.create_graph_builder().begin_building()
        handle = builder.create_condition(default_value=value)
        loop = builder.while_loop(handle)
        loop.begin_building()
        launch(loop, ONE, add_one, address(buffer, 0))
        launch(loop, ONE, module.get_kernel("count_down"), handle, address(buffer, 1))
        loop.end_building()
        launch(builder, ONE, module.get_kernel("nothing"))
        run(builder)
        assert list(found) == ([10, 0] if value else [0, 10]), (value, found)
        buffer.close()
    print("conditional nodes: right")


def launched_by_kernels(device, stream, pinned, module):
    """A graph that a kernel of another one launches, linked with NVIDIA's library for that."""
    try:
        library = find_static_lib("cudadevrt")
    except StaticLibNotFoundError as missing:
        print(f"skipped: {missing}")
        return
    options = ProgramOptions(std="c++17", arch=f"sm_{device.arch}", relocatable_device_code=True)
    part = Program(LAUNCHER, code_type="c++", options=options).compile("ptx")
    go = Linker(part, ObjectCode.from_library(library), options=LinkerOptions(arch=f"sm_{device.arch}")).link("cubin").get_kernel("go")
    buffer, found = numbers(pinned, 1)
    inner = device.create_graph_builder().begin_building()
    launch(inner, ONE, module.get_kernel("add_one"), buffer)
    inner = inner.end_building().complete(options=GraphCompleteOptions(device_launch=True, upload_stream=stream))
    outer = device.create_graph_builder().begin_building()
    launch(outer, ONE, go, int(inner.handle))
    outer = outer.end_building().complete()
    for _ in range(5):
        outer.launch(stream)
    stream.sync()
    assert found[0] == 5, found
    buffer.close()
    print("graphs that kernels launch: right")


def filled(device, stream, pinned, kernel, value):
    """Fills memory of the device by a kernel, and looks."""
    count = 1000
    memory = device.allocate(count * 4, stream=stream)
    buffer, found = numbers(pinned, count)
    launch(stream, LaunchConfig(grid=(count + 31) // 32, block=32), kernel, memory, np.int32(value), np.int32(count))
    memory.copy_to(buffer, stream=stream)
    stream.sync()
    assert (found == value).all()
    memory.close(stream)
    buffer.close()


def green(device, pinned, module):
    fill = module.get_kernel("fill")
    whole, queues = device.resources.sm, []
    assert whole.sm_count > 0 and whole.min_partition_size > 0 and whole.coscheduled_alignment > 0
    if good(driver.cuDriverGetVersion()) >= 13010:
        queues = [device.resources.workqueue]
    else:
        # Older drivers have no such resources, and say so, of devices and of contexts; cuda.core does not ask them.
        kinds = driver.CUdevResourceType
        for kind in (kinds.CU_DEV_RESOURCE_TYPE_WORKQUEUE_CONFIG, kinds.CU_DEV_RESOURCE_TYPE_WORKQUEUE):
            answers = driver.cuDeviceGetDevResource(device.device_id, kind), driver.cuCtxGetDevResource(device.context.handle, kind)
            assert all(code == driver.CUresult.CUDA_ERROR_INVALID_RESOURCE_TYPE for code, _ in answers), answers
        try:
            device.resources.workqueue
        except RuntimeError as refused:
            assert "13.1" in str(refused), refused
        else:
            raise AssertionError("work queues, of a driver that has none")
    for queue in queues:
        assert queue.device.device_id == device.device_id and queue.concurrency_limit >= 1
        queue.configure(WorkqueueResourceOptions(sharing_scope="green_ctx_balanced", concurrency_limit=4))
        assert queue.concurrency_limit == 4
    found = whole.split(SMResourceOptions(count=None))[0]
    assert len(found) == 1 and found[0].sm_count % whole.coscheduled_alignment == 0
    assert whole.split(SMResourceOptions(count=None), dry_run=True)[0][0].sm_count == found[0].sm_count
    part = whole.min_partition_size
    for parts in ((part,), (part, part), (3 * part,) * 3):
        groups, rest = whole.split(SMResourceOptions(count=parts))
        assert all(group.sm_count >= count for group, count in zip(groups, parts)), [group.sm_count for group in groups]
        assert sum(group.sm_count for group in groups) + rest.sm_count <= whole.sm_count
        contexts = [device.create_context(ContextOptions(resources=[group])) for group in groups]
        for value, (context, group) in enumerate(zip(contexts, groups)):
            assert context.is_green and context.resources.sm.sm_count == group.sm_count
            stream = context.create_stream()
            assert stream.context == context and stream.resources.sm.sm_count == group.sm_count
            event = stream.record()
            assert event.context.is_green
            filled(device, stream, pinned, fill, value + 5)
            previous = device.set_current(context)
            assert device.set_current(previous) is context
            stream.close()
        for context in contexts:
            context.close()
    context = device.create_context(ContextOptions(resources=[found[0], *queues]))
    stream = context.create_stream()
    filled(device, stream, pinned, fill, 99)
    stream.close()
    context.close()
    print("green contexts: right")


def through_a_checkpoint(device, stream, pinned, module):
    memory = device.allocate(4000, stream=stream)
    launch(stream, LaunchConfig(grid=32, block=32), module.get_kernel("fill"), memory, np.int32(77), np.int32(1000))
    stream.sync()
    process = checkpoint.Process(os.getpid())
    states = [process.state]
    for step in (lambda: process.lock(timeout_ms=10000), process.checkpoint, process.restore, process.unlock):
        step()
        states.append(process.state)
    assert states == ["running", "locked", "checkpointed", "locked", "running"], states
    buffer, found = numbers(pinned, 1000)
    memory.copy_to(buffer, stream=stream)
    stream.sync()
    assert (found == 77).all()
    memory.close(stream)
    buffer.close()
    print("checkpoint: right")


def good(answer):
    """What a call of `cuda.bindings` gives beside its result, which has to be success."""
    assert answer[0] == driver.CUresult.CUDA_SUCCESS, answer
    return answer[1] if len(answer) == 2 else answer[1:]


def core_dumps():
    setting = driver.CUcoredumpSettings
    wanted = {setting.CU_COREDUMP_TRIGGER_HOST: False, setting.CU_COREDUMP_FILE: b"a file", setting.CU_COREDUMP_PIPE: b"a pipe",
              setting.CU_COREDUMP_LIGHTWEIGHT: True}
    for name, value in wanted.items():
        good(driver.cuCoredumpSetAttributeGlobal(name, value))
    for name, value in wanted.items():
        found = good(driver.cuCoredumpGetAttributeGlobal(name))
        assert found == value, (name, found)
    print("settings of core dumps: right")


def logs():
    said = []
    callback = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int, ctypes.POINTER(ctypes.c_char), ctypes.c_size_t)

    @callback
    def listen(_, level, message, length):
        said.append((level, message[:length].decode()))

    where = ctypes.cast(listen, ctypes.c_void_p).value
    handle = good(driver.cuLogsRegisterCallback(driver.CUlogsCallback(where), 0))
    before = good(driver.cuLogsCurrent(0))
    assert driver.cuMemAlloc(0)[0] == driver.CUresult.CUDA_ERROR_INVALID_VALUE
    good(driver.cuLogsUnregisterCallback(handle))
    assert said and any("cuMemAlloc" in message for _, message in said), said
    text = bytearray(4096)
    good(driver.cuLogsDumpToMemory(before, bytes(text), len(text), 0))
    heard = len(said)
    assert driver.cuMemAlloc(0)[0] == driver.CUresult.CUDA_ERROR_INVALID_VALUE
    assert len(said) == heard, "nobody listens any more"
    print(f"error log: right; {said[0][1]}")


def main():
    device = Device(0)
    device.set_current()
    stream = device.create_stream()
    pinned = LegacyPinnedMemoryResource()
    program = Program(SOURCE, code_type="c++", options=ProgramOptions(std="c++17", arch=f"sm_{device.arch}"))
    module = program.compile("cubin", name_expressions=("choose<bool>", "choose<unsigned int>"))
    conditions(device, stream, pinned, module)
    launched_by_kernels(device, stream, pinned, module)
    green(device, pinned, module)
    through_a_checkpoint(device, stream, pinned, module)
    core_dumps()
    logs()
    stream.close()
    print("done")


main()
