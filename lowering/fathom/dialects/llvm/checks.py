"""What the verifier asks of atomic accesses and uses of symbols, worded as MLIR 22 words it.

Source of the rules: observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from fathom.dialects.llvm.attributes import ATOMIC_OPERATIONS, ORDERINGS
from fathom.dialects.llvm.constraints import is_float
from fathom.dialects.llvm.types import (
    LLVMFunctionType,
    LLVMPointerType,
    LLVMVoidType,
)
from fathom.ir.attributes import (
    IntegerAttr,
    SymbolRefAttr,
    TypeAttr,
)
from fathom.ir.operation import Operation
from fathom.ir.types import FloatType, IntegerType, Type, VectorType, element_type
from fathom.irdl.definition import Problem

# ---- atomic accesses


def number_of(op: Operation, name: str) -> int:
    """The value of an integer attribute, 0 where there is none."""
    attribute = op.properties.get(name)
    return attribute.value if isinstance(attribute, IntegerAttr) else 0


def is_atomic(type: Type) -> bool:
    """Whether memory is accessed as this type at once: a scalar of whole bytes, a power of two of them."""
    match type:
        case LLVMPointerType():
            return True
        case IntegerType(width):
            return width >= 8 and width & (width - 1) == 0
        case FloatType():
            return is_float(type) and type.width & (type.width - 1) == 0
        case _:
            return False


def verify_atomic_access(*unsupported: str) -> Callable[[Operation], list[Problem]]:
    """The check of a load or store, for which these orderings make no sense."""
    numbers = {ORDERINGS[name]: name for name in unsupported}

    def verify(op: Operation) -> list[Problem]:
        ordering = number_of(op, "ordering")
        if ordering == ORDERINGS["not_atomic"]:
            syncscope = "syncscope" in op.properties
            return [Problem("expected syncscope to be null for non-atomic access")] if syncscope else []
        accessed = op.results[0].type if op.results else op.operands[0].type
        if not is_atomic(accessed):
            return [Problem(f"unsupported type '{accessed}' for atomic access")]
        if ordering in numbers:
            return [Problem(f"unsupported ordering '{numbers[ordering]}'")]
        if "alignment" not in op.properties:
            return [Problem("expected alignment for atomic access")]
        return []

    return verify


FLOAT_OPERATIONS: Final = frozenset(("fadd", "fsub", "fmax", "fmin", "fmaximum", "fminimum"))


def verify_atomicrmw(op: Operation) -> list[Problem]:
    kind = next((name for name, value in ATOMIC_OPERATIONS.items() if value == number_of(op, "bin_op")), "")
    type = op.operands[1].type
    if kind in FLOAT_OPERATIONS:
        if not is_float(element_type(type)):
            of_vector = " for vector element" if isinstance(type, VectorType) else ""
            return [Problem(f"expected LLVM IR floating point type{of_vector}")]
    elif kind == "xchg":
        if not is_atomic(type):
            return [Problem("unexpected LLVM IR type for 'xchg' bin_op")]
    elif not isinstance(type, IntegerType) or type.width not in (8, 16, 32, 64):
        return [Problem("expected LLVM IR integer type")]
    if number_of(op, "ordering") < ORDERINGS["monotonic"]:
        return [Problem("expected at least 'monotonic' ordering")]
    return []


def verify_cmpxchg(op: Operation) -> list[Problem]:
    type = op.operands[2].type
    if not is_atomic(type):
        return [Problem("unexpected LLVM IR type")]
    success, failure = number_of(op, "success_ordering"), number_of(op, "failure_ordering")
    if min(success, failure) < ORDERINGS["monotonic"]:
        return [Problem("ordering must be at least 'monotonic'")]
    if failure in (ORDERINGS["release"], ORDERINGS["acq_rel"]):
        return [Problem("failure ordering cannot be 'release' or 'acq_rel'")]
    return []


def verify_fence(op: Operation) -> list[Problem]:
    weak = [ORDERINGS[name] for name in ("not_atomic", "unordered", "monotonic")]
    if number_of(op, "ordering") in weak:
        return [Problem("can be given only acquire, release, acq_rel, and seq_cst orderings")]
    return []


# ---- uses of symbols

Lookup = Callable[[str], "Operation | None"]
ADDRESSABLE: Final = ("llvm.mlir.global", "llvm.mlir.alias", "llvm.func", "llvm.mlir.ifunc")


def verify_addressof(op: Operation, lookup: Lookup) -> list[Problem]:
    name = op.properties.get("global_name")
    target = lookup(name.root) if isinstance(name, SymbolRefAttr) else None
    if target is None or target.name not in ADDRESSABLE:
        kinds = "'llvm.mlir.global', 'llvm.mlir.alias' or 'llvm.func' or 'llvm.mlir.ifunc'"
        return [Problem(f"must reference a global defined by {kinds}")]
    type = op.result.type
    if target.name == "llvm.mlir.global" and isinstance(type, LLVMPointerType):
        if number_of(target, "addr_space") != type.address_space:
            return [Problem("pointer address space must match address space of the referenced global or alias")]
    return []


def variadic_problem(op: Operation, arguments: list[Type]) -> Problem | None:
    """What is wrong with the `var_callee_type` of a call or invocation with arguments of these types."""
    attribute = op.properties.get("var_callee_type")
    type = attribute.type if isinstance(attribute, TypeAttr) else None
    if not isinstance(type, LLVMFunctionType):
        return None
    if not type.varargs:
        return Problem("expected var_callee_type to be a variadic function type")
    if len(type.params) > len(arguments):
        return Problem(f"expected var_callee_type to have at most {len(arguments)} parameters")
    for param, argument in zip(type.params, arguments, strict=False):
        if param != argument:
            return Problem(f"var_callee_type parameter type mismatch: '{param}' != '{argument}'")
    if not op.results:
        returns_void = isinstance(type.result, LLVMVoidType)
        return None if returns_void else Problem("expected var_callee_type to return void")
    if op.result.type != type.result:
        return Problem(f"var_callee_type return type mismatch: '{type.result}' != '{op.result.type}'")
    return None


def verify_callee(op: Operation, lookup: Lookup) -> list[Problem]:
    """The arguments and the result of an `llvm.call` are those of the function that it names."""
    name = op.properties.get("callee")
    if not isinstance(name, SymbolRefAttr) or op.definition is None:
        return []
    target = lookup(name.root)
    if target is None:
        return [Problem(f"'{name.root}' does not reference a symbol in the current scope")]
    if target.name in ("llvm.mlir.alias", "llvm.mlir.ifunc"):
        return []
    attribute = target.properties.get("function_type")
    type = attribute.type if isinstance(attribute, TypeAttr) else None
    if target.name != "llvm.func" or not isinstance(type, LLVMFunctionType):
        return [Problem(f"'{name.root}' does not reference a valid LLVM function or IFunc")]
    return _verify_call(op, type, [v.type for v in op.group("callee_operands")])


def _verify_call(op: Operation, type: LLVMFunctionType, given: list[Type]) -> list[Problem]:
    variadic = op.properties.get("var_callee_type")
    if type.varargs and variadic is None:
        return [Problem("missing var_callee_type attribute for vararg call")]
    expected = len(type.params)
    if len(given) != expected and not (type.varargs and len(given) > expected):
        return [Problem(f"incorrect number of operands ({len(given)}) for callee (expecting: {expected})")]
    for index, (found, param) in enumerate(zip(given, type.params, strict=False)):
        if found != param:
            return [Problem(f"operand type mismatch for operand {index}: '{found}' != '{param}'")]
    if isinstance(type.result, LLVMVoidType):
        return [Problem("calling function with void result must not produce values")] if op.results else []
    if not op.results:
        return [Problem("expected function call to produce a value")]
    if op.result.type != type.result:
        return [Problem(f"result type mismatch: '{op.result.type}' != '{type.result}'")]
    return []
