"""What the verifier asks of atomic accesses and uses of symbols, worded as MLIR 22 words it.

Source of the rules: observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from fathom.dialects.llvm.attributes import ATOMIC_OPERATIONS, ORDERINGS
from fathom.dialects.llvm.constraints import is_float, is_pointer
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
from fathom.ir.types import IntegerType, Type, element_type
from fathom.irdl.definition import Problem

# ---- atomic accesses


def number_of(op: Operation, name: str) -> int:
    """The value of an integer attribute, 0 where there is none."""
    attribute = op.properties.get(name)
    return attribute.value if isinstance(attribute, IntegerAttr) else 0


def verify_atomic_access(*unsupported: str) -> Callable[[Operation], list[Problem]]:
    """The check of a load or store, for which these orderings make no sense."""
    numbers = {ORDERINGS[name]: name for name in unsupported}

    def verify(op: Operation) -> list[Problem]:
        ordering = number_of(op, "ordering")
        if ordering == ORDERINGS["not_atomic"]:
            syncscope = "syncscope" in op.properties
            return [Problem("expected syncscope to be null for non-atomic access")] if syncscope else []
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
            return [Problem("expected LLVM IR floating point type")]
    elif kind != "xchg" and not isinstance(type, IntegerType):
        return [Problem("expected LLVM IR integer type")]
    if number_of(op, "ordering") < ORDERINGS["monotonic"]:
        return [Problem("expected at least 'monotonic' ordering")]
    return []


def verify_cmpxchg(op: Operation) -> list[Problem]:
    type = op.operands[2].type
    if not is_pointer(type) and not isinstance(type, IntegerType):
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
        return [Problem(f"'{name.root}' does not reference a valid LLVM function")]
    return _verify_call(op, type, [v.type for v in op.definition.operand_groups(op)["callee_operands"]])


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
