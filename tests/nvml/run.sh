#!/bin/bash
# Tests the management library and nvidia-smi: every function as C and as nvidia-ml-py call it, the answers by kind against an
# H200's, the exports against the real library's, and what nvidia-smi prints.
#
#   tests/nvml/run.sh [FOLDER]    FOLDER: the libraries (default: build/lib); nvidia-smi is in libexec beside it
set -u
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
lib=$(cd "${1:-$top/build/lib}" && pwd)
smi=$(dirname "$lib")/libexec/nvidia-smi
data=$top/tests/data/nvml
python=$("$top/tests/venv.sh" nvml) || exit 1
include=$(dirname "$(find "$(dirname "$python")/../lib" -name nvml.h | head -1)")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset DOPPEL_MODE DOPPEL_DEVICES DOPPEL_DEVICE_MEMORY DOPPEL_MEMORY_LIMIT DOPPEL_LOG DOPPEL_REAL_NVML LD_AUDIT CUDA_VISIBLE_DEVICES
export LD_LIBRARY_PATH=$lib
failed=0
check() { # NAME EXPECTED FOUND
    [ "$2" = "$3" ] && return
    failed=$((failed + 1))
    printf 'FAILED %s: expected\n%s\n  got\n%s\n' "$1" "$2" "$3"
}

# The same exports, and no version of them.
exports=$(nm -D --defined-only "$lib/libnvidia-ml.so.1" | awk '{ print $3 }' | grep -v '^doppel_real_library$' | LC_ALL=C sort)
check exports "$(cat "$data/exports.txt")" "$exports"

# Every function, by kind.
"$python" "$here/table.py" "$include" "$work/table.inc" && ${CC:-cc} -w -O1 -I"$work" "$here/ask.c" -o "$work/ask" -ldl || exit 1
for part in calls special; do DOPPEL_DEVICES=h200 "$work/ask" "$lib/libnvidia-ml.so.1" $part >"$work/$part" 2>&1; done
check "crashes" "" "$(grep 'ended by signal' "$work/calls" "$work/special")"
python3 "$here/compare.py" "$data/answers.txt" "$data/different.txt" "$work/calls" "$work/special" || failed=$((failed + 1))
# Without a driver.
DOPPEL_MODE=absent ASK_ANYWAY=1 "$work/ask" "$lib/libnvidia-ml.so.1" calls >"$work/absent" 2>&1
check "without a driver" "" "$(awk -F' [|] ' '$3 !~ /^1( |$)/ && !/nvmlSystemGetNVMLVersion/' "$work/absent" | head -5)"

# In forward mode the real library answers, also what ours refuses; what it lacks is not found.
${CC:-cc} -shared -fPIC "$here/real.c" -o "$work/libreal.so" || exit 1
forwarded() { # FILE: results of four functions, and the number of devices
    DOPPEL_MODE=forward DOPPEL_LOG=off DOPPEL_REAL_NVML=$1 "$python" -c 'import ctypes, sys
library, n = ctypes.CDLL(sys.argv[1]), ctypes.c_uint(9)
print(library.nvmlInit_v2(), library.nvmlDeviceGetCount_v2(ctypes.byref(n)), n.value, library.nvmlDeviceGetFanSpeed(None, ctypes.byref(n)), library.nvmlShutdown())' "$lib/libnvidia-ml.so.1" 2>&1
}
check "forward mode" "0 0 42 5 13" "$(forwarded "$work/libreal.so")"
check "forward mode, no real library" "9 1 9 1 1" "$(forwarded /nowhere)"
check "forward mode, ours as the real one" "9 1 9 1 1" "$(forwarded "$lib/libnvidia-ml.so.1")"

