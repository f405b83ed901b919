#!/bin/bash
# Packs what lies in build/ as `make dist` does, installs each package, and uses it: a wheel with a project's Numba tests, a Debian package,
# a tarball with its script. docs/PACKAGES.md says what they hold. Whether they run on older systems is tests/packages/systems.sh's.
set -u
top=$(cd "$(dirname "$0")/../.." && pwd)
cd "$top" || exit 1
unset DOPPEL_MODE DOPPEL_DEVICES DOPPEL_CHECK LD_AUDIT LD_LIBRARY_PATH LD_PRELOAD PYTEST_ADDOPTS
export DOPPEL_NODE=none PYTHONDONTWRITEBYTECODE=1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. tests/expect.sh
version=$(sed -n '/^\[workspace.package\]/,/^\[/s/^version = "\(.*\)"/\1/p' Cargo.toml)
packaging/dist.sh --packs build "$work/dist" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }

# The same again, of a copy with other times, for somebody in another place.
cp -r build "$work/again"
(umask 077 && TZ=Asia/Tokyo LANG=C.UTF-8 packaging/dist.sh --packs "$work/again" "$work/again/dist") >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
check "packed twice: the same bytes" 0 "" diff "$work/dist/SHA256SUMS" "$work/again/dist/SHA256SUMS"
# A library that is too large.
head -c 13000000 /dev/zero >"$work/zeros"
objcopy --add-section .room="$work/zeros" "$work/again/lib/libcuda.so.1"
check "a library that is too large: is not packed" 1 "not less than 13000000" packaging/dist.sh --packs "$work/again" "$work/large"
check "a library that is too large: there is no package" 1 "" sh -c "ls '$work/large' | grep ."
rm -rf "$work/again" "$work/zeros"

# What there is.
tar=$work/dist/doppel-$version-x86_64-linux-gnu.tar.gz deb=$work/dist/doppel-cuda_${version}_amd64.deb
wheel=$(echo "$work"/dist/doppel_cuda-"$version"-py3-none-manylinux_*_x86_64.whl)
check checksums 0 "$(basename "$deb"): OK" sh -c "cd '$work/dist' && sha256sum -c SHA256SUMS"
check "all have a checksum" 0 "" sh -c "cd '$work/dist' && [ \$(ls | grep -vc SHA256SUMS) = \$(wc -l <SHA256SUMS) ]"
check "bill of materials: what we are linked with" 0 '"pkg:cargo/libc@' cat "$work/dist/doppel-$version.cdx.json"
check "bill of materials: not what tests use" 1 "" grep -E 'pkg:cargo/(syn|cbindgen)@' "$work/dist/doppel-$version.cdx.json"

# The tarball.
mkdir "$work/tar" && tar -xzf "$tar" -C "$work/tar"
check "links in the tarball lead somewhere" 0 "all" sh -c "test -z \"\$(find '$work/tar' -xtype l)\" && echo all"
from=$work/tar/doppel-$version
check "tarball: a tool is what it is called" 0 "Build doppel_$version" "$from/libexec/ptxas" --version
check "tarball: a tool of another name" 1 "is ptxas, nvcc or fatbinary" sh -c "cp '$from/libexec/nvcc' '$work/other' && '$work/other'"
check "no debug information" 1 "" sh -c "readelf -SW '$from/lib/libcuda.so.1' | grep -E '\.debug_|\.symtab'"
id=$(readelf -n "$from/lib/libcuda.so.1" | sed -n 's/.*Build ID: //p')
check "debug information by its identity" 0 "/.build-id/${id:0:2}/${id:2}.debug" tar -tzf "${tar%.tar.gz}-debug.tar.gz"
check "all is root's and of one time" 0 "1" sh -c "tar --numeric-owner -tvzf '$tar' | awk '{ print \$2, \$4, \$5 }' | sort -u | wc -l"
# A system without libgcc_s, whose place libdoppel-unwind.so takes where a stack is unwound.
"${CC:-cc}" -shared -fPIC tests/packages/no_libgcc.c -o "$work/no_libgcc.so" && "${CC:-cc}" -g -I. tests/packages/leak.c -L"$from/lib" -lcuda -o "$work/leak"
bare() { env LD_AUDIT="$work/no_libgcc.so" LD_LIBRARY_PATH="$from/lib" DOPPEL_CHECK=leaks "$@"; }
check "no libgcc_s: a call stack" 0 "        leaks (" bare "$work/leak"
check "no libgcc_s: a program" 0 "Build doppel_$version" bare "$from/libexec/ptxas" --version
mv "$from/lib/libdoppel-unwind.so" "$work/"
check "no libgcc_s, nothing in its place: a report without call stacks" 0 "400 bytes in 1 allocation" bare "$work/leak"
mv "$work/libdoppel-unwind.so" "$from/lib/"
check "install" 0 "installed in $work/prefix" "$from/install.sh" "$work/prefix"
check "installed: runs" 0 "Doppel CPU device" "$work/prefix/bin/doppel" info
check "installed twice" 0 "installed in" "$from/install.sh" "$work/prefix"
mkdir -p "$work/prefix/lib" && echo mine >"$work/prefix/lib/mine"
check "uninstall" 0 "removed from $work/prefix" "$from/install.sh" --uninstall "$work/prefix"
check "uninstall leaves what is not ours, and nothing else" 0 "$work/prefix/lib/mine" find "$work/prefix" -type f
check "uninstall: one file" 0 "1" sh -c "find '$work/prefix' ! -type d | wc -l"
# As /usr/local is: folders that were there before, empty.
mkdir -p "$work/local/bin" "$work/local/share/man"
check "into folders that are there" 0 "installed in" "$from/install.sh" "$work/local"
check "into folders that are there, twice" 0 "installed in" "$from/install.sh" "$work/local"
check "into folders that are there: uninstall" 0 "removed from" "$from/install.sh" --uninstall "$work/local"
check "into folders that are there: they stay, and nothing else" 0 "" \
    test "$(cd "$work/local" && find . -mindepth 1 -printf '%P\n' | sort | xargs)" = "bin share share/man"
