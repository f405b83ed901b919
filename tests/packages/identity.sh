#!/bin/bash
# The build identity that packaging/identity.py makes: of two libraries that differ in names of local symbols and in the folder of their source, the
# linker's are two; stripped, with ours, they are the same file, and their debug files have its identity.
set -u
top=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. "$top/tests/expect.sh"
# library FOLDER NAME NUMBER: with a local function of this name, which adds the number; whole, stripped, and its debug file.
library() {
    mkdir -p "$work/$1"
    printf '__attribute__((noinline)) static int %s(int a) { return a * a + %s; }\nint answer(int a) { return %s(a) - a; }\n' "$2" "$3" "$2" >"$work/$1/answer.c"
    (cd "$work/$1" && "${CC:-cc}" -g -O1 -shared -fPIC -Wl,--build-id=sha1 -Wl,-soname,libanswer.so -o whole.so "$PWD/answer.c" &&
        objcopy --only-keep-debug whole.so debug && strip --strip-all --remove-section=.comment -o stripped.so whole.so) || exit 1
}
id() { readelf -n "$work/$1" 2>/dev/null | sed -n 's/.*Build ID: //p'; }
library here local_1234 7
library some/where/else local_567890123456 7
library other local_1234 8
check "the linker's identities differ" 1 "" cmp -s "$work/here/stripped.so" "$work/some/where/else/stripped.so"
for one in here some/where/else other; do
    check "$one: an identity" 0 "" "$top/packaging/identity.py" "$work/$one/stripped.so" "$work/$one/debug"
done
check "the same file" 0 "" cmp "$work/here/stripped.so" "$work/some/where/else/stripped.so"
check "another function, another identity" 1 "" test "$(id here/stripped.so)" = "$(id other/stripped.so)"
for one in here some/where/else other; do
    check "$one: the debug file's is the same" 0 "$(id $one/stripped.so)" readelf -n "$work/$one/debug"
done
check "once more: the same" 0 "$(id here/stripped.so)" "$top/packaging/identity.py" "$work/here/stripped.so" "$work/here/debug"
check "not the linker's" 1 "" test "$(id here/stripped.so)" = "$(id here/whole.so)"
check "it still loads" 0 "49" python3 -c "import ctypes; print(ctypes.CDLL('$work/here/stripped.so').answer(7))"
objcopy --remove-section=.note.gnu.build-id "$work/here/whole.so" "$work/none.so"
check "no identity" 1 "has no build identity" "$top/packaging/identity.py" "$work/none.so"
check "no ELF file" 1 "is no ELF file" "$top/packaging/identity.py" "$work/here/answer.c"
echo "identity: $passed passed, $failed failed"
[ $failed = 0 ]
