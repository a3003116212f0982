"""What is shown of an item where nobody asked that it should become LLVM IR: not each operation that a pipeline would
leave behind, nor each that nobody has described, but one finding for a function.

func.func @f(%t: tensor<4xf32>) {      at `@f`: does not reach LLVM IR: 2 operations of `nn` and 1 on tensors
  %0 = nn.relu %t : tensor<4xf32>
  nn.print %0 : tensor<4xf32>
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from fathom.diagnostics import INTERNAL, NOT_LOWERED, UNKNOWN_OP, Diagnostic, Note
from fathom.elaborate.suggestions import meant_operation
from fathom.ir.operation import Span
from fathom.ir.types import TensorType
from fathom.records import record, replace
from fathom.rewriting.type_converter import CAST
from fathom.slices import paced
from fathom.syntax.tree import Item
from fathom_server.model.lowered import KEPT_STALLS, stalled
from fathom_server.model.mistakes import diagnostics
from fathom_server.model.queries import query
from fathom_server.model.snapshot import Snapshot
from fathom_server.model.symbols import Role, Symbol, role_of, symbols_of

FEW: Final = 3
"""So many of the operations are shown beside a finding."""
MOST_KINDS: Final = 4
"""So many dialects are counted one by one."""
TENSORS: Final = "on tensors"
"""What is counted apart: operations that are left because of the tensors that they take or give."""


@record
class Gist:
    """`functions` are findings about functions, one for each. `beside` are those about what stands in no function, by
    its dialect: who shows several items shows one of a dialect. `told` are the dialects that nobody described of which
    the findings about functions say so, and that are no slips of the pen."""

    functions: tuple[Diagnostic, ...] = ()
    beside: tuple[tuple[str, Diagnostic], ...] = ()
    told: frozenset[str] = frozenset()


@query(keep=KEPT_STALLS)
def gist(snapshot: Snapshot, item: Item) -> Gist:
    """What is shown of the lowering of an item where nobody asked for it. Spans count from its beginning."""
    found_at_all = stalled(snapshot, item)
    left = [finding for finding in found_at_all if is_leftover(finding)]
    if not left:
        return Gist()
    unknown = undescribed(snapshot, item)
    slips = {
        dialect for dialect, diagnostic in unknown.items() if meant_operation(_name(item, diagnostic), snapshot.context)
    }
    functions = [symbol for symbol in symbols_of(item) if role_of(symbol, snapshot.context) is Role.FUNCTION]
    within: dict[Symbol | None, list[Diagnostic]] = {}
    for finding in paced(left):
        within.setdefault(_around(functions, finding), []).append(finding)
    # That a function fails is said of it, and nothing else.
    failed = {_around(functions, finding) for finding in found_at_all if not is_leftover(finding)}
    told: set[str] = set()
    findings: list[Diagnostic] = []
    for function, those in within.items():
        if function is not None and function not in failed:
            begun = {dialect for dialect, diagnostic in unknown.items() if _around(functions, diagnostic) is function}
            named = dict.fromkeys(
                (*(d for diagnostic in those if (d := _dialect(diagnostic)) in unknown), *sorted(begun))
            )
            told.update(named)
            findings.append(_of_function(function, those, tuple(named)))
    beside: dict[str, Diagnostic] = {}
    for diagnostic in _counted_of(within.get(None, ())):
        beside.setdefault(_dialect(diagnostic), _beside(diagnostic))
    return Gist(tuple(findings), tuple(beside.items()), frozenset(told - slips))


def is_leftover(diagnostic: Diagnostic) -> bool:
    """Whether a finding of the lowering is about something that no pass converts. What fails is an error, asked for or
    not."""
    return diagnostic.severity != "error" and diagnostic.code != INTERNAL


@query()
def undescribed(snapshot: Snapshot, item: Item) -> dict[str, Diagnostic]:
    """The dialects of an item that nobody described, each with a finding at the first operation of it."""
    first: dict[str, Diagnostic] = {}
    for diagnostic in paced(diagnostics(snapshot, item)):
        if diagnostic.code == UNKNOWN_OP and diagnostic.span is not None:
            dialect = _name(item, diagnostic).partition(".")[0]
            if dialect not in first:
                first[dialect] = _of_dialect(
                    dialect, diagnostic, is_known=snapshot.context.dialect(dialect) is not None
                )
    return first


def _name(item: Item, diagnostic: Diagnostic) -> str:
    """The operation that a finding about an unknown one stands at."""
    return item.text_between(diagnostic.span.start, diagnostic.span.end) if diagnostic.span is not None else ""


def _of_dialect(dialect: str, first: Diagnostic, *, is_known: bool) -> Diagnostic:
    if is_known:
        return first
    message = f"nobody has described the dialect '{dialect}': its operations are kept as they are written"
    return replace(first, message=message, notes=first.notes[1:])


def _around(functions: Sequence[Symbol], diagnostic: Diagnostic) -> Symbol | None:
    """The innermost function that a finding is in."""
    place = diagnostic.span.start if diagnostic.span is not None else -1
    around = [function for function in functions if function.start <= place < function.full_end]
    return max(around, key=lambda symbol: symbol.start, default=None)


def _dialect(diagnostic: Diagnostic) -> str:
    return diagnostic.left.partition(".")[0]


def _kind(diagnostic: Diagnostic) -> str:
    """What a finding counts as: a dialect, or what is left because of tensors."""
    return TENSORS if diagnostic.types and isinstance(diagnostic.types[0], TensorType) else _dialect(diagnostic)


def _of_function(function: Symbol, left: Sequence[Diagnostic], unknown: Sequence[str]) -> Diagnostic:
    """What is said of a function of which something is left, and in which nobody has described some dialects."""
    counted = _counted_of(left)
    message = f"'@{function.name}' does not reach LLVM IR: {_counted(counted)}"
    if unknown:
        message += f"; nobody has described {_listed([_quoted(dialect) for dialect in unknown], 'or')}"
    return Diagnostic(
        f"{message}; run, preview or lower it to see why",
        Span(function.name_start, function.name_end),
        "information",
        NOT_LOWERED,
        tuple(_notes(counted[:FEW])),
        hint=True,
    )


def _counted_of(left: Sequence[Diagnostic]) -> Sequence[Diagnostic]:
    """What counts of what is left: a cast stands where something else is left, unless the pipeline has no pass that
    takes it away."""
    return [diagnostic for diagnostic in left if diagnostic.left != CAST] or left


def _beside(diagnostic: Diagnostic) -> Diagnostic:
    """What is said of the first operation of a dialect that is left and stands in no function."""
    message = f"operations of '{_dialect(diagnostic)}' do not reach LLVM IR; preview the file to see why"
    return replace(diagnostic, message=message, severity="information", code=NOT_LOWERED)


def _notes(left: Iterable[Diagnostic]) -> Iterator[Note]:
    """What would be said of each."""
    for diagnostic in left:
        reason = f": {diagnostic.notes[0].message}" if diagnostic.notes else ""
        yield Note(f"'{diagnostic.left}'{reason}", diagnostic.span, hint=True)


def _counted(left: Sequence[Diagnostic]) -> str:
    """`12 operations of 'nn', 2 of 'gpu' and 3 on tensors`."""
    counts = Counter(map(_kind, left))
    kinds = [kind for kind in counts if kind != TENSORS]
    named = {kind: f"of {_quoted(kind)}" for kind in kinds[:MOST_KINDS]}
    parts = [(counts[kind], what) for kind, what in named.items()]
    if others := sum(counts[kind] for kind in kinds[MOST_KINDS:]):
        parts.append((others, "of other dialects"))
    if counts[TENSORS]:
        parts.append((counts[TENSORS], TENSORS))
    (count, what), *rest = parts
    first = f"{count:,} operation{'' if count == 1 else 's'} {what}"
    return _listed([first, *(f"{count:,} {what}" for count, what in rest)], "and")


def _quoted(dialect: str) -> str:
    return f"'{dialect}'"


def _listed(parts: Sequence[str], word: str) -> str:
    """`a, b and c`, with that word."""
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} {word} {parts[-1]}"
