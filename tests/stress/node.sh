#!/bin/bash
# Processes that share a node are killed at any moment and begin again; then all memory is free and nothing is left anywhere. Meanwhile
# another user sees nothing of them, in the driver or in the management library.
#
#   tests/stress/node.sh [SECONDS [PROCESSES [FOLDER]]]    6 seconds of 40; FOLDER: the libraries (default: build/lib)
#
# As root it has a /tmp and a /dev/shm of its own, so that all that is there counts; else what has our name counts.
set -u
top=$(cd "$(dirname "$0")/../.." && pwd)
seconds=${1:-6} processes=${2:-40}
lib=$(cd "${3:-$top/build/lib}" && pwd)
private=${PRIVATE_FOLDERS:-}
if [ "$(id -u)" = 0 ] && [ -z "$private" ] && unshare -m true 2>/dev/null; then
    PRIVATE_FOLDERS=1 exec unshare -m bash "$0" "$seconds" "$processes" "$lib"
fi
# Another user has to be able to read the libraries and the program, wherever the checkout is.
look=$(mktemp -d -p /var/tmp)
trap 'rm -rf "$look"' EXIT
cp "$lib"/libcuda.so.1 "$lib"/libnvidia-ml.so.1 "$(dirname "$lib")/libexec/nvidia-smi" "$look" && chmod 755 "$look" || exit 1
cc -std=c11 -D_GNU_SOURCE -O1 -Wall -Wextra -Werror -I"$top" -o "$look/node" "$top/c-tests/node.c" -L"$lib" -lcuda || exit 1
[ -z "$private" ] || { cd "$look" && mount -t tmpfs none /dev/shm && mount -t tmpfs none /tmp; } || exit 1
unset DOPPEL_MODE DOPPEL_DEVICES DOPPEL_DEVICE_MEMORY DOPPEL_LOG CUDA_VISIBLE_DEVICES LD_AUDIT
export LD_LIBRARY_PATH=$look
failed=0
check() { # NAME EXPECTED FOUND
    [ "$2" = "$3" ] && return
    failed=$((failed + 1))
    printf 'FAILED %s: expected %s, got %s\n' "$1" "$2" "$3"
}
left() { find /dev/shm /tmp -mindepth 1 -name "$ours" 2>/dev/null; }
ours="*doppel*"
[ -z "$private" ] || ours="*"
before=$(left)
# It goes on until all questions are asked.
mkfifo "$look/held"
"$look/node" stress "$seconds" "$processes" <"$look/held" >"$look/log" 2>&1 &
stress=$!
exec 9>"$look/held"
# The same node, named as the program names it.
export DOPPEL_NODE="test $stress" DOPPEL_DEVICES=2 DOPPEL_DEVICE_MEMORY=1GiB
ask() { "$@" "$look/nvidia-smi" --query-compute-apps=pid --format=csv,noheader; }
# At 10 ms from one to the next all of them take a while to begin.
for _ in $(seq 200); do [ "$(ask | wc -l)" -lt $((processes / 2)) ] || break; sleep 0.05; done
check "this user sees the others" yes "$([ "$(ask | wc -l)" -ge $((processes / 2)) ] && echo yes)"
key=$(grep -o "@doppel-node\.[0-9]*\.[0-9a-f]*\.$stress\." /proc/net/unix)
key=${key%"$stress."}
check "the node has names" yes "$([ -n "$key" ] && grep -q "$key" /proc/net/unix && echo yes)"
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
    stranger=(setpriv --reuid 65534 --regid 65534 --clear-groups)
    check "another user's devices are there" 2 "$("${stranger[@]}" "$look/nvidia-smi" -L | wc -l)"
    check "processes that another user sees" "" "$(ask "${stranger[@]}")"
    check "memory that another user sees in use" "0 0" "$("${stranger[@]}" "$look/nvidia-smi" --query-gpu=memory.used --format=csv,noheader,nounits | xargs)"
    # All descriptors of processes of the node, and their memory.
    opened=$("${stranger[@]}" bash -c 'for p; do for f in /proc/$p/mem /proc/$p/fd/{0..40}; do : <"$f" && echo "$f"; done; done 2>/dev/null' - $stress $(ask))
    check "what another user opens of the processes" "" "$opened"
    "${stranger[@]}" env DOPPEL_NODE="$DOPPEL_NODE" "$look/node" hold 600 >"$look/answer" &
    visitor=$!
    for _ in $(seq 100); do [ ! -s "$look/answer" ] || break; sleep 0.05; done
    # Of 1 GiB, of which this user's processes have most.
    check "memory that another user gets" y "$(cat "$look/answer")"
    check "the other user among the processes" "" "$(ask | grep -x $visitor)"
    kill $visitor
    wait $visitor 2>/dev/null
else
    echo "skipped: another user: nobody but root becomes one"
fi
exec 9>&-
wait $stress
check "exit status" 0 $?
cat "$look/log"
check "left in /dev/shm and /tmp" "$before" "$(left)"
check "processes that are left" "" "$(ask)"
check "names of the node that are left" "" "$(grep "$key" /proc/net/unix)"
echo "processes of a node, killed at any moment: $failed failed"
[ $failed = 0 ]
