#!/usr/bin/env python3
"""shader_texts.py FOLDER: compiles the shader texts with the Khronos compiler glslang.

FOLDER holds what shader_texts wrote. Every combination of the choices that marrow/shader.h and the HLSL texts
list is put before a text and a small shader behind it; a wrong choice must be refused with its message. The C of
docs/shaders.md must be that of shader_docs.c, its HLSL must compile.

Exit status: 0 all of it holds, 1 not, 77 there is no glslangValidator.
"""
import itertools
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

PROGRAM = "glslangValidator"
BATCH = 150  # files a call

GLSL_SHADER = """
#if __VERSION__ < 130
attribute vec3 position;
attribute vec3 normal;
varying vec3 shade;
#else
in vec3 position;
in vec3 normal;
out vec3 shade;
#endif
void main()
{
    mrw_skinned v = mrw_skinned(position, normal);
#ifdef MRW_MORPH
    v = mrw_morph(position, normal);
#endif
    v = mrw_skin(v.position, v.normal);
    shade = v.normal;
    gl_Position = vec4(v.position, 1.0);
}
"""

HLSL_SHADER = """
struct vertex_in {
    float3 position : POSITION;
    float3 normal : NORMAL;
    uint4 joints : JOINTS0;
    float4 weights : WEIGHTS0;
    uint4 joints_1 : JOINTS1;
    float4 weights_1 : WEIGHTS1;
    uint instance : SV_InstanceID;
};
struct vertex_out {
    float4 position : SV_Position;
    float3 normal : NORMAL;
};
vertex_out main(vertex_in v)
{
#if MRW_INFLUENCES == 8
    mrw_skinned skinned = mrw_skin(v.position, v.normal, v.instance * 9, v.joints, v.weights, v.joints_1, v.weights_1);
#else
    mrw_skinned skinned = mrw_skin(v.position, v.normal, v.instance * 9, v.joints, v.weights);
#endif
    vertex_out result;
    result.position = float4(skinned.position, 1.0);
    result.normal = skinned.normal;
    return result;
}
"""

# What GLSL ES 100 leaves to the implementation (its appendix A) and WebGL 1 forbids.
ES_100_LIMITS = ["nonInductiveForLoops", "whileLoops", "doWhileLoops", "generalAttributeMatrixVectorIndexing",
                 "generalVaryingIndexing", "generalSamplerIndexing", "generalVariableIndexing",
                 "generalConstantMatrixVectorIndexing"]

GLSL_VERSIONS = {"330 core": ["TEXTURE", "UNIFORM"], "430 core": ["TEXTURE", "UNIFORM", "STORAGE"],
                 "300 es": ["TEXTURE", "UNIFORM"], "310 es": ["STORAGE"], "100": ["TEXTURE", "UNIFORM"]}

# Choices that are wrong, and a word of what the compiler must say.
WRONG_CHOICES = [
    ("330 core", ["MRW_INFLUENCES 5"], "MRW_INFLUENCES must be 4 or 8"),
    ("330 core", ["MRW_NORMALS 3"], "MRW_NORMALS must be 0 or 1 or 2"),
    ("330 core", ["MRW_PALETTE_UNIFORM"], "MRW_PALETTE_CAPACITY"),
    ("330 core", ["MRW_PALETTE_STORAGE"], "needs GLSL 430"),
    ("300 es", ["MRW_PALETTE_STORAGE"], "needs GLSL ES 310"),
    ("430 core", ["MRW_PALETTE_STORAGE", "MRW_PALETTE_BINDING 6"], "MRW_PALETTE_BINDING must be"),
    ("430 core", ["MRW_PALETTE_STORAGE", "MRW_PALETTE_TEXTURE"], "choose one of"),
    ("330 core", ["MRW_PALETTE_UNIFORM", "MRW_PALETTE_CAPACITY 9", "MRW_PALETTE_TEXTURE"], "choose one of"),
    ("330 core", ["MRW_LOCATION 13"], "MRW_LOCATION must be a number from 0 to 12"),
    ("100", ["MRW_LOCATION 2"], "bind the attributes by name"),
]


def glsl(text, version, choices, shader=GLSL_SHADER):
    lines = [f"#version {version}"] + [f"#define {choice}" for choice in choices]
    return "\n".join(lines) + "\n" + text + shader


