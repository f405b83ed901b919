#!/bin/bash
# Holds our ptxas against NVIDIA's: exit status, what it prints, and whether it writes a file, for right and wrong command
# lines and texts. Counts of registers, times and constants of the compiler differ, and the build in --version.
set -u
cd "$(dirname "$0")/../.." || exit 1
theirs=$(tests/venv.sh toolkit)/bin/ptxas || exit 1
ours=${1:-$PWD/build/libexec/ptxas}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset DOPPEL_MODE
cd "$work" || exit 1
cat >k.ptx <<'END'
.version 8.0
.target sm_80
.address_size 64
.global .align 4 .u32 g[10];
.visible .entry k(.param .u64 p, .param .u32 n)
{
 .reg .b32 %r<9>; .reg .b64 %rd<5>; .reg .f32 %f<5>;
 .shared .align 4 .b8 s[512];
 .local .align 8 .b8 loc[64];
 ld.param.u64 %rd1, [p]; mov.u32 %r1, %tid.x; mov.u32 %r3, s; st.shared.u32 [%r3], %r1;
 mov.u64 %rd3, loc; mul.wide.u32 %rd4, %r1, 4; add.u64 %rd4, %rd3, %rd4; st.local.u32 [%rd4], %r1; bar.sync 2;
 ld.local.u32 %r4, [%rd3+8]; st.global.u32 [%rd1], %r4;
 ret;
}
.visible .entry k2() { ret; }
.visible .func (.param .b32 r) f(.param .b32 a) { .reg .b32 %r<2>; ld.param.b32 %r1, [a]; st.param.b32 [r], %r1; ret; }
END
change() { sed "$2" k.ptx >"$1"; }
change word.ptx 's/bar.sync/bar.snyc/'
change name.ptx 's/bar.sync 2;/add.u32 %r1, %r1, %nothing;/'
change types.ptx 's/%r3, s;/%f1, s; add.s32 %r3, %f1, %r1;/'
change opcode.ptx 's/bar.sync 2/foo %r1/'
change brace.ptx 's/k2()/k2(/'
change version.ptx 's/8.0/9.9/'
change alone.ptx 's/sm_80/sm_90a/'
change constant.ptx 's/^.global.*/.const .align 4 .u32 g[3] = {1, 2, 3};/; s/%r3, s;/%r3, s; ld.const.u32 %r5, [g]; st.global.u32 [%rd1+4], %r5;/'
change small.ptx 's/address_size 64/address_size 32/'
printf '.version 8.0\n.target sm_90\n.address_size 64\n.extern .func u();\n.visible .entry k() { call u; ret; }\n' >missing.ptx
printf '.version 8.0\n.target sm_90\n.address_size 64\n.visible .func u() { ret; }\n' >u.ptx
printf '.version 8.0\n.target sm_90\n.address_size 64\n' >nothing.ptx
printf '\n' >empty.ptx
printf '.version 8.0\n\xff\xfe' >bytes.ptx
# Many mistakes; the same with one that nothing is said behind; mistakes outside of functions.
{
    sed -n 1,3p k.ptx
    cat <<'END'
.visible .entry k(.param .u64 p)
{
 .reg .b32 %r<9>; .reg .b64 %rd<5>; .reg .f32 %f<5>; .reg .pred %p<3>;
 .shared .b32 s[4]; .shared .b32 s[5];
 .reg .b32 %r<9>; .reg .b32 %w; .reg .b32 %w;
 @%q add.u32 %r1, %r1, 5; @!%q add.u32 %r1, %r1, 5;
 @%r1 add.u32 %r1, %r1, 5;
 add.u32 %zz, %zz, %zz; add.u32 %r1, %r1, %nothing;
 ld.param.u64 %rd1, [nowhere]; ld.global.u32 %r1, [%nowhere]; ld.global.u32 %r1, [%rd9+4]; st.global.u32 [nowhere+4], %r1;
 call nobody; call (%r1), nobody, (%r1);
 bra A; A: A: add.u32 %r1, %r2, %r3; bra nowhere;
 bar.snyc 2; foo %r1; foo.bar %r1, %zz;
 add.foo.u32 %r1, %r2, %r3; add.foo.bar.u32 %r1, %r2; add.relu.f32 %f1, %f2, %f3; add.f32.u32 %f1, %f2, %f3; add %r1, %r2, %r3;
 ld.foo.u32 %r1, [%rd1]; st.shared.v3.u32 [%rd1], %r1; st.param.u32 [p], %r1;
 mov.b64 {%r1, %zz}, %rd1;
 { .reg .b32 %in; mov.b32 %in, 1; }
 mov.b32 %in, 2;
 T: .branchtargets A, nowhere;
 ret;
}
END
} >many.ptx
sed 's/^ T: .*/ add.u32 %r1 %r1, 5;/; s/^ ret/ ret %r1/' many.ptx >fatal.ptx
{
    sed -n 1,3p k.ptx
    cat <<'END'
.func (.reg .b32 a, .param .b32 b) f() { ret; }
.extern .func e() { ret; }
.visible .entry k1(.reg .b32 a) { add.u32 a, a; ret; }
.visible .entry k2(.param .b32 a, .param .b32 a) { add.u32 a, a; ret; }
.visible .entry k3() .maxntid 0 { foo; }
.func f2();
.func f2(.param .b32 a);
.visible .entry k4() { ret; }
.visible .entry k4() { bra nowhere; }
.global .u32 k4; .global .u32 g; .global .u32 g;
.func k4() { ret; }
END
} >outside.ptx
printf -- '-v\n--gpu-name=sm_90 "k.ptx"' >options
cp k.ptx 'a b.ptx'
passed=0 failed=0
# What may differ.
plain() { sed -E 's/Used [0-9]+ registers/Used N registers/; s/Compile time = .*/Compile time/; s/, 8 bytes cmem\[4\]//; s#(/tmp/tmpxft[^ ,]*_|<)stdin>?#stdin#g' "$1"; }
while IFS= read -r line; do
    [ -n "$line" ] || continue
    eval "set -- $line"
    for who in theirs ours; do
        rm -f elf.o out.o
        "${!who}" "$@" <k.ptx >"$who.out" 2>"$who.err"
        echo "exit $? $(ls elf.o out.o 2>/dev/null)" >"$who.exit"
        plain "$who.err" >"$who.text"
        grep -v '^ptxas info\|^    ' "$who.text" >>"$who.exit"
        # Functions may come in another order.
        grep '^ptxas info\|^    ' "$who.text" | sort >>"$who.exit"
    done
    if diff theirs.exit ours.exit >difference; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED ptxas $line"
        sed 's/^/    /' difference
    fi
