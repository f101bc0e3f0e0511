#!/usr/bin/env python3
"""layers.py [ROOT] | layers.py --self-test

Holds the tree to its plan. Reads STAGES and every #include below src, include, viewer, tools, packages, examples and
bench, and reports

- an include of a stage that STAGES does not allow, or of a public header that belongs to such a stage,
- a kernel (*_kernel.inl) that another stage than isa includes,
- a system header outside the list that the kind of stage may use,
- a folder with sources that STAGES does not name,
- two source files of one name, and source files above 800 lines (tests too).

--self-test plants each of these faults in a small tree and expects it to be found.
Exit status: 0 nothing found, 1 something found.
"""
import pathlib
import re
import sys
import tempfile

MAX_LINES = 800
CODE_ROOTS = ("src", "include", "viewer", "tools", "packages", "examples", "bench")
CODE_SUFFIXES = (".c", ".h", ".inl", ".def")
NAMED_SUFFIXES = CODE_SUFFIXES + (".glsl", ".py", ".mjs", ".js", ".sh", ".cmake")
SKIPPED_FOLDERS = re.compile(r"^(build.*|node_modules|\.git|demo-out)$")
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(<[^>]+>|"[^"]+")', re.M)
HEADERS = "@headers"  # in STAGES: the public headers and nothing else
KERNELS = "@kernels"  # in STAGES: *_kernel.inl of any stage
KERNEL_SUFFIX = "_kernel.inl"

# System headers by kind of stage. Freestanding ones, and string.h for mem* and str*, are all that
# the runtime needs; a new line here is a decision about dependencies.
RUNTIME = set("stdarg.h stdbool.h stddef.h stdint.h float.h limits.h string.h".split())
VECTORS = RUNTIME | {"immintrin.h", "arm_neon.h", "wasm_simd128.h"}
OFFLINE = RUNTIME | set("stdio.h stdlib.h errno.h jsmn.h".split()) | {"fcntl.h", "sys/stat.h", "sys/types.h", "unistd.h"}
PROGRAM = OFFLINE - {"jsmn.h"} | set("math.h ctype.h signal.h time.h assert.h".split())
PROGRAM |= {"sys/ioctl.h"}
DRAWING = PROGRAM | {"epoxy/gl.h", "epoxy/egl.h", "EGL/egl.h", "EGL/eglext.h", "spng.h", "stb/stb_image.h",
                     "webp/encode.h", "webp/mux.h", "webp/decode.h"}
WINDOW = PROGRAM | {"epoxy/gl.h", "GLFW/glfw3.h", "ft2build.h", "fontconfig/fontconfig.h", "dirent.h"}
SYSTEM_HEADERS = (
    (re.compile(r"src/offline/"), OFFLINE),
    (re.compile(r"src/simd"), VECTORS),
    (re.compile(r"src/isa"), RUNTIME | {"cpuid.h"}),
    (re.compile(r"src/"), RUNTIME),
    (re.compile(r"include/"), {"stdbool.h", "stddef.h", "stdint.h"}),
    (re.compile(r"tools/"), DRAWING | {"dirent.h", "pthread.h"}),
    (re.compile(r"viewer/gl"), DRAWING),
    (re.compile(r"viewer/native"), WINDOW),
    (re.compile(r""), PROGRAM),
)


def read_stages(root):
    """Folder to the set of folders, as STAGES spells them, that it may include."""
    stages = {}
    for line in (root / "STAGES").read_text().splitlines():
        if not line or line.startswith("#"):
            continue
        folder, allowed, _purpose = (part.strip() for part in line.split("|"))
        stages[folder] = set(allowed.split())
    return stages


def source_files(root, roots, suffixes):
    for top in roots:
        for path in sorted((root / top).rglob("*")):
            parts = path.relative_to(root).parts
            if path.suffix in suffixes and not any(SKIPPED_FOLDERS.match(part) for part in parts):
                yield path


def public_stage(header, stages):
    """The stage of a public header: marrow/clip.h is src/clip's. None for umbrellas and headers without one."""
    name = re.sub(r"\.(h|def)$", "", header.removeprefix("marrow/"))
    name = {"status": "base", "asset_file": "asset", "stored_clip": "stored"}.get(name, name)
    return f"src/{name}" if f"src/{name}" in stages else None


