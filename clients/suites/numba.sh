#!/bin/bash
# Runs Numba's own CUDA test suite on our library: about a quarter of an hour on two cores. See numba_suite.py.
#
#   clients/suites/numba.sh [--driver] [PATTERN]    as it installs itself; --driver: without nvJitLink, PTX linked by the driver
set -eu
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
environment=defaults
[ "${1:-}" != --driver ] || { environment=kernels; shift; }
python=$("$top/tests/venv.sh" $environment)
out=$top/target/numba-suite-$environment
mkdir -p "$out"
exec "$top/build/bin/doppel" run -- "$python" "$here/numba_suite.py" "$out" "$@"
