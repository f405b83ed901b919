"""Calls every function of nvidia-ml-py on our library: none is missing, none crashes, and what it tells is what the driver tells.

    surface.py LIBRARIES    LIBRARIES: the folder of libnvidia-ml.so.1 and libcuda.so.1
"""
import ctypes
import inspect
import os
import re
import sys

import pynvml

folder = sys.argv[1]
failed = 0


def check(name, found, expected):
    global failed
    if found != expected:
        failed += 1
        print(f"FAILED {name}: {found!r} instead of {expected!r}")


# Every function that the module asks the library for is there.
source = inspect.getsource(pynvml)
names = sorted(set(re.findall(r'_nvmlGetFunctionPointer\("(\w+)"\)', source)))
library = ctypes.CDLL(f"{folder}/libnvidia-ml.so.1")
check("missing symbols", [name for name in names if not hasattr(library, name)], [])

# The module opens the library by its name.
assert pynvml.nvmlLib is None
pynvml.nvmlLib = library

# Every function of the module, with nothing, with what it may expect, with NULL; before the library is started and after.
functions = [f for name, f in sorted(vars(pynvml).items()) if name.startswith("nvml") and inspect.isfunction(f)]
functions = [f for f in functions if f.__name__ not in ("nvmlInit", "nvmlInitWithFlags", "nvmlShutdown", "nvmlExceptionClass")]
calls = answered = 0


def call(function, arguments):
    global calls, answered
    calls += 1
    try:
        function(*arguments)
        answered += 1
        return 0
    except pynvml.NVMLError as error:
        return error.value
    except (TypeError, AttributeError, ValueError, ctypes.ArgumentError, OverflowError, IndexError, KeyError):
        # The module itself did not like the arguments, or an empty answer.
        return None


def candidates(parameter, device):
    name = parameter.name.lower()
    if parameter.default is not inspect.Parameter.empty:
        return [parameter.default]
    if name in ("handle", "device", "device1", "device2", "migdevice", "handle1", "handle2"):
        return [device, None, ctypes.c_void_p(0x1000)]
    if "uuid" in name or "busid" in name or "serial" in name:
        return [b"nothing", b"", None]
    # Sizes are what the module itself makes room for.
    return [0, 1, 1 << 10 if "size" in name or "count" in name else 1 << 31, None, ctypes.c_void_p(0)]


def everything(device, expected=None):
    for function in functions:
        parameters = list(inspect.signature(function).parameters.values())
        choices = [candidates(parameter, device) for parameter in parameters]
        first = [choice[0] for choice in choices]
        variants = [first] + [first[:at] + [value] + first[at + 1 :] for at, choice in enumerate(choices) for value in choice[1:]]
        for arguments in variants:
            # Whoever waits without end waits for ever.
            if function.__name__.startswith("nvmlEventSetWait") and arguments[-1] not in (0, 1):
                continue
            result = call(function, arguments)
            if expected is not None and result not in (None, 0, *expected):
                check(f"{function.__name__} before nvmlInit", result, expected)


# The module refuses some arguments itself.
BEFORE = (pynvml.NVML_ERROR_UNINITIALIZED, pynvml.NVML_ERROR_INVALID_ARGUMENT, pynvml.NVML_ERROR_ARGUMENT_VERSION_MISMATCH)
everything(ctypes.c_void_p(0x1000), expected=BEFORE)
pynvml.nvmlInit()
everything(pynvml.nvmlDeviceGetHandleByIndex(0))

# What the driver tells. It is not to be told which devices it may see.
os.environ.pop("CUDA_VISIBLE_DEVICES", None)
cuda = ctypes.CDLL(f"{folder}/libcuda.so.1")
cuda.cuInit(0)
count = ctypes.c_int()
cuda.cuDeviceGetCount(ctypes.byref(count))
check("count", pynvml.nvmlDeviceGetCount(), count.value)


def attribute(number, ordinal):
    value = ctypes.c_int()
    cuda.cuDeviceGetAttribute(ctypes.byref(value), number, ordinal)
    return value.value


