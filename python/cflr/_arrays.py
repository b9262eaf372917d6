# SPDX-License-Identifier: Apache-2.0
"""Arrays in and out: NumPy where it is, plain memory views where it is not.

A view is an array over memory of the library, or of an object that the library fills; it keeps the
owner alive. Nothing is copied but where an array that comes in has another type.
"""
from __future__ import annotations

import array
import bisect
import ctypes
from typing import Any, Iterable

from cflr._native import NO_VERTEX, encoded, ffi, lib, own, view_of

try:
    import numpy
except ImportError:  # arrays are memory views then
    numpy = None  # type: ignore[assignment]

# Types of the library: NumPy's name, and the letter of a memory view.
_KINDS = {"uint8_t": ("uint8", "B"), "int32_t": ("int32", "i"), "uint32_t": ("uint32", "I"),
          "uint64_t": ("uint64", "Q"), "float": ("float32", "f"), "double": ("float64", "d")}


def view(pointer: Any, n: int, kind: str = "uint32_t") -> Any:
    """n numbers at the pointer, whose `cdata` must keep its memory alive."""
    if not n:
        return empty(0, kind)
    memory = ffi.buffer(pointer, n * ffi.sizeof(kind))
    if numpy:
        found = numpy.frombuffer(memory, dtype=_KINDS[kind][0])
        found.flags.writeable = False
        return found
    return memoryview(memory).toreadonly().cast(_KINDS[kind][1])


def empty(n: int, kind: str = "uint32_t") -> Any:
    """Room for n numbers, not filled."""
    if numpy:
        return numpy.empty(n, dtype=_KINDS[kind][0])
    return memoryview(bytearray(max(n, 1) * ffi.sizeof(kind))).cast(_KINDS[kind][1])[:n]


def memory_of(numbers: Any, kind: str = "uint32_t") -> Any:
    """The pointer to an array of this module, which it keeps alive."""
    return ffi.from_buffer(kind + "[]", numbers)


def ids(values: Iterable[int]) -> Any:
    """Vertices, or other 32-bit numbers, as an array that memory_of takes."""
    if hasattr(values, "__arrow_c_array__"):
        values = _from_arrow(values)
    if numpy:
        found = numpy.asarray(values if hasattr(values, "__len__") else list(values))
        if found.dtype == numpy.uint32:
            return numpy.ascontiguousarray(found)
        if found.size and found.dtype.kind not in "ui":
            raise TypeError(f"integers are expected, not {found.dtype}")
        if found.size and (found.min() < 0 or found.max() >= NO_VERTEX):
            raise ValueError("vertices are numbers from 0 on, below 2**32 - 1")
        return found.astype(numpy.uint32)
    try:
        return memoryview(array.array("I", values))
    except OverflowError:
        raise ValueError("vertices are numbers from 0 on, below 2**32 - 1") from None


def end_of(numbers: Any) -> int:
    """One more than the largest number."""
    if not len(numbers):
        return 0
    return int(numbers.max() if numpy else max(numbers)) + 1


def first_ids(n: int) -> Any:
    """0 .. n - 1."""
    return numpy.arange(n, dtype="uint32") if numpy else memoryview(array.array("I", range(n)))


def place(numbers: Any, limit: int) -> int:
    """The last place of ascending numbers with one that is at most the limit."""
    if numpy:
        return int(numpy.searchsorted(numbers, numbers.dtype.type(limit), "right")) - 1
    return bisect.bisect_right(numbers, limit) - 1


def need_numpy(what: str) -> Any:
    if numpy is None:
        raise ImportError(f"{what} needs numpy")
    return numpy


# ---- the Arrow C data interface ----
#
# An array is handed over as two capsules, which hold structs of fixed layout: schema and array. The
# consumer moves the array out and calls its `release`; the handle in private_data keeps everything
# alive until then. A capsule that no consumer has taken releases its struct itself.

def _api(name: str, result: Any, *arguments: Any) -> Any:
    """A function of Python's own C interface."""
    return ctypes.PYFUNCTYPE(result, *arguments)((name, ctypes.pythonapi))


_kept: dict = {}  # address of a struct that was handed over -> what it needs


def _keep(struct: Any, *needs: Any) -> Any:
    _kept[int(ffi.cast("uintptr_t", struct))] = (struct, *needs)
    return struct


