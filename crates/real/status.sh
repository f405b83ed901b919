#!/bin/bash
# Prints docs/STATUS-compilers.md: what each function of NVRTC and nvJitLink does. `--check` compares instead.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../status.sh" STATUS-compilers.md "$@"
cat <<'HEAD'
# Status of NVRTC and nvJitLink

<!-- Written by crates/real/status.sh from the declarations. Do not edit. -->

What each function of `libnvrtc.so.12` and `.13` and of `libnvJitLink.so.12` and `.13` does in `cpu` mode. `passed on`: its arguments are
looked at, then the real library answers; `ours`: it has a body. In `forward` and `absent` mode all are passed on as they are.

HEAD
for library in nvrtc:NVRTC nvjitlink:nvJitLink; do
    source=$here/../${library%%:*}/src/lib.rs
    [ -e "$source" ] || continue
    printf '## %s\n\n| function | versions | in `cpu` mode | what it does |\n|---|---|---|---|\n' "${library#*:}"
    awk -v source="${library#*:}" '
        /^ *\/\/\/ / { if (said == "") { said = $0; sub(/^ *\/\/\/ /, "", said) } next }
        /^ *#\[cfg\((nvrtc|nvjitlink) = "1[23]"\)\]/ { only = $0; sub(/.*= "/, "", only); sub(/".*/, "", only); next }
        /^ *fn (nvrtc|nvJitLink)/ { name = $0; sub(/^ *fn /, "", name); sub(/\(.*/, "", name); open = 1 }
        open {
            if (/\|real\|/ || source == "nvJitLink") ours = 1
            if (/;$|\{$/) {
                printf "| `%s` | %s | %s | %s |\n", name, only == "" ? "12, 13" : only, ours ? "ours" : "passed on", said
                open = 0
                ours = 0
            }
        }
        !/^ *(#\[|\/\/)/ && !open { said = ""; only = "" }
    ' "$source"
    echo
done