version = ctypes.c_int()
cuda.cuDriverGetVersion(ctypes.byref(version))
check("CUDA version", pynvml.nvmlSystemGetCudaDriverVersion(), version.value)
handles = [pynvml.nvmlDeviceGetHandleByIndex(index) for index in range(count.value)]
for ordinal, handle in enumerate(handles):
    name, bus, uuid, total = ctypes.create_string_buffer(256), ctypes.create_string_buffer(32), (ctypes.c_ubyte * 16)(), ctypes.c_size_t()
    cuda.cuDeviceGetName(name, 256, ordinal)
    cuda.cuDeviceGetPCIBusId(bus, 32, ordinal)
    cuda.cuDeviceGetUuid_v2(uuid, ordinal)
    cuda.cuDeviceTotalMem_v2(ctypes.byref(total), ordinal)
    digits = bytes(uuid).hex()
    text = f"GPU-{digits[:8]}-{digits[8:12]}-{digits[12:16]}-{digits[16:20]}-{digits[20:]}"
    check("name", pynvml.nvmlDeviceGetName(handle), name.value.decode())
    check("UUID", pynvml.nvmlDeviceGetUUID(handle), text)
    check("index", pynvml.nvmlDeviceGetIndex(handle), ordinal)
    pci = pynvml.nvmlDeviceGetPciInfo(handle)
    check("address", pci.busIdLegacy.lower(), bus.value.decode().lower())
    check("address in parts", (pci.domain, pci.bus, pci.device), tuple(attribute(n, ordinal) for n in (50, 33, 34)))
    check("compute capability", pynvml.nvmlDeviceGetCudaComputeCapability(handle), (attribute(75, ordinal), attribute(76, ordinal)))
    memory = pynvml.nvmlDeviceGetMemoryInfo(handle, version=pynvml.nvmlMemory_v2)
    check("memory", memory.total - memory.reserved, total.value)
    check("free and used memory", memory.free + memory.used, total.value)
    old = pynvml.nvmlDeviceGetMemoryInfo(handle)
    check("memory, the old form", (old.total, old.free, old.used), (memory.total, memory.free, memory.used + memory.reserved))
    check("compute mode", pynvml.nvmlDeviceGetComputeMode(handle), attribute(20, ordinal))
    check("bus width", pynvml.nvmlDeviceGetMemoryBusWidth(handle), attribute(37, ordinal))
    check("highest clock", pynvml.nvmlDeviceGetMaxClockInfo(handle, pynvml.NVML_CLOCK_SM), attribute(13, ordinal) // 1000)
    check("ECC", pynvml.nvmlDeviceGetEccMode(handle)[0], attribute(32, ordinal))
    check("cores", pynvml.nvmlDeviceGetNumGpuCores(handle) % attribute(16, ordinal), 0)
    for way, value in (("UUID", text), ("PciBusId", pci.busId), ("PciBusId", bus.value)):
        found = getattr(pynvml, f"nvmlDeviceGetHandleBy{way}")(value)
        check(f"handle by {way}", pynvml.nvmlDeviceGetIndex(found), ordinal)
    for other, peer in enumerate(handles):
        if other == ordinal:
            continue
        can = ctypes.c_int()
        cuda.cuDeviceCanAccessPeer(ctypes.byref(can), ordinal, other)
        # The module's own name for reading is no number.
        status = pynvml.nvmlDeviceGetP2PStatus(handle, peer, 0)
        check("access to peers", status == pynvml.NVML_P2P_STATUS_OK, bool(can.value))
        level = pynvml.nvmlDeviceGetTopologyCommonAncestor(handle, peer)
        near = [pynvml.nvmlDeviceGetIndex(found) for found in pynvml.nvmlDeviceGetTopologyNearestGpus(handle, level)]
        check("nearest devices", other in near, True)
check("processes", [pynvml.nvmlDeviceGetComputeRunningProcesses(handle) for handle in handles], [[]] * len(handles))

pynvml.nvmlShutdown()
result = library.nvmlDeviceGetCount_v2(ctypes.byref(ctypes.c_uint()))
check("after nvmlShutdown", result, pynvml.NVML_ERROR_UNINITIALIZED)
print(f"nvidia-ml-py: {len(names)} symbols, {len(functions)} functions, {calls} calls of which {answered} gave an answer, {failed} failed")
sys.exit(failed > 0)
