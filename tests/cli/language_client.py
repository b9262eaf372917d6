# SPDX-License-Identifier: Apache-2.0
"""A client of `cflr serve`, for serve.py and for bench/serve.py."""
import json
import os
import select
import subprocess
import time
import urllib.parse


def uri_of(path):
    return "file://" + urllib.parse.quote(os.path.realpath(path))


class Client:
    """A server that was started in a directory, and what it has sent so far."""

    def __init__(self, cflr, directory, *words, environment=None, start=True, **capabilities):
        self.root = os.path.realpath(directory)
        self.errors = open(os.path.join(directory, "serve.stderr"), "w+")
        self.child = subprocess.Popen(
            [cflr, "serve", "--stdio", *words], cwd=directory, stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=self.errors, env={**os.environ, **(environment or {})})
        os.set_blocking(self.child.stdout.fileno(), False)
        self.got, self.messages, self.notes, self.last = b"", {}, [], 0
        self.versions = {}
        if start:
            self.capabilities = self.initialize(capabilities)

    # ---- messages ----

    def send_bytes(self, data):
        self.child.stdin.write(data)
        self.child.stdin.flush()

    def send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.send_bytes(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))

    def notify(self, method, parameters=None):
        self.send({"method": method, "params": parameters or {}})

    def ask(self, method, parameters=None):
        """Sends a request; its number."""
        self.last += 1
        self.send({"id": self.last, "method": method, "params": parameters or {}})
        return self.last

    def read(self, seconds):
        """Reads what comes within so long; False at the end."""
        if not select.select([self.child.stdout], [], [], seconds)[0]:
            return True
        data = os.read(self.child.stdout.fileno(), 1 << 20)
        self.got += data
        while b"\r\n\r\n" in self.got:
            head, rest = self.got.split(b"\r\n\r\n", 1)
            length = int(head.split(b":")[1])
            if len(rest) < length:
                break
            self.take(json.loads(rest[:length]))
            self.got = rest[length:]
        return bool(data)

    def take(self, message):
        assert message["jsonrpc"] == "2.0", message
        if "method" in message:
            self.notes.append(message)
            if "id" in message:
                self.send({"id": message["id"], "result": None})
        else:
            self.messages.setdefault(message["id"], message)

    def until(self, happens, what, seconds=120):
        end = time.monotonic() + seconds
        while True:
            found = happens()
            if found:
                return found
            assert time.monotonic() < end, f"{what}: it does not come; {self.said()}"
            assert self.read(0.1) or happens(), f"{what}: the server has ended; {self.said()}"

    def said(self):
        self.errors.seek(0)
        return self.errors.read()[-2000:] + str(self.notes[-5:])

    def answer(self, number):
        return self.until(lambda: self.messages.get(number), f"answer {number}")

    def request(self, method, parameters=None):
        """The result; an error is raised."""
        message = self.answer(self.ask(method, parameters))
        assert "error" not in message, message
        return message["result"]

    def refused(self, method, parameters=None):
        """The code of the error that a request gets."""
        return self.answer(self.ask(method, parameters))["error"]["code"]

    # ---- the session ----

    def initialize(self, capabilities):
        text = {"hover": {"contentFormat": capabilities.get("formats", ["plaintext"])},
                "publishDiagnostics": {"relatedInformation": True}}
        general = {}
        if "encodings" in capabilities:
            general["positionEncodings"] = capabilities["encodings"]
        result = self.request("initialize", {
            "processId": os.getpid(), "rootUri": uri_of(self.root),
            "capabilities": {"textDocument": text, "general": general,
                             "window": {"workDoneProgress": capabilities.get("progress", False)}}})
        self.notify("initialized")
        return result["capabilities"]

    def open(self, name, text=None):
        path = os.path.join(self.root, name)
        if text is None:
            with open(path, encoding="latin-1" if name == "latin.c" else "utf-8", newline="") as f:
                text = f.read()
        self.versions[name] = 1
        self.notify("textDocument/didOpen", {"textDocument": {
            "uri": uri_of(path), "languageId": "c", "version": 1, "text": text}})

    def change(self, name, *changes):
        self.versions[name] += 1
        self.notify("textDocument/didChange", {
            "textDocument": {"uri": uri_of(os.path.join(self.root, name)),
                             "version": self.versions[name]},
            "contentChanges": list(changes)})

    def save(self, name):
        self.notify("textDocument/didSave",
                    {"textDocument": {"uri": uri_of(os.path.join(self.root, name))}})

    def at(self, name, line, character):
        return {"textDocument": {"uri": uri_of(os.path.join(self.root, name))},
                "position": {"line": line, "character": character}}

    def hover(self, name, line, character):
        """The text; None: there is none."""
        result = self.request("textDocument/hover", self.at(name, line, character))
        return result and result["contents"]["value"]

    def wait(self, method, which=lambda message: True, seconds=120):
        """The next message of the server of that method, taken out."""
        def find():
            for i, message in enumerate(self.notes):
                if message["method"] == method and which(message):
                    return self.notes.pop(i)
            return None
        return self.until(find, method, seconds)

    def leave(self):
        """The exit code."""
        self.request("shutdown")
        self.notify("exit")
        return self.end()

    def end(self, seconds=60):
        self.child.stdin.close()
        code = self.child.wait(seconds)
        self.child.stdout.close()
        self.errors.close()
        return code