def short(folder):
    """How STAGES names a folder in its second column."""
    return folder.removeprefix("src/")


class Checker:
    def __init__(self, root):
        self.root = root
        self.stages = read_stages(root)
        self.faults = []

    def fault(self, path, line, text):
        place = path.relative_to(self.root) if path.is_absolute() else path
        self.faults.append(f"{place}:{line}: {text}" if line else f"{place}: {text}")

    def folder_of(self, path):
        return path.parent.relative_to(self.root).as_posix()

    def check_arrow(self, path, line, stage, target):
        """`stage` may include `target`, both folders."""
        allowed = self.stages[stage]
        if target != stage and short(target) not in allowed:
            self.fault(path, line, f"{short(stage)} must not include {short(target)} "
                                   f"(allowed: {' '.join(sorted(allowed)) or 'nothing'})")

    def check_public(self, path, line, stage, header):
        if not (self.root / "include" / header).is_file():
            self.fault(path, line, f"no such public header: {header}")
        elif HEADERS in self.stages[stage]:
            return
        else:
            target = public_stage(header, self.stages)
            if target is None:
                self.fault(path, line, f"{header} is for users of the library")
            else:
                self.check_arrow(path, line, stage, target)

    def find_private(self, folder, header):
        """The file that an internal header's name stands for: below src/ by its path, in programs also beside
        the including file or below viewer/."""
        bases = ("src",) if folder.startswith("src/") else (folder, "viewer")
        return next((self.root / base / header for base in bases if (self.root / base / header).is_file()), None)

    def check_system(self, path, line, folder, header):
        allowed = next(headers for pattern, headers in SYSTEM_HEADERS if pattern.match(folder))
        if header not in allowed:
            self.fault(path, line, f"<{header}> is not among the system headers of {folder}")

    def check_include(self, path, line, stage, folder, token):
        header = token[1:-1]
        if header.startswith("marrow/"):
            if stage is not None:
                self.check_public(path, line, stage, header)
            return
        private = self.find_private(folder, header)
        if private is not None and header.endswith(KERNEL_SUFFIX):
            if KERNELS not in self.stages[stage]:
                self.fault(path, line, f"{short(stage)} must not include a kernel; {header} is called through its table")
        elif private is not None:
            self.check_arrow(path, line, stage, self.folder_of(private.resolve()))
        elif token[0] == '"':
            self.fault(path, line, f'"{header}" is not where {folder} may look')
        else:
            self.check_system(path, line, folder, header)

    def check_file(self, path):
        folder = self.folder_of(path)
        if folder.startswith("include/"):
            stage = public_stage(path.relative_to(self.root / "include").as_posix(), self.stages)
        elif folder in self.stages:
            stage = folder
        else:
            self.fault(path, 0, "STAGES does not name this folder")
            return
        text = path.read_text()
        for match in INCLUDE.finditer(text):
            line = text.count("\n", 0, match.start()) + 1
            self.check_include(path, line, stage, folder, match.group(1))

    def check_names_and_lengths(self):
        seen = {}
        for path in source_files(self.root, CODE_ROOTS + ("tests", "cmake"), NAMED_SUFFIXES):
            twin = seen.setdefault(path.name, path)
            if twin != path:
                self.fault(path, 0, f"has the name of {twin.relative_to(self.root)}")
            lines = len(path.read_text().splitlines())
            if lines > MAX_LINES:
                self.fault(path, 0, f"{lines} lines; above {MAX_LINES} a file has more than one subject")

    def run(self):
        for path in source_files(self.root, CODE_ROOTS, CODE_SUFFIXES):
            self.check_file(path)
        self.check_names_and_lengths()
        return self.faults


# --- self-test ------------------------------------------------------------------------

