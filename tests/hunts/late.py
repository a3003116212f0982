"""`python -m tests.hunts.late [SESSION…] [--seed N] [--count N]`: the pages of `fathom explore`, slow, and told late of
what the server says.

The sessions of `tests/clients/explore` are played with so many seeds. None of their checks may fail of that: one that
does waits for something else than what it is about, or the page shows an answer that is not wanted any more.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from tests.clients.test_explore import ABOUT, driven

SLOW: Final = ("documents",)
"""The sessions that are played when they are named only: they take a quarter of an hour."""


def failed(session: str, seed: int) -> dict[str, str]:
    """The checks of a session that fail with a seed, each with what was wrong."""
    with TemporaryDirectory() as folder:
        results: dict[str, str] = json.loads(driven(session, Path(folder), late=seed).stdout)
    return {name: result for name, result in results.items() if result != "ok"}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sessions", nargs="*", metavar="SESSION", help=", ".join(ABOUT))
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=1)
    options = parser.parse_args()
    for session in options.sessions:
        if session not in ABOUT:
            parser.error(f"{session!r} is none of {', '.join(ABOUT)}")
    is_bad = False
    for seed in range(options.seed, options.seed + options.count):
        for session in options.sessions or [each for each in ABOUT if each not in SLOW]:
            wrong = failed(session, seed)
            is_bad |= bool(wrong)
            print(f"{session}, seed {seed}: {len(wrong)} failed", flush=True)
            for name, problem in wrong.items():
                print(f"  {name}\n    {problem.replace(chr(10), chr(10) + '    ')}", flush=True)
    return is_bad


if __name__ == "__main__":
    sys.exit(main())
