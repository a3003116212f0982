"""Names in MLIR's own test files, chosen at random, get others, in whole files as an editor has them; and `mlir-opt`
reads what comes of it.

`python -m tests.suite.rename [--number 500] [--seed 1] [--only Dialect/GPU] [--show N]`

A name counts as right if mlir-opt accepts the piece with the new name, and prints the same generic form but for that.
It is chosen among those in pieces, between lines `// -----`, that mlir-opt accepts as they are.
"""

from __future__ import annotations

import argparse
import random
import subprocess
import sys
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice

from fathom.context import default_context
from fathom.ir.spelling import spell_symbol
from fathom.text.escapes import quote
from fathom_server.features.edits import Refusal, Renamable
from fathom_server.features.rename import prepare, rename
from fathom_server.model.document import Document
from fathom_server.model.settings import Settings
from fathom_server.model.snapshot import Snapshot
from tests.oracles import find_tool
from tests.server.answers import edited
from tests.suite.answers import ALLOW, SEPARATOR, Piece, answers, split
from tests.suite.editor import suite_texts
from tests.suite.pieces import has_code
from tests.suite.source import NoSource

NEW = "renamed_here"
KINDS: Mapping[str, int] = {"SYMBOL": 4, "VALUE": 4, "BLOCK": 1, "ALIAS": 1}
"""The kinds of names, and how often each is chosen."""
TRIES = 20
"""How often a file is looked at for a name of a kind before another file is."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a name. `reason` is empty where it is right."""

    place: str
    kind: str
    name: str
    reason: str = ""


def measure(texts: Mapping[str, str], number: int, seed: int) -> Iterator[Outcome]:
    """The outcomes of so many renames in files, chosen at random."""
    chance = random.Random(seed)
    names = sorted(texts)
    left = number * TRIES
    while number and left:
        left -= 1
        file = chance.choice(names)
        kind = chance.choices(list(KINDS), list(KINDS.values()))[0]
        outcome = _one(file, texts[file], kind, chance)
        if outcome is not None:
            number -= 1
            yield outcome


def _one(file: str, text: str, kind: str, chance: random.Random) -> Outcome | None:
    """What becomes of a name of a kind in a file; None where there is none."""
    pieces = split(file, text)
    given = answers(pieces)
    accepted = [piece for piece, answer in zip(pieces, given, strict=True) if answer.generic and has_code(piece.text)]
    if not accepted or NEW in text:
        return None
    piece = chance.choice(accepted)
    snapshot = Document(f"file:///{file}", 1, text, default_context(), Settings()).snapshot()
    places = list(_names(snapshot, kind, *_extent(pieces, piece)))
    if not places:
        return None
    offset = chance.choice(places)
    renamable = prepare(snapshot, offset)
    if renamable is None:
        line = text.count("\n", 0, offset) + 1
        return Outcome(f"{file}:{line}", kind, text[offset : offset + 20].split("\n", maxsplit=1)[0], "is not offered")
    reason = _reason(snapshot, pieces, {p.number: a.generic for p, a in zip(pieces, given, strict=True)}, renamable)
    return Outcome(f"{file}:{text.count(chr(10), 0, offset) + 1}", kind, renamable.name, reason)


def _extent(pieces: list[Piece], piece: Piece) -> tuple[int, int]:
    start = sum(len(earlier.text) + len(SEPARATOR) for earlier in pieces[: piece.number])
    return start, start + len(piece.text)


def _names(snapshot: Snapshot, kind: str, start: int, end: int) -> Iterator[int]:
    """Where names of a kind begin in a part of a text."""
    for item, at in snapshot.tree.items.with_offsets():
        for piece, offset in item.pieces.with_offsets():
            for token, (first, last) in zip(piece.tokens(), piece.token_spans(), strict=True):
                is_dialect = token.text.startswith("#") and piece.text[last : last + 1] == "<"
                if start <= at + offset + first < end and not is_dialect and _kind(token.kind, token.text) == kind:
                    yield at + offset + first


def _kind(kind: str, text: str) -> str:
    if kind in ("ALIAS", "HASH", "EXCLAIM"):
        return "ALIAS" if "." not in text else ""
    return kind


def _reason(snapshot: Snapshot, pieces: list[Piece], before: Mapping[int, str | None], renamable: Renamable) -> str:
    """What is wrong with a file in which a name got another; empty where nothing is."""
    made = rename(snapshot, renamable.start, NEW)
    if isinstance(made, Refusal):
        return f"refused: {made.reason}"
    starts = [_extent(pieces, piece)[0] for piece in pieces]
    changed = {bisect_right(starts, replacement.start) - 1 for replacement in made}
    after = split("", edited(snapshot.tree.text, made))
    for number in sorted(changed):
        if (old := before[number]) is None:
            return "another piece changed"
        done = subprocess.run(
            [find_tool("mlir-opt") or "", ALLOW, "--mlir-print-op-generic"],
            input=after[number].text,
            capture_output=True,
            encoding="utf-8",
            errors="surrogateescape",
            check=False,
        )
        if done.returncode:
            return f"rejected: {done.stderr.partition('error: ')[2].partition(chr(10))[0]}"
        if _without_names(done.stdout, renamable.name) != _without_names(old, renamable.name):
            return "another generic form"
    return ""


def _without_names(generic: str, name: str) -> str:
    """A generic form in which the old name stands for the new one."""
    return generic.replace(f"@{NEW}", spell_symbol(name)).replace(f'"{NEW}"', quote(name))


def main() -> int:
    parser = argparse.ArgumentParser(description="other names in MLIR's own test files")
    parser.add_argument("--number", type=int, default=500, help="how many names")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", metavar="TEXT", help="only the files whose path contains the text")
    parser.add_argument("--show", type=int, default=0, metavar="N", help="print the first N that are wrong")
    options = parser.parse_args()
    try:
        texts = suite_texts(options.only)
    except NoSource as problem:
        print(f"\n*** MLIR'S OWN FILES WERE NOT READ: {problem} ***\n", file=sys.stderr)
        return 2
    outcomes = list(measure(texts, options.number, options.seed))
    wrong = [outcome for outcome in outcomes if outcome.reason]
    for outcome in islice(wrong, options.show):
        print(f"{outcome.place}: {outcome.name}: {outcome.reason}")
    for kind in KINDS:
        of = [outcome for outcome in outcomes if outcome.kind == kind]
        print(f"{kind:<8}{len(of) - sum(bool(outcome.reason) for outcome in of):>5} of {len(of):>4} right")
    print(f"{'all':<8}{len(outcomes) - len(wrong):>5} of {len(outcomes):>4} right")
    for reason, number in Counter(outcome.reason.partition(":")[0] for outcome in wrong).most_common():
        print(f"{number:>5}  {reason}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