def glsl_choices(kind, version, place):
    """All combinations for one kind, version and place of the palette."""
    switches = [["MRW_INFLUENCE_PAIRS"], ["MRW_MORPH"]]
    if version != "100":
        switches.append(["MRW_LOCATION 2"])
    if kind != "linear":
        switches.append(["MRW_STRETCH"])
    if kind == "blended":
        switches.append(["MRW_BLEND_ATTRIBUTE"])
    base = [f"MRW_PALETTE_{place}"] + (["MRW_PALETTE_CAPACITY 30"] if place == "UNIFORM" else [])
    for on in itertools.product([False, True], repeat=len(switches)):
        chosen = [choice for use, group in zip(on, switches) if use for choice in group]
        for influences, normals in itertools.product((4, 8), (0, 1, 2)):
            yield base + [f"MRW_INFLUENCES {influences}", f"MRW_NORMALS {normals}"] + chosen


def glsl_cases(folder, versions):
    """Pairs of a name and a shader."""
    for kind in ("linear", "dual_quat", "blended"):
        text = (folder / f"glsl_{kind}").read_text()
        for version in versions:
            yield f"{kind} {version}", glsl(text, version.replace("310", "300"), [])
            for place in GLSL_VERSIONS[version]:
                for choices in glsl_choices(kind, version, place):
                    yield f"{kind} {version} {' '.join(choices)}", glsl(text, version, choices)


def glsl_number_cases(folder):
    for kind in ("linear", "dual_quat", "blended"):
        text = (folder / f"glsl_{kind}").read_text()
        for location in range(13):
            yield f"{kind} location {location}", glsl(text, "330 core", [f"MRW_LOCATION {location}"])
        for binding in range(6):
            yield f"{kind} binding {binding}", glsl(
                text, "430 core", ["MRW_PALETTE_STORAGE", f"MRW_PALETTE_BINDING {binding}"])


def hlsl_cases(folder):
    for kind in ("linear", "dual_quat"):
        text = (folder / f"hlsl_{kind}").read_text()
        buffers = [[], ["MRW_PALETTE_UNIFORM", "MRW_PALETTE_CAPACITY 30"],
                   ["MRW_PALETTE_REGISTER t3", "MRW_DUAL_QUATS_REGISTER t3", "MRW_STRETCHES_REGISTER t4"]]
        stretches = [[], ["MRW_STRETCH"]] if kind == "dual_quat" else [[]]
        for influences, normals, buffer, stretch in itertools.product((4, 8), (0, 1, 2), buffers, stretches):
            choices = [f"MRW_INFLUENCES {influences}", f"MRW_NORMALS {normals}"] + buffer + stretch
            defines = "".join(f"#define {choice}\n" for choice in choices)
            yield f"{kind} {' '.join(choices)}", defines + text + HLSL_SHADER


