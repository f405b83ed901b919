#!/bin/bash
# Runs every real client of this folder, unmodified, on our libraries, as `doppel run` puts them in.
#
#   clients/run.sh            those that are small to install, and PyTorch's if PyTorch is installed already
#   clients/run.sh --torch    installs PyTorch first (4.1 GB), or fails
#
# A client that cannot run here is counted as skipped, with the reason.
set -u
here=$(cd "$(dirname "$0")" && pwd)
top=$(dirname "$here")
python=$("$top/tests/venv.sh" python) || exit 1
kernels=$("$top/tests/venv.sh" kernels) || exit 1
defaults=$("$top/tests/venv.sh" defaults) || exit 1
# Where NVRTC finds headers, for those that look for a toolkit.
toolkit=$(dirname "$(find "$(dirname "$kernels")/../lib" -name libnvrtc.so.13 | head -1)")
export CUDA_PATH
CUDA_PATH=$(dirname "$toolkit")
torch=
if [ "${1:-}" = --torch ] || [ -d "$(echo "$top"/target/venv-torch/lib/python*/site-packages/torch)" ]; then
    torch=$("$top/tests/venv.sh" torch) || exit 1
fi
triton=$("$top/tests/venv.sh" triton) || exit 1
passed=0 failed=0 skipped=0
# run NAME COMMAND...: the last line of the output says that all is well.
run() {
    local name=$1 output
    shift
    if output=$("$@" 2>&1) && [ "$(tail -1 <<<"$output")" = done ]; then
        passed=$((passed + 1))
        echo "ok      $name"
        grep '^skipped: ' <<<"$output" | sed "s/^skipped: /skipped: $name: /"
    else
        failed=$((failed + 1))
        echo "FAILED  $name"
        sed 's/^/        /' <<<"$output" | tail -20
    fi
}
skip() { # NAME WHY
    skipped=$((skipped + 1))
    echo "skipped: $1: $2"
}
for client in "$here"/*.py; do
    name=$(basename "$client")
    case $name in
        torch_*)
            [ -n "$torch" ] || { skip "$name" "PyTorch is not installed (clients/run.sh --torch)"; continue; }
            interpreter=$torch
            ;;
        tinygrad_*)
            # It compiles constants for the CPU.
            command -v clang >/dev/null || { skip "$name" "tinygrad needs clang"; continue; }
            for generator in CUDA CUDA:PTX; do
                run "$name $generator" env DEV=$generator LD_LIBRARY_PATH="$toolkit" \
                    timeout 300 "$top/build/bin/doppel" run -- "$kernels" "$client"
            done
            continue
            ;;
        triton_*)
            # Its own folder of kernels, empty at first.
            cache=$(mktemp -d)
            export TRITON_CACHE_DIR=$cache TRITON_DEFAULT_FP_FUSION=1
            for round in first again; do
                run "$name, $round" timeout 300 "$top/build/bin/doppel" run -- "$triton" "$client"
            done
            rm -rf "$cache"
            continue
            ;;
        *_kernels.py)
            # As it installs itself it links with nvJitLink, and finds its headers where it installed them.
            run "$name as installed" env -u CUDA_PATH timeout 300 "$top/build/bin/doppel" run -- "$defaults" "$client"
            interpreter=$kernels
            ;;
        *) interpreter=$python ;;
    esac
    run "$name" timeout 300 "$top/build/bin/doppel" run -- "$interpreter" "$client"
done
run "cuda-python's own tests" "$here/suites/bindings.sh"
echo "clients: $passed passed, $failed failed, $skipped skipped"
[ $failed = 0 ]
