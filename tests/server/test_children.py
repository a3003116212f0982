"""Processes that the server starts: none is left, and nothing hangs, where who starts one is cancelled meanwhile."""

from __future__ import annotations

import subprocess
import sys
from typing import Final

import pytest

from tests.patience import PATIENCE
from tests.server.client import ROOT

PROGRAM: Final = """\
import asyncio, os, sys
from fathom_server.session import children
from tests.processes import descendants

async def main(steps, is_given_up):
    starting = asyncio.ensure_future(children.started("http.server"))
    for _ in range(steps):
        await asyncio.sleep(0)
    if is_given_up:
        starting.cancel()
        await asyncio.wait([starting])
        if not starting.cancelled():
            children.end(starting.result())

steps, is_given_up = map(int, sys.argv[1:])
asyncio.run(main(steps, is_given_up))
while descendants(os.getpid()):
    pass
print("over")
"""


@pytest.mark.skipif(sys.platform != "linux", reason="processes are looked up in /proc")
@pytest.mark.parametrize("steps", range(8))
@pytest.mark.parametrize("is_given_up", [False, True])
def test_a_start_that_is_given_up(steps: int, is_given_up: bool) -> None:
    """The loop goes on for a number of steps, and then it ends, or the start is given up before."""
    command = [sys.executable, "-c", PROGRAM, str(steps), str(int(is_given_up))]
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, timeout=PATIENCE, check=True)
    assert done.stdout == "over\n"
