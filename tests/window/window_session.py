#!/usr/bin/env python3
"""window_session.py PATH/TO/marrow [PATH/TO/drop_file]

Uses `marrow view` in a real window, on a display of its own, as a person does: keys, pointer, a file
that changes, a file that is dropped. What the screen shows must be what `marrow render` draws for
the same clip, time, method and camera.

Prints what is wrong; exits with 1 if anything is, with 77 if Xvfb or xdotool is missing.
"""
import os
import shutil
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
from virtual_display import Display, Viewer, needed_programs, wait_for  # noqa: E402

sys.path.insert(0, os.path.join(os.path.dirname(__file__), os.pardir, "conformance"))
from gpu_pictures import read_png  # noqa: E402

SMALL, LARGE = (360, 300), (640, 480)  # the panels at the sides need the large one
CHANNEL_TOLERANCE = 8  # of 255
OUTLIERS = 0.002       # the share that may differ more, at edges
EXPECT_S = 12          # a message covers a part of the picture for four seconds


def check(condition, text):
    if not condition:
        sys.exit("FAIL " + text)


def difference(one, other):
    """The share of values that differ by more than the tolerance."""
    check(len(one) == len(other), "pictures of different sizes")
    count, step = 0, 1024  # most of it is the same
    for at in range(0, len(one), step):
        part, other_part = one[at:at + step], other[at:at + step]
        if part != other_part:
            count += sum(abs(a - b) > CHANNEL_TOLERANCE for a, b in zip(part, other_part))
    return count / len(one)


def size_option(size):
    return ["--size", f"{size[0]}x{size[1]}"]


