# SPDX-License-Identifier: Apache-2.0
"""The bridge to the library: errors, contexts, lifetimes, and calls that can be interrupted.

Lifetime. Every object of the library is held by a `cdata` with a finalizer that frees it, and that
keeps the `cdata` of whatever must live longer:

    view of a row ---> result ---> graph in the context ---> context
                                   of the solver
                              ---> the user's graph ---> its context

So an object goes when the last array that looks into it goes, and always before what it needs.
Finalizers are weakref.finalize, and no destructors of the `cdata`: those would be garbage together
with it where user's objects make a cycle, and Python takes garbage apart in any order, functions
included. What a finalizer keeps is no garbage until it has run.

Interrupts. A call that may take long runs in a thread of its own, without the interpreter's lock.
The main thread waits for it, so that a signal finds it: it then cancels the context, the library
stops within milliseconds, and KeyboardInterrupt goes on. Since a context that was cancelled stays
so, each long call has a context of its own, into which graphs are shared.
"""
from __future__ import annotations

import enum
import os
import threading
import weakref
from typing import Any, Callable, NamedTuple, Optional

from cflr._cflr import ffi, lib

NO_VERTEX: int = lib.CFLR_NO_VERTEX
NO_LABEL: int = lib.CFLR_NO_LABEL
PARTIAL = (lib.CFLR_LIMIT, lib.CFLR_CANCELLED)  # statuses with which there may be a result


class CflrError(Exception):
    """A failure that the library describes.

    `code` is a word ("SYNTAX", "IO", "NOT_FOUND", "LIMIT"; docs/reference/exit-codes.md). `subject`
    is what was being read, `line` and `column` count from 1, and 0 means that they are not known.
    """

    def __init__(self, status: int, error: Any) -> None:
        self.code: str = text(lib.cflr_status_name(status))
        self.status: int = int(status)
        self.subject: str = text(error.subject)
        self.line: int = error.line
        self.column: int = error.column
        self.message: str = text(error.message) or text(lib.cflr_status_text(status))
        self.system_error: int = error.system_error
        place = [self.subject] if self.subject else []
        place += [str(number) for number in (self.line, self.column) if number]
        super().__init__(": ".join([":".join(place), self.message] if place else [self.message]))


class Progress(NamedTuple):
    """What a long call has done so far: `done` of `total` (0: not known) in units of the phase."""

    phase: str
    done: int
    total: int
    memory: int
    seconds: float


def text(characters: Any) -> str:
    """A string of the library; "" for NULL."""
    return ffi.string(characters).decode(errors="replace") if characters else ""


def word(prefix: str, value: str) -> int:
    """The number of an enumerator: word("CFLR_MODEL", "edge-indexed")."""
    known = {name[len(prefix) + 1:].lower().replace("_", "-"): name for name in dir(lib)
             if name.startswith(prefix + "_")}
    if value not in known:
        raise ValueError(f"{value!r} is none of {', '.join(sorted(known))}")
    return getattr(lib, known[value])


def check(status: int, error: Any, *fine: int) -> int:
    """Raises what `error` says, unless the status is OK or among those that are fine."""
    if status != lib.CFLR_OK and status not in fine:
        raise CflrError(status, error)
    return status


def new_error() -> Any:
    return ffi.new("cflr_error *")


def own(pointer: Any, free: Callable[[Any], Any], *needs: Any) -> Any:
    """The pointer, a new `cdata`; when it goes, free(pointer) is called, and then what it needs may
    go. A pointer that frees nothing, but must not outlive something: free=view_of."""
    weakref.finalize(pointer, _release, free, ffi.cast(ffi.typeof(pointer), pointer),
                     needs).atexit = False
    return pointer


def _release(free: Callable[[Any], Any], pointer: Any, needs: tuple) -> None:
    free(pointer)


def view_of(pointer: Any) -> None:
    """What a view frees: nothing."""


def made(kind: str, call: Callable[..., int], *arguments: Any) -> Any:
    """The pointer that a quick call makes in its last output."""
    out, error = ffi.new(kind + " **"), new_error()
    check(call(*arguments, out, error), error)
    return out[0]


ProgressCallback = Callable[[Progress], Optional[bool]]


class _Callbacks:
    """What the library calls back; apart from the context, which it must not keep alive."""

    def __init__(self, progress: Optional[ProgressCallback]) -> None:
        self.progress = progress
        self.failure: Optional[BaseException] = None


