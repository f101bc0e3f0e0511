#!/usr/bin/env python3
"""bench_output.py MARROW_BENCH: runs it briefly, and reads what it prints."""
import json
import math
import os
import struct
import subprocess
import sys
import tempfile

bench = sys.argv[1]
environment = {key: value for key, value in os.environ.items() if key not in ("MARROW_SHARED", "MARROW_ISA")}


def run(*arguments):
    return subprocess.run([bench, *arguments], capture_output=True, text=True, env=environment, timeout=240)


def report(*arguments):
    done = run("--quick", "--json", *arguments)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def check_positive(entry, *keys):
    for key in keys:
        assert math.isfinite(entry[key]) and entry[key] > 0, (key, entry)


def check_floors(floors):
    check_positive(floors, "chain_ns")
    assert [width["bits"] for width in floors["arithmetic"]] == [128, 256, 512][:len(floors["arithmetic"])]
    for width in floors["arithmetic"]:
        check_positive(width, "operations_per_ns", "divisions_per_ns")
    assert [memory["name"] for memory in floors["memory"]] == ["L1", "L2", "L3", "memory"]
    for memory in floors["memory"]:
        check_positive(memory, "size_bytes", "read_bytes_per_ns", "write_bytes_per_ns")


def check_stages(rig, isas):
    for stage in rig["stages"]:
        check_positive(stage, "units", "min_ns", "median_ns", "floor_ns", "bytes_read", "bytes_written")
        assert stage["min_ns"] <= stage["median_ns"], stage
    names = [stage["name"] for stage in rig["stages"] if stage["isa"] == isas[0]]
    assert len(set(names)) == len(names)
    assert {(name, isa) for name in names for isa in isas} == {(s["name"], s["isa"]) for s in rig["stages"]}
    return names


def write_numbers(path):
    """A rig of two joints: the second turns in the first clip, and nothing moves in the others."""
    def transform(angle=0.0, y=0.0):
        return (0.0, y, 0.0, math.sin(angle / 2), 0.0, 0.0, math.cos(angle / 2), 1.0, 1.0, 1.0)
    with open(path, "wb") as out:
        out.write(struct.pack("<3i", 2, -1, 0))
        out.write(struct.pack("<20f", *transform(), *transform(y=1.0)))
        for y in (0.0, -1.0):
            out.write(struct.pack("<16f", 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, y, 0, 1))
        for clip in range(4):
            out.write(struct.pack("<iff", 3, 0.2, 10.0))
            for frame in range(3):
                out.write(struct.pack("<20f", *transform(), *transform(angle=0.3 * frame * (clip == 0), y=1.0)))
        out.write(struct.pack("<i", 1) + struct.pack("<6f", 0, 2, 0, 0, 0, 1))
        out.write(struct.pack("<4i", 1, 0, 0, 0) + struct.pack("<4f", 0.75, 0.25, 0, 0))


def write_bvh(path):
    """A root that wanders and a joint that waves, for 2 s."""
    with open(path, "w") as out:
        out.write("HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n"
                  "JOINT b\n{\nOFFSET 0 20 0\nCHANNELS 3 Zrotation Xrotation Yrotation\nEnd Site\n{\nOFFSET 0 20 0\n}\n}\n}\n"
                  "MOTION\nFrames: 60\nFrame Time: 0.0333333\n")
        for frame in range(60):
            waves = [math.sin(frame * (0.1 + 0.03 * k)) * (20 + k) for k in range(9)]
            out.write(" ".join(f"{wave:.5f}" for wave in waves) + "\n")


everything = report("--isa", "all")
isas = everything["isas"]
assert "scalar" in isas and everything["runs"] == 3
check_floors(everything["floors"])
(biped,) = everything["rigs"]
assert biped["name"] == "demo biped" and biped["joints"] >= 27 and biped["first_clip"] == "walk"
names = check_stages(biped, isas)
for name in ("sample in sequence", "sample anywhere", "blend 2", "blend 4", "blend 2, 1 additive", "model", "palette", "dual quaternions",
             "skin: positions", "skin: + normals", "morph: 4 targets, + normals", "1000 characters",
             "sample packed in sequence", "sample packed anywhere", "sample packed, cold", "sample, cold", "packing, fast", "packing, default",
             "comparing packed and source", "storing", "decoding a stored clip"):
    assert name in names, name
for packed in (biped["packed_first"], biped["packed_busiest"]):
    check_positive(packed, "samples", "samples_per_second", "largest_error_m")
    assert packed["packed_bytes"] < packed["source_bytes"] < packed["raw_bytes"] and packed["largest_error_m"] <= 1e-4, packed
    assert packed["raw_bytes"] == 40 * packed["samples"] * biped["joints"], packed
assert biped["packed_first"]["clip"] == "walk" and biped["packed_busiest"]["clip"] == biped["busiest_clip"]

with tempfile.TemporaryDirectory() as folder:
    numbers = os.path.join(folder, "two \"joints\".bin")
    motion = os.path.join(folder, "motion.bvh")
    write_numbers(numbers)
    (rig,) = report("--rig", numbers, "--filter", "sample", "--isa", "scalar", "--runs", "2", "--units", "1")["rigs"]
    assert rig["name"] == "two \"joints\".bin" and rig["joints"] == 2 and rig["depth"] == 2 and rig["vertices"] == 1
    assert rig["second_clip"] == "jog" and rig["busiest_clip"] == "walk"
    assert all("sample" in name for name in check_stages(rig, ["scalar"]))
    write_bvh(motion)
    metres, centimetres = report("--units", "1", "--file", motion, "--units", "0.01", "--file", motion, "--filter", "packed, cold")["rigs"]
    assert centimetres["packed_first"]["packed_bytes"] < metres["packed_first"]["packed_bytes"], (metres, centimetres)
    whole = open(numbers, "rb").read()
    open(numbers, "wb").write(whole[:-1])
    short = run("--quick", "--rig", numbers)
    assert short.returncode == 1 and "marrow_bench: " in short.stderr, short

table = run("--quick", "--filter", "blend 4")
assert table.returncode == 0 and table.stdout.count("blend 4") == 1 and "GB/s" in table.stdout, table
for wrong in (["--isa", "mmx"], ["--runs", "0"], ["--runs"], ["--frobnicate"], ["--units", "cm"], ["--units", "0"]):
    assert run(*wrong).returncode == 2, wrong
assert run("--file", "/no/such/file.glb").returncode == 1
assert run("--help").stdout.startswith("usage: ")
