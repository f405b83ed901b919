#!/bin/bash
# Runs every real client of this folder, unmodified, on our libraries, as `doppel run` puts them in.
#
#   clients/run.sh            those that are small to install, and PyTorch's if PyTorch is installed already
#   clients/run.sh --torch    installs PyTorch first (4.1 GB), or fails
set -u
here=$(cd "$(dirname "$0")" && pwd)
top=$(dirname "$here")
python=$("$top/tests/venv.sh" python) || exit 1
torch=
if [ "${1:-}" = --torch ] || [ -d "$(echo "$top"/target/venv-torch/lib/python*/site-packages/torch)" ]; then
    torch=$("$top/tests/venv.sh" torch) || exit 1
fi
passed=0 failed=0
for client in "$here"/*.py; do
    name=$(basename "$client")
    case $name in
        torch_*)
            [ -n "$torch" ] || { echo "left out $name: PyTorch is not installed (clients/run.sh --torch)"; continue; }
            interpreter=$torch
            ;;
        *) interpreter=$python ;;
    esac
    if output=$(timeout 300 "$top/build/bin/doppel" run -- "$interpreter" "$client" 2>&1) &&
        [ "$(tail -1 <<<"$output")" = done ]; then
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
