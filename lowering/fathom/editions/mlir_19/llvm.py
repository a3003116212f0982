"""The LLVM dialect of MLIR 19: vectors of pointers have a type of the dialect, and before the attributes of arithmetic
stands a blank, be they there or not.

    %2 = llvm.and %0, %1  : i32

Source of the rules: *'llvm' Dialect* of MLIR 19, "Type System" and "Operations"; observed behaviour of mlir-opt 19.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects.llvm.attributes import DYNAMIC_GEP_INDEX, i32_array
from fathom.dialects.llvm.constraints import is_pointer, is_vector
from fathom.dialects.llvm.former_types import VECTOR_READERS, LLVMVectorType
from fathom.dialects.llvm.type_syntax import types_of
from fathom.ir.attributes import DenseArrayAttr
from fathom.ir.dialect_values import Parameter
from fathom.ir.types import Speller, VectorType
from fathom.irdl.clauses import two_way
from fathom.irdl.code import DialectCode, OpCode
from fathom.irdl.declared import CustomDirective
from fathom.irdl.definition import OpDefinition
from fathom.irdl.dialect import Dialect
from fathom.irdl.keywords import comma_separated
from fathom.irdl.lazy import Lazy, possible_names
from fathom.irdl.parametric import CustomBody
from fathom.records import replace

if TYPE_CHECKING:
    from fathom.ir.operation import Operation
    from fathom.irdl.protocols import OpParser, OpPrinter, ParsedOp
    from fathom.irdl.readers import ParameterReader

_TYPES: Final = types_of(VECTOR_READERS)
_SPACED: Final = frozenset(
    f"llvm.{name}"
    for name in (
        "add and ashr fadd fdiv fmul fneg frem fsub lshr mul or sdiv shl srem sub udiv urem xor intr.bitreverse "
        "intr.bswap intr.ceil intr.copysign intr.cos intr.ctpop intr.exp intr.exp2 intr.fabs intr.floor intr.fma "
        "intr.fmuladd intr.fshl intr.fshr intr.llrint intr.llround intr.log intr.log10 intr.log2 intr.lrint "
        "intr.lround intr.maximum intr.maxnum intr.minimum intr.minnum intr.nearbyint intr.pow intr.powi intr.rint "
        "intr.round intr.roundeven intr.sadd.sat intr.sin intr.smax intr.smin intr.sqrt intr.sshl.sat "
        "intr.ssub.sat intr.trunc intr.uadd.sat intr.umax intr.umin intr.ushl.sat intr.usub.sat "
        "intr.vector.reduce.fmax intr.vector.reduce.fmaximum intr.vector.reduce.fmin intr.vector.reduce.fminimum"
    ).split()
)
_GENERIC: Final = ("llvm.intr.assume",)
"""What has no form of its own yet."""
_DICTIONARY: Final = " attr-dict "
_GLUED: Final = f"`` {_DICTIONARY.strip()}"


def _spaced(definition: OpDefinition) -> OpDefinition:
    """An operation with a blank behind its operands, in a format that says where its attributes stand."""
    format_ = definition.assembly
    if format_ is None or _DICTIONARY not in format_ or _GLUED in format_:
        return definition
    first = definition.operands[0].name
    return replace(definition, assembly=format_.replace(_DICTIONARY, f" custom<Gap>(ref(${first})){_DICTIONARY}"))


def completed(dialect: Dialect) -> Dialect:
    """The dialect with its types, and with the blanks of its arithmetic."""
    operations = dialect.by_name

    def make(name: str) -> OpDefinition | None:
        definition = operations.get(name)
        if definition is not None and name in _GENERIC:
            return replace(definition, opaque=False)
        return _spaced(definition) if definition is not None and name in _SPACED else definition

    return replace(dialect, types=_TYPES, operations=Lazy(lambda: list(possible_names(operations)), make))


def _nothing(one: object, other: object, arguments: object) -> None:
    """Nothing stands there but the blank before it."""
    del one, other, arguments


def _parse_indices(parser: OpParser, parsed: ParsedOp, arguments: Sequence[str]) -> None:
    """`%i, 0`, of which one number stands for each operand."""
    dynamic, raw = arguments
    values = parsed.operands[dynamic] = []

    def read() -> int:
        if not parser.at_kind("value"):
            return parser.integer_literal()
        values.append(parser.value_use())
        return DYNAMIC_GEP_INDEX

    numbers = () if parser.at("]") else comma_separated(parser, read)
    parsed.attributes[raw] = i32_array(*numbers)


def _print_indices(op: Operation, p: OpPrinter, arguments: Sequence[str]) -> None:
    dynamic, raw = arguments
    rest, numbers = iter(op.all_of(dynamic)), op.properties.get(raw)
    texts: list[str] = []
    for number in numbers.values if isinstance(numbers, DenseArrayAttr) else ():
        value = next(rest, None) if number == DYNAMIC_GEP_INDEX else None
        texts.append(p.spell_value(value) if value is not None else str(number))
    p.write(", ".join(texts))


_MEMORY: Final = ("other", "argMem", "inaccessibleMem")
_ACCESSES: Final = ("none", "read", "write", "readwrite")


def _read_effects(reader: ParameterReader) -> list[Parameter]:
    """`other = none, argMem = read, inaccessibleMem = readwrite`, in any order."""
    said: dict[str, str] = {}
    while True:
        reader.suggest(_MEMORY)
        place = reader.optional_keyword()
        if place not in _MEMORY or place in said:
            reader.fail("duplicate or unknown struct parameter name")
        reader.expect("=")
        access = reader.optional_keyword()
        if access not in _ACCESSES:
            reader.fail("expected none, read, write or readwrite")
        said[place] = access
        if not reader.accept(","):
            break
    missing = next((name for name in _MEMORY if name not in said), None)
    if missing is not None:
        reader.fail(f"struct is missing required parameter: {missing}")
    return [said[name] for name in _MEMORY]


def _spell_effects(values: Sequence[Parameter], of: Speller) -> str:
    del of
    return ", ".join(f"{name} = {value}" for name, value in zip(_MEMORY, values, strict=True))


_OVERFLOWING: Final = "$lhs `,` $rhs (`overflow` `` $overflowFlags^)? attr-dict `:` type($res)"
ADDRESS: Final = (
    "(`inbounds` $inbounds^)? $base `[` custom<GEPIndices>($dynamicIndices, $rawConstantIndices) `]` attr-dict "
    "`:` functional-type(operands, results)"
)
"""The form of `llvm.getelementptr`, before the type of the elements."""
CODE: Final = DialectCode(
    {
        "call_intrinsic": OpCode(
            custom=two_way("$intrin `(` $args `)` `:` functional-type($args, $results) attr-dict")
        ),
        "getelementptr": OpCode(custom=two_way(f"{ADDRESS} `,` $elem_type")),
        "intr.assume": OpCode(),
        **dict.fromkeys(("add", "mul", "shl", "sub"), OpCode(custom=two_way(_OVERFLOWING))),
    },
    predicates={
        "LLVM_CompatibleVector": lambda type: is_vector(type) or isinstance(type, LLVMVectorType),
        "LLVM_VectorOfPointer": lambda type: (
            isinstance(type, (VectorType, LLVMVectorType)) and is_pointer(type.element)
        ),
    },
    bodies={"MemoryEffectsAttr": CustomBody(_MEMORY, _read_effects, _spell_effects)},
    directives={
        "GEPIndices": CustomDirective(_parse_indices, _print_indices),
        "Gap": CustomDirective(_nothing, _nothing),
    },
)
# Parts of structs may have other types than what a constant is made of, and complex numbers be structs.
WITHOUT: Final = ("llvm.mlir.constant",)