done <<'END'
-arch=sm_90 k.ptx
-arch=sm_90 k.ptx -o out.o
-arch sm_90 -v k.ptx -o out.o
-arch sm_80 -v k.ptx -o out.o
-arch sm_80 -v constant.ptx -o out.o
-arch sm_90 -v nothing.ptx -o out.o
--gpu-name sm_90 --verbose --compile-only u.ptx --output-file out.o
--gpu-name=sm_90a -v2 k.ptx
-arch=sm_120f k.ptx
-arch=sm_100a k.ptx
-arch=lto_90 k.ptx
-arch=compute_90 k.ptx -v -o out.o
-arch=sm_35 k.ptx
-arch=sm_80a k.ptx
-arch= k.ptx
-arch=native k.ptx
k.ptx
-arch=sm_75 k.ptx
-arch=sm_90 word.ptx
-arch=sm_90 name.ptx
-arch=sm_90 types.ptx
-arch=sm_90 opcode.ptx
-arch=sm_90 many.ptx
-arch=sm_90 fatal.ptx
-arch=sm_90 outside.ptx
-arch=sm_90 many.ptx u.ptx
-arch=sm_90 brace.ptx
-arch=sm_90 version.ptx
-arch=sm_90 empty.ptx
-arch=sm_90 bytes.ptx
-arch=sm_90 small.ptx
-arch=sm_90 alone.ptx
-arch=sm_90a alone.ptx
-arch=sm_100 alone.ptx
-arch=sm_90 missing.ptx
-arch=sm_90 -c missing.ptx
-arch=sm_90 k.ptx u.ptx
-arch=sm_90 k.ptx k.ptx
-arch=sm_90 /nowhere/k.ptx
-arch=sm_90 /nowhere/k.ptx word.ptx
-arch=sm_90 ''
-arch=sm_90 k.ptx -o /nowhere/out.o
-arch=sm_90 k.ptx -o=
-arch=sm_90 - -o out.o
-arch=sm_90 'a b.ptx' -o out.o
-arch=sm_90 -ias "$(cat k.ptx)" -o out.o
-optf options
--options-file=options -o out.o
-optf /nowhere/options
-arch=sm_90 @options
-arch=sm_90 k.ptx -e k
-arch=sm_90 k.ptx -e k,k2
-arch=sm_90 k.ptx --entry=none
-arch=sm_90 k.ptx -O3
-arch=sm_90 k.ptx -O=2
-arch=sm_90 k.ptx --opt-level 0
-arch=sm_90 k.ptx -Oabc
-arch=sm_90 k.ptx -O2 -O3
-arch=sm_90 k.ptx -g -O2
-arch=sm_90 k.ptx -lineinfo -suppress-debug-info
-arch=sm_90 k.ptx --generate-line-info --fmad=false --regAllocOptLevel=2
-arch=sm_90 k.ptx -fmad maybe
-arch=sm_90 k.ptx --allow-expensive-optimizations
-arch=sm_90 k.ptx -m64
-arch=sm_90 k.ptx -m 32
-arch=sm_90 k.ptx -maxrregcount=abc
-arch=sm_90 k.ptx -maxrregcount=4
-arch=sm_90 k.ptx -maxrregcount 4000
-arch=sm_90 k.ptx -maxrregcount=-3
-arch=sm_90 k.ptx -maxrregcount=32 -maxrregcount 40
-arch=sm_90 k.ptx -maxrregcount=4 -w
-arch=sm_90 k.ptx -maxrregcount=4000 -Werror
-arch=sm_90 k.ptx -dlcm=ca -dscm cg
-arch=sm_90 k.ptx -dlcm=foo
-arch=sm_90 k.ptx -fscm=foo
-arch=sm_90 k.ptx -regUsageLevel=77
-arch=sm_90 k.ptx --split-compile=abc
-arch=sm_90 k.ptx -Ofc=foo
-arch=sm_90 k.ptx -sanitize foo
-arch=sm_90 k.ptx -maxntid 3,4 -minnctapersm=2
-arch=sm_90 k.ptx --bogus
-arch=sm_90 k.ptx -bogus=1
-arch=sm_90 k.ptx --arch sm_90
-arch=sm_90 k.ptx -oout.o
-arch=sm_90 k.ptx -c=true
-arch=sm_90 k.ptx -o
-arch=sm_90 k.ptx -o out.o -o elf.o
-arch=sm_90 -- k.ptx
--version --bogus
--help=3
END
# The version is read as theirs is, and is another one.
version() { "$1" --version | tr '\n' ' ' | sed -nE 's/.*Cuda compilation tools, release ([0-9]+\.[0-9]+), V([0-9.]+) Build .*/\1/p'; }
if [ "$(version "$ours")" = "$(version "$theirs")" ] && ! diff -q <("$ours" --version) <("$theirs" --version) >/dev/null; then
    passed=$((passed + 1))
else
    failed=$((failed + 1)) && echo "FAILED --version: $("$ours" --version)"
fi
echo "ptxas: $passed passed, $failed failed"
[ $failed = 0 ]
