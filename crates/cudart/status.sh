#!/bin/bash
# Prints docs/STATUS-cudart.md: which exported functions of the runtime are written. `--check` compares instead.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../status.sh" STATUS-cudart.md "$@"
cat <<'HEAD'
# Status of the CUDA runtime

<!-- Written by crates/cudart/status.sh from the lists of exports and the source. Do not edit. -->

What each exported function of `libcudart.so.12` and `libcudart.so.13` does: `yes`: it is written; `no`: it answers
`cudaErrorNotSupported` and says so once in the log, for the reason at the end; `-`: the library has no such function. What a function can do
depends on the driver below, too ([STATUS.md](STATUS.md)).

HEAD
awk '
    FILENAME ~ /unwritten/ { name = $1; sub(/^[^ ]* /, ""); why[name] = $0; next }
    FILENAME ~ /exports/ { v = FILENAME ~ /12/ ? 12 : 13; exported[v, $1] = 1; all[$1] = 1; count[v]++; next }
    FNR == 1 { only = ""; whole = "" }
    match($0, /cfg\(cudart = "1[23]"\)\]/) {
        version = substr($0, RSTART + 14, 2)
        if ($0 ~ /^#!/) whole = version
        if ($0 ~ /^ *#\[/) only = version
    }
    /^ *fn (cuda|__cuda)/ {
        line = $0
        sub(/^ *fn /, "", line)
        sub(/\(.*/, "", line)
        n = split(line, names, / *\/ */)
        for (i = 1; i <= n; i++)
            for (v = 12; v <= 13; v++)
                if ((only == "" || only == v) && (whole == "" || whole == v)) written[v, names[i]] = 1
        only = ""
        next
    }
    !/^ *(#\[|\/\/)/ { only = "" }
    END {
        for (v = 12; v <= 13; v++) {
            done = 0
            for (name in all) if (((v, name) in exported) && ((v, name) in written)) done++
            printf "`libcudart.so.%d`: %d of %d functions are written.\n", v, done, count[v]
        }
        print ""
        print "| function | 12 | 13 |"
        print "|---|---|---|"
        fflush()
        for (name in all) {
            row = "| `" name "` |"
            for (v = 12; v <= 13; v++)
                row = row " " (((v, name) in exported) ? (((v, name) in written) ? "yes" : "no") : "-") " |"
            print row | "sort"
        }
        close("sort")
        print "\n## What is not written, and why\n\n| function | why |\n|---|---|"
        fflush()
        # Each has a reason, and what is written has none.
        for (name in all) {
            lacks = 0
            for (v = 12; v <= 13; v++) if (((v, name) in exported) && !((v, name) in written)) lacks = 1
            if (lacks != (name in why)) { print name ": crates/cudart/unwritten.txt says why, of these functions alone" >"/dev/stderr"; bad = 1 }
            if (lacks) print "| `" name "` | " why[name] " |" | "sort"
        }
        close("sort")
        exit bad
    }
' "$here"/unwritten.txt "$here"/exports/*.txt "$here"/src/*.rs
