#!/bin/bash
# Graphics libraries and the driver in one process, on the CPU and without a window: OpenGL by Mesa's llvmpipe, through EGL's
# surfaceless platform. Each program compares what OpenGL sees with what kernels made, and prints lines that are always the
# same: NAME.expected. They have not been run on a GPU. Debian's packages are installed where that is possible.
#
#   tests/graphics/run.sh [--lib FOLDER] [NAME...]   (FOLDER: build/lib by default)
set -u
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
lib=$top/build/lib
names=()
while [ $# -gt 0 ]; do
    case $1 in
        --lib) lib=$(cd "$2" && pwd); shift ;;
        *) names+=("$1") ;;
    esac
    shift
done
[ ${#names[@]} -gt 0 ] || for f in "$here"/*.c; do names+=("$(basename "$f" .c)"); done
out=$top/target/graphics
mkdir -p "$out"

# What the programs are compiled and run with: headers, the libraries that they link, and the drivers for the CPU.
there() {
    echo '#include <EGL/egl.h>
#include <GL/gl.h>
int main(void) { return eglGetError() == 0; }' | cc -x c - -o "$out/there" -lEGL -lGL 2>/dev/null &&
        [ -e /usr/share/glvnd/egl_vendor.d/50_mesa.json ] && ls /usr/lib/*/dri/swrast_dri.so >/dev/null 2>&1
}
if ! there; then
    packages=(libegl1 libegl-mesa0 libgl1-mesa-dri libegl-dev libgl-dev)
    if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
        echo "skipped: there is no OpenGL on the CPU here (Debian: ${packages[*]}), and nobody may install it"
        exit 77
    fi
    { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${packages[@]}"; } >"$out/install.log" 2>&1
    if ! there; then
        echo "skipped: Mesa's OpenGL could not be installed: $(tail -1 "$out/install.log")"
        exit 77
    fi
fi

export LD_LIBRARY_PATH=$lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export DOPPEL_MODE=cpu DOPPEL_LOG=${DOPPEL_LOG:-error} DOPPEL_NODE=${DOPPEL_NODE:-none}
# Also where the machine has a graphics card.
export LIBGL_ALWAYS_SOFTWARE=1
failed=0
for name in "${names[@]}"; do
    if ! cc -std=c11 -D_GNU_SOURCE -O1 -g -Wall -Wextra -Werror -I"$top" "$here/$name.c" -o "$out/$name" \
        -L"$lib" -lcuda -lEGL -lGL -lpthread; then
        echo "FAILED $name: it does not compile"
        failed=1
        continue
    fi
    timeout -s KILL "${TEST_LIMIT:-120}" "$out/$name" >"$out/$name.out" 2>"$out/$name.log"
    rc=$?
    if [ $rc = 77 ]; then
        sed -n "s/^skipped: /skipped: $name: /p" "$out/$name.out"
    elif [ $rc != 0 ]; then
        echo "FAILED $name: exit status $rc: $(tail -1 "$out/$name.out") $(tail -1 "$out/$name.log")"
        failed=1
    elif ! diff -u "$here/$name.expected" "$out/$name.out"; then
        echo "FAILED $name: output differs"
        failed=1
    else
        echo "passed $name"
    fi
done
exit $failed
