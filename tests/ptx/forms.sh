#!/bin/bash
# Holds the table of instruction forms (crates/ptx/src/forms) against NVIDIA's assembler: it must take every example that the table
# makes, and what is nearly a form must be one for both or for neither. Prints where they differ.
set -u
cd "$(dirname "$0")/../.." || exit 1
ptxas=$(tests/venv.sh toolkit)/bin/ptxas
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
# assemble TARGET VERSION: says yes or no to each line of $work/lines, in $work/verdicts, a reason behind a no. In pieces, as some
# lines make the assembler give up: a piece at whose end it misses the mistake gets question marks.
assemble() {
    rm -f "$work"/piece.*
    split -l 60 -a 4 "$work/lines" "$work/piece."
    for piece in "$work"/piece.*; do
        {
            printf '.version %s\n.target sm_%s\n.address_size 64\n.visible .entry k() {\n' "$2" "$1"
            printf '.reg .pred %%p<9>; .reg .b16 %%h<30>; .reg .b32 %%r<30>; .reg .b64 %%rd<30>;'
            [[ $2 < 8.3 ]] || printf '.reg .b128 %%q<30>;'
            printf '.reg .f32 %%f<30>; .reg .f64 %%d<30>; .reg .b8 %%b<30>; L:\n'
            cat "$piece"
            printf 'mistake;\nret;\n}\n'
        } >"$work/code.ptx"
        { "$ptxas" -arch="sm_$1" "$work/code.ptx" -o /dev/null; } 2>"$work/errors"
        awk 'FILENAME ~ /errors$/ {
            if (/mistake/) { whole = 1; next }
            if (match($0, /, line [0-9]+; (error|fatal)/)) {
                number = substr($0, RSTART + 7) - 5; text = $0; sub(/.*(error|fatal) *: /, "", text)
                wrong[number] = wrong[number] " | " text
            }
            next
        }
        { print (!whole ? "?" : FNR in wrong ? "no" wrong[FNR] : "yes") }' "$work/errors" "$piece"
    done >"$work/verdicts"
}
cargo xtask form-examples "$work/all" || exit 1
# What needs at most sm_90 is assembled for it; the rest for the newest two families. The assembler knows nothing below sm_75.
for target in 90 90a 100a 120a; do
    case $target in
        90) pick='$1 !~ /a/ && $1 <= 90' ;;
        90a) pick='$1 == "90a"' ;;
        100a) pick='$1 == "100" || $1 == "100a"' ;;
        120a) pick='$1 == "120a"' ;;
    esac
    awk "(\$2 > 100) && ($pick)" "$work/all" | cut -d' ' -f4- >"$work/lines"
    assemble $target 9.5
    paste "$work/lines" "$work/verdicts" | grep -v 'yes$' && failed=1
    echo "sm_$target: $(grep -c yes "$work/verdicts") of $(grep -c . "$work/lines") forms taken"
done
cargo xtask form-mutants "$work/all" || exit 1
cut -f1 "$work/all" >"$work/lines"
assemble 90 9.5
# The assembler takes some that the manual does not have: no class for testp, chains of 16 bits or saturating, eight bytes or
# halves as a vector, fma of bf16 with other roundings, comparisons of f16 that give bf16. Addresses of 32 bits it refuses with
# the whole module.
paste "$work/all" "$work/verdicts" | grep -vE '^(testp\.f|addc\.|subc\.|madc\..*16|(ld|st)\..*v8\.[bus](8|16)|cvta\..*u32|fma\.r[zmp]\.bf16|set\..*bf16\.f16 )' >"$work/both"
awk -F'\t' '$3 == "?" { next }
    { all++ }
    substr($2, 1, 1) != substr($3, 1, 1) { print; bad++ }
    END { printf "%d of %d near misses judged alike\n", all - bad, all; exit bad > 0 }' "$work/both" || failed=1
# Judges the lines of $work/all (target, version, instruction, verdict of ours) as the assembler does, but for those that PATTERN finds.
judge_by_target() { # WHAT PATTERN
    local target version
    cut -f1,2 "$work/all" | sort -u >"$work/pairs"
    while read -r target version; do
        awk -F'\t' -v t="$target" -v v="$version" '$1 == t && $2 == v' "$work/all" >"$work/some"
        cut -f3 "$work/some" >"$work/lines"
        assemble "$target" "$version"
        paste "$work/some" "$work/verdicts"
    done <"$work/pairs" | grep -vE "$2" >"$work/both"
    awk -F'\t' -v what="$1" '$5 == "?" { next }
        { all++ }
        substr($4, 1, 1) != substr($5, 1, 1) { print; bad++ }
        END { printf "%d of %d examples judged alike %s\n", all - bad, all, what; exit bad > 0 }' "$work/both" || failed=1
}
# Versions and targets that forms and modifiers need: each form in a module of the version that the table says, and in one of the
# version before. Known: `set` with whole numbers of halves came after the others, 8 bit numbers on sm_89 after those on sm_90.
cargo xtask form-versions "$work/all" || exit 1
judge_by_target "in the version that they need and the one before" $'\t(set\\..*[us](16|32)\\.f16(x2)?|cvt\\..*e[45]m[23]x2.*) '
# What newer devices have, for each of their targets: of the architecture alone, of its family, of all.
cargo xtask form-targets "$work/all" || exit 1
judge_by_target "for newer targets" "tcgen05"
# Whole modules: the verdicts that the unit tests hold us to (a tab between verdict and text).
while IFS=$'\t' read -r verdict text; do
    printf '.version 9.5\n.target sm_90\n.address_size 64\n%b\n' "$text" >"$work/code.ptx"
    if "$ptxas" -arch=sm_90 -c "$work/code.ptx" -o /dev/null >/dev/null 2>&1; then found=yes; else found=no; fi
    [ $found = "$verdict" ] || { echo "$found, not $verdict: $text" && failed=1; }
done <tests/ptx/modules.txt
echo "$(grep -c . tests/ptx/modules.txt) modules asked about"
exit $failed
