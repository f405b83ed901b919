#!/usr/bin/env python3
"""What `cuda.core` reaches of the driver node by node and buffer by buffer: graphs that are defined, changed and updated, memory that moves
between devices and host, copies in batches, pools that processes share, virtual memory, textures and descriptors of tensors."""
import gc
import multiprocessing
import os
import tempfile

import numpy as np
from cuda.bindings import driver
from cuda.core import (Device, DeviceMemoryResource, DeviceMemoryResourceOptions, Event, EventOptions, GraphMemoryResource, Host,
                       LaunchConfig, LegacyPinnedMemoryResource, ManagedBuffer, ManagedMemoryResource, PinnedMemoryResource,
                       PinnedMemoryResourceOptions, Program, ProgramOptions, VirtualMemoryResource, VirtualMemoryResourceOptions, launch,
                       utils)
from cuda.core.graph import GraphCompleteOptions, GraphDefinition, KernelNode
from cuda.core.texture import MipmappedArrayOptions, OpaqueArrayOptions, ResourceDescriptor, TextureObjectOptions

SOURCE = r"""
extern "C" __global__ void nothing() {}
extern "C" __global__ void add_one(int *a) { atomicAdd(a, 1); }
extern "C" __global__ void extents(int *a) { if (!threadIdx.x && !blockIdx.x) *a = gridDim.x * 1000 + blockDim.x; }
extern "C" __global__ void sample(unsigned long long texture, float *out) { *out = tex2D<float>(texture, 1.5f, 2.5f); }
"""
ONE = LaunchConfig(grid=1, block=1)


def numbers(count=4):
    """A pinned buffer of zeros, its address, and NumPy's view of it."""
    buffer = LegacyPinnedMemoryResource().allocate(count * 4)
    array = np.from_dlpack(buffer).view(np.int32)
    array[:] = 0
    return buffer, int(buffer.handle), array


def fails(what, *arguments, **options):
    """The error that something gives which has to give one."""
    try:
        what(*arguments, **options)
    except Exception as error:
        return str(error)
    raise AssertionError(f"{what} did not fail")


def run(stream, graph):
    graph.launch(stream)
    stream.sync()


def definitions(device, stream, kernels):
    graph = GraphDefinition()
    first, second = graph.allocate(1024), graph.allocate(1024)
    assert (first.bytesize, first.device_id, first.memory_type, first.peer_access) == (1024, 0, "device", ())
    both = graph.join(first, second)
    assert both.pred == {first, second} and both.succ == set()
    halves = both.memset(first.dptr, b"\xab\xcd", 512)
    assert (halves.value, halves.element_size, halves.width, halves.height) == (0xcdab, 2, 512, 1)
    rows = halves.memset(first.dptr, 0xff, 256, height=4, pitch=256)
    assert (rows.value, rows.width, rows.height, rows.pitch) == (0xff, 256, 4, 256)
    copy = rows.memcpy(second.dptr, first.dptr, 1024)
    assert (copy.dst, copy.src, copy.size) == (second.dptr, first.dptr, 1024)
    kernel = copy.launch(LaunchConfig(grid=(2, 3, 1), block=(32, 4, 1), shmem_size=128), kernels["nothing"])
    event = device.create_event()
    wait = kernel.record(event).wait(event)
    assert wait.event == event
    child = GraphDefinition()
    child.launch(ONE, kernels["nothing"])
    called = []
    last = wait.embed(child).callback(lambda: called.append(1))
    last = last.deallocate(first.dptr).deallocate(second.dptr)
    run(stream, graph.instantiate())
    assert called == [1] and len(graph.nodes()) == 13 and len(graph.edges()) == 12, (graph.nodes(), graph.edges())
    # What the driver tells of a node that nobody holds any more.
    del kernel
    gc.collect()
    kernel, = (node for node in graph.nodes() if isinstance(node, KernelNode))
    assert (kernel.grid, kernel.block, kernel.shmem_size) == ((2, 3, 1), (32, 4, 1), 128) and kernel.kernel == kernels["nothing"]
    name = os.path.join(tempfile.mkdtemp(), "graph")
    graph.debug_dot_print(name)
    with open(name) as file:
        assert file.read().startswith("digraph")
    print("graphs by nodes: right")


