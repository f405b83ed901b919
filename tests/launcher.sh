#!/bin/bash
# Tests the launcher as installed: what it says, and which libraries programs get through it.
#
#   tests/launcher.sh [PREFIX]    one that is installed there
set -u
top=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. "$top/tests/expect.sh"
# Two runs are compared, which would name a node each.
export DOPPEL_NODE=none
unset DOPPEL_MODE DOPPEL_DEVICES LD_PRELOAD LD_AUDIT LD_LIBRARY_PATH
prefix=${1:-$work/root/opt/doppel}
[ $# != 0 ] || make -s -C "$top" install DESTDIR="$work/root" PREFIX=/opt/doppel >/dev/null 2>&1 || { echo "cannot install"; exit 1; }
doppel=$prefix/bin/doppel

check help 0 "completions" "$doppel" --help
check "help of run" 0 "--no-preload" "$doppel" run --help
check version 0 "doppel " "$doppel" --version
check "no command" 2 "Usage: doppel <COMMAND>" "$doppel"
check "bad mode" 2 "[possible values: cpu, forward, absent, auto]" "$doppel" run --mode gpu -- true
check "bad mode inherited" 2 "DOPPEL_MODE" env DOPPEL_MODE=gpu "$doppel" run -- true
check "no option" 2 "unexpected argument '--recorder'" "$doppel" run --recorder file -- true
# Every wrong value is found before the program starts: with 2, and none of the program's output.
refused() { # words, option, value
    check "refused: $2 $3" 2 "$1" "$doppel" run "$2" "$3" -- echo started
    check "refused before the start: $2 $3" 1 "" sh -c '"$@" 2>&1 | grep started' sh "$doppel" run "$2" "$3" -- echo started
}
refused "expected memcheck, initcheck, racecheck, synccheck, leaks, exit=N, limit=N, junit=FILE and sarif=FILE" --check memchk
refused "expected memcheck" --check memcheck,exit=256
refused "neither a built-in profile (cc75, " --devices x
refused "file too large" --devices /dev/zero
refused "Is a directory" --devices /
refused "a name in the list is empty" --devices h200,
refused "at most 64 devices" --devices "$(printf 'h200,%.0s' {1..64})h200"
refused "at most 64 devices" --devices 65
refused "a size such as 8GiB" --memory 8XB
refused "a size such as 8GiB" --memory 0
refused "a size such as 2GiB" --limit 1GiB,
refused "eager, lazy or random:SEED" --schedule random
refused "a list of functions" --trace-calls 'cu('
refused "there is no folder" --trace /nowhere/trace
refused "possible values: all, profiler" --trace-range sometimes
# Files are as good as the folders that they are to lie in.
for option in "--trace=" "--record=" "--check=junit=" "--check=memcheck,sarif="; do
    refused "it is a folder" "${option%%=*}" "${option#*=}$work"
    refused "there is no folder /nowhere" "${option%%=*}" "${option#*=}/nowhere/file"
done
refused "expected FUNCTIONS:WHAT" --fault alloc:error=OUT_OF_MEMROY
refused "No such file" --fault /nowhere/rules
refused "file too large" --fault /dev/zero
# Functions that there are not: the library says so, in whatever mode it is to be.
refused "no function is cuMemAlocc; did you mean cuMemAlloc?" --fault cuMemAlocc:error=OUT_OF_MEMORY
refused "--trace-calls=\"cudaMalloc*\" is refused: no function is cudaMalloc*" --trace-calls 'cudaMalloc*'
refused "--check=\"memchk\" is refused: expected" --check memchk
refused "did you mean cuLaunchKernel?" --trace-stacks 'cuMem*,cuLaunchKernl'
check "refused: inherited mode" 2 "no function is cuMemAlocc" env DOPPEL_MODE=forward "$doppel" run --fault cuMemAlocc:delay=1 -- echo started
check "asking the library leaves nothing" 1 "" sh -c "DOPPEL_TRACE='$work/left' '$doppel' run --fault alloc:delay=1 true; cat '$work/left'"
check "usage: the command's whole name" 2 "Usage: doppel run" "$doppel" run
refused "there is no such file" --real /nowhere/libcuda.so.1
refused "possible values: off, error" --log loud
refused "a value is needed" --node ""
check "refused: inherited rules of faults" 2 "DOPPEL_FAULT" env DOPPEL_FAULT=copy "$doppel" run -- echo started
check "refused: a word of DOPPEL_CHECK" 2 "initchek" env DOPPEL_CHECK=initchek "$doppel" env
check "refused: kernels' time" 2 "seconds, such as 10 or 0.5" env DOPPEL_KERNEL_TIMEOUT=soon "$doppel" info
check "the nearest option" 2 "'--devices'" "$doppel" run --devises 2 -- true
check "the nearest command" 2 "'status'" "$doppel" stats
for size in 2G 2g 2GB 2gb 2GiB 2gib '2 GiB' 2048mib 2147483648 2.0G; do
    check "size: $size" 0 "memory                              2 GiB" "$doppel" info --memory "$size"
done
check "unknown variable" 0 "DOPPEL_MEMROY_LIMIT is no variable of Doppel's and has no effect; did you mean DOPPEL_MEMORY_LIMIT?" \
    env DOPPEL_MEMROY_LIMIT=1G "$doppel" info
check "unknown variable: said once" 0 "1" sh -c "DOPPEL_DEVISES=2 '$doppel' info 2>&1 | grep -c DOPPEL_DEVISES"
check "unknown variable: env" 0 "did you mean DOPPEL_DEVICES?" env DOPPEL_DEVISES=2 "$doppel" env
# A kernel that goes wrong: its core dump, as the page on them shows it, a trace and a record of its program.
cc -O1 -I"$top" -o "$work/wild" "$top/tests/data/wild.c" "$prefix/lib/libcuda.so.1"
check "core: a dump" 0 "a core dump is in $work/wild.core" env CUDA_ENABLE_COREDUMP_ON_EXCEPTION=1 CUDA_ENABLE_LIGHTWEIGHT_COREDUMP=1 \
    CUDA_ENABLE_CPU_COREDUMP_ON_EXCEPTION=0 CUDA_COREDUMP_FILE="$work/wild.core" "$doppel" run --no-preload "$work/wild"
shown=$(sed -n '/^\$ doppel core /,/^\.\.\.$/p' "$top/docs/COREDUMP.md" | grep -vE '^(\$|\.\.\.)')
check "core: as docs/COREDUMP.md shows it" 0 "$(wc -l <<<"$shown") lines are there" \
    sh -c "'$doppel' core '$work/wild.core' | grep -cxF '$shown' | sed 's/$/ lines are there/'"
check "core: no such thread" 1 "no thread 64" "$doppel" core --thread 64 "$work/wild.core"
"$doppel" trace -o "$work/wild.txt" --no-preload "$work/wild" 2>/dev/null
"$doppel" record -o "$work/wild.rec" --no-preload "$work/wild" 2>/dev/null
check "refused: a function, without the launcher" 1 "DOPPEL_TRACE_CALLS=\"cuNothing\" is refused: no function is cuNothing" \
    env DOPPEL_TRACE=- DOPPEL_TRACE_CALLS=cuNothing LD_LIBRARY_PATH="$prefix/lib" "$work/wild"
# What cannot be written is an error, and a pipe that nobody reads ends the program as others end.
for command in "info" "info --json" "status" "status --json" "env" "env --json" "env --docker" "--help" "run --help" "--version" \
    "completions bash" "completions zsh" "completions fish" "smi" "smi -L" "smi -q -x" "smi dmon -c 1" "smi --help" "doctor $work/wild" \
    "doctor --json $work/wild" "core $work/wild.core" "core --json $work/wild.core" "trace summary $work/wild.txt" \
    "trace summary --json $work/wild.txt" "trace view $work/wild.txt" "replay $work/wild.rec" \
    "replay --json $work/wild.rec" "fault sweep --most 1 --seconds 2 $work/wild" "fault sweep --json --most 1 --seconds 2 $work/wild"; do
    check "full disk: $command" 1 "cannot write" sh -c "'$doppel' $command >/dev/full"
done
check "full disk: ptxas" 255 "could not be written" sh -c "'$prefix/libexec/ptxas' --version >/dev/full"
check "full disk: fatbinary" 1 "could not be written" sh -c "'$prefix/libexec/fatbinary' --version >/dev/full"
check "full disk: a page" 1 "No space left" "$doppel" trace view "$work/wild.txt" /dev/full
check "full disk: a trace" 0 "DOPPEL_TRACE: lines are lost: No space left on device" "$doppel" trace -o /dev/full --no-preload "$work/wild"
check "full disk: a record" 0 "DOPPEL_RECORD: the rest is not recorded: No space left on device" "$doppel" record -o /dev/full --no-preload "$work/wild"
# What is no file of ours is written, and stays what it is.
mknod "$work/null" c 1 3 2>/dev/null || ln -s /dev/null "$work/null"
kind=$(stat -c %F "$work/null")
for command in "trace -o $work/null --no-preload $work/wild" "record -o $work/null --no-preload $work/wild" "run --check memcheck,junit=$work/null $work/wild" \
    "trace view $work/wild.txt $work/null" "smi -q -f $work/null"; do
    "$doppel" $command >/dev/null 2>&1
    check "a device is written: $command" 0 "$kind" stat -c %F "$work/null"
done
printf '.version 7.0\n.target sm_50\n.address_size 64\n.visible .entry k() { ret; }\n' >"$work/k.ptx"
check "a device is written: ptxas" 0 "$kind" sh -c "'$prefix/libexec/ptxas' -arch=sm_80 '$work/k.ptx' -o '$work/null' && stat -c %F '$work/null'"
mkfifo "$work/pipe"
check "a pipe is written: a trace" 0 "cuInit(Flags=0)" sh -c "cat '$work/pipe' & '$doppel' trace -o '$work/pipe' --no-preload '$work/wild' >/dev/null 2>&1; wait"
check "a pipe is written: a trace for a late reader" 0 "cuInit(Flags=0)" sh -c "{ sleep 0.3; cat '$work/pipe'; } & '$doppel' trace -o '$work/pipe' --no-preload '$work/wild' >/dev/null 2>&1; wait"
for command in trace record; do
    check "a pipe is written: a $command, whose reader goes" 0 "ended: 0" \
        sh -c "head -c 1 '$work/pipe' >/dev/null & '$doppel' $command -o '$work/pipe' --no-preload '$work/wild' >/dev/null 2>&1; echo ended: \$?; wait"
done
check "a pipe is written: a record" 0 "differences\": 0" \
    sh -c "'$doppel' replay --json '$work/pipe' & '$doppel' record -o '$work/pipe' --no-preload '$work/wild' >/dev/null 2>&1; wait"
check "a pipe is written: ptxas" 0 "ELF" sh -c "head -c 4 '$work/pipe' & '$prefix/libexec/ptxas' -arch=sm_80 '$work/k.ptx' -o '$work/pipe'; wait"
# Devices have no end.
for command in "core /dev/zero" "trace summary /dev/zero" "trace view /dev/zero $work/page" "replay /dev/zero"; do
    check "no end: $command" 1 "doppel: /dev/zero is no " sh -c "ulimit -v 4000000; '$doppel' $command"
done
check "a page over its trace" 2 "is the trace itself" "$doppel" trace view "$work/wild.txt" "$work/wild.txt"
check "full disk: a file of nvidia-smi's" 1 "cannot write /dev/full" "$doppel" smi -q -f /dev/full
check "closed pipe: nvidia-smi" 0 "0 0" bash -c "'$prefix/libexec/nvidia-smi' -q | true; echo \${PIPESTATUS[*]}"
check "closed pipe" 0 "141 0" bash -c "'$doppel' status | true; echo \${PIPESTATUS[*]}"
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
# Numba asks for the name without a version first.
check "forward mode: by either name" 0 "$(realpath "$prefix/lib/libcuda.so.1")" "$doppel" run --mode forward -- sh -c 'realpath "$LD_LIBRARY_PATH/libcuda.so"'
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
check "info: absent, with faults" 0 "absent" sh -c "'$doppel' info --mode absent --fault alloc:error=UNKNOWN | grep -x 'mode            absent'"
check "info: bad" 2 "unexpected argument" "$doppel" info --nothing
check "info: what auto chose, and why" 0 "mode            auto: cpu, because of the real driver: tried $work/none.so" \
    sh -c "echo >'$work/none.so'; '$doppel' info --mode auto --real '$work/none.so'"
json() { # name, exit status, expression over the value v, arguments
    local name=$1 status=$2 expression=$3
    shift 3
    check "JSON: $name" 0 "True $status" sh -c '"$@" >"'"$work"'/json"; s=$?; python3 -c "import json; v = json.load(open(\"'"$work"'/json\")); print(bool('"$expression"'), $s)"' sh "$doppel" "$@"
}
json info 0 "v['devices'][1]['compute_capability'] == '8.6' and v['devices'][0]['memory'] == 1 << 30" info --json --devices cc86,cc86 --memory 1G
json "info: mode" 0 "v['mode']['asked'] == 'auto' and v['mode']['chosen'] == 'cpu' and 'none.so' in v['mode']['why']" \
    info --json --mode auto --real "$work/none.so"
json env 0 "v['DOPPEL_DEVICES'] == '2' and 'libdoppel-audit.so' in v['LD_AUDIT']" env --json --devices 2
json status 0 "[r['function'] for r in v] == ['cuGraphUpload'] and v[0]['cpu'] == 'implemented'" status --json cuGraphUpload
json "status: nothing" 1 "v == []" status --json cuNothing
# Faults in each call of a program that minds some of them.
cc -O1 -g -I"$top" -o "$work/careless" "$top/tests/data/careless.c" "$prefix/lib/libcuda.so.1"
for found in "crashed by signal 11: --fault 'cuMemAllocHost_v2:nth=1,error=OUT_OF_MEMORY' at main" \
    "hung: --fault 'cuEventCreate:nth=1,error=OUT_OF_MEMORY' at main" "wrong: --fault 'cuMemcpyDtoH_v2:nth=1,error=OUT_OF_MEMORY' at main" \
    "leaked: --fault 'cuMemAllocManaged:nth=1,error=OUT_OF_MEMORY' at leaks" "runs in"; do
    [ -s "$work/sweep.txt" ] || "$doppel" fault sweep --seconds 2 -- "$work/careless" >"$work/sweep.txt" 2>&1
    check "sweep: $found" 0 "$found" cat "$work/sweep.txt"
done
check "sweep: five mistakes" 0 "5" grep -c -- "--fault" "$work/sweep.txt"
check "sweep: an error that there is not" 2 "no error of the driver has this name" "$doppel" fault sweep --errors FOO -- sh -c "echo >'$work/swept'"
check "sweep: it is found before the program starts" 1 "" cat "$work/swept"
check "sweep: no such program" 127 "cannot run /nowhere" "$doppel" fault sweep /nowhere
check "sweep: a program that fails already" 1 "without a fault the program fails already" "$doppel" fault sweep -- false
check "sweep: one that makes no call" 1 "makes no call" "$doppel" fault sweep -- true
DOPPEL_TRACE="$work/trace.txt" "$doppel" info >/dev/null
json summary 0 "v['functions']['cuInit']['calls'] == 1" trace summary --json "$work/trace.txt"
json core 0 "v['kernel'] == 'wild' and v['thread'] == [37, 0, 0] and v['frames'][0]['source'] == {'file': 'stencil.cu', 'line': 41}" \
    core --json "$work/wild.core"
json replay 0 "v['launches'] == 1 and v['differences'] == 0 and v['shown'] == [] and v['damage'] is None" replay --json "$work/wild.rec"
json "replay: a difference" 1 "v['differences'] > 0 and 'LAUNCH_FAILED' in v['shown'][0]" \
    replay --json --fault 'cuLaunchKernel:nth=1,error=LAUNCH_FAILED' "$work/wild.rec"
check "completions" 0 "_doppel()" "$doppel" completions bash
check "completions: installed" 0 "same" sh -c "'$doppel' completions bash | cmp - '$prefix/share/bash-completion/completions/doppel' && echo same"
check "man page" 0 "doppel\-status" cat "$prefix/share/man/man1/doppel.1"
check status 0 "cuMemAllocAsync " "$doppel" status
check "status: all" 0 "$(grep -c '^| cu' "$top/docs/STATUS.md")" sh -c "'$doppel' status | tail -n +2 | wc -l"
check "status: missing" 1 "" sh -c "'$doppel' status --missing | grep '^cuInit '"
check "status: a name" 0 "cuGraphUpload" "$doppel" status cuGraphUp
for name in cumemalloc_V2 cuMemAlloc cuMemAlloc_v2_ptds "cuMemAlloc()" MEMALLOC CU_MEM_ALLOC mem_alloc 'cuMemAl*' 'cuMem?lloc'; do
    check "status: $name" 0 "cuMemAlloc_v2 " "$doppel" status "$name"
done
check "status: no such name" 1 "no function has cuNothing in its name" "$doppel" status cuNothing
check "status: the nearest name" 1 "did you mean cuMemAlloc" "$doppel" status cuMemAlocc
check "status: the runtime's" 1 "docs/STATUS-cudart.md" "$doppel" status cudaMalloc
check "status: an empty name" 2 "a name is needed" "$doppel" status ''
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
# The doctor: programs of each kind, and the line that helps.
mkdir "$work/doctor"
echo 'int main(void) { return 0; }' >"$work/doctor/plain.c"
build() { # name, source, options...
    local name=$1 source=$2
    shift 2
    ${CC:-cc} -x c "$work/doctor/$source" -x none -o "$work/doctor/$name" "$@"
}
# Fat binaries: a word, version and bytes of the header, bytes of all; then entries, of machine code (2) for sm_80 and PTX (1) for an architecture.
fat() { # name, kinds and architectures...
    local name=$1 entry
    shift
    echo '__asm__(".section .nv_fatbin,\"a\"\n.long 0xba55ed50\n.short 1, 16\n.quad '$((64 * $#))'\n'
    for entry in "$@"; do
        echo '.short '"${entry%:*}"', 0x101\n.long 64\n.quad 0\n.long 0,0,0,'"${entry#*:}"'\n.zero 32\n'
    done | tr -d '\n'
    echo '.text\n");int main(void) { return 0; }'
}
for each in "both 2:80 1:80" "machine 2:80 2:90" "newer 1:120"; do
    fat $each | tr -d '\n' >"$work/doctor/${each%% *}.c"
    build "${each%% *}" "${each%% *}.c"
done
printf 'const char *a = "libcuda.so.1", *b = "cudaErrorCudartUnloading"; int main(void) { return 0; }\n' >"$work/doctor/carries.c"
printf 'int part(void) { return 0; }\n' | ${CC:-cc} -x c - -shared -fPIC -o "$work/doctor/libpart.so"
printf 'int part(void); int main(void) { return part(); }\n' >"$work/doctor/needs.c"
build plain plain.c
build carries carries.c
build static plain.c -static
build musl plain.c -Wl,--dynamic-linker=/lib/ld-musl-x86_64.so.1
build needs needs.c "$work/doctor/libpart.so"
mv "$work/doctor/libpart.so" "$work/doctor/away"
printf '\177ELF\001\001\001' >"$work/doctor/old"
printf '#!/usr/bin/env sh\n' >"$work/doctor/script"
printf '#!/nowhere/python\n' >"$work/doctor/lost"
chmod +x "$work/doctor"/*
check "doctor: nothing in the way" 0 "nothing is in the way" "$doppel" doctor -- "$work/doctor/plain"
check "doctor: arguments are the program's" 0 "nothing is in the way" "$doppel" doctor "$work/doctor/plain" --mode x
check "doctor: PTX" 0 "kernels         both: PTX for compute_80; machine code for sm_80" "$doppel" doctor "$work/doctor/both"
check "doctor: machine code alone" 1 "its kernels are machine code of a GPU only" "$doppel" doctor "$work/doctor/machine"
check "doctor: what helps" 1 "what helps    compile with PTX inside: \`nvcc -gencode" "$doppel" doctor "$work/doctor/machine"
check "doctor: PTX of a newer device" 1 "what helps    run it with \`--devices cc120\`" "$doppel" doctor "$work/doctor/newer"
check "doctor: the newer device" 0 "nothing is in the way" "$doppel" doctor --devices cc120 "$work/doctor/newer"
check "doctor: NVIDIA's runtime inside" 1 "what helps    link with \`nvcc -cudart shared\`" "$doppel" doctor "$work/doctor/carries"
check "doctor: static" 1 "has no loader" "$doppel" doctor "$work/doctor/static"
check "doctor: musl" 1 "an image with glibc" "$doppel" doctor "$work/doctor/musl"
check "doctor: 32 bits" 1 "a program of 32 bits" "$doppel" doctor "$work/doctor/old"
check "doctor: a library that is missing" 1 "libpart.so is not found" "$doppel" doctor "$work/doctor/needs"
check "doctor: found by LD_LIBRARY_PATH" 1 "is not found" env LD_LIBRARY_PATH="$work/doctor/away" "$doppel" doctor "$work/doctor/needs"
check "doctor: a script" 0 "script of" "$doppel" doctor "$work/doctor/script"
check "doctor: a script of nothing" 1 "interpreter" "$doppel" doctor "$work/doctor/lost"
check "doctor: no program" 127 "there is no program" "$doppel" doctor "$work/doctor/nothing"
check "doctor: no text" 1 "neither a program nor a script" "$doppel" doctor "$work/doctor/plain.c"
json "doctor" 1 "v['findings'][0]['fix'].startswith('compile with PTX') and v['libraries'][0]['path']" doctor --json "$work/doctor/machine"
check "doctor: ours takes the place" 0 "libcudart.so.13 => $prefix/lib/libcudart.so.13 (ours)" "$doppel" doctor "$work/libpart13.so"
check "their runtime without us" 0 "12 13" "$work/program"
check "their runtime by --no-preload" 0 "12 13" "$doppel" run --no-preload "$work/program"
check "our runtime" 0 "12090 13050" "$doppel" run "$work/program"
check "our runtime by --preload" 0 "12090 13050" "$doppel" run --preload "$work/program"
check "their runtime in forward mode" 0 "12 13" "$doppel" run --mode forward "$work/program"
echo "launcher: $passed passed, $failed failed"
[ $failed = 0 ]
