#!/bin/bash
# Stress: 64 threads on 8 streams of 2 devices, the program of tests/model, as it is and under ThreadSanitizer.
#
#   tests/stress/run.sh [SECONDS]        how long each of the runs lasts: 8 by default; a minute is worth the time
#
# ThreadSanitizer sees everything: the library, Rust's standard library (built anew from its source) and the program are
# all instrumented, and nothing is suppressed. That needs the component rust-src and, since the option is not stable,
# RUSTC_BOOTSTRAP. Without the source of the standard library that run is skipped, and the script says so. First a run in
# which the program leaves the order of its operations out has to be found racy; then the ordered one has to be clean.
#
# The program itself checks every byte, and that descriptors, threads, names in /dev/shm and the devices' free memory
# come back; a deadlock ends in a timeout.
set -u
cd "$(dirname "$0")/../.." || exit 1
seconds=${1:-8}
out=target/stress
target=x86_64-unknown-linux-gnu
mkdir -p $out/lib
export DOPPEL_DEVICES=2 DOPPEL_DEVICE_MEMORY=4GiB DOPPEL_LOG=error
args=(threads=64 streams=8 ops=300)
failed=0
flags=(-std=c11 -D_GNU_SOURCE -O1 -g -Wall -Wextra -Werror -I.)

run() { # name, schedule, program, library folder, arguments...
    local name=$1 schedule=$2 program=$3 lib=$4 limit
    shift 4
    # A run ends a few seconds after its time, under ThreadSanitizer too; the first round of a slow machine takes longer.
    limit=$((seconds * 3 + 90))
    if DOPPEL_SCHEDULE=$schedule LD_LIBRARY_PATH=$lib timeout -s KILL $limit "$program" "$@" >"$out/$name.log" 2>&1; then
        echo "ok      $name, schedule $schedule: $(tail -1 "$out/$name.log")"
    else
        echo "FAILED  $name, schedule $schedule: exit status $? (137: it hung)"
        grep -v 'not supported' "$out/$name.log" | head -60
        failed=1
    fi
}

cargo build --quiet --release --locked || exit 1
ln -sf "$PWD/target/release/libcuda.so" $out/lib/libcuda.so.1
cc "${flags[@]}" -o $out/stress tests/model/model.c target/release/libcuda.so -lpthread || exit 1
for schedule in eager lazy random:1; do
    run plain $schedule $out/stress $out/lib "${args[@]}" seconds="$seconds"
done

root=$(rustc --print sysroot)/lib/rustlib
runtime=$(echo "$root/$target"/lib/librustc-*_rt.tsan.a)
if [ ! -d "$root/src/rust/library" ] || [ ! -e "$runtime" ]; then
    echo "skipped: ThreadSanitizer needs the standard library's source (rustup component add rust-src)"
    exit $failed
fi
RUSTC_BOOTSTRAP=1 RUSTFLAGS=-Zsanitizer=thread cargo build --quiet --locked -Zbuild-std --target $target --target-dir target/tsan || exit 1
mkdir -p $out/tsan-lib
ln -sf "$PWD/target/tsan/$target/debug/libcuda.so" $out/tsan-lib/libcuda.so.1
cc "${flags[@]}" -fsanitize=thread -c -o $out/stress-tsan.o tests/model/model.c || exit 1
# One runtime for all: the one that belongs to the Rust compiler.
cc -o $out/stress-tsan $out/stress-tsan.o -Wl,--whole-archive "$runtime" -Wl,--no-whole-archive -rdynamic \
    target/tsan/$target/debug/libcuda.so -lpthread -ldl -lm -lrt -lstdc++ || exit 1
export TSAN_OPTIONS="halt_on_error=0 second_deadlock_stack=1 exitcode=66"
DOPPEL_SCHEDULE=random:3 LD_LIBRARY_PATH=$out/tsan-lib timeout -s KILL 120 $out/stress-tsan race=1 threads=4 ops=500 only=acxfvh \
    >$out/race.log 2>&1
if grep -q 'ThreadSanitizer: data race' $out/race.log; then
    echo "ok      a race of the program is found"
else
    echo "FAILED  a race of the program is not found: the tool does not see"
    tail -5 $out/race.log
    failed=1
fi
for schedule in eager lazy random:1; do
    run tsan $schedule $out/stress-tsan $out/tsan-lib "${args[@]}" ops=100 seconds="$seconds"
done
exit $failed