def changes(device, stream, kernels):
    graph, other = GraphDefinition(), GraphDefinition()
    a, b, c = (graph.empty() for _ in range(3))
    a.succ = {b, c}
    a.succ = {c}
    a.succ.add(b)
    b.destroy()
    assert not b.is_valid and a.succ == {c} and graph.nodes() == {a, c} and graph.edges() == {(a, c)}
    fails(a.succ.add, b)
    fails(a.succ.add, a)
    fails(a.succ.add, other.empty())
    c.succ.add(a)
    assert "cycles" in fails(graph.instantiate)
    fails(graph.allocate, 0)
    # Nodes around memory of a graph stay.
    memory = other.allocate(4)
    behind = memory.callback(lambda: None)
    assert "NOT_SUPPORTED" in fails(behind.destroy) and behind.is_valid and (memory, behind) in other.edges()
    # Of a condition there is one node, in its own graph.
    condition = graph.create_condition(1)
    graph.if_then(condition)
    fails(graph.if_then, condition)
    fails(other.if_then, graph.create_condition(0))
    print("changes of graphs: right")


def updates(device, stream, kernels):
    buffer, at, found = numbers()

    def gives(graph, *wanted):
        found[:] = 0
        run(stream, graph)
        assert list(found) == list(wanted), found

    # Of a definition, of what was instantiated before and after, and of that alone.
    graph = GraphDefinition()
    node = graph.memset(at, 1, 4)
    before = graph.instantiate()
    node.update(value=2)
    after = graph.instantiate()
    gives(before, 0x01010101, 0, 0, 0)
    gives(after, 0x02020202, 0, 0, 0)
    after[node].update(dst=at + 4, value=3, width=4)
    gives(after, 0, 0x03030303, 0, 0)
    after[node].disable()
    assert not after[node].is_enabled
    gives(after, 0, 0, 0, 0)
    after[node].enable()
    gives(after, 0, 0x03030303, 0, 0)
    graph = GraphDefinition()
    node = graph.launch(ONE, kernels["extents"], at)
    before = graph.instantiate()
    node.update(config=LaunchConfig(grid=4, block=5))
    gives(before, 1001, 0, 0, 0)
    gives(graph.instantiate(), 4005, 0, 0, 0)
    before[node].update(config=ONE, kernel=kernels["add_one"], args=(at + 8,))
    gives(before, 0, 0, 1, 0)
    # Inner graphs, and whole ones, of the same shape.
    inner, same, larger = GraphDefinition(), GraphDefinition(), GraphDefinition()
    inner.launch(ONE, kernels["add_one"], at)
    same.launch(ONE, kernels["add_one"], at + 4)
    larger.launch(ONE, kernels["add_one"], at).launch(ONE, kernels["nothing"])
    graph = GraphDefinition()
    node = graph.embed(inner)
    whole = graph.instantiate()
    whole[node].update(same)
    gives(whole, 0, 1, 0, 0)
    fails(lambda: whole[node].update(larger))
    whole = inner.instantiate()
    whole.update(same)
    gives(whole, 0, 1, 0, 0)
    assert "TOPOLOGY_CHANGED" in fails(whole.update, larger)
    empty = GraphDefinition()
    empty.empty()
    assert "NODE_TYPE_CHANGED" in fails(whole.update, empty)
    called = []
    graph = GraphDefinition()
    node = graph.callback(lambda: called.append("definition"))
    whole = graph.instantiate()
    whole[node].update(lambda: called.append("update"))
    run(stream, whole)
    run(stream, graph.instantiate())
    assert called == ["update", "definition"], called
    # Memory of a graph that nobody frees: neither the graph nor another instance begins again.
    pool = GraphMemoryResource(device)
    builder = device.create_graph_builder().begin_building("thread_local")
    memory = pool.allocate(4096, stream=builder)
    launch(builder, ONE, kernels["add_one"], memory)
    whole = builder.end_building().complete()
    whole.launch(stream)
    fails(whole.launch, stream)
    stream.sync()
    assert pool.attributes.used_mem_current > 0
    fails(builder.complete)
    whole.close()
    whole = builder.complete(GraphCompleteOptions(auto_free_on_launch=True))
    run(stream, whole)
    run(stream, whole)
    buffer.close()
    print("updates of graphs: right")


