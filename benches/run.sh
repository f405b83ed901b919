#!/bin/bash
# Builds and runs the benches against build/lib.
#
#   benches/run.sh [start] [bandwidth] [fills] [latency] [forward] [traced] [shapes] [pool] [decompress] [ipc] [parse] [kernels] [textures] [matrices] [atomics]
#                  [suites] [compile] [programs]
#                  all of them by default
#
# `kernels` and `suites` leave a picture of their ratios beside the programs, in target/bench: kernels.svg, suites.svg.
# The C libraries that decompression is compared with are installed where apt can do that, and left out where not.
set -eu
cd "$(dirname "$0")/.."
out=target/bench
mkdir -p $out
build() { # name, flags...
    local name=$1
    shift
    cc -std=c11 -D_GNU_SOURCE -O2 -Wall -Wextra -I. -o $out/$name benches/$name.c -Lbuild/lib -lcuda -ldl "$@"
}
asked() {
    local what=$1
    shift
    [ $# = 0 ] && return
    local word
    for word in "$@"; do [ "$word" = "$what" ] && return; done
    return 1
}
libraries() { # what of the C libraries is there, as flags
    local flags=() pair
    for pair in LZ4:lz4.h:lz4 SNAPPY:snappy-c.h:snappy LIBDEFLATE:libdeflate.h:deflate; do
        IFS=: read -r name header library <<<"$pair"
        if echo "#include <$header>" | cc -E - >/dev/null 2>&1; then flags+=("-DHAVE_$name" "-l$library"); fi
    done
    echo "${flags[@]}"
}
plotted() { # script: runs it, and draws what it printed
    (set -o pipefail && "benches/$1.sh" $out | tee "$out/$1.txt")
    cargo run --quiet --locked -p xtask -- plot "$out/$1.txt" $out
}
export LD_LIBRARY_PATH=$PWD/build/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
echo "machine: $(nproc) cores, $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -1)"
if asked start "$@"; then
    build start
    $out/start
fi
build memory
if asked bandwidth "$@"; then $out/memory bandwidth; fi
if asked fills "$@"; then $out/memory fills; fi
if asked latency "$@"; then $out/memory latency; fi
for name in shapes pool; do
    if asked $name "$@"; then
        build $name
        $out/$name
    fi
done
if asked decompress "$@"; then
    flags=$(libraries)
    case "$flags" in
        *LZ4*SNAPPY*LIBDEFLATE*) ;;
        *)
            if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
                { timeout 120 apt-get update && timeout 120 apt-get install -y liblz4-dev libsnappy-dev libdeflate-dev; } \
                    >$out/apt.log 2>&1 || echo "libraries to compare with cannot be installed: see $out/apt.log"
                flags=$(libraries)
            fi
            ;;
    esac
    # shellcheck disable=SC2086
    build decompress $flags -lpthread
    $out/decompress cuda.h $(find src crates -name '*.rs' | sort) -- build/lib/libcuda.so.1 "$(command -v bash)"
fi
if asked ipc "$@"; then
    build ipc
    $out/ipc
fi
if asked parse "$@"; then
    build parse
    $out/parse
fi
if asked forward "$@"; then
    cc -shared -fPIC -O2 -Wl,-soname,libnull.so -o $out/libnull.so benches/null_driver.c
    DOPPEL_MODE=forward DOPPEL_REAL_LIBCUDA=$PWD/$out/libnull.so $out/memory forward
fi
if asked traced "$@"; then
    build traced
    build traced_between
    cc -shared -fPIC -O2 -Wl,-soname,libnull.so -o $out/libnull.so benches/null_driver.c
    for mode in cpu forward; do
        for file in "" /dev/shm/doppel-bench.txt /dev/shm/doppel-bench.json $out/doppel-bench.txt $out/doppel-bench.json; do
            echo "$mode, ${file:-no trace}"
            DOPPEL_MODE=$mode DOPPEL_REAL_LIBCUDA=$PWD/$out/libnull.so DOPPEL_TRACE=$file $out/traced
            rm -f ${file:+"$file"}
        done
    done
    for file in /dev/shm/doppel-bench.txt /dev/shm/doppel-bench.json; do
        echo "$file, by turns with no trace"
        DOPPEL_MODE=forward DOPPEL_REAL_LIBCUDA=$PWD/$out/libnull.so DOPPEL_TRACE=$file DOPPEL_TRACE_RANGE=profiler $out/traced_between
        rm -f "$file"
    done
fi
if asked kernels "$@"; then
    build kernels
    plotted kernels
fi
for name in textures matrices atomics; do
    if asked $name "$@"; then
        build $name
        $out/$name
    fi
done
if asked suites "$@"; then
    build suites -lm
    plotted suites
fi
if asked programs "$@"; then benches/programs.sh $out; fi
if asked compile "$@"; then
    cargo run --quiet --release --locked -p xtask -- compile benches/workloads/*.ptx benches/suites/*.ptx
fi
recorded=benches/h200.jsonl
if [ $# = 0 ]; then
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
