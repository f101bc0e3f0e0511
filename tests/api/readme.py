#!/usr/bin/env python3
"""readme.py: the program that README.md shows is examples/quick_start.c, letter for letter, and
every file that the README links to is there."""
import os
import re
import sys

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))


def read(name):
    with open(os.path.join(ROOT, name), encoding="utf-8") as f:
        return f.read()


def main():
    readme, problems = read("README.md"), []
    shown = re.search(r"```c\n(.*?)```", readme, re.S)
    if not shown or shown.group(1) != read("examples/quick_start.c"):
        problems.append("README.md: its program is not examples/quick_start.c")
    for target in re.findall(r"\]\(([^)#]+)\)", readme):
        if "://" not in target and not os.path.exists(os.path.join(ROOT, target)):
            problems.append("README.md: there is no %s" % target)
    print("\n".join(problems) or "the README shows what is there")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
