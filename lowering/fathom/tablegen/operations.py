"""The operations that are written with an exclamation mark, as terms.

An operation is *folded* when something became known of its operands: the rule of its name (`rules.py`) gives its value,
or None where it has to wait.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final, TypeAlias

from fathom.tablegen.mistakes import Refused
from fathom.tablegen.references import DefTerm
from fathom.tablegen.resolvers import Shadow
from fathom.tablegen.terms import BitOf, Int, Key, Term, changed, int_of, shown, together
from fathom.tablegen.types import BIT, UNKNOWN, Type

if TYPE_CHECKING:
    from fathom.tablegen.resolvers import Resolver

Rule: TypeAlias = "Callable[[Operation, Resolver], Term | None]"

LATE: Final = frozenset(("cast", "exists", "instances"))
"""Those that look at all records: what they do not find may still come, until a record is finished."""
BINDING: Final = frozenset(("foreach", "filter", "foldl"))
"""Those whose last operand has variables of its own."""
_WITH_CHECKED_TYPE: Final = frozenset(("isa", "exists", "instances"))
_WITH_OWN_TYPE: Final = frozenset(("cast", "getdagarg"))


class Operation(Term):
    """`!code(operands)`. `checked` is the type in angle brackets of those that ask whether something is of a type;
    `bound` are the names of the variables of those that have any. A slice of a list, `a[b]`, an element of one and a
    range, `a...b`, are operations too."""

    __slots__ = ("bound", "checked", "code", "free", "late", "operands", "size", "type")

    def __init__(
        self,
        code: str,
        operands: tuple[Term, ...],
        type_: Type,
        checked: Type | None = None,
        bound: tuple[str, ...] = (),
    ) -> None:
        self.code = code
        self.operands = operands
        self.type = type_
        self.checked = checked
        self.bound = bound
        self.free, self.late, self.size = together(operands)
        if bound:
            self.free = together(operands[:-1])[0] | operands[-1].free.difference(bound)
        if code in LATE:
            self.late = True

    @property
    def text(self) -> str:
        texts = [operand.text for operand in self.operands]
        match self.code:
            case "element" | "slice":
                return f"{texts[0]}[{texts[1]}]"
            case "closed range":
                return f"{texts[0]}...{texts[1]}"
            case "cond":
                cases = zip(texts[::2], texts[1::2], strict=True)
                return f"!cond({', '.join(f'{condition}: {value}' for condition, value in cases)})"
            case "foreach" | "filter":
                texts = [*self.bound, *texts]
            case "foldl":
                texts = [*texts[:2], *self.bound, texts[2]]
            case _:
                pass
        type_ = self.checked if self.code in _WITH_CHECKED_TYPE else self.type if self.code in _WITH_OWN_TYPE else None
        return f"!{self.code}{'' if type_ is None else f'<{type_.text}>'}({', '.join(texts)})"

    @property
    def concrete(self) -> bool:
        return self.code == "cond" and all(operand.concrete for operand in self.operands)

    @property
    def complete(self) -> bool:
        if self.code in ("foldl", "isa", "exists", "instances"):
            return False
        if self.code in _TERNARY or self.code == "cond":
            return all(operand.complete for operand in self.operands)
        return True

    def bit(self, index: int) -> Term:
        if self.type is BIT and self.code not in ("foldl", "isa", "exists", "instances", "cond"):
            return self
        return super().bit(index) if self.type is not BIT else _bit_of(self, index)

    def folded(self, at: Resolver) -> Term:
        """Its value, if that can be worked out; itself otherwise. Raises Refused where it has none."""
        at.keeper.work_done += 1
        return at.keeper.rules[self.code](self, at) or self

    def _resolved(self, by: Resolver) -> Term:
        by.keeper.work_done += 1
        special = _RESOLVED.get(self.code)
        if special is not None:
            return special(self, by)
        names, final, operands = by.names, by.final, self.operands
        # `resolved` of each, written out: it is what evaluation does most.
        new = tuple(
            [
                operand._resolved(by)
                if (operand.free and not names.isdisjoint(operand.free)) or (operand.late and final)
                else operand
                for operand in operands
            ]
        )
        if new != operands or (final and self.code in LATE):
            return Operation(self.code, new, self.type, self.checked).folded(by)
        return self

    @property
    def key(self) -> Key:
        operands = (operand.key for operand in self.operands)
        return ("operation", self.code, self.type, self.checked, self.bound, *operands)


DECISIVE: Final[Mapping[str, int]] = {"and": 0, "or": -1}
"""What the left operand of an operation decides alone, whatever the right one is."""


def _resolve_if(of: Operation, by: Resolver) -> Term:
    """Of the two values, that which is not taken is not looked at."""
    condition, then, otherwise = of.operands
    now = condition.resolved(by)
    if now is not condition:
        known = int_of(now)
        if known is not None:
            return (then if known else otherwise).resolved(by)
    new = (now, then.resolved(by), otherwise.resolved(by))
    return Operation("if", new, of.type).folded(by) if changed(new, of.operands) else of


def _resolve_shortly(of: Operation, by: Resolver) -> Term:
    """What the left operand decides, the right one is not looked at for."""
    left = of.operands[0].resolved(by)
    known = int_of(left)
    if known is not None and known == DECISIVE[of.code]:
        return Int(known)
    new = (left, of.operands[1].resolved(by))
    return Operation(of.code, new, of.type).folded(by) if changed(new, of.operands) else of


def _resolve_binding(of: Operation, by: Resolver) -> Term:
    """In the last operand, some variables are others."""
    outer = [operand.resolved(by) for operand in of.operands[:-1]]
    new = (*outer, of.operands[-1].resolved(Shadow(by, of.bound)))
    return Operation(of.code, new, of.type, bound=of.bound).folded(by) if changed(new, of.operands) else of


_RESOLVED: Final[Mapping[str, Callable[[Operation, Resolver], Term]]] = {
    "if": _resolve_if,
    "and": _resolve_shortly,
    "or": _resolve_shortly,
    **dict.fromkeys(BINDING, _resolve_binding),
}
"""Those that do not look at all of their operands alike."""

_TERNARY: Final = frozenset(
    ("dag", "filter", "foreach", "if", "range", "subst", "substr", "find", "setdagarg", "setdagname")
)


def _bit_of(term: Term, index: int) -> Term:
    return BitOf(term, index)


class FieldOf(Term):
    """`record.field`, of a record that is not known yet or a field that is not worked out."""

    __slots__ = ("free", "late", "name", "of", "size", "type")

    def __init__(self, of: Term, name: str, type_: Type) -> None:
        self.of = of
        self.name = name
        self.type = type_
        self.free = of.free
        self.late = of.late
        self.size = of.size + 1

    @property
    def text(self) -> str:
        return f"{self.of.text}.{self.name}"

    @property
    def concrete(self) -> bool:
        if not isinstance(self.of, DefTerm):
            return False
        field = self.of.definition.fields.get(self.name)
        return field is not None and field.value.concrete

    def folded(self, at: Resolver) -> Term:
        """The value of the field, if it is one. Raises Refused where a record would look at itself."""
        if not isinstance(self.of, DefTerm):
            return self
        definition = self.of.definition
        if definition is at.record:
            raise Refused(
                f"Attempting to access field '{self.name}' of '{shown(self.of)}' is a forbidden self-reference",
                *definition.places,
            )
        field = definition.fields.get(self.name)
        return field.value if field is not None and field.value.concrete else self

    def _resolved(self, by: Resolver) -> Term:
        of = self.of.resolved(by)
        if of is self.of:
            return self
        return FieldOf(of, self.name, of.field_type(self.name) or self.type).folded(by)

    @property
    def key(self) -> Key:
        return ("field", self.of.key, self.name)


def cast(term: Term, to: Type) -> Term | None:
    """A value as one of another type, if need be by an operation that finds out later whether it is one; None where it
    cannot be."""
    own = term.type
    if own is to or own is UNKNOWN or own.is_a(to):
        return term
    converted = term.convert(to)
    if converted is not None:
        return converted
    return Operation("cast", (term,), to) if own.converts_to(to) else None


def truth(term: Term) -> bool | None:
    """Whether a number is not 0; None for what is no number yet."""
    number = int_of(term)
    return None if number is None else bool(number)
