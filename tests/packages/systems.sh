#!/bin/bash
# Installs what `make dist` made on fresh systems and runs a program there, each in two commands, timed; then without /proc. As root, with
# debootstrap; not a step of tests/all.sh: it fetches whole systems.
#
#   tests/packages/systems.sh [SUITE...]    Debian's suites, and musl, a system without glibc: bookworm, bullseye and musl by default; systems
#                                           lie in target/chroot
set -u
cd "$(dirname "$0")/../.." || exit 1
command -v debootstrap >/dev/null || { echo "skipped: there is no debootstrap"; exit 77; }
[ "$(id -u)" = 0 ] || { echo "skipped: only root can make systems"; exit 77; }
[ $# -gt 0 ] || set -- bookworm bullseye musl
work=$(mktemp -d)
passed=0 failed=0
root=
leave() {
    [ -z "$root" ] || umount "$root/proc" "$root/dev" 2>/dev/null
    rm -rf "$work"
}
trap leave EXIT
"$(packaging/old-glibc.sh target/old-glibc)" -O2 -I. tests/packages/vectors.c -Ltarget/dist/build/lib -lcuda -o "$work/vectors" || exit 1
"$(packaging/old-glibc.sh target/old-glibc)" -O1 -I. tests/packages/leak.c -Ltarget/dist/build/lib -lcuda -rdynamic -o "$work/leak" || exit 1
"$(packaging/old-glibc.sh target/old-glibc)" -O1 -I. tests/packages/throws.cpp -Ltarget/dist/build/lib -lcuda -lstdc++ -rdynamic -o "$work/throws" || exit 1
# Rust's panics, by the unwinder of our libraries: the program of crates/unwinder/tests.
panics=$(CARGO_TARGET_DIR=target/dist CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_LINKER=$(packaging/old-glibc.sh target/old-glibc) cargo test --locked --release \
    -p doppel-unwinder --test process --no-run --message-format=json 2>"$work/log" | sed -n 's/.*"executable":"\([^"]*\)".*/\1/p')
[ -x "$panics" ] || { tail -5 "$work/log"; exit 1; }
inside() { chroot "$root" env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C DEBIAN_FRONTEND=noninteractive \
    PIP_ROOT_USER_ACTION=ignore "$@"; }
# try NAME COMMAND COMMAND: the second prints the right sum.
try() {
    local name=$1 start first second rc output
    start=$(date +%s.%N)
    output=$(inside sh -c "cd /root && $2" 2>&1)
    rc=$?
    first=$(date +%s.%N)
    [ $rc != 0 ] || { output=$(inside sh -c "cd /root && $3" 2>&1); rc=$?; }
    second=$(date +%s.%N)
    if [ $rc = 0 ] && grep -q '500500' <<<"$output"; then
        passed=$((passed + 1))
        awk -v n="$suite: $name" -v a="$start" -v b="$first" -v c="$second" 'BEGIN { printf "ok      %s: installed in %.1f s, ran in %.2f s\n", n, b - a, c - b }'
    else
        failed=$((failed + 1))
        echo "FAILED  $suite: $name: exit status $rc"
        tail -15 <<<"$output"
    fi
}
# bare NAME WORDS COMMAND: it prints the words; $without says what there is not.
without=
bare() {
    local output rc
    output=$(inside sh -c "cd /root && $3" 2>&1)
    rc=$?
    if [ $rc = 0 ] && grep -qF -- "$2" <<<"$output"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED  $suite$without: $1: exit status $rc"
        tail -15 <<<"$output"
    fi
}
# refuses NAME WORDS COMMAND: it fails with these words.
refuses() {
    local output rc
    output=$(inside sh -c "cd /root && $3" 2>&1)
    rc=$?
    if [ $rc = 1 ] && grep -qF -- "$2" <<<"$output"; then
        passed=$((passed + 1))
        echo "ok      $suite: $1: $2"
    else
        failed=$((failed + 1))
        echo "FAILED  $suite: $1: exit status $rc"
        tail -15 <<<"$output"
    fi
}
# musl's loader and a shell, as Alpine has them: what install.sh says there. With /lib64/ld-linux-x86-64.so.2, the name by which gcompat stands for
# glibc's loader, too.
without_glibc() {
    local package
    if [ ! -e "$root/made" ]; then
        rm -rf "$root"
        mkdir -p "$root/bin" "$root/root" "$root/tmp" "$root/dev" "$root/proc" "$root/usr/bin" "$work/packages"
        for package in musl busybox-static; do
            (cd "$work/packages" && apt-get download -qq $package >"$work/log" 2>&1) || { tail -5 "$work/log"; failed=$((failed + 1)); return; }
            dpkg-deb -x "$work/packages/$package"_*.deb "$root"
        done
        chroot "$root" /bin/busybox --install -s /bin
        touch "$root/made"
    fi
    mount --bind /dev "$root/dev"
    rm -rf "$root/lib64" "$root/opt" "$root/root"/doppel-*
    tar -xzf dist/doppel-*-x86_64-linux-gnu.tar.gz -C "$root/root"
    refuses "no glibc" "this system has no /lib64/ld-linux-x86-64.so.2: it is Alpine, perhaps" "./doppel-*/install.sh /opt/doppel"
    mkdir "$root/lib64" && ln -s /lib/ld-musl-x86_64.so.1 "$root/lib64/ld-linux-x86-64.so.2"
    refuses "another loader for glibc's" "does not start on this system, and was not installed" "./doppel-*/install.sh /opt/doppel"
    refuses "another loader for glibc's: the reason" "Error" "./doppel-*/install.sh /opt/doppel"
    umount "$root/dev"
}
for suite; do
    root=$PWD/target/chroot/$suite
    if [ "$suite" = musl ]; then
        without_glibc
        continue
    fi
    if [ ! -e "$root/made" ]; then
        rm -rf "$root"
        debootstrap --variant=minbase "$suite" "$root" >"$work/log" 2>&1 || { tail -5 "$work/log"; failed=$((failed + 1)); continue; }
        touch "$root/made"
    fi
    mount -t proc proc "$root/proc"
    mount --bind /dev "$root/dev"
    cp /etc/resolv.conf "$root/etc/" 2>/dev/null
    # What connections are checked with here.
    mkdir -p "$root/etc/ssl/certs" && cp /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/"
    rm -rf "$root/root/dist" "$root/root/doppel"*
    cp -r dist "$root/root/dist"
    cp "$work/vectors" "$work/leak" "$work/throws" "$root/root/"
    echo "$suite: glibc $(inside ldd --version | sed -n '1s/.* //p')"
    inside apt-get -qq update >/dev/null 2>&1
    try tarball "tar -xzf dist/doppel-*-x86_64-linux-gnu.tar.gz && ./doppel-*/install.sh /opt/doppel" "/opt/doppel/bin/doppel run ./vectors"
    try deb "apt-get install -y -qq ./dist/doppel-cuda_*_amd64.deb" "doppel run ./vectors"
    # What a machine of somebody who uses Python has.
    inside apt-get -qq install -y python3-venv >/dev/null 2>&1
    inside sh -c 'rm -rf /root/venv && python3 -m venv /root/venv' >/dev/null 2>&1
    try wheel "venv/bin/pip install --no-index ./dist/doppel_cuda-*.whl" "venv/bin/doppel run ./vectors"
    # What the page on CI says of Python, with what it installs. Numba needs Python 3.10.
    if inside python3 -c 'import sys; sys.exit(sys.version_info < (3, 10))'; then
        rm -rf "$root/root/docs" && mkdir "$root/root/docs" && cp -r docs/ci.md docs/examples tests/packages/pages.py "$root/root/docs/"
        packages=$(sed -n 's/^pip install \(.*numba.*\)/\1/p' docs/ci.md)
        bare "docs/ci.md: Python" " 0 failed" "venv/bin/pip install -q --cert /etc/ssl/certs/ca-certificates.crt $packages &&
            PATH=/root/venv/bin:\$PATH docs/pages.py docs/ci.md --only Python"
    fi
    umount "$root/proc"
    without=", without /proc"
    cp "$panics" "$root/opt/doppel/bin/panics"
    bare "a program" 500500 "/opt/doppel/bin/doppel run ./vectors"
    bare "a program in C++" 500500 "doppel run ./throws"
    bare "a program in C++: a call stack" "        main (" "doppel run --check leaks ./throws 2>&1"
    # Names of its functions Rust's library looks up in /proc.
    bare "panics" "caught true" "UNWINDER_WORK=panic /opt/doppel/bin/panics"
    bare "by a link of the package's" 500500 "doppel run ./vectors"
    bare "by the library's folder alone" 500500 "LD_LIBRARY_PATH=/opt/doppel/lib ./vectors"
    bare devices "Doppel CPU device" "doppel info --devices 2"
    bare doctor "nothing is in the way" "doppel doctor ./vectors"
    bare checks "memcheck: no errors" "doppel run --check memcheck,leaks ./vectors"
    bare "a record" "equal" "doppel record -o /tmp/r.rec -- ./vectors && doppel replay /tmp/r.rec"
    bare nvidia-smi "Doppel CPU device" "doppel run -- nvidia-smi -L"
    bare ptxas "Build doppel_" "/opt/doppel/libexec/ptxas --version"
    bare "wheel: auto" "0 devices: 1" "venv/bin/python -c 'import doppel_cuda.auto, ctypes
cuda, n = ctypes.CDLL(\"libcuda.so.1\"), ctypes.c_int()
print(cuda.cuInit(0), \"devices:\", n.value if cuda.cuDeviceGetCount(ctypes.byref(n)) else n.value)'"
    # Nor libgcc_s: glibc alone.
    gcc_s=$(echo "$root"/usr/lib/x86_64-linux-gnu/libgcc_s.so.1 "$root"/lib/x86_64-linux-gnu/libgcc_s.so.1 | cut -d" " -f1)
    mv "$gcc_s" "$work/" && inside ldconfig
    bare "no libgcc_s: a program" 500500 "/opt/doppel/bin/doppel run ./vectors"
    bare "no libgcc_s: panics" "caught true" "UNWINDER_WORK=panic /opt/doppel/bin/panics"
    bare "no libgcc_s: panics of threads" "caught true" "UNWINDER_WORK=threads /opt/doppel/bin/panics"
    bare "no libgcc_s: checks" "memcheck: no errors" "doppel run --check memcheck,leaks ./vectors"
    bare "no libgcc_s: a call stack" "        leaks (" "doppel run --check leaks ./leak 2>&1"
    bare "no libgcc_s: a record" "equal" "doppel record -o /tmp/r.rec -- ./vectors && doppel replay /tmp/r.rec"
    bare "no libgcc_s: nvidia-smi" "Doppel CPU device" "doppel run -- nvidia-smi -L"
    bare "no libgcc_s: doctor" "nothing is in the way" "doppel doctor ./vectors"
    mv "$work/libgcc_s.so.1" "$gcc_s" && inside ldconfig
    inside apt-get -qq purge -y doppel-cuda >/dev/null 2>&1
    umount "$root/dev"
    root= without=
done
echo "systems: $passed passed, $failed failed"
[ $failed = 0 ]
