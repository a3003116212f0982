"""From a part of an input to a module that was verified: the first step that the commands share."""

from __future__ import annotations

from collections.abc import Container
from typing import Final

from fathom.cli.registration import unregistered, unregistered_symbols
from fathom.cli.report import Reporter
from fathom.cli.splitting import Chunk
from fathom.context import Context, default_context
from fathom.diagnostics import PARSE, UNCLOSED, UNDECLARED_BLOCK, UNDECLARED_VALUE, Diagnostic
from fathom.elaborate import Loaded, load
from fathom.ir.operation import Operation, Span
from fathom.irdl.traits import ISOLATED_FROM_ABOVE
from fathom.records import field, record, replace
from fathom.syntax.shapes import ShapeMemory
from fathom.syntax.tree import SyntaxTree
from fathom.syntax.vocabulary import OpSyntax
from fathom.verify import verify

BYTECODE: Final = "ML\udcefR"
"""The first characters of a file in MLIR's binary form, as text whose bytes beyond ASCII are kept."""


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
    context: Context = field(default_factory=default_context)
    literal: ShapeMemory | None = None
    """What was learnt of texts that are read as they stand, without a guess at what was meant."""

    def load(self, chunk: Chunk, reporter: Reporter) -> Loaded | None:
        """The module of a chunk; None after its errors were reported."""
        if chunk.text.startswith(BYTECODE):
            text = "the input is bytecode, which is not supported: print it as text with mlir-opt first"
            reporter.report([Diagnostic(text, code=PARSE)])
            return None
        loaded = load(chunk.text, self.context, self._shapes(literally=self.only_first))
        problems = self._mistakes(loaded, chunk.text)
        if not self.only_first and any(problem.code == UNCLOSED for problem in problems):
            # Braces that balance mean what they say: then no function lacks one for another that stands in it.
            as_it_stands = load(chunk.text, self.context, self._shapes(literally=True))
            if not any(problem.code == UNCLOSED for problem in as_it_stands.diagnostics):
                loaded, problems = as_it_stands, self._mistakes(as_it_stands, chunk.text)
        if not problems and not self.implicit_module:
            operations = loaded.elaborated.operations or [loaded.module]
            count = len(loaded.elaborated.operations)
            if count != 1:
                problem = f"source must contain a single top-level operation, found: {count}"
                reporter.report([Diagnostic(problem, code=PARSE)], chunk.offset)
                return None
            operations[0].unlink()
            loaded = replace(loaded, module=operations[0])
        if not problems and self.verify:
            problems = verify(loaded.module, None, self.context, loaded.elaborated.template)
            problems = first_of_each_scope(problems) if self.only_first else problems
        reporter.report(problems, chunk.offset)
        return None if problems else loaded

    def _shapes(self, *, literally: bool) -> ShapeMemory | None:
        if not literally:
            return None
        if self.literal is None:
            self.literal = ShapeMemory(_Literal(self.context))
        return self.literal

    def _mistakes(self, loaded: Loaded, text: str) -> list[Diagnostic]:
        """The mistakes in the text, in the order in which a reader from its beginning to its end finds them."""
        problems = [d for d in loaded.diagnostics if d.severity == "error"]
        reported = {d.span.start for d in problems if d.span is not None}
        refused = unregistered(loaded.module, text, self.context, self.known, only_complete=self.allow_unregistered)
        if not self.allow_unregistered:
            refused += unregistered_symbols(loaded.tree, self.context)
        problems += [d for d in refused if d.span is None or d.span.start not in reported]
        problems.sort(key=lambda d: (_LATE.index(d.code) if d.code in _LATE else -1, d.span.start if d.span else 0))
        return first_mistake(problems, _end_of(loaded.tree)) if self.only_first else problems


@record
class _Literal:
    """A vocabulary without functions: whoever reads by it does not take a function inside another for a sign that the
    outer one lacks its closing brace."""

    context: Context

    def syntax(self, name: str) -> OpSyntax | None:
        syntax = self.context.syntax(name)
        return replace(syntax, function=False) if syntax is not None and syntax.function else syntax

    def is_complete(self, dialect: str) -> bool:
        return self.context.is_complete(dialect)


_LATE: Final = (UNDECLARED_BLOCK, UNDECLARED_VALUE, UNCLOSED)
"""What shows later than where it stands: MLIR looks for labels that nothing defines at the end of a region, and for
such values when everything has been read."""


def first_mistake(problems: list[Diagnostic], end: Span) -> list[Diagnostic]:
    """What MLIR reports of the mistakes in a text: the first.

    That a region is still open it sees at the end of the text, behind its last token, `end`.
    """
    by_code: dict[str, list[Diagnostic]] = {}
    for problem in problems:
        by_code.setdefault(problem.code if problem.code in _LATE else "", []).append(problem)
    if "" in by_code:
        return by_code[""][:1]
    if UNCLOSED in by_code:
        return [Diagnostic("expected operation name in quotes", end, code=PARSE)]
    return by_code.get(UNDECLARED_BLOCK) or by_code.get(UNDECLARED_VALUE) or []


def _end_of(tree: SyntaxTree) -> Span:
    """The place behind the last token of a text."""
    for index in range(len(tree.items) - 1, -1, -1):
        item = tree.items[index]
        last = item.last_statement(len(item.pieces))
        if last >= 0:
            end = tree.start(index) + item.start(last) + item.pieces[last].token_spans()[-1][1]
            return Span(end, end)
    return Span(0, 0)


def first_of_each_scope(problems: list[Diagnostic]) -> list[Diagnostic]:
    """What MLIR reports of the mistakes that verification finds: it stops at the first in each operation that is
    isolated from above, and then says no more of those around it."""
    kept: list[Diagnostic] = []
    failed: list[list[Operation]] = []
    for problem in problems:
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
