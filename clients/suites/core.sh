#!/bin/bash
# Runs NVIDIA's tests of cuda.core, which its package does not carry, on our library, a file at a time.
#
#   clients/suites/core.sh FOLDER [FILE...]    FOLDER: cuda_core/tests of a checkout of cuda-python; FILE: in it, all by default
#
# docs/CLIENTS.md says what is expected to fail. Tests belong to a release of cuda.core: others ask for what it does not have.
set -u
[ -d "${1:-}" ] || { echo "usage: $0 FOLDER [FILE...]" >&2; exit 2; }
tests=$(cd "$1" && pwd)
shift
top=$(cd "$(dirname "$0")/../.." && pwd)
python=$("$top/tests/venv.sh" defaults) || exit 1
helpers=$tests/../../cuda_python_test_helpers
cd "$tests/.." || exit 1
[ $# -gt 0 ] || { cd "$tests" && set -- $(find . -name 'test_*.py' -not -path './cython/*' -not -path './example_tests/*' | sort) && cd ..; }
for file; do
    PYTHONPATH=$helpers timeout 900 "$top/build/bin/doppel" run -- "$python" -m pytest -q -p no:cacheprovider --timeout=120 "tests/$file" 2>&1 |
        grep -E '^(FAILED|ERROR) |[0-9]+ (passed|failed|skipped|errors?)' | sed "s|^\([0-9]\)|${file#./}: \1|"
done
