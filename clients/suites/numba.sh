#!/bin/bash
# Runs Numba's own CUDA test suite on our library: about a quarter of an hour on two cores. See numba_suite.py.
#
#   clients/suites/numba.sh [PATTERN]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
python=$("$top/tests/venv.sh" kernels)
mkdir -p "$top/target/numba-suite"
exec "$top/build/bin/doppel" run -- "$python" "$here/numba_suite.py" "$top/target/numba-suite" "$@"
