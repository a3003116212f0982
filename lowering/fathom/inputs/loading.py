"""From a part of an input to a module that was verified: the first step that the commands share."""

from __future__ import annotations

from collections.abc import Container
from typing import Final

from fathom.context import Context, default_context
from fathom.diagnostics import (
    FURTHER,
    OVERRUN,
    PARSE,
    STRAY,
    UNCLOSED,
    UNDECLARED_BLOCK,
    UNDECLARED_VALUE,
    Diagnostic,
    order_in_text,
)
from fathom.elaborate import Loaded, load
from fathom.elaborate.renamed import with_renames
from fathom.inputs.binary import BYTECODE, what_it_is
from fathom.inputs.outer_values import settle_outer_uses
from fathom.inputs.registration import unknown_resources, unregistered, unregistered_symbols
from fathom.inputs.splitting import Chunk
from fathom.ir.language import Language
from fathom.ir.operation import Operation, Span
from fathom.irdl.traits import ISOLATED_FROM_ABOVE
from fathom.messages.report import Reporter
from fathom.records import field, record, replace
from fathom.syntax.shapes import ShapeMemory
from fathom.syntax.tree import SyntaxTree
from fathom.syntax.vocabulary import OpSyntax
from fathom.verify import verify


@record(frozen=False)
class Loading:
    """How texts become modules.

    `known` names operations that have no definition, and that the command takes in generic form all the same. Without
    `implicit_module` a text must hold one operation, which is taken as it is. `only_first` reports what MLIR reports,
    which stops at a mistake, instead of all that is wrong.
    """

    allow_unregistered: bool = False
    known: Container[str] = ()
    implicit_module: bool = True
    verify: bool = True
    only_first: bool = False
    links_nested: bool = False
    """Whether a text is a module with one module inside, whose symbols come to stand in the outer one."""
    linked: list[Operation] = field(default_factory=list["Operation"])
    """What has come so."""
    context: Context = field(default_factory=default_context)
    literal: ShapeMemory | None = None
    """What was learnt of texts that are read as they stand, without a guess at what was meant."""

    @property
    def is_plain(self) -> bool:
        """Whether a text is read and verified as it is by default, in MLIR as it is today."""
        is_default = self.verify and self.implicit_module and not self.only_first and not self.links_nested
        return is_default and self.context.edition is None

    def load(self, chunk: Chunk, reporter: Reporter) -> Loaded | None:
        """The module of a chunk; None after its errors were reported."""
        loaded, problems, late = self._read(chunk)
        if not problems and not self.implicit_module:
            count = len(loaded.elaborated.operations)
            if count != 1:
                problem = f"source must contain a single top-level operation, found: {count}"
                reporter.report([Diagnostic(problem, code=PARSE)], chunk.offset)
                return None
            loaded = replace(loaded, module=_taken_out(loaded))
        if not problems and self.verify:
            problems = self._wrong(loaded, late)
            if problems and chunk.text.startswith(BYTECODE):
                from fathom.inputs.bytecode import with_origin

                problems = with_origin(problems, chunk.text)
        reporter.report(problems, chunk.offset)
        return None if problems else loaded

    def again(self, chunk: Chunk) -> Operation:
        """The module of a chunk from which one was loaded, anew."""
        loaded, *_ = self._read(chunk)
        return loaded.module if self.implicit_module else _taken_out(loaded)

    def told(self, chunk: Chunk) -> tuple[Loaded, list[Diagnostic]]:
        """What a chunk holds, with all that is reported of it when it is loaded."""
        loaded, problems, late = self._read(chunk)
        return loaded, problems or self._wrong(loaded, late)

    def _wrong(self, loaded: Loaded, late: list[Diagnostic]) -> list[Diagnostic]:
        """What verification has to say of what was loaded."""
        known = loaded.elaborated
        wrong = verify(loaded.module, None, self.context, known.template, is_ordered=known.is_ordered)
        problems = [*wrong, *late]
        return first_of_each_scope(problems) if self.only_first else problems

    def read(self, chunk: Chunk) -> tuple[Loaded, list[Diagnostic]]:
        """What a chunk holds, before it is verified, with the mistakes in its text."""
        loaded, problems, late = self._read(chunk)
        return loaded, problems or late

    def _read(self, chunk: Chunk) -> tuple[Loaded, list[Diagnostic], list[Diagnostic]]:
        """What a chunk holds, with the mistakes in its text, and those in the uses of values that verification tells
        last."""
        if (what := what_it_is(chunk.text)) is not None:
            return load("", self.context), [Diagnostic(f"the input is {what}", code=PARSE)], []
        if chunk.text.startswith(BYTECODE):
            from fathom.inputs.bytecode import load_bytecode

            allowed = self.allow_unregistered
            return *load_bytecode(chunk.text, self.context, allow_unregistered=allowed, known=self.known), []
        loaded = load(chunk.text, self.context, self._shapes(literally=self.only_first))
        problems, late = self._mistakes(loaded, chunk.text)
        if not self.only_first and any(problem.code == UNCLOSED for problem in problems):
            # Braces that balance mean what they say: then no function lacks one for another that stands in it.
            as_it_stands = load(chunk.text, self.context, self._shapes(literally=True))
            if not any(problem.code == UNCLOSED for problem in as_it_stands.diagnostics):
                loaded = as_it_stands
                problems, late = self._mistakes(as_it_stands, chunk.text)
        if self.links_nested and not problems:
            from fathom.inputs.nested_modules import link_nested

            self.linked, problem = link_nested(loaded.module)
            problems = [problem] if problem is not None else []
        return loaded, problems, late

    def _shapes(self, *, literally: bool) -> ShapeMemory | None:
        if not literally:
            return None
        if self.literal is None:
            self.literal = ShapeMemory(_Literal(self.context))
        return self.literal

    def _mistakes(self, loaded: Loaded, text: str) -> tuple[list[Diagnostic], list[Diagnostic]]:
        """The mistakes in the text, in the order in which a reader from its beginning to its end finds them, and what
        verification tells last."""
        problems = _without_told([d for d in loaded.diagnostics if d.severity == "error"])
        reported = {d.span.start for d in problems if d.span is not None}
        refused = unregistered(loaded.module, text, self.context, self.known, only_complete=self.allow_unregistered)
        refused += unknown_resources(loaded.tree, self.context)
        if not self.allow_unregistered:
            refused += unregistered_symbols(loaded.tree, text, self.context)
        problems += [d for d in refused if d.span is None or d.span.start not in reported]
        problems.sort(key=lambda d: (_LATE.index(d.code) if d.code in _LATE else -1, order_in_text(d)))
        problems, late = settle_outer_uses(loaded.elaborated, problems)
        problems = first_mistake(problems, loaded.tree) if self.only_first else problems
        return with_renames(problems, loaded.tree.around), late


