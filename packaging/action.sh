#!/bin/bash
# What action.yml does in a job of GitHub's: installs PACKAGE, and hands the environment of `doppel run` to later steps.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
sudo=
[ "$(id -u)" = 0 ] || sudo=sudo
case $PACKAGE in
    *.deb)
        $sudo apt-get install -y -qq --no-install-recommends "$(realpath "$PACKAGE")"
        doppel=doppel
        ;;
    *.whl)
        python3 -m pip install --quiet "$PACKAGE"
        doppel=doppel
        ;;
    *.tar.gz)
        into=${RUNNER_TEMP:?}/doppel
        mkdir -p "$into"
        tar -xzf "$PACKAGE" -C "$into" --strip-components=1
        "$into/install.sh" "$into/installed"
        echo "$into/installed/bin" >>"$GITHUB_PATH"
        doppel=$into/installed/bin/doppel
        ;;
    *)
        echo "::error::$PACKAGE is neither a .deb nor a .whl nor a .tar.gz"
        exit 1
        ;;
esac
options=()
[ -z "${DEVICES:-}" ] || options+=(--devices "$DEVICES")
[ -z "${MEMORY:-}" ] || options+=(--memory "$MEMORY")
[ -z "${CHECK:-}" ] || options+=(--check "$CHECK")
"$doppel" env --github "${options[@]}"
"$doppel" info "${options[@]}"
echo "::add-matcher::$here/problem-matcher.json"
