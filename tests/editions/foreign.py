"""The files of a project as they stand, in the edition of MLIR that the project is on: what Fathom says is wrong.

    python -m tests.editions.foreign FOLDER EDITION [--every K] [--modernise] [--age] [--list] [--show N] [--kind TEXT]

FOLDER is a checkout, or a part of one. Its `.mlir` files are cut at `// -----`. A piece counts unless it, or the RUN
lines of its file, say that something is wrong with it. It is MLIR's own if no operation, type or attribute in it is of
a dialect that MLIR has not; the others have operations that nobody knows, as in an editor that was told of no more
dialects. An error is Fathom's mistake where the mlir-opt of the release, if it is installed, takes the piece: a project
is on a commit between releases, of which some files are of neither.

With `--modernise` the pieces that the release takes are modernised, and mlir-opt 22 is asked about them. With `--age`
it is found out of which release each piece is, as for a document that does not say it.
"""

from __future__ import annotations

import argparse
import functools
import re
import shutil
import subprocess
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from fathom.context import Context, context_of, default_context
from fathom.modernising.engine import mistakes_in, modernised, parts_of
from fathom.modernising.found import find_edition
from tests.conformance.page import commonest, share
from tests.suite.answers import errors_in

NEWEST = "22"
SECONDS = 20.0
KINDS = 40
_MEANT_TO_FAIL = re.compile(r"expected-error|RUN:\s*not\b|RUN:.*\|\s*not\b|RUN:.*!\s")
_PIECE_FAILS = re.compile(r"expected-error")
_OPERATION = re.compile(r'^\s*(?:%[^=\n]*=\s*)?"?(?P<dialect>[a-z_][\w$]*)\.[\w$.]+', re.MULTILINE)
_ELEMENT = re.compile(r"[!#](?P<dialect>[a-z_][\w$]*)(?:\.[a-z_]|<)")
_ALIAS = re.compile(r"^\s*[!#](?P<name>[\w$]+)\s*=", re.MULTILINE)
_COMMENT = re.compile(r"//.*")
_STRING = re.compile(r'"(?:[^"\\\n]|\\.)*"')


@dataclass(frozen=True, slots=True)
class Found:
    """What there is to say of a piece: whether all of it is MLIR's own, the first error that Fathom finds, its line
    there, whether the release has one too (None where nobody can say), what became of it when it was modernised, and
    which edition it reads as."""

    piece: str
    own: bool
    error: str = ""
    shown: str = ""
    release: bool | None = None
    modernised: str = ""
    age: str = ""


def pieces_of(folder: Path, every: int = 1) -> Iterator[tuple[str, str]]:
    """The pieces of each K-th file, with their names."""
    for path in sorted(folder.rglob("*.mlir"))[::every]:
        if not path.is_file():
            continue
        text = path.read_text(encoding="utf-8", errors="replace")
        if any(_MEANT_TO_FAIL.search(line) for line in text.splitlines() if "RUN:" in line):
            continue
        for number, (part, _) in enumerate(parts_of(text)):
            if _PIECE_FAILS.search(part) is None and _COMMENT.sub("", part).strip():
                yield f"{path.relative_to(folder)}#{number}", part


def foreign_dialects(text: str, context: Context) -> set[str]:
    """The dialects in a text that the context does not know."""
    code = _COMMENT.sub("", text)
    bare = _STRING.sub('""', code)
    names = {match["dialect"] for match in _OPERATION.finditer(code)}
    names |= {match["dialect"] for match in _ELEMENT.finditer(bare)}
    names -= {match["name"] for match in _ALIAS.finditer(code)}
    return {name for name in names if context.dialect(name) is None}


@functools.cache
def tool_of(edition: str) -> str | None:
    return shutil.which(f"mlir-opt-{edition}")


def refusal(edition: str, text: str) -> str | None:
    """Why the mlir-opt of an edition does not take a text, empty where it does; None where there is none."""
    tool = tool_of(edition)
    if tool is None:
        return None
    try:
        answer = subprocess.run(
            [tool, "--allow-unregistered-dialect"],
            input=text,
            capture_output=True,
            text=True,
            check=False,
            timeout=SECONDS,
        )
    except subprocess.TimeoutExpired:
        return None
    if answer.returncode == 0:
        return ""
    return next((message for _, message in errors_in(answer.stderr)), "ended")


