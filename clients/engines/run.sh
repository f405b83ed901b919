#!/bin/bash
# Engines that run programs on many devices, processes and hosts, unmodified as PyPI has them, on our libraries.
#
#   clients/engines/run.sh               those of continuous integration: mpi ucx ucxx
#   clients/engines/run.sh NAME...       mpi ucx ucxx ray dask torch hosts, or speed, speed_ucx, speed_mpi (bandwidths, which no test asserts)
#
# Each says what it ran and what came out; docs/ENGINES.md has the output.
set -u
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
doppel=${DOPPEL:-$top/build/bin/doppel}
unset DOPPEL_MODE DOPPEL_DEVICES DOPPEL_DEVICE_MEMORY DOPPEL_NODE CUDA_VISIBLE_DEVICES
export NUMBA_CUDA_LOW_OCCUPANCY_WARNINGS=0 PYTHONWARNINGS=ignore
work=$(mktemp -d)
failed=0
# What is still there when the test ends.
leave() {
    [ -z "${hosts:-}" ] || remove_hosts
    rm -rf "$work"
}
trap leave EXIT
# expect NAME COMMAND...: the last line of the output says that all is well.
expect() {
    local name=$1
    shift
    if "$@" >"$work/output" 2>&1 && [ "$(tail -1 "$work/output")" = done ]; then
        # Without what Ray says of each task that it starts again.
        sed '$d; /(raylet)/d; /\[state-dump\]/d; /^\t/d; /^$/d; s/^/        /' "$work/output" >"$work/shown"
        echo "ok      $name" >>"$work/shown"
        cat "$work/shown"
        # What continuous integration runs prints what the page shows.
        [ -z "${compared:-}" ] || [[ $(cat "$top/docs/ENGINES.md") == *"$(cat "$work/shown")"* ]] ||
            { failed=$((failed + 1)); echo "FAILED  docs/ENGINES.md shows something else of: $name"; }
    else
        failed=$((failed + 1))
        tail -30 "$work/output" | sed 's/^/        /'
        echo "FAILED  $name"
    fi
}
kernels() { [ -n "${kernels:-}" ] || kernels=$("$top/tests/venv.sh" kernels) || exit 1; }

# MPI: a Python with Numba, and mpi4py beside one of the two libraries. Ranks wait without a core of their own.
with_mpi() { # WHICH, ARGUMENT of doppel run..., --, ARGUMENT of mpiexec...
    local which=$1 root options=()
    shift
    root=$("$top/tests/venv.sh" "$which") || exit 1
    while [ "$1" != -- ]; do options+=("$1"); shift; done
    shift
    # Open MPI: as root; more ranks than cores; its own UCX knows nothing of devices, and is not asked.
    env OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe \
        OMPI_MCA_pml=ob1 OMPI_MCA_osc=^ucx OMPI_MCA_mpi_yield_when_idle=1 \
        PYTHONPATH="$(echo "$root"/lib/python*/site-packages)" LD_LIBRARY_PATH="$root/lib" \
        timeout 240 "$doppel" run "${options[@]}" -- "$root/bin/mpiexec" "$@"
}
mpi() {
    kernels
    expect "mpi4py, Open MPI, 4 ranks on 2 devices" with_mpi openmpi --devices 2 -- -n 4 "$kernels" "$here/mpi.py"
    expect "mpi4py, MPICH, 2 ranks on 2 devices" with_mpi mpich --devices 2 -- -n 2 "$kernels" "$here/mpi.py"
}

