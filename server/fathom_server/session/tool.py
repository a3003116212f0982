"""A command of Fathom in a process of its own that may write to one folder only; `session/testing.py` starts it.

python -P -m fathom_server.session.tool FOLDER MEMORY SECONDS opt ARGUMENTS...
"""

from __future__ import annotations

import contextlib
import sys

from fathom import cli
from fathom.execution import containment
from fathom.execution.containment.limits import limit


def main() -> None:
    """Limits this process, and is the command line from then on. It runs contained programs only."""
    containment.require()
    folder, memory, seconds = sys.argv[1:4]
    del sys.argv[1:4]
    contain(folder, int(memory), int(seconds))
    cli.entry()


def contain(folder: str, memory: int, seconds: int) -> None:
    """Limits the memory and the time of the processor, and, where the kernel can, what may be written."""
    for what, most in (("AS", memory), ("CPU", seconds), ("CORE", 0)):
        limit(what, most)
    if sys.platform != "linux":
        return
    from fathom.execution.containment import kernel, landlock

    with contextlib.suppress(OSError):
        kernel.give_up_privileges()
        # The worker of `fathom run` is another process, which contains the program itself.
        landlock.restrict((folder, "/dev/null"), executes=True)


if __name__ == "__main__":
    main()
