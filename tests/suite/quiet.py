"""How many findings valid files get in the editor by default, function by function: in the real server, as an editor
shows them.

`python -m tests.suite.quiet [--folder FOLDER] [--only TEXT] [--every N] [--show N]`: MLIR's own tests, or the `.mlir`
files of another folder. A piece, between two lines `// -----`, counts if `mlir-opt --allow-unregistered-dialect`
accepts it; with `--valid` all of them do, as those of dialects that `mlir-opt` does not have. At most one finding a
function is to be shown, and none of them an error. A file whose own command is to reach the LLVM dialect asks for all
of them, so its functions are counted by themselves. `--dialects FILE …` describes dialects. `--show` prints what is
shown of N functions of which that is too much, with `--all` of any.
"""

from __future__ import annotations

import argparse
import sys
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.client import FATHOM
from fathom.context import default_context
from fathom_server.model.document import Document
from fathom_server.model.pipelines import in_force
from fathom_server.model.settings import Settings
from fathom_server.model.symbols import Role, role_of, symbols_of
from tests.suite.answers import Answer, Piece, answers, split
from tests.suite.editor import BATCH, diagnostics_of, suite_texts
from tests.suite.pieces import has_code

ERROR = 1


@dataclass
class Shown:
    """What is shown of a function, or beside functions, of a file."""

    name: str
    line: int
    findings: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])


def findings_of(texts: Mapping[str, str], options: Mapping[str, Any]) -> dict[str, list[dict[str, Any]]]:
    """What a server shows of each file, to a client that fades nothing and strikes nothing through."""
    findings: dict[str, list[dict[str, Any]]] = {}
    names = list(texts)
    for first in range(0, len(names), BATCH):
        batch = names[first : first + BATCH]
        try:
            findings |= diagnostics_of(FATHOM, batch, texts, options)
        except (RuntimeError, OSError, TimeoutError) as problem:
            print(f"\n{batch[0]} …: {problem!r}", file=sys.stderr)
        print(f"\r{len(findings)} of {len(texts)} files", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return findings


def asks(text: str) -> bool:
    """Whether a command in the text itself is to reach the LLVM dialect."""
    snapshot = Document("file:///quiet.mlir", 1, text, default_context(), Settings()).snapshot()
    return in_force(snapshot.tree, snapshot.settings).written is not None


def by_function(text: str, findings: Iterable[dict[str, Any]]) -> Iterator[Shown]:
    """What is shown of each function of a text, and of what stands beside them."""
    context = default_context()
    snapshot = Document("file:///quiet.mlir", 1, text, context, Settings()).snapshot()
    tree = snapshot.tree
    places: list[tuple[int, int, str]] = []
    for item, base in tree.items.with_offsets():
        for symbol in symbols_of(item):
            role = role_of(symbol, context)
            if role is Role.FUNCTION or (role is Role.UNKNOWN and symbol.has_body):
                first, _ = tree.line_of(base + symbol.start)
                last, _ = tree.line_of(base + symbol.full_end)
                places.append((first, last, symbol.name))
    shown: dict[tuple[int, int, str], Shown] = {}
    for finding in findings:
        line = finding["range"]["start"]["line"]
        around = [place for place in places if place[0] <= line <= place[1]]
        place = max(around, default=(-1, -1, ""))
        shown.setdefault(place, Shown(place[2], place[0] + 1)).findings.append(finding)
    yield from shown.values()


def in_valid_pieces(
    texts: Mapping[str, str], by_name: Mapping[str, list[dict[str, Any]]]
) -> dict[str, list[dict[str, Any]]]:
    """Of what is shown, that about the pieces that mlir-opt accepts; of files without such a piece nothing."""
    kept: dict[str, list[dict[str, Any]]] = {}
    for name, findings in by_name.items():
        pieces: list[Piece] = split(name, texts[name])
        said: Sequence[Answer] = answers(pieces)
        starts = [piece.line for piece in pieces]
        is_valid = [
            has_code(piece.text) and answer.generic is not None for piece, answer in zip(pieces, said, strict=True)
        ]
        if any(is_valid):
            kept[name] = [
                finding for finding in findings if is_valid[bisect_right(starts, finding["range"]["start"]["line"]) - 1]
            ]
    return kept


def main() -> int:
    parser = argparse.ArgumentParser(description="how much is said of valid files")
    parser.add_argument("--folder", type=Path, help="the files of another folder than that of MLIR's tests")
    parser.add_argument("--only", metavar="TEXT", help="only the files whose path contains the text")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="every N-th file alone")
    parser.add_argument("--show", type=int, default=0, metavar="N", help="print the findings of N functions")
    parser.add_argument("--valid", action="store_true", help="do not ask mlir-opt which pieces are valid")
    parser.add_argument("--all", action="store_true", help="print those of any function")
    parser.add_argument("--dialects", nargs="*", default=[], metavar="FILE", help="files that describe dialects")
    options = parser.parse_args()
    texts = dict(list(suite_texts(options.only, options.folder).items())[:: options.every])
    by_name = findings_of(texts, {"dialects": options.dialects} if options.dialects else {})
    by_name = by_name if options.valid else in_valid_pieces(texts, by_name)
    counts: Counter[str] = Counter()
    severities: dict[int, Counter[str]] = defaultdict(Counter)
    left = options.show
    for name, findings in by_name.items():
        of_file = list(by_function(texts[name], findings))
        counts["files"] += 1
        which = ", of files that ask for all" if asks(texts[name]) else ""
        for finding in of_file:
            errors = [one for one in finding.findings if one.get("severity", ERROR) == ERROR]
            # Of what stands in no function, each dialect is told once.
            where = "functions" if finding.name else "files, beside functions,"
            counts[f"{where} with a finding{which}"] += 1
            counts[f"{where} with more than one{which}"] += len(finding.findings) > 1
            counts[f"{where} with an error{which}"] += bool(errors)
            for one in finding.findings:
                severities[one.get("severity", ERROR)][str(one.get("code"))] += 1
            if left > 0 and (options.all or len(finding.findings) > 1 or errors):
                left -= 1
                print(f"{name}:{finding.line}: @{finding.name}")
                for one in finding.findings:
                    print(f"    {one['range']['start']['line'] + 1}: [{one.get('code')}] {one['message']!r}")
    for what, count in counts.items():
        print(f"{what}: {count:,}")
    for severity, codes in sorted(severities.items()):
        print(f"severity {severity}: {dict(codes.most_common())}")
    return int(bool(counts["functions with more than one"] or counts["functions with an error"]))


if __name__ == "__main__":
    raise SystemExit(main())
