"""`make editions-modernised`: the pieces of the suites of older releases, modernised, before mlir-opt 22, and the
figures into `docs/editions.md`.

`python -m tests.editions.modernised [EDITION…] [--only Dialect/LLVMIR] [--every K] [--show N]`: with editions those
alone; with `--only` the files whose path contains the text; with `--every` each K-th file; with `--show` the N
commonest reasons. Only a run over everything is written down.

A piece counts if its release's mlir-opt accepts it, over the dialects of `ROAD` (`tests.editions.pieces`), and Fathom
reads it in its edition. One of which something has no counterpart in MLIR 22 is told apart: what a diagnostic says is
gone, and what MLIR 22 itself refuses to verify.
"""

from __future__ import annotations

import argparse
import itertools
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from fathom.context import context_of, default_context
from fathom.diagnostics import MODERNISE, NO_COUNTERPART
from fathom.editions.edition import OLDER
from fathom.modernising.engine import modernised
from tests.conformance.compare import normalise
from tests.conformance.page import share
from tests.conformance.workers import run
from tests.editions.page import write
from tests.editions.pieces import ROAD, SOURCES, dialects_of, registered, source_of, takes_unregistered, tool_of
from tests.oracles import find_tool
from tests.suite.answers import ALLOW, Piece, answers, errors_in, split
from tests.suite.pieces import has_code

NOT_READ = "not read"
GONE = "no counterpart"
LEFT = "left as it is"
REFUSED = "refused by mlir-opt 22"
ACCEPTED = "accepted"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a piece, and why."""

    piece: str
    kind: str
    why: str = ""


def outcome_of(edition: str, piece: Piece) -> Outcome:
    """What becomes of a piece that its release accepts."""
    try:
        made = modernised(piece.text, context_of(edition), default_context())
    except Exception as fault:  # It is counted, and shown.
        return Outcome(piece.name, LEFT, f"crashed: {fault!r}")
    error = next((diagnostic for diagnostic in made.diagnostics if diagnostic.severity == "error"), None)
    if error is not None:
        kind = {NO_COUNTERPART: GONE, MODERNISE: LEFT}.get(error.code, NOT_READ)
        return Outcome(piece.name, kind, error.message)
    tool = find_tool("mlir-opt")
    assert tool, "the measure needs mlir-opt 22"
    answer = subprocess.run(
        [tool, ALLOW, "-"], input=made.text, capture_output=True, text=True, check=False, timeout=20
    )
    if answer.returncode:
        return Outcome(piece.name, REFUSED, next(errors_in(answer.stderr), (0, answer.stderr))[1])
    return Outcome(piece.name, ACCEPTED)


def outcomes(task: tuple[str, str]) -> list[Outcome]:
    """Those of the pieces of a file that count: the edition, and the name of the file."""
    edition, name = task
    home, tool = source_of(edition), tool_of(edition)
    assert home and tool, "who asks has looked for both"
    text = (home / name).read_bytes().decode("utf-8", "replace")
    allow = [ALLOW] if takes_unregistered(text) else []
    pieces = split(name, text)
    forms = {"custom": allow, "generic": [*allow, "--mlir-print-op-generic"]}
    found: list[Outcome] = []
    for piece, answer in zip(pieces, answers(pieces, forms, tool), strict=True):
        dialects = dialects_of(answer)
        if has_code(piece.text) and dialects is not None and not dialects & registered(edition) - ROAD:
            found.append(outcome_of(edition, piece))
    return found


def _ended(task: tuple[str, str]) -> list[Outcome]:
    return [Outcome(task[1], LEFT, "the process ended")]


def outcomes_of(edition: str, only: str, every: int) -> list[Outcome]:
    """Those of all pieces of an edition that count."""
    home = source_of(edition)
    if home is None or tool_of(edition) is None:
        sys.exit(f"the measure needs mlir-opt-{edition} and the source of its suite")
    names = sorted(str(path.relative_to(home)) for path in home.rglob("*.mlir"))
    tasks = [(edition, name) for name in [name for name in names if only in name][::every]]
    return sorted((each for of_file in run(outcomes, tasks, _ended) for each in of_file), key=lambda each: each.piece)


def row(edition: str, found: Sequence[Outcome]) -> str:
    """A row of the table: pieces that are read, those of them that have a counterpart, those that are accepted."""
    counts = Counter(outcome.kind for outcome in found)
    read = len(found) - counts[NOT_READ]
    there = read - counts[GONE]
    return f"| {edition} ({SOURCES[edition]}) | {read} | {there} | {share(counts[ACCEPTED], there)} |"


def reasons(found: Sequence[Outcome]) -> Iterator[str]:
    """Why pieces are not accepted, the commonest first, each with a piece."""
    why = Counter((each.kind, normalise(each.why)) for each in found if each.kind != ACCEPTED)
    for (kind, reason), count in why.most_common():
        example = next(each.piece for each in found if (each.kind, normalise(each.why)) == (kind, reason))
        yield f"  {count} {kind}: {reason} ({example})"


HEAD = ["| edition | read | with a counterpart | accepted by mlir-opt 22 |", "|---|---:|---:|---:|"]


def main() -> None:
    parser = argparse.ArgumentParser(description="pieces of older releases, modernised, before mlir-opt 22")
    parser.add_argument("editions", nargs="*", help="those that are measured; all by default")
    parser.add_argument("--only", default="", help="the files whose path contains this")
    parser.add_argument("--every", type=int, default=1, metavar="K", help="each K-th file")
    parser.add_argument("--show", type=int, default=0, metavar="N", help="the N commonest reasons")
    options = parser.parse_args()
    lines = list(HEAD)
    print("\n".join(lines))
    for edition in options.editions or OLDER:
        found = outcomes_of(edition, options.only, options.every)
        lines.append(row(edition, found))
        print(lines[-1], flush=True)
        for reason in itertools.islice(reasons(found), options.show):
            print(reason)
    if not options.only and options.every == 1 and not options.editions:
        write("editions-modernised", "\n".join(lines))


if __name__ == "__main__":
    main()
