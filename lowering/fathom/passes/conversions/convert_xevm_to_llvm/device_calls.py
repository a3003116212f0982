"""Calls of OpenCL's functions, which are declared in the symbol table around with what is known of them.

Names are mangled as C++ does it. Source of the rules: MLIR 22, and the Itanium C++ ABI, "External Names".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects import own_description
from fathom.dialects.llvm.attributes import calling_convention, cases
from fathom.dialects.llvm.types import VOID
from fathom.ir.attributes import UNIT, ArrayAttr, Attribute, DictAttr, SymbolRefAttr
from fathom.ir.types import F16, F32, F64, FloatType, IntegerType, Type, VectorType
from fathom.passes.to_llvm import emit
from fathom.passes.to_llvm.runtime_functions import declare, nearest_symbol_table
from fathom.records import record
from fathom.rewriting.pattern import Failure

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Value
    from fathom.rewriting.conversion_rewriter import ConversionRewriter

_SIGNED: Final = {8: "c", 16: "s", 32: "i", 64: "l"}
_UNSIGNED: Final = {8: "h", 16: "t", 32: "j", 64: "m"}
_FLOATS: Final[dict[Type, str]] = {F16: "Dh", F32: "f", F64: "d"}


def mangled_type(type: Type, *, unsigned: bool = False) -> str | Failure:
    """What a type is in a mangled name."""
    if isinstance(type, VectorType):
        element = mangled_type(type.element, unsigned=unsigned)
        return element if isinstance(element, Failure) else f"Dv{type.ranked_shape[0]}_{element}"
    width = type.width if isinstance(type, IntegerType) else 0
    letter = (_UNSIGNED if unsigned else _SIGNED).get(width) or _FLOATS.get(type)
    return letter or Failure(f"OpenCL's functions take no '{type}'")


def mangled(name: str, types: Sequence[Type], *, unsigned: bool = False) -> str | Failure:
    """The name of a function with parameters of these types. A vector that was named before is a reference."""
    text = f"_Z{len(name)}{name}"
    named: list[Type] = []
    for type in types:
        if type in named:
            index = named.index(type)
            text += f"S{index - 1 if index else ''}_"
            continue
        if not isinstance(type, (IntegerType, FloatType)):
            named.append(type)
        part = mangled_type(type, unsigned=unsigned)
        if isinstance(part, Failure):
            return part
        text += part
    return text


@record
class Known:
    """What is known of a function: flags, what it does to memory (none: anything; 0: nothing; 1: it reads what its
    arguments point to), and flags of its arguments."""

    flags: tuple[str, ...] = ("no_unwind", "will_return")
    memory: int | None = None
    arguments: Mapping[int, tuple[str, ...]] | None = None

    def properties(self, count: int) -> dict[str, Attribute]:
        """As properties of a function of so many arguments."""
        known: dict[str, Attribute] = {
            "CConv": calling_convention(cases("CConv")["spir_funccc"]),
            **dict.fromkeys(self.flags, UNIT),
        }
        if self.memory is not None:
            known["memory_effects"] = memory_effects(self.memory)
        if self.arguments:
            flags = [self.arguments.get(index, ()) for index in range(count)]
            known["arg_attrs"] = ArrayAttr(tuple(DictAttr(tuple((name, UNIT) for name in names)) for names in flags))
        return known


_FLAGS: Final = ("convergent", "no_unwind", "will_return")
_PLACES: Final = ("other", "argMem", "inaccessibleMem", "errnoMem", "targetMem0", "targetMem1")


def memory_effects(on_arguments: int) -> Attribute:
    """Nothing is done to memory but what arguments point to, to which it is this."""
    definition = own_description("llvm").attributes["MemoryEffectsAttr"]
    return definition.make_attribute(**{place: on_arguments if place == "argMem" else 0 for place in _PLACES})


def device_call(
    rewriter: ConversionRewriter,
    op: Operation,
    name: str,
    arguments: Sequence[Value],
    known: Known,
    result: Type = VOID,
    further: Mapping[str, Attribute] | None = None,
) -> Operation | Failure:
    """A call, which says all that its function says, down to the name. `further` are attributes of its own."""
    types = [value.type for value in arguments]
    callee = declare(rewriter, op, name, types, result, renamed=False, reserved=False)
    if isinstance(callee, Failure):
        return callee
    function = rewriter.symbols_in(nearest_symbol_table(op)).get(callee)
    assert function is not None
    rewriter.record_modification(
        function, list(function.operands), dict(function.properties), dict(function.attributes)
    )
    properties = {each: value for each, value in function.properties.items() if each not in _FLAGS}
    function.properties = properties | known.properties(len(arguments))
    results = [] if result == VOID else [result]
    call = emit.call(rewriter, callee, arguments, results)
    own = {prop.name for prop in call.definition.properties} if call.definition is not None else set[str]()
    said = {**function.properties, **function.attributes}
    call.properties = call.properties | {each: value for each, value in said.items() if each in own}
    call.attributes = {each: value for each, value in said.items() if each not in own} | dict(further or {})
    call.properties["callee"] = SymbolRefAttr(callee)
    return call
