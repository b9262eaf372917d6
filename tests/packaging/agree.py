#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""debian/ and packaging/ agree with the build that they package; nothing is built here.

Versions, the files of an installation, sonames, dependencies, the SBOM, options and inputs; and
the commands of the action, the component and the hook, taken out of their YAML, find the mistake
in packaging/example. What a missing tool leaves out is printed with SKIP.

    agree.py BUILD_DIR CMAKE
"""
import fnmatch
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

try:
    import yaml
except ImportError:
    yaml = None

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
DOORS = ROOT / "packaging"
EXAMPLE = DOORS / "example"
FINDING = "shop.c:28:14: null: null pointer dereference: ordered->name"

# where a version stands, and how
VERSIONS = (
    ("debian/changelog", r"\Acflr \(([^)]+)\)"),
    ("debian/libcflr0.symbols", r"CFLR_0 (\S+)$"),
    ("packaging/github-action/action.yml", r"description: The release of cflr\n +default: (\S+)"),
    ("packaging/gitlab/templates/check/template.yml", r"default: cflr/cflr:(\S+)"),
    ("packaging/pre-commit/README.md", r"rev: v(\S+)"),
    ("packaging/example/.pre-commit-config.yaml", r"rev: v(\S+)"),
    ("CITATION.cff", r"^version: (\S+)"),
    ("docs/how-to/install.md", r"cflr[_-](\d[\d.]*\d)[_-]"),
    ("docs/how-to/check-in-ci.md", r"rev: v(\S+)"),
    ("packaging/nix/flake.nix", r'version = "([^"]+)"'),
    ("packaging/conda/recipe.yaml", r"^  version: (\S+)"),
)
# what each library of CMake's is called by Debian, Nix, Homebrew and conda
RECIPES = ("debian/control", "packaging/nix/flake.nix", "packaging/homebrew/cflr.rb",
           "packaging/conda/recipe.yaml")
LIBRARIES = {
    "libzstd": ("libzstd-dev", "zstd", "zstd", "zstd"),
    "libxxhash": ("libxxhash-dev", "xxHash", "xxhash", "xxhash"),
    "liblzma": ("liblzma-dev", "xz", "xz", "liblzma-devel"),
    "zlib": ("zlib1g-dev", "zlib", "zlib", "zlib"),
    "sqlite3": ("libsqlite3-dev", "sqlite", "sqlite", "libsqlite"),
    "popt": ("libpopt-dev", "popt", "popt", "popt"),
    "jansson": ("libjansson-dev", "jansson", "jansson", "jansson"),
    "libedit": ("libedit-dev", "libedit", "libedit", "libedit"),
}


def text(name):
    return (ROOT / name).read_text(encoding="utf-8")


def versions(version):
    """Each place has the version of CMakeLists.txt."""
    for name, pattern in VERSIONS:
        found = re.findall(pattern, text(name), re.M)
        if not found or set(found) != {version}:
            yield f"{name}: version {found}, CMakeLists.txt has {version}"
    major, minor = version.split(".")[:2]
    below = f"(<< {major}.{int(minor) + 1}~)" if major == "0" else "#MINVER#"
    if text("debian/libcflr0.symbols").count(below) != 2:
        yield f"debian/libcflr0.symbols: not {below} for both libraries"


def stanzas():
    """Those of debian/control, as dicts."""
    for stanza in re.sub(r"^#.*\n", "", text("debian/control"), flags=re.M).split("\n\n"):
        yield dict(re.findall(r"^(\S+): *((?:.*)(?:\n .*)*)", stanza, re.M))


def names(field):
    """The packages of a field."""
    return {re.split(r"[ (<\[]", entry.strip())[0] for entry in field.split(",") if entry.strip()}


def file_lists(installed):
    """Each installed file is in one package, and no line of a package is for nothing."""
    lines = [("not installed", line) for line in text("debian/not-installed").splitlines()
             if not line.startswith("#")]
    for stanza in list(stanzas())[1:]:
        package = stanza["Package"]
        lines += [(package, line.split()[0])
                  for line in text(f"debian/{package}.install").splitlines()]
        optional = "Build-Profiles" in stanza
        for owner, line in lines:
            if owner == package and not optional and not any(covers(line, f) for f in installed):
                yield f"debian/{package}.install: nothing is {line}"
    for file in installed:
        owners = [owner for owner, line in lines if covers(line, file)]
        if len(owners) != 1:
            yield f"{file} is in {owners or 'no package'}"


def covers(line, file):
    return fnmatch.fnmatchcase(file, line) or fnmatch.fnmatchcase(file, line + "/*")


def sonames(libraries):
    """Libraries have the soname that the name of their package and its symbols tell."""
    symbols = text("debian/libcflr0.symbols")
    for library in libraries:
        dynamic = subprocess.run(["readelf", "-d", library], capture_output=True, text=True,
                                 check=True).stdout
        soname = re.search(r"soname: \[(.*)\]", dynamic)[1]
        number = soname.rsplit(".", 1)[1]
        if f"libcflr{number}" not in {stanza.get("Package") for stanza in stanzas()}:
            yield f"{soname}: there is no package libcflr{number}"
        if f"{soname} libcflr{number} " not in symbols:
            yield f"{soname} is not in debian/libcflr0.symbols"


def dependencies():
    """What CMake, the loader of libclang and scripts/install-deps want is asked for."""
    modules = set(re.findall(r"pkg_check_modules\(\w+ REQUIRED IMPORTED_TARGET (\S+)\)",
                             text("CMakeLists.txt")))
    for module in modules ^ set(LIBRARIES):
        yield f"{module}: this table and CMakeLists.txt differ"
    for recipe, called in zip(RECIPES, zip(*LIBRARIES.values())):
        for name in called:
            if not re.search(rf"(?<![\w-]){name}(?![\w-])", text(recipe)):
                yield f"{recipe}: no {name}"
    source, command = list(stanzas())[:2]
    oldest = re.search(r"OLDEST = (\d+)", text("frontend/clang/clang.c"))[1]
    for name in (f"libclang1-{oldest}", f"libclang-common-{oldest}-dev"):
        if name not in names(command["Depends"]):
            yield f"debian/control: cflr does not depend on {name}"
    wanted = set(re.search(r'^build="([^"]*)"', text("scripts/install-deps"), re.M)[1].split())
    missing = wanted - names(source["Build-Depends"]) - {"gcc", "libc6-dev"}
    if missing:
        yield f"debian/control: Build-Depends has no {missing}"


def tests_of_packages():
    """What debian/tests/control names can be run."""
    for name in re.findall(r"^Tests: (\S+)", text("debian/tests/control"), re.M):
        if not os.access(ROOT / "debian" / "tests" / name, os.X_OK):
            yield f"debian/tests/{name} cannot be run"


def sbom(folder):
    """It has the form that CycloneDX wants, and what is linked and loaded."""
    if not shutil.which("dpkg-query"):
        print("SKIP: packaging: no dpkg-query: the SBOM")
        return
    done = subprocess.run([sys.executable, "-B", DOORS / "sbom.py", folder], capture_output=True,
                          text=True)
    if done.returncode != 0:
        yield f"packaging/sbom.py: {done.stderr}"
        return
    made = json.loads(done.stdout)
    parts, (tree,) = made["components"], made["dependencies"]
    references = [part["bom-ref"] for part in parts]
    if (made["bomFormat"], made["specVersion"], made["version"]) != ("CycloneDX", "1.5", 1) \
            or not re.fullmatch(r"urn:uuid:[0-9a-f-]{36}", made["serialNumber"]) \
            or tree["ref"] != made["metadata"]["component"]["bom-ref"] \
            or tree["dependsOn"] != references or len(set(references)) != len(references) \
            or not all(part["version"] and part["type"] == "library" for part in parts):
        yield "packaging/sbom.py: no CycloneDX"
    linked = {"libzstd1", "libxxhash0", "liblzma5", "zlib1g", "libsqlite3-0", "libgomp1", "libc6",
              "libclang1-19", "libclang-common-19-dev"}
    missing = linked - {part["name"] for part in parts}
    if missing:
        yield f"packaging/sbom.py: no {missing}"


def documents(path):
    with open(path, encoding="utf-8") as file:
        return list(yaml.safe_load_all(file))


def inputs(path, declared, used):
    """All inputs are used, and no others."""
    found = set(re.findall(used, path.read_text(encoding="utf-8")))
    for name in found ^ set(declared):
        yield f"{path.relative_to(ROOT)}: input {name} is not declared, or not used"


def given(name, values, declared):
    for value in values:
        if value not in declared:
            yield f"packaging/example/{name}: there is no input {value}"


def run_example(what, shell, script, variables, cflr, files):
    """The commands find what is new, and write what they should."""
    with tempfile.TemporaryDirectory() as work:
        shutil.copytree(EXAMPLE, work, dirs_exist_ok=True)
        here = {**os.environ, **variables, "GITHUB_STEP_SUMMARY": f"{work}/summary.md",
                "PATH": f"{cflr.parent}:{os.environ['PATH']}"}
        done = subprocess.run([*shell, script], cwd=work, env=here, capture_output=True, text=True)
        if done.returncode != 1 or FINDING not in done.stdout or "find()" in done.stdout:
            yield f"{what}: exit code {done.returncode}: {done.stdout}{done.stderr}"
        for file in files:
            if not (pathlib.Path(work) / file).exists():
                yield f"{what}: there is no {file}"


def unanswered(what, shell, script, variables, cflr):
    """What is not given is left to .cflr.json, here another rule and a database."""
    with tempfile.TemporaryDirectory() as work:
        shutil.copytree(EXAMPLE, work, dirs_exist_ok=True)
        room = pathlib.Path(work)
        (room / ".cflr.json").write_text('{"check": {"rules": ["format"], "database": "b"}}')
        (room / "b").mkdir()
        (room / "b" / "compile_commands.json").write_text(json.dumps(
            [{"directory": work, "file": "shop.c", "arguments": ["cc", "-c", "shop.c"]}]))
        here = {**os.environ, **{name: "" for name in variables}, "PATH":
                f"{cflr.parent}:{os.environ['PATH']}", "GITHUB_STEP_SUMMARY": f"{work}/summary.md"}
        done = subprocess.run([*shell, script], cwd=work, env=here, capture_output=True, text=True)
        if done.returncode != 0 or '"format"' not in (room / "cflr.sarif").read_text():
            yield f"{what}: overrides .cflr.json: {done.returncode}: {done.stdout}{done.stderr}"


def installs(action):
    """Without the place of releases, the action fails with a sentence before it asks a network."""
    step, = [step for step in action["runs"]["steps"] if step["name"] == "Install cflr"]
    done = subprocess.run(["bash", "-e", "-c", step["run"]], capture_output=True, text=True,
                          env={**os.environ, "RELEASES": "", "VERSION": "0.1.0"})
    if done.returncode != 1 or "input 'releases' is missing" not in done.stdout:
        yield f"action: without releases: {done.returncode}: {done.stdout}{done.stderr}"


def doors(cflr):
    """The action, the component and the hook."""
    options = subprocess.run([cflr, "--dump-options"], capture_output=True, text=True).stdout
    for path in sorted(DOORS.rglob("*.y*ml")):
        documents(path)
        for option in re.findall(r"(?<!\S)(--[a-z-]+)", path.read_text(encoding="utf-8")):
            if "cflr check" in path.read_text(encoding="utf-8") and option[2:] not in options \
                    and option not in ("--check", "--ignore-missing", "--build", "--install"):
                yield f"{path.relative_to(ROOT)}: cflr has no {option}"

    path = DOORS / "github-action" / "action.yml"
    action, = documents(path)
    workflow, = documents(EXAMPLE / ".github" / "workflows" / "cflr.yml")
    chosen = workflow["jobs"]["check"]["steps"][1]["with"]
    yield from inputs(path, action["inputs"], r"\$\{\{ inputs\.([\w-]+) \}\}")
    yield from given("cflr.yml", chosen, action["inputs"])
    values = {name: entry.get("default", "") for name, entry in action["inputs"].items()} | chosen
    step, = [step for step in action["runs"]["steps"] if step["name"] == "Check"]
    fill = lambda word: re.sub(r"\$\{\{ inputs\.([\w-]+) \}\}", lambda m: str(values[m[1]]), word)
    variables = {name: fill(value) for name, value in step["env"].items()}
    have_bear = shutil.which("bear") and shutil.which("make")
    if not have_bear:
        print("SKIP: packaging: no bear or make: the commands of the action and the component")
    else:
        yield from run_example("action", ["bash", "-e", "-o", "pipefail", "-c"], step["run"],
                               variables, cflr, ["cflr.sarif", "cflr.html", "summary.md"])
    yield from unanswered("action", ["bash", "-e", "-o", "pipefail", "-c"], step["run"], variables,
                          cflr)
    yield from installs(action)

    path = DOORS / "gitlab" / "templates" / "check" / "template.yml"
    spec, jobs = documents(path)
    declared, job = spec["spec"]["inputs"], jobs["cflr-check"]
    included, = documents(EXAMPLE / ".gitlab-ci.yml")
    chosen = included["include"][0]["inputs"]
    yield from inputs(path, declared, r"\$\[\[ inputs\.([\w-]+) \]\]")
    yield from given(".gitlab-ci.yml", chosen, declared)
    values = {name: entry.get("default", "") for name, entry in declared.items()} | chosen
    variables = {name: re.sub(r"\$\[\[ inputs\.([\w-]+) \]\]", lambda m: str(values[m[1]]), value)
                 for name, value in job["variables"].items()}
    if have_bear:
        yield from run_example("component", ["sh", "-e", "-c"], "\n".join(job["script"]), variables,
                               cflr, [*job["artifacts"]["paths"],
                                      job["artifacts"]["reports"]["codequality"]])
    yield from unanswered("component", ["sh", "-e", "-c"], "\n".join(job["script"]), variables,
                          cflr)

    (hook,), = documents(DOORS / "pre-commit" / ".pre-commit-hooks.yaml")
    config, = documents(EXAMPLE / ".pre-commit-config.yaml")
    used = config["repos"][0]["hooks"][0]
    if used["id"] != hook["id"] or hook["pass_filenames"] or hook["language"] != "system":
        yield "pre-commit: the example and the hook differ, or it is no hook of a whole program"
    yield from run_example("hook", ["sh", "-e", "-c"], " ".join([hook["entry"], *used["args"]]), {},
                           cflr, [])


def main():
    build, cmake = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2]
    version = re.search(r"project\(cflr VERSION (\S+)", text("CMakeLists.txt"))[1]
    # that they can fail
    assert len(list(versions("0.9.9"))) == len(VERSIONS) + 1
    assert len(list(file_lists(["usr/share/new"]))) > 5
    with tempfile.TemporaryDirectory() as work:
        subprocess.run([cmake, "--install", build, "--prefix", f"{work}/usr"], check=True,
                       stdout=subprocess.DEVNULL)
        prefix = pathlib.Path(work) / "usr"
        library = next(prefix.rglob("libcflr.so")).parent.relative_to(work)
        installed = [re.sub(rf"^{library}/", "usr/lib/TRIPLET/", str(path.relative_to(work)))
                     for path in prefix.rglob("*") if path.is_symlink() or path.is_file()]
        faults = [*versions(version), *file_lists(installed), *dependencies(), *tests_of_packages(),
                  *sonames(prefix.rglob("libcflr*.so.0")), *sbom(prefix)]
    if yaml:
        faults += doors(build / "cli" / "cflr")
    else:
        print("SKIP: packaging: no python3-yaml: the action, the component and the hook")
    print("\n".join(faults) or f"{len(installed)} files agree")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