def found_of(name: str, text: str, edition: str, *, modernise: bool, age: bool) -> Found:
    """What there is to say of a piece."""
    context = context_of(edition)
    own = not foreign_dialects(text, context)
    mistakes = mistakes_in(text, 0, context)
    of_age = find_edition(text, context_of)[0] if age else ""
    if mistakes:
        refused = refusal(edition, text) if own else None
        first = mistakes[0]
        line = text.count("\n", 0, first.span.start) if first.span is not None else 0
        shown = f"line {line + 1}: {first.message}\n  {text.splitlines()[line].strip() if text else ''}"
        return Found(name, own, first.message, shown, None if refused is None else not refused, age=of_age)
    return Found(name, own, modernised=_modernised(text, context) if modernise and own else "", age=of_age)


def _modernised(text: str, context: Context) -> str:
    if refusal(context.language.edition, text):
        return ""  # Such as what a project adds to a dialect of MLIR's.
    return _became(text, context)


def _became(text: str, context: Context) -> str:
    """Whether mlir-opt 22 takes what it became, "taken", or why it or Fathom does not."""
    made = modernised(text, context, default_context())
    if made.is_refused:
        return f"not modernised: {made.diagnostics[0].message}"
    refused = refusal(NEWEST, made.text)
    return f"refused: {refused}" if refused else "taken"


# ---- figures


def figures(findings: Sequence[Found], edition: str) -> list[str]:
    """The lines that are printed."""
    own = [each for each in findings if each.own]
    others = [each for each in findings if not each.own]
    wrong = [each for each in own if each.error and each.release]
    right = sum(not each.error for each in own)
    valid = right + len(wrong)
    lines = [
        f"{len(own)} pieces of MLIR's own: no error on {share(right, len(own))};"
        f" of {valid} that the release takes, on {share(right, valid)}",
        f"{len(others)} with other dialects: no error on {share(sum(not e.error for e in others), len(others))}",
    ]
    if asked := [each for each in own if each.modernised]:
        taken = sum(each.modernised == "taken" for each in asked)
        lines.append(f"{len(asked)} modernised: {share(taken, len(asked))} taken by mlir-opt {NEWEST}")
    if aged := [each for each in findings if each.age and not each.error]:
        good = sum(int(each.age) >= int(edition) for each in aged)
        lines.append(f"{len(aged)} asked for their age: {share(good, len(aged))} read as {edition}, or as a newer one")
    return lines


def kinds(findings: Sequence[Found]) -> list[str]:
    counts = Counter(f"{'own' if e.own else 'other'}, {e.release}: {e.error}" for e in findings if e.error)
    counts += Counter(f"{e.modernised}" for e in findings if e.modernised not in ("", "taken"))
    return commonest(sorted(counts.items(), key=lambda item: (-item[1], item[0])), KINDS, "kinds")


def main() -> None:
    parser = argparse.ArgumentParser(description="A project's files in the edition of MLIR that it is on")
    parser.add_argument("folder", type=Path)
    parser.add_argument("edition")
    parser.add_argument("--every", type=int, default=1, metavar="K", help="each K-th file")
    parser.add_argument("--modernise", action="store_true", help="modernise what is MLIR's own, and ask mlir-opt 22")
    parser.add_argument("--age", action="store_true", help="find out of which release each piece is")
    parser.add_argument("--list", action="store_true", help="name each piece with an error")
    parser.add_argument("--show", type=int, default=0, metavar="N", help="print the first N errors")
    parser.add_argument("--kind", default="", help="show those whose kind contains this")
    options = parser.parse_args()
    findings = [
        found_of(name, text, options.edition, modernise=options.modernise, age=options.age)
        for name, text in pieces_of(options.folder, options.every)
    ]
    print("\n".join([*figures(findings, options.edition), *kinds(findings)]))
    chosen = [
        each
        for each in findings
        if (each.error or each.modernised not in ("", "taken")) and options.kind in f"{each.error}{each.modernised}"
    ]
    for each in chosen if options.list else []:
        print(f"{each.piece}: {each.own} {each.release} {each.error or each.modernised}")
    for each in chosen[: options.show]:
        print(f"==== {each.piece} (own: {each.own}, release: {each.release}, {each.modernised})\n{each.shown}")


if __name__ == "__main__":
    main()
