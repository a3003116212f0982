"""Rewrites expected outputs: `python -m tests.update_goldens [area ...]`.

An area is a folder of tests with a module `goldens.py`, whose function `goldens()` yields for each file its path and
what must stand in it: what the real MLIR 22 tools say, or for the features of the server their own answers. Read the
diff before it is committed.
"""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

TESTS = Path(__file__).resolve().parent


def areas() -> list[str]:
    """The folders of tests that have goldens of an oracle."""
    return sorted(module.parent.name for module in TESTS.glob("*/goldens.py"))


def update(area: str) -> int:
    """Rewrite the goldens of one area; the number of files whose text changed."""
    changed = 0
    module = importlib.import_module(f"tests.{area}.goldens")
    for path, text in module.goldens():
        if path.exists() and path.read_text(encoding="utf-8") == text:
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        print(f"wrote {path.relative_to(TESTS.parent)}")
        changed += 1
    return changed


def main(chosen: list[str]) -> None:
    changed = sum(update(area) for area in chosen or areas())
    print(f"{changed} goldens changed")


if __name__ == "__main__":
    main(sys.argv[1:])