check "install.sh --help" 0 "Installs what lies beside this script" sh -c "'$from/install.sh' --help | head -1"
check "uninstall again" 1 "nothing is installed" "$from/install.sh" --uninstall "$work/prefix"
check "a system without glibc" 1 "an image such as debian:stable-slim" env LOADER="$work/none" "$from/install.sh" "$work/alpine"
check "a system without glibc: nothing was installed" 1 "" test -e "$work/alpine"
check "a system without glibc: FORCE=1" 0 "installed in $work/alpine" env FORCE=1 LOADER="$work/none" "$from/install.sh" "$work/alpine"
cp -r "$from" "$work/strange" && printf '#!/bin/sh\necho Error relocating doppel: _Unwind_Resume: symbol not found\nexit 127\n' >"$work/strange/bin/doppel"
check "a system on which it does not start" 1 "symbol not found" "$work/strange/install.sh" "$work/gcompat"
check "a system on which it does not start: what is needed" 1 "needs glibc 2.28 or later (an image" "$work/strange/install.sh" "$work/gcompat"
check "a system on which it does not start: nothing was installed" 1 "" test -e "$work/gcompat"
check "no such option" 2 "is no option" "$from/install.sh" --prefix /x
# A loader that searches the folder, beside a driver that is not ours.
mkdir "$work/real" && echo driver >"$work/real/libcuda.so.1"
cat >"$work/ldconfig" <<END
#!/bin/sh
case \$1 in
    -p) echo "	libcuda.so.1 (libc6,x86-64) => $work/real/libcuda.so.1" ;;
    *) echo "$work/searched/lib: (from <builtin>:0)" ;;
esac
END
chmod +x "$work/ldconfig"
check "in front of a real driver" 1 "there is a real driver, $work/real/libcuda.so.1" env LDCONFIG="$work/ldconfig" "$from/install.sh" "$work/searched"
check "nothing was installed there" 1 "" test -e "$work/searched"
check "elsewhere" 0 "installed in" env LDCONFIG="$work/ldconfig" "$from/install.sh" "$work/prefix"
check "FORCE=1" 0 "installed in" env FORCE=1 LDCONFIG="$work/ldconfig" "$from/install.sh" "$work/searched"
check "below DESTDIR" 0 "installed in $work/root" env LDCONFIG="$work/ldconfig" "$from/install.sh" --destdir "$work/root" "$work/searched"
cp "$from/lib/libcuda.so.1" "$work/real/libcuda.so.1"
check "over one of ours" 0 "installed in" env LDCONFIG="$work/ldconfig" "$from/install.sh" "$work/searched"

# The Debian package.
check "deb: depends on glibc" 0 "libc6 (>= 2." dpkg-deb -f "$deb" Depends
check "deb: configures nothing" 0 "control md5sums" sh -c "dpkg-deb --ctrl-tarfile '$deb' | tar -t | sed -n 's,^\./\(..*\),\1,p' | sort | xargs"
dpkg-deb -x "$deb" "$work/deb"
check "deb: runs" 0 "Doppel CPU device" "$work/deb/usr/bin/doppel" info
check "deb: nothing where the loader looks" 1 "" sh -c "cd '$work/deb/usr/lib' && ls | grep -v '^doppel$'"