def _taken_out(loaded: Loaded) -> Operation:
    """The one operation of a text, without the module around it."""
    (op,) = loaded.elaborated.operations
    op.unlink()
    return op


@record
class _Literal:
    """A vocabulary without functions: whoever reads by it does not take a function inside another for a sign that the
    outer one lacks its closing brace."""

    context: Context

    @property
    def language(self) -> Language:
        return self.context.language

    def syntax(self, name: str) -> OpSyntax | None:
        syntax = self.context.syntax(name)
        return replace(syntax, function=False) if syntax is not None and syntax.function else syntax

    def full_name(self, name: str, default_dialect: str) -> str:
        return self.context.full_name(name, default_dialect)

    def is_defined(self, name: str) -> bool:
        return self.context.is_defined(name)

    def today(self, name: str) -> str | None:
        return self.context.today(name)

    def is_generic(self, name: str) -> bool:
        return self.context.is_generic(name)

    def is_complete(self, dialect: str) -> bool:
        return self.context.is_complete(dialect)


_LATE: Final = (UNDECLARED_BLOCK, UNDECLARED_VALUE, UNCLOSED)
"""What shows later than where it stands: MLIR looks for labels that nothing defines at the end of a region, and for
such values when everything has been read."""


def first_mistake(problems: list[Diagnostic], tree: SyntaxTree) -> list[Diagnostic]:
    """What MLIR reports of the mistakes in a text: the first, with what it says further of it.

    That something begins no operation it shows behind the token before, and that a region is still open behind the
    last one.
    """
    by_code: dict[str, list[Diagnostic]] = {}
    for problem in problems:
        by_code.setdefault(problem.code if problem.code in _LATE else "", []).append(problem)
    if "" in by_code:
        first = by_code[""][0]
        further = [problem for problem in problems if _adds_to(problem, first)]
        return [replace(first, span=_shown_at(first, tree)), *further]
    if UNCLOSED in by_code:
        return [Diagnostic("expected operation name in quotes", _end_before(tree, tree.length), code=PARSE)]
    return by_code.get(UNDECLARED_BLOCK) or by_code.get(UNDECLARED_VALUE) or []


