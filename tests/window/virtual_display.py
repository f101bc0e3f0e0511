"""A display of our own (Xvfb), what is on it, and keys and pointer for the window there (xdotool)."""
import os
import shutil
import struct
import subprocess
import sys
import time

WAIT_S = 30  # for anything that must happen


def needed_programs():
    """The Debian packages of what is missing."""
    wanted = {"Xvfb": "xvfb", "xdotool": "xdotool"}
    return [package for program, package in wanted.items() if not shutil.which(program)]


def wait_for(what, condition):
    """condition()'s first true value; ends the test if there is none in time."""
    end = time.monotonic() + WAIT_S
    while time.monotonic() < end:
        value = condition()
        if value:
            return value
        time.sleep(0.05)
    sys.exit(f"FAIL within {WAIT_S} s there was not: {what}")


def is_running(process):
    """Whether a thread of the process runs, or would if a processor were free."""
    folder = f"/proc/{process.pid}/task"
    for thread in os.listdir(folder):
        try:
            with open(f"{folder}/{thread}/stat", encoding="ascii", errors="replace") as stat:
                if stat.read().rsplit(")", 1)[1].split()[0] in "RD":
                    return True
        except OSError:
            pass  # it has ended
    return False


class Display:
    """Xvfb keeps its screen in a file; reading that needs no other program."""

    def __init__(self, folder, width, height):
        reader, writer = os.pipe()
        self.server = subprocess.Popen(
            ["Xvfb", "-displayfd", str(writer), "-noreset", "-nolisten", "tcp", "-fbdir", folder,
             "-screen", "0", f"{width}x{height}x24"],
            pass_fds=[writer], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(writer)
        with os.fdopen(reader) as answer:
            number = answer.readline().strip()
        if not number:
            sys.exit("FAIL Xvfb does not start")
        self.screen = os.path.join(folder, "Xvfb_screen0")
        self.environment = dict(os.environ, DISPLAY=":" + number, WAYLAND_DISPLAY="")

    def stop(self):
        self.server.terminate()
        self.server.wait()

    def xdotool(self, *arguments):
        done = subprocess.run(["xdotool", *map(str, arguments)], env=self.environment, check=False,
                              capture_output=True, text=True, timeout=WAIT_S)
        return done.stdout.strip()

    def pixels(self, left, top, width, height):
        """A part of the screen as bytes of RGB, from the X window dump that Xvfb writes to."""
        with open(self.screen, "rb") as file:
            dump = file.read()
        header = struct.unpack(">25I", dump[:100])
        header_size, bits, line_size, colors = header[0], header[11], header[12], header[19]
        if bits != 32:
            sys.exit(f"FAIL Xvfb's screen has {bits} bits a pixel instead of 32")
        start = header_size + colors * 12
        rows = []
        for y in range(top, top + height):
            row = dump[start + y * line_size + left * 4:][:width * 4]
            rgb = bytearray(width * 3)
            rgb[0::3], rgb[1::3], rgb[2::3] = row[2::4], row[1::4], row[0::4]
            rows.append(bytes(rgb))
        return b"".join(rows)


class Viewer:
    """A `marrow view` on a display."""

    def __init__(self, display, marrow, folder, *arguments):
        self.display = display
        self.log_path = os.path.join(folder, "viewer.log")
        with open(self.log_path, "wb") as log:
            self.process = subprocess.Popen([marrow, "view", *arguments], cwd=folder, stdout=log,
                                            stderr=subprocess.STDOUT, env=display.environment)
        self.window = wait_for("a window", self.find)
        display.xdotool("windowfocus", "--sync", self.window)
        self.area = self.find_area()

    def find(self):
        if self.process.poll() is not None:
            sys.exit(f"FAIL the viewer has ended with {self.process.returncode}:\n{self.log()}")
        return self.display.xdotool("search", "--onlyvisible", "--class", "marrow").split("\n")[0]

    def find_area(self):
        """Left, top, width and height on the screen."""
        shape = dict(line.split("=") for line in
                     self.display.xdotool("getwindowgeometry", "--shell", self.window).split())
        return [int(shape[name]) for name in ("X", "Y", "WIDTH", "HEIGHT")]

    def resize(self, width, height):
        self.display.xdotool("windowsize", self.window, width, height)
        wait_for(f"a window of {width} x {height}", lambda: self.find_area()[2:] == [width, height])
        self.area = self.find_area()

    def log(self):
        with open(self.log_path, encoding="utf-8", errors="replace") as log:
            return log.read()

    def wait_for_log(self, text):
        wait_for(f"'{text}' in what the viewer says:\n{self.log()}", lambda: text in self.log())

    def title(self):
        return self.display.xdotool("getwindowname", self.window)

    def wait_for_title(self, title):
        wait_for(f"the title '{title}' instead of '{self.title()}'", lambda: self.title() == title)

    def keys(self, *keys):
        self.display.xdotool("key", *keys)

    def move(self, x, y):
        self.display.xdotool("mousemove", "--window", self.window, x, y)

    def click(self, x, y, button=1):
        self.move(x, y)
        self.display.xdotool("click", button)

    def drag(self, start, end, button=1):
        self.move(*start)
        self.display.xdotool("mousedown", button)
        self.move((start[0] + end[0]) // 2, (start[1] + end[1]) // 2)
        self.move(*end)
        self.display.xdotool("mouseup", button)

    def screen(self):
        return self.display.pixels(*self.area)

    def settled_screen(self):
        """The screen once viewer and server have nothing to do: all that was typed has come to be seen."""
        quiet = 0
        end = time.monotonic() + WAIT_S
        while quiet < 6:
            busy = is_running(self.process) or is_running(self.display.server)
            quiet = 0 if busy else quiet + 1
            if time.monotonic() > end:
                sys.exit(f"FAIL the viewer does not come to rest within {WAIT_S} s")
            time.sleep(0.02)
        return self.screen()

    def processor_s(self):
        """Processor time that it has used."""
        with open(f"/proc/{self.process.pid}/stat", encoding="ascii") as stat:
            fields = stat.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def quit(self):
        """By its key; returns its exit status."""
        self.keys("q")
        return self.process.wait(WAIT_S)
