"""Limits that a process gives itself, where the system has such (`setrlimit`); elsewhere it goes on without."""

from __future__ import annotations

from contextlib import suppress


def limit(what: str, most: int) -> None:
    """Has this process use no more of something, by the name that getrlimit(2) has for it: `AS`, bytes of addresses;
    `CORE`, of an image that it leaves; `CPU`, seconds of processors. Who started the process may have it otherwise."""
    try:
        import resource
    except ImportError:
        return
    kind: int = getattr(resource, f"RLIMIT_{what}")
    with suppress(ValueError, OSError):
        resource.setrlimit(kind, (most, resource.getrlimit(kind)[1]))
