#!/bin/bash
# Prints docs/STATUS-nvml.md: what each function of libnvidia-ml.so.1 does. `--check` compares instead.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
export LC_ALL=C
if [ "${1:-}" = --check ]; then
    "$0" | diff -u "$here/../../docs/STATUS-nvml.md" - || {
        echo "docs/STATUS-nvml.md is stale: make header"
        exit 1
    }
    exit 0
fi
rows() {
    for source in "$here"/src/*.rs; do
        awk '
            /^api! \{/ { inside = 1 }
            !inside { next }
            /^    \/\/\/ / { if (said == "") { said = $0; sub(/^    \/\/\/ /, "", said) } next }
            /^    fn nvml/ { name = $0; sub(/^    fn /, "", name); sub(/\(.*/, "", name); open = 1 }
            open && /[;{}]$/ {
                ours = "yes"
                if (/;$/) ours = "no"
                if (/\) = /) { code = $0; sub(/.*\) = /, "", code); sub(/;.*/, "", code); ours = "`NVML_ERROR_" code "`" }
                printf "| `%s` | %s | %s |\n", name, ours, said
                open = 0
            }
            !/^ *(#\[|\/\/)/ && !open { said = "" }
        ' "$source"
    done
    echo '| `nvmlErrorString` | yes | The text of a result. |'
    echo '| `nvmlInternalGetExportTable` | `NVML_ERROR_FUNCTION_NOT_FOUND` | Not documented by its maker. |'
}
table=$(rows | sort)
cat <<HEAD
# Status of the management library

<!-- Written by crates/nvml/status.sh from the declarations. Do not edit. -->

What each function of \`libnvidia-ml.so.1\` does in \`cpu\` mode. \`yes\`: it answers. \`no\`: it looks at its arguments, then it is
\`NVML_ERROR_NOT_SUPPORTED\`: an emulated device has no such thing. An error: with arguments that are right it is always this one,
as on a device that has no such thing. In \`forward\` mode all are passed on as they are.

$(grep -c . <<<"$table") functions, of which $(grep -c '| yes |' <<<"$table") answer.

| function | in \`cpu\` mode | what it does |
|---|---|---|
HEAD
echo "$table"
