"""A filter of system calls, as a BPF program: what a program that computes needs is allowed, the rest refused.

What is known and not allowed raises SIGSYS, whose handler in the runtime notes it for the user, and then fails with
EPERM. What is not known fails with ENOSYS, as if the kernel were older: C libraries then fall back on what they used
before. Source: the kernel's documentation, *Seccomp BPF* (userspace-api/seccomp_filter), and seccomp(2).
"""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import struct
import sys
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Final

from fathom.execution.containment import kernel, system_calls
from fathom.records import record

_ARCHITECTURES: Final = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
"""How the kernel calls a machine (AUDIT_ARCH)."""
_NUMBER, _ARCHITECTURE, _ARGUMENTS = 0, 4, 16
"""Where they lie in `struct seccomp_data`."""
_LOAD, _JUMP_IF_EQUAL, _JUMP_IF_ANY, _RETURN = 0x20, 0x15, 0x45, 0x06

_ALLOW, _TRAP, _ERROR, _KILL = 0x7FFF0000, 0x00030000, 0x00050000, 0x80000000

_CLONE_THREAD: Final = 0x00010000
_NAMESPACES: Final = 0x7E020080
_O_TMPFILE: Final = 0o20000000
_WRITING: Final = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | _O_TMPFILE
_F_DUPFD_CLOEXEC: Final = 1030
_PR_SET_NAME, _PR_GET_NAME, _PR_SET_VMA = 15, 16, 0x53564D41


_INSTRUCTION: Final = struct.Struct("<HBBI")
_SOMEONE: Final = 0x7EADBEEF
"""What stands for the process in a filter that is made for any; no process has this number."""


class _Filter(ctypes.Structure):
    _fields_ = (("length", ctypes.c_uint16), ("instructions", ctypes.c_char_p))


_Step = tuple[int, int, int, int]


@record
class _Rule:
    """What an argument must be for a call to be allowed: one of these values, or with all bits of a mask clear or set.
    The kernel takes these arguments by their lower 32 bits, and so does the filter."""

    argument: int
    values: Sequence[int] = ()
    clear: int = 0
    set: int = 0
    otherwise: int = _TRAP

    def steps(self) -> list[_Step]:
        """Instructions that return."""
        steps: list[_Step] = [(_LOAD, 0, 0, _ARGUMENTS + 8 * self.argument)]
        no = (_RETURN, 0, 0, self.otherwise)
        if self.clear:
            steps += [(_JUMP_IF_ANY, 0, 1, self.clear), no]
        if self.set:
            steps += [(_JUMP_IF_ANY, 1, 0, self.set), no]
        if not self.values:
            return [*steps, (_RETURN, 0, 0, _ALLOW)]
        for value in self.values:
            steps += [(_JUMP_IF_EQUAL, 0, 1, value), (_RETURN, 0, 0, _ALLOW)]
        return [*steps, no]


def _rules(process: int) -> Mapping[str, _Rule]:
    """The rules of a process for the calls whose arguments decide."""
    import fcntl
    import termios

    # The others have the kernel send signals, or hold files that are not the program's own.
    duplicating = (fcntl.F_DUPFD, fcntl.F_GETFD, fcntl.F_SETFD, fcntl.F_GETFL, fcntl.F_SETFL, _F_DUPFD_CLOEXEC)
    reading = (termios.TCGETS, termios.TIOCGWINSZ, termios.FIONREAD, termios.FIOCLEX, termios.FIONCLEX, termios.FIONBIO)
    return {
        "open": _Rule(1, clear=_WRITING),
        "openat": _Rule(2, clear=_WRITING),
        "ioctl": _Rule(1, reading, otherwise=_ERROR | errno.ENOTTY),
        "fcntl": _Rule(1, duplicating, otherwise=_ERROR | errno.EPERM),
        "kill": _Rule(0, (process,)),
        "tgkill": _Rule(0, (process,)),
        "clone": _Rule(0, clear=_NAMESPACES, set=_CLONE_THREAD),
        "prlimit64": _Rule(0, (0,)),
        "prctl": _Rule(0, (_PR_SET_NAME, _PR_GET_NAME, _PR_SET_VMA), otherwise=_ERROR | errno.EPERM),
    }


def is_available() -> bool:
    """Whether there is a filter for this machine, and the kernel takes it."""
    return sys.platform == "linux" and system_calls.is_known_machine() and kernel.has_seccomp()


def install(process: int) -> None:
    """Filter the calls of this process, whose id is given, from now on. The process must have given up its privileges.
    Raises OSError where filters are not available."""
    if not is_available():
        raise OSError(errno.ENOSYS, f"no filters of system calls on {platform.machine()}")
    program = prepared().replace(struct.pack("<I", _SOMEONE), struct.pack("<I", process))
    kernel.set_filter(_Filter(len(program) // _INSTRUCTION.size, program))


@cache
def prepared() -> bytes:
    """The filter, but for the process that it is for. Whoever forks makes it once."""
    return b"".join(_INSTRUCTION.pack(*step) for step in _program(_SOMEONE))


def _program(process: int) -> list[_Step]:
    steps: list[_Step] = [
        (_LOAD, 0, 0, _ARCHITECTURE),
        (_JUMP_IF_EQUAL, 1, 0, _ARCHITECTURES[platform.machine()]),
        # The numbers mean other calls in the modes of other machines.
        (_RETURN, 0, 0, _KILL),
        (_LOAD, 0, 0, _NUMBER),
    ]
    for number in system_calls.needed().values():
        steps += [(_JUMP_IF_EQUAL, 0, 1, number), (_RETURN, 0, 0, _ALLOW)]
    rules = _rules(process)
    for name, number in system_calls.judged().items():
        judging = rules[name].steps()
        steps += [(_JUMP_IF_EQUAL, 0, len(judging), number), *judging]
    for number in system_calls.refused().values():
        steps += [(_JUMP_IF_EQUAL, 0, 1, number), (_RETURN, 0, 0, _TRAP)]
    return [*steps, (_RETURN, 0, 0, _ERROR | errno.ENOSYS)]
