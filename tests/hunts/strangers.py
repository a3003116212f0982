"""`python -m tests.hunts.strangers [--count 300] [--seed N] [--show N]`: mlir-opt as a stranger.

Functions of MLIR's own tests, chosen by the seed, at stages of pipelines of passes that Fathom has too: once as the
editor shows them by its own passes, and once as it shows those of a tool that it knows by its command alone. The texts
must be the same, the lines that the two maps join, and the first error where there is no text. But MLIR gives no
location to constants that are shared, nor to the bodies of named operations, and that of all that it matched to what a
declarative pattern makes: the map of the stranger may have fewer or more lines than Fathom's, not others.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from fathom.context import default_context
from fathom_server.features.preview import Preview, ahead, preview
from fathom_server.features.stages import PreviewStage, stages
from fathom_server.model.document import Document
from fathom_server.model.settings import Settings, updated
from fathom_server.model.snapshot import Snapshot
from tests.oracles import require_tool
from tests.suite.answers import split
from tests.suite.editor import suite_texts
from tests.suite.lowering import functions_of
from tests.suite.pieces import has_code

PIPELINES: tuple[str, ...] = (
    "--canonicalize --cse --convert-scf-to-cf --cse",
    "--lower-affine --convert-scf-to-cf --convert-arith-to-llvm --convert-cf-to-llvm --convert-func-to-llvm --cse",
    "--convert-linalg-to-loops --cse --convert-scf-to-cf --canonicalize --cse",
    "--convert-vector-to-scf --convert-vector-to-llvm --convert-index-to-llvm --convert-func-to-llvm --cse --cse",
    "builtin.module(func.func(canonicalize,cse),expand-strided-metadata,lower-affine,finalize-memref-to-llvm,cse)",
    "--expand-strided-metadata --lower-affine --convert-arith-to-llvm --finalize-memref-to-llvm "
    "--convert-func-to-llvm --convert-cf-to-llvm --reconcile-unrealized-casts --cse",
)


FEWER, MORE = (f"the same, with {word} lines in the map" for word in ("fewer", "more"))


@dataclass(frozen=True, slots=True)
class Difference:
    """What is not the same at a stage of a function."""

    name: str
    stage: str
    kind: str
    ours: str
    theirs: str


def functions(seed: int, count: int) -> Iterator[tuple[str, str, str]]:
    """So many functions of the pieces: the name of each piece, of the function, and a text of all that it uses."""
    texts = suite_texts(None)
    pieces = [piece for name, text in texts.items() for piece in split(name, text) if has_code(piece.text)]
    random = Random(seed)
    random.shuffle(pieces)
    found = 0
    for piece in pieces:
        for name, text in functions_of(piece):
            yield piece.name, name, text
            found += 1
            if found == count:
                return
            break


def settings_for(pipeline: str, tool: str) -> Settings:
    """A pipeline for Fathom's own passes and for a tool's."""
    section = {"pipeline": pipeline, "tools": {"stranger": {"command": [tool], "timeoutSeconds": 60}}}
    settings, problems = updated(Settings(), section)
    assert not problems, problems
    return settings


def differences(name: str, text: str, pipeline: str, tool: str) -> Iterator[Difference | None]:
    """What differs at each stage of a text; None of one that is the same."""
    snapshot = Document(f"file:///{name}", 1, text, default_context(), settings_for(pipeline, tool)).snapshot()
    known = stages(snapshot)
    # At the last one Fathom says what is left behind besides.
    own = [stage for stage in known if stage.passes and stage.language == "mlir"][:-1]
    others = [stage for stage in known if stage.tool is not None][:-1]
    for ours, theirs in zip(own, others, strict=True):
        yield _difference(name, snapshot, ours, theirs)


def _difference(name: str, snapshot: Snapshot, ours: PreviewStage, theirs: PreviewStage) -> Difference | None:
    run = ahead(snapshot, theirs, None)
    if run is not None:
        run()
    mine, other = preview(snapshot, ours, None), preview(snapshot, theirs, None)
    if (mine.text is None) is not (other.text is None):
        return Difference(name, theirs.id, "one has a text", str(mine.problem), str(other.problem))
    if mine.text is None or other.text is None:
        ours_said, theirs_said = _errors(mine), _errors(other)
        is_same = theirs_said[:1] == ours_said[:1] or theirs_said[0] in ours_said
        return None if is_same else Difference(name, theirs.id, "error", ours_said[0], theirs_said[0])
    if mine.text != other.text:
        return Difference(name, theirs.id, "text", mine.text, other.text)
    maps = _lines(snapshot, mine), _lines(snapshot, other)
    if maps[1] < maps[0] or maps[0] < maps[1]:
        return Difference(name, theirs.id, FEWER if maps[1] < maps[0] else MORE, *(str(len(each)) for each in maps))
    if maps[1] != maps[0]:
        said = [f"{len(each)}: {sorted(each - maps[1 - number])}" for number, each in enumerate(maps)]
        return Difference(name, theirs.id, "map", f"{said[0]}\n{snapshot.tree.text}", f"{said[1]}\n{mine.text}")
    return None


def _errors(shown: Preview) -> list[str]:
    """The errors, each with where it is; why there is no text, if there are none."""
    errors = [each for each in shown.diagnostics if each.severity == "error"]
    said = [f"{each.span.start if each.span is not None else -1}: {each.message}" for each in errors]
    return said or [str(shown.problem)]


def _lines(snapshot: Snapshot, shown: Preview) -> set[tuple[int, int]]:
    """The lines that a map joins."""
    text = shown.text or ""
    return {
        (snapshot.tree.line_of(link.source.start)[0], text.count("\n", 0, link.target.start)) for link in shown.links
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=300, help="functions")
    parser.add_argument("--seed", type=int, default=29)
    parser.add_argument("--show", type=int, default=10, help="differences that are printed")
    options = parser.parse_args()
    tool, random = require_tool("mlir-opt"), Random(options.seed)
    kinds: Counter[str] = Counter()
    shown = 0
    for name, function, text in functions(options.seed, options.count):
        for difference in differences(f"{name}@{function}", text, random.choice(PIPELINES), tool):
            kinds["the same" if difference is None else difference.kind] += 1
            if difference is not None and difference.kind not in (FEWER, MORE) and shown < options.show:
                shown += 1
                print(f"---- {difference.name} {difference.stage}: {difference.kind}\n{difference.ours}")
                print(f"---- theirs\n{difference.theirs}", flush=True)
    print(dict(kinds))
    return int(bool(set(kinds) - {"the same", FEWER, MORE}))


if __name__ == "__main__":
    sys.exit(main())
