#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The shell of `cflr query RESULT`, played at a terminal: questions, pages, why, completion,
history, the end of input, an interrupt; and the same without a terminal.

    shell.py CFLR
"""
import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time

CFLR = os.path.abspath(sys.argv[1])
PROGRAM = r'''
#include <stdlib.h>
static int first, second;
static int *pick(int n) {
    int *chosen = n ? &first : &second;
    return chosen;
}
int *many[40];
int main(int argc, char **argv) {
    int *picked = pick(argc);
    int *other = &first;
    return *picked + *other;
}
'''


class Shell:
    """A shell at a terminal of 10 lines."""

    def __init__(self, directory, *words):
        self.child, self.terminal = pty.fork()
        if self.child == 0:
            os.chdir(directory)
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 10, 100, 0, 0))
            os.environ.update(TERM="xterm", HOME=directory, LC_ALL="C")
            os.execv(CFLR, [CFLR, "query", *words])
        self.expect("cflr> ")

    def read(self, until, seconds=60):
        text, end = "", time.monotonic() + seconds
        while until not in text and time.monotonic() < end:
            if not select.select([self.terminal], [], [], 0.2)[0]:
                continue
            try:
                got = os.read(self.terminal, 4096)
            except OSError:  # it is over
                break
            if not got:
                break
            text += re.sub(r"\x1b\[[0-9;?]*[A-Za-z]|\x07", "", got.decode("utf-8", "replace"))
        return text

    def expect(self, until):
        text = self.read(until)
        assert until in text, (until, text)
        return text

    def type(self, text, until="cflr> "):
        """What is printed from here on, until the next prompt."""
        os.write(self.terminal, text.encode())
        return self.expect(until)

    def ask(self, line):
        """What is printed behind the line, which a slow shell may have twice."""
        text = self.type(line + "\r", "\r\ncflr> ")
        return text.replace("\r\n", "\n").split("\n", 1)[1].rsplit("\ncflr> ", 1)[0]

    def end(self, text):
        """Types what ends the shell, again where it came before the terminal was ready for it; its
        exit code."""
        for _ in range(20):
            os.write(self.terminal, text.encode())
            self.read("\0", 3)
            time.sleep(0.3)
            done, status = os.waitpid(self.child, os.WNOHANG)
            if done:
                os.close(self.terminal)
                return os.waitstatus_to_exitcode(status)
        os.kill(self.child, signal.SIGKILL)
        raise AssertionError(f"it does not end by {text!r}")


def test_questions(directory):
    shell = Shell(directory, "r.cflr")
    assert shell.ask("alias main::picked main::other").split("\n")[-1] == "yes"
    answer = shell.ask("points-to main::picked")
    assert "   1  a.c:3:12: first (variable)\n   2  a.c:3:19: second (variable)" in answer, answer
    why = shell.ask("why 2")
    assert "second" in why and "chosen" in why, why
    assert "first" in shell.ask("why 1")
    assert "a number of a line" in shell.ask("why 9")
    assert "first" in shell.ask("why") and "second" not in shell.ask("why")
    assert "did you mean 'alias'" in shell.ask("alia main::picked main::other")
    assert shell.ask("alias main::picked main::other").split("\n")[-1] == "yes"
    assert "picked" in shell.ask("why")
    assert "nowhere" in shell.ask("points-to nowhere")
    assert "points-to P" in shell.ask("help")
    # what stands at a place is no line of the list
    answer = shell.ask("points-to a.c:10:10")
    assert answer.startswith("a.c:10:10 is picked (variable, in main)\n   1  a.c:3:12:"), answer
    why = shell.ask("why")
    assert "picked may point to first" in why, why
    assert "cflr callgraph" in shell.ask("callers pick") and "explain" in shell.ask("pick calls f")
    assert shell.end("q\r") == 0


def test_completion(directory):
    """What is seen of a line depends on the terminal, so its answers are looked at."""
    shell = Shell(directory, "r.cflr")
    answer = shell.ask("poi\tmain::pic\t")
    assert "first" in answer and "second" in answer, answer
    listed = shell.type("alias main::\t", "main::picked")
    assert "main::argv  main::other  main::picked" in listed, listed
    shell.type("\x15", "")  # the line is empty again
    again = shell.ask("\x1b[A")  # the line before
    assert "first" in again and "second" in again, again
    assert shell.end("\x15\x04") == 0  # the end of input
    shell = Shell(directory, "r.cflr")  # lines of an earlier shell
    again = shell.ask("\x10")
    assert "first" in again and "second" in again, again
    assert shell.end("\x15\x04") == 0


def test_pages(directory):
    with open(f"{directory}/b.c", "w", encoding="ascii") as file:
        file.write("static int v[30];\n" + "".join(f"static int o{i};\n" for i in range(30)) +
                   "int main(int n, char **a) {\n    int *p = v;\n" +
                   "".join(f"    if (n == {i}) p = &o{i};\n" for i in range(30)) +
                   "    return *p;\n}\n")
    subprocess.run([CFLR, "analyze", "-q", "b.c", "-o", "b.cflr"], cwd=directory, check=True,
                   stdout=subprocess.DEVNULL)
    shell = Shell(directory, "b.cflr")
    first = shell.ask("points-to main::p")
    assert "   7  " in first and "   8  " not in first and "more: next, all" in first, first
    second = shell.ask("next")
    assert "   8  " in second and "  14  " in second and "  15  " not in second, second
    rest = shell.ask("all")
    assert "  31  " in rest and "more: next" not in rest, rest
    assert shell.end("\x15\x04") == 0


def test_interrupt(directory):
    shell = Shell(directory, "r.cflr")
    os.kill(shell.child, signal.SIGTERM)
    assert shell.end("\r") == 130


def test_no_terminal(directory):
    done = subprocess.run([CFLR, "query", "r.cflr"], cwd=directory, capture_output=True, text=True,
                          input="alias main::picked main::other\n", check=False)
    assert done.returncode == 0 and done.stdout.endswith("yes\n"), done
    done = subprocess.run([CFLR, "query", "r.cflr"], cwd=directory, capture_output=True, text=True,
                          stdin=subprocess.DEVNULL, check=False)
    assert done.returncode == 0 and not done.stdout, done


def main():
    with tempfile.TemporaryDirectory() as directory:
        with open(f"{directory}/a.c", "w", encoding="ascii") as file:
            file.write(PROGRAM)
        subprocess.run([CFLR, "analyze", "-q", "a.c", "-o", "r.cflr"], cwd=directory, check=True,
                       stdout=subprocess.DEVNULL)
        for test in (test_questions, test_completion, test_pages, test_interrupt,
                     test_no_terminal):
            test(directory)
            print(f"{test.__name__}: passed")


if __name__ == "__main__":
    main()
