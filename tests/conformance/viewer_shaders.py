#!/usr/bin/env python3
"""viewer_shaders.py ROOT

The shaders of viewer/shaders compile and link as GLSL 330 and as GLSL ES 300, in every form that a
backend makes of them: vertices in the scene already, 4 and 8 influences, with and without morph
targets, each in front of the library's own text. So what OpenGL draws with, WebGL 2 can draw with.

Exits with 1 if one does not, with 77 if glslangValidator is not installed.
"""
import os
import shutil
import subprocess
import sys
import tempfile

CHOICES = "#define VIEW_SKINNED\n#define MRW_PALETTE_TEXTURE\n#define MRW_STRETCH\n#define MRW_LOCATION 5\n"
FORMS = {
    "scene": None,
    "skinned by 4": CHOICES + "#define MRW_INFLUENCES 4\n",
    "skinned by 8": CHOICES + "#define MRW_INFLUENCES 8\n",
    "morphed, skinned by 4": CHOICES + "#define MRW_INFLUENCES 4\n#define MRW_MORPH\n",
    "morphed, skinned by 8": CHOICES + "#define MRW_INFLUENCES 8\n#define MRW_MORPH\n",
}
DIALECTS = {"GLSL 330": "#version 330 core\n", "GLSL ES 300": "#version 300 es\n"}


def read(*path):
    with open(os.path.join(*path), encoding="utf-8") as f:
        return f.read()


def library_text(root):
    """What mrw_shader_source returns for MRW_SHADER_BLENDED, put together as the build does it."""
    for line in read(root, "shaders", "TEXTS").splitlines():
        name, _, parts = line.partition("|")
        if name.strip() == "glsl_blended":
            return "".join(read(root, "shaders", part) for part in parts.split())
    raise SystemExit("FAIL shaders/TEXTS has no glsl_blended")


def compiles(folder, name, vertex, fragment):
    paths = []
    for ending, text in (("vert", vertex), ("frag", fragment)):
        paths.append(os.path.join(folder, "shader." + ending))
        with open(paths[-1], "w", encoding="utf-8") as f:
            f.write(text)
    done = subprocess.run(["glslangValidator", "-l"] + paths, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        print("FAIL %s:\n%s" % (name, done.stdout + done.stderr))
    return done.returncode == 0


def main():
    root = sys.argv[1]
    if shutil.which("glslangValidator") is None:
        print("skipped: glslangValidator is not installed (on Debian: glslang-tools)")
        return 77
    shaders = os.path.join(root, "viewer", "shaders")
    library = library_text(root)
    good = True
    with tempfile.TemporaryDirectory() as folder:
        for dialect, version in DIALECTS.items():
            for form, choices in FORMS.items():
                front = choices + library if choices else ""
                good &= compiles(folder, "%s as %s" % (form, dialect),
                                 version + front + read(shaders, "mesh_vert.glsl"),
                                 version + read(shaders, "mesh_frag.glsl"))
            good &= compiles(folder, "plain as " + dialect,
                             version + read(shaders, "plain_vert.glsl"),
                             version + read(shaders, "plain_frag.glsl"))
    if good:
        print("%d programs compile" % (len(DIALECTS) * (len(FORMS) + 1)))
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
