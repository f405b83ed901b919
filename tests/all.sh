#!/bin/bash
# Every test, in order of how quickly it tells something. `make test` calls this; so does continuous integration.
set -u
cd "$(dirname "$0")/.." || exit 1
failed=() passed=()
step() { # name, command...
    local name=$1
    shift
    echo "==> $name"
    if "$@"; then passed+=("$name"); else failed+=("$name"); echo "FAILED: $name"; fi
}
# The same while the next step runs, on the other core. `meet` waits for it and says what came of it.
beside() { # name, command...
    beside=$1
    shift
    log=$(mktemp)
    "$@" >"$log" 2>&1 &
    pid=$!
}
meet() {
    [ -n "$pid" ] || return
    wait "$pid"
    local rc=$?
    echo "==> $beside"
    cat "$log"
    rm -f "$log"
    if [ $rc = 0 ]; then passed+=("$beside"); else failed+=("$beside"); echo "FAILED: $beside"; fi
    pid=
}
pid=
step "header and status table are fresh" cargo run --quiet --locked -p doppel-header -- --check
step "Rust tests" cargo test --workspace --quiet --locked
step "exports" c-tests/abi/check_exports.sh build/lib/libcuda.so.1
step "ABI against NVIDIA's header" c-tests/abi/run.sh
step "C tests" c-tests/run.sh
step "C tests, lazy schedule" c-tests/run.sh --schedule lazy
step "C tests, random schedule" c-tests/run.sh --schedule random:7
if command -v valgrind >/dev/null; then
    beside "C tests under valgrind" c-tests/run.sh --valgrind
else
    echo "valgrind is not installed: its run of the C tests is left out"
fi
step "C tests with AddressSanitizer" c-tests/run.sh --asan
meet
step "status table of the CUDA runtime is fresh" crates/cudart/status.sh --check
step "PTX instruction forms against NVIDIA's assembler" tests/ptx/forms.sh
step "names of matrix instructions as the assembler has them" tests/ptx/matrix.sh
step "PTX instructions against what an H200 gave" tests/ptx/hardware.sh
step "pairs of 16-bit operands against what an H200 gave" tests/ptx/sixteen.sh
step "texture and surface instructions against what an H200 gave" tests/ptx/texture.sh
step "random kernels against what an H200 gave" tests/ptx/random.sh
beside "CUDA runtime: exports, layout, programs compiled by nvcc" tests/cudart/run.sh
step "CUDA runtime: programs with kernels" tests/cudart/kernels.sh
meet
step "memory checker on nvcc's programs" tests/cudart/check.sh
step "CUDA runtime: its driver calls" tests/cudart/trace/run.sh
step "launcher" tests/launcher.sh
step "clients" clients/run.sh
step "oracle" tests/oracle/run.sh
step "random sequences of calls against what an H200 answered" tests/oracle/sequences.sh
if nvidia-smi -L 2>/dev/null | grep -q GPU; then
    step "forward mode on this machine's GPU" tests/gpu/run.sh
else
    echo "this machine has no GPU: the proof of forward mode (tests/gpu/run.sh, docs/FORWARD.md) is left out"
fi
echo
[ ${#failed[@]} = 0 ] || printf 'failed: %s\n' "${failed[@]}"
echo "${#passed[@]} passed, ${#failed[@]} failed"
[ ${#failed[@]} = 0 ]