# The wheel, in an environment with Numba, and a project's tests.
python=$(tests/venv.sh defaults) || exit 1
rm -rf target/venv-wheel
mkdir target/venv-wheel
cp -al "$(dirname "$(dirname "$python")")/." target/venv-wheel/
python=$top/target/venv-wheel/bin/python
check "wheel: installs" 0 "" "$python" -m pip install --quiet --no-index --no-deps "$wheel"
# What pip wrote beside it names the environment that was copied.
doppel=$top/target/venv-wheel/bin/doppel
check "wheel: doppel" 0 "Doppel CPU device" "$doppel" info
check "wheel: exit status of a program" 7 "" "$doppel" run -- sh -c 'exit 7'
check "wheel: python -m" 0 "doppel $version" "$python" -m doppel_cuda --version
home=$("$python" -c 'import doppel_cuda; print(doppel_cuda.home())')
echo 'int cuInit(unsigned); int main(void) { return cuInit(0); }' >"$work/linked.c"
check "wheel: links with -lcuda" 0 "" "${CC:-cc}" "$work/linked.c" -L"$home/lib" -lcuda -o "$work/linked"
check "wheel: runs what was linked" 0 "" "$doppel" run "$work/linked"
for tool in ptxas fatbinary; do
    # A script that runs the one program under its name.
    check "wheel: $tool" 0 "Build doppel_$version" "$home/libexec/$tool" --version
done
check "wheel: nvidia-smi" 0 "Doppel CPU device" "$doppel" run -- nvidia-smi -L
check "wheel: auto" 0 "2 devices, ours" env DOPPEL_DEVICES=2 "$python" -c '
import doppel_cuda.auto
from cuda.bindings import driver, nvrtc
assert driver.cuInit(0)[0] == 0
n = driver.cuDeviceGetCount()[1]
assert nvrtc.nvrtcVersion()[2] > 50, "the real NVRTC"
theirs = {line.split()[-1] for line in open("/proc/self/maps") if "libcuda.so" in line}
print(n, "devices,", "ours" if len(theirs) == 1 and "doppel_cuda" in theirs.pop() else "others")'
check "wheel: auto after a driver" 1 "is loaded already" "$python" -c "
import ctypes; ctypes.CDLL('$from/lib/libcuda.so.1')
import doppel_cuda.auto"
check "wheel: auto, for children" 0 "libdoppel-audit.so" "$python" -c "
import doppel_cuda.auto, subprocess
subprocess.run(['env'])"
check "wheel: environment" 0 "no mode" "$python" -c "
import doppel_cuda
assert doppel_cuda.environment('--devices', '3')['DOPPEL_DEVICES'] == '3'
try: doppel_cuda.environment('--mode', 'gpu')
except ValueError as e: print('no mode', e)"
pytest() { "$python" -m pytest -p no:cacheprovider -W ignore "$@"; }
cd tests/packages/project || exit 1
check "pytest: a project's tests" 0 "6 passed, 1 skipped, 1 xfailed" pytest --doppel test_vectors.py
pytest --doppel --junitxml="$work/junit.xml" -rf mistakes.py >"$work/mistakes" 2>&1
check "pytest: mistakes" 0 "8 failed" cat "$work/mistakes"
check "pytest: a leak" 0 "FAILED mistakes.py::test_leak - the checks found mistakes" cat "$work/mistakes"
check "pytest: which leak" 0 "doppel: leaks: 400 bytes in 1 allocation were never freed" cat "$work/mistakes"
check "pytest: an access" 0 "FAILED mistakes.py::test_access - " cat "$work/mistakes"
check "pytest: an access that the test does not see" 0 "FAILED mistakes.py::test_access_unseen - the checks found mistakes" cat "$work/mistakes"
check "pytest: which access" 0 "doppel: memcheck: invalid write of 4 bytes in global memory" cat "$work/mistakes"
check "pytest: where in Python" 0 "test_leak ($PWD/mistakes.py:" cat "$work/mistakes"
check "pytest: Python's frames come first" 0 "test_leak (" sh -c "grep -A1 'allocated by' '$work/mistakes'"
check "pytest: an assertion" 0 "assert np.float32(2.0) == 3" cat "$work/mistakes"
check "pytest: a crash" 0 "the process was ended by SIGABRT" cat "$work/mistakes"
check "pytest: an end" 0 "the process ended with status 0 before the test was over" cat "$work/mistakes"
check "pytest: a timeout" 0 "the process took longer than its timeout" cat "$work/mistakes"
check "pytest: a marker" 0 "by name, not device" cat "$work/mistakes"
check "pytest: one report of all" 0 'failures="8"' cat "$work/junit.xml"
check "pytest: without --doppel" 0 "1 passed" env DOPPEL_MODE=cpu "$doppel" run -- "$python" -m pytest -p no:cacheprovider -W ignore test_vectors.py -k axpy
cd "$top" || exit 1

