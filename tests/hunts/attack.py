"""`python -m tests.hunts.attack [WORDS]`: texts of a few lines that stand for much, opened in the real server.

Every request is sent at several places while a hover on another document is timed. Prints for each text the worst of
these hovers, the most memory of the server and of a process beside it, and what went wrong. `--inputs FILE` takes the
texts of a Python module that has `INPUTS`, a dictionary of texts by name.
"""

from __future__ import annotations

import argparse
import resource
import runpy
import statistics
import sys
from pathlib import Path

from tests.server.client import COMMAND
from tests.server.every_question import Asking, warm_server

LIMIT = 6 << 30
"""Bytes of address space that the server, and each process beside it, may take."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("words", nargs="*", help="only texts with one of these in their names")
    parser.add_argument("--inputs", type=Path)
    parser.add_argument("--patience", type=float, default=100.0, help="seconds to wait for an answer")
    options = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_AS, (LIMIT, LIMIT))
    inputs: dict[str, str] = runpy.run_path(str(options.inputs))["INPUTS"]
    print(f"{'':<60}{'hover':>8}{'worst':>8} {'server':>9}{'beside':>9}  computed   longest")
    for name, text in inputs.items():
        if options.words and not any(word in name for word in options.words):
            continue
        with warm_server(COMMAND) as client:
            borne = Asking(client, name.replace("/", " "), text, options.patience).all()
        median, worst = statistics.median(borne.hovers) * 1000, max(borne.hovers) * 1000
        sizes = f"{borne.server >> 20:>6} MB{borne.beside >> 20:>6} MB"
        longest = f"{borne.longest / 1e6:.1f} MB {borne.longest_of}"
        print(f"{name[:59]:<60}{median:>5.0f} ms{worst:>5.0f} ms {sizes}{borne.computed:>8.1f} s   {longest}")
        if worst > 500:
            print(f"    waited while: {borne.slowest[:150]}")
        for each in dict.fromkeys(borne.refused):
            print(f"    {each[:300]}")
        sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
