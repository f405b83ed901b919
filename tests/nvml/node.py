"""What processes of one node see of each other through the management library: a compute mode holds for all of them, and how busy
one keeps a device the others are told. Prints what is wrong.

    node.py LIBRARIES NVIDIA_SMI    the test
    node.py LIBRARIES ROLE WORD     one of its processes: says what it did, and stays until its input ends
"""
import ctypes
import os
import select
import subprocess
import sys

libraries, role = sys.argv[1:3]
PTX = b""".version 7.0
.target sm_70
.address_size 64
.visible .entry wait(.param .u64 word) {
    .reg .u64 %rd<2>;
    .reg .u32 %r<2>;
    .reg .pred %p<2>;
    ld.param.u64 %rd1, [word];
again:
    ld.volatile.global.u32 %r1, [%rd1];
    setp.eq.u32 %p1, %r1, 0;
    @%p1 bra again;
    ret;
}
"""
COMPUTE_MODE = 20
DEVICE_UNAVAILABLE = 46


def driver():
    cuda = ctypes.CDLL(f"{libraries}/libcuda.so.1")
    assert cuda.cuInit(0) == 0
    return cuda


def mode_in_driver(cuda, device):
    value = ctypes.c_int(-1)
    assert cuda.cuDeviceGetAttribute(ctypes.byref(value), COMPUTE_MODE, device) == 0
    return value.value


def stays():
    """Whether the test still wants this process."""
    return not select.select([sys.stdin], [], [], 0)[0]


def context(device):
    """Says what making contexts gives: the primary one, and another."""
    cuda, primary, other = driver(), ctypes.c_void_p(), ctypes.c_void_p()
    results = [cuda.cuDevicePrimaryCtxRetain(ctypes.byref(primary), device), cuda.cuCtxCreate_v2(ctypes.byref(other), 0, device)]
    print(mode_in_driver(cuda, device), *results, flush=True)
    sys.stdin.read()


def busy(kind):
    cuda, primary, memory = driver(), ctypes.c_void_p(), ctypes.c_uint64()
    size = 8 << 20
    assert cuda.cuDevicePrimaryCtxRetain(ctypes.byref(primary), 1) == 0 and cuda.cuCtxSetCurrent(primary) == 0
    assert cuda.cuMemAlloc_v2(ctypes.byref(memory), ctypes.c_size_t(2 * size)) == 0
    print("ready", flush=True)
    if kind == "copies":
        target = ctypes.c_uint64(memory.value + size)
        while stays():
            assert cuda.cuMemcpyDtoD_v2(target, memory, ctypes.c_size_t(size)) == 0 and cuda.cuCtxSynchronize() == 0
    else:
        module, function, word = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p()
        assert cuda.cuMemAllocHost_v2(ctypes.byref(word), ctypes.c_size_t(4)) == 0
        flag = ctypes.cast(word, ctypes.POINTER(ctypes.c_uint32))
        flag[0] = 0
        assert cuda.cuModuleLoadData(ctypes.byref(module), PTX) == 0
        assert cuda.cuModuleGetFunction(ctypes.byref(function), module, b"wait") == 0
        parameters = (ctypes.c_void_p * 1)(ctypes.addressof(word))
        assert cuda.cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, None, parameters, None) == 0
        sys.stdin.read()
        flag[0] = 1
        assert cuda.cuCtxSynchronize() == 0


if role == "context":
    sys.exit(context(int(sys.argv[3])))
if role == "busy":
    sys.exit(busy(sys.argv[3]))

smi = role
failed = 0
os.environ.update(DOPPEL_NODE=f"test {os.getpid()}", DOPPEL_DEVICES="3")
import pynvml  # noqa: E402: it loads the library that the environment names

pynvml.nvmlInit()
handles = [pynvml.nvmlDeviceGetHandleByIndex(index) for index in range(3)]


def check(what, expected, found):
    global failed
    if expected != found:
        failed += 1
        print(f"FAILED {what}: expected {expected}, got {found}")


def begin(*words):
    """Another process, and its first line."""
    command = [sys.executable, __file__, libraries, *words]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    return process, process.stdout.readline().split()


def end(process):
    process.stdin.close()
    check("how a process ended", 0, process.wait())


def contexts(device):
    """The mode and the results of a process that ends."""
    process, said = begin("context", str(device))
    end(process)
    return [int(word) for word in said]


