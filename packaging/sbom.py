#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What packages need when they run, as a CycloneDX 1.5 document: on Debian, after a build.

Libraries are those that the programs and libraries below the folders given are linked with, with
the Debian package that each comes from and its version here; packages in the Depends of
debian/control that nothing is linked with, such as libclang, which is loaded, are listed too. Two
runs on one set of packages print the same: times come from SOURCE_DATE_EPOCH, the serial number
from what is listed.

    sbom.py FOLDER...
"""
import datetime
import json
import os
import re
import subprocess
import sys
import uuid

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def elf_files(folders):
    """Programs and libraries, each once."""
    for folder in folders:
        for here, _, names in os.walk(folder):
            for path in (os.path.join(here, name) for name in names):
                if not os.path.islink(path):
                    with open(path, "rb") as file:
                        if file.read(4) == b"\x7fELF":
                            yield path


def packages(folders):
    """Debian's packages that must be there."""
    found = set()
    for path in elf_files(folders):
        for _, library in re.findall(r"^\s*(\S+) => (/\S+)", run("ldd", path), re.M):
            library = os.path.realpath(library)
            # with a merged /usr dpkg may know the file by its old name
            for name in (library, library.removeprefix("/usr")):
                owner = subprocess.run(["dpkg-query", "-S", name], capture_output=True, text=True)
                if owner.returncode == 0:
                    found.add(owner.stdout.split(":")[0])
                    break
    with open(os.path.join(ROOT, "debian", "control"), encoding="utf-8") as file:
        loaded = re.search(r"^ (libclang\S+), (libclang\S+)$", file.read(), re.M)
    return sorted(found | {name.rstrip(",") for name in loaded.groups()})


def component(name):
    """One package, as CycloneDX has it."""
    version, arch, source = run("dpkg-query", "-W", "-f", "${Version} ${Architecture} "
                                "${source:Package}\n", name).splitlines()[0].split()
    purl = f"pkg:deb/debian/{name}@{version.replace(':', '%3A')}?arch={arch}"
    return {"type": "library", "bom-ref": purl, "name": name, "version": version, "purl": purl,
            "properties": [{"name": "cflr:source-package", "value": source}]}


def main():
    version = re.search(r"project\(cflr VERSION (\S+)",
                        open(os.path.join(ROOT, "CMakeLists.txt"), encoding="utf-8").read())[1]
    itself = f"pkg:generic/cflr@{version}"
    parts = [component(name) for name in packages(sys.argv[1:])]
    epoch = int(os.environ.get("SOURCE_DATE_EPOCH", "0"))
    time = datetime.datetime.fromtimestamp(epoch, datetime.timezone.utc)
    json.dump({
        "bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1,
        "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, json.dumps([itself, parts]))}",
        "metadata": {
            "timestamp": time.strftime("%Y-%m-%dT%H:%M:%SZ"),
            "component": {"type": "application", "bom-ref": itself, "name": "cflr",
                          "version": version, "purl": itself,
                          "licenses": [{"license": {"id": "Apache-2.0"}}]}},
        "components": parts,
        "dependencies": [{"ref": itself, "dependsOn": [part["bom-ref"] for part in parts]}],
    }, sys.stdout, indent=2)
    print()


if __name__ == "__main__":
    main()
