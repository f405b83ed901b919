#!/usr/bin/env python3
"""Compares our C headers with NVIDIA's, name by name: layouts, values, types, signatures, and what plain names mean.

Needs the Python package `libclang`. Differences that are wanted are listed, with their reasons, in differences.txt.
"""

import argparse
import os
import subprocess
import sys
import tempfile

from clang.cindex import CursorKind, Index, TokenKind, TranslationUnit, TypeKind

HERE = os.path.dirname(os.path.abspath(__file__))
RECORDS = (CursorKind.STRUCT_DECL, CursorKind.UNION_DECL)
PER_THREAD = "CUDA_API_PER_THREAD_DEFAULT_STREAM"
INTERNAL = ("__CUDA_API_VERSION_INTERNAL", "__CUDA_API_VERSION_INTERNAL_ODR")


class Headers:
    """One set of headers."""

    def __init__(self, include, flags, work):
        self.include = os.path.abspath(include)
        self.flags = flags
        self.work = work
        companions = ("cudaGL.h", "cudaEGL.h", "cudaVDPAU.h", "cudaProfiler.h")
        present = [name for name in companions if os.path.exists(os.path.join(self.include, name))]
        self.source = "".join(f"#include <{name}>\n" for name in ["cuda.h", "vdpau/vdpau.h"] + present)

    def parse(self, defines=(), extra=""):
        path = os.path.join(self.work, "probe.c")
        args = ["-x", "c", "-std=c11", "-target", "x86_64-linux-gnu", "-I", self.include, "-Wno-everything", "-ferror-limit=0"]
        args += self.flags + [f"-D{name}" for name in defines]
        options = TranslationUnit.PARSE_DETAILED_PROCESSING_RECORD
        unit = Index.create().parse(path, args=args, unsaved_files=[(path, self.source + extra)], options=options)
        return unit, [d for d in unit.diagnostics if d.severity >= 3]

    def clean(self, defines=()):
        unit, errors = self.parse(defines)
        if errors:
            sys.exit(f"{self.include} does not compile: {errors[0]}")
        return unit

    def cursors(self, unit):
        for cursor in unit.cursor.get_children():
            file = cursor.location.file
            if file and os.path.dirname(os.path.abspath(file.name)) == self.include:
                yield cursor


def unnamed(declaration):
    return declaration.is_anonymous() or "unnamed" in declaration.type.spelling or "(" in declaration.spelling


def describe(kind):
    """A type by what it is: tags by name, everything else by structure."""
    kind = kind.get_canonical()
    const = "const " if kind.is_const_qualified() else ""
    if kind.kind == TypeKind.POINTER:
        return f"{const}*{describe(kind.get_pointee())}"
    if kind.kind == TypeKind.CONSTANTARRAY:
        return f"[{kind.element_count}]{describe(kind.element_type)}"
    if kind.kind == TypeKind.FUNCTIONPROTO:
        return f"({', '.join(describe(arg) for arg in kind.argument_types())}) -> {describe(kind.get_result())}"
    if kind.kind == TypeKind.FUNCTIONNOPROTO:
        return f"() -> {describe(kind.get_result())}"
    if kind.kind in (TypeKind.RECORD, TypeKind.ENUM):
        declaration = kind.get_declaration()
        word = {TypeKind.ENUM: "enum"}.get(kind.kind, "record")
        if not unnamed(declaration):
            return f"{const}{word} {declaration.spelling}"
        if kind.kind == TypeKind.ENUM:
            return f"{const}enum {[child.spelling for child in declaration.get_children()][:1]}"
        return f"{const}record {layout(kind)}"
    return const + kind.kind.name


def fields(kind, at=0, prefix=""):
    """Every field with its offset in bits; unnamed members are part of what contains them."""
    for field in kind.get_fields():
        where = at + field.get_field_offsetof()
        inner = field.type.get_canonical()
        declaration = inner.get_declaration()
        nameless = not field.spelling or "(" in field.spelling
        if declaration.kind in RECORDS and inner.kind == TypeKind.RECORD and unnamed(declaration):
            name = "" if nameless else field.spelling + "."
            # clang reports offsets in an unnamed member relative to that member.
            yield from fields(inner, where, prefix + name)
        else:
            yield (prefix + field.spelling, where, describe(field.type))


def layout(kind):
    return (kind.get_size(), kind.get_align(), tuple(sorted(fields(kind), key=lambda f: (f[1], f[0]))))


def collect(headers, units):
    """What the headers declare, by kind and name."""
    found = {kind: {} for kind in ("record", "enum", "enumerator", "typedef", "function")}
    for unit in units:
        for cursor in headers.cursors(unit):
            name = cursor.spelling
            if cursor.kind in RECORDS and cursor.is_definition() and not unnamed(cursor):
                found["record"][name] = layout(cursor.type)
                for inner in cursor.get_children():
                    if inner.kind in RECORDS and inner.is_definition() and not unnamed(inner):
                        found["record"][inner.spelling] = layout(inner.type)
            elif cursor.kind == CursorKind.ENUM_DECL and cursor.is_definition():
                if not unnamed(cursor):
                    found["enum"][name] = describe(cursor.enum_type)
                for child in cursor.get_children():
                    found["enumerator"][child.spelling] = child.enum_value
            elif cursor.kind == CursorKind.TYPEDEF_DECL:
                found["typedef"][name] = describe(cursor.underlying_typedef_type)
            elif cursor.kind == CursorKind.FUNCTION_DECL:
                found["function"].setdefault(name, describe(cursor.type))
    return found