class Compiler:
    """glslang on many shaders at once."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.count = 0
        # Its own limits, but for what WebGL 1 forbids.
        limits = subprocess.run([PROGRAM, "-c"], capture_output=True, text=True, check=True).stdout
        for name in ES_100_LIMITS:
            limits = re.sub(rf"^{name} 1$", f"{name} 0", limits, flags=re.M)
        limits_file = self.folder / "webgl1.conf"
        limits_file.write_text(limits)
        self.webgl_1 = [str(limits_file)]

    def compile(self, cases, options):
        """Messages of those cases that do not compile, by name; of those that do, nothing."""
        faults = {}
        for start in range(0, len(cases), BATCH):
            files = {}
            for name, shader in cases[start:start + BATCH]:
                self.count += 1
                path = self.folder / f"{self.count}.vert"
                path.write_text(shader)
                files[str(path)] = name
            done = subprocess.run([PROGRAM, *options, *files], capture_output=True, text=True, check=False)
            faults.update(self.read(done, files))
            for path in files:
                pathlib.Path(path).unlink()
        return faults

    @staticmethod
    def read(done, files):
        """glslang prints the name of each file, and its errors below."""
        faults, name = {}, None
        for line in done.stdout.splitlines():
            if line in files:
                name = files[line]
            elif line.startswith("ERROR") and name is not None:
                faults[name] = faults.get(name, "") + line + "\n"
        if done.returncode != 0 and not faults:
            faults["glslang"] = f"ended with {done.returncode}: {done.stdout[-500:]}{done.stderr[-500:]}"
        return faults


class Check:
    """Counts what was compiled and what went wrong."""

    def __init__(self, compiler):
        self.compiler = compiler
        self.count = 0
        self.failures = 0

    def fail(self, message):
        self.failures += 1
        if self.failures <= 10:
            print(f"FAIL {message}")

    def compiles(self, cases, options):
        cases = list(cases)
        self.count += len(cases)
        for name, message in self.compiler.compile(cases, options).items():
            self.fail(f"{name}:\n{message}")

    def refuses(self, cases, options):
        """Cases are name, shader and a part of the message."""
        for name, shader, expected in cases:
            message = self.compiler.compile([(name, shader)], options).get(name, "")
            if expected not in message:
                self.fail(f"{name}: {expected!r} is not in what the compiler says: {message!r}")


def check_that_errors_are_seen(check, glsl_text, hlsl_text, hlsl_options):
    check.refuses([
        ("a word missing", glsl(glsl_text.replace("vec3 mrwi_point(", "mrwi_point("), "330 core", []), "syntax error"),
        ("a name unknown", glsl(glsl_text, "330 core", [], GLSL_SHADER.replace("mrw_skin(", "mrw_skim(")), "mrw_skim"),
    ], [])
    forbidden = "    vec3 v = vec3(0.0);\n    v[int(position.x)] = 1.0;\n    mrw_skinned"
    check.refuses([("an index that WebGL 1 forbids",
                    glsl(glsl_text, "100", [], GLSL_SHADER.replace("    mrw_skinned", forbidden)),
                    "Non-constant")], check.compiler.webgl_1)
    check.refuses([("an HLSL name unknown", hlsl_text + HLSL_SHADER.replace("mrw_skin(", "mrw_skim("), "mrw_skim")],
                  hlsl_options)


def check_document(check, hlsl_text, hlsl_options):
    root = pathlib.Path(__file__).resolve().parents[2]
    document = (root / "docs/shaders.md").read_text()
    program = (root / "tests/conformance/shader_docs.c").read_text()
    shown = re.search(r"```c\n(.*?)```", document, re.S)
    ours = re.search(r"/\* --- docs/shaders.md --- \*/\n(.*?)/\* --- end of", program, re.S)
    if not shown or not ours or shown.group(1) != ours.group(1):
        check.fail("docs/shaders.md: its C is not that of shader_docs.c")
    hlsl = re.search(r"```hlsl\n(.*?)```", document, re.S).group(1).replace("vertex_main", "main")
    check.compiles([("the HLSL of docs/shaders.md", hlsl_text + hlsl)], hlsl_options)


def main():
    folder = pathlib.Path(sys.argv[1])
    if shutil.which(PROGRAM) is None:
        print(f"skipped: no {PROGRAM} (on Debian: glslang-tools)")
        return 77
    with tempfile.TemporaryDirectory() as work:
        compiler = Compiler(work)
        check = Check(compiler)
        hlsl_options = ["-D", "-V", "-e", "main", "-o", str(pathlib.Path(work) / "out.spv")]
        text = (folder / "glsl_blended").read_text()
        hlsl_text = (folder / "hlsl_linear").read_text()
        check_that_errors_are_seen(check, text, hlsl_text, hlsl_options)
        check_document(check, hlsl_text, hlsl_options)
        check.refuses([(f"{version} {' '.join(choices)}", glsl(text, version, choices), expected)
                       for version, choices, expected in WRONG_CHOICES], [])
        check.compiles(glsl_cases(folder, [version for version in GLSL_VERSIONS if version != "100"]), [])
        check.compiles(glsl_cases(folder, ["100"]), compiler.webgl_1)
        check.compiles(glsl_number_cases(folder), [])
        for case in hlsl_cases(folder):  # glslang would link several into one program
            check.compiles([case], hlsl_options)
    print(f"{check.count} shaders, {check.failures} failures")
    return 0 if check.failures == 0 else 1


sys.exit(main())
