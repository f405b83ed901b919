#!/bin/bash
# Does what the Containerfile says in a fresh system of Debian (minbase, in a chroot), and runs a program by its entry point. As root, with
# debootstrap; not a step of tests/all.sh: it fetches a whole system.
#
#   tests/packages/container.sh [DIST]    with the Debian package in DIST, dist by default
set -u
cd "$(dirname "$0")/../.." || exit 1
command -v debootstrap >/dev/null || { echo "skipped: there is no debootstrap"; exit 77; }
[ "$(id -u)" = 0 ] || { echo "skipped: only root can make systems"; exit 77; }
dist=$(realpath "${1:-dist}")
suite=$(sed -n 's/^FROM .*debian:\([a-z]*\).*/\1/p' Containerfile)
root=$PWD/target/chroot/container work=$(mktemp -d)
leave() { umount "$root/proc" "$root/dev" 2>/dev/null; rm -rf "$work"; }
trap leave EXIT
rm -rf "$root"
debootstrap --variant=minbase "$suite" "$root" >"$work/log" 2>&1 || { tail -5 "$work/log"; exit 1; }
mount -t proc proc "$root/proc"
mount --bind /dev "$root/dev"
cp /etc/resolv.conf "$root/etc/" 2>/dev/null
inside() { chroot "$root" env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C DEBIAN_FRONTEND=noninteractive "$@"; }
mkdir "$work/context" && ln -s "$dist" "$work/context/dist"
while read -r word rest; do
    case $word in
        "" | "#"* | FROM) ;;
        COPY)
            # shellcheck disable=SC2086
            (cd "$work/context" && cp ${rest% *} "$root${rest##* }") || { echo "FAILED COPY $rest"; exit 1; }
            ;;
        RUN) inside sh -c "$rest" >"$work/log" 2>&1 || { echo "FAILED RUN $rest"; tail -15 "$work/log"; exit 1; } ;;
        ENTRYPOINT) entry=$(python3 -c 'import json, sys; print(*json.loads(sys.argv[1]))' "$rest") ;;
        CMD) command=$(python3 -c 'import json, sys; print(*json.loads(sys.argv[1]))' "$rest") ;;
        *) echo "FAILED: $word is not understood"; exit 1 ;;
    esac
done <Containerfile
${CC:-cc} -O2 -I. tests/packages/vectors.c -L"$dist/../build/lib" -Lbuild/lib -lcuda -o "$root/root/vectors" || exit 1
# shellcheck disable=SC2086
inside $entry $command | grep -q "Doppel CPU device" || { echo "FAILED: $entry $command"; exit 1; }
# shellcheck disable=SC2086
inside $entry /root/vectors | grep -q 500500 || { echo "FAILED: $entry /root/vectors"; exit 1; }
echo "container: the image of $suite runs a program; $(du -sm "$root" --exclude=proc --exclude=dev | cut -f1) MB"
