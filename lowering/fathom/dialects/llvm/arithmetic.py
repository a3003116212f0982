"""The LLVM dialect's arithmetic, comparisons, conversions and vector operations.

Source of the rules: *'llvm' Dialect*, "Operations"; the meaning is that of the instruction of the same name in LLVM IR.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final

from fathom.dialects.llvm.attributes import (
    FASTMATH_FLAGS,
    FCMP_PREDICATE,
    FCMP_PREDICATES,
    ICMP_PREDICATE,
    ICMP_PREDICATES,
    NO_FASTMATH,
    OVERFLOW_FLAGS,
    flag,
    i32,
    i64,
)
from fathom.dialects.llvm.constraints import (
    FLOAT_LIKE,
    I1_LIKE,
    INTEGER_LIKE,
    INTEGER_OR_POINTER_LIKE,
    LLVM_TYPE,
    NON_AGGREGATE,
    POINTER_LIKE,
    binary,
    i1_like,
    result,
)
from fathom.dialects.llvm.described import DEREFERENCEABLE
from fathom.ir.attributes import IntegerAttr
from fathom.ir.operation import Operation
from fathom.ir.types import IntegerType, Type, VectorType
from fathom.irdl.constraint import TypeConstraint
from fathom.irdl.definition import CustomSyntax, OpDefinition, Operand, Problem, Property, TypeRule
from fathom.irdl.infer import same_types
from fathom.irdl.interfaces import Speculatable
from fathom.irdl.traits import (
    COMMUTATIVE,
    NO_MEMORY_EFFECT,
    PURE,
    SAME_OPERANDS_AND_RESULT_TYPE,
    SAME_TYPE_OPERANDS,
)
from fathom.irdl.verifying import verifies
from fathom.records import replace
from fathom.rewriting.speculation import SIGNED_DIVISION, UNSIGNED_DIVISION

if TYPE_CHECKING:
    from fathom.irdl.protocols import OpParser, OpPrinter, ParsedOp

OVERFLOW: Final = Property("overflowFlags", OVERFLOW_FLAGS, default=i32(0), native=True)
FASTMATH: Final = Property("fastmathFlags", FASTMATH_FLAGS, default=NO_FASTMATH)


def _binary(
    name: str,
    constraint: TypeConstraint,
    summary: str,
    *properties: Property,
    format: str = "$lhs `,` $rhs attr-dict `:` type($res)",
    commutative: bool = False,
) -> OpDefinition:
    return OpDefinition(
        f"llvm.{name}",
        operands=binary(constraint),
        results=result(constraint),
        properties=properties,
        traits=(PURE, SAME_OPERANDS_AND_RESULT_TYPE, *((COMMUTATIVE,) if commutative else ())),
        assembly=format,
        summary=summary,
    )


def _with_overflow(name: str, summary: str, *, commutative: bool = False) -> OpDefinition:
    format = "$lhs `,` $rhs (`overflow` `` $overflowFlags^)? attr-dict `:` type($res)"
    return _binary(name, INTEGER_LIKE, summary, OVERFLOW, format=format, commutative=commutative)


def _exact(name: str, summary: str) -> OpDefinition:
    format = "(`exact` $isExact^)? $lhs `,` $rhs attr-dict `:` type($res)"
    return _binary(name, INTEGER_LIKE, summary, flag("isExact"), format=format)


def _division(name: str, summary: str, speculation: Speculatable) -> OpDefinition:
    """A division of which it is undefined what it does by some numbers."""
    return replace(
        _exact(name, summary), traits=(NO_MEMORY_EFFECT, SAME_OPERANDS_AND_RESULT_TYPE), interfaces=(speculation,)
    )


def _floating(name: str, summary: str) -> OpDefinition:
    return _binary(name, FLOAT_LIKE, summary, FASTMATH)


INTEGER_OPERATIONS: Final = (
    _with_overflow("add", "integer addition", commutative=True),
    _with_overflow("sub", "integer subtraction"),
    _with_overflow("mul", "integer multiplication", commutative=True),
    _with_overflow("shl", "shift left"),
    _division("udiv", "unsigned integer division", UNSIGNED_DIVISION),
    _division("sdiv", "signed integer division", SIGNED_DIVISION),
    _exact("lshr", "logical shift right"),
    _exact("ashr", "arithmetic shift right"),
    _binary("urem", INTEGER_LIKE, "remainder of an unsigned division"),
    _binary("srem", INTEGER_LIKE, "remainder of a signed division"),
    _binary("and", INTEGER_LIKE, "bitwise and"),
    _binary(
        "or",
        INTEGER_LIKE,
        "bitwise or",
        flag("isDisjoint"),
        format="(`disjoint` $isDisjoint^)? $lhs `,` $rhs attr-dict `:` type($res)",
    ),
    _binary("xor", INTEGER_LIKE, "bitwise exclusive or"),
)

FNEG: Final = OpDefinition(
    "llvm.fneg",
    operands=(Operand("operand", FLOAT_LIKE),),
    results=result(FLOAT_LIKE),
    properties=(FASTMATH,),
    traits=(PURE, SAME_OPERANDS_AND_RESULT_TYPE),
    assembly="$operand attr-dict `:` type($res)",
    summary="floating-point negation",
)

FLOAT_OPERATIONS: Final = (
    _floating("fadd", "floating-point addition"),
    _floating("fsub", "floating-point subtraction"),
    _floating("fmul", "floating-point multiplication"),
    _floating("fdiv", "floating-point division"),
    _floating("frem", "floating-point remainder"),
    FNEG,
)


def _keyword(cases: Mapping[str, int], op: Operation) -> str:
    predicate = op.properties.get("predicate")
    number = predicate.value if isinstance(predicate, IntegerAttr) else -1
    return next((name for name, value in cases.items() if value == number), str(number))


def _parse_compare(cases: Mapping[str, int]) -> Callable[[OpParser, ParsedOp], None]:
    def parse(cursor: OpParser, parsed: ParsedOp) -> None:
        if any(map(cursor.at_kind, ("symbol", "integer", "float"))):
            cursor.fail(f"custom op '{parsed.name}' invalid kind of attribute specified")
        if not cursor.at_kind("string"):
            cursor.fail("expected attribute value")
        predicate = cursor.text(cursor.string()).strip('"')
        if predicate not in cases:
            cursor.fail(f"custom op '{parsed.name}' '{predicate}' is an incorrect value of the 'predicate' attribute")
        parsed.attributes["predicate"] = i64(cases[predicate])
        parsed.operands["lhs"] = [cursor.value_use()]
        cursor.expect(",")
        parsed.operands["rhs"] = [cursor.value_use()]
        cursor.attr_dict(parsed)
        cursor.expect(":")
        parsed.types["lhs"] = [cursor.type()]

    return parse


def _print_compare(cases: Mapping[str, int]) -> Callable[[Operation, OpPrinter], None]:
    def print_(op: Operation, p: OpPrinter) -> None:
        p.write(f' "{_keyword(cases, op)}" ')
        p.values(op.operands)
        default = op.properties.get("fastmathFlags") == NO_FASTMATH
        p.attr_dict(op, elide=("predicate", "fastmathFlags") if default else ("predicate",))
        p.write(" : ")
        p.type(op.operands[0].type)

    return print_


def _compare(
    name: str,
    operand: TypeConstraint,
    predicate: Property,
    cases: Mapping[str, int],
    summary: str,
    *properties: Property,
) -> OpDefinition:
    return OpDefinition(
        f"llvm.{name}",
        operands=binary(operand),
        results=result(I1_LIKE),
        properties=(predicate, *properties),
        traits=(PURE, SAME_TYPE_OPERANDS),
        rules=(TypeRule("res", ("lhs",), i1_like, "result type has i1 element type and same shape as operands"),),
        custom=CustomSyntax(_parse_compare(cases), _print_compare(cases)),
        summary=summary,
    )


ICMP: Final = _compare(
    "icmp",
    INTEGER_OR_POINTER_LIKE,
    Property("predicate", ICMP_PREDICATE),
    ICMP_PREDICATES,
    "comparison of integers or pointers",
)
FCMP: Final = _compare(
    "fcmp",
    FLOAT_LIKE,
    Property("predicate", FCMP_PREDICATE),
    FCMP_PREDICATES,
    "comparison of floating-point numbers",
    FASTMATH,
)

SELECT: Final = OpDefinition(
    "llvm.select",
    operands=(Operand("condition", I1_LIKE), Operand("trueValue", LLVM_TYPE), Operand("falseValue", LLVM_TYPE)),
    results=result(LLVM_TYPE),
    properties=(FASTMATH,),
    traits=(PURE,),
    rules=same_types("trueValue", "falseValue", "res"),
    assembly="operands attr-dict `:` type($condition) `,` type($res)",
    summary="one of two values by a condition",
)
FREEZE: Final = OpDefinition(
    "llvm.freeze",
    operands=(Operand("val", LLVM_TYPE),),
    results=result(LLVM_TYPE),
    traits=(PURE, SAME_OPERANDS_AND_RESULT_TYPE),
    assembly="$val attr-dict `:` type($val)",
    summary="an arbitrary but fixed value in the place of poison or undef",
)


@verifies("llvm.sext", "llvm.zext")
def _verify_widening(op: Operation) -> list[Problem]:
    """`zext` and `sext` must widen, and keep the shape of a vector."""
    source, target = op.operands[0].type, op.result.type
    if isinstance(source, VectorType) and isinstance(target, VectorType):
        if source.shape != target.shape or source.scalable != target.scalable:
            return [Problem("input and output vectors are of incompatible shape", bare=True)]
        source, target = source.element, target.element
    if isinstance(source, VectorType):
        return [Problem("input type is a vector but output type is an integer", bare=True)]
    if isinstance(target, VectorType):
        return [Problem("input type is an integer but output type is a vector", bare=True)]
    if isinstance(source, IntegerType) and isinstance(target, IntegerType) and target.width <= source.width:
        message = "integer width of the output type is smaller or equal to the integer width of the input type"
        return [Problem(message, bare=True)]
    return []


def _cast(
    name: str,
    source: TypeConstraint,
    target: TypeConstraint,
    summary: str,
    *properties: Property,
    format: str = "$arg attr-dict `:` type($arg) `to` type($res)",
) -> OpDefinition:
    return OpDefinition(
        f"llvm.{name}",
        operands=(Operand("arg", source),),
        results=result(target),
        properties=properties,
        traits=(PURE,),
        assembly=format,
        summary=summary,
    )


NNEG_FORMAT: Final = "(`nneg` $nonNeg^)? $arg attr-dict `:` type($arg) `to` type($res)"


@verifies("llvm.bitcast")
def _verify_bitcast(op: Operation) -> list[Problem]:
    source, target = _pointers(op.operands[0].type), _pointers(op.result.type)
    if (source is None) != (target is None):
        return [Problem("can only cast pointers from and to pointers")]
    if source is None or target is None:
        return []
    if isinstance(op.result.type, VectorType) != isinstance(op.operands[0].type, VectorType):
        vector, pointer = "vector of pointers", "pointer"
        between = (vector, pointer) if isinstance(op.operands[0].type, VectorType) else (pointer, vector)
        return [Problem(f"cannot cast {between[0]} to {between[1]}")]
    if source != target:
        return [Problem("cannot cast pointers of different address spaces, use 'llvm.addrspacecast' instead")]
    return []


def _pointers(type: Type) -> int | None:
    """The address space of a pointer or a vector of pointers, else None."""
    element = type.element if isinstance(type, VectorType) else type
    return getattr(element, "address_space", None)


CONVERSIONS: Final = (
    _cast(
        "bitcast",
        NON_AGGREGATE,
        NON_AGGREGATE,
        "the same bits as another type",
    ),
    _cast("addrspacecast", POINTER_LIKE, POINTER_LIKE, "a pointer in another address space"),
    _cast("ptrtoint", POINTER_LIKE, INTEGER_LIKE, "the address of a pointer"),
    _cast(
        "inttoptr",
        INTEGER_LIKE,
        POINTER_LIKE,
        "the pointer of an address",
        DEREFERENCEABLE,
        format="$arg (`dereferenceable` `` $dereferenceable^)? attr-dict `:` type($arg) `to` type($res)",
    ),
    _cast("sext", INTEGER_LIKE, INTEGER_LIKE, "sign extension"),
    _cast(
        "zext",
        INTEGER_LIKE,
        INTEGER_LIKE,
        "zero extension",
        flag("nonNeg"),
        format=NNEG_FORMAT,
    ),
    _cast(
        "trunc",
        INTEGER_LIKE,
        INTEGER_LIKE,
        "the low bits of an integer",
        OVERFLOW,
        format="$arg (`overflow` `` $overflowFlags^)? attr-dict `:` type($arg) `to` type($res)",
    ),
    _cast("sitofp", INTEGER_LIKE, FLOAT_LIKE, "signed integer to floating-point"),
    _cast("uitofp", INTEGER_LIKE, FLOAT_LIKE, "unsigned integer to floating-point", flag("nonNeg"), format=NNEG_FORMAT),
    _cast("fptosi", FLOAT_LIKE, INTEGER_LIKE, "floating-point to signed integer"),
    _cast("fptoui", FLOAT_LIKE, INTEGER_LIKE, "floating-point to unsigned integer"),
    _cast("fpext", FLOAT_LIKE, FLOAT_LIKE, "a wider floating-point type"),
    _cast("fptrunc", FLOAT_LIKE, FLOAT_LIKE, "a narrower floating-point type, rounded"),
)

OPERATIONS: Final = (
    *INTEGER_OPERATIONS,
    *FLOAT_OPERATIONS,
    ICMP,
    FCMP,
    SELECT,
    FREEZE,
    *CONVERSIONS,
)
