"""A command of Fathom in a process of its own that may write to one folder only; `session/testing.py` starts it.

python -P -m fathom_server.session.tool FOLDER MEMORY SECONDS opt ARGUMENTS...
"""

from __future__ import annotations

import contextlib
import sys

from fathom import cli
from fathom.execution import containment


def main() -> None:
    """Limits this process, and is the command line from then on. It runs contained programs only."""
    containment.require()
    folder, memory, seconds = sys.argv[1:4]
    del sys.argv[1:4]
    contain(folder, int(memory), int(seconds))
    cli.entry()


def contain(folder: str, memory: int, seconds: int) -> None:
    """Limits the memory and the time of the processor, and, where the kernel can, what may be written."""
    if sys.platform == "win32":
        return
    import resource

    for limit, most in ((resource.RLIMIT_AS, memory), (resource.RLIMIT_CPU, seconds), (resource.RLIMIT_CORE, 0)):
        _, hard = resource.getrlimit(limit)
        wanted = most if hard == resource.RLIM_INFINITY else min(most, hard)
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(limit, (wanted, hard))
    if sys.platform != "linux":
        return
    from fathom.execution.containment import kernel, landlock

    with contextlib.suppress(OSError):
        kernel.give_up_privileges()
        # The worker of `fathom run` is another process, which contains the program itself.
        landlock.restrict((folder, "/dev/null"), executes=True)


if __name__ == "__main__":
    main()
