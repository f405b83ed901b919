#!/bin/bash
# Builds what is given to others into dist/: see docs/PACKAGES.md. The same source is to give the same bytes, in whatever folder it lies.
#
#   packaging/dist.sh            builds the libraries for systems with glibc 2.28, then packs
#   packaging/dist.sh --build [TARGET...]   builds alone: these of make's targets, all by default
#   packaging/dist.sh --packs FOLDER OUT    packs what was built into FOLDER (as build/ is) into OUT, for whatever glibc that needs
set -euo pipefail
cd "$(dirname "$0")/.."
umask 022
export LC_ALL=C TZ=UTC
version=$(sed -n '/^\[workspace.package\]/,/^\[/s/^version = "\(.*\)"/\1/p' Cargo.toml)
# Times of files: that of the last commit.
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || echo 1767225600)}

build() {
    local cargo=${CARGO:-cargo} library
    # No path of this machine in what is built.
    RUSTFLAGS="--remap-path-prefix=$PWD=/doppel --remap-path-prefix=${CARGO_HOME:-$HOME/.cargo}=/cargo"
    library=$(rustc --print sysroot)/lib/rustlib/src/rust
    [ ! -d "$library" ] || RUSTFLAGS+=" --remap-path-prefix=$library=/rustc/$(rustc -vV | sed -n 's/^commit-hash: //p')"
    CC=$(packaging/old-glibc.sh target/old-glibc)
    # LLVM's, which asks nothing of a newer glibc, as this machine's libgcc would.
    UNWINDER_CC="$(packaging/zig.sh) cc -target x86_64-linux-gnu.2.28 -lunwind"
    export ZIG_GLOBAL_CACHE_DIR=$PWD/target/packaging-zig/cache ZIG_LOCAL_CACHE_DIR=$PWD/target/packaging-zig/cache
    export UNWINDER_CC RUSTFLAGS CC CARGO_TARGET_DIR=target/dist CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_LINKER=$CC
    make "${@:-all}" BUILD=target/dist/build SMALL=small CARGO="$cargo"
    unset UNWINDER_CC ZIG_GLOBAL_CACHE_DIR ZIG_LOCAL_CACHE_DIR RUSTFLAGS CC CARGO_TARGET_DIR CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_LINKER
}

# Copies what is installed, without debug information, which goes into files of its own.
stage() { # FROM [GLIBC]
    local from=$1 name id debug size
    rm -rf "$work/stage" "$work/debug"
    mkdir -p "$work/stage" "$work/debug"
    for name in bin lib libexec include share version.json; do cp -a "$from/$name" "$work/stage/"; done
    (cd "$work/stage" && find . -type f) | sort | while read -r name; do
        name=$work/stage/$name
        case $(head -c 4 "$name" | tr -d '\0') in
            $'\x7fELF')
                id=$(readelf -n "$name" 2>/dev/null | sed -n 's/.*Build ID: //p') debug=$work/debug/new
                [ -z "$id" ] || objcopy --only-keep-debug "$name" "$debug"
                strip --strip-all --remove-section=.comment "$name"
                if [ -n "$id" ]; then
                    # Where debuggers look for it: by the identity, made of what is left.
                    id=$(packaging/identity.py "$name" "$debug")
                    mkdir -p "$work/debug/${id:0:2}"
                    chmod 644 "$debug"
                    mv "$debug" "$work/debug/${id:0:2}/${id:2}.debug"
                fi
                ;;
            '!<ar') strip -D --strip-unneeded "$name" ;;
        esac
    done
    size=$(stat -c %s "$work/stage/lib/libcuda.so.1")
    if [ "$size" -ge $most_library ]; then
        echo "dist: libcuda.so.1 has $size bytes, not less than $most_library" >&2
        exit 1
    fi
    cp packaging/install.sh LICENSE README.md CHANGELOG.md "$work/stage/"
    python3 packaging/sbom.py "$version" "$work/stage/lib/libdoppel-unwind.so" >"$work/stage/doppel.cdx.json"
    find "$work/stage" "$work/debug" -type d -exec chmod 755 {} +
    if [ -n "${2:-}" ] && grep -rlaF -e "$PWD" -e "${CARGO_HOME:-$HOME/.cargo}" "$work/debug"; then
        echo "dist: debug information names folders of this machine" >&2
        exit 1
    fi
    glibc=$(packaging/symbols.sh "$work/stage" "${2:-}")
}

archive() { # FOLDER NAME-INSIDE OUT
    tar -C "$1" --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" --format=gnu \
        --transform "s,^\.,$2,S" -cf - . | gzip -n "-$effort" >"$3"
}

