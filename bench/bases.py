# SPDX-License-Identifier: Apache-2.0
"""C code bases that are measured: where they come from, how each is built once so that there is a
compilation database, and which part of it is one program."""
import dataclasses
import fnmatch
import glob
import json
import os
import re
import shlex
import shutil
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
DATABASE = "compile_commands.json"


@dataclasses.dataclass
class Program:
    """The entries of one program: files (relative to the sources) that match `keep` and not `drop`,
    compiled without the flag `without`."""
    keep: tuple
    drop: tuple = ()
    without: str = ""

    def has(self, entry, sources):
        path = os.path.normpath(os.path.join(entry["directory"], entry["file"]))
        name = os.path.relpath(path, sources)
        words = entry.get("arguments") or shlex.split(entry["command"])
        return (any(fnmatch.fnmatch(name, pattern) for pattern in self.keep)
                and not any(fnmatch.fnmatch(name, pattern) for pattern in self.drop)
                and self.without not in words)


@dataclasses.dataclass
class Base:
    """`package` is Debian's; `build` is a shell text, run in the sources with $JOBS, that leaves
    the database there. No program is run, so none needs to be fast: -O1."""
    package: str
    build: str
    programs: dict


BASES = {
    "lua": Base(
        "lua5.4",
        "bear -- make -j$JOBS linux-readline",
        {"lua": Program(("src/*",), ("src/luac.c",))}),
    "zlib": Base(
        "zlib",
        "./configure && bear -- make -j$JOBS",
        {"zlib": Program(("*",), ("test/*",))}),
    "sqlite": Base(
        "sqlite3",
        "./configure --disable-tcl && bear -- make -j$JOBS",
        {"sqlite3": Program(("sqlite3.c", "shell.c"), without="-DSQLITE_TEMP_STORE=1")}),
    "redis": Base(
        "redis",
        "bear -- make -j$JOBS MALLOC=libc OPTIMIZATION=-O1",
        {"redis-server": Program(
            ("src/*", "deps/hiredis/*", "deps/lua/*", "deps/hdr_histogram/*"),
            ("src/redis-cli.c", "src/redis-benchmark.c", "src/cli_common.c", "deps/lua/src/lua.c",
             "deps/lua/src/luac.c", "deps/lua/src/print.c"))}),
    "curl": Base(
        "curl",
        "./configure --with-openssl CFLAGS=-O1 && bear -- make -j$JOBS",
        {"curl": Program(("lib/*", "src/*"))}),
    "dnsmasq": Base("dnsmasq", "bear -- make -j$JOBS CFLAGS=-O1", {"dnsmasq": Program(("src/*",))}),
    "mosquitto": Base(
        "mosquitto",
        "bear -- make -j$JOBS CFLAGS=-O1 WITH_DOCS=no",
        {"mosquitto": Program(("*",), ("test/*",))}),
    "tmux": Base(
        "tmux",
        "./configure CFLAGS=-O1 && bear -- make -j$JOBS",
        {"tmux": Program(("*",))}),
    "tcpdump": Base(
        "tcpdump",
        "./configure CFLAGS=-O1 && bear -- make -j$JOBS",
        {"tcpdump": Program(("*",))}),
    "nginx": Base(
        "nginx",
        "./configure --with-cc-opt=-O1 && bear -- make -j$JOBS",
        {"nginx": Program(("src/*", "objs/*"))}),
    "jq": Base(
        "jq",
        "autoreconf -fi && ./configure --disable-maintainer-mode CFLAGS=-O1 && "
        "bear -- make -j$JOBS",
        {"jq": Program(("src/*",))}),
    "libpng": Base(
        "libpng1.6",
        "./configure CFLAGS=-O1 && bear -- make -j$JOBS",
        {"libpng": Program(("png*.c",), ("pngtest.c",))}),
    "git": Base(
        "git",
        "bear -- make -j$JOBS CFLAGS=-O1 NO_GETTEXT=1 NO_TCLTK=1 NO_PERL=1",
        {"git": Program(
            ("*.c",),
            ("t/*", "contrib/*", "daemon.c", "fuzz-*", "http*.c", "imap-send.c", "remote-curl.c",
             "scalar.c", "sh-i18n--envsubst.c", "shell.c"))}),
    "apache2": Base(
        "apache2",
        "./configure --enable-mods-static=most CFLAGS=-O1 && bear -- make -j$JOBS",
        {"httpd": Program(("server/*", "modules/*", "os/*", "buildmark.c"),
                          ("server/gen_test_char.c",))}),
    "postgres": Base(
        "postgresql-15",
        "./configure --without-icu CFLAGS=-O1 && bear -- make -j$JOBS",
        {"postgres": Program(("src/backend/*", "src/timezone/*", "src/common/*", "src/port/*"),
                             ("src/timezone/zic.c", "src/backend/snowball/*",
                              "src/backend/utils/mb/conversion_procs/*",
                              "src/backend/replication/libpqwalreceiver/*",
                              "src/backend/replication/pgoutput/*"), "-DFRONTEND")}),
    "linux": Base(
        "linux",
        "make tinyconfig && make -j$JOBS && python3 scripts/clang-tools/gen_compile_commands.py",
        {"vmlinux": Program(("*",), ("scripts/*", "tools/*", "usr/gen_init_cpio.c",
                                     "arch/x86/tools/*", "arch/x86/boot/*"))}),
}


def version_of(name, work):
    """Of the sources: what stands in the name of their archive."""
    path = f"{work}/{name}.version"
    if not os.path.exists(path):
        return ""
    with open(path, encoding="utf-8") as text:
        return text.read()


def make(name, work, jobs):
    """The folder of a base's database. A base with a note of its version was made whole, and is not
    made again; any other is, because a build that goes on leaves half a database."""
    base, sources, log = BASES[name], f"{work}/{name}", f"{work}/{name}.log"
    if os.path.exists(f"{work}/{name}.version"):
        return sources
    shutil.rmtree(sources, ignore_errors=True)
    subprocess.run([f"{ROOT}/scripts/debian-source", base.package, sources], check=True)
    with open(log, "w", encoding="utf-8") as out:
        done = subprocess.run(["bash", "-ec", base.build], cwd=sources, stdout=out, check=False,
                              stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
                              env=dict(os.environ, JOBS=str(jobs)))
    if done.returncode != 0:
        raise SystemExit(f"{name}: could not be built: {log}")
    archives = glob.glob(f"{work}/apt/{base.package}/*.orig.tar.*")
    with open(f"{work}/{name}.version", "w", encoding="utf-8") as out:
        out.write(re.search(r"_(.*)\.orig\.tar", archives[0]).group(1))
    return sources


def restrict(name, program, work):
    """The folder of a database of one program."""
    sources, folder = os.path.realpath(f"{work}/{name}"), f"{work}/{name}.{program}"
    with open(f"{sources}/{DATABASE}", encoding="utf-8") as text:
        entries = json.load(text)
    os.makedirs(folder, exist_ok=True)
    kept = [entry for entry in entries if BASES[name].programs[program].has(entry, sources)]
    with open(f"{folder}/{DATABASE}", "w", encoding="utf-8") as out:
        json.dump(kept, out, indent=1)
    return folder