def without_alpha(rows):
    flat = b"".join(rows)
    rgb = bytearray(len(flat) // 4 * 3)
    rgb[0::3], rgb[1::3], rgb[2::3] = flat[0::4], flat[1::4], flat[2::4]
    return bytes(rgb)


class Session:
    """One viewer, compared with what `marrow render` draws."""

    def __init__(self, display, marrow, folder, *arguments):
        self.marrow, self.folder, self.size = marrow, folder, SMALL
        self.viewer = Viewer(display, marrow, folder, *arguments, *size_option(SMALL))
        check(self.viewer.area[2:] == list(SMALL), f"the window has the area {self.viewer.area}")

    def resize(self, size):
        self.viewer.resize(*size)
        self.size = size

    def rendered(self, *arguments):
        """As bytes of RGB."""
        path = os.path.join(self.folder, "rendered.png")
        subprocess.run([self.marrow, "render", *arguments, *size_option(self.size), "-o", path],
                       cwd=self.folder, check=True, stdout=subprocess.DEVNULL)
        return without_alpha(read_png(path)[2])

    def expect_picture(self, what, picture):
        end = time.monotonic() + EXPECT_S
        far = difference(self.viewer.settled_screen(), picture)
        while far > OUTLIERS and time.monotonic() < end:
            far = difference(self.viewer.settled_screen(), picture)
        check(far <= OUTLIERS, f"{what}: {far:.2%} of the window differ")

    def expect(self, what, *arguments):
        self.expect_picture(f"{what}, beside marrow render {' '.join(arguments)}",
                            self.rendered(*arguments))

    def expect_change(self, what, act):
        before = self.viewer.settled_screen()
        act()
        wait_for(f"a change on the screen: {what}", lambda: self.viewer.screen() != before)
        return self.viewer.settled_screen()


# --- a still picture, key by key ------------------------------------------------------------


def check_keys(session):
    viewer, walk = session.viewer, ["biped.glb", "--clip", "walk", "--time"]
    viewer.wait_for_title("biped.glb - walk - Marrow")
    session.expect_change("U hides what lies over the picture", lambda: viewer.keys("u"))
    session.expect("paused at a time", *walk, "0.3")

    session.expect_change("B", lambda: viewer.keys("b"))
    session.expect("bones", *walk, "0.3", "--skeleton")
    session.expect_change("N", lambda: viewer.keys("n"))
    viewer.keys("n", "b", "m", "c")
    session.expect("dual quaternions on the CPU", *walk, "0.3", "--method", "dqs", "--cpu")
    viewer.keys("c", "m", "m")
    session.expect_change("W selects a joint and shows its weights", lambda: viewer.keys("w"))
    viewer.keys("w", "Escape")
    session.expect_change("O", lambda: viewer.keys("o"))
    session.expect("bounds", *walk, "0.3", "--box")
    viewer.keys("o", "Right", "Right", "Right")
    session.expect("three frames on", *walk, "0.4")
    session.expect_change("H", lambda: viewer.keys("h"))
    viewer.keys("Escape", "Home", "Down", "f")
    viewer.wait_for_title("biped.glb - run - Marrow")
    session.expect("another clip", "biped.glb", "--clip", "run")
    viewer.keys("Up")
    viewer.wait_for_title("biped.glb - walk - Marrow")
    viewer.keys("f")
    session.expect_change("U shows it again", lambda: viewer.keys("u"))


# --- the pointer ------------------------------------------------------------------------------


def check_pointer(session):
    viewer = session.viewer
    viewer.keys("Home", "u")
    # The height is half a turn. What lies between press and first move does not turn, in case it is a click.
    session.expect_change("a drag turns", lambda: viewer.drag((100, 200), (250, 200)))
    viewer.keys("f")
    session.expect("a quarter of a turn", "biped.glb", "--clip", "walk", "--yaw", "-55")
    session.expect_change("the wheel zooms", lambda: viewer.click(180, 150, 4))
    session.expect_change("the right button moves", lambda: viewer.drag((150, 100), (200, 140), 3))
    viewer.keys("f")
    session.resize(LARGE)
    session.expect("a larger window", "biped.glb", "--clip", "walk", "--yaw", "-55")
    viewer.keys("u")


def check_panels(session):
    viewer = session.viewer
    # Rows of the list of clips: rest pose, idle, walk, run.
    viewer.click(60, 192)
    viewer.wait_for_title("biped.glb - run - Marrow")
    viewer.click(60, 120)
    viewer.wait_for_title("biped.glb - rest pose - Marrow")
    viewer.click(60, 168)
    viewer.wait_for_title("biped.glb - walk - Marrow")
    viewer.move(300, 60)
    session.expect_change("the bar moves the time", lambda: viewer.drag((240, 456), (340, 456)))
    session.expect_change("a switch switches", lambda: viewer.click(605, 34))
    viewer.keys("b")
    session.expect_change("a joint is selected by a click", lambda: viewer.click(320, 240))
    viewer.keys("Escape")


# --- time and files -----------------------------------------------------------------------------


def check_playing(session):
    viewer = session.viewer
    viewer.keys("space")
    pictures = set()

    def has_moved():
        pictures.add(viewer.screen())
        return len(pictures) >= 4
    wait_for("four pictures of a playing clip", has_moved)
    viewer.keys("space")
    viewer.settled_screen()
    before = viewer.processor_s()
    time.sleep(1.0)
    used = viewer.processor_s() - before
    check(used < 0.15, f"a paused viewer used {used:.2f} s of processor time in a second")


def put(source, path):
    """As careful programs write: a new file in the old one's place."""
    shutil.copyfile(source, path + ".new")
    os.replace(path + ".new", path)


def check_reload(session):
    viewer, folder = session.viewer, session.folder
    path = os.path.join(folder, "biped.glb")
    with open(path, "rb") as file:
        whole = file.read()
    viewer.keys("Home", "f", "u")
    before = viewer.settled_screen()
    with open(path, "wb") as file:
        file.write(whole[:2000])
    viewer.wait_for_log("it is cut short")
    session.expect_change("the message goes away when it is clicked", lambda: viewer.click(320, 400))
    session.expect_picture("after a broken file", before)
    put(os.path.join(folder, "tentacle.glb"), path)
    viewer.wait_for_title("biped.glb - bend - Marrow")
    viewer.wait_for_log("read biped.glb again")
    with open(path, "wb") as file:
        file.write(whole)
    viewer.wait_for_title("biped.glb - idle - Marrow")
    viewer.keys("u")


def check_drop(session, drop_program):
    viewer = session.viewer
    path = os.path.join(session.folder, "a tentacle.glb")
    shutil.copyfile(os.path.join(session.folder, "tentacle.glb"), path)
    subprocess.run([drop_program, viewer.window, path.replace(" ", "%20")], check=True,
                   env=viewer.display.environment)
    viewer.wait_for_title("a tentacle.glb - bend - Marrow")
    with open(os.path.join(session.folder, "notes.txt"), "w", encoding="utf-8") as file:
        file.write("nothing that can be shown\n")
    subprocess.run([drop_program, viewer.window, os.path.join(session.folder, "notes.txt")], check=True,
                   env=viewer.display.environment)
    viewer.wait_for_log("marrow view: notes.txt: ")
    check(viewer.title() == "a tentacle.glb - bend - Marrow", "a file that cannot be shown took the title")


def check_pictures(session):
    viewer = session.viewer
    viewer.keys("p")
    viewer.wait_for_log("wrote biped-walk-1.png")
    width, height, rows = read_png(os.path.join(session.folder, "biped-walk-1.png"))
    check((width, height) == SMALL, f"P wrote a picture of {width} x {height}")
    far = difference(without_alpha(rows), session.rendered("biped.glb", "--clip", "walk", "--time", "0.3"))
    check(far <= OUTLIERS, f"{far:.2%} of the picture that P wrote differ from what render draws")


def check_fox(display, marrow, folder):
    shared = os.environ.get("MARROW_SHARED", os.path.join(os.path.dirname(__file__), "../../../shared"))
    fox = os.path.join(shared, "assets", "gltf", "Fox.glb")
    if not os.path.exists(fox):
        return
    crowd = ["--clip", "Run", "--time", "0.5", "--crowd", "9"]
    session = Session(display, marrow, folder, fox, *crowd)
    session.viewer.wait_for_title("Fox.glb - Run - Marrow")
    session.expect_change("U", lambda: session.viewer.keys("u"))
    session.expect("a crowd", fox, *crowd)
    check(session.viewer.quit() == 0, "Q ends with another status than 0")


def main():
    marrow, drop_program = os.path.abspath(sys.argv[1]), (sys.argv[2:] or [None])[0]
    missing = needed_programs()
    if missing:
        print("skipped: the window's tests need " + " and ".join(missing))
        sys.exit(77)
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([marrow, "demo", "--out", folder], check=True, stdout=subprocess.DEVNULL)
        display = Display(folder, 800, 600)
        try:
            session = Session(display, marrow, folder, "biped.glb", "--clip", "walk", "--time", "0.3")
            check_pictures(session)
            check_keys(session)
            check_pointer(session)
            check_panels(session)
            check_playing(session)
            check_reload(session)
            if drop_program:
                check_drop(session, drop_program)
            check(session.viewer.quit() == 0, "Q ends with another status than 0")
            check_fox(display, marrow, folder)
        finally:
            display.stop()


main()
