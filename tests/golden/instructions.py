#!/usr/bin/env python3
"""instructions.py OBJDUMP STATIC | instructions.py --self-test

Reads the machine code of the runtime and fails on fused multiply-add: it rounds once where two operations round
twice, so results would differ between machines. Compilers make it of a product and a sum on their own.
Exit status: 0 none there, 1 some, or no code at all.
"""
import re
import subprocess
import sys

# x86: vfmadd132ps, vfnmsub213sd, vfmsubadd231pd, ... 64-bit ARM: fmadd, fmsub, fnmadd, fnmsub, fmla, fmls.
FUSED = re.compile(r"^(vfn?m(add|sub|addsub|subadd)(132|213|231)?[ps][sd]|fn?m(add|sub)|fml[as]l?2?)$")
FUNCTION = re.compile(r"^[0-9a-f]+ <(.+)>:$")
FILE = re.compile(r"^(\S+\.o)(\(.*\))?:\s+file format|^.*\((\S+\.o)\):\s+file format")


def find_fused(lines):
    """(file, function, instruction) of each, and how many instructions there were."""
    found, count, name, function = [], 0, "?", "?"
    for line in lines:
        if match := FILE.match(line):
            name = match.group(1) or match.group(3)
        elif match := FUNCTION.match(line):
            function = match.group(1)
        elif line.startswith(" "):
            words = line.split(":", 1)[-1].split()
            count += bool(words)
            found += [(name, function, word) for word in words[:2] if FUSED.match(word)]
    return found, count


def self_test():
    text = """isa_avx2.c.o:     file format elf64-x86-64

0000000000000010 <blend>:
      10:\tvmulps %ymm1,%ymm0,%ymm0
      14:\t{op} %ymm1,%ymm0,%ymm0
"""
    fused = "vfmadd132ps vfmsubadd231pd vfnmadd213ss vfmaddsub132ps fmla fmls fmadd fnmsub".split()
    plain = "vaddps fadd fmul vfixupimmps fmov vmulps".split()
    faults = [op for op in fused if find_fused(text.format(op=op).splitlines())
              != ([("isa_avx2.c.o", "blend", op)], 2)]
    faults += [op for op in plain if find_fused(text.format(op=op).splitlines()) != ([], 2)]
    return faults


def main():
    if sys.argv[1:] == ["--self-test"]:
        faults = self_test()
        print("not as expected: " + " ".join(faults) if faults else "fused instructions are found")
        return 1 if faults else 0
    objdump, library = sys.argv[1:]
    # Instructions alone: clang's objdump knows the same options.
    output = subprocess.run([objdump, "-d", "--no-show-raw-insn", library], capture_output=True, text=True,
                            check=True).stdout
    found, count = find_fused(output.splitlines())
    for name, function, instruction in sorted(set(found)):
        print(f"{name}: {function} uses {instruction}")
    if count == 0:
        print(f"{library}: no code")
    if not found and count:
        print(f"{count} instructions, no fused multiply-add")
    return 1 if found or not count else 0


if __name__ == "__main__":
    sys.exit(main())
