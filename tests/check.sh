#!/bin/bash
# What to run before a commit, in a few minutes: format, clippy, unit tests, the order of the rooms, generated files, and the C
# tests near what changed.
# `make check` calls this; `make check TEST="pool ipc"` names the C tests instead.
#
#   tests/check.sh [NAME...]
#
# Changed is what differs from the branch that this one is to be merged into (the upstream's, else main's, last common commit),
# committed or not; BASE=COMMIT says otherwise. c-tests/changed.txt says which C tests that means. They run on the unoptimised
# library of the unit tests. Everything else is `make test`.
set -u
cd "$(dirname "$0")/.." || exit 1
names=("$@")
failed=()
step() { # title, command...
    local title=$1 TIMEFORMAT='    %0R s, of the processors %0U + %0S s'
    shift
    echo "==> $title"
    time "$@" || failed+=("$title")
}
changed() {
    local base=${BASE:-} ref
    for ref in '@{upstream}' origin/main main HEAD; do
        [ -n "$base" ] || base=$(git merge-base HEAD "$ref" 2>/dev/null)
    done
    { git diff --name-only "$base"; git ls-files --others --exclude-standard; } | sort -u
}
# The C tests that a list of files on standard input means.
near() {
    awk -v tests="$(cd c-tests && ls ./*.c | sed 's,^\./,,; s/\.c$//' | tr '\n' ' ')" '
        function take(patterns, n, i, j, list, pattern) {
            n = split(patterns, list, " ")
            for (i = 1; i <= n; i++) {
                pattern = "^" list[i] "$"
                gsub(/\*/, ".*", pattern)
                for (j = 1; j <= count; j++) if (all[j] ~ pattern) taken[all[j]] = 1
            }
        }
        BEGIN { count = split(tests, all, " ") }
        FILENAME != "-" {
            if (/^#/ || !/:/) next
            word = $0; sub(/:.*/, "", word)
            rest = $0; sub(/[^:]*:/, "", rest)
            of[word] = rest
            next
        }
        /^c-tests\/[a-z0-9_]+\.(c|expected)$/ { name = $0; sub(/.*\//, "", name); sub(/\..*/, "", name); take(name); next }
        /\.(rs|toml)$/ { n = split($0, words, /[\/_.-]/); for (i = 1; i <= n; i++) if (words[i] in of) take(of[words[i]]) }
        END { take(of["always"]); for (j = 1; j <= count; j++) if (all[j] in taken) print all[j] }
    ' c-tests/changed.txt -
}
if [ ${#names[@]} = 0 ]; then
    mapfile -t names < <(changed | near)
fi
step format cargo fmt --all --check
step clippy cargo clippy --workspace --all-targets --locked --quiet -- -D warnings
step "unit tests" cargo test --workspace --lib --bins --test rooms --quiet --locked
step "header and status table" cargo run --quiet --locked -p doppel-header -- --check
if changed | grep -qE '^(crates/(ptx|engine|xtask)|tests/ptx|docs/PTX\.md)'; then
    step "table of coverage in docs/PTX.md" cargo xtask coverage --check
fi
# The library that the unit tests were built with. `cargo build` would compile it and the device once more, since other packages
# then ask for other features.
mkdir -p target/check
ln -sf "${CARGO_TARGET_DIR:-$PWD/target}/debug/deps/libcuda.so" target/check/libcuda.so.1
ln -sf libcuda.so.1 target/check/libcuda.so
step "C tests: ${names[*]}" c-tests/run.sh --lib target/check --out target/check/c-tests "${names[@]}"
[ ${#failed[@]} = 0 ] || printf 'failed: %s\n' "${failed[@]}"
[ ${#failed[@]} = 0 ] && echo "all that make check looks at is in order ($SECONDS s)"
