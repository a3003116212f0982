"""The comments of a text that speak of its edition: commands `// RUN:`, whose passes are called otherwise today, and
`// MLIR: 15`.

    // RUN: mlir-opt %s -convert-scf-to-std -pass-pipeline='func(std-expand)'
    // RUN: mlir-opt %s -convert-scf-to-cf -pass-pipeline='builtin.module(func.func(arith-expand,memref-expand))'

Source of the rules: *lit*, "Test Format"; *Pass Infrastructure*, "Textual Pass Pipeline Specification" of the releases.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from fathom.diagnostics import NO_COUNTERPART, Diagnostic
from fathom.editions.chosen import said_in
from fathom.editions.edition import NEWEST
from fathom.editions.passes import FormerPass, former_passes
from fathom.formatting.change import Change
from fathom.ir.language import MARK
from fathom.ir.operation import Span
from fathom.text.comments import marked

_RUN: Final = "RUN:"
_PIPELINE: Final = re.compile(r"--?pass-pipeline=(?P<quote>[\"']?)(?P<text>[^\"'\s]*)(?P=quote)")
_FLAG: Final = re.compile(r"(?<![\w-])--?(?P<name>[a-z][\w-]*)(?P<options>=(?:\"[^\"]*\"|'[^']*'|[^\s\"']+))?")
_OPTION: Final = re.compile(r"[\w-]+(?:=(?:\{[^}]*\}|[^\s{]+))?")
_NAME: Final = re.compile(r"(?<![\w.=-])[a-z][\w-]*(?![\w.=-])")
_ANCHORS: Final = {"func": "func.func", "module": "builtin.module"}
"""What the operations that pipelines run on are called today."""
_ROOTS: Final = ("builtin.module(", "any(")
_TOOLS: Final = {"mlir-cpu-runner": "mlir-runner"}


def in_comments(text: str) -> Iterator[Change | Diagnostic]:
    """The changes of comments, in their order, and what is to be said of what nothing took the place of."""
    start, goes_on = 0, False
    is_old = said_in(text) not in (None, NEWEST)
    for line in text.splitlines(keepends=True):
        run = marked(line, _RUN) if "//" in line else None
        if run is not None:
            yield from _in_command(line, start)
            goes_on = run.goes_on
        elif is_old and (said := marked(line, MARK.removeprefix("//").strip())) is not None and not goes_on:
            yield Change(start + said.start, start + said.end, NEWEST)
            is_old = False
        start += len(line)


def _in_command(line: str, start: int) -> Iterator[Change | Diagnostic]:
    known = former_passes()
    pipelines = list(_PIPELINE.finditer(line))
    found: list[Change | Diagnostic] = []
    for match in pipelines:
        new = _pipeline(match["text"])
        if new != match["text"]:
            first = start + match.start("text")
            found.append(_quoted(first, first + len(match["text"]), new, match["quote"]))
        found += _gone(match["text"], start + match.start("text"))
    for match in _FLAG.finditer(line):
        former = known.get(match["name"])
        if former is None or any(other.start() <= match.start() < other.end() for other in pipelines):
            continue
        if former.gone:
            found.append(_told(former, start + match.start(), start + match.end()))
            continue
        new = " ".join(_flags(former, match["options"] or ""))
        end = match.end()
        if not new and line[end : end + 1] == " ":
            end += 1
        found.append(Change(start + match.start(), start + end, new))
    for tool, today in _TOOLS.items():
        place = line.find(tool)
        if place >= 0:
            found.append(Change(start + place, start + place + len(tool), today))
    yield from sorted(found, key=lambda one: one.start if isinstance(one, Change) else _place(one))


def _place(diagnostic: Diagnostic) -> int:
    return diagnostic.span.start if diagnostic.span is not None else 0


def _told(former: FormerPass, start: int, end: int) -> Diagnostic:
    return Diagnostic(former.said, Span(start, end), "warning", NO_COUNTERPART)


def _gone(text: str, start: int) -> Iterator[Diagnostic]:
    for match in _NAME.finditer(text):
        former = former_passes().get(match[0])
        if former is not None and former.gone:
            yield _told(former, start + match.start(), start + match.end())


def _quoted(start: int, end: int, text: str, quote: str) -> Change:
    return Change(start, end, text if quote or " " not in text else f"'{text}'")


def _flags(former: FormerPass, options: str) -> Iterator[str]:
    """The flags for what stands in the place of a pass; options go to those passes that have them."""
    passes = _listed(former.now)
    given = _OPTION.findall(options.removeprefix("=").strip("'\""))
    for option in given:
        if (first := former.given.get(option.partition("=")[0])) is not None:
            anchor, bracket, pass_ = first.removesuffix(")").partition("(")
            yield f"--{pass_ if bracket else anchor}"
    for pass_ in passes:
        name, brace, own = pass_.partition("{")
        taken = [one for one in given if name in former.options.get(one.partition("=")[0], "").split(",")]
        if brace:
            yield f'--{name}="{own.removesuffix("}")}"'
        elif len(passes) == 1:
            yield f"--{name}{options}"
        else:
            yield f"--{name}" + (f"='{' '.join(taken)}'" if len(taken) > 1 else f"={taken[0]}" if taken else "")


def _listed(text: str) -> Sequence[str]:
    """The passes of a pipeline's text."""
    return [part for part in re.split(r",(?![^{]*\})", text) if part]


def _pipeline(text: str) -> str:
    """A pipeline as it is written today: with an anchor around it, and passes by their names."""

    def renamed(match: re.Match[str]) -> str:
        name = match[0]
        if text[match.end() : match.end() + 1] == "(":
            return _ANCHORS.get(name, name)
        former = former_passes().get(name)
        return former.now if former is not None and not former.gone else name

    new = re.sub(r",(?=[,)])|(?<=\(),", "", _NAME.sub(renamed, text))
    return new if new.startswith(_ROOTS) or not new else f"builtin.module({new})"
