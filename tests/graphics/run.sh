#!/bin/bash
# Graphics libraries and the driver in one process, on the CPU and without a window: OpenGL by Mesa's llvmpipe, through EGL's
# surfaceless platform; Vulkan by Mesa's lavapipe. Each program compares what OpenGL sees with what kernels made, and prints lines that are always the
# same: NAME.expected. What the driver answers about OpenGL's objects is compared with what NVIDIA's own gave with its own OpenGL
# (area `opengl` of the oracle). Debian's packages are installed where that is possible.
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
oracle=1
[ ${#names[@]} -gt 0 ] && oracle=0
[ ${#names[@]} -gt 0 ] || for f in "$here"/*.c; do names+=("$(basename "$f" .c)"); done
out=$top/target/graphics
mkdir -p "$out"

# What the programs are compiled and run with: headers, the libraries that they link, and the drivers for the CPU.
compiles() { # header, libraries...
    local header=$1
    shift
    echo "#include <$header>
int main(void) { return 0; }" | cc -x c - -o "$out/there" "$@" 2>/dev/null
}
there() {
    compiles EGL/egl.h -lEGL && compiles GL/gl.h -lGL && compiles vulkan/vulkan.h -lvulkan &&
        [ -e /usr/share/glvnd/egl_vendor.d/50_mesa.json ] && ls /usr/lib/*/dri/swrast_dri.so /usr/lib/*/libvulkan_lvp.so >/dev/null 2>&1
}
if ! there; then
    packages=(libegl1 libegl-mesa0 libgl1-mesa-dri libegl-dev libgl-dev mesa-vulkan-drivers libvulkan-dev)
    if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
        echo "skipped: OpenGL and Vulkan on the CPU are not here (Debian: ${packages[*]}), and nobody may install them"
        exit 77
    fi
    { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${packages[@]}"; } >"$out/install.log" 2>&1
    if ! there; then
        echo "skipped: Mesa's OpenGL and Vulkan could not be installed: $(tail -1 "$out/install.log")"
        exit 77
    fi
fi

export LD_LIBRARY_PATH=$lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export DOPPEL_MODE=cpu DOPPEL_LOG=${DOPPEL_LOG:-error} DOPPEL_NODE=${DOPPEL_NODE:-none}
# Also where the machine has a graphics card.
export LIBGL_ALWAYS_SOFTWARE=1
failed=0
for name in "${names[@]}"; do
    case $name in
        vulkan_*) links=(-lvulkan) ;;
        *) links=(-lEGL -lGL) ;;
    esac
    if ! cc -std=c11 -D_GNU_SOURCE -O1 -g -Wall -Wextra -Werror -I"$top" "$here/$name.c" -o "$out/$name" \
        -L"$lib" -lcuda "${links[@]}" -lpthread; then
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
if [ $oracle = 1 ]; then
    # In a folder of its own: there the program is built with the headers of EGL, which may not have been here before.
    ORACLE_WORK=$out/oracle "$top/tests/oracle/run.sh" --lib "$lib/libcuda.so.1" opengl || failed=1
fi
exit $failed
