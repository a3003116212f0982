"""`make suite-lower`: the code action *Lower* on the functions of MLIR's own tests, in the real server, and the section
of `docs/suite.md` that says on how many it is done.

    python -m tests.suite.lowering [--files FOLDER] [--only Dialect/Vector] [--every N] [--show N] [--kind TEXT]

With `--files` the `.mlir` files of another folder instead of MLIR's own tests, with `--only` those whose path contains
the text, and with `--every` a fixed sample of one piece in N; what these give is printed and not written. `--show`
prints the first N functions on which the action is refused, of the kinds that contain `--kind` if it is given, or after
which mlir-opt refuses the file.

A function counts if it has a body of the dialects on the way to LLVM, and if mlir-opt's own passes, on it and all that
it uses, leave nothing but the LLVM dialect.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from benchmarks.client import FATHOM, Client
from fathom.elaborate import load
from fathom.ir.operation import Operation
from fathom.ir.printer import print_module
from fathom.irdl.interfaces import symbol_name
from fathom.programs.functions import keep_only, needed_by
from tests.conformance.compare import normalise
from tests.conformance.page import commonest, paragraph, share
from tests.suite.answers import ALLOW, Answer, Piece, answers, split
from tests.suite.editor import suite_texts, write_section
from tests.suite.passes import is_chosen
from tests.suite.pieces import DIALECTS, has_code, operations_in
from tests.suite.pipelines import PASSES
from tests.suite.source import RELEASE, NoSource

TITLE = "## Lowered in the editor"
KINDS = 15
TARGETS = DIALECTS | {"vector", "ptr", "linalg", "bufferization"}
"""The dialects that are lowered to LLVM's, and that itself."""

ORACLE = [ALLOW, "--mlir-print-op-generic", f"--pass-pipeline=builtin.module({','.join(PASSES)})"]


@dataclass(frozen=True, slots=True)
class Lowered:
    """What came of the action on a function of a piece: the text of the piece after it, or why it was refused; and what
    mlir-opt says of that text."""

    piece: Piece
    function: str
    text: str = ""
    refusal: str = ""
    error: str = ""


# ---- which functions count


def functions_of(piece: Piece) -> Iterator[tuple[str, str]]:
    """The functions with a body at the top of a piece that are of these dialects, each with a text of it and of all
    that it uses."""
    if load(piece.text).has_errors:
        return
    for name in _functions(load(piece.text).module):
        module = keep_only(needed_by(_functions(load(piece.text).module)[name]))
        if {op.dialect for op in module.walk()} <= TARGETS:
            yield name, print_module(module)


def _functions(module: Operation) -> dict[str, Operation]:
    top = module.regions[0].operations()
    return {symbol_name(op): op for op in top if op.name == "func.func" and op.regions[0].first is not None}


def countable(name: str, text: str, every: int) -> Iterator[tuple[Piece, list[str]]]:
    """The pieces of a file with the functions that count."""
    pieces = split(name, text)
    for piece, answer in zip(pieces, answers(pieces), strict=True):
        if answer.generic is None or not has_code(piece.text) or not is_chosen(piece.name, every):
            continue
        functions = list(functions_of(piece))
        alone = [Piece(f"{piece.name}@{name}", number, 0, f"\n{text}") for number, (name, text) in enumerate(functions)]
        after = answers(alone, {"custom": ORACLE}) if alone else []
        counted = [function for (function, _), made in zip(functions, after, strict=True) if is_lowered(made.custom)]
        if counted:
            yield piece, counted


def is_lowered(generic: str | None) -> bool:
    """Whether nothing but the LLVM dialect is in what mlir-opt made."""
    names = operations_in(generic) if generic is not None else {""}
    return all(name.startswith("llvm.") or name == "builtin.module" for name in names)


# ---- asking the server


def lowered(client: Client, piece: Piece, functions: Sequence[str]) -> Iterator[Lowered]:
    """The action on the functions of a piece, each alone."""
    uri = f"file:///suite/{piece.name.replace('#', '/')}.mlir"
    document = {"uri": uri}
    client.open(uri, piece.text)
    known, _, _ = client.request("fathom/functions", {"textDocument": document})
    places = {symbol["name"].rpartition("@")[2].strip('"'): symbol["selectionRange"] for symbol in known}
    for function in functions:
        place = places.get(function)
        if place is None:
            yield Lowered(piece, function, refusal="the server does not know the function")
            continue
        context = {"diagnostics": [], "only": ["refactor.rewrite"]}
        params = {"textDocument": document, "range": place, "context": context}
        try:
            actions, _, _ = client.request("textDocument/codeAction", params)
            action = next((offered for offered in actions or () if offered["title"].startswith("Lower ")), None)
            if action is not None and "data" in action:
                action, _, _ = client.request("codeAction/resolve", action)
        except (RuntimeError, TimeoutError) as problem:
            yield Lowered(piece, function, refusal=str(problem))
            continue
        if action is None:
            yield Lowered(piece, function, refusal="there is no such action")
        elif "edit" not in action:
            yield Lowered(piece, function, refusal=action["disabled"]["reason"])
        else:
            yield Lowered(piece, function, _edited(piece.text, action["edit"], uri))
    client.notify("textDocument/didClose", {"textDocument": document})