def macros(headers, unit):
    """Macros without parameters that stand for something."""
    names = set()
    for cursor in headers.cursors(unit):
        if cursor.kind == CursorKind.MACRO_DEFINITION:
            tokens = list(cursor.get_tokens())
            called = len(tokens) > 1 and tokens[1].spelling == "(" and tokens[1].extent.start.offset == tokens[0].extent.end.offset
            if len(tokens) > 1 and tokens[0].kind != TokenKind.PUNCTUATION and not called:
                names.add(cursor.spelling)
    return names


def constants(headers, names):
    """The values of those macros that are numbers or addresses."""
    names = sorted(name for name in names if not name.startswith("cu"))
    first = headers.source.count("\n") + 1
    while True:
        probe = "".join(f"enum {{ probe_{name} = (long long)({name}) }};\n" for name in names)
        unit, errors = headers.parse(extra=probe)
        bad = {names[error.location.line - first] for error in errors if error.location.file.name.endswith("probe.c")}
        if not bad:
            break
        names = [name for name in names if name not in bad]
    values = {}
    for cursor in unit.cursor.get_children():
        if cursor.kind == CursorKind.ENUM_DECL:
            for child in cursor.get_children():
                if child.spelling.startswith("probe_"):
                    values[child.spelling[6:]] = child.enum_value
    return values


def meanings(headers, names, defines):
    """Which function each name refers to in source code."""
    names = sorted(names)
    first = headers.source.count("\n") + 1
    while True:
        probe = "".join(f"static void *probe{at} = (void *){name};\n" for at, name in enumerate(names))
        unit, errors = headers.parse(defines, probe)
        bad = {names[error.location.line - first] for error in errors if error.location.file.name.endswith("probe.c")}
        if not bad:
            break
        names = [name for name in names if name not in bad]

    def target(cursor):
        if cursor.kind == CursorKind.DECL_REF_EXPR:
            return cursor.spelling
        return next((found for found in map(target, cursor.get_children()) if found), None)

    out = {}
    for cursor in unit.cursor.get_children():
        if cursor.kind == CursorKind.VAR_DECL and cursor.spelling.startswith("probe"):
            out[names[int(cursor.spelling[5:])]] = target(cursor)
    return out


def accepted():
    """The wanted differences: kind, name, and a reason that must not be empty."""
    wanted = {}
    with open(os.path.join(HERE, "differences.txt"), encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            line = line.strip()
            if not line or line.startswith("#"):
                continue
            head, _, reason = line.partition(":")
            parts = head.split()
            if len(parts) != 2 or not reason.strip():
                sys.exit(f"differences.txt:{number}: expected `kind name: reason`")
            wanted[tuple(parts)] = reason.strip()
    return wanted


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--nvidia-include", required=True, help="directory with NVIDIA's cuda.h")
    parser.add_argument("--ours", required=True, help="our cuda.h; its companions lie beside it")
    args = parser.parse_args()
    compiler = subprocess.run(["cc", "-print-file-name=include"], capture_output=True, text=True, check=True)
    flags = ["-isystem", compiler.stdout.strip(), "-isystem", os.path.join(HERE, "stubs")]
    with tempfile.TemporaryDirectory() as work:
        theirs = Headers(args.nvidia_include, flags, work)
        ours = Headers(os.path.dirname(os.path.abspath(args.ours)), flags, work)
        # The old functions and the twins are visible in NVIDIA's headers under a macro only.
        their_units = [theirs.clean(), theirs.clean(INTERNAL)]
        our_units = [ours.clean()]
        tables = {}
        left, right = collect(theirs, their_units), collect(ours, our_units)
        for kind in left:
            tables[kind] = (left[kind], right[kind])
        their_macros, our_macros = macros(theirs, their_units[0]), macros(ours, our_units[0])
        tables["constant"] = (constants(theirs, their_macros), constants(ours, our_macros))
        names = {name for name in their_macros if name.startswith("cu")} | set(collect(theirs, their_units[:1])["function"])
        for kind, defines in (("meaning", ()), ("per-thread", (PER_THREAD,))):
            theirs_mean = meanings(theirs, names, defines)
            ours_mean = meanings(ours, set(theirs_mean), defines)
            tables[kind] = (theirs_mean, ours_mean)

    wanted = accepted()
    unwanted = 0
    used = set()
    for kind, (theirs_, ours_) in tables.items():
        differences = 0
        for name in sorted(set(theirs_) | set(ours_)):
            a, b = theirs_.get(name), ours_.get(name)
            if a == b:
                continue
            differences += 1
            used.add((kind, name))
            reason = wanted.get((kind, name))
            if reason is None:
                unwanted += 1
                print(f"DIFFERENT {kind} {name}\n  NVIDIA: {a}\n  ours:   {b}")
            else:
                print(f"accepted  {kind} {name}: {reason}")
        same = len(set(theirs_) & set(ours_))
        print(f"{kind}: {len(theirs_)} of NVIDIA's, {len(ours_)} of ours, {same} compared, {differences} differ")
    for kind, name in sorted(set(wanted) - used):
        unwanted += 1
        print(f"STALE     {kind} {name}: listed in differences.txt, but there is no difference")
    print("the headers agree" if not unwanted else f"{unwanted} differences that nobody wants")
    return 1 if unwanted else 0


if __name__ == "__main__":
    sys.exit(main())
