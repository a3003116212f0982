"""What operations of IRDL define: a dialect, as `mlir-opt --irdl-file` makes one of them.

Operations have the generic form only; types and attributes are written with their parameters in angle brackets.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final, TypeVar

from fathom.dialects.irdl.constraints import (
    ATTRIBUTE_NAMES,
    TYPE_NAMES,
    AllOf,
    Any,
    AnyOf,
    Base,
    Constraint,
    Is,
    OperationRules,
    Parametric,
    RegionRule,
    Values,
    Variables,
    predicate,
)
from fathom.dialects.irdl.definitions import strings_of, variadicities
from fathom.ir.attributes import Attribute, SymbolRefAttr
from fathom.ir.dialect_values import DialectAttr, DialectType, Parameter
from fathom.ir.operation import Operation, OpResult, Span, Value
from fathom.ir.traversal import closest
from fathom.ir.types import Speller, Type
from fathom.irdl.checking import directly_in
from fathom.irdl.constraints import ANY
from fathom.irdl.definition import OpDefinition, Operand, RegionDefinition, Result, SuccessorDefinition
from fathom.irdl.dialect import Dialect
from fathom.irdl.groups import Arity, PartNames
from fathom.irdl.interfaces import symbol_name
from fathom.irdl.keywords import bracketed
from fathom.irdl.readers import BodyReader
from fathom.irdl.symbols import symbol_in
from fathom.irdl.verifying import VERIFY, Check
from fathom.ops import irdl as ops
from fathom.records import record

V = TypeVar("V")
OpT = TypeVar("OpT", bound=Operation)

_ARITIES: Final = {"optional": Arity.OPTIONAL, "variadic": Arity.VARIADIC}
_KINDS: Final = {"irdl.operation": "op", "irdl.type": "type", "irdl.attribute": "attribute"}
_CONSTRAINTS: Final = frozenset(
    f"irdl.{name}" for name in ("is", "base", "parametric", "any_of", "all_of", "any", "c_pred")
)
_FLOATS: Final = ("bf16", "f16", "f32", "f64", "f80", "f128", "tf32")


class NoMeaning(Exception):
    """A definition has no meaning; it says where."""

    def __init__(self, message: str, span: Span | None) -> None:
        super().__init__(message)
        self.span = span


def _definitions(dialect: Operation) -> Iterator[Operation]:
    return (op for op in directly_in(dialect) if op.name in _KINDS)


def is_dialect(op: Operation) -> bool:
    """Whether an operation defines a dialect."""
    return isinstance(op, ops.DialectOp)


def has_ambiguity(module: Operation) -> bool:
    """Whether there is an `irdl.any_of` whose order matters."""
    return any(isinstance(op, ops.AnyOfOp) and _is_ambiguous(op) for op in module.walk())


def definitions(dialect: Operation) -> Iterator[tuple[str, str, Operation]]:
    """What a dialect defines: of which kind it is (`op`, `type`, `attribute`), its name, and the operation."""
    return ((_KINDS[definition.name], _mnemonic(definition), definition) for definition in _definitions(dialect))


def _mnemonic(op: Operation) -> str:
    """The name of a definition as it is written: a symbol may have the sign in it."""
    return symbol_name(op).lstrip("!#")


def dialect_of(op: Operation) -> Dialect:
    """The dialect that an `irdl.dialect` defines. Raises NoMeaning."""
    name = symbol_name(op)
    operations: list[OpDefinition] = []
    checks: dict[str, Check] = {}
    types: dict[str, Callable[[BodyReader], Type]] = {}
    attributes: dict[str, Callable[[BodyReader], Attribute]] = {}
    for inner in _definitions(op):
        mnemonic = _mnemonic(inner)
        if isinstance(inner, ops.OperationOp):
            definition, rules = _operation(f"{name}.{mnemonic}", inner)
            operations.append(definition)
            checks[definition.name] = rules.verify
            continue
        body = _Body(*_parameters(inner))
        if isinstance(inner, ops.TypeOp):
            types[mnemonic] = body.reader(DialectType, name, mnemonic)
        else:
            attributes[mnemonic] = body.reader(DialectAttr, name, mnemonic)
    return Dialect(
        name,
        tuple(operations),
        types,
        attributes,
        complete=True,
        aspects={VERIFY: lambda: checks},
        unknown_type=lambda _: "expected dynamic type",
        unknown_attribute=lambda _: "expected dynamic attribute",
    )


# ---- constraints


def _is_ambiguous(any_of: Operation) -> bool:
    """Whether two of the constraints of an `irdl.any_of` may take the same, so that their order matters, which MLIR
    refuses: one takes anything, or two are of one definition (`checkCorrectAnyOf`, `IRDLLoading.cpp`)."""
    bases: set[int] = set()
    for value in any_of.operands:
        own: set[int] = set()
        met: set[int] = set()
        pending = [(value, True)]
        while pending:
            current, is_outer = pending.pop()
            op = current.op if isinstance(current, OpResult) else None
            if op is None or id(op) in met:
                continue
            met.add(id(op))
            if isinstance(op, ops.AnyOp) and is_outer:
                return True
            if isinstance(op, ops.AnyOfOp):
                pending += [(inner, False) for inner in op.operands]
            elif isinstance(op, ops.AllOfOp):
                pending += [(inner, is_outer) for inner in op.operands[:1]]
            elif isinstance(op, ops.ParametricOp) and (base := _found(op, op.base_type)) is not None:
                own.add(id(base))
        if own & bases:
            return True
        bases |= own
    return False


class _Slots:
    """The variables of a definition: the results of its constraints, in the order of the text."""

    def __init__(self, definition: Operation) -> None:
        constraints = [op for op in directly_in(definition) if op.name in _CONSTRAINTS]
        self._indices = {id(constraint): index for index, constraint in enumerate(constraints)}
        self.constraints: Final = tuple(self._constraint(op) for op in constraints)

    def of(self, values: Sequence[Value]) -> tuple[int, ...]:
        """The variables that values are."""
        ops = [value.op for value in values if isinstance(value, OpResult)]
        return tuple(self._indices[id(op)] for op in ops if id(op) in self._indices)

    def _constraint(self, op: Operation) -> Constraint:
        if isinstance(op, ops.IsOp):
            return Is(op.expected)
        if isinstance(op, ops.AnyOfOp):
            return AnyOf(self.of(op.operands))
        if isinstance(op, ops.AllOfOp):
            return AllOf(self.of(op.operands))
        if isinstance(op, ops.ParametricOp):
            definition = _referred(op, op.base_type)
            is_type = isinstance(definition, ops.TypeOp)
            return Parametric(_dialect_of(definition), _mnemonic(definition), is_type, self.of(op.operands))
        if isinstance(op, ops.BaseOp):
            return _base(op)
        return predicate(op.pred.value) if isinstance(op, ops.CPredOp) else Any()


def _base(op: ops.BaseOp) -> Base:
    name = op.base_name
    if name is None:
        definition = _referred(op, op.base_ref)
        return Base(f"{_dialect_of(definition)}.{_mnemonic(definition)}", isinstance(definition, ops.TypeOp))
    is_type, full = name.value.startswith("!"), name.value[1:]
    dialect, _, kind = full.partition(".")
    names = {*TYPE_NAMES.values(), *_FLOATS} if is_type else {*ATTRIBUTE_NAMES.values()}
    known = kind.removeprefix("unranked_") in names or kind.startswith("f")
    if not kind or (dialect == "builtin" and not known):
        raise NoMeaning(f"no registered {'type' if is_type else 'attribute'} with name {name.value}", op.span)
    return Base(full, is_type)


def _found(op: Operation, reference: SymbolRefAttr | None) -> Operation | None:
    dialect = closest(op, ops.DialectOp)
    return symbol_in(dialect.parent_op, *reference.path) if dialect is not None and reference is not None else None


def _referred(op: Operation, reference: SymbolRefAttr | None) -> Operation:
    operation = _found(op, reference)
    if operation is None:
        raise NoMeaning(f"{reference} does not refer to any existing symbol", op.span)
    return operation


def _dialect_of(definition: Operation) -> str:
    return symbol_name(definition.parent_op) if definition.parent_op is not None else ""


def _only(definition: Operation, kind: type[OpT]) -> OpT | None:
    return next((op for op in directly_in(definition) if isinstance(op, kind)), None)


# ---- operations


def _operation(name: str, definition: Operation) -> tuple[OpDefinition, OperationRules]:
    slots = _Slots(definition)
    operands, results = (_values(slots, _only(definition, kind)) for kind in (ops.OperandsOp, ops.ResultsOp))
    listed, regions = _only(definition, ops.AttributesOp), _only(definition, ops.RegionsOp)
    attributes = (
        zip(strings_of(listed.attributeValueNames), slots.of(listed.operands), strict=False)
        if listed is not None
        else ()
    )
    region_ops = [op for op in regions.definers if isinstance(op, ops.RegionOp)] if regions is not None else []
    rules = OperationRules(
        slots.constraints, operands, results, tuple(attributes), tuple(_region(slots, op) for op in region_ops)
    )
    made = OpDefinition(
        name,
        (Operand("operands", ANY, Arity.VARIADIC),),
        (Result("results", ANY, Arity.VARIADIC),),
        regions=(RegionDefinition("regions", Arity.VARIADIC),),
        successors=(SuccessorDefinition("successors", Arity.VARIADIC),),
        interfaces=(_part_names(definition, rules),),
        summary=_summary(definition),
    )
    return made, rules


def _part_names(definition: Operation, rules: OperationRules) -> PartNames:
    def groups(kind: type[ops.OperandsOp | ops.ResultsOp], values: Values) -> tuple[tuple[str, Arity], ...]:
        op = _only(definition, kind)
        names = strings_of(op.names) if op is not None else []
        return tuple(zip(names, (_ARITIES.get(kind, Arity.ONE) for kind in values.kinds), strict=False))

    attributes = tuple(name for name, _ in rules.attributes)
    return PartNames(groups(ops.OperandsOp, rules.operands), groups(ops.ResultsOp, rules.results), attributes)


def _values(slots: _Slots, op: ops.OperandsOp | ops.ResultsOp | None) -> Values:
    return Values(slots.of(op.operands), tuple(variadicities(op))) if op is not None else Values()


def _region(slots: _Slots, op: ops.RegionOp) -> RegionRule:
    return RegionRule(
        slots.of(op.operands) if op.constrainedArguments is not None else None,
        op.numberOfBlocks.value if op.numberOfBlocks is not None else None,
    )


def _summary(definition: Operation) -> str:
    """What an operation has, by the names that its definition gives."""
    said: list[str] = []
    for kind in (ops.OperandsOp, ops.ResultsOp, ops.AttributesOp, ops.RegionsOp):
        op = _only(definition, kind)
        listed = op.attributeValueNames if isinstance(op, ops.AttributesOp) else op.names if op is not None else None
        if op is not None and (names := strings_of(listed)):
            said.append(f"{op.name.partition('.')[2]} {', '.join(names)}")
    return "; ".join(said)


# ---- types and attributes


def _parameters(definition: Operation) -> tuple[tuple[str, ...], tuple[Constraint, ...], tuple[int, ...]]:
    slots, op = _Slots(definition), _only(definition, ops.ParametersOp)
    return (tuple(strings_of(op.names)), slots.constraints, slots.of(op.operands)) if op is not None else ((), (), ())


@record(eq=False)
class _Body:
    """The parameters of a type or attribute in angle brackets."""

    names: tuple[str, ...]
    constraints: tuple[Constraint, ...]
    variables: tuple[int, ...]
    traits: frozenset[str] = frozenset()
    alias: str = ""

    def reader(
        self, make: Callable[[str, str, tuple[Parameter, ...], _Body], V], dialect: str, name: str
    ) -> Callable[[BodyReader], V]:
        """What reads such a body."""
        return lambda reader: make(dialect, name, self._read(reader), self)

    def _read(self, reader: BodyReader) -> tuple[Parameter, ...]:
        attributes = bracketed(reader, "<>", reader.attribute) if reader.at("<") else []
        if len(attributes) != len(self.variables):
            reader.fail(f"expected {len(self.variables)} type arguments, but had {len(attributes)}")
        variables = Variables(self.constraints)
        for value, variable in zip(attributes, self.variables, strict=True):
            if (wrong := variables.wrong(value, variable)) is not None:
                reader.fail(wrong)
        return tuple(attributes)

    def spell(self, parameters: tuple[Parameter, ...], of: Speller) -> str:
        spelled = [of(parameter) for parameter in parameters if isinstance(parameter, Attribute)]
        return f"<{', '.join(spelled)}>" if spelled else ""

    def word(self, parameters: tuple[Parameter, ...]) -> str:
        """Empty: it is no case of an enumeration."""
        del parameters
        return ""

    def type_of(self, parameters: tuple[Parameter, ...]) -> Type | None:
        """None: no type follows it."""
        del parameters

    @property
    def says_type(self) -> bool:
        """False: there is none."""
        return False

    def encoding_problem(self, parameters: tuple[Parameter, ...], shape: Sequence[int], element: Type) -> str | None:
        """None: it says nothing of tensors."""
        del parameters, shape, element
