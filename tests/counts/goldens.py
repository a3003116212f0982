"""The counts that are kept: `python -m tests.update_goldens counts`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

KEPT: Final = Path(__file__).parent / "counts.json"
VERSION: Final = f"{sys.version_info.major}.{sys.version_info.minor}"
"""What is one call in a version of Python is none in another."""


def kept() -> dict[str, dict[str, int]]:
    """The counts that are kept, by the version of Python."""
    return json.loads(KEPT.read_text(encoding="utf-8")) if KEPT.exists() else {}


def counted() -> dict[str, int]:
    """What each piece of work costs now."""
    environment = {**os.environ, "PYTHONHASHSEED": "0"}
    command = [sys.executable, "-m", "tests.counts.measures"]
    done = subprocess.run(command, env=environment, cwd=KEPT.parents[2], check=True, stdout=subprocess.PIPE, text=True)
    return json.loads(done.stdout)


def goldens() -> Iterator[tuple[Path, str]]:
    yield KEPT, f"{json.dumps(kept() | {VERSION: counted()}, indent=2)}\n"
