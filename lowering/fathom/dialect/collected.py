"""What a module declared of dialects, in the form in which the code of any dialect is known (`fathom.irdl.code`).

Each function is called with views, and what it raises, or gives that means nothing, becomes a fault at its line.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeAlias, TypeVar, cast

from fathom.dialect.making import type_of, value_in
from fathom.dialect.operation import Op
from fathom.dialect.rewriter import Rewriter
from fathom.dialect.values import attribute_of, constant_of, value_of
from fathom.dialects.arith.folds import materialize_constant
from fathom.ir.attributes import Attribute
from fathom.ir.dialect_values import DialectType
from fathom.ir.operation import Operation, Value
from fathom.ir.stand_ins import SeenThrough, StandInOperation
from fathom.ir.types import Type
from fathom.irdl.aspects import Aspect, SaidTogether
from fathom.irdl.build import create
from fathom.irdl.code import DialectCode
from fathom.irdl.definition import Problem
from fathom.irdl.faults import CodeFault, described, place_of_error
from fathom.irdl.folding import FOLDS, MATERIALIZE_CONSTANT
from fathom.irdl.interfaces import MODELS, Effect, MemoryEffects
from fathom.irdl.traits import CONSTANT_LIKE
from fathom.irdl.verifying import VERIFY, VERIFY_REGIONS, both
from fathom.records import replace
from fathom.rewriting.canonicalization import CANONICALIZATION
from fathom.rewriting.inlining_rules import INLINING, InliningRules
from fathom.rewriting.lowerings import AMENDMENTS, LOWERING, Amended, DialectLowering, LLVMTranslation, Rule
from fathom.rewriting.pattern import Failure, Pattern, named
from fathom.rewriting.retyping import retype

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.dialect.declarations import Declared
    from fathom.ir.operation import Region, Span
    from fathom.irdl.definition import Property
    from fathom.irdl.dialect import Definitions
    from fathom.irdl.folding import Fold
    from fathom.irdl.verifying import Check, Complaint
    from fathom.rewriting.lowerings import Amendment, Becomes
    from fathom.rewriting.pattern import RewriteFunction

T = TypeVar("T")

Of: TypeAlias = "Mapping[str, Sequence[Declared]]"
"""What was declared, by the names of its decorators."""


def codes_of(declared: Iterable[Declared], given: Mapping[str, DialectCode]) -> dict[str, DialectCode]:
    """The code of each dialect of which something was declared, together with what a module gives as such."""
    codes = dict(given)
    by_dialect: dict[str, list[Declared]] = {}
    for function in declared:
        by_dialect.setdefault(function.dialect, []).append(function)
    for dialect, of_it in by_dialect.items():
        codes[dialect] = _code(of_it, codes.get(dialect, DialectCode()))
    return codes


def _code(declared: Sequence[Declared], given: DialectCode) -> DialectCode:
    by_kind: dict[str, list[Declared]] = {}
    for function in declared:
        by_kind.setdefault(function.what, []).append(function)
    said: dict[Aspect[Any], Callable[[], Any]] = {}
    for kinds, make in _ASPECTS:
        if any(kind in by_kind for kind in kinds):
            said |= {aspect: _saying(value) for aspect, value in make(by_kind).items()}
    return replace(given, aspects=SaidTogether(said, given.aspects))


def _saying(value: T) -> Callable[[], T]:
    return lambda: value


# ---- calling


def _called(declared: Declared, doing: str, op: Operation | None, *arguments: object) -> Any:
    """What a function gives. Raises CodeFault where it fails."""
    try:
        return declared.function(*arguments)
    except CodeFault:
        raise
    except (Exception, SystemExit) as error:
        raise CodeFault(described(error), _place(declared, error), doing, op) from error


def _place(declared: Declared, error: BaseException) -> Any:
    return place_of_error(error, declared.place.file) or declared.place


def _wrong(declared: Declared, given: object, wanted: str, doing: str, op: Operation | None) -> CodeFault:
    """That a function gave something else than is wanted."""
    shown = repr(given) if len(repr(given)) < 60 else f"an object of {type(given).__name__}"
    name = getattr(declared.function, "__name__", "the function")
    return CodeFault(f"'{name}' returned {shown}: {wanted}", declared.place, doing, op)


# ---- verifiers


def _verifiers(by_kind: Of) -> dict[Aspect[Any], Any]:
    checks: dict[Aspect[Any], Mapping[str, Check]] = {VERIFY: {}, VERIFY_REGIONS: {}}
    for declared in by_kind["verifies"]:
        aspect = VERIFY_REGIONS if declared.options["regions"] else VERIFY
        checks[aspect] = both({declared.name: _verify(declared)}, checks[aspect])
    return checks


def _verify(declared: Declared) -> Check:
    doing = f"while '{declared.name}' was verified"

    def verify(op: Operation) -> Complaint:
        if isinstance(op, StandInOperation):
            raise SeenThrough  # A person may compare values by `is`.
        return _complaint(declared, _called(declared, doing, op, Op(op)), doing, op)

    return verify


def _complaint(declared: Declared, given: object, doing: str, op: Operation) -> Complaint:
    """What counts of what a verifier gives: of several, the first."""
    if given is None or isinstance(given, str | Problem):
        return given
    wanted = "a verifier returns nothing, or says in a text what is wrong"
    if not isinstance(given, Iterable):
        raise _wrong(declared, given, wanted, doing, op)
    try:
        first = next(iter(cast("Iterable[object]", given)), None)
    except CodeFault:
        raise
    except Exception as error:
        raise CodeFault(described(error), _place(declared, error), doing, op) from error
    if first is not None and not isinstance(first, str | Problem):
        raise _wrong(declared, first, wanted, doing, op)
    return first


# ---- folds


class _Known:
    """The operands that are constants, by the names of the description, as plain values."""

    def __init__(self, op: Operation, constants: Sequence[Attribute | None]) -> None:
        self._view = Op(op, cast("Sequence[Value]", constants))

    def __getattr__(self, name: str) -> object:
        attribute = getattr(self._view, name)
        return (
            [value_of(element) for element in cast("list[Attribute | None]", attribute)]
            if isinstance(attribute, list)
            else (value_of(attribute) if isinstance(attribute, Attribute) else attribute)
        )


def _folds(by_kind: Of) -> dict[Aspect[Any], Any]:
    folds: dict[str, Fold] = {}
    for declared in by_kind["folds"]:
        before, fold = folds.get(declared.name), _fold(declared)
        folds[declared.name] = _first_that_folds(before, fold) if before is not None else fold
    return {FOLDS: folds, MATERIALIZE_CONSTANT: _materialize}


def _fold(declared: Declared) -> Fold:
    doing = f"while '{declared.name}' was folded"
    wanted = "a fold returns nothing, or for each result a value or a constant of its type"

    def result(op: Operation, given: object, type: Type) -> Value | Attribute:
        if isinstance(given, Op | Operation | Value):
            value = value_in(given)
            if value.type == type:
                return value
            raise ValueError(f"its type is '{value.type}', and that of the result '{type}'")
        return constant_of(cast("Any", given), type)

    def fold(op: Operation, constants: Sequence[Attribute | None]) -> list[Value | Attribute] | None:
        given: object = _called(declared, doing, op, Op(op), _Known(op, constants))
        if given is None:
            return None
        several = len(op.results) != 1
        each_given = _listed(given) if several else [given]
        if len(each_given) != len(op.results):
            raise _wrong(declared, given, wanted, doing, op)
        try:
            results = [result(op, folded, of.type) for folded, of in zip(each_given, op.results, strict=True)]
        except ValueError as error:
            raise _wrong(declared, given, f"{wanted}; {error}", doing, op) from error
        is_same = all(value is of for value, of in zip(results, op.results, strict=True))
        return None if is_same else results

    return fold


def _materialize(context: Definitions, attribute: Attribute, type: Type, span: Span | None) -> Operation | None:
    """A number is a constant of arith. A value of a type of a dialect's own is a constant of that dialect, if one can
    hold it."""
    dialect = context.dialect(type.dialect) if isinstance(type, DialectType) else None
    if dialect is None:
        return materialize_constant(context, attribute, type, span)
    for definition in dialect.by_name.values():
        if not definition.has(CONSTANT_LIKE) or len(definition.properties) != 1 or len(definition.results) != 1:
            continue
        (prop,), (result,) = definition.properties, definition.results
        if not result.constraint.accepts(type):
            continue
        constant = attribute if prop.constraint.accepts(attribute) else _read_again(attribute, prop, context)
        if constant is not None:
            return create(context, definition, (), [type], {prop.name: constant}, span=span)
    return None


def _read_again(attribute: Attribute, prop: Property, context: Definitions) -> Attribute | None:
    """An attribute that says the same as a property takes it, such as a number of another width."""
    try:
        return attribute_of(cast("Any", value_of(attribute)), prop, None, cast("Context", context))
    except ValueError:
        return None


def _listed(given: object) -> list[object]:
    return list(cast("Sequence[object]", given)) if isinstance(given, list | tuple) else [given]


def _first_that_folds(first: Fold, second: Fold) -> Fold:
    def fold(op: Operation, constants: Sequence[Attribute | None]) -> Sequence[Value | Attribute] | None:
        folded = first(op, constants)
        return folded if folded is not None else second(op, constants)

    return fold


# ---- patterns


def _rewriting(declared: Declared, doing: str) -> RewriteFunction:
    """A pattern in the form of the drivers."""
    lowers = declared.what in ("lowers", "translates")
    into: Sequence[str] | None = ("llvm",) if declared.what == "translates" else declared.options.get("into")
    unsettled = "it neither replaced nor erased the operation"

    def rewrite(op: Operation, operands: Sequence[Value], inner: Any) -> Failure | None:
        rewriter = Rewriter(inner, op, into)
        given = _called(declared, doing, op, Op(op, operands), rewriter)
        if isinstance(given, str):
            if rewriter.has_changed and not lowers:
                wanted = "it had changed something before it said that it does not apply"
                raise _wrong(declared, given, wanted, doing, op)
            return Failure(given)
        if given is not None:
            wanted = "a pattern returns nothing, or says in a text why it does not apply"
            raise _wrong(declared, given, wanted, doing, op)
        if lowers and rewriter.has_changed and not rewriter.is_settled:
            raise CodeFault(f"'{declared.function.__name__}' returned, and {unsettled}", declared.place, doing, op)
        return None if rewriter.has_changed else Failure("its pattern changed nothing")

    return named(declared.function.__name__)(rewrite)


def _canonicalization(by_kind: Of) -> dict[Aspect[Any], Any]:
    patterns = tuple(
        Pattern(
            declared.name,
            _rewriting(declared, f"while '{declared.name}' was canonicalized"),
            benefit=declared.options["benefit"],
        )
        for declared in by_kind["canonicalizes"]
    )
    return {CANONICALIZATION: patterns}


def _lowering(by_kind: Of) -> dict[Aspect[Any], Any]:
    rules = [
        Rule(
            declared.name,
            declared.options["into"],
            _rewriting(declared, f"while '{declared.name}' was lowered"),
            declared.options["benefit"],
            _summary(declared),
            declared.place.file,
            declared.place.line,
        )
        for declared in by_kind.get("lowers", ())
    ]
    # What has a translation as it stands is lowered to itself, with types of the LLVM dialect.
    rules += [
        Rule(function.name, ("llvm",), _retyped, file=function.place.file, line=function.place.line)
        for function in by_kind.get("translates", ())
    ]
    types = {declared.name: _conversion(declared) for declared in by_kind.get("converts", ())}
    return {LOWERING: DialectLowering(tuple(rules), types)}


def _retyped(op: Operation, operands: Sequence[Value], rewriter: Any) -> Failure | None:
    return retype(op, operands, rewriter, rewriter.types)


# ---- interfaces and attributes


def _models(by_kind: Of) -> dict[Aspect[Any], Any]:
    models: dict[str, tuple[object, ...]] = {}
    for declared in by_kind.get("translates", ()):
        models[declared.name] = (*models.get(declared.name, ()), LLVMTranslation(_translation(declared)))
    for declared in by_kind.get("effects", ()):
        models[declared.name] = (*models.get(declared.name, ()), MemoryEffects(_effects(declared)))
    return {MODELS: models}


def _translation(declared: Declared) -> Callable[[Operation, Any], None]:
    doing = f"while '{declared.name}' was translated to LLVM IR"
    rewrite = _rewriting(declared, doing)

    def make(op: Operation, rewriter: Any) -> None:
        failure = rewrite(op, op.operands, rewriter)
        if failure is not None:
            raise CodeFault(failure.reason, declared.place, doing, op)

    return make


def _effects(declared: Declared) -> Callable[[Operation], Sequence[Effect]]:
    doing = f"while it was asked what '{declared.name}' does to memory"

    def effects(op: Operation) -> Sequence[Effect]:
        given: object = _called(declared, doing, op, Op(op))
        listed = _listed(given) if given is not None else []
        if not all(isinstance(effect, Effect) for effect in listed):
            raise _wrong(declared, given, "a list of `reads(…)`, `writes(…)` and the like is wanted", doing, op)
        return cast("list[Effect]", listed)

    return effects


def _inlining(by_kind: Of) -> dict[Aspect[Any], Any]:
    into = {declared.name: declared for declared in by_kind.get("inlines_into", ())}
    along = {declared.name: declared for declared in by_kind.get("inlines", ())}

    def says(declared: Declared | None, op: Operation | None, *around: Operation | None) -> bool:
        if declared is None or op is None:
            return False
        doing = f"while it was asked whether '{declared.name}' may be inlined"
        given: object = _called(
            declared, doing, op, *(Op(operation) for operation in (op, *around) if operation is not None)
        )
        if given is not None and not isinstance(given, bool):
            raise _wrong(declared, given, "True or False is wanted", doing, op)
        return bool(given)

    def takes(target: Region, body: Region, given: Mapping[Value, Value]) -> bool:
        del body, given
        return target.parent is not None and says(into.get(target.parent.name), target.parent)

    def holds(op: Operation, target: Region) -> bool:
        return says(along.get(op.name), op, target.parent)

    def may_inline(call: Operation, function: Operation) -> bool:
        del function
        return says(along.get(call.name), call, call.parent_op)

    return {INLINING: InliningRules(branch="cf.br", may_inline=may_inline, takes=takes, holds=holds)}


def _amendments(by_kind: Of) -> dict[Aspect[Any], Any]:
    return {AMENDMENTS: {declared.name: _amendment(declared) for declared in by_kind["amends"]}}


def _amendment(declared: Declared) -> Amendment:
    doing = f"while the attribute '{declared.name}' was translated to LLVM IR"

    def amend(op: Operation, value: Attribute, amended: Amended) -> None:
        given: object = _called(declared, doing, op, Op(op), value_of(value), amended)
        said: Sequence[object] = list(amended.attributes.values())
        is_text = all(isinstance(word, str) for word in said)
        if not (is_text and all(map(_is_metadata, amended.metadata.values()))):
            wanted = "metadata are lists of numbers, texts and such lists, and the value of an attribute is a text"
            raise _wrong(declared, given, wanted, doing, op)

    return amend


def _is_metadata(given: object) -> bool:
    if isinstance(given, list | tuple):
        return all(isinstance(entry, int | str) or _is_metadata(entry) for entry in cast("Sequence[object]", given))
    return False


def _summary(declared: Declared) -> str:
    """The first line of what a function says of itself."""
    return (declared.function.__doc__ or "").strip().partition("\n")[0]


def _conversion(declared: Declared) -> Becomes:
    doing = f"while the type '!{declared.name}' was converted"

    def convert(type: Type, context: Definitions) -> Type:
        given = _called(declared, doing, None, type)
        try:
            return type_of(given, cast("Context", context))
        except ValueError as error:
            wanted = "a conversion returns a type, as it is written or as an object"
            raise _wrong(declared, given, f"{wanted}; {error}", doing, None) from error

    return convert


_ASPECTS: Final[Sequence[tuple[tuple[str, ...], Callable[[Of], dict[Aspect[Any], Any]]]]] = (
    (("verifies",), _verifiers),
    (("folds",), _folds),
    (("canonicalizes",), _canonicalization),
    (("lowers", "converts", "translates"), _lowering),
    (("translates", "effects"), _models),
    (("inlines", "inlines_into"), _inlining),
    (("amends",), _amendments),
)
"""What decorators say of aspects."""
