"""What the tests of the compilers' libraries share."""

import ctypes
import glob
import os
import subprocess
import sys

POINTER = ctypes.c_void_p
# The device of the tests is of compute capability 9.0.
ARCH = b"sm_90"


def real(name):
    """The real library of a name, in the packages of this Python."""
    found = sorted(glob.glob(os.path.join(sys.prefix, "lib", "python*", "site-packages", "nvidia", "*", "lib", name)))
    assert found, f"no {name} in {sys.prefix}"
    return found[0]


def exports(path):
    """The dynamic symbols that a library defines, with their versions."""
    lines = subprocess.run(["nm", "-D", "--defined-only", "--with-symbol-versions", path], capture_output=True, text=True, check=True)
    names = {line.split()[-1] for line in lines.stdout.splitlines()}
    return {name for name in names if "@" in name and not name.startswith("lib")}


class Checks:
    """Counts what is as it should be."""

    def __init__(self, name):
        self.name, self.passed, self.failed = name, 0, 0

    def same(self, what, got, wanted):
        if got == wanted:
            self.passed += 1
        else:
            self.failed += 1
            print(f"FAILED {self.name}: {what}\n  got    {got!r}\n  wanted {wanted!r}", flush=True)

    def true(self, what, got):
        self.same(what, bool(got), True)

    def end(self):
        print(f"{self.name}: {self.passed} passed, {self.failed} failed", flush=True)
        sys.exit(1 if self.failed else 0)


def alone(work):
    """What `work` prints in a process of its own, and the signal that ended it."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        status = 1
        try:
            os.write(writing, repr(work()).encode()[:60000])
            status = 0
        finally:
            os._exit(status)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        text = pipe.read().decode()
    return text, os.waitpid(child, 0)[1]


def again(script, arguments, **environment):
    """Runs this test's script with other arguments in another environment: what it prints on both outputs."""
    done = subprocess.run([sys.executable, script, *arguments], env={**os.environ, **environment}, capture_output=True, text=True, timeout=120)
    return done.returncode, done.stdout, done.stderr


class Driver:
    """Loads and launches kernels through libcuda.so.1."""

    def __init__(self):
        self.cuda = ctypes.CDLL("libcuda.so.1")
        context, device = POINTER(), ctypes.c_int()
        self.call("cuInit", 0)
        self.call("cuDeviceGet", ctypes.byref(device), 0)
        self.call("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
        self.call("cuCtxSetCurrent", context)

    def call(self, name, *arguments):
        code = getattr(self.cuda, name)(*arguments)
        assert code == 0, f"{name}: {code}"

    def run(self, image, kernel, values, *more):
        """The numbers of an array after a kernel has run on them; more are further arrays."""
        module, function = POINTER(), POINTER()
        self.call("cuModuleLoadDataEx", ctypes.byref(module), image, 0, None, None)
        self.call("cuModuleGetFunction", ctypes.byref(function), module, kernel)
        size = 4 * len(values)
        pointers = []
        for array in (values, *more):
            pointer = ctypes.c_uint64()
            self.call("cuMemAlloc_v2", ctypes.byref(pointer), ctypes.c_size_t(size))
            self.call("cuMemcpyHtoD_v2", pointer, (ctypes.c_int * len(array))(*array), ctypes.c_size_t(size))
            pointers.append(pointer)
        arguments = (POINTER * len(pointers))(*[ctypes.addressof(pointer) for pointer in pointers])
        self.call("cuLaunchKernel", function, 1, 1, 1, len(values), 1, 1, 0, None, arguments, None)
        result = (ctypes.c_int * len(values))()
        self.call("cuMemcpyDtoH_v2", result, pointers[0], ctypes.c_size_t(size))
        self.call("cuModuleUnload", module)
        return list(result)
