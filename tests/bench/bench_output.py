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


everything = report("--isa", "all")
isas = everything["isas"]
assert "scalar" in isas and everything["runs"] == 3
check_floors(everything["floors"])
(biped,) = everything["rigs"]
assert biped["name"] == "demo biped" and biped["joints"] >= 27 and biped["first_clip"] == "walk"
names = check_stages(biped, isas)
for name in ("sample in sequence", "sample anywhere", "blend 2", "blend 4", "blend 2, 1 additive", "model", "palette", "dual quaternions",
             "skin: positions", "skin: + normals", "morph: 4 targets, + normals", "1000 characters"):
    assert name in names, name

with tempfile.TemporaryDirectory() as folder:
    numbers = os.path.join(folder, "two \"joints\".bin")
    write_numbers(numbers)
    (rig,) = report("--rig", numbers, "--filter", "sample", "--isa", "scalar", "--runs", "2")["rigs"]
    assert rig["name"] == "two \"joints\".bin" and rig["joints"] == 2 and rig["depth"] == 2 and rig["vertices"] == 1
    assert rig["second_clip"] == "jog" and rig["busiest_clip"] == "walk"
    assert all("sample" in name for name in check_stages(rig, ["scalar"]))
    whole = open(numbers, "rb").read()
    open(numbers, "wb").write(whole[:-1])
    short = run("--quick", "--rig", numbers)
    assert short.returncode == 1 and "marrow_bench: " in short.stderr, short

table = run("--quick", "--filter", "blend 4")
assert table.returncode == 0 and table.stdout.count("blend 4") == 1 and "GB/s" in table.stdout, table
for wrong in (["--isa", "mmx"], ["--runs", "0"], ["--runs"], ["--frobnicate"]):
    assert run(*wrong).returncode == 2, wrong
assert run("--file", "/no/such/file.glb").returncode == 1
assert run("--help").stdout.startswith("usage: ")
