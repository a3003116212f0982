"""`python -m tests.hunts.runner [COUNT [START]]`: so many generated programs, run by mlir-runner and by
`fathom.compile`: all results, and what became of the memrefs, bit for bit. Ends with status 1 if something differs."""

from __future__ import annotations

import sys
from typing import Final

from tests.generated.by_runner import Tally, compare, generated

COUNT: Final = 5000
SHOWN: Final = 5
"""So many differences are printed whole."""


def main() -> int:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else COUNT
    start = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    tally = Tally()
    for programs in generated(count, start):
        compare(programs, tally)
        print(f"\r{tally.equal} equal, {len(tally.differences)} not", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    for difference in tally.differences[:SHOWN]:
        print(f"{difference.text}\n// {difference.what}\n")
    print(
        f"{tally.equal} programs give the same {tally.numbers} numbers by mlir-runner and by Fathom, "
        f"{len(tally.differences)} do not"
    )
    return int(bool(tally.differences))


if __name__ == "__main__":
    sys.exit(main())
