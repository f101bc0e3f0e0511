#!/usr/bin/env python3
"""cases.py PATH/TO/marrow

Runs the checker of the shared folder on all of its cases. Passes if every case passes but those of
formats that are not read yet (UNREAD), and these must fail: a case that begins to pass has to leave the list.
Exit status: 0 passed, 1 failed, 77 skipped because there is no shared folder.
"""
import os
import re
import subprocess
import sys

UNREAD = {}  # name of the case: why it fails


def shared_folder():
    beside = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../shared")
    return os.path.normpath(os.environ.get("MARROW_SHARED", beside))


def failing_cases(checker, tool):
    """Names of the cases of which a check failed; the checker's output is passed on."""
    done = subprocess.run([sys.executable, checker, tool], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, check=False)
    print(done.stdout, end="")
    summary = re.search(r"^(\d+) passed, (\d+) failed$", done.stdout, re.MULTILINE)
    if not summary or int(summary.group(1)) == 0:
        sys.exit("cases: the checker did not run")
    names = set(re.findall(r"^FAIL (\S+)", done.stdout, re.MULTILINE))
    if bool(names) != (int(summary.group(2)) > 0):
        sys.exit("cases: the checker's summary and its list of failures disagree")
    return names


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    checker = os.path.join(shared_folder(), "tools", "check-cases")
    if not os.path.isfile(checker):
        print(f"skipped: no {checker} (MARROW_SHARED names another shared folder)")
        sys.exit(77)
    failing = failing_cases(checker, os.path.abspath(sys.argv[1]))
    unexpected = sorted(failing - set(UNREAD))
    passing = sorted(set(UNREAD) - failing)
    for name in sorted(failing & set(UNREAD)):
        print(f"expected: {name} fails, for {UNREAD[name]}")
    for name in unexpected:
        print(f"FAILED: {name}")
    for name in passing:
        print(f"FAILED: {name} passes now: take it off the list in cases.py")
    sys.exit(1 if unexpected or passing else 0)


if __name__ == "__main__":
    main()