def managed(device, stream):
    def last(buffer):
        attribute = driver.CUmem_range_attribute.CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION
        return driver.cuMemRangeGetAttribute(4, attribute, buffer.handle, buffer.size)[1]

    pool = ManagedMemoryResource()
    buffers = [pool.allocate(4096, stream=stream) for _ in range(3)]
    for places, wanted in ((device, [0, 0, 0]), ([Host(), device, Host()], [-1, 0, -1])):
        utils.prefetch_batch(stream, buffers, places)
        stream.sync()
        assert [last(buffer) for buffer in buffers] == wanted
    utils.discard_batch(stream, buffers)
    utils.discard_prefetch_batch(stream, buffers, device)
    stream.sync()
    assert [last(buffer) for buffer in buffers] == [0, 0, 0]
    address = driver.cuMemAllocManaged(8192, driver.CUmemAttach_flags.CU_MEM_ATTACH_GLOBAL)[1]
    buffer = ManagedBuffer.from_handle(int(address), 8192)
    for value in (True, False):
        buffer.read_mostly = value
        assert buffer.read_mostly is value
    for value in (device, Host(), None):
        buffer.preferred_location = value
        assert buffer.preferred_location == value
    buffer.accessed_by = {device, Host()}
    buffer.accessed_by.discard(device)
    assert device not in buffer.accessed_by and Host() in buffer.accessed_by
    assert driver.cuMemFree(address)[0] == driver.CUresult.CUDA_SUCCESS
    memory = device.allocate(4096, stream=stream)
    fails(setattr, ManagedBuffer.from_handle(int(memory.handle), 4096, owner=memory), "read_mostly", True)
    print("managed memory: right")


def batches(device, stream):
    sizes = (1024, 2048, 512, 4096)
    sources, back = ([LegacyPinnedMemoryResource().allocate(size) for size in sizes] for _ in range(2))
    for number, source in enumerate(sources):
        np.from_dlpack(source)[:] = number + 1
    for order in (None, "stream", "any", "during_api_call"):
        memory = [device.memory_resource.allocate(size, stream=stream) for size in sizes]
        options = order and utils.CopyOptions(src_access_order=order)
        utils.copy_batch(stream, sources, memory, options=options)
        for buffer in back:
            np.from_dlpack(buffer)[:] = 0
        utils.copy_batch(stream, memory, back)
        stream.sync()
        assert all((np.from_dlpack(buffer) == number + 1).all() for number, buffer in enumerate(back)), order
    print("copies in batches: right")


def other_process(answers, buffers, event):
    device = Device(0)
    device.set_current()
    stream = device.create_stream()
    Event.from_ipc_descriptor(event).sync()
    for buffer in buffers:
        seen = LegacyPinnedMemoryResource().allocate(buffer.size)
        buffer.copy_to(seen, stream=stream)
        stream.sync()
        assert buffer.is_mapped and (np.from_dlpack(seen) == 7).all()
        np.from_dlpack(seen)[:] = 42
        buffer.copy_from(seen, stream=stream)
    stream.sync()
    answers.put([buffer.size for buffer in buffers])