GOOD_TREE = {
    "STAGES": "# comment\n"
              "src/base | | base\n"
              "src/clip | base | clips\n"
              "src/sample | clip base | sampling\n"
              "src/isa | @kernels base | instruction sets\n"
              "src/offline/scene | clip base | scenes\n"
              "viewer/core | @headers | posed characters\n"
              "viewer/gl | viewer/core @headers | pictures\n"
              "tools/marrow | viewer/core @headers | command line\n",
    "include/marrow/base.h": "#include <stddef.h>\n",
    "include/marrow/clip.h": "#include <marrow/base.h>\n",
    "include/marrow/marrow.h": "#include <marrow/clip.h>\n",
    "include/marrow/offline/scene.h": "#include <marrow/clip.h>\n",
    "src/base/error.h": "",
    "src/clip/keys.c": '#include <marrow/clip.h>\n#include "base/error.h"\n#include <string.h>\n',
    "src/clip/clip_format.h": "",
    "src/clip/keys_kernel.inl": '#include "clip/clip_format.h"\n',
    "src/isa/isa.c": '#include "clip/keys_kernel.inl"\n',
    "src/sample/sampler.c": '#include <marrow/clip.h>\n#include "clip/clip_format.h"\n',
    "src/offline/scene/scene.c": "#include <marrow/offline/scene.h>\n#include <stdlib.h>\n",
    "viewer/core/posed.h": "#include <marrow/marrow.h>\n",
    "viewer/gl/gpu.h": "#include <core/posed.h>\n",
    "tools/marrow/main.c": '#include <marrow/marrow.h>\n#include <core/posed.h>\n#include <stdio.h>\n#include "command.h"\n',
    "tools/marrow/command.h": "",
}

# What is planted: file, text, a part of the message that must come.
FAULTS = (
    ("src/clip/a.c", '#include "sample/s.h"\n', "clip must not include sample"),
    ("src/clip/a.c", '  #  include "sample/s.h"\n', "clip must not include sample"),
    ("src/base/a.c", "#include <marrow/clip.h>\n", "base must not include clip"),
    ("src/sample/a.c", "#include <marrow/offline/scene.h>\n", "sample must not include offline/scene"),
    ("src/sample/a.c", "#include <marrow/marrow.h>\n", "is for users of the library"),
    ("src/clip/a.c", "#include <math.h>\n", "<math.h> is not among"),
    ("src/clip/a.c", "#include <stdlib.h>\n", "<stdlib.h> is not among"),
    ("src/clip/a.c", '#include "gone.h"\n', '"gone.h" is not where src/clip may look'),
    ("src/clip/a.c", '#include "clip/keys_kernel.inl"\n', "clip must not include a kernel"),
    ("src/clip/a_kernel.inl", '#include "sample/s.h"\n', "clip must not include sample"),
    ("src/isa/a.c", '#include "clip/clip_format.h"\n', "isa must not include clip"),
    ("tools/marrow/a.c", '#include "base/error.h"\n', '"base/error.h" is not where tools/marrow may look'),
    ("tools/marrow/a.c", '#include "../../src/base/error.h"\n', "must not include"),
    ("tools/marrow/a.c", "#include <gl/gpu.h>\n", "tools/marrow must not include viewer/gl"),
    ("viewer/core/a.c", "#include <gl/gpu.h>\n", "viewer/core must not include viewer/gl"),
    ("include/marrow/clip.h", "#include <marrow/offline/scene.h>\n", "clip must not include offline/scene"),
    ("include/marrow/base.h", "#include <immintrin.h>\n", "<immintrin.h> is not among"),
    ("src/extra/a.c", "", "STAGES does not name this folder"),
    ("src/sample/keys.c", "", "has the name of src/clip/keys.c"),
    ("src/clip/a.c", "\n" * 801, "801 lines"),
)


def write_tree(root, files):
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def self_test():
    failures = []
    with tempfile.TemporaryDirectory() as folder:
        good = pathlib.Path(folder, "good")
        write_tree(good, GOOD_TREE)
        failures += [f"in a tree without a fault: {fault}" for fault in Checker(good).run()]
        for i, (name, text, message) in enumerate(FAULTS):
            root = pathlib.Path(folder, str(i))
            write_tree(root, {**GOOD_TREE, "src/sample/s.h": "", name: text})
            faults = Checker(root).run()
            if len(faults) != 1 or message not in faults[0]:
                failures.append(f"{name} with {text[:40]!r}: expected '{message}', got {faults}")
    return failures


def main():
    if sys.argv[1:] == ["--self-test"]:
        faults = self_test()
        done = f"{len(FAULTS)} planted faults found"
    else:
        root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parents[2])
        faults = Checker(root.resolve()).run()
        done = "every include is an arrow of STAGES"
    print("\n".join(faults) or done)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