# What the page on CI says, with what is installed here. `pytest` is this environment's.
mkdir "$work/bin"
printf '#!/bin/sh\nexec "%s" -m pytest -p no:cacheprovider -W ignore "$@"\n' "$python" >"$work/bin/pytest"
chmod +x "$work/bin/pytest"
toolkit=$(tests/venv.sh toolkit) && cmake=$(tests/venv.sh cmake) || exit 1
check "docs/ci.md: what it says is so" 0 " 0 failed" env PATH="$work/bin:$work/prefix/bin:$cmake:$toolkit/bin:$PATH" CUDACXX="$toolkit/bin/nvcc" \
    tests/packages/pages.py docs/ci.md
check "the pages' commands: all are run" 0 " 0 failed" tests/packages/commands.py "$work/prefix"
check "examples of the pages print what they show" 0 " 0 failed" env CUDACXX="$toolkit/bin/nvcc" tests/packages/examples.py "$work/prefix"
check "problem matcher: finds what reports say" 0 "doppel-memcheck" tests/packages/matcher.py packaging/problem-matcher.json docs/CHECK.md docs/LAYERS.md

# The action, as GitHub's runner calls it.
: >"$work/github-env" && : >"$work/github-path" && mkdir "$work/runner"
github=(env GITHUB_ENV="$work/github-env" GITHUB_PATH="$work/github-path" RUNNER_TEMP="$work/runner")
check "action: the tarball" 0 "::add-matcher::$top/packaging/problem-matcher.json" "${github[@]}" PACKAGE="$tar" DEVICES=2 CHECK=memcheck packaging/action.sh
check "action: the environment of later steps" 0 "DOPPEL_DEVICES=2" cat "$work/github-env"
check "action: their libraries" 0 "LD_AUDIT=$work/runner/doppel/installed/lib/libdoppel-audit.so" cat "$work/github-env"
check "action: their programs" 0 "$work/runner/doppel/installed/bin" cat "$work/github-path"
check "action: a value that cannot be" 2 "memchk" "${github[@]}" PACKAGE="$tar" CHECK=memchk packaging/action.sh
check "action: another package" 1 "is neither" "${github[@]}" PACKAGE=x.rpm packaging/action.sh
check "action: hands over what its script reads" 0 "CHECK DEVICES MEMORY PACKAGE" sh -c "sed -n 's/^ *\([A-Z]*\): .*inputs[.].*/\1/p' action.yml | sort | xargs"

# uv, in an environment of its own making.
uv=$(tests/venv.sh uv) || exit 1
check "uv: installs" 0 "" sh -c "'$uv' --quiet --offline venv --python '$(command -v python3)' '$work/uv' &&
    '$uv' --quiet --offline pip install --python '$work/uv/bin/python' --no-index --no-deps '$wheel'"
check "uv: doppel" 0 "Doppel CPU device" "$work/uv/bin/doppel" info
# The environment with Numba, into which uv installs it anew, and from which uv runs.
run() { (cd tests/packages/project && "$uv" --quiet --offline run --no-project --python "$python" -- "$@"); }
check "uv: installs anew" 0 "" "$uv" --quiet --offline pip install --reinstall --python "$python" --no-index --no-deps "$wheel"
check "uv run: auto" 0 "Doppel CPU device" run python -c '
import doppel_cuda.auto
from numba import cuda
print(cuda.get_current_device().name)'
check "uv run: pytest" 0 "1 passed" run python -m pytest -p no:cacheprovider -W ignore --doppel -q test_vectors.py -k axpy

# A notebook: cells in a kernel of Jupyter's, which a server would start.
packages=$("$(tests/venv.sh notebook)" -c 'import sysconfig; print(sysconfig.get_path("purelib"))') || exit 1
env PYTHONPATH="$packages" "$python" tests/packages/notebook.py >"$work/cells" 2>&1
check "notebook: a kernel" 0 "cell 3: 2.0 3.0 Doppel CPU device" cat "$work/cells"
check "notebook: commands of cells" 0 "cell 4: GPU 0: Doppel CPU device" cat "$work/cells"
echo "packages: $passed passed, $failed failed"
[ $failed = 0 ]
