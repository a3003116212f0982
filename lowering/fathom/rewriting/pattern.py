"""A rewrite pattern as plain data: the operation it is for, how eager it is, and the function that rewrites.

Source of the rules: *Pattern Rewriting: Generic DAG-to-DAG Rewriting*, "Defining Patterns".
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial, wraps
from typing import TYPE_CHECKING, Any, Final, TypeAlias, TypeVar

from fathom.ir.operation import Value
from fathom.records import field, record

if TYPE_CHECKING:
    from fathom.ir.operation import Operation
    from fathom.irdl.definition import OpDefinition, Trait
    from fathom.rewriting.rewriter import Rewriter
    from fathom.rewriting.type_converter import TypeConverter


@record
class Failure:
    """Why a pattern does not apply. It goes into the note of the diagnostic if nothing else legalises the operation.

    One that is `said_of` an operation MLIR says as an error of that, in these words; in a dialect conversion it is one
    here too, whatever becomes of the operation that the pattern is for. One that is `placed` there only is said
    without the operation as it is.
    """

    reason: str
    said_of: Operation | None = field(default=None, compare=False, repr=False)
    placed: bool = False


NO_MATCH: Final = Failure("the operation is not of this form")


OpT = TypeVar("OpT", bound="Operation")


def defined_by(value: Value, kind: type[OpT]) -> OpT | None:
    """The operation that defines a value, if it is of this class (`fathom.ops`)."""
    op = value.defining_op
    return op if isinstance(op, kind) else None


class Operations:
    """Operations that a pattern looks for around the one it is for. Which they are is data, like the pattern's root.

    VIEWS: Final = Operations("memref.subview", "memref.cast")

    view = VIEWS.defining(value)            None where a value comes from something else
    if op in VIEWS: …
    """

    __slots__ = ("_all", "names")

    def __init__(self, *names: str) -> None:
        self.names = names
        self._all = frozenset(names)

    def __contains__(self, op: Operation) -> bool:
        return op.name in self._all

    def defining(self, value: Value) -> Operation | None:
        """The one of them that defines a value."""
        op = value.defining_op
        return op if op is not None and op.name in self._all else None


RewriteFunction: TypeAlias = "Callable[[Any, Any, Any], Failure | None]"
"""`rewrite(op, operands, rewriter)`; what the operands are depends on the pattern, see `Pattern`."""


@record(eq=False)
class Pattern:
    """Rewrites operations named `root`; if it has none, those that have the `trait`.

    `rewrite(op, operands, rewriter)` gets the rewriter (`fathom.rewriting.rewriter.Rewriter`, in a dialect conversion
    `fathom.rewriting.conversion_rewriter.ConversionRewriter`) positioned before `op`, and either replaces, erases or
    modifies `op` and returns None, or leaves it alone and returns a `Failure`. Changes made before a failure are
    undone.

    With a type converter (`types`), `operands` are the remapped operands: values of the converted types, a list with
    one value for each operand; or, if `one_to_many`, a list of values for each operand. Without one they are the
    operands as they stand in the operation. Patterns of higher benefit are tried first, equal ones in order of
    registration.
    """

    root: str
    rewrite: RewriteFunction
    types: TypeConverter | None = None
    benefit: int = 1
    one_to_many: bool = False
    recursive: bool = False
    """Whether the pattern may apply to what it made itself; it must then be sure to end."""
    name: str = ""
    """What MLIR calls it, without namespaces and the arguments of a template, by which it can be left out; where MLIR
    has no name for it, what it does. It is that of the function if none is given."""
    trait: Trait | None = None

    def __post_init__(self) -> None:
        if not self.name:
            object.__setattr__(self, "name", name_of(self.rewrite))

    def is_for(self, name: str, definition: OpDefinition | None) -> bool:
        """Whether it rewrites operations of this name, which have this definition, if any."""
        if self.trait is None:
            return self.root == name
        return definition is not None and definition.has(self.trait)


Replacement: TypeAlias = "Operation | Value | Sequence[Value] | Failure | None"
"""What takes the place of an operation: the results of another one, a value, or a value for each result; the operation
itself where nothing is left to do, as it was changed in place; or why nothing does, None where it is not of the form
that is looked for."""

GiveFunction: TypeAlias = "Callable[[Any, Any], Replacement]"
"""`give(op, rewriter)`, the work of a pattern that is made by `replacing`."""


def replacing(
    root: str, give: GiveFunction, *, name: str = "", benefit: int = 1, trait: Trait | None = None
) -> Pattern:
    """The pattern that puts in the place of an operation what `give(op, rewriter)` finds or makes."""

    @wraps(give)
    def rewrite(op: Operation, operands: Sequence[Value], rewriter: Rewriter) -> Failure | None:
        made = give(op, rewriter)
        if made is None or isinstance(made, Failure):
            return made or NO_MATCH
        if made is op:
            return None
        values = made if isinstance(made, Sequence) else [made] if isinstance(made, Value) else made.results
        rewriter.replace(op, values)
        return None

    return Pattern(root, rewrite, benefit=benefit, name=name, trait=trait)


def of_another(
    kind: type[Operation], made: str, fits: Callable[[Any, Any], bool] = lambda op, other: True
) -> GiveFunction:
    """Of what an operation of this class makes: `made` is what that one is of, where the two fit."""

    def give(op: Operation, rewriter: Rewriter) -> Replacement:
        other = defined_by(op.operands[0], kind)
        if other is None or not fits(op, other):
            return None
        return rewriter.create(made, other.operands, [op.result.type])

    return give


_F = TypeVar("_F", bound=Callable[..., object])


def named(name: str) -> Callable[[_F], _F]:
    """Says what MLIR calls the patterns that a function is the work of, where it is that of several or of one in a
    table."""

    def mark(function: _F) -> _F:
        setattr(function, _NAME, name)
        return function

    return mark


_NAME: Final = "pattern_name"


def name_of(function: Callable[..., object]) -> str:
    """The name of a pattern that is the work of a function: as it is `named`, or else as the function is, or the one
    that made it."""
    while isinstance(function, partial):
        function = function.func
    known = getattr(function, _NAME, None)
    if isinstance(known, str):
        return known
    outermost, _, _ = getattr(function, "__qualname__", type(function).__qualname__).partition(".<locals>")
    return outermost.rpartition(".")[2].lstrip("_")


def sorted_by_root(patterns: Iterable[Pattern]) -> dict[str, list[Pattern]]:
    """The patterns of each operation, those of higher benefit first, equal ones in order."""
    table: dict[str, list[Pattern]] = {}
    for pattern in patterns:
        table.setdefault(pattern.root, []).append(pattern)
    for same_root in table.values():
        same_root.sort(key=lambda pattern: -pattern.benefit)
    return table


def bind(functions: Sequence[tuple[str, RewriteFunction]], types: TypeConverter | None) -> list[Pattern]:
    """Patterns of benefit 1 for pairs of an operation's name and its function."""
    return [Pattern(root, function, types) for root, function in functions]
