"""Landlock: a process gives up rights to files, networks and signals for itself and all that it starts.

Source: the kernel's documentation, *Landlock: unprivileged access control* (userspace-api/landlock).
"""

from __future__ import annotations

import ctypes
import os
from typing import Final

from fathom.execution.containment.kernel import checked, library

_CREATE_RULESET, _RESTRICT_SELF = 444, 446
"""The numbers of the system calls, which are the same on all machines."""
_VERSION: Final = 1
"""The flag by which `landlock_create_ruleset` tells the version of the interface."""

_EXECUTE: Final = 1 << 0
_WRITE_FILE: Final = 1 << 1
_REMOVE_AND_MAKE: Final = sum(1 << bit for bit in range(4, 13))
_REFER, _TRUNCATE, _IOCTL_DEVICE = 1 << 13, 1 << 14, 1 << 15
_BIND_AND_CONNECT: Final = 0b11
_SOCKETS_AND_SIGNALS: Final = 0b11


class _Ruleset(ctypes.Structure):
    _fields_ = (("files", ctypes.c_uint64), ("network", ctypes.c_uint64), ("scoped", ctypes.c_uint64))


_SIZES: Final = {1: 8, 4: 16, 6: 24}
"""The size of the ruleset by the first version that has it."""


def version() -> int:
    """The version of the interface that the kernel has. Raises OSError if it has none."""
    return checked(library().syscall(_CREATE_RULESET, None, ctypes.c_size_t(0), ctypes.c_uint32(_VERSION)))


def restrict() -> None:
    """Give up all rights to change files, to run them, to use TCP, and to send signals and connect to processes
    outside, so far as the kernel's version knows them. Raises OSError if there is no Landlock."""
    known = version()
    files = _EXECUTE | _WRITE_FILE | _REMOVE_AND_MAKE
    for right, since in ((_REFER, 2), (_TRUNCATE, 3), (_IOCTL_DEVICE, 5)):
        files |= right if known >= since else 0
    ruleset = _Ruleset(files, _BIND_AND_CONNECT if known >= 4 else 0, _SOCKETS_AND_SIGNALS if known >= 6 else 0)
    size = max(size for since, size in _SIZES.items() if since <= known)
    calls = library()
    descriptor = checked(
        calls.syscall(_CREATE_RULESET, ctypes.byref(ruleset), ctypes.c_size_t(size), ctypes.c_uint32(0))
    )
    try:
        checked(calls.syscall(_RESTRICT_SELF, ctypes.c_int(descriptor), ctypes.c_uint32(0)))
    finally:
        os.close(descriptor)
