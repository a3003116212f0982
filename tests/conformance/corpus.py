"""A corpus that nobody here wrote: the MLIR files of xDSL's source archive, fetched from the package index, cut into
pieces, and never committed."""

from __future__ import annotations

import re
import subprocess
import sys
import tarfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CACHE = ROOT / "build" / "conformance"
"""What is fetched and what the oracle said; `make clean` removes it."""

VERSION = "0.74.0"
_SEPARATOR = re.compile(r"^// -----.*\n?", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Piece:
    """A text between two lines `// -----`, named by its file in the archive and its number there."""

    name: str
    text: str


def fetch() -> Path:
    """The path of the archive, downloaded if it is not there yet."""
    archive = CACHE / f"xdsl-{VERSION}.tar.gz"
    if not archive.exists():
        CACHE.mkdir(parents=True, exist_ok=True)
        download = ["download", "--quiet", "--no-deps", "--no-binary=xdsl", f"--dest={CACHE}", f"xdsl=={VERSION}"]
        subprocess.run([sys.executable, "-m", "pip", *download], check=True)
    return archive


def split(name: str, text: str) -> list[Piece]:
    """The pieces of a file, as `--split-input-file` cuts it; those with nothing but comments are left out."""
    parts = _SEPARATOR.split(text)
    return [Piece(f"{name}#{number}", part) for number, part in enumerate(parts) if _has_code(part)]


def _has_code(text: str) -> bool:
    return any(line.strip() and not line.lstrip().startswith("//") for line in text.split("\n"))


def pieces() -> tuple[int, list[Piece]]:
    """How many files there are, and all pieces of them, in the order of the files' names."""
    files = 0
    all_pieces: list[Piece] = []
    with tarfile.open(fetch()) as archive:
        for member in sorted(archive.getmembers(), key=lambda member: member.name):
            if not member.isfile() or not member.name.endswith(".mlir"):
                continue
            content = archive.extractfile(member)
            assert content is not None
            files += 1
            all_pieces.extend(split(member.name.partition("/")[2], content.read().decode("utf-8", "replace")))
    return files, all_pieces
