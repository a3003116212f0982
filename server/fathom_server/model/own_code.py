"""Dialects that Python of the workspace says something of, which is run beside the server and never in it.

The server has a *stand-in* in its place: it says that a dialect is lowered, so that its pass stands in the pipeline as
it does in the process beside, and nothing else. So both count passes alike. What mentions such a dialect is lowered
beside the server, however short it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Final, TypeAlias

from fathom.context import Context, default_context
from fathom.irdl.code import DialectCode, with_code
from fathom.records import record
from fathom.rewriting.lowerings import AMENDMENTS, LOWERING, DialectLowering, LLVMTranslation, Rule
from fathom.rewriting.pattern import Failure
from fathom_server.model.queries import ALWAYS, fact
from fathom_server.model.snapshot import Snapshot

if TYPE_CHECKING:
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation, Value
    from fathom.irdl.dialect import Dialect
    from fathom.pipeline.lowering import Lowering
    from fathom.rewriting.conversion_rewriter import ConversionRewriter
    from fathom.syntax.pieces import Piece
    from fathom.syntax.sequence import Chunk
    from fathom.syntax.tree import Item

Spoken: TypeAlias = "Mapping[str, tuple[str, ...] | None]"
"""The dialects that code says something of, each with the dialects that it is lowered to; None if it is not lowered."""

NOTHING: Final[Spoken] = {}


@record(eq=False)
class StandIn(DialectCode):
    """Code that is not known here."""


def standing_in(dialects: Mapping[str, Dialect], spoken: Spoken) -> Context:
    """The context of dialects that are described, with stand-ins for what code says of some."""
    if not dialects:
        return default_context()
    return Context({name: _stood_in(dialect, spoken) for name, dialect in dialects.items()})


def _stood_in(dialect: Dialect, spoken: Spoken) -> Dialect:
    if dialect.name not in spoken:
        return dialect
    into = spoken[dialect.name]
    if into is None:
        return with_code(dialect, StandIn())
    lowering = DialectLowering((Rule("", into, _not_here),))
    return with_code(dialect, StandIn(aspects={LOWERING: lambda: lowering}))


def _not_here(_op: Operation, _operands: Sequence[Value], _rewriter: ConversionRewriter) -> Failure:
    return Failure("its code is run beside the server")


def runs_code(context: Context) -> bool:
    """Whether the code of a workspace is known here: in the process beside."""
    return any(code is not None and not isinstance(code, StandIn) for code in _codes(context).values())


def _codes(context: Context) -> dict[str, DialectCode | None]:
    dialects = {name: context.dialect(name) for name in context.own_dialects}
    return {name: dialect.code for name, dialect in dialects.items() if dialect is not None}


def faults_of_translation(lowering: Lowering, module: Operation) -> Iterator[Diagnostic]:
    """What goes wrong in code when a module that was lowered is translated to LLVM IR, if code has a say in that."""
    if any(_is_translated_by_code(op, lowering.context) for op in module.walk()):
        yield from (diagnostic for diagnostic in lowering.translated(module).told if diagnostic.place is not None)


def _is_translated_by_code(op: Operation, context: Context) -> bool:
    if op.interface(LLVMTranslation) is not None:
        return True
    names = (name.partition(".")[0] for name in op.attributes)
    return any(name in context.own_dialects and context.aspect(AMENDMENTS, name) for name in names)


@fact(lambda _reach: ALWAYS)
def mentions_code(snapshot: Snapshot) -> bool:
    """Whether the document names a dialect that code says something of."""
    names = tuple(f"{name}." for name, code in _codes(snapshot.context).items() if code is not None)
    return bool(names) and any(snapshot.tree.items.known(_mentioning(names)))


@lru_cache(maxsize=8)
def _mentioning(names: tuple[str, ...]) -> Callable[[Chunk[Item]], bool]:
    """Whether items have one of some texts in them. It is kept with the chunks of the document, and with those of each
    item: after an edit it is looked for in what that touched."""

    def in_statements(chunk: Chunk[Piece]) -> bool:
        return any(name in line for piece in chunk.elements for line in piece.lines for name in names)

    def in_items(chunk: Chunk[Item]) -> bool:
        return any(any(item.pieces.known(in_statements)) for item in chunk.elements)

    return in_items
