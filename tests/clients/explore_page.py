"""The page of `fathom explore`, built where it is not, and servers that give it."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from fcntl import LOCK_EX, flock
from pathlib import Path
from typing import Final

from fathom_server.explore.page import FOLDER, START
from tests.clients.test_vscode import run
from tests.oracles import require_program
from tests.server.client import environment

REPOSITORY: Final = Path(__file__).resolve().parents[2]
SOURCES: Final = REPOSITORY / "explore"
ADDRESS: Final = re.compile(r"http://\S+")


def build() -> None:
    """Has the page built, unless it is newer than all that it is made of."""
    require_program("npm")
    lock = REPOSITORY / "build" / "page.lock"
    lock.parent.mkdir(exist_ok=True)
    with lock.open("w") as held:
        flock(held, LOCK_EX)
        made = FOLDER / START
        folders = ("vscode-client/src", "vscode-client/webview", "lowering/fathom/recording/page")
        shared = [REPOSITORY / folder for folder in folders]
        of = [*SOURCES.glob("*.json"), *(file for folder in (SOURCES / "src", *shared) for file in folder.iterdir())]
        if not (SOURCES / "node_modules" / "playwright-core").is_dir():
            run(["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"], SOURCES)
        if not made.exists() or made.stat().st_mtime < max(file.stat().st_mtime for file in of):
            run(["npm", "run", "--silent", "build"], SOURCES)


@contextmanager
def explored(file: Path, *flags: str) -> Iterator[str]:
    """The address of the page about a file, while a server gives it."""
    command = [sys.executable, "-m", "fathom.cli", "explore", str(file), "--browser=false", *flags]
    with subprocess.Popen(
        command, env={**os.environ, **environment()}, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, encoding="utf-8"
    ) as process:
        try:
            assert process.stderr is not None
            said = process.stderr.readline()
            found = ADDRESS.search(said)
            assert found is not None, said
            yield found[0]
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(timeout=60)
