#!/bin/bash
# Tests the launcher as installed: what it says, and which libraries programs get through it.
set -u
top=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. "$top/tests/expect.sh"
# Two runs are compared, which would name a node each.
export DOPPEL_NODE=none
unset DOPPEL_MODE DOPPEL_DEVICES LD_PRELOAD LD_AUDIT LD_LIBRARY_PATH
make -s -C "$top" install DESTDIR="$work/root" PREFIX=/opt/doppel >/dev/null 2>&1 || { echo "cannot install"; exit 1; }
prefix=$work/root/opt/doppel
doppel=$prefix/bin/doppel

check help 0 "--no-preload" "$doppel" --help
check version 0 "doppel " "$doppel" --version
check "no command" 2 "usage:" "$doppel"
check "bad mode" 2 "expected cpu, forward, absent or auto" "$doppel" run --mode gpu -- true
check "bad mode inherited" 2 "DOPPEL_MODE" env DOPPEL_MODE=gpu "$doppel" run -- true
check "no feature of later" 2 "is no option" "$doppel" run --record file -- true
check "no such program" 127 "cannot run /nowhere" "$doppel" run /nowhere
check "not executable" 126 "cannot run /etc/passwd" "$doppel" run /etc/passwd
check "exit status" 7 "" "$doppel" run -- sh -c 'exit 7'
check arguments 0 "a  b|--mode" "$doppel" run -- printf '%s|%s' 'a  b' --mode
check variables 0 "DOPPEL_DEVICES=3" "$doppel" run --devices 3 --log off -- env
check "a node of its own" 0 "DOPPEL_NODE=run " env -u DOPPEL_NODE "$doppel" run -- env
check "the node of the outer run" 0 "DOPPEL_NODE=a" env -u DOPPEL_NODE "$doppel" run --node a -- "$doppel" run -- env
check "library path" 0 "LD_LIBRARY_PATH=$prefix/lib:/else" env LD_LIBRARY_PATH=/else "$doppel" run -- env
check audit 0 "LD_AUDIT=/else.so:$prefix/lib/libdoppel-audit.so" "$doppel" run -- env LD_AUDIT=/else.so "$doppel" run -- env
check "no preload" 1 "" "$doppel" run -- sh -c 'env | grep LD_PRELOAD'
check preload 0 "LD_PRELOAD=$prefix/lib/libcudart.so.12:$prefix/lib/libcudart.so.13" "$doppel" run --preload -- env
check "preload, no audit" 1 "" "$doppel" run --preload -- sh -c 'env | grep LD_AUDIT'
check "neither" 1 "" "$doppel" run --no-preload -- sh -c 'env | grep -E "LD_PRELOAD|LD_AUDIT"'
check "forward mode: the driver alone" 0 "LD_LIBRARY_PATH=$prefix/lib/driver" "$doppel" run --mode forward -- env
check "forward mode: nothing else" 1 "" "$doppel" run --mode forward -- sh -c "env | grep -E 'LD_PRELOAD|LD_AUDIT|CACHE|TRITON|libexec'"
# What the outer one set is taken back, and the inner one sets it again.
settings='env | grep -E "^LD_|CACHE|TRITON|^PATH|^CUDA_|^NVCC|^DOPPEL" | sort'
bare=$("$doppel" run --mode forward -- sh -c "$settings")
nested=$("$doppel" run -- "$doppel" run --mode forward -- sh -c "$settings")
check "forward inside of cpu" 0 "" diff <(echo "$bare") <(echo "$nested")
once=$("$doppel" run -- sh -c "$settings")
nested=$("$doppel" run -- "$doppel" run -- sh -c "$settings")
check "cpu inside of cpu" 0 "" diff <(echo "$once") <(echo "$nested")
check "settings" 0 "LD_AUDIT" echo "$once"

