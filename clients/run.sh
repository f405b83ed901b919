#!/bin/bash
# Runs every real client of this folder, unmodified, on our library by LD_LIBRARY_PATH alone.
set -u
here=$(cd "$(dirname "$0")" && pwd)
top=$(dirname "$here")
python=$("$top/tests/venv.sh" python) || exit 1
export LD_LIBRARY_PATH=$top/build/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
passed=0 failed=0
for client in "$here"/*.py; do
    name=$(basename "$client")
    if output=$(timeout 120 "$python" "$client" 2>&1) && [ "$(tail -1 <<<"$output")" = done ]; then
        passed=$((passed + 1))
        echo "ok      $name"
    else
        failed=$((failed + 1))
        echo "FAILED  $name"
        sed 's/^/        /' <<<"$output" | tail -20
    fi
done
echo "clients: $passed passed, $failed failed"
[ $failed = 0 ]
