#!/bin/bash
# Runs C tests in processes in which the first call of every function has failed on purpose: all else is as if it had not been made.
#
#   tests/recovered.sh [NAME...]    (all of c-tests by default)
set -eu
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cc -O1 -Wall -Wextra -Werror -D_GNU_SOURCE -shared -fPIC -o "$work/each_first.so" tests/data/each_first.c -ldl
# CUDA_ERROR_LAUNCH_TIMEOUT: no test expects it of a function.
sed 's/$/:nth=1,error=LAUNCH_TIMEOUT/' tests/data/symbols.txt >"$work/rules"
export DOPPEL_FAULT=$work/rules LD_PRELOAD=$work/each_first.so
export EACH_FIRST_NAMES=$PWD/tests/data/symbols.txt EACH_FIRST_ERROR=702
[ $# -gt 0 ] || set -- $(cd c-tests && ls ./*.c | sed 's/.*\/\(.*\)\.c/\1/')
early=() late=()
for name in "$@"; do
    # Each call that fails on purpose has a line in the log, which this one reads.
    [ "$name" = reasons ] && { echo "skipped: reasons: what it reads is the log, which has faults in it"; continue; }
    [ "$name" = small_launch ] && { echo "skipped: small_launch: a worker is woken if a call takes long, and with a rule for each function all do"; continue; }
    # The log is read at the first call: those that choose it themselves make the calls when they initialise.
    if grep -q 'setenv("DOPPEL_LOG"' "c-tests/$name.c"; then late+=("$name"); else early+=("$name"); fi
done
status=0
if [ ${#early[@]} -gt 0 ]; then c-tests/run.sh --out target/c-tests-recovered "${early[@]}" || status=1; fi
if [ ${#late[@]} -gt 0 ]; then EACH_FIRST_AT=init c-tests/run.sh --out target/c-tests-recovered "${late[@]}" || status=1; fi
exit $status
