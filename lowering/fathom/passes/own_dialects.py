"""The passes of dialects that come from elsewhere: `lower-shop` for each that says how it is lowered (`LOWERING`), and
`lower-to-llvm` with them in their place.

They stand at the beginning of that, since what patterns make may be of any dialect that it lowers. One dialect goes
before those that its patterns make operations of; where two make operations of each other, all come once more.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar, Final

from fathom.budget import MOST_NESTED
from fathom.ir.dialect_values import DialectType
from fathom.ir.types import ComplexType, FunctionType, MemRefType, TensorType, TupleType, Type, VectorType
from fathom.passes.definition import Pass
from fathom.passes.options import UINT, option
from fathom.passes.pipelines.lower_to_llvm import LowerToLLVMPipeline
from fathom.records import record, replace
from fathom.rewriting.lowerings import LOWERING, DialectLowering, Rule, is_translated, pass_name
from fathom.rewriting.type_converter import TypeConverter

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation, Value
    from fathom.irdl.dialect import Definitions, Dialect
    from fathom.passes.definition import Declared, Held
    from fathom.passes.to_llvm.llvm_type_converter import LLVMTypeConverter
    from fathom.rewriting.conversion_rewriter import ConversionRewriter
    from fathom.rewriting.pattern import Failure, Pattern, RewriteFunction

LLVM: Final = ("llvm",)
"""What a pattern goes into whose operands have types of the LLVM dialect."""


@record
class LowerDialectPass(Pass):
    """Replaces the operations of a dialect by the patterns that its code has for them, and its types, wherever they
    stand, by what they become. What no pattern applies to has a warning. Of a dialect of the library that something is
    added to, these are the operations that it `handles`."""

    dialect: ClassVar[str] = ""
    types: ClassVar[frozenset[str]] = frozenset()
    """The full names of the types that become others."""

    index_bitwidth: int = option(0, "how many bits an index has; 0: as many as a pointer", UINT)

    @classmethod
    def is_for(cls, held: Held) -> bool:
        if any(name in cls.handles or name.partition(".")[0] in cls.removes for name in held):
            return True
        types = OwnTypes(DialectLowering(types={name: lambda type, _: type for name in cls.types}), None)
        return bool(cls.types) and any(types.has_own(op) for operations in held.values() for op in operations)

    def run(self, op: Operation, context: Context) -> list[Diagnostic]:
        from fathom.passes.remarks import left_by
        from fathom.passes.to_llvm.conversion import type_converter
        from fathom.rewriting.conversion_driver import apply_partial_conversion
        from fathom.rewriting.pattern import Pattern
        from fathom.rewriting.target import ConversionTarget

        lowering = context.aspect(LOWERING, self.dialect)
        own, of_llvm = OwnTypes(lowering, context), type_converter(self.index_bitwidth, op)
        of_llvm.conversions.append(lambda type: own.to_llvm(type, of_llvm))
        made: dict[Operation, Rule] = {}
        patterns = [
            Pattern(rule.root, _noting(rule, made), of_llvm if rule.into == LLVM else own, rule.benefit)
            for rule in lowering.rules
        ]
        patterns += _retyping(op, self._is_own, own)

        def is_legal(inner: Operation) -> bool | None:
            stays = is_translated(inner) and of_llvm.accepts(inner) if self._is_own(inner) else not own.has_own(inner)
            return True if stays else None

        target = ConversionTarget().dynamically_legal(is_legal, self.dialect)
        target.others(is_legal)
        reasons: dict[Operation, str] = {}
        diagnostics = apply_partial_conversion(op, target, patterns, context, reasons=reasons)
        if wrong := _wrong(op, made, context):
            return wrong
        for inner in op.walk():
            if self._is_own(inner):
                reasons.setdefault(inner, f"no pattern is for '{inner.name}'")
        translated = {inner.name for inner in op.walk() if is_translated(inner)}
        return diagnostics + [
            diagnostic
            for diagnostic in left_by(self, op, reasons, also=self.handles)
            if diagnostic.left not in translated
        ]

    def _is_own(self, op: Operation) -> bool:
        """Whether an operation is one that it replaces."""
        return op.name in self.handles or op.dialect in self.removes


def _noting(rule: Rule, made: dict[Operation, Rule]) -> RewriteFunction:
    """A pattern that notes what it made."""

    def rewrite(op: Operation, operands: Sequence[Value], rewriter: ConversionRewriter) -> Failure | None:
        failure = rule.rewrite(op, operands, rewriter)
        if failure is None and rule.line:
            made.update(dict.fromkeys(rewriter.changes.created, rule))
        return failure

    return rewrite


_STAYS: Final = (
    "it stays until it is translated to LLVM IR, with types of the LLVM dialect, which its description has to take too"
)


def _wrong(root: Operation, made: Mapping[Operation, Rule], context: Context) -> list[Diagnostic]:
    """What is not valid of what patterns made, each with its pattern. All else is verified as after any pass."""
    from fathom.diagnostics import Note
    from fathom.verify import verify

    diagnostics: list[Diagnostic] = []
    for diagnostic in verify(root, context=context) if made else ():
        rule = made.get(diagnostic.op) if diagnostic.op is not None else None
        if rule is not None:
            stays = diagnostic.op is not None and is_translated(diagnostic.op)
            said = _STAYS if stays else f"the pattern for '{rule.root}' made it"
            note = Note(f"{said}, {rule.file}:{rule.line}", diagnostic.span, hint=True)
            diagnostics.append(replace(diagnostic, notes=(*diagnostic.notes, note)))
    return diagnostics


class OwnTypes(TypeConverter):
    """What the types of a dialect become, and those that hold such; all others stay as they are."""

    def __init__(self, lowering: DialectLowering, context: Definitions | None) -> None:
        super().__init__()
        self._lowering = lowering
        self._context = context
        self._depth = 0
        """How many types became others on the way to the one that is converted."""

    def convert_uncached(self, type: Type) -> Type | Sequence[Type] | None:
        if isinstance(type, DialectType):
            become = self._lowering.types.get(type.full_name)
            if become is None or self._context is None:
                return type
            type_ = become(type, self._context)
            if type_ == type:
                return type_
            self._depth += 1
            # One that becomes something with itself in it would go on for ever.
            converted = self.convert(type_) if self._depth < MOST_NESTED else None
            self._depth -= 1
            return converted
        return with_inner(type, self.convert)

    def to_llvm(self, type: Type, types: LLVMTypeConverter) -> Type | None:
        """What a type of the dialect becomes in the LLVM dialect; None for any other."""
        converted = self.convert(type)
        return types.convert(converted) if converted is not None and converted != type else None

    def has_own(self, op: Operation) -> bool:
        """Whether an operation names, takes or makes a type of the dialect."""
        from fathom.ir.attributes import TypeAttr

        named = (
            attribute.type
            for attribute in (*op.properties.values(), *op.attributes.values())
            if isinstance(attribute, TypeAttr)
        )
        arguments = (argument.type for region in op.regions for block in region.blocks for argument in block.arguments)
        values = (value.type for value in (*op.operands, *op.results))
        return any(self._is_own(type_) for types in (values, arguments, named) for type_ in types)

    def _is_own(self, type: Type) -> bool:
        if isinstance(type, DialectType):
            return type.full_name in self._lowering.types
        found_own = False

        def look(inner: Type) -> Type:
            nonlocal found_own
            found_own = found_own or self._is_own(inner)
            return inner

        with_inner(type, look)
        return found_own


def with_inner(type: Type, convert: Callable[[Type], Type | None]) -> Type | None:
    """A builtin type with what it holds converted; None where that cannot be."""
    match type:
        case FunctionType(inputs, results):
            converted = [[convert(old) for old in types] for types in (inputs, results)]
            kept_types = [tuple(new for new in types if new is not None) for types in converted]
            is_whole = len(kept_types[0]) == len(inputs) and len(kept_types[1]) == len(results)
            return FunctionType(kept_types[0], kept_types[1]) if is_whole else None
        case TupleType(members):
            kept = tuple(type_ for member in members if (type_ := convert(member)) is not None)
            return TupleType(kept) if len(kept) == len(members) else None
        case MemRefType() | VectorType() | TensorType() | ComplexType():
            element = convert(type.element)
            return None if element is None else type if element == type.element else replace(type, element=element)
        case _:
            return type


def _retyping(root: Operation, is_own: Callable[[Operation], bool], own: OwnTypes) -> list[Pattern]:
    """Patterns for other operations that have types of the dialect."""
    from fathom.rewriting.pattern import Pattern
    from fathom.rewriting.retyping import retype

    def rewrite(op: Operation, operands: Sequence[Value], rewriter: ConversionRewriter) -> Failure | None:
        return retype(op, operands, rewriter, own)

    function: RewriteFunction = rewrite
    names = {op.name for op in root.walk() if not is_own(op) and op is not root and own.has_own(op)}
    return [Pattern(name, function, own) for name in sorted(names)]


# ---- as passes of a context


def passes_of(context: Context) -> dict[str, type[Declared]]:
    """The passes that lower the dialects of a context which come from elsewhere, by name; and `lower-to-llvm` with
    them. None if no dialect says how it is lowered."""
    lowerings = {name: context.aspect(LOWERING, name) for name in context.own_dialects}
    lowerings = {name: lowering for name, lowering in lowerings.items() if lowering.rules or lowering.types}
    if not lowerings:
        return {}
    passes = {name: _pass_of(name, lowering, context.added_to(name)) for name, lowering in lowerings.items()}
    order = [passes[name].name for name in _in_order(lowerings)]
    first, *others = LowerToLLVMPipeline.passes
    names = {"passes": (first, *order, *others), "__slots__": (), "__module__": __name__}
    pipeline = type("LowerToLLVMPipeline", (LowerToLLVMPipeline,), names)
    return {**{pass_.name: pass_ for pass_ in passes.values()}, pipeline.name: pipeline}


def _pass_of(dialect: str, lowering: DialectLowering, added: Dialect | None) -> type[LowerDialectPass]:
    """The pass that lowers a dialect, or what is `added` to one of the library, with those that patterns are for."""
    handled = {*added.by_name, *(rule.root for rule in lowering.rules)} if added is not None else set[str]()
    into = ", ".join(sorted(lowering.into))
    return type(
        "LowerDialectPass",
        (LowerDialectPass,),
        {
            "name": pass_name(dialect),
            "summary": f"lowers {dialect}, by patterns of its own" + (f", to {into}" if into else ""),
            "__doc__": LowerDialectPass.__doc__,
            "dialect": dialect,
            "removes": (dialect,) if added is None else (),
            "handles": tuple(sorted(handled)),
            "types": frozenset(lowering.types),
            "__slots__": (),
            "__module__": __name__,
        },
    )


def _in_order(lowerings: dict[str, DialectLowering]) -> Iterator[str]:
    """The dialects, each before those that its patterns make operations of; all again if that cannot be."""
    order: list[str] = []
    is_circle = False

    def visit(name: str, above: tuple[str, ...]) -> None:
        nonlocal is_circle
        is_circle |= name in above
        if name in order or name in above:
            return
        for target in sorted(lowerings[name].into & lowerings.keys() - {name}):
            visit(target, (*above, name))
        order.append(name)

    for name in sorted(lowerings):
        visit(name, ())
    order.reverse()
    yield from order
    if is_circle:
        yield from order