deb() { # OUT
    local root=$work/deb to=$work/deb/usr/lib/doppel doc=$work/deb/usr/share/doc/doppel-cuda
    rm -rf "$root"
    mkdir -p "$root/DEBIAN" "$to" "$root/usr/bin" "$doc"
    cp -a "$work/stage/bin" "$work/stage/lib" "$work/stage/libexec" "$work/stage/include" "$work/stage/version.json" "$to/"
    ln -s ../lib/doppel/bin/doppel "$root/usr/bin/doppel"
    {
        echo "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/"
        printf '\nFiles: *\nCopyright: %s\nLicense: Expat\n' "$(sed -n 's/^Copyright (c) //p' LICENSE)"
        sed -n '/^Permission/,$p' LICENSE | sed 's/^$/./; s/^/ /'
        printf '\nFiles: usr/lib/doppel/lib/libdoppel-unwind.so\nCopyright: the authors of LLVM\n'
        printf 'License: Apache-2.0 with LLVM-exception\n On Debian systems the licence is in /usr/share/common-licenses/Apache-2.0. As an exception, if, as a\n'
        printf ' result of your compiling your source code, portions of this Software are embedded into an Object form of such\n source code, you'
        printf ' may redistribute such embedded portions in such Object form without complying with the conditions\n of Sections 4(a), 4(b) and 4(d) of the License.\n'
    } >"$doc/copyright"
    gzip -9nc CHANGELOG.md >"$doc/changelog.gz"
    cp -a "$work/stage/share/." "$root/usr/share/"
    mv "$root/usr/share/zsh/site-functions" "$root/usr/share/zsh/vendor-completions"
    gzip -9n "$root"/usr/share/man/man1/*.1
    cp "$work/stage/doppel.cdx.json" "$doc/"
    {
        echo "Package: doppel-cuda"
        echo "Version: $version"
        echo "Architecture: amd64"
        echo "Section: libs"
        echo "Priority: optional"
        echo "Maintainer: the authors of Doppel <doppel@example.invalid>"
        echo "Installed-Size: $(du -k --apparent-size -s "$root/usr" | cut -f1)"
        echo "Depends: libc6 (>= $glibc)"
        echo "Description: CUDA driver and runtime that run programs on the CPU"
        echo " Runs CUDA programs on machines without a GPU: doppel run -- PROGRAM puts its"
        echo " libraries in the place of NVIDIA's. They lie in /usr/lib/doppel, where the"
        echo " loader does not look by itself."
    } >"$root/DEBIAN/control"
    (cd "$root" && find usr -type f | sort | xargs md5sum) >"$root/DEBIAN/md5sums"
    find "$root" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
    dpkg-deb --root-owner-group "${deb_format[@]}" --build "$root" "$1" >/dev/null
}

wheel() { # OUT
    local tools=target/packaging-wheel wanted="hatchling==1.33.0 zopfli==0.4.3"
    if [ "$(cat $tools/installed 2>/dev/null)" != "$wanted" ]; then
        rm -rf $tools
        python3 -m venv $tools
        $tools/bin/pip install --quiet --disable-pip-version-check --no-compile $wanted
        echo "$wanted" >$tools/installed
    fi
    rm -rf "$work/python"
    cp -r python "$work/python"
    cp LICENSE "$work/python/"
    find "$work/python" -name __pycache__ -prune -exec rm -rf {} +
    tools=$PWD/$tools
    export DOPPEL_VERSION=$version DOPPEL_STAGE=$work/stage DOPPEL_TAG=py3-none-manylinux_${glibc/./_}_x86_64
    (cd "$work/python" && "$tools/bin/python" -m hatchling build -t wheel -d "$1" >/dev/null)
    [ "$effort" != 9 ] || "$tools/bin/python" packaging/squeeze.py "$1"/*.whl $most_wheel
}

pack() { # FROM OUT [GLIBC]
    local out
    mkdir -p "$2"
    out=$(cd "$2" && pwd)
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    stage "$1" "${3:-}"
    rm -f "$out"/*
    archive "$work/stage" "doppel-$version" "$out/doppel-$version-x86_64-linux-gnu.tar.gz"
    archive "$work/debug" "doppel-$version-debug/.build-id" "$out/doppel-$version-x86_64-linux-gnu-debug.tar.gz"
    cp "$work/stage/doppel.cdx.json" "$out/doppel-$version.cdx.json"
    deb "$out/doppel-cuda_${version}_amd64.deb"
    wheel "$out"
    (cd "$out" && sha256sum -- * >"$work/sums" && mv "$work/sums" SHA256SUMS && chmod 644 SHA256SUMS)
    ls -l "$out"
}

# Bytes that the wheel may have at most, and of which libcuda.so.1 has less.
most_wheel=8000000 most_library=13000000
effort=9 deb_format=(-Zxz)
case ${1:-} in
    "")
        build
        pack target/dist/build dist 2.28
        ;;
    --build)
        shift
        build "$@"
        ;;
    --packs)
        # For tests, quickly.
        effort=1 deb_format=(-Zgzip -z1)
        pack "$2" "$3"
        ;;
    *)
        echo "usage: packaging/dist.sh [--build [TARGET...] | --packs FOLDER OUT]" >&2
        exit 2
        ;;
esac
