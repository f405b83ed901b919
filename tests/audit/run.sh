#!/bin/bash
# Tests the auditing library with tiny stand-ins for NVIDIA's libraries and for ours: which of them programs get, by whatever
# way they ask, and that nothing else changes.
#
#   tests/audit/run.sh [FILE]    FILE: the auditing library (default: build/lib/libdoppel-audit.so)
set -u
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
file=${1:-$top/build/lib/libdoppel-audit.so}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cc=${CC:-cc}
passed=0 failed=0
ours=$work/ours theirs=$work/theirs
mkdir -p "$ours" "$theirs" "$work/stubs" "$work/wheel" "$work/many" "$work/odd" "$work/empty"
[ -e "$file" ] || { echo "$file is not there"; exit 1; }
cp "$file" "$ours/libdoppel-audit.so"
unset DOPPEL_MODE DOPPEL_LOG LD_AUDIT LD_PRELOAD LD_LIBRARY_PATH

make_library() { # FILE SONAME WHO [FLAG...]
    local path=$1 soname=$2 who=$3
    shift 3
    $cc -shared -fPIC -O1 -DWHO="\"$who\"" -DWHO_NAME=who "$here/library.c" -o "$path" -Wl,-soname,"$soname" "$@" -ldl
}
for name in libnvrtc.so.12 libnvrtc.so.13 libnvJitLink.so.13; do
    make_library "$ours/$name" $name "our $name" -DOURS
    make_library "$theirs/$name" $name theirs
done
make_library "$ours/libcuda.so.1" libcuda.so.1 "our libcuda.so.1" -DOURS
make_library "$theirs/libcuda.so.1" libcuda.so.1 theirs
cp "$theirs/libcuda.so.1" "$theirs/libcuda.so.580.95.05"
cp "$theirs/libcuda.so.1" "$work/stubs/libcuda.so"
for name in libnvrtc-builtins.so.13.0 libcudart.so.11.0 libnvrtc-old.so.13; do make_library "$theirs/$name" $name theirs; done
# With the version that programs ask for, as the runtime has it.
for name in libcudart.so.12 libcudart.so.13; do
    printf '%s { global: who; local: *; };\n' $name >"$work/map"
    make_library "$ours/$name" $name "our $name" -Wl,--version-script="$work/map"
    make_library "$theirs/$name" $name theirs -Wl,--version-script="$work/map"
done
ln -s libcudart.so.13 "$theirs/libcudart.so"
make_library "$work/wheel/libcudart-9f92e4c3.so.13.3.29" libcudart-9f92e4c3.so.13.3.29 theirs -Wl,--version-script="$work/map"
# What has the name and is none for this machine, and what is no library at all: the loader passes over the first alone.
head -c 4096 "$theirs/libnvrtc.so.13" | sed 's/^\x7fELF\x02/\x7fELF\x01/' >"$work/odd/libnvrtc.so.13"
echo "no library" >"$work/odd/libnvJitLink.so.13"

$cc -O1 "$here/probe.c" -o "$work/probe" -ldl -lpthread
linked() { # FILE LIBRARY FLAG...: the program, linked with a library
    local program=$1 library=$2
    shift 2
    $cc -O1 -DLINKED=who "$here/probe.c" "$library" "$@" -o "$program" -ldl -lpthread
}
linked "$work/with_rpath" "$theirs/libnvrtc.so.13" -Wl,--disable-new-dtags -Wl,-rpath,"$theirs"
linked "$work/with_runpath" "$theirs/libnvrtc.so.13" -Wl,--enable-new-dtags -Wl,-rpath,"$theirs"
linked "$work/with_wheel" "$work/wheel/libcudart-9f92e4c3.so.13.3.29" -Wl,-rpath,'$ORIGIN/wheel'
linked "$work/with_driver" "$theirs/libcuda.so.1"
$cc -shared -fPIC -O1 "$here/other.c" -o "$work/other.so"