def _release(struct: Any) -> None:
    for i in range(struct.n_children):
        child = struct.children[i]
        if child.release:
            child.release(child)
    struct.release = ffi.NULL
    _kept.pop(int(ffi.cast("uintptr_t", struct.private_data)), None)


@ffi.def_extern()
def cflr_python_release_schema(schema: Any) -> None:
    _release(schema)


@ffi.def_extern()
def cflr_python_release_array(made: Any) -> None:
    _release(made)


def _taken(capsule: Any, kind: str) -> Any:
    """What a capsule holds, moved out of it: a struct that is released when it goes."""
    get = _api("PyCapsule_GetPointer", ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)
    name = b"arrow_schema" if kind == "struct ArrowSchema" else b"arrow_array"
    source = ffi.cast(kind + " *", get(capsule, name))
    struct = ffi.new(kind + " *", source[0])
    source.release = ffi.NULL
    return own(ffi.addressof(struct[0]), lambda old: old.release(old), struct)


_INTEGERS = {"c": "b", "C": "B", "s": "h", "S": "H", "i": "i", "I": "I", "l": "q", "L": "Q"}


def _from_arrow(values: Any) -> Any:
    """Integers of another library, where they are."""
    schema, held = values.__arrow_c_array__()
    schema, held = _taken(schema, "struct ArrowSchema"), _taken(held, "struct ArrowArray")
    form = _INTEGERS.get(ffi.string(schema.format).decode())
    if not form:
        raise TypeError(f"integers are expected, not Arrow's {ffi.string(schema.format).decode()}")
    if held.null_count and held.buffers[0]:
        raise ValueError("an array of vertices has nulls")
    size, n = array.array(form).itemsize, held.length
    data = ffi.cast("char *", held.buffers[1]) + held.offset * size
    data = own(data, view_of, held)
    found = memoryview(ffi.buffer(data, n * size)).cast(form) if n else array.array(form)
    return numpy.asarray(found) if numpy else found


def _schema(kind: str, name: str, children: list) -> Any:
    struct, form, title = (ffi.new("struct ArrowSchema *"), ffi.new("char[]", kind.encode()),
                           ffi.new("char[]", encoded(name)))
    struct.format, struct.name, struct.n_children = form, title, len(children)
    list_of = ffi.new("struct ArrowSchema *[]", children or 1)
    struct.children, struct.private_data = list_of, struct
    struct.release = lib.cflr_python_release_schema
    return _keep(struct, form, title, list_of, children)


def _array(n: int, buffers: list, children: list) -> Any:
    struct = ffi.new("struct ArrowArray *")
    memory = [ffi.NULL if buffer is None else ffi.from_buffer(buffer) for buffer in buffers]
    pointers = ffi.new("const void *[]", memory)
    list_of = ffi.new("struct ArrowArray *[]", children or 1)
    struct.length, struct.n_buffers, struct.buffers = n, len(buffers), pointers
    struct.n_children, struct.children, struct.private_data = len(children), list_of, struct
    struct.release = lib.cflr_python_release_array
    return _keep(struct, buffers, memory, pointers, list_of, children)


def _capsule(struct: Any, name: bytes) -> Any:
    """A capsule whose destructor releases what no consumer has taken."""
    new = _api("PyCapsule_New", ctypes.py_object, ctypes.c_void_p, ctypes.c_char_p,
               ctypes.c_void_p)
    return new(int(ffi.cast("uintptr_t", struct)), name,
               ctypes.cast(_destructors[name], ctypes.c_void_p))


def _destructor(name: bytes, kind: str) -> Any:
    get = _api("PyCapsule_GetPointer", ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p)

    def destroy(capsule: int) -> None:
        struct = ffi.cast(kind, get(capsule, name))
        if struct.release:
            struct.release(struct)

    return ctypes.PYFUNCTYPE(None, ctypes.c_void_p)(destroy)


_destructors = {b"arrow_schema": _destructor(b"arrow_schema", "struct ArrowSchema *"),
                b"arrow_array": _destructor(b"arrow_array", "struct ArrowArray *")}


def arrow_rows(name: str, indptr: Any, indices: Any) -> tuple[Any, Any]:
    """Compressed sparse rows as a large list of uint32, without a copy."""
    n = len(indptr) - 1
    schema = _schema("+L", name, [_schema("I", "target", [])])
    made = _array(n, [None, indptr], [_array(len(indices), [None, indices], [])])
    return _capsule(schema, b"arrow_schema"), _capsule(made, b"arrow_array")
