"""Landlock: a process gives up rights to files, networks and signals for itself and all that it starts.

Source: the kernel's documentation, *Landlock: unprivileged access control* (userspace-api/landlock).
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from fathom.execution.containment.kernel import checked, library

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
"""The numbers of the system calls, which are the same on all machines."""
_VERSION: Final = 1
"""The flag by which `landlock_create_ruleset` tells the version of the interface."""

_EXECUTE: Final = 1 << 0
_WRITE_FILE: Final = 1 << 1
_REMOVE_AND_MAKE: Final = sum(1 << bit for bit in range(4, 13))
_REFER, _TRUNCATE, _IOCTL_DEVICE = 1 << 13, 1 << 14, 1 << 15
_OF_FILES: Final = _WRITE_FILE | _TRUNCATE | _IOCTL_DEVICE
"""The rights that there are to something that is no folder."""
_BENEATH: Final = 1
"""The kind of rule that is about a file, or a folder and all in it."""
_BIND_AND_CONNECT: Final = 0b11
_SOCKETS_AND_SIGNALS: Final = 0b11


class _Ruleset(ctypes.Structure):
    _fields_ = (("files", ctypes.c_uint64), ("network", ctypes.c_uint64), ("scoped", ctypes.c_uint64))


class _Beneath(ctypes.Structure):
    _pack_ = 1
    _fields_ = (("rights", ctypes.c_uint64), ("descriptor", ctypes.c_int32))


_SIZES: Final = {1: 8, 4: 16, 6: 24}
"""The size of the ruleset by the first version that has it."""


def version() -> int:
    """The version of the interface that the kernel has. Raises OSError if it has none."""
    return checked(library().syscall(_CREATE_RULESET, None, ctypes.c_size_t(0), ctypes.c_uint32(_VERSION)))


def restrict(writable: Iterable[str] = (), *, executes: bool = False) -> None:
    """Give up all rights to change files but these, and those in these folders; to run files, unless it `executes`; to
    use TCP; and to send signals and connect to processes outside; so far as the kernel's version knows them. Raises
    OSError if there is no Landlock."""
    known = version()
    files = _WRITE_FILE | _REMOVE_AND_MAKE | (0 if executes else _EXECUTE)
    for right, since in ((_REFER, 2), (_TRUNCATE, 3), (_IOCTL_DEVICE, 5)):
        files |= right if known >= since else 0
    ruleset = _Ruleset(files, _BIND_AND_CONNECT if known >= 4 else 0, _SOCKETS_AND_SIGNALS if known >= 6 else 0)
    size = max(size for since, size in _SIZES.items() if since <= known)
    calls = library()
    descriptor = checked(
        calls.syscall(_CREATE_RULESET, ctypes.byref(ruleset), ctypes.c_size_t(size), ctypes.c_uint32(0))
    )
    try:
        for path in writable:
            _allow(descriptor, path, files & ~_EXECUTE)
        checked(calls.syscall(_RESTRICT_SELF, ctypes.c_int(descriptor), ctypes.c_uint32(0)))
    finally:
        os.close(descriptor)


def _allow(ruleset: int, path: str, rights: int) -> None:
    """Have a ruleset leave the rights to a file, or to a folder and all in it."""
    place = os.open(path, os.O_PATH | os.O_CLOEXEC)
    try:
        rule = _Beneath(rights if Path(path).is_dir() else rights & _OF_FILES, place)
        arguments = ctypes.c_int(ruleset), ctypes.c_int(_BENEATH), ctypes.byref(rule), ctypes.c_uint32(0)
        checked(library().syscall(_ADD_RULE, *arguments))
    finally:
        os.close(place)
