#!/bin/bash
# Every test, in order of how quickly it tells something. `make test` calls this; so does continuous integration.
#
#   tests/all.sh                    every step
#   tests/all.sh --list             their names
#   tests/all.sh NAME [ARGUMENT...] one of them: a step (arguments go to its command), a C test of c-tests/, or the Rust
#                                   tests whose names contain NAME. `make test TEST="NAME ARGUMENT..."` calls this
#
# A step, and every script and program that a step runs, ends with exit status 77 when it could not run at all, and says why in a
# line `skipped: WHY`. What runs, but without a part, prints `skipped: PART: WHY`. Both are counted as skipped, never as passed.
set -u
cd "$(dirname "$0")/.." || exit 1
# Steps that run beside each other do not share their devices.
export DOPPEL_NODE=${DOPPEL_NODE:-none}
# A step that hangs fails, and the others still run. At a terminal somebody can end it.
limit=()
[ -t 1 ] || limit=(timeout -k 10 900)
passed=() failed=() skipped=() parts=()
list=0 only= arguments=() known=0
case ${1:-} in
    --list) list=1 ;;
    "") ;;
    *) only=$1; shift; arguments=("$@") ;;
esac
logs=$(mktemp -d)
trap 'rm -rf "$logs"' EXIT

# What came of a step: its name, exit status and output.
settle() { # name, exit status, log
    local name=$1 rc=$2 log=$3 line ignored
    case $rc in
        0) passed+=("$name") ;;
        77)
            line=$(sed -n 's/^skipped: //p' "$log" | tail -1)
            skipped+=("$name: ${line:-no reason given}")
            return
            ;;
        124 | 137) failed+=("$name"); echo "FAILED: $name, which did not end in time" ;;
        *) failed+=("$name"); echo "FAILED: $name" ;;
    esac
    while read -r line; do parts+=("$name: $line"); done < <(sed -n 's/^skipped: //p' "$log")
    ignored=$(grep -oE '^test result: .*[0-9]+ ignored' "$log" | grep -oE '[0-9]+ ignored' | awk '{ n += $1 } END { print n + 0 }')
    [ "$ignored" = 0 ] || parts+=("$name: $ignored Rust tests are ignored")
}
# Whether a step is asked for.
asked() { # name, title
    [ $list = 0 ] || { printf '%-14s %s\n' "$1" "$2"; return 1; }
    [ -z "$only" ] || [ "$only" = "$1" ] || return 1
    known=1
}
step() { # name, title, command...
    local name=$1 title=$2
    shift 2
    asked "$name" "$title" || return 0
    echo "==> $name: $title"
    ${limit[@]+"${limit[@]}"} "$@" ${arguments[@]+"${arguments[@]}"} 2>&1 | tee "$logs/$name"
    settle "$name" "${PIPESTATUS[0]}" "$logs/$name"
}
# The same on the other core, while the next steps run: one of these after the other. `meet` waits for all of them and says what
# came of each.
besides=() titles=() pids=()
beside() { # name, title, command...
    local name=$1 title=$2 before=${pids[*]: -1}
    shift 2
    if [ -n "$only" ] || [ $list = 1 ]; then
        step "$name" "$title" "$@"
        return
    fi
    {
        [ -z "$before" ] || tail --pid="$before" -s 0.2 -f /dev/null
        ${limit[@]+"${limit[@]}"} "$@"
    } >"$logs/$name" 2>&1 &
    besides+=("$name") titles+=("$title") pids+=($!)
}
meet() {
    local i rc
    for i in "${!besides[@]}"; do
        wait "${pids[i]}"
        rc=$?
        echo "==> ${besides[i]}: ${titles[i]}"
        cat "$logs/${besides[i]}"
        settle "${besides[i]}" $rc "$logs/${besides[i]}"
    done
    besides=() titles=() pids=()
}
# Rust tests by name; a name that no test has is a mistake.
rust_by_name() {
    cargo test --workspace --quiet --locked "$@" 2>&1 | tee "$logs/found"
    local rc=${PIPESTATUS[0]}
    [ "$rc" = 0 ] || return "$rc"
    grep -qE '^test result: .*\b[1-9][0-9]* passed|^[1-9][0-9]* passed' "$logs/found" && return
    echo "no step (tests/all.sh --list), C test or Rust test is called $1"
    return 1
}

# A C test by name, or a step, needs the libraries; all of them are built before everything is run.
if [ -n "$only" ]; then
    if [ -e "c-tests/$only.c" ]; then
        make -s all && exec c-tests/run.sh "$only" ${arguments[@]+"${arguments[@]}"}
        exit 1
    fi
    if ! "$0" --list | grep -q "^$only "; then
        rust_by_name "$only" ${arguments[@]+"${arguments[@]}"}
        exit
    fi
    case $only in
        header | links | identity | rust | cudart-status | nvml-status | compilers-status | hostile | ptx-coverage | ptx-forms | ptx-matrix) ;;
        *) make -s all || exit 1 ;;
    esac
fi