def shared(device, stream):
    context = multiprocessing.get_context("spawn")
    pools = (DeviceMemoryResource(device, DeviceMemoryResourceOptions(max_size=1 << 21, ipc_enabled=True)),
             PinnedMemoryResource(PinnedMemoryResourceOptions(max_size=1 << 21, ipc_enabled=True)))
    buffers = [pool.allocate(size, stream=stream) for pool in pools for size in (64, 128)]
    seen = LegacyPinnedMemoryResource().allocate(128)
    np.from_dlpack(seen)[:] = 7
    for buffer in buffers:
        driver.cuMemcpyAsync(int(buffer.handle), int(seen.handle), buffer.size, stream.handle)
    event = stream.record(options=EventOptions(ipc_enabled=True))
    answers = context.Queue()
    other = context.Process(target=other_process, args=(answers, buffers, event.ipc_descriptor))
    other.start()
    assert answers.get(timeout=120) == [64, 128, 64, 128]
    other.join(60)
    for buffer in buffers:
        driver.cuMemcpyAsync(int(seen.handle), int(buffer.handle), buffer.size, stream.handle)
        stream.sync()
        assert (np.from_dlpack(seen)[:buffer.size] == 42).all()
    print("pools of several processes: right")


def virtual(device):
    for kind in ("posix_fd", None):
        memory = VirtualMemoryResource(device, VirtualMemoryResourceOptions(handle_type=kind))
        buffer = memory.allocate(4096)
        assert buffer.size >= 4096 and buffer.device_id == device.device_id
        buffer.close()
    print("virtual memory: right")


class Floats:
    """Memory of the device as floats in a shape."""

    def __init__(self, buffer, shape):
        self.buffer = buffer
        self.__cuda_array_interface__ = {"shape": shape, "typestr": "<f4", "data": (int(buffer.handle), False), "version": 3}


def textures(device, stream, kernels):
    array = device.create_opaque_array(OpaqueArrayOptions(shape=(16, 8), format=np.float32, num_channels=1))
    data, back = np.arange(128, dtype=np.float32), np.zeros(128, np.float32)
    array.copy_from(data, stream=stream)
    array.copy_to(back, stream=stream)
    stream.sync()
    assert (back == data).all()
    options = TextureObjectOptions(address_mode="clamp", filter_mode="linear", normalized_coords=False)
    texture = device.create_texture_object(resource=ResourceDescriptor.from_opaque_array(array), options=options)
    buffer, at, found = numbers(1)
    launch(stream, ONE, kernels["sample"], np.uint64(int(texture.handle)), at)
    stream.sync()
    assert found.view(np.float32)[0] == 33, found
    levels = device.create_mipmapped_array(MipmappedArrayOptions(shape=(64, 32), format=np.uint8, num_channels=4, num_levels=4))
    assert [levels.get_level(level).shape for level in range(4)] == [(64, 32), (32, 16), (16, 8), (8, 4)]
    if device.properties.tensor_map_access_supported:
        view = utils.StridedMemoryView.from_any_interface(Floats(device.allocate(64 * 64 * 4, stream=stream), (64, 64)), stream_ptr=-1)
        view.as_tensor_map((32, 32)).replace_address(view)
        fails(view.as_tensor_map, (512, 32))
    print("textures: right")


def main():
    device = Device(0)
    device.set_current()
    stream = device.create_stream()
    program = Program(SOURCE, code_type="c++", options=ProgramOptions(std="c++17", arch=f"sm_{device.arch}"))
    module = program.compile("cubin")
    kernels = {name: module.get_kernel(name) for name in ("nothing", "add_one", "extents", "sample")}
    definitions(device, stream, kernels)
    changes(device, stream, kernels)
    updates(device, stream, kernels)
    managed(device, stream)
    batches(device, stream)
    shared(device, stream)
    virtual(device)
    textures(device, stream, kernels)
    stream.close()
    print("done")


if __name__ == "__main__":
    main()