class Context:
    """The surroundings of calls: threads, limits, progress, cancellation (cflr/context.h)."""

    def __init__(self, threads: int = 0, memory_limit: int = 0, time_limit: float = 0,
                 progress: Optional[ProgressCallback] = None) -> None:
        options = ffi.new("cflr_context_opts *")
        lib.cflr_context_opts_init(options)
        options.threads, options.memory_limit = threads, memory_limit
        options.time_limit = time_limit
        self._callbacks = _Callbacks(progress)
        handle = ffi.new_handle(self._callbacks)
        if progress:
            options.user, options.progress = handle, lib.cflr_python_progress
        self.pointer = own(made("cflr_context", lib.cflr_context_new, options),
                           lib.cflr_context_free, handle, self._callbacks)

    def make(self, kind: str, free: Callable[[Any], None], call: Callable[..., int],
             *arguments: Any, fine: tuple = ()) -> Any:
        """The pointer that a long call makes in its last output; a status that is `fine` may come
        with one. An exception of the callback, and an interrupt, are raised."""
        out, error = ffi.new(kind + " **"), new_error()
        try:
            status = self._interruptible(lambda: call(*arguments, out, error))
            failure, self._callbacks.failure = self._callbacks.failure, None
            if failure:
                raise failure
            check(status, error, *(fine if out[0] else ()))
        except BaseException:
            free(out[0])  # NULL is nothing
            raise
        return out[0]

    def call(self, call: Callable[..., int], *arguments: Any) -> None:
        """A long call that makes nothing."""
        error = new_error()
        check(self._interruptible(lambda: call(*arguments, error)), error)

    def _interruptible(self, call: Callable[[], int]) -> int:
        if threading.current_thread() is not threading.main_thread():
            return call()  # signals come to the main thread
        done = threading.Event()
        answer: list = []

        def work() -> None:
            try:
                answer.append(call())
            except BaseException as failure:
                answer.append(failure)
            finally:
                done.set()

        worker, interrupt = threading.Thread(target=work, name="cflr"), None
        while not done.is_set():
            try:
                if interrupt:
                    lib.cflr_context_cancel(self.pointer)
                elif worker.ident is None:
                    worker.start()
                if not done.wait(1) and not worker.is_alive():
                    break  # the interrupt came before the thread was there
            except BaseException as caught:  # whatever a handler of signals raises
                interrupt = caught
        failure = interrupt or answer[0]
        if isinstance(failure, BaseException):
            raise failure
        return failure


@ffi.def_extern(error=False)
def cflr_python_progress(user: Any, progress: Any) -> bool:
    """Anything but False goes on. An exception cancels, and is raised by the call."""
    callbacks = ffi.from_handle(user)
    try:
        told = Progress(text(progress.phase), progress.done, progress.total, progress.memory,
                        progress.seconds)
        return callbacks.progress(told) is not False
    except BaseException as failure:
        callbacks.failure = failure
        return False


def number_of(value: Any, what: str) -> int:
    """A 32-bit number, which a vertex is."""
    number = int(value)
    if not 0 <= number < NO_VERTEX:
        raise ValueError(f"{number} is no {what}")
    return number


def words(values: Any) -> tuple[Any, int, list]:
    """Strings as an array of the library, their number, and what must live meanwhile."""
    if isinstance(values, (str, bytes)):
        raise TypeError("a list of strings is expected, not one string")
    kept = [ffi.new("char[]", encoded(value)) for value in values or ()]
    return ffi.new("const char *[]", kept or 1), len(kept), kept


def encoded(value: Any) -> bytes:
    """A string, or a path, as the library reads it."""
    return os.fsencode(value)


class Through(enum.IntEnum):
    """By whose doing two pointers may alias (cflr_through).

    NOTHING, no, is false. LOST and UNANSWERED, which are true, are unknown: a value is not
    followed, or the result does not say, because it is partial or of another question.
    """

    NOTHING = lib.CFLR_THROUGH_NOTHING
    PROGRAM = lib.CFLR_THROUGH_PROGRAM
    CALLER = lib.CFLR_THROUGH_CALLER
    UNKNOWN = lib.CFLR_THROUGH_UNKNOWN
    LOST = lib.CFLR_THROUGH_LOST
    UNANSWERED = lib.CFLR_THROUGH_UNANSWERED
