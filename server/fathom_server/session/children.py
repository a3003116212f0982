"""Processes that the server starts and that have its own code: those beside it, and the tools that it calls."""

from __future__ import annotations

import asyncio
import os
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Coroutine
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import fathom
import fathom_server

_ENDING: Final = 0.2
"""Seconds that a process whose start was given up has to end."""


def environment(**more: str) -> dict[str, str]:
    """The environment of the server, in which Python finds the packages that it consists of, with what else is said."""
    roots = {str(Path(package.__file__ or "").parents[1]): None for package in (fathom, fathom_server)}
    paths = [*roots, *filter(None, [os.environ.get("PYTHONPATH")])]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths), **more}


async def begun(starting: Coroutine[Any, Any, Process]) -> Process:
    """A process that is being started; where nobody waits for it any more, it is ended. Raises OSError."""
    task = asyncio.ensure_future(starting)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        # Whoever is cancelled while a process starts ends it, and waits for its pipes. In Python 3.11 that is for ever
        # where the task that opens the pipes is cancelled as well, as at the end of a loop: hence more than once.
        while not task.done():
            task.cancel()
            await asyncio.wait([task], timeout=_ENDING)
        if not task.cancelled() and task.exception() is None:
            end(task.result())
        raise


async def started(module: str, limit: int = 1 << 16, **more: str) -> Process:
    """A process that runs a module. What it writes waits in a buffer of so many bytes. Raises OSError."""
    # Without -P, a json.py in the folder that is being edited would be imported, that is, run.
    return await begun(
        asyncio.create_subprocess_exec(
            sys.executable,
            "-P",
            "-m",
            module,
            stdin=PIPE,
            stdout=PIPE,
            stderr=DEVNULL,
            limit=limit,
            env=environment(**more),
            start_new_session=True,
        )
    )


def end(process: Process) -> None:
    """Ends a process at once."""
    if process.stdin is not None:
        process.stdin.close()
    if process.returncode is None:
        with suppress(ProcessLookupError):
            process.kill()
