#!/usr/bin/env python3
"""statuses.py ROOT

status.def and what speaks of it agree: numbers and names are there once, numbers rise, every status is named as
statuses are, and every MRW_OK or MRW_ERR_* in headers, sources, tests and documents, and every name in the "Errors:" lists of
the public headers, is a status.
Exit status: 0 all of it holds, 1 not.
"""
import pathlib
import re
import sys

ENTRY = re.compile(r'^MRW_STATUS\((\w+), (\d+), "([^"]+)"\)$', re.M)
MENTION = re.compile(r"\bMRW_(?:OK|ERR_\w+)\b")
COMMENT = re.compile(r"/\*.*?\*/", re.S)
LISTED = re.compile(r"\b[A-Z][A-Z_]{3,}\b")
NOT_STATUSES = {"NULL"}  # capital words that "Errors:" lists explain statuses with
INVENTED = {"MRW_ERR_UNKNOWN"}  # what mrw_status_name says of a number that no status has


def check_entries(entries):
    faults = []
    names = [name for name, _number, _text in entries]
    numbers = [int(number) for _name, number, _text in entries]
    if not entries or entries[0][:2] != ("MRW_OK", "0"):
        faults.append("status.def does not begin with MRW_OK, 0")
    faults += [f"{name} is there twice" for name in sorted(set(names)) if names.count(name) > 1]
    for (name, _number, text), number, before in zip(entries, numbers, [-1, *numbers]):
        if number <= before:
            faults.append(f"{name}: {number} does not come after {before}")
        if not re.fullmatch(r"MRW_OK|MRW_ERR_[A-Z0-9_]+", name):
            faults.append(f"{name} is not named MRW_ERR_...")
        if text.endswith("."):
            faults.append(f"{name}: its text ends with a full stop")
    return faults


def text_files(root):
    for top in ("include", "src", "tools", "viewer", "examples", "tests", "docs"):
        yield from (path for path in (root / top).rglob("*")
                    if path.suffix in (".h", ".c", ".inl", ".md") and "node_modules" not in path.parts)
    yield from root.glob("*.md")


def check_mentions(root, names):
    for path in text_files(root):
        for word in sorted(set(MENTION.findall(path.read_text())) - names - INVENTED):
            if word != "MRW_ERR_":
                yield f"{path.relative_to(root)}: {word} is no status"


def listed_errors(comment):
    """Capital words between "Errors:" and the end of its sentence."""
    for part in comment.split("Errors:")[1:]:
        sentence = re.split(r"\.(?:\s|$)", re.sub(r"\([^)]*\)", "", part.replace("\n *", "\n")))[0]
        yield from LISTED.findall(sentence)


def check_lists(root, names):
    for header in sorted((root / "include").rglob("*.h")):
        for comment in COMMENT.findall(header.read_text()):
            for word in listed_errors(comment):
                if f"MRW_ERR_{word}" not in names and word not in NOT_STATUSES:
                    yield f"{header.relative_to(root)}: Errors: {word} is no status"


def main():
    root = pathlib.Path(sys.argv[1])
    entries = ENTRY.findall((root / "include/marrow/status.def").read_text())
    names = {name for name, _number, _text in entries}
    faults = check_entries(entries) + list(check_mentions(root, names)) + list(check_lists(root, names))
    print("\n".join(faults) or f"{len(entries)} statuses")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
