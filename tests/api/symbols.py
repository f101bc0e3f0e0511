#!/usr/bin/env python3
"""symbols.py NM OBJDUMP ROOT runtime|offline STATIC SHARED

Reads the symbols of the libraries that were built:

- the runtime needs nothing from outside but memory and string functions and what compilers call by themselves,
- the runtime has one variable, which holds the choice of an instruction set,
- what the static library defines for the linker begins with mrw_ or mrwi_,
- the shared library exports exactly the functions that the public headers declare with MRW_API.

Exit status: 0 all of it holds, 1 not.
"""
import pathlib
import re
import subprocess
import sys

# Compilers turn loops and struct copies into the mem* functions at any time.
ALLOWED = {"memcpy", "memmove", "memset", "memcmp", "strlen", "strcmp"}
# Never written in a source file: position-independent code, stack protectors, and what clang makes of
# a memcmp that is compared with 0.
BY_COMPILER = {"_GLOBAL_OFFSET_TABLE_", "__stack_chk_fail", "__stack_chk_guard", "bcmp"}
SPLIT = re.compile(r"^(?:.*:)?\s*(?:[0-9a-f]+)?\s+([A-Za-z])\s+(\S+)$")
# The name and the variable of objdump -t. What is constant but holds addresses is in .data.rel.ro.
VARIABLE = re.compile(r"\sO\s+(?:\.t?data|\.t?bss|\*COM\*)(?:\.(?!rel\.ro)\S+)?\s+[0-9a-f]+\s+(?:\.hidden )?(\S+)$")
ALLOWED_VARIABLES = {"active"}  # src/isa/isa.c
DECLARATION = re.compile(r"\bMRW_API\b[^;(]*?\b(\w+)\s*\(")


def read_symbols(nm, path, *options):
    """Pairs of nm's letter and the name."""
    output = subprocess.run([nm, *options, path], capture_output=True, text=True, check=True).stdout
    return [match.groups() for match in map(SPLIT.match, output.splitlines()) if match]


def declared(root, kind):
    folder = root / "include/marrow"
    headers = folder.glob("*.h") if kind == "runtime" else (folder / "offline").glob("*.h")
    names = set()
    for header in headers:
        text = re.sub(r"/\*.*?\*/", "", header.read_text(), flags=re.S)
        text = re.sub(r"^[ \t]*#.*$", "", text, flags=re.M)
        names.update(DECLARATION.findall(text))
    return names


def check_needs(nm, static):
    symbols = read_symbols(nm, static)
    defined = {name for letter, name in symbols if letter not in "Uw"}
    needed = {name for letter, name in symbols if letter in "Uw"} - defined
    return [f"{pathlib.Path(static).name} needs {name}" for name in sorted(needed - ALLOWED - BY_COMPILER)]


def check_variables(objdump, static):
    output = subprocess.run([objdump, "-t", static], capture_output=True, text=True, check=True).stdout
    found = {match.group(1) for match in map(VARIABLE.search, output.splitlines()) if match}
    return [f"{pathlib.Path(static).name} has a variable, {name}" for name in sorted(found - ALLOWED_VARIABLES)]


def check_prefix(nm, static):
    defined = {name for letter, name in read_symbols(nm, static, "--extern-only", "--defined-only")}
    return [f"{pathlib.Path(static).name} defines {name}" for name in sorted(defined)
            if not name.startswith(("mrw_", "mrwi_"))]


def check_exports(nm, shared, declarations):
    exported = {name for letter, name in read_symbols(nm, shared, "--dynamic", "--defined-only")}
    name = pathlib.Path(shared).name
    return ([f"{name} exports {symbol}, which no header declares" for symbol in sorted(exported - declarations)]
            + [f"{name} lacks {symbol}, which a header declares" for symbol in sorted(declarations - exported)])


def main():
    nm, objdump, root, kind, static, shared = sys.argv[1:]
    declarations = declared(pathlib.Path(root), kind)
    faults = [f"{name} does not begin with mrw_" for name in sorted(declarations)
              if not name.startswith("mrw_")]
    if kind == "runtime":
        faults += check_needs(nm, static)
        faults += check_variables(objdump, static)
    faults += check_prefix(nm, static)
    faults += check_exports(nm, shared, declarations)
    if not declarations:
        faults.append("the headers declare nothing")
    print("\n".join(faults) or f"{len(declarations)} functions declared and exported")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
