#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The examples for editors, run: Neovim without a screen starts the server, and has a hover, an
implementation, aliases and diagnostics of it. Of VS Code the parser of its language reads the
extension. An editor that is not there is left out, and says so.

    editors.py CFLR EXAMPLES
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time

CFLR, EXAMPLES = (os.path.abspath(word) for word in sys.argv[1:3])
SKIPPED = 77
PROGRAM = """#include <stdlib.h>
static int one(int *p) { return *p; }
static int two(int *p) { return p[1]; }
int main(int argc, char **argv) {
    int (*hook)(int *) = argc > 1 ? one : two;
    int *made = malloc(8);
    *made = argc;
    return hook(made);
}
"""
SCRIPT = """
local cflr = dofile('EXAMPLES/neovim/cflr.lua')
cflr.setup({ cmd = { 'CFLR', 'serve', '--stdio' } })
vim.cmd('edit main.c')
vim.cmd('set filetype=c')
local lines = {}
local function say(what, value) table.insert(lines, what .. ' ' .. vim.fn.json_encode(value)) end
local function ask(method)
  local answers = vim.lsp.buf_request_sync(0, method, vim.lsp.util.make_position_params(), 20000)
  for _, answer in pairs(answers or {}) do return answer.result end
end
local function try(what, f)
  local fine, value = pcall(f)
  say(fine and what or 'error', value)
end
vim.wait(60000, function() return #vim.diagnostic.get(0) > 0 end, 20)
vim.fn.cursor(8, 12)
try('hover', function() return ask('textDocument/hover').contents.value end)
try('implementation', function() return #ask('textDocument/implementation') end)
try('diagnostic', function()
  local first = vim.diagnostic.get(0)[1]
  return first.code or first.message
end)
vim.cmd('CflrAliases')
vim.wait(20000, function() return #vim.fn.getqflist() > 0 end, 20)
try('aliases', function() return #vim.fn.getqflist() end)
vim.fn.writefile(lines, 'said')
vim.cmd('qa!')
"""


def check_neovim(directory):
    with open(os.path.join(directory, "main.c"), "w", encoding="utf-8") as file:
        file.write(PROGRAM)
    with open(os.path.join(directory, ".cflr.json"), "w", encoding="utf-8") as file:
        json.dump({"check": {"rules": ["null"]}}, file)
    with open(os.path.join(directory, "compile_commands.json"), "w", encoding="utf-8") as file:
        json.dump([{"directory": directory, "file": "main.c",
                    "arguments": ["cc", "-c", "main.c"]}], file)
    with open(os.path.join(directory, "script.lua"), "w", encoding="utf-8") as file:
        file.write(SCRIPT.replace("EXAMPLES", EXAMPLES).replace("CFLR", CFLR))
    time.sleep(0.1)  # what is written as an analysis begins counts as changed
    done = subprocess.run(["nvim", "--headless", "-u", "NONE", "-i", "NONE", "-n",
                           "-c", "luafile script.lua"], cwd=directory, capture_output=True,
                          text=True, timeout=300, check=False,
                          env={**os.environ, "HOME": directory, "XDG_CACHE_HOME": directory,
                               "XDG_STATE_HOME": directory, "XDG_DATA_HOME": directory})
    said = os.path.join(directory, "said")
    assert os.path.exists(said), done.stderr
    with open(said, encoding="utf-8") as file:
        answers = dict(line.rstrip("\n").split(" ", 1) for line in file)
    assert "error" not in answers, answers
    assert "`hook` may point to:" in answers["hover"], answers
    assert "one (function)" in answers["hover"] and "two (function)" in answers["hover"], answers
    assert answers["implementation"] == "2", answers
    assert "null" in answers["diagnostic"], answers
    assert int(answers["aliases"]) >= 1, answers


def main():
    missing = []
    if shutil.which("nvim"):
        directory = os.path.realpath(tempfile.mkdtemp())
        try:
            check_neovim(directory)
        finally:
            shutil.rmtree(directory)
    else:
        missing.append("nvim")
    if shutil.which("node"):
        subprocess.run(["node", "--check", os.path.join(EXAMPLES, "vscode", "extension.js")],
                       check=True)
    else:
        missing.append("node")
    with open(os.path.join(EXAMPLES, "vscode", "package.json"), encoding="utf-8") as file:
        json.load(file)
    if missing:
        print(f"SKIPPED: {' and '.join(missing)} not here: the examples for them were not run")
    return SKIPPED if missing else 0


if __name__ == "__main__":
    sys.exit(main())