check() { # NAME EXPECTED COMMAND...
    local name=$1 expected=$2 output
    shift 2
    output=$("$@" 2>&1)
    if [ "$output" = "$expected" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        printf 'FAILED %s: expected\n%s\n  got\n%s\n' "$name" "$expected" "$output"
    fi
}
with() { env LD_AUDIT="$ours/libdoppel-audit.so" "$@"; }
nvrtc="our libnvrtc.so.13 over /$theirs/libnvrtc.so.13, theirs"

check "without us: a path" "$theirs/libnvrtc.so.13: theirs" "$work/probe" "$theirs/libnvrtc.so.13"
check "a path" "$theirs/libnvrtc.so.13: $nvrtc" with "$work/probe" "$theirs/libnvrtc.so.13"
check "RPATH" "linked: our libnvrtc.so.13" with "$work/with_rpath" linked
check "RUNPATH" "linked: our libnvrtc.so.13" with "$work/with_runpath" linked
check "by name, loaded already" "libnvrtc.so.13: $nvrtc" with "$work/with_rpath" libnvrtc.so.13
check "library path" "libnvrtc.so.13: $nvrtc" with LD_LIBRARY_PATH="$theirs" "$work/probe" libnvrtc.so.13
check "ours on the library path, too" "libnvrtc.so.13: $nvrtc" with LD_LIBRARY_PATH="$ours:$theirs" "$work/probe" libnvrtc.so.13
check "ours on the library path, after an error" "libnvrtc.so.13: $nvrtc" with LD_LIBRARY_PATH="$ours:$theirs" "$work/probe" errno:libnvrtc.so.13
check "two versions" "libnvrtc.so.13: $nvrtc
libnvrtc.so.12: our libnvrtc.so.12 over /$theirs/libnvrtc.so.12, theirs" \
    with LD_LIBRARY_PATH="$theirs" "$work/probe" libnvrtc.so.13 libnvrtc.so.12
check "nvJitLink" "libnvJitLink.so.13: our libnvJitLink.so.13 over /$theirs/libnvJitLink.so.13, theirs" \
    with LD_LIBRARY_PATH="$theirs" "$work/probe" libnvJitLink.so.13
check "no real one" "libnvrtc.so.13: not found" with LD_LIBRARY_PATH="$ours:$work/empty" "$work/probe" libnvrtc.so.13
check "no real one, by its path" "$work/empty/libnvrtc.so.13: not found" with "$work/probe" "$work/empty/libnvrtc.so.13"
check "none for this machine" "libnvrtc.so.13: $nvrtc" with LD_LIBRARY_PATH="$work/odd:$theirs" "$work/probe" libnvrtc.so.13
check "no library" "libnvJitLink.so.13: not found" with LD_LIBRARY_PATH="$work/odd:$theirs" "$work/probe" libnvJitLink.so.13
check "ours by its path" "$ours/libnvrtc.so.13: our libnvrtc.so.13" with "$work/probe" "$ours/libnvrtc.so.13"
check "a relative path" "theirs/libnvrtc.so.13: our libnvrtc.so.13 over /$theirs/libnvrtc.so.13, theirs" \
    with env -C "$work" "$work/probe" theirs/libnvrtc.so.13
check "a relative library path" "libnvrtc.so.13: our libnvrtc.so.13 over /$theirs/libnvrtc.so.13, theirs" \
    with env -C "$work" LD_LIBRARY_PATH=theirs "$work/probe" libnvrtc.so.13
check "what the program is told" "libnvrtc.so.13: our libnvrtc.so.13 as $theirs/libnvrtc.so.13 over /$theirs/libnvrtc.so.13, theirs" \
    with LD_LIBRARY_PATH="$theirs" PROBE_PATH=1 "$work/probe" libnvrtc.so.13
check "opened twice" "libnvrtc.so.13: one
$theirs/libnvrtc.so.13: one" with LD_LIBRARY_PATH="$theirs" "$work/probe" again:libnvrtc.so.13 "again:$theirs/libnvrtc.so.13"
check "opened twice, by its path" "$theirs/libnvrtc.so.13: one
libnvrtc.so.13: one" with "$work/probe" "again:$theirs/libnvrtc.so.13" again:libnvrtc.so.13
check "a namespace of its own" "libnvrtc.so.13: $nvrtc" with LD_LIBRARY_PATH="$theirs" "$work/probe" apart:libnvrtc.so.13
check "a small stack" "libnvrtc.so.13: $nvrtc" with LD_LIBRARY_PATH="$theirs" "$work/probe" thread:libnvrtc.so.13
check "ours asks by a path" "libnvJitLink.so.13: our libnvJitLink.so.13 over /$theirs/libnvJitLink.so.13, theirs, asks: theirs" \
    with LD_LIBRARY_PATH="$theirs" PROBE_ASKS="$theirs/libnvrtc.so.13" "$work/probe" libnvJitLink.so.13
check "ours asks for the driver" "libnvJitLink.so.13: our libnvJitLink.so.13 over /$theirs/libnvJitLink.so.13, theirs, asks: our libcuda.so.1" \
    with LD_LIBRARY_PATH="$theirs" PROBE_ASKS=libcuda.so.1 "$work/probe" libnvJitLink.so.13
check "our driver asks for the real one" "libcuda.so.1: our libcuda.so.1, asks: theirs" \
    with PROBE_ASKS="$theirs/libcuda.so.1" "$work/probe" libcuda.so.1

check "driver" "linked: our libcuda.so.1" with "$work/with_driver" linked
check "driver, none there" "libcuda.so.1: our libcuda.so.1
libcuda.so: our libcuda.so.1" with "$work/probe" libcuda.so.1 libcuda.so
check "driver, by its path" "$theirs/libcuda.so.580.95.05: our libcuda.so.1
/nowhere/libcuda.so.1: our libcuda.so.1" with "$work/probe" "$theirs/libcuda.so.580.95.05" /nowhere/libcuda.so.1
check "the linker's stub" "$work/stubs/libcuda.so: theirs" with "$work/probe" "$work/stubs/libcuda.so"

check "runtime" "libcudart.so.12: our libcudart.so.12
$theirs/libcudart.so.13: our libcudart.so.13" with LD_LIBRARY_PATH="$theirs" "$work/probe" libcudart.so.12 "$theirs/libcudart.so.13"
check "runtime, ours alone" "libcudart.so.12: our libcudart.so.12" with LD_LIBRARY_PATH="$ours" "$work/probe" libcudart.so.12
check "runtime, without a version" "libcudart.so: our libcudart.so.13" with LD_LIBRARY_PATH="$theirs" "$work/probe" libcudart.so
check "runtime, with a changed name" "linked: our libcudart.so.13" with "$work/with_wheel" linked
check "runtime, with a changed name, without us" "linked: theirs" "$work/with_wheel" linked
for name in libnvrtc-builtins.so.13.0 libcudart.so.11.0 libnvrtc-old.so.13; do
    check "another: $name" "$name: theirs" with LD_LIBRARY_PATH="$theirs" "$work/probe" $name
done

for mode in forward absent wrong; do
    check "mode $mode" "linked: theirs
$theirs/libcuda.so.1: theirs
libnvrtc.so.13: theirs" with DOPPEL_MODE=$mode "$work/with_rpath" linked "$theirs/libcuda.so.1" libnvrtc.so.13
done
if [ -e /proc/driver/nvidia/version ] || [ -e /dev/nvidiactl ] || [ -e /dev/dxg ]; then expected=theirs; else expected="our libnvrtc.so.13"; fi
check "mode auto" "linked: $expected" with DOPPEL_MODE=auto "$work/with_rpath" linked

check "a child" "linked: our libnvrtc.so.13" with sh -c "'$work/with_rpath' linked"
check "a child without us" "linked: theirs" with sh -c "unset LD_AUDIT; '$work/with_rpath' linked"
check "another's before us" "heard of libcudart.so.13
$theirs/libcudart.so.13: our libcudart.so.13" env LD_AUDIT="$work/other.so:$ours/libdoppel-audit.so" "$work/probe" "$theirs/libcudart.so.13"
check "another's behind us" "heard of libcudart.so.13
$theirs/libcudart.so.13: our libcudart.so.13" env LD_AUDIT="$ours/libdoppel-audit.so:$work/other.so" "$work/probe" "$theirs/libcudart.so.13"
check "what it says" "doppel: $theirs/libcudart.so.13: $ours/libcudart.so.13 takes its place
$theirs/libcudart.so.13: our libcudart.so.13" with DOPPEL_LOG=info "$work/probe" "$theirs/libcudart.so.13"
rm "$ours/libnvJitLink.so.13"
check "what we do not have" "libnvJitLink.so.13: theirs" with LD_LIBRARY_PATH="$theirs" "$work/probe" libnvJitLink.so.13

for n in $(seq 0 999); do cp "$theirs/libcuda.so.1" "$work/many/lib$n.so"; done
check "a thousand libraries" 1000 with "$work/probe" "many:$work/many"

skipped=0
skip() { # WHAT WHY
    skipped=$((skipped + 1))
    echo "skipped: $1: $2"
}
if $cc -static -O1 -x c - -o "$work/static" 2>"$work/log" <<<'#include <stdio.h>
int main(void) { return puts("runs") < 0; }'; then
    check "a static program" runs with "$work/static"
else
    skip "a static program" "$cc makes none"
fi
if $cc -fsanitize=address -O1 "$here/probe.c" -o "$work/probe-asan" -ldl -lpthread 2>"$work/log"; then
    check "AddressSanitizer" "$theirs/libnvrtc.so.13: $nvrtc" with ASAN_OPTIONS=detect_leaks=0 "$work/probe-asan" "$theirs/libnvrtc.so.13"
else
    skip AddressSanitizer "$cc does not have it"
fi
if command -v valgrind >/dev/null; then
    # At the end glibc frees what it has of its own from the wrong heap, with whatever auditing library.
    check valgrind "$theirs/libnvrtc.so.13: $nvrtc" with valgrind -q --run-libc-freeres=no --error-exitcode=9 "$work/probe" "$theirs/libnvrtc.so.13"
else
    skip valgrind "it is not installed"
fi
echo "auditing library: $passed passed, $failed failed, $skipped skipped"
[ $failed = 0 ]