# A limit is for a number that CUDA gives: here the second device's. Free memory of both.
limited=$(DOPPEL_NODE=none DOPPEL_DEVICES=2 DOPPEL_DEVICE_MEMORY=4GiB DOPPEL_MEMORY_LIMIT=1GiB,none CUDA_VISIBLE_DEVICES=1 "$python" -c 'import ctypes, sys
library, device, memory = ctypes.CDLL(sys.argv[1]), ctypes.c_void_p(), (ctypes.c_uint64 * 3)()
library.nvmlInit_v2()
for i in range(2):
    library.nvmlDeviceGetHandleByIndex_v2(i, ctypes.byref(device)), library.nvmlDeviceGetMemoryInfo(device, memory)
    print(memory[1] >> 20, end=" ")' "$lib/libnvidia-ml.so.1")
check "memory limit" "4096 1024 " "$limited"

# As nvidia-ml-py calls it, on one device and on several kinds.
for devices in 1 h200,doppel,cc75,cc100; do
    DOPPEL_DEVICES=$devices timeout 120 "$python" "$here/surface.py" "$lib" || failed=$((failed + 1))
done
# What processes see of each other.
timeout 240 "$python" "$here/node.py" "$lib" "$smi" || failed=$((failed + 1))
several() { CUDA_VISIBLE_DEVICES=0 DOPPEL_DEVICES=$1 "$python" -c 'import pynvml as n; n.nvmlInit(); print(n.nvmlDeviceGetCount())' 2>&1; }
check "CUDA_VISIBLE_DEVICES does not matter" 3 "$(several 3)"
check "no device" 0 "$(several 0)"
check "a malformed environment" "pynvml.NVMLError_Unknown: Unknown Error" "$(several nowhere | tail -1)"
# Wherever a program looks for the real one.
audited=$(env -u LD_LIBRARY_PATH LD_AUDIT="$lib/libdoppel-audit.so" DOPPEL_DEVICES=2 "$python" -c \
    'import pynvml as n; n.nvmlInit(); print(n.nvmlDeviceGetCount(), n.nvmlDeviceGetName(n.nvmlDeviceGetHandleByIndex(1)))' 2>&1)
check "by the auditing library" "2 Doppel CPU device" "$audited"

# nvidia-smi: the table and a line of columns as on an H200, whose sensors and settings no emulated device has.
masked() { sed -E 's/^[A-Z][a-z]{2} [A-Z][a-z]{2} .*/DATE/; s/ +(On|Off)  \|/ --- |/; s/ +(N\/A|[0-9]+[WC%])/ ?/g; s/ +[0-9]+ \|$/ ? |/; s/ \/ +\?/ \/ ?/; s/ \? \|/ |/' | sed -E 's/ +\|/ |/g'; }
check "the table" "$(masked <"$data/table.txt")" "$(DOPPEL_DEVICES=h200 "$smi" | masked)"
columns=index,name,pci.bus_id,driver_version,memory.total,memory.used,memory.free,temperature.gpu,compute_cap,compute_mode,count,power.draw
check "columns" "index, name, pci.bus_id, driver_version, memory.total [MiB], memory.used [MiB], memory.free [MiB], temperature.gpu, compute_cap, compute_mode, count, power.draw [W]
0, NVIDIA H200, 00000000:00:06.0, 580.159.04, 143771 MiB, 0 MiB, 143156 MiB, [N/A], 9.0, Default, 1, [N/A]" \
    "$(DOPPEL_DEVICES=h200 "$smi" --query-gpu=$columns --format=csv)"
check "columns alone" "1, 143771" "$(DOPPEL_DEVICES=doppel,h200 "$smi" -i 1 --query-gpu=index,memory.total --format=csv,noheader,nounits)"
check "a list" "GPU 0: NVIDIA H200 (UUID: GPU-446f7070-656c-4350-5564-657669636500)
GPU 1: Doppel CPU device (UUID: GPU-446f7070-656c-4350-5564-657669636501)" "$(DOPPEL_DEVICES=h200,doppel "$smi" -L)"
check "processes" "pid, process_name, used_gpu_memory [MiB]" "$("$smi" --query-compute-apps=pid,name,used_memory --format=csv)"
check "two devices of a machine" "GPU0 X PHB GPU1 PHB X" "$(DOPPEL_DEVICES=2 "$smi" topo -m | awk '/^GPU/ { printf "%s%s %s %s", sep, $1, $2, $3; sep = " " }')"
check "a monitor" 4 "$("$smi" dmon -c 2 | wc -l)"
check "the log" "Product Name : NVIDIA H200" "$(DOPPEL_DEVICES=h200 "$smi" -q | grep 'Product Name' | tr -s ' ' | sed 's/^ //')"
check "a section of the log" "Total : 143771 MiB Reserved : 616 MiB Used : 0 MiB Free : 143156 MiB" \
    "$(DOPPEL_DEVICES=h200 "$smi" -q -d MEMORY | sed -n '/FB Memory/,/BAR1/p' | sed '1d;$d' | tr -s ' \n' ' ' | sed 's/^ //; s/ $//')"
# The log as XML says what the log says.
check "XML" "NVIDIA H200 143771 MiB Default 00000000:00:06.0 1" "$(DOPPEL_DEVICES=h200 "$smi" -q -x | "$python" -c '
import sys, xml.etree.ElementTree as tree
log = tree.parse(sys.stdin).getroot()
device = log.find("gpu")
print(*(device.findtext(tag) for tag in ("product_name", "fb_memory_usage/total", "compute_mode", "pci/pci_bus_id")), log.findtext("attached_gpus"))')"
status() { # EXPECTED ARGUMENT...: the exit status
    local expected=$1
    shift
    DOPPEL_MODE=${mode:-cpu} "$smi" "$@" >/dev/null 2>&1
    check "exit status of nvidia-smi $*" "$expected" $?
}
status 0 -L
status 2 --query-gpu=bogus
status 6 -i 99
status 255 --bogus
mode=absent status 9 -L
check "doppel smi" "$(DOPPEL_DEVICES=2 "$smi" -L)" "$(DOPPEL_DEVICES=2 "$(dirname "$lib")/bin/doppel" smi -L)"
check "from doppel run" "$("$smi" -L)" "$(env -u LD_LIBRARY_PATH "$(dirname "$lib")/bin/doppel" run -- nvidia-smi -L)"
echo "the management library and nvidia-smi: $failed failed"
[ $failed = 0 ]
