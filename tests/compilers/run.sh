#!/bin/bash
# Compares a library of ours with the real one that it stands over, and runs what it makes.
#
#   tests/compilers/run.sh nvrtc|nvjitlink [ARGUMENT...]    arguments go to the fuzzer: rounds, seed
set -eu
top=$(cd "$(dirname "$0")/../.." && pwd)
what=$1
shift
python=$("$top/tests/venv.sh" compilers)
unset DOPPEL_MODE DOPPEL_LOG DOPPEL_REAL_NVRTC DOPPEL_REAL_NVJITLINK
export LD_LIBRARY_PATH=$top/build/lib
failed=0
for v in 12 13; do
    "$python" "$top/tests/compilers/$what.py" $v "$top/build/lib" || failed=1
    "$python" "$top/tests/compilers/fuzz.py" "$what" $v "$top/build/lib" "$@" || failed=1
done
exit $failed
