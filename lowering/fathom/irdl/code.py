"""What data cannot say of a dialect: functions, attached to the names of its description.

    CODE = DialectCode({"constant": OpCode(result_names=constant_names)})
    DIALECT = load_described("shop", CODE)

A name that the description does not have is a mistake.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from fathom.irdl.aspects import NOTHING_SAID, Said, SaidTogether
from fathom.irdl.constraint import AttributeConstraint, TypeConstraint
from fathom.irdl.declared import CustomDirective, CustomSyntax, Trait, TypeRule
from fathom.irdl.definition import OpDefinition
from fathom.irdl.terms import Test
from fathom.irdl.type_functions import TypeFunction
from fathom.records import field, fields, record, replace

if TYPE_CHECKING:
    from fathom.ir.dialect_values import Parameter
    from fathom.ir.operation import Block, Value
    from fathom.irdl.dialect import Dialect
    from fathom.irdl.parameter_directives import CustomParameters
    from fathom.irdl.parametric import CustomBody
    from fathom.irdl.protocols import ParsedOp, Resolver


@record
class OpCode:
    """The functions of one operation; `fathom.irdl.definition.OpDefinition` says what each gets and gives. `rules` are
    those beside what the traits of its description say."""

    custom: CustomSyntax[Any] | None = None
    resolve: Callable[[Resolver, ParsedOp], None] | None = None
    result_names: Callable[[Any], Sequence[str | None]] | None = None
    region_argument_names: Callable[[Any], Sequence[Sequence[str]]] | None = None
    terminator_operands: Callable[[Block], Sequence[Value]] | None = None
    rules: tuple[TypeRule, ...] = ()
    interfaces: tuple[object, ...] = ()


@record
class DialectCode:
    """The functions of a dialect, by the names that its description uses.

    `operations` go by their names without the dialect's. `predicates` decide constraints that no term says, also
    those of the description's own whose names they have; `type_constraints` and `attribute_constraints` are those
    of other dialects, and go before the description's own; a type constraint without a name goes by its summary;
    `type_functions` are rules of `TypesMatchWith`; `traits` have checks of their own. `relations` decide the traits
    `PredOpTrait`, and `matches` those `TypesMatchWith` whose function is unknown to the description; both go by the
    trait's message. `directives` are the code behind `custom<…>` in the formats of operations, `customs` in those
    of types and attributes, whose parameters `parameters` verifies, by class; `bodies` read and spell, by class,
    those that are opaque in the description, or that its syntax says too little of. The rest is as in `Dialect`.
    """

    operations: Mapping[str, OpCode] = field(default_factory=dict[str, OpCode])
    predicates: Mapping[str, Test] = field(default_factory=dict[str, Test])
    type_constraints: Mapping[str, TypeConstraint] = field(default_factory=dict[str, TypeConstraint])
    attribute_constraints: Mapping[str, AttributeConstraint] = field(default_factory=dict[str, AttributeConstraint])
    type_functions: Mapping[str, TypeFunction] = field(default_factory=dict[str, TypeFunction])
    relations: Mapping[str, Callable[[Any], bool]] = field(default_factory=dict[str, "Callable[[Any], bool]"])
    matches: Mapping[str, TypeFunction] = field(default_factory=dict[str, TypeFunction])
    traits: Mapping[str, Trait] = field(default_factory=dict[str, Trait])
    directives: Mapping[str, CustomDirective] = field(default_factory=dict[str, CustomDirective])
    customs: Mapping[str, CustomParameters] = field(default_factory=dict[str, "CustomParameters"])
    bodies: Mapping[str, CustomBody] = field(default_factory=dict[str, "CustomBody"])
    parameters: Mapping[str, Callable[[Mapping[str, Parameter]], str | None]] = field(
        default_factory=dict[str, "Callable[[Mapping[str, Parameter]], str | None]"]
    )
    aspects: Said = NOTHING_SAID


def joined(code: DialectCode, before: DialectCode) -> DialectCode:
    """What is said of a dialect in two places, as one; of what has a name the second place counts."""
    tables = {part.name: getattr(before, part.name) for part in fields(DialectCode) if part.name != "aspects"}
    both = {name: {**table, **getattr(code, name)} for name, table in tables.items()}
    return replace(code, **both, aspects=SaidTogether(code.aspects, before.aspects))


def with_code(dialect: Dialect, code: DialectCode) -> Dialect:
    """A dialect that was made without code, with that of its operations which looks at what was made, and with what it
    says of aspects. How anything is written, code does not change then."""
    from fathom.irdl.lazy import Lazy

    said = SaidTogether(code.aspects, dialect.aspects)

    def make(name: str) -> OpDefinition | None:
        definition = dialect.by_name.get(name)
        if definition is None:
            return None
        own = code.operations.get(name.partition(".")[2], OpCode())
        return replace(
            definition,
            result_names=own.result_names or definition.result_names,
            interfaces=(*definition.interfaces, *own.interfaces),
            said=said,
        )

    return replace(dialect, operations=Lazy(lambda: list(dialect.by_name), make), aspects=said, code=code)
