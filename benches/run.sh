#!/bin/bash
# Builds and runs the benches against build/lib. Arguments go to the bench: bandwidth, latency.
set -eu
cd "$(dirname "$0")/.."
mkdir -p target/bench
cc -std=c11 -O2 -Wall -Wextra -I. -o target/bench/memory benches/memory.c -Lbuild/lib -lcuda -ldl
cc -shared -fPIC -O2 -Wl,-soname,libnull.so -o target/bench/libnull.so benches/null_driver.c
export LD_LIBRARY_PATH=$PWD/build/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
echo "machine: $(nproc) cores, $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -1)"
target/bench/memory "$@"
recorded=../shared/facts/driver-580-h200-bench.jsonl
if [ $# = 0 ]; then
    DOPPEL_MODE=forward DOPPEL_REAL_LIBCUDA=$PWD/target/bench/libnull.so target/bench/memory forward
    if [ -e $recorded ]; then
        echo
        echo "recorded from the real driver 580 on an H200, median ns:"
        python3 - $recorded <<'PY'
import json, sys
for line in open(sys.argv[1]):
    r = json.loads(line)
    if r.get("ret", 0) == 0 and "median_ns" in r and any(w in r["bench"] for w in ("cuMemcpy", "cuMemAlloc+", "cuCtxGetCurrent", "cuPointerGetAttribute", "cuStream", "cuEvent")):
        print(f'    {r["bench"]:<44} {r.get("bytes", ""):>12} {r["median_ns"]:>12}')
PY
    fi
fi