step header "header and status table are fresh" cargo run --quiet --locked -p doppel-header -- --check
step links "links of all pages" packaging/book.py --links
# The longest ones on the other core.
beside c-valgrind "C tests under valgrind" c-tests/run.sh --valgrind
step rust "Rust tests" cargo test --workspace --quiet --locked
step exports "exported symbols" c-tests/abi/check_exports.sh build/lib/libcuda.so.1
step abi "ABI against NVIDIA's header" c-tests/abi/run.sh
step c "C tests" c-tests/run.sh
step c-lazy "C tests, lazy schedule" c-tests/run.sh --schedule lazy
step c-random "C tests, random schedule" c-tests/run.sh --schedule random:7
step c-traced "C tests, traced" env DOPPEL_TRACE="$logs/trace-%p.json" c-tests/run.sh array event graph kernel_node library memcpy3d \
    odd_arguments stream texture_object unwritable_result
step c-recovered "C tests after each function has failed once" tests/recovered.sh
step c-asan "C tests with AddressSanitizer" c-tests/run.sh --asan
step cudart-status "status table of the CUDA runtime is fresh" crates/cudart/status.sh --check
step nvml-status "status table of the management library is fresh" crates/nvml/status.sh --check
step compilers-status "status table of NVRTC and nvJitLink is fresh" crates/real/status.sh --check
step ptx-forms "PTX instruction forms against NVIDIA's assembler" tests/ptx/forms.sh
beside cudart "CUDA runtime: exports, layout, programs compiled by nvcc" tests/cudart/run.sh
beside nvrtc "NVRTC over the real one" tests/compilers/run.sh nvrtc
beside nvjitlink "nvJitLink, compared with the real one" tests/compilers/run.sh nvjitlink
beside audit "auditing library: stand-ins by every way of loading" tests/audit/run.sh
beside launcher "launcher" tests/launcher.sh
beside record "records of programs, asked again" tests/record.sh
beside perfetto "traces in Perfetto's trace processor" tests/perfetto/run.sh
beside packages-c "programs in C and C++ by pkg-config, CMake, Meson and bindgen, without warnings; headers of the runtime" tests/packages/compile.sh
step identity "build identity of what is given to others" tests/packages/identity.sh
beside packages "packages: what they hold, installed and used; a project's tests under pytest" tests/packages/run.sh
beside ptxas "ptxas against NVIDIA's" tests/toolchain/ptxas.sh
beside projects "projects built with nvcc, by CMake and by hand" tests/toolchain/projects.sh
beside caches "what is kept of one tool is not taken for another's" tests/toolchain/caches.sh
step ptx-coverage "table of coverage in docs/PTX.md is fresh" cargo xtask coverage --check
step hostile "kernels that are made to take long are refused" cargo run --quiet --release --locked -p xtask -- compile --hostile
step ptx-matrix "names of matrix instructions as the assembler has them" tests/ptx/matrix.sh
step ptx-hardware "PTX instructions against what an H200 gave" tests/ptx/hardware.sh
step ptx-sixteen "pairs of 16-bit operands against what an H200 gave" tests/ptx/sixteen.sh
step ptx-texture "texture and surface instructions against what an H200 gave" tests/ptx/texture.sh
step ptx-random "random kernels against what an H200 gave" tests/ptx/random.sh
step ptx-newer "PTX of newer devices against models" tests/newer/run.sh
step ptx-tiers "random kernels, interpreted and compiled" tests/ptx/random.sh --tiers
step ptx-compiled "PTX instructions, compiled, against what an H200 gave" env DOPPEL_ENGINE=compile tests/ptx/hardware.sh
step c-compiled "C tests with kernels compiled" env DOPPEL_ENGINE=compile c-tests/run.sh
step cudart-kernels "CUDA runtime: programs with kernels" tests/cudart/kernels.sh
meet
step ptx-corpus "kernels of tests, benches and programs at random shapes, interpreted and compiled" tests/ptx/corpus.sh
step cudart-check "memory checker on nvcc's programs" tests/cudart/check.sh
step cudart-calls "CUDA runtime: its driver calls" tests/cudart/trace/run.sh
step nvml "management library and nvidia-smi, compared with an H200's" tests/nvml/run.sh
step graphics "OpenGL on the CPU beside the driver" tests/graphics/run.sh
step node-stress "processes of a node, killed at any moment" tests/stress/node.sh
step clients "clients" clients/run.sh
step engines "MPI, UCX and ucxx on many devices and processes" clients/engines/run.sh
step oracle "oracle" tests/oracle/run.sh
step sequences "random sequences of calls against what an H200 answered" tests/oracle/sequences.sh
step gpu "forward mode on this machine's GPU" tests/gpu/run.sh
[ $list = 0 ] || exit 0
echo
[ ${#skipped[@]} = 0 ] || printf 'skipped: %s\n' "${skipped[@]}"
[ ${#parts[@]} = 0 ] || printf 'skipped in %s\n' "${parts[@]}"
[ ${#failed[@]} = 0 ] || printf 'failed: %s\n' "${failed[@]}"
echo "${#passed[@]} passed, ${#failed[@]} failed, ${#skipped[@]} skipped; ${#parts[@]} parts of those that ran were skipped"
[ ${#failed[@]} = 0 ] || exit 1
# One step that could not run.
[ ${#passed[@]} != 0 ] || exit 77
