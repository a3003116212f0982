"""The system calls of Linux that Python has no function for, as functions that raise OSError.

Sources: the manual pages prctl(2), capabilities(7), unshare(2) and user_namespaces(7).
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from pathlib import Path
from typing import Final

_PR_SET_PDEATHSIG: Final = 1
_PR_SET_SECCOMP: Final = 22
_PR_GET_SECCOMP: Final = 21
_PR_SET_CHILD_SUBREAPER: Final = 36
_PR_SET_NO_NEW_PRIVS: Final = 38
_SECCOMP_MODE_FILTER: Final = 2
_CAPABILITY_VERSION: Final = 0x20080522
_CLONE_NEWUSER: Final = 0x10000000
_CLONE_NEWPID: Final = 0x20000000


def checked(result: int) -> int:
    """What a function of the C library returned, unless that says that it failed."""
    if result == -1:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return result


def library() -> ctypes.CDLL:
    """The C library."""
    return ctypes.CDLL(None, use_errno=True)


def prctl(option: int, argument: int = 0, pointer: object = None) -> int:
    """The result of the system call, given a number and a pointer."""
    rest = ctypes.c_ulong(0) if pointer is None else pointer
    zero = ctypes.c_ulong(0)
    return checked(library().prctl(option, ctypes.c_ulong(argument), rest, zero, zero))


def die_with_parent(parent: int) -> None:
    """Have the kernel kill this process when the thread that forked it is gone. `parent` is its process, as this one
    sees it: 0 from inside a PID namespace."""
    if sys.platform != "linux":
        return
    prctl(_PR_SET_PDEATHSIG, int(signal.SIGKILL))
    if os.getppid() != parent:
        os._exit(1)


def adopt_orphans() -> None:
    """Become the parent of all descendants whose own parent ends."""
    if sys.platform == "linux":
        prctl(_PR_SET_CHILD_SUBREAPER, 1)


def give_up_privileges() -> None:
    """Gain none by running other programs, and lose the capabilities that this process has, as those of root."""
    prctl(_PR_SET_NO_NEW_PRIVS, 1)
    header = (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION, 0)
    nothing = (ctypes.c_uint32 * 6)()
    checked(library().capset(ctypes.byref(header), ctypes.byref(nothing)))


def has_seccomp() -> bool:
    """Whether the kernel knows filters of system calls."""
    try:
        return prctl(_PR_GET_SECCOMP) in (0, _SECCOMP_MODE_FILTER)
    except OSError:
        return False


def set_filter(program: ctypes.Structure) -> None:
    """Filter the system calls of this thread, and of all that it starts, by a BPF program."""
    prctl(_PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, ctypes.byref(program))


def enter_pid_namespace() -> bool:
    """Have the next child of this process be the first one of a PID namespace, whose end all in it share. Whether it
    is allowed; a user without privileges needs a user namespace for it, in which the user stays who it is."""
    if sys.platform != "linux":
        return False
    unshare = library().unshare
    if unshare(_CLONE_NEWPID) == 0:
        return True
    user, group = os.getuid(), os.getgid()
    if unshare(_CLONE_NEWUSER | _CLONE_NEWPID) != 0:
        return False
    own = Path("/proc/self")
    try:
        (own / "setgroups").write_text("deny", encoding="ascii")
        (own / "uid_map").write_text(f"{user} {user} 1", encoding="ascii")
        (own / "gid_map").write_text(f"{group} {group} 1", encoding="ascii")
    except OSError:
        # The namespace is there, and the user is nobody in it.
        pass
    return True
