#!/bin/bash
# What scripts that print a page of docs/ have in common. They source it with the page's name and their own arguments:
# `--check` compares the page with what the script prints, and ends the script.
export LC_ALL=C
if [ "${2:-}" = --check ]; then
    "$0" | diff -u "$(dirname "${BASH_SOURCE[0]}")/../docs/$1" - || {
        echo "docs/$1 is stale: make header"
        exit 1
    }
    exit 0
fi
