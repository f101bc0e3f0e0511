"""The files that the transcripts work on: small glTF files, each made for one purpose."""
import base64
import json
import math
import os
import struct

FLOAT, UNSIGNED_SHORT = 5126, 5123
TYPES = {1: "SCALAR", 2: "VEC2", 3: "VEC3", 4: "VEC4", 16: "MAT4"}


class Gltf:
    """A document under construction, its data in one buffer."""

    def __init__(self, **top_level):
        self.document = {"asset": {"version": "2.0", "generator": "marrow tests"}, **top_level}
        self.data = b""

    def accessor(self, rows, component_type=FLOAT):
        """Adds rows of numbers; returns the accessor's index."""
        views = self.document.setdefault("bufferViews", [])
        accessors = self.document.setdefault("accessors", [])
        code = "f" if component_type == FLOAT else "H"
        numbers = [number for row in rows for number in row]
        chunk = struct.pack(f"<{len(numbers)}{code}", *numbers)
        views.append({"buffer": 0, "byteOffset": len(self.data), "byteLength": len(chunk)})
        accessor = {"bufferView": len(views) - 1, "componentType": component_type,
                    "count": len(rows), "type": TYPES[len(rows[0])]}
        if component_type == FLOAT:
            accessor["min"] = [min(column) for column in zip(*rows)]
            accessor["max"] = [max(column) for column in zip(*rows)]
        accessors.append(accessor)
        self.data += chunk + bytes(-len(chunk) % 4)
        return len(accessors) - 1

    def animation(self, name, channels):
        """channels: (node, path, interpolation, times, rows)."""
        samplers, targets = [], []
        for node, path, interpolation, times, rows in channels:
            samplers.append({"input": self.accessor([[time] for time in times]),
                             "output": self.accessor(rows), "interpolation": interpolation})
            targets.append({"sampler": len(samplers) - 1, "target": {"node": node, "path": path}})
        animations = self.document.setdefault("animations", [])
        animations.append({"name": name, "samplers": samplers, "channels": targets})

    def text(self, uri=None):
        """The document as JSON; its buffer inside, or at uri."""
        document = dict(self.document)
        if self.data:
            inside = "data:application/octet-stream;base64," + base64.b64encode(self.data).decode()
            document["buffers"] = [{"byteLength": len(self.data), "uri": uri or inside}]
        return json.dumps(document, indent=1)


def about_z(degrees):
    half = math.radians(degrees) / 2
    return [0, 0, math.sin(half), math.cos(half)]


def arm():
    """Two joints along x, five vertices: the elbow bends to 100 degrees. One clip is named after
    the index of the other."""
    gltf = Gltf(scene=0, scenes=[{"nodes": [0, 3]}])
    gltf.document["nodes"] = [
        {"name": "Armature", "children": [1]},
        {"name": "Upper", "children": [2]},
        {"name": "Fore", "translation": [1, 0, 0]},
        {"name": "Sleeve", "mesh": 0, "skin": 0},
    ]
    gltf.document["skins"] = [{"name": "Arm", "joints": [1, 2], "inverseBindMatrices": gltf.accessor([
        [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1],
        [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -1, 0, 0, 1]])}]
    gltf.document["meshes"] = [{"name": "Cloth", "primitives": [{
        "indices": gltf.accessor([[0], [1], [2], [2], [3], [4]], UNSIGNED_SHORT),
        "attributes": {
            "POSITION": gltf.accessor([[0, 0, 0], [0.5, 0.1, 0], [1, 0, 0], [1.2, 0, 0], [2, 0, 0]]),
            "NORMAL": gltf.accessor([[0, 1, 0]] * 5),
            "JOINTS_0": gltf.accessor([[0, 0, 0, 0], [0, 0, 0, 0], [1, 0, 0, 0],
                                       [0, 1, 0, 0], [1, 0, 0, 0]], UNSIGNED_SHORT),
            "WEIGHTS_0": gltf.accessor([[1, 0, 0, 0], [1, 0, 0, 0], [1, 0, 0, 0],
                                        [0.5, 0.5, 0, 0], [1, 0, 0, 0]])}}]}]
    gltf.animation("bend", [(2, "rotation", "LINEAR", [0, 0.2, 0.4],
                             [about_z(0), about_z(100), about_z(10)])])
    gltf.animation("0", [(1, "translation", "STEP", [0, 1], [[0, 0, 0], [0, 0, -3]]),
                         (2, "scale", "LINEAR", [0.5, 2], [[1, 1, 1], [2, 2, 4]])])
    return gltf


