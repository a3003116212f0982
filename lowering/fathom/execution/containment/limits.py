"""Limits that a process gives itself, where the system has such (`setrlimit`); elsewhere it goes on without."""

from __future__ import annotations

from contextlib import suppress


def limit(what: str, most: int, *, for_good: bool = False) -> None:
    """Has this process use no more of something, by the name that getrlimit(2) has for it: `AS`, bytes of addresses;
    `CORE`, of an image that it leaves; `CPU`, seconds of processors; `FSIZE`, bytes of a file that it writes.
    Who started the process may have it otherwise. What is limited `for_good`, the process cannot raise again."""
    try:
        import resource
    except ImportError:
        return
    kind: int = getattr(resource, f"RLIMIT_{what}")
    with suppress(ValueError, OSError):
        _, hard = resource.getrlimit(kind)
        wanted = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(kind, (wanted, wanted if for_good else hard))