def run(*words):
    done = subprocess.run([smi, *words], stdout=subprocess.PIPE, text=True)
    return done.returncode, done.stdout


def rates():
    found = pynvml.nvmlDeviceGetUtilizationRates(handles[1])
    return found.gpu, found.memory


def error(function, *arguments):
    try:
        return function(*arguments)
    except pynvml.NVMLError as found:
        return found.value


# Compute modes.
address = pynvml.nvmlDeviceGetPciInfo(handles[1]).busId
check("contexts at first", [0, 0, 0], contexts(1))
check("nvidia-smi -c", (0, f"Set compute mode to EXCLUSIVE_PROCESS for GPU {address}.\nAll done.\n"), run("-i", "1", "-c", "EXCLUSIVE_PROCESS"))
check("it is kept without a process", [0, 3, 0], [pynvml.nvmlDeviceGetComputeMode(handle) for handle in handles])
check("nvidia-smi --query-gpu", "Exclusive_Process\n", run("-i", "1", "--query-gpu=compute_mode", "--format=csv,noheader")[1])
check("a process alone", [3, 0, DEVICE_UNAVAILABLE], contexts(1))
first, said = begin("context", "1")
check("the first process", ["3", "0", str(DEVICE_UNAVAILABLE)], said)
check("a second one", [3, DEVICE_UNAVAILABLE, DEVICE_UNAVAILABLE], contexts(1))
check("another device", [0, 0, 0], contexts(0))
first.kill()
first.wait()
check("after the first was killed", [3, 0, DEVICE_UNAVAILABLE], contexts(1))
pynvml.nvmlDeviceSetComputeMode(handles[1], pynvml.NVML_COMPUTEMODE_PROHIBITED)
check("prohibited", [2, DEVICE_UNAVAILABLE, DEVICE_UNAVAILABLE], contexts(1))
check("contexts of one thread", pynvml.NVML_ERROR_NOT_SUPPORTED, error(pynvml.nvmlDeviceSetComputeMode, handles[1], 1))
check("no mode", pynvml.NVML_ERROR_INVALID_ARGUMENT, error(pynvml.nvmlDeviceSetComputeMode, handles[1], 4))
check("nvidia-smi with a mode that is gone", 3, run("-c", "1")[0])
pynvml.nvmlDeviceSetComputeMode(handles[1], pynvml.NVML_COMPUTEMODE_DEFAULT)
check("contexts at last", [0, 0, 0], contexts(1))

# How busy a device is.
check("nothing runs", (0, 0), rates())
process, said = begin("busy", "copies")
while rates()[1] < 10:
    pass
check("kernels while copies run", 0, rates()[0])
end(process)
while rates() != (0, 0):
    pass
process, said = begin("busy", "kernel")
while min(rates()) < 50:
    pass
shown = run("-i", "1", "--query-gpu=utilization.gpu", "--format=csv,noheader,nounits")[1]
check("nvidia-smi shows it", True, int(shown) >= 50)
check("a monitor shows it", True, int(run("dmon", "-i", "1", "-c", "1")[1].split("\n")[2].split()[4]) >= 50)
check("other devices", 0, pynvml.nvmlDeviceGetUtilizationRates(handles[0]).gpu)
end(process)
while rates() != (0, 0):
    pass
os.environ["DOPPEL_NODE"] = "none"
check("without a node", "[N/A]\n", run("-i", "1", "--query-gpu=utilization.gpu", "--format=csv,noheader")[1])
check("a mode without a node", 3, run("-c", "3")[0])

# Fields, each with its result.
values = pynvml.nvmlDeviceGetFieldValues(handles[0], [pynvml.NVML_FI_DEV_ECC_CURRENT, pynvml.NVML_FI_DEV_NVLINK_LINK_COUNT, 82])
check("results of fields", [0, 0, pynvml.NVML_ERROR_NOT_SUPPORTED], [value.nvmlReturn for value in values])
check("corrected memory", pynvml.nvmlDeviceGetEccMode(handles[0])[0], values[0].value.uiVal)
check("links", (0, pynvml.NVML_VALUE_TYPE_UNSIGNED_INT), (values[1].value.uiVal, values[1].valueType))
check("times", True, 0 < values[0].timestamp <= values[1].timestamp)
print(f"processes of a node: {failed} failed")
sys.exit(failed > 0)
