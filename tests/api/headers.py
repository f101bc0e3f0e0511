#!/usr/bin/env python3
"""headers.py ROOT COMPILER...

Compiles every public header alone, as C17 and C++17, pedantic and with the warnings of the library as errors,
with every compiler given. Also: no public header mentions a type of a vector instruction set, so that users
may compile with whatever flags they like.
Exit status: 0 all compile, 1 some do not.
"""
import pathlib
import re
import subprocess
import sys

WARNINGS = "-Wall -Wextra -Wconversion -Wshadow -Wdouble-promotion -pedantic-errors -Werror".split()
LANGUAGES = {
    "c": ["-std=c17", "-Wstrict-prototypes", "-Wmissing-prototypes"],
    "c++": ["-std=c++17", "-Wold-style-cast"],
}
VECTOR_TYPE = re.compile(r"\b(__m(64|128|256|512)[di]?|(float|int|uint|poly)(8|16|32|64)x\d+_t|v128_t"
                         r"|vector_size|immintrin|arm_neon|wasm_simd128)\b")


def is_cxx(compiler):
    return pathlib.Path(compiler).name.startswith(("g++", "clang++", "c++"))


def compile_alone(compiler, language, include, header):
    # Twice, for the include guard.
    text = f"#include <{header}>\n#include <{header}>\n"
    command = [compiler, "-x", language, *LANGUAGES[language], *WARNINGS, f"-I{include}", "-fsyntax-only", "-"]
    return subprocess.run(command, input=text, capture_output=True, text=True, check=False)


def main():
    include = pathlib.Path(sys.argv[1], "include")
    compilers = sys.argv[2:]
    headers = sorted(path.relative_to(include).as_posix() for path in include.rglob("*.h"))
    faults = []
    for header in headers:
        for number, line in enumerate((include / header).read_text().splitlines(), 1):
            if VECTOR_TYPE.search(line):
                faults.append(f"{header}:{number}: mentions a vector type: {line.strip()}")
        for compiler in compilers:
            language = "c++" if is_cxx(compiler) else "c"
            result = compile_alone(compiler, language, include, header)
            if result.returncode != 0:
                faults.append(f"{header} as {language} by {compiler}:\n{result.stderr}")
    if not headers or not compilers:
        faults.append("nothing to compile, or nothing to compile with")
    print("\n".join(faults) or f"{len(headers)} headers with {', '.join(compilers)}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
