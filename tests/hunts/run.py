"""`python -m tests.hunts.run [HUNT]`: looks for what the tests do not know yet, in new inputs, as `make hunt` does.

The hunts are `properties`, which tries each property of the tests with many inputs, and the scripts beside this file.
One by one, where none is named. `--seed N` repeats `fuzz`, `late` and `soak`; `--times N` makes these so many times as
long. Ends with status 1 if one of them found something: that becomes a fixed example beside the test that it breaks.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import randrange
from typing import Final

from tests.properties import HUNT

FOLDER: Final = Path(__file__).parent
MOST: Final = 1 << 30
"""Seeds are below that."""


def hunts(seed: int, times: int) -> Mapping[str, Sequence[str]]:
    """What Python is called with for each of the hunts, by name."""
    workers = os.environ.get("WORKERS", "2")
    properties = ["pytest", "-q", "-n", workers, "-m", "hypothesis or hunted", f"--hypothesis-profile={HUNT}"]
    scripts = sorted(path.stem for path in FOLDER.glob("*.py") if path != Path(__file__))
    return {
        "properties": properties,
        "fuzz": ["tests.hunts.fuzz.run", "--count", str(5000 * times), "--first", str(seed)],
        "soak": ["tests.hunts.soak.run", "--count", str(5000 * times), "--seed", str(seed)],
        **{name: [f"tests.hunts.{name}"] for name in scripts},
        "late": ["tests.hunts.late", "--count", str(3 * times), "--seed", str(seed)],
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("hunts", nargs="*", metavar="HUNT", help=", ".join(hunts(0, 1)))
    parser.add_argument("--seed", type=int, default=randrange(MOST))
    parser.add_argument("--times", type=int, default=1)
    options = parser.parse_args()
    known = hunts(options.seed, options.times)
    for name in options.hunts:
        if name not in known:
            parser.error(f"{name!r} is none of {', '.join(known)}")
    print(f"the seed is {options.seed}", flush=True)
    failed: list[str] = []
    for name in options.hunts or known:
        print(f"\n{name}: python -m {' '.join(known[name])}", flush=True)
        if subprocess.run([sys.executable, "-m", *known[name]], check=False).returncode:
            failed.append(name)
    print(f"\nfound something: {', '.join(failed) or 'none'}")
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main())
