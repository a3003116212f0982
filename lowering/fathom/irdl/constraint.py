"""What the type of a value, or an attribute, must satisfy, and the form in which an attribute stands in a format.

Source of the names: *Operation Definition Specification (ODS)*, "Constraints".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum
from typing import TYPE_CHECKING, Generic, TypeVar, cast

from fathom.cached import cached_property
from fathom.irdl.enumerations import NO_CASES, Enumeration
from fathom.irdl.stored_kinds import class_name, stored_kind
from fathom.irdl.terms import Native, Term
from fathom.records import record

if TYPE_CHECKING:
    from fathom.ir.attributes import Attribute
    from fathom.ir.types import Type
    from fathom.irdl.parametric import Parametric
    from fathom.irdl.terms import Test

V = TypeVar("V")


class _Tested(Generic[V]):
    """What both kinds of constraints make of their tests."""

    summary: str
    test: Term | Callable[[V], bool]
    name: str

    @cached_property
    def accepts(self) -> Callable[[V], bool]:
        return self.test.compiled() if isinstance(self.test, Term) else self.test

    @cached_property
    def term(self) -> Term:
        """The test as a term."""
        return self.test if isinstance(self.test, Term) else Native(self.name or self.summary, cast("Test", self.test))

    @cached_property
    def unknown(self) -> tuple[str, ...]:
        """The names in the term that nothing defines."""
        return tuple(self.term.unknown())


@record(slots=False)
class TypeConstraint(_Tested["Type"]):
    """What a type must satisfy; `summary` is how MLIR's messages name it: "must be {summary}, but got 'f32'".

    `test` is a term, or a function where no term says it. `type` is the only type that satisfies it, where there is
    one, so that the text need not give it. `name` is what descriptions call it. `definition` is that of the dialect's
    type that it demands, if it demands one.
    """

    summary: str
    test: Term | Callable[[Type], bool]
    type: Type | None = None
    name: str = ""
    definition: Parametric | None = None

    @cached_property
    def stored(self) -> tuple[Callable[[Type], bool], str] | None:
        """Whether a type is of the class to which MLIR casts what it reads, and the name of that class; None where it
        casts to none."""
        kind = stored_kind(self.test) if isinstance(self.test, Term) else None
        return (kind.compiled(), class_name(kind)) if kind is not None else None


class AttributeForm(Enum):
    """How an attribute stands in an assembly format, where its name is `$name`."""

    ANY = "any attribute, with its type"
    TYPED_LITERAL = "a literal whose type is implied by `AttributeConstraint.type`"
    SYMBOL_NAME = "`@name`, stored as a string"
    KEYWORD = "one of `AttributeConstraint.cases`, bare, or some of them in quotes"
    FLAGS = "some of `cases`, comma-separated in angle brackets"
    UNIT = "nothing: present or not"
    TYPE = "a type, stored as a type attribute"
    CASES = "some of `cases` as a property has them: `read, write`, or `access<read, write>`"
    OPTIONAL = "the literal, of `type`, that an array of at most one holds"
    ENTRY = "nowhere but as an entry of a dictionary"
    ARRAY = "`[1, 2]`, stored as an array of integers (`array<i64: 1, 2>`)"
    STRIPPED = (
        "an attribute of the dialect without its `#dialect.name` in front, as its `definition` reads and writes it"
    )


@record(slots=False)
class AttributeConstraint(_Tested["Attribute"]):
    """What an attribute must satisfy, and the form in which it stands in an assembly format.

    `test`, `name` and `definition` are as in `TypeConstraint`. For KEYWORD, FLAGS and CASES, `enumeration` has the
    cases, and `mnemonic` is the attribute in full form
    (`arith.fastmath`, printed `#arith.fastmath<fast>` in the generic form); an empty mnemonic stores a plain integer
    attribute of type `type` (as `arith.cmpi`'s predicate, an `i64`).
    """

    summary: str
    test: Term | Callable[[Attribute], bool]
    form: AttributeForm = AttributeForm.ANY
    type: Type | None = None
    enumeration: Enumeration = NO_CASES
    mnemonic: str = ""
    name: str = ""
    definition: Parametric | None = None
    class_name: str = ""
    """What stands in front of CASES; else what MLIR calls the class of an enumeration, as messages do:
    `::mlir::arith::FastMathFlags`."""

    @property
    def cases(self) -> Mapping[str, int]:
        """The keywords of an enumeration, and their numbers."""
        return self.enumeration.cases

    @property
    def numbers(self) -> Mapping[str, int]:
        """The cases of an enumeration that is stored as a plain integer of type `type`; none of any other."""
        return self.enumeration.cases if not self.mnemonic and self.type is not None else {}

    def wanted(self, name: str) -> str:
        """What the property `name` may be, where it is an enumeration; else empty."""
        if not self.cases:
            return ""
        named = [f"#{self.mnemonic}<{case}>" for case in self.cases] if self.mnemonic else []
        values = self.numbered() or ", ".join(named)
        return f"'{name}' may be {values}" + (f", of type '{self.type}'" if self.numbers else "")

    def numbered(self, most: int = 40) -> str:
        """The cases with their numbers, `0 (eq), 1 (ne)`, the first of very many; empty where it has none."""
        shown = [f"{number} ({case})" for case, number in self.numbers.items()]
        return ", ".join([*shown[:most], "…"] if len(shown) > most else shown)

    @cached_property
    def is_stored(self) -> Callable[[Attribute], bool] | None:
        """Whether an attribute is of the class to which MLIR casts what it reads; None where it casts to none."""
        if self.mnemonic or self.numbers:
            return self.accepts
        kind = stored_kind(self.test) if isinstance(self.test, Term) else None
        return kind.compiled() if kind is not None else None