# UCX's own test between two processes: perftest TRANSPORTS MEMORY TEST BYTES TIMES. Its log says what it sent with.
perftest() {
    local port server rc
    port=$((20000 + RANDOM % 20000))
    local run=(env UCX_TLS="$1" UCX_PROTO_INFO=y UCX_LOG_LEVEL=info LD_LIBRARY_PATH="$ucx/lib"
        timeout 60 "$doppel" run --node "ucx $$" -- "$ucx/bin/ucx_perftest" -p $port)
    "${run[@]}" >"$work/server" 2>&1 &
    server=$!
    # It listens when the system says so: what it prints comes late.
    for _ in $(seq 400); do grep -q ":$(printf %04X $port) .* 0A " /proc/net/tcp && break; sleep 0.05; done
    "${run[@]}" 127.0.0.1 -t "$3" -m "$2" -s "$4" -n "$5" -w 1 -f >"$work/client" 2>&1
    rc=$?
    # A client that failed leaves the server waiting.
    [ $rc = 0 ] || kill $server 2>/dev/null
    wait $server || rc=1
    return $rc
}
with_ucx() { [ -n "${ucx:-}" ] || { ucx=$("$top/tests/venv.sh" ucx) || exit 1; }; }
# What the last perftest did, in MB/s.
bandwidth() { awk '/^ +[0-9]+ +[0-9.]+ / { print $6 }' "$work/client" | tail -1; }
# Where both ends have device memory, and how that was sent.
way() { cat "$work/client" "$work/server" | sed -nE 's/^.*\| +[0-9]+\.\.inf \| (\(\?\) )?(.*[^ ]) +\| (cuda_ipc\/cuda) +\|.*/\2, \3/p' | sort -u | tail -1; }
one_transfer() { # TRANSPORTS TEST BYTES EXPECTED
    perftest "$1" cuda "$2" "$3" 5 || { cat "$work/server" "$work/client" | grep -vE '\|' | tail -20; return 1; }
    local found
    found=$(way)
    echo "${found:-no cuda_ipc}"
    [ -n "$(bandwidth)" ] && case "$found" in *$4*) echo done ;; *) return 1 ;; esac
}
ucx() {
    with_ucx
    local size
    LD_LIBRARY_PATH=$ucx/lib "$doppel" run -- "$ucx/bin/ucx_info" -d >"$work/info" 2>&1
    expect "UCX has its CUDA transports" awk '/Transport: cuda/ { print $3 } END { print "done" }' "$work/info"
    for transport in cuda_copy cuda_ipc; do grep -q "Transport: $transport" "$work/info" || { failed=$((failed + 1)); echo "FAILED  UCX: no $transport"; }; done
    for size in 1048576 67108864; do
        expect "UCX, tagged messages of $size bytes between processes" one_transfer cuda_copy,cuda_ipc,sm,tcp tag_bw $size cuda_ipc
    done
    # Without shared memory of the host, which UCX else takes for what is one-sided.
    expect "UCX, put" one_transfer cuda_copy,cuda_ipc,tcp ucp_put_bw 1048576 cuda_ipc
    UCX_CUDA_IPC_ENABLE_GET_ZCOPY=on expect "UCX, get" one_transfer cuda_copy,cuda_ipc,tcp ucp_get 1048576 cuda_ipc
    # Streams go through the host, as with a device.
    expect "UCX, streams" one_transfer cuda_copy,cuda_ipc,sm,tcp stream_bw 1048576 ""
}

# The same from Python. UCX's log says how what is in device memory is sent.
ucxx_tags() {
    local python
    python=$("$top/tests/venv.sh" ucxx) || return 1
    UCX_TLS=cuda_copy,cuda_ipc,sm,tcp UCX_PROTO_INFO=y UCX_LOG_LEVEL=info LD_LIBRARY_PATH= timeout 120 \
        "$doppel" run --devices 2 --node "ucxx $$" -- "$python" "$here/ucxx_tags.py" >"$work/client" 2>&1 || { grep -v '[|+]' "$work/client" | tail -20; return 1; }
    : >"$work/server"
    local found
    found=$(way)
    grep -v '^\[' "$work/client" | sed '$d'
    echo "${found:-no cuda_ipc}"
    case $found in *cuda_ipc*) tail -1 "$work/client" ;; *) return 1 ;; esac
}
ucxx() { expect "ucxx, tagged messages between two devices of two processes" ucxx_tags; }

# Bandwidths of device memory beside host memory, measured in turn: speed_ucx, speed_mpi, or both.
speed() { speed_ucx; speed_mpi; }
speed_ucx() {
    with_ucx
    local size round
    for size in 1048576 67108864; do
        for round in 1 2 3; do
            perftest cuda_copy,cuda_ipc,sm,tcp cuda tag_bw $size $((size > 1048576 ? 30 : 1000)) && echo "$size bytes, cuda_ipc: $(bandwidth) MB/s"
            perftest sm,tcp host tag_bw $size $((size > 1048576 ? 30 : 1000)) && echo "$size bytes, host shared memory: $(bandwidth) MB/s"
        done
    done
}
speed_mpi() {
    local kind
    kernels
    for kind in openmpi mpich; do
        expect "allreduce, $kind" with_mpi $kind --devices 4 --memory 2GiB -- -n 4 "$kernels" "$here/mpi.py" --speed
    done
}

# Ray on this host: it finds the devices, and gives tasks and actors shares of them.
ray() { expect "Ray, 2 devices" on_engines --devices 2 -- "$here/ray_tasks.py"; }
# Dask-CUDA's cluster of this host: a worker for each device.
dask() { expect "Dask-CUDA, 3 devices" on_engines --devices 3 -- "$here/dask_workers.py"; }
# torch.distributed, whose ranks have tensors in device memory.
torch_gloo() {
    local python
    python=$("$top/tests/venv.sh" torch) || return 1
    TMPDIR=$work timeout 240 "$doppel" run --devices 2 -- "$python" "$here/torch_gloo.py" 4
}
torch() { expect "torch.distributed with gloo, 4 ranks on 2 devices" torch_gloo; }
on_engines() { # ARGUMENT of doppel run..., --, ARGUMENT of Python...
    local python options=()
    python=$("$top/tests/venv.sh" engines) || exit 1
    while [ "$1" != -- ]; do options+=("$1"); shift; done
    shift
    ray_environment timeout 240 "$doppel" run "${options[@]}" -- "$python" "$@"
}
# Ray keeps what it writes in a folder, and asks for a path of few letters; its workers find our module.
ray_environment() {
    env RAY_AUTH_MODE=disabled RAY_local_fs_capacity_threshold=1 RAY_TMPDIR="$work" RAY_USAGE_STATS_ENABLED=0 PYTHONPATH="$here" "$@"
}

