#!/bin/bash
# In a folder made by `tests/ptx/random.sh --folder`, on a device: runs all kernels as the driver's compiler makes them
# without and with optimisation. Leaves digests in device.0 and device.4, of kernels whose digests are not ours the whole
# memory in memory.0 and memory.4, and what each of their parts wrote down without optimisation in parts and values.
set -u
export LC_ALL=C CUDA_CACHE_DISABLE=1 PATIENCE=10
cd "$(dirname "$0")" || exit 1
mkdir -p memory.0 memory.4 values
names() { printf '%s\n' "$@" | sed 's/.ptx$//'; }
for level in 0 4; do
    export LEVEL=$level
    names m*.ptx | xargs -P "$(nproc)" -n 4 ./random 2>errors.$level | sort >device.$level
    join digests device.$level | awk '$2 != $3 { print $1 }' >differs.$level
    sed 's/^s\(.*\)\(.\)$/m\1:s\1\2/' differs.$level | xargs -r -P "$(nproc)" -n 4 ./random --keep memory.$level >/dev/null 2>&1
    [ $level != 0 ] || sed 's/^s/t/' differs.0 | xargs -r -P "$(nproc)" -n 1 ./random --trace values >parts 2>/dev/null
    echo "level $level: $(wc -l <differs.$level) of $(wc -l <device.$level) differ, $(grep -c failed device.$level) failed"
done
