"""`python -m tests.hunts.fuzz.run`: mutated buffers, opened and edited, in all processors; the longer, the better.

`--count N` buffers from seed `--first N` on, over the examples and, where they are at hand, the pieces of MLIR's own
tests. Prints how many differ from a fresh reading or raise, with their seeds, how long the longest step took, the
longest slice of one, during which the server would answer nobody, and the longest step that the server leaves to the
process beside it.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import sys
import traceback
from functools import cache

from fathom.context import Context
from fathom_server.session.collector import configure_collector
from tests.hunts.fuzz.buffers import corpus
from tests.hunts.fuzz.check import Report, check_buffer
from tests.suite.source import NoSource, mlir_source

BATCH = 50
"""So many buffers share what is learned of their texts."""


@cache
def texts() -> list[str]:
    try:
        return corpus(mlir_source() / "test")
    except NoSource:
        return corpus(None)


def run_batch(first: int) -> Report:
    """Checks some buffers one after the other, in one context."""
    report, context = Report(), Context()
    configure_collector()
    for seed in range(first, first + BATCH):
        try:
            check_buffer(texts(), seed, context, report)
        except Exception as problem:
            report.failures.append(f"{seed}: {''.join(traceback.format_exception(problem, limit=-6))[-3000:]}")
    return report


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--first", type=int, default=0)
    options = parser.parse_args()
    total = Report()
    seeds = range(options.first, options.first + options.count, BATCH)
    with multiprocessing.get_context("spawn").Pool(os.cpu_count(), maxtasksperchild=20) as pool:
        for report in pool.imap_unordered(run_batch, seeds):
            total.buffers += report.buffers
            total.edits += report.edits
            total.slowest = max(total.slowest, report.slowest)
            total.slowest_slice = max(total.slowest_slice, report.slowest_slice)
            total.slowest_beside = max(total.slowest_beside, report.slowest_beside)
            total.failures += report.failures
            print(f"\r{total.buffers} of {options.count}", end="", file=sys.stderr, flush=True)
            for failure in report.failures:
                print(failure.encode("ascii", "backslashreplace").decode("ascii"), flush=True)
    print(file=sys.stderr)
    print(f"{total.buffers} buffers, {total.edits} edits, {len(total.failures)} failures; ", end="")
    print(f"the longest step took {total.slowest[0]:.2f} s (seed {total.slowest[1]}), ", end="")
    print(f"the longest slice of one {total.slowest_slice[0]:.2f} s (seed {total.slowest_slice[1]}), ", end="")
    print(f"the longest beside the server {total.slowest_beside[0]:.2f} s (seed {total.slowest_beside[1]})")
    return bool(total.failures)


if __name__ == "__main__":
    sys.exit(main())