# Three hosts: network namespaces of this machine, at one switch, each with a node of its own.
hosts=
on_host() { # NUMBER COMMAND...
    local host=dpl$$-$1
    shift
    ip netns exec "$host" "$@"
}
make_hosts() {
    local i
    hosts=3
    ip netns add dpl$$-switch || return 1
    ip -n dpl$$-switch link add bridge type bridge && ip -n dpl$$-switch link set bridge up || return 1
    for i in 1 2 3; do
        ip netns add dpl$$-$i &&
            ip -n dpl$$-$i link add eth0 type veth peer name port$i netns dpl$$-switch &&
            ip -n dpl$$-switch link set port$i master bridge up &&
            ip -n dpl$$-$i addr add 10.77.0.$i/24 dev eth0 &&
            ip -n dpl$$-$i link set eth0 up && ip -n dpl$$-$i link set lo up || return 1
    done
}
# A host that loses its power.
kill_host() { ip netns pids "dpl$$-$1" | xargs -r kill -9; }
remove_hosts() {
    local i
    for i in 1 2 3; do kill_host $i; ip netns del dpl$$-$i; done 2>/dev/null
    ip netns del dpl$$-switch 2>/dev/null
    hosts=
}
ray_on_hosts() {
    local i python ray
    python=$("$top/tests/venv.sh" engines) || return 1
    # A host is the head of the cluster, the others join it.
    for i in 1 2 3; do
        local at=(--address=10.77.0.1:6379)
        [ $i != 1 ] || at=(--head --port=6379 --include-dashboard=false)
        ray_environment ip netns exec dpl$$-$i "$doppel" run --node "host $i" --devices 4 -- "$python" -m ray.scripts.scripts start \
            --node-ip-address=10.77.0.$i "${at[@]}" --num-cpus=4 --object-store-memory=100000000 --disable-usage-stats >"$work/ray$i" 2>&1 ||
            { tail -5 "$work/ray$i"; return 1; }
    done
    # One is lost in the middle.
    (while [ ! -e "$work/tasks.now" ]; do sleep 0.1; done; kill_host 3) &
    local killer=$!
    ray_environment ip netns exec dpl$$-1 timeout 240 "$doppel" run --node "host 1" --devices 4 -- "$python" "$here/ray_tasks.py" 10.77.0.1:6379 "$work/tasks"
    local rc=$?
    kill $killer 2>/dev/null
    return $rc
}
mpi_on_hosts() {
    local root
    root=$("$top/tests/venv.sh" mpich) || return 1
    # What MPICH takes for ssh: options, a host, and a command.
    cat >"$work/ssh" <<END
#!/bin/bash
while [ "\${1#10.77.0.}" = "\$1" ]; do shift; done
host=\${1#10.77.0.}
shift
exec ip netns exec dpl$$-\$host env DOPPEL_NODE="host \$host" bash -c "\$*"
END
    chmod +x "$work/ssh"
    PYTHONPATH="$(echo "$root"/lib/python*/site-packages)" LD_LIBRARY_PATH="$root/lib" on_host 1 timeout 240 \
        "$doppel" run --devices 2 -- "$root/bin/mpiexec" -launcher ssh -launcher-exec "$work/ssh" -iface eth0 \
        -hosts 10.77.0.1,10.77.0.2,10.77.0.3 -n 3 "$kernels" "$here/mpi.py"
}
hosts() {
    [ "$(id -u)" = 0 ] && command -v ip >/dev/null && ip netns add dpl$$-probe 2>/dev/null || { echo "skipped: hosts: network namespaces take root and iproute2"; return; }
    ip netns del dpl$$-probe
    kernels
    make_hosts || { failed=$((failed + 1)); echo "FAILED  three hosts could not be made"; return; }
    expect "MPICH, a rank on each of 3 hosts" mpi_on_hosts
    expect "Ray, 64 tasks on 3 hosts with 4 devices each, one host lost" ray_on_hosts
    remove_hosts
}

[ $# -gt 0 ] || set -- mpi ucx ucxx
for name in "$@"; do
    case $name in mpi | ucx | ucxx) compared=yes ;; *) compared= ;; esac
    case $name in
        mpi | ucx | ucxx | speed | speed_ucx | speed_mpi | ray | dask | hosts | torch) "$name" ;;
        *) echo "usage: clients/engines/run.sh [mpi|ucx|ucxx|speed|speed_ucx|speed_mpi|ray|dask|hosts|torch]..." >&2; exit 2 ;;
    esac
done
echo "engines: $failed failed"
[ $failed = 0 ]