def faces():
    """A mesh with morph targets at two nodes, names that are missing, shared or no fun to print, and
    weights that a clip animates."""
    gltf = Gltf(nodes=[{"mesh": 0}, {"mesh": 0, "weights": [0.5, 0]}, {"name": "twin", "children": [0]},
                       {"name": "twin", "children": [1, 4]}, {"name": "sch\u00f6n\u001b[31m\"\u2028", "mesh": 1}],
                scene=0, scenes=[{"nodes": [2, 3]}])
    positions = gltf.accessor([[0, 0, 0], [1, 0, 0], [0, 1, 0]])
    up = gltf.accessor([[0, 0, 1]] * 3)
    aside = gltf.accessor([[1, 0, 0]] * 3)
    gltf.document["meshes"] = [
        {"name": "Face", "extras": {"targetNames": ["up", "aside"]}, "primitives": [
            {"attributes": {"POSITION": positions}, "targets": [{"POSITION": up}, {"POSITION": aside}]}]},
        {"primitives": [{"mode": 0, "attributes": {"POSITION": positions}}]},
    ]
    gltf.animation("", [(0, "weights", "LINEAR", [0, 2], [[0], [0], [1], [-0.5]])])
    return gltf


def hierarchy(parents):
    """Nodes and nothing else: node i hangs on parents[i], the first on none."""
    nodes = [{"name": f"node{i}"} for i in range(len(parents))]
    for child, parent in enumerate(parents):
        if parent is not None:
            nodes[parent].setdefault("children", []).append(child)
    return Gltf(nodes=nodes, scene=0, scenes=[{"nodes": [0]}])


def chain(count):
    return hierarchy([None] + list(range(count - 1)))


def fan(count):
    """A root with many children; the first of them has a child."""
    return hierarchy([None] + [0] * count + [1])


def bush(branching, levels):
    """A tree where each node has the same number of children."""
    parents, first = [None], 0
    for _ in range(levels):
        last = len(parents)
        parents += [parent for parent in range(first, last) for _ in range(branching)]
        first = last
    return hierarchy(parents)


def too_large():
    """Scales whose product no float can hold."""
    gltf = hierarchy([None, 0])
    for node in gltf.document["nodes"]:
        node["scale"] = [1e30, 1e30, 1e30]
    return gltf


def too_far():
    """Like too_large, with two clips that move what it scales."""
    gltf = too_large()
    gltf.animation("near", [(1, "translation", "LINEAR", [0, 1], [[0, 0, 0], [1e20, 0, 0]])])
    gltf.animation("far", [(1, "translation", "LINEAR", [0, 1], [[0, 0, 0], [0, 1e20, 0]])])
    return gltf


def odd_weights():
    gltf = arm()
    weights = gltf.document["meshes"][0]["primitives"][0]["attributes"]
    weights["WEIGHTS_0"] = gltf.accessor([[0.5, 0, 0, 0]] * 3 + [[0.25, 0.5, 0, 0], [1, 0, 0, 0]])
    return gltf


def motion():
    """Two joints and an end site, as BVH: a quarter turn in three frames."""
    return ("HIERARCHY\nROOT Hips\n{\n\tOFFSET 0 0 0\n"
            "\tCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n"
            "\tJOINT Chest\n\t{\n\t\tOFFSET 0 10 0\n\t\tCHANNELS 3 Zrotation Xrotation Yrotation\n"
            "\t\tEnd Site\n\t\t{\n\t\t\tOFFSET 0 5 0\n\t\t}\n\t}\n}\n"
            "MOTION\nFrames: 3\nFrame Time: 0.5\n"
            "0 0 0 0 0 0 0 0 0\n1 2 3 0 0 0 45 0 0\n2 4 6 0 0 0 90 0 0\n")


def write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def write_all(folder):
    """Fills a new folder, and puts one file beside it."""
    os.mkdir(folder)
    documents = {
        "arm.gltf": arm(), "faces.gltf": faces(), "odd_weights.gltf": odd_weights(),
        "chain.gltf": chain(130), "fan.gltf": fan(110), "bush.gltf": bush(4, 4),
        "too_large.gltf": too_large(), "too_far.gltf": too_far(), "-dash.gltf": chain(2),
    }
    for name, gltf in documents.items():
        write(os.path.join(folder, name), gltf.text())
    write(os.path.join(folder, "empty.gltf"), '{"asset": {"version": "2.0"}}\n')
    write(os.path.join(folder, "syntax.gltf"), '{\n  "asset": {"version": "2.0"},\n  "nodes": [{],\n}\n')
    write(os.path.join(folder, "nothing.gltf"), "")
    write(os.path.join(folder, "motion.bvh"), motion())
    write(os.path.join(folder, "fewer.bvh"), motion().replace("Frames: 3", "Frames: 4"))
    write(os.path.join(folder, "comma.bvh"), motion().replace(" 45 ", " 4,5 "))
    write(os.path.join(folder, "short_line.bvh"), motion().replace("1 2 3 0", "1 2 3"))
    write(os.path.join(folder, "prose.txt"), "Once upon a time\n")

    wrong_view = arm()
    wrong_view.document["accessors"][1]["bufferView"] = 70
    write(os.path.join(folder, "wrong_view.gltf"), wrong_view.text())
    write(os.path.join(folder, "no_buffer.gltf"), arm().text("nowhere.bin"))
    write(os.path.join(folder, "outside.gltf"), arm().text("../outside.bin"))
    with open(os.path.join(folder, "..", "outside.bin"), "wb") as file:
        file.write(arm().data)