def _edited(text: str, edit: dict[str, Any], uri: str) -> str:
    edits = edit["changes"][uri] if "changes" in edit else edit["documentChanges"][0]["edits"]
    lines = text.splitlines(keepends=True)
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line.encode("utf-16-le")))
    data = text.encode("utf-16-le")

    def offset(place: dict[str, int]) -> int:
        return starts[place["line"]] + 2 * place["character"]

    for change in sorted(edits, key=lambda text_edit: offset(text_edit["range"]["start"]), reverse=True):
        start, end = offset(change["range"]["start"]), offset(change["range"]["end"])
        data = data[:start] + change["newText"].encode("utf-16-le") + data[end:]
    return data.decode("utf-16-le")


def judged(lowerings: Sequence[Lowered]) -> list[Lowered]:
    """With what mlir-opt says of the texts after the action, which are those of one file."""
    texts = [
        Piece(lowering.piece.name, number, 0, f"\n{lowering.text}\n")
        for number, lowering in enumerate(lowerings)
        if lowering.text
    ]
    said = iter(answers(texts, {"custom": [ALLOW]}) if texts else ())
    return [lowering if not lowering.text else _judged(lowering, next(said)) for lowering in lowerings]


def _judged(lowering: Lowered, answer: Answer) -> Lowered:
    error = "" if answer.custom is not None else f"{answer.line}: {answer.error}"
    return Lowered(lowering.piece, lowering.function, lowering.text, "", error)


# ---- the page


def section(lowerings: Sequence[Lowered], every: int) -> list[str]:
    """The section, with its title."""
    done = [lowering for lowering in lowerings if lowering.text]
    wrong = sum(bool(lowering.error) for lowering in done)
    sample = f" Of the pieces one in {every} was taken." if every > 1 else ""
    lines = [
        TITLE,
        "",
        *paragraph(f"""
            The code action *Lower* in the real server, on each function with a body at the top of a piece of MLIR
            {RELEASE}'s tests that is made of {", ".join(f"`{name}`" for name in sorted(TARGETS))}, and that
            `mlir-opt` lowers completely by its own passes.{sample} *Valid* is a file that `mlir-opt` accepts after the
            action. `make suite-lower` writes this section."""),
        "| functions | lowered | valid afterwards |",
        "|---:|---:|---:|",
        f"| {len(lowerings):,} | {len(done):,} ({share(len(done), len(lowerings))}) | {len(done) - wrong:,} |",
    ]
    kinds = Counter(kind_of(lowering) for lowering in lowerings if lowering.refusal)
    if kinds:
        lines += ["", "Why the action is refused:", "", "| functions | reason |", "|---:|---|"]
        lines += commonest(kinds.most_common(), KINDS, "reasons")
    return [*lines, ""]


def kind_of(lowering: Lowered) -> str:
    """The same for functions that are refused for the same cause."""
    reason = lowering.refusal.partition(" does not lower: ")[2] or lowering.refusal
    return normalise(reason.rpartition(" (line ")[0] or reason)


def main() -> int:
    parser = argparse.ArgumentParser(description="the code action Lower on the functions of MLIR's own tests")
    parser.add_argument("--files", type=Path, metavar="FOLDER", help="its .mlir files instead; writes nothing")
    parser.add_argument("--only", metavar="TEXT", help="only the files whose path contains the text; writes nothing")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="a sample of one piece in N; writes nothing")
    parser.add_argument("--show", type=int, default=0, metavar="N", help="print N functions that are not lowered")
    parser.add_argument("--kind", default="", metavar="TEXT", help="show those whose kind contains this")
    options = parser.parse_args()
    try:
        texts = suite_texts(options.only, options.files)
    except NoSource as problem:
        print(f"\n*** MLIR'S OWN FILES WERE NOT OPENED: {problem} ***\n", file=sys.stderr)
        return 2
    lowerings: list[Lowered] = []
    with Client(FATHOM) as client:
        client.initialize({"diagnostics": {"lowering": False}})
        for number, (name, text) in enumerate(texts.items()):
            of_file = [
                lowering
                for piece, functions in countable(name, text, options.every)
                for lowering in lowered(client, piece, functions)
            ]
            lowerings += judged(of_file)
            print(
                f"\r{number + 1} of {len(texts)} files, {len(lowerings)} functions", end="", file=sys.stderr, flush=True
            )
    print(file=sys.stderr)
    shown = [
        lowering for lowering in lowerings if (lowering.refusal and options.kind in kind_of(lowering)) or lowering.error
    ]
    for lowering in islice(shown, options.show):
        why = lowering.refusal or f"mlir-opt refuses line {lowering.error}"
        print(f"{lowering.piece.name} @{lowering.function}: {why}")
    new = section(lowerings, options.every)
    print("\n".join(new))
    if options.only is None and options.files is None and options.every == 1:
        write_section(new)
    return 0


if __name__ == "__main__":
    sys.exit(main())
