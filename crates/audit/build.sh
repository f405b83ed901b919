#!/bin/bash
# Makes libdoppel-audit.so. It has no Rust runtime, so that panics have to end the process, which is a matter of the profile.
#
#   crates/audit/build.sh OUT    OUT: the folder that it goes to
set -eu
cd "$(dirname "$0")/../.."
out=$1
target=${CARGO_TARGET_DIR:-target}
${CARGO:-cargo} rustc --release --locked -p doppel-audit --lib --crate-type cdylib \
    --config 'profile.release.panic="abort"' --config 'profile.release.opt-level="s"' --config 'profile.release.incremental=false' \
    --config 'profile.release.lto="fat"' -- \
    -C codegen-units=1 -C strip=symbols \
    -C link-args='-nostdlib -nostartfiles -Wl,-soname,libdoppel-audit.so -Wl,--gc-sections -Wl,-z,defs -Wl,-z,now -Wl,-z,noseparate-code -Wl,--hash-style=gnu -Wl,--build-id=none'
mkdir -p "$out"
cmp -s "$target/release/libdoppel_audit.so" "$out/libdoppel-audit.so" ||
    install -m 755 "$target/release/libdoppel_audit.so" "$out/libdoppel-audit.so"
