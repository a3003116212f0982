"""Work that `fathom opt` divides over processes, played in a process that no thread stands beside."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

import pytest

ROOT: Final = Path(__file__).parents[1]

forked = pytest.mark.skipif(
    not hasattr(os, "sched_getaffinity") or len(os.sched_getaffinity(0)) < 2, reason="there is one processor"
)


def played(program: str, text: str, *arguments: str) -> Any:
    """What a program answers, as JSON, to a text and arguments."""
    given = json.dumps([text, *arguments])
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, cwd=ROOT, input=given, stdout=subprocess.PIPE, text=True, check=True)
    return json.loads(done.stdout)
