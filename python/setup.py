# SPDX-License-Identifier: Apache-2.0
"""Makes a wheel that holds the library: CMake builds it, and the module, from the sources above.

What a bare machine may lack comes along: the libraries of the system that cflr links to, but those
of the C library. They lie beside the module, where the loader looks first ($ORIGIN). The module
keeps to Python's stable interface, so that one wheel serves all versions from 3.9 on. libclang is
not in it: the front end looks for the system's when it reads C.

CFLR_CMAKE_ARGS in the environment has more arguments for CMake; CFLR_BUILD names a folder in which
all is built already.
"""
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

HERE = pathlib.Path(__file__).resolve().parent
SOURCES = HERE.parent
VERSION = re.search(r"project\(cflr VERSION ([0-9.]+)",
                    (SOURCES / "CMakeLists.txt").read_text(encoding="utf-8"))[1]
C_LIBRARY = re.compile(r"^(?:ld-linux|lib(?:c|m|dl|rt|pthread|gcc_s)\.so)")
OPTIONS = ["-DCMAKE_BUILD_TYPE=Release", "-DCFLR_CLI=OFF", "-DCFLR_TESTS=OFF", "-DCFLR_MPI=OFF",
           "-DCFLR_CUDA=OFF", "-DCFLR_PYTHON=ON", f"-DCFLR_PYTHON_PROGRAM={sys.executable}",
           "-DCMAKE_INSTALL_LIBDIR=lib"]


class Build(build_ext):
    def run(self):
        build = pathlib.Path(self.build_temp).resolve()
        stage, package = build / "stage", pathlib.Path(self.build_lib).resolve() / "cflr"
        if "CFLR_BUILD" in os.environ:
            build = pathlib.Path(os.environ["CFLR_BUILD"])
        else:
            more = shlex.split(os.environ.get("CFLR_CMAKE_ARGS", ""))
            subprocess.run(["cmake", "-S", SOURCES, "-B", build, *OPTIONS, *more], check=True)
            jobs = str(os.cpu_count())  # without a number, make starts all at once
            subprocess.run(["cmake", "--build", build, "--parallel", jobs], check=True)
        for component in ("Unspecified", "python"):
            subprocess.run(["cmake", "--install", build, "--prefix", stage, "--strip",
                            "--component", component], check=True)
        package.mkdir(parents=True, exist_ok=True)
        module = next((stage / "python/cflr").glob("_cflr*"))
        ours = list((stage / "lib").glob("libcflr*.so.0"))
        for path in [module, *ours, SOURCES / "LICENSE"]:
            shutil.copy(path, package / path.name)  # what a link leads to
        for name, path in needed(ours).items():
            shutil.copy(path, package / name)


def needed(libraries):
    """The libraries of the system that these link to, by name."""
    found = {}
    for library in libraries:
        listed = subprocess.run(["ldd", library], capture_output=True, text=True, check=True)
        found.update(re.findall(r"(\S+) => (\S+)", listed.stdout))
    return {name: path for name, path in found.items()
            if not C_LIBRARY.match(name) and not name.startswith("libcflr")}


setup(
    name="cflr",
    version=VERSION,
    description="CFL-reachability: pointer analysis of C, and closures of labelled graphs",
    long_description=(HERE / "README.md").read_text(encoding="utf-8"),
    long_description_content_type="text/markdown",
    license="Apache-2.0",
    packages=["cflr"],
    package_data={"cflr": ["py.typed"]},
    python_requires=">=3.9",
    install_requires=["cffi>=1.15"],
    extras_require={"arrays": ["numpy", "scipy"]},
    ext_modules=[Extension("cflr._cflr", [], py_limited_api=True)],
    cmdclass={"build_ext": Build},
    options={"build": {"build_base": str(SOURCES / "build" / "wheel")},
             "bdist_wheel": {"py_limited_api": "cp39"}},
)
