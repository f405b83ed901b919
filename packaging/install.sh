#!/bin/sh
# Installs what lies beside this script, or removes it. Needs no root for a folder of your own.
#
#   ./install.sh [PREFIX]               /usr/local by default: PREFIX/bin/doppel, PREFIX/lib/libcuda.so.1 ...
#   ./install.sh --uninstall [PREFIX]   removes what was installed there
#
#   --from FOLDER     what is installed: a folder with bin, lib, libexec, include, share and version.json
#   --destdir FOLDER  everything goes below this folder, as packagers need it
#
# Where a real driver is visible, a folder that the loader searches is refused: programs would get this library in the driver's place.
# FORCE=1 installs all the same. The loader's cache is never touched.
set -eu
from=$(cd "$(dirname "$0")" && pwd) destdir= prefix=/usr/local remove=0
while [ $# -gt 0 ]; do
    case $1 in
        --from) from=$2; shift 2 ;;
        --destdir) destdir=$2; shift 2 ;;
        --uninstall) remove=1; shift ;;
        --help) sed -n '2,/^set/s/^# \{0,1\}//p' "$0"; exit 0 ;;
        -*) echo "install.sh: $1 is no option (--help)" >&2; exit 2 ;;
        *) prefix=$1; shift ;;
    esac
done
case $prefix in
    /*) ;;
    *) prefix=$PWD/$prefix ;;
esac
into=$destdir$prefix
list=share/doppel/installed

if [ $remove = 1 ]; then
    [ -e "$into/$list" ] || { echo "install.sh: nothing is installed in $into" >&2; exit 1; }
    share=
    if grep -qx share "$into/$list"; then share=share; fi
    # Last lines first: files before their folders. A folder that holds something else stays, and so does one that was there before.
    sort -r "$into/$list" | while IFS= read -r name; do
        if [ -d "$into/$name" ] && [ ! -L "$into/$name" ]; then
            rmdir "$into/$name" 2>/dev/null || true
        else
            rm -f "$into/$name"
        fi
    done
    rm -f "$into/$list"
    for folder in share/doppel $share; do rmdir "$into/$folder" 2>/dev/null || true; done
    echo "removed from $into"
    exit 0
fi

[ -e "$from/lib/libcuda.so.1" ] || { echo "install.sh: $from has no lib/libcuda.so.1" >&2; exit 1; }

# glibc's loader, which all of this names: on Alpine and other systems with musl none of it would start. LOADER names another file.
loader=${LOADER:-/lib64/ld-linux-x86-64.so.2}
if [ -z "$destdir" ] && [ "${FORCE:-}" != 1 ] && [ ! -e "$loader" ]; then
    echo "install.sh: this system has no $loader: it is Alpine, perhaps, or another one without glibc, and nothing of this would start there." >&2
    echo "Use a system with glibc 2.28 or later (an image such as debian:stable-slim); FORCE=1 installs all the same." >&2
    exit 1
fi
# A loader that stands for it, as musl's does by gcompat, or a library that is missing: what does not start here is not installed.
if [ -z "$destdir" ] && [ "${FORCE:-}" != 1 ] && ! why=$("$from/bin/doppel" --version 2>&1); then
    printf '%s\n' "$why" | head -3 >&2
    echo "install.sh: $from/bin/doppel does not start on this system, and was not installed." >&2
    echo "It needs glibc 2.28 or later (an image such as debian:stable-slim has it); FORCE=1 installs all the same." >&2
    exit 1
fi

# The loader's own list of folders and libraries. LDCONFIG names another program for it.
ldconfig=${LDCONFIG:-$(command -v ldconfig || echo /sbin/ldconfig)}
searched() {
    { "$ldconfig" -v -N -X 2>/dev/null || true; } | sed -n 's/^\(\/[^:]*\):.*/\1/p'
    printf '%s\n' /lib /usr/lib /lib64 /usr/lib64
}
real_driver() {
    {
        { "$ldconfig" -p 2>/dev/null || true; } | sed -n 's/^.*libcuda\.so\.1 .*=> //p'
        for folder in /usr/lib/x86_64-linux-gnu /usr/lib64 /usr/lib/wsl/lib; do echo "$folder/libcuda.so.1"; done
    } | while IFS= read -r file; do
        # Ours knows its own settings.
        if [ -e "$file" ] && ! grep -q DOPPEL_MODE "$file"; then echo "$file"; fi
    done | head -1
}
if [ -z "$destdir" ] && [ "${FORCE:-0}" != 1 ] && searched | grep -qxF -- "$prefix/lib"; then
    driver=$(real_driver)
    if [ -n "$driver" ]; then
        echo "install.sh: there is a real driver, $driver, and the loader searches $prefix/lib:" >&2
        echo "programs would get this library in its place. Choose another PREFIX, or set FORCE=1." >&2
        exit 1
    fi
fi

# Folders that are not there, or that we made when something older was installed.
folders=$(cd "$from" && find bin lib libexec include share -type d | while IFS= read -r name; do
    if [ ! -d "$into/$name" ] || grep -qxF -- "$name" "$into/$list" 2>/dev/null; then echo "$name"; fi
done)
mkdir -p "$into/share/doppel"
{
    printf '%s\n' "$folders"
    (cd "$from" && find bin lib libexec include share version.json \( -type f -o -type l \))
} | LC_ALL=C sort | sed '/^$/d' >"$into/$list.new"
while IFS= read -r name; do
    if [ -L "$from/$name" ]; then
        rm -f "$into/$name"
        cp -P "$from/$name" "$into/$name"
    elif [ -d "$from/$name" ]; then
        mkdir -p "$into/$name"
    else
        # Programs that run keep the file that they have open.
        rm -f "$into/$name"
        cp "$from/$name" "$into/$name"
        if [ -x "$from/$name" ]; then chmod 755 "$into/$name"; else chmod 644 "$into/$name"; fi
    fi
done <"$into/$list.new"
mv "$into/$list.new" "$into/$list"
echo "installed in $into"