check env 0 "export LD_AUDIT='$prefix/lib/libdoppel-audit.so'" "$doppel" env
check "env: for builds" 0 "export NVCC_APPEND_FLAGS='--cudart=shared'" "$doppel" env
check "env: options" 0 "export DOPPEL_DEVICES='2'" "$doppel" env --devices 2
check "env: a shell takes it" 0 "$prefix/lib/libdoppel-audit.so" sh -c "eval \"\$('$doppel' env)\"; echo \$LD_AUDIT"
check "env: what was set is taken back" 0 "unset LD_AUDIT" "$doppel" run -- "$doppel" env --mode forward
check "env: Docker" 0 "ENV LD_LIBRARY_PATH=\"$prefix/lib\${LD_LIBRARY_PATH:+:\$LD_LIBRARY_PATH}\"" "$doppel" env --docker
check "env: GitHub" 0 "LD_LIBRARY_PATH=$prefix/lib" sh -c "GITHUB_ENV='$work/env' GITHUB_PATH='$work/path' '$doppel' env --github && cat '$work/env'"
check "env: no job of GitHub's" 1 "GITHUB_ENV is not set" env -u GITHUB_ENV -u GITHUB_PATH "$doppel" env --github

check "checks" 0 "DOPPEL_CHECK=memcheck,exit=9" "$doppel" run --check memcheck,exit=9 -- env
check "checks: nothing found" 0 "doppel: memcheck: no errors" "$doppel" info --check memcheck,exit=9
check "info: checks" 0 "checks          memcheck" "$doppel" info --check memcheck
check info 0 "Doppel CPU device" "$doppel" info
check "info: devices" 0 "devices         2" "$doppel" info --devices 2
check "info: profile" 0 "compute capability                  9.0" "$doppel" info --devices h200
check "info: absent" 1 "cuInit: CUDA_ERROR_NO_DEVICE" "$doppel" info --mode absent
check "info: bad" 2 "is no option" "$doppel" info --nothing
check status 0 "cuMemAllocAsync " "$doppel" status
check "status: all" 0 "$(grep -c '^| cu' "$top/docs/STATUS.md")" sh -c "'$doppel' status | tail -n +2 | wc -l"
check "status: missing" 1 "" sh -c "'$doppel' status --missing | grep '^cuInit '"
check "status: a name" 0 "cuGraphUpload" "$doppel" status cuGraphUp
check "status: no such name" 1 "function" "$doppel" status cuNothing
cp "$doppel" "$work/alone"
check "no libraries" 1 "libcuda.so.1 is neither in" "$work/alone" run true

# A program whose RPATH names libraries of the same names and versions, as PyTorch's does: it gets ours. Both versions
# may be in one process.
mkdir "$work/theirs"
for v in 12 13; do
    printf 'int cudaRuntimeGetVersion(int *v) { *v = %d; return 0; }\n' $v >"$work/runtime.c"
    printf 'libcudart.so.%s { global: cudaRuntimeGetVersion; local: *; };\n' $v >"$work/runtime.map"
    ${CC:-cc} -shared -fPIC -Wl,-soname,libcudart.so.$v -Wl,--version-script="$work/runtime.map" \
        "$work/runtime.c" -o "$work/theirs/libcudart.so.$v"
    printf 'int cudaRuntimeGetVersion(int *); int version%d(void) { int v = 0; cudaRuntimeGetVersion(&v); return v; }\n' \
        $v >"$work/part.c"
    ${CC:-cc} -shared -fPIC "$work/part.c" "$work/theirs/libcudart.so.$v" -Wl,--disable-new-dtags \
        -Wl,-rpath,"$work/theirs" -o "$work/libpart$v.so"
done
cat >"$work/program.c" <<'END'
#include <stdio.h>
int version12(void), version13(void);
int main(void) { printf("%d %d\n", version12(), version13()); return 0; }
END
${CC:-cc} "$work/program.c" "$work/libpart12.so" "$work/libpart13.so" -Wl,--disable-new-dtags -Wl,-rpath,"$work" -o "$work/program"
check "their runtime without us" 0 "12 13" "$work/program"
check "their runtime by --no-preload" 0 "12 13" "$doppel" run --no-preload "$work/program"
check "our runtime" 0 "12090 13050" "$doppel" run "$work/program"
check "our runtime by --preload" 0 "12090 13050" "$doppel" run --preload "$work/program"
check "their runtime in forward mode" 0 "12 13" "$doppel" run --mode forward "$work/program"
echo "launcher: $passed passed, $failed failed"
[ $failed = 0 ]
