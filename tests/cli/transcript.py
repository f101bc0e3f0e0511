#!/usr/bin/env python3
"""transcript.py PATH/TO/marrow [--record] TRANSCRIPT.txt ...

Runs the commands of transcripts and compares stdout, stderr and the exit status word for word.
A transcript is a text file:

    # a comment
    $ marrow pose arm.gltf --clip nope     a command for sh
    > what it writes to stdout, line by line
    ! what it writes to stderr
    = 2                                    the exit status, if it is not 0

Each transcript runs in an empty folder of its own that files.py has filled. Where output does not end with
a newline, a line `>\\` or `!\\` follows it. --record writes what comes into the transcripts and
shows what has changed; read that before you commit it.
Exit status: 0 all as written, 1 something differs, 2 wrong usage.
"""
import difflib
import os
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import files  # noqa: E402

TIMEOUT_S = 60


def run_command(command, folder, tool_folder):
    environment = dict(os.environ, PATH=tool_folder + os.pathsep + os.environ["PATH"],
                       LC_ALL="C.UTF-8")
    done = subprocess.run(["sh", "-c", command], cwd=folder, env=environment, check=False,
                          stdin=subprocess.DEVNULL, capture_output=True, timeout=TIMEOUT_S)
    return done.stdout, done.stderr, done.returncode


def marked(mark, data):
    """Lines of output as they stand in a transcript."""
    text = data.decode("utf-8", "backslashreplace")
    if not text:
        return []
    lines = text.split("\n")
    ending = lines.pop()
    result = [f"{mark} {line}" if line else mark for line in lines]
    if ending:
        result += [f"{mark} {ending}", mark + "\\"]
    return result


def replay(lines, folder, tool_folder):
    """The transcript as it would be recorded now: comments and commands stay, the rest is new."""
    result = []
    for line in lines:
        if line.startswith("$ "):
            out, err, status = run_command(line[2:], folder, tool_folder)
            result += [line] + marked(">", out) + marked("!", err)
            if status != 0:
                result.append(f"= {status}")
        elif not line.startswith((">", "!", "=")):
            result.append(line)
    return result


def run_transcript(path, tool, record):
    """Whether the transcript came true."""
    with open(path, encoding="utf-8") as file:
        lines = file.read().removesuffix("\n").split("\n")
    if not any(line.startswith("$ ") for line in lines):
        sys.exit(f"{path}: there is no command in it")
    with tempfile.TemporaryDirectory() as root:
        folder = os.path.join(root, "files")
        tool_folder = os.path.join(root, "bin")
        os.mkdir(tool_folder)
        os.symlink(os.path.abspath(tool), os.path.join(tool_folder, "marrow"))
        files.write_all(folder)
        now = replay(lines, folder, tool_folder)
    for line in difflib.unified_diff(lines, now, path, "as it is now", lineterm="", n=4):
        print(line)
    if record and now != lines:
        with open(path, "w", encoding="utf-8") as file:
            file.write("\n".join(now) + "\n")
    return now == lines


def main():
    arguments = [argument for argument in sys.argv[1:] if argument != "--record"]
    if len(arguments) < 2 or any(argument.startswith("-") for argument in arguments):
        print(__doc__, file=sys.stderr)
        sys.exit(2)
    record = "--record" in sys.argv
    same = [run_transcript(path, arguments[0], record) for path in arguments[1:]]
    sys.exit(0 if all(same) or record else 1)


if __name__ == "__main__":
    main()
