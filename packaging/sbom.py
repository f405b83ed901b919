#!/usr/bin/env python3
"""Prints what the libraries and programs are made of, as a CycloneDX 1.5 bill of materials.

    packaging/sbom.py VERSION UNWINDER    UNWINDER: libdoppel-unwind.so, as it was built

It holds the packages that `Cargo.lock` has for Linux on x86-64 and that what is installed is linked with, Rust's standard library, and the
unwinder.
Nothing in it depends on time or place, so that it is the same in each build.
"""

import json
import subprocess
import sys

#: Packages whose libraries and programs are installed.
SHIPPED = {
    "doppel", "doppel-audit", "doppel-cudart12", "doppel-cudart13", "doppel-launcher", "doppel-nvml",
    "doppel-shims", "doppel-smi", "doppel-toolchain",
}


def metadata() -> dict:
    """What cargo knows of the workspace."""
    command = ["cargo", "metadata", "--format-version=1", "--locked", "--filter-platform=x86_64-unknown-linux-gnu"]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def linked(data: dict) -> tuple[dict[str, dict], dict[str, list[str]]]:
    """Packages by identity, and what each is linked with: no build scripts, no tests, no procedural macros."""
    packages = {package["id"]: package for package in data["packages"]}
    macros = {i for i, p in packages.items() if any("proc-macro" in target["kind"] for target in p["targets"])}
    nodes = {node["id"]: node for node in data["resolve"]["nodes"]}
    missing = SHIPPED - {package["name"] for package in packages.values()}
    if missing:
        sys.exit(f"sbom: the workspace has no {', '.join(sorted(missing))}")
    todo = [i for i, package in packages.items() if package["name"] in SHIPPED]
    found: dict[str, list[str]] = {}
    while todo:
        current = todo.pop()
        if current in found:
            continue
        normal = [
            dep["pkg"]
            for dep in nodes[current]["deps"]
            if dep["pkg"] not in macros and any(kind["kind"] is None for kind in dep["dep_kinds"])
        ]
        found[current] = normal
        todo += normal
    return {i: packages[i] for i in found}, found


def reference(package: dict) -> str:
    return f"pkg:cargo/{package['name']}@{package['version']}"


def component(package: dict, checksums: dict[tuple[str, str], str]) -> dict:
    entry = {
        "type": "library",
        "bom-ref": reference(package),
        "name": package["name"],
        "version": package["version"],
        "scope": "required",
        "purl": reference(package),
    }
    if package["license"]:
        entry["licenses"] = [{"expression": package["license"].replace("/", " OR ")}]
    checksum = checksums.get((package["name"], package["version"]))
    if checksum:
        entry["hashes"] = [{"alg": "SHA-256", "content": checksum}]
    return entry


def lock() -> dict[tuple[str, str], str]:
    """Checksums of packages, from `Cargo.lock`."""
    found, name, version = {}, "", ""
    with open("Cargo.lock", encoding="utf-8") as file:
        for line in file:
            key, _, value = line.strip().partition(" = ")
            value = value.strip('"')
            if key == "name":
                name = value
            elif key == "version":
                version = value
            elif key == "checksum":
                found[name, version] = value
    return found


def unwinder(library: str) -> dict:
    """What `libdoppel-unwind.so` is made of: LLVM's unwinder, as it comes with Zig, or in a build for one machine its compiler's."""
    with open(library, "rb") as file:
        llvm = b"libunwind: " in file.read()
    if llvm:
        zig = subprocess.run(["packaging/zig.sh", "--version"], check=True, capture_output=True, text=True).stdout.strip()
        reference, name, version, license = f"pkg:pypi/ziglang@{zig}", "libunwind (LLVM), with Zig", zig, "Apache-2.0 WITH LLVM-exception"
    else:
        version = subprocess.run(["cc", "-dumpversion"], check=True, capture_output=True, text=True).stdout.strip()
        reference, name, license = f"libgcc@{version}", "libgcc", "GPL-3.0-or-later WITH GCC-exception-3.1"
    return {
        "type": "library",
        "bom-ref": reference,
        "name": name,
        "version": version,
        "scope": "required",
        "licenses": [{"expression": license}],
    }


def main() -> None:
    version = sys.argv[1]
    packages, edges = linked(metadata())
    checksums = lock()
    rust = subprocess.run(["rustc", "--version"], check=True, capture_output=True, text=True).stdout.split()[1]
    own = {
        "type": "library",
        "bom-ref": f"pkg:pypi/doppel-cuda@{version}",
        "name": "doppel-cuda",
        "version": version,
        "licenses": [{"expression": "MIT"}],
        "purl": f"pkg:pypi/doppel-cuda@{version}",
    }
    std = {
        "type": "library",
        "bom-ref": f"rust-std@{rust}",
        "name": "rust-std",
        "version": rust,
        "scope": "required",
        "licenses": [{"expression": "MIT OR Apache-2.0"}],
    }
    dependencies = [{"ref": reference(packages[i]), "dependsOn": sorted({reference(packages[d]) for d in deps})} for i, deps in edges.items()]
    unwind = unwinder(sys.argv[2])
    dependencies.append({
        "ref": own["bom-ref"],
        "dependsOn": sorted([std["bom-ref"], unwind["bom-ref"]] + [reference(p) for p in packages.values() if p["name"] in SHIPPED]),
    })
    bill = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {"component": own},
        "components": sorted([component(p, checksums) for p in packages.values()] + [std, unwind], key=lambda c: c["bom-ref"]),
        "dependencies": sorted(dependencies, key=lambda d: d["ref"]),
    }
    json.dump(bill, sys.stdout, indent=1, sort_keys=True)
    print()


if __name__ == "__main__":
    main()
