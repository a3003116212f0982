"""One operation from its table in a description."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final, TypeAlias

from fathom.irdl.code import DialectCode, OpCode
from fathom.irdl.constraint import AttributeForm, TypeConstraint
from fathom.irdl.declared import Operand, Property, RegionDefinition, Result, SuccessorDefinition, Trait
from fathom.irdl.defaults import default_of
from fathom.irdl.definition import OpDefinition
from fathom.irdl.expressions import Call, DescriptionError, NotUnderstood, parse_entry, parse_expression
from fathom.irdl.groups import Arity
from fathom.irdl.interfaces import EffectKind, effects_on
from fathom.irdl.result_names import names_by
from fathom.irdl.scope import Arguments
from fathom.irdl.standard_properties import property_constraint, property_default, property_unset
from fathom.irdl.standard_regions import region_of, successor_of
from fathom.irdl.standard_traits import Meaning, meaning_of
from fathom.irdl.tables import TableReader
from fathom.records import replace

if TYPE_CHECKING:
    from fathom.ir.operation import Operation
    from fathom.irdl.description_scope import DescriptionScope

ResultNames: TypeAlias = "Callable[[Operation], Sequence[str | None]]"

OPERATION_KEYS: Final = frozenset(
    (
        "like",
        "summary",
        "description",
        "deprecated",
        "operands",
        "results",
        "attributes",
        "properties",
        "regions",
        "successors",
        "traits",
        "effects",
        "syntax",
        "opaque",
        "default_dialect",
        "result_names",
        "own_properties",
        "checked",
    )
)
_ARITIES: Final = {"Optional": Arity.OPTIONAL, "Variadic": Arity.VARIADIC, "VariadicOfVariadic": Arity.VARIADIC}


def read_operation(
    table: TableReader, full_name: str, scope: DescriptionScope, code: DialectCode, checked: str
) -> OpDefinition | None:
    """The operation that the table describes; None where something in it is wrong."""
    return _OperationReader(table, full_name, scope, code).read(checked)


class _OperationReader:
    def __init__(self, table: TableReader, full_name: str, scope: DescriptionScope, code: DialectCode) -> None:
        self.table = table
        self.full_name = full_name
        self.scope = scope
        self.code = code
        self.own = code.operations.get(table.name, OpCode())

    def read(self, checked: str) -> OpDefinition | None:
        table, own = self.table, self.own
        table.only(OPERATION_KEYS)
        checked = table.how_checked() or checked
        operands = tuple(table.each("operands", self._operand))
        results = tuple(table.each("results", self._result))
        attributes = table.each("attributes", lambda text: self._property(text, native=False))
        properties = table.each("properties", lambda text: self._property(text, native=True))
        regions = tuple(table.each("regions", self._region))
        successors = tuple(table.each("successors", self._successor))
        meanings = table.each("traits", self._trait)
        effects = self._effects([*operands, *results])
        rules = (*own.rules, *(rule for meaning in meanings for rule in meaning.rules))
        syntax = table.table.get("syntax")
        if syntax is not None and own.custom is not None and checked == "complete":
            table.report("the operation has both a syntax and code that parses it", "syntax")
        self._distinct([*operands, *results, *attributes, *properties, *regions, *successors])
        unknown = [name for group in (*operands, *results) for name in group.constraint.unknown]
        unknown += [name for prop in (*attributes, *properties) for name in prop.constraint.unknown]
        unknown += [name for meaning in meanings for name in meaning.unknown]
        if not table.is_sound:
            return None
        made = OpDefinition(
            self.full_name,
            operands=operands,
            results=results,
            properties=(*attributes, *properties),
            regions=regions,
            successors=successors,
            traits=tuple(dict.fromkeys(trait for meaning in meanings for trait in meaning.traits)),
            rules=rules,
            # What stands in MLIR's own definition may need code for the most of it.
            assembly=table.text("syntax") if syntax is not None and own.custom is None else None,
            custom=own.custom,
            opaque=table.flag("opaque"),
            directives=self.code.directives,
            resolve=own.resolve,
            said=self.code.aspects,
            result_names=own.result_names or self._names_of(results, meanings, table.texts("result_names")),
            region_argument_names=own.region_argument_names,
            terminator_operands=own.terminator_operands,
            interfaces=(*effects, *own.interfaces),
            default_dialect=table.text("default_dialect"),
            implicit_terminator=next((m.implicit_terminator for m in meanings if m.implicit_terminator), ""),
            summary=table.text("summary"),
            description=table.text("description"),
            own_properties=table.flag("own_properties"),
            deprecated=table.text("deprecated"),
            checked=checked,
            unknown=tuple(dict.fromkeys(unknown)),
        )
        kept = made if checked == "complete" else self._as_far_as_understood(made)
        table.at("syntax", table.text("syntax"), lambda _: kept.format)
        return kept if table.is_sound else None

    def _as_far_as_understood(self, made: OpDefinition) -> OpDefinition:
        """Where the format needs code that nobody gave, the operation is kept as it is written."""
        try:
            _ = made.format
        except NotUnderstood as error:
            if not error.is_told:
                self.table.keep(f"{error.message}: the operation is kept as it is written", "syntax", error.column)
            return replace(made, assembly=None, opaque=True, unknown=(*made.unknown, error.message))
        except DescriptionError:
            pass  # It is reported where the format stands.
        return made

    def _names_of(
        self, results: Sequence[Result], meanings: Sequence[Meaning], given: Sequence[str]
    ) -> ResultNames | None:
        """What results are called: as the table says; several, what they are called here, unless the operation names
        them itself."""
        named_by_itself = any(trait.name == "OpAsmOpInterface" for meaning in meanings for trait in meaning.traits)
        if not given and (len(results) < 2 or named_by_itself):
            return None
        names = dict(zip((result.name for result in results), given, strict=False))
        names = names or {result.name: result.name.partition("_")[0] and result.name for result in results}
        if not any(names.values()):
            return None
        return names_by(results, names)

    # ---- groups

    def _operand(self, text: str) -> Operand:
        name, constraint, arity = self._group(text)
        return Operand(name, constraint, arity, self._segments(text))

    def _segments(self, text: str) -> str:
        """The property that holds the sizes of a group of groups: `VariadicOfVariadic<…, "sizes">`."""
        call = parse_entry(text).constraint
        if call is None or call.name != "VariadicOfVariadic":
            return ""
        return Arguments(self.scope, call).name(1)

    def _result(self, text: str) -> Result:
        name, constraint, arity = self._group(text)
        return Result(name, constraint, arity)

    def _group(self, text: str) -> tuple[str, TypeConstraint, Arity]:
        entry = parse_entry(text)
        if entry.constraint is None:
            raise DescriptionError("a value needs a constraint on its type: `name: constraint`", len(entry.name))
        if entry.default is not None:
            raise DescriptionError("a value has no default", entry.default_column)
        call = entry.constraint
        arity = _ARITIES.get(call.name, Arity.ONE)
        return entry.name, self.scope.type(_inner(call) if arity is not Arity.ONE else call), arity

    def _property(self, text: str, *, native: bool) -> Property:
        entry = parse_entry(text)
        if entry.constraint is None:
            raise DescriptionError("an attribute needs a constraint: `name: constraint`", len(entry.name))
        call = entry.constraint
        optional = call.name in ("OptionalAttr", "OptionalProp")
        constraint = property_constraint(call, self.scope) if native else None
        default = None
        if constraint is not None:
            optional, default = False, property_default(call)
        else:
            constraint = self.scope.attribute(_inner(call) if optional else call)
            optional = optional or constraint.form is AttributeForm.UNIT
        if entry.default is not None:
            try:
                default = default_of(constraint, entry.default, entry.default_column, self.scope.named_attribute)
            except DescriptionError:
                if self.scope.strict:
                    raise
                # What it is nobody knows; it may be left out.
                optional = True
        unset = property_unset(constraint) if native and default is None and not optional else None
        return Property(entry.name, constraint, optional, default, native, unset)

    def _region(self, text: str) -> RegionDefinition:
        entry = parse_entry(text)
        return region_of(entry.name, entry.constraint or Call("AnyRegion"))

    def _successor(self, text: str) -> SuccessorDefinition:
        entry = parse_entry(text)
        return successor_of(entry.name, entry.constraint or Call("AnySuccessor"))

    def _trait(self, text: str) -> Meaning:
        """What a trait stands for, which operations of the scope share."""
        known = self.scope.traits.get(text)
        if known is None:
            known = self.scope.traits[text] = self._meaning(text)
        return known

    def _meaning(self, text: str) -> Meaning:
        call = parse_expression(text)
        own = self.code.traits.get(call.name)
        if own is not None:
            return Meaning((own,))
        arguments = Arguments(self.scope, call)
        holds = self.code.relations.get(arguments.text(0)) if call.name == "PredOpTrait" else None
        return _relation(arguments, holds) if holds is not None else meaning_of(arguments)

    def _effects(self, groups: Sequence[Operand | Result]) -> Sequence[object]:
        """What it does to memory, as the list `effects` says; nothing where there is none, since code may say it."""
        names = {group.name for group in groups}

        def effect(text: str) -> tuple[EffectKind, str]:
            call = parse_expression(text)
            kind = next((kind for kind in EffectKind if kind.value == call.name), None)
            if kind is None:
                known = ", ".join(kind.value for kind in EffectKind)
                raise DescriptionError(f"unknown effect '{call.name}': there are {known}", call.column)
            value = Arguments(self.scope, call).name(0) if call.arguments else ""
            if value and value not in names:
                raise DescriptionError(f"no operand or result is called '{value}'", call.arguments[0].column)
            return kind, value

        effects = self.table.each("effects", effect)
        return (effects_on(*effects),) if effects else ()

    def _distinct(self, groups: Sequence[Operand | Result | Property | RegionDefinition | SuccessorDefinition]) -> None:
        seen: set[str] = set()
        for group in groups:
            if group.name in seen:
                self.table.report(f"the name '{group.name}' is used twice")
            seen.add(group.name)


def _relation(arguments: Arguments, holds: Callable[[Operation], bool]) -> Meaning:
    """A trait that code decides."""
    message = f"failed to verify that {arguments.text(0)}"
    return Meaning((Trait(str(arguments.call), lambda op: None if holds(op) else message, predicate=True),))


def _inner(call: Call) -> Call:
    """The argument of `Variadic<…>` and the like."""
    first = call.arguments[0] if call.arguments else None
    if not isinstance(first, Call):
        raise DescriptionError(f"'{call.name}' takes a constraint", call.column)
    return first