def _without_told(problems: list[Diagnostic]) -> list[Diagnostic]:
    """The mistakes without those that are told where an alias is defined."""

    def is_told(problem: Diagnostic) -> bool:
        cause = problem.follows_from
        return cause is not None and (cause.span is None or is_told(cause))

    return [problem for problem in problems if not is_told(problem)]


def _shown_at(problem: Diagnostic, tree: SyntaxTree) -> Span | None:
    """Where MLIR shows a mistake."""
    span = problem.span
    if span is None or problem.code not in (STRAY, OVERRUN):
        return span
    if problem.code == STRAY:
        return _end_before(tree, span.start) or span
    last = max(tree.length - 1, 0)
    return _start_after(tree, span.end) or Span(last, last)


def _adds_to(problem: Diagnostic, first: Diagnostic) -> bool:
    """Whether it is said further of the mistake."""
    cause = problem.follows_from
    return problem.code == FURTHER and cause is not None and (cause is first or _adds_to(cause, first))


def _end_before(tree: SyntaxTree, place: int) -> Span | None:
    """The end of the last token that stands before a place; None where there is none."""
    for index in range(min(tree.item_at_offset(place), len(tree.items) - 1), -1, -1):
        pieces, start = tree.items[index].pieces, tree.start(index)
        for number in range(pieces.find_offset(max(place - start, 0))[0], -1, -1):
            base = start + pieces.offset(number)
            ends = [base + last for _, last in pieces[number].token_spans() if base + last <= place]
            if ends:
                return Span(ends[-1], ends[-1])
    return None


def _start_after(tree: SyntaxTree, place: int) -> Span | None:
    """The beginning of the first token that stands behind a place; None where there is none."""
    for index in range(tree.item_at_offset(place), len(tree.items)):
        pieces, start = tree.items[index].pieces, tree.start(index)
        for number in range(pieces.find_offset(max(place - start, 0))[0], len(pieces)):
            base = start + pieces.offset(number)
            starts = [base + first for first, _ in pieces[number].token_spans() if base + first >= place]
            if starts:
                return Span(starts[0], starts[0])
    return None


def first_of_each_scope(problems: list[Diagnostic]) -> list[Diagnostic]:
    """What MLIR reports of the mistakes that verification finds: it stops at the first in each operation that is
    isolated from above, and then says no more of those around it."""
    kept: list[Diagnostic] = []
    failed: list[list[Operation]] = []
    for problem in problems:
        if problem.code == FURTHER:
            kept += [problem] if kept and kept[-1] is problem.follows_from else []
            continue
        path = _isolated_path(problem.op)
        if any(path[: len(other)] == other or other[: len(path)] == path for other in failed):
            continue
        kept.append(problem)
        failed.append(path)
    return kept


def _isolated_path(op: Operation | None) -> list[Operation]:
    """The operations around one that are isolated from above, outermost first; it is itself the last if it is one."""
    path: list[Operation] = []
    while op is not None:
        if op.has(ISOLATED_FROM_ABOVE) or op.parent_op is None:
            path.append(op)
        op = op.parent_op
    return path[::-1]
