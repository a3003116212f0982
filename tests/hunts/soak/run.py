"""`python -m tests.hunts.soak.run`: a long session with the real server; the longer, the better.

`--count N` random edits and requests, with the seed `--seed N`, on pieces of MLIR's own tests where they are at hand.
Prints what went wrong, how many answers were compared with those of a fresh server, and how memory went.
"""

from __future__ import annotations

import argparse
import sys
from random import Random

from tests.hunts.fuzz.buffers import corpus
from tests.hunts.soak.session import Soak
from tests.suite.source import NoSource, mlir_source


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    try:
        texts = corpus(mlir_source() / "test")
    except NoSource:
        texts = corpus(None)
    outcome = Soak(Random(options.seed).sample(texts, min(len(texts), 200)), options.seed).run(options.count)
    for failure in outcome.failures:
        print(failure.encode("ascii", "backslashreplace").decode("ascii"))
    print(f"{outcome.steps} steps, {outcome.answers.total()} answers, {outcome.compared} of them compared")
    print(", ".join(f"{method} {count}" for method, count in outcome.answers.most_common()))
    print("memory at rest:", ", ".join(f"{size:.0f}" for size in outcome.memory), "MB")
    print(f"{len(outcome.failures)} failures")
    return bool(outcome.failures)


if __name__ == "__main__":
    sys.exit(main())
