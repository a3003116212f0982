"""What the verifier asks of uses of symbols, worded as MLIR 22 words it.

Source of the rules: observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import TYPE_CHECKING, Final

from fathom.diagnostics import UNKNOWN_FUNCTION
from fathom.dialects.llvm.types import LLVMFunctionType, LLVMPointerType, LLVMVoidType
from fathom.ir.attributes import SymbolRefAttr
from fathom.ir.dialect_values import DialectAttr
from fathom.ir.locations import FusedLoc, UnknownLoc, nested_locations
from fathom.ir.operation import Operation
from fathom.ir.property_values import integer_property, type_property
from fathom.ir.traversal import closest_with
from fathom.ir.types import Type
from fathom.irdl.cases import word_of
from fathom.irdl.checking import bare
from fathom.irdl.definition import Problem
from fathom.irdl.interfaces import FunctionLike
from fathom.irdl.verifying import Complaint, verifies
from fathom.ops import llvm as ops

if TYPE_CHECKING:
    from fathom.irdl.symbols import Lookup


ADDRESSABLE: Final = ("llvm.mlir.global", "llvm.mlir.alias", "llvm.func", "llvm.mlir.ifunc")


@verifies("llvm.mlir.addressof", symbols=True)
def verify_addressof(op: ops.MlirAddressofOp, lookup: Lookup) -> Complaint:
    target = lookup(op.global_name)
    if target is None or target.name not in ADDRESSABLE:
        kinds = "'llvm.mlir.global', 'llvm.mlir.alias' or 'llvm.func' or 'llvm.mlir.ifunc'"
        return f"must reference a global defined by {kinds}"
    type = op.result.type
    if isinstance(target, ops.MlirGlobalOp) and isinstance(type, LLVMPointerType):
        if integer_property(target, "addr_space", 0) != type.address_space:
            return "pointer address space must match address space of the referenced global or alias"
    return None


def variadic_problem(op: ops.CallOp | ops.InvokeOp, arguments: list[Type]) -> Problem | None:
    """What is wrong with the `var_callee_type` of a call or invocation with arguments of these types."""
    type = type_property(op, "var_callee_type")
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


@verifies("llvm.call", symbols=True)
def verify_callee(op: ops.CallOp, lookup: Lookup) -> Complaint:
    """The arguments and the result of an `llvm.call` are those of the function that it names."""
    return callee_problem(op, lookup, says_variadic=True)


def callee_problem(op: ops.CallOp, lookup: Lookup, *, says_variadic: bool) -> Complaint:
    """What is wrong with a call by name; whether it must say the type of a function with variable arguments."""
    name = op.callee
    if name is None:
        return None
    target = lookup(name)
    if target is None:
        return Problem(f"'{name.root}' does not reference a symbol in the current scope", code=UNKNOWN_FUNCTION)
    if isinstance(target, (ops.MlirAliasOp, ops.MlirIfuncOp)):
        return None
    type = type_property(target, "function_type")
    if not isinstance(target, ops.FuncOp) or not isinstance(type, LLVMFunctionType):
        return f"'{name.root}' does not reference a valid LLVM function or IFunc"
    if _lacks_location(op, target):
        return bare("inlinable function call in a function with a DISubprogram location must have a debug location")
    if says_variadic and type.varargs and op.var_callee_type is None:
        return "missing var_callee_type attribute for vararg call"
    return _verify_call(op, type, [v.type for v in op.callee_operands])


def _lacks_location(call: ops.CallOp, callee: Operation) -> bool:
    """Whether a call says that its place is unknown, though it may be inlined and both functions have debug info."""
    if not isinstance(call.location, UnknownLoc) or not callee.regions or callee.regions[0].is_empty:
        return False
    caller = closest_with(call, FunctionLike)
    return caller is not None and _has_subprogram(caller) and _has_subprogram(callee)


def _has_subprogram(op: Operation) -> bool:
    """Whether the location of an operation holds debug info of a function."""
    locations = nested_locations(op.location) if op.location is not None else ()
    return any(
        isinstance(location, FusedLoc)
        and isinstance(location.metadata, DialectAttr)
        and location.metadata.full_name == "llvm.di_subprogram"
        for location in locations
    )


def _verify_call(op: ops.CallOp, type: LLVMFunctionType, given: list[Type]) -> Complaint:
    expected = len(type.params)
    if len(given) != expected and not (type.varargs and len(given) > expected):
        return f"incorrect number of operands ({len(given)}) for callee (expecting: {expected})"
    for index, (type_, param) in enumerate(zip(given, type.params, strict=False)):
        if type_ != param:
            return f"operand type mismatch for operand {index}: '{type_}' != '{param}'"
    if isinstance(type.result, LLVMVoidType):
        return "calling function with void result must not produce values" if op.results else None
    if not op.results:
        return "expected function call to produce a value"
    if op.result.type != type.result:
        return f"result type mismatch: '{op.result.type}' != '{type.result}'"
    return None


# ---- comdat, ifunc, dso_local_equivalent, blockaddress


@verifies("llvm.mlir.global", "llvm.func", symbols=True)
def verify_comdat_symbol(op: ops.FuncOp | ops.MlirGlobalOp, lookup: Lookup) -> Complaint:
    """The group of a function or global variable is one of a `llvm.comdat`."""
    is_known = op.comdat is None or isinstance(lookup(op.comdat), ops.ComdatSelectorOp)
    return None if is_known else bare("expected comdat symbol")


def _inside(op: Operation | None) -> Iterator[Operation]:
    """All operations that are nested in an operation, in the order of the text."""
    stack = [iter(op.regions)] if op is not None else []
    while stack:
        region = next(stack[-1], None)
        if region is None:
            stack.pop()
            continue
        for block in region.blocks:
            for inner in block:
                yield inner
                if inner.regions:
                    stack.append(iter(inner.regions))


def _addressed(op: ops.MlirAddressofOp, lookup: Lookup) -> Operation | None:
    """What an operation takes the address of, of which nobody knows yet whether it is valid."""
    name = op.properties.get("global_name")
    return lookup(name) if isinstance(name, SymbolRefAttr) else None


@verifies("llvm.dso_local_equivalent", symbols=True)
def verify_equivalent(op: ops.DsoLocalEquivalentOp, lookup: Lookup) -> Complaint:
    """What `llvm.dso_local_equivalent` names is a function, or an alias of one."""
    target = lookup(op.function_name)
    if not isinstance(target, (ops.FuncOp, ops.MlirAliasOp)):
        return "must reference a global defined by 'llvm.func' or 'llvm.mlir.alias'"
    if isinstance(target, ops.MlirAliasOp):
        for inner in _inside(target):
            if isinstance(inner, ops.MlirAddressofOp) and isinstance(_addressed(inner, lookup), ops.MlirGlobalOp):
                return "must reference an alias to a function"
    if word_of(target.linkage) == "extern_weak":
        return "target function with 'extern_weak' linkage not allowed"
    return None


@verifies("llvm.mlir.ifunc", symbols=True)
def verify_resolver(op: ops.MlirIfuncOp, lookup: Lookup) -> Complaint:
    """What `llvm.mlir.ifunc` names, perhaps through aliases, is a function that gives a pointer."""
    target = lookup(op.resolver)
    seen: set[Operation] = set()
    while isinstance(target, ops.MlirAliasOp) and target not in seen:
        seen.add(target)
        entry = target.initializer.first if target.regions else None
        last = entry.last if entry is not None else None
        address = last.operands[0].defining_op if last is not None and last.operands else None
        if not isinstance(address, ops.MlirAddressofOp):
            return None
        target = _addressed(address, lookup)
    if not isinstance(target, ops.FuncOp):
        return "must have a function resolver"
    if not target.regions or target.regions[0].is_empty or word_of(target.linkage) == "available_externally":
        return "resolver must be a definition"
    type = type_property(target, "function_type")
    if isinstance(type, LLVMFunctionType) and not isinstance(type.result, LLVMPointerType):
        return "resolver must return a pointer"
    pointer = op.resolver_type.type
    if not isinstance(pointer, LLVMPointerType) or pointer.address_space != op.address_space.value:
        return "resolver has incorrect type"
    return None


@verifies("llvm.blockaddress", symbols=True)
def verify_block_address(op: ops.BlockaddressOp, lookup: Lookup) -> Complaint:
    """What `llvm.blockaddress` names is a block of a function, which has a tag."""
    attribute = op.block_addr
    if not isinstance(attribute, DialectAttr):
        return None
    name = attribute.parameter("function")
    target = lookup(name) if isinstance(name, SymbolRefAttr) else None
    if isinstance(target, ops.FuncOp):
        tags = lookup.once(target, _tags_in)
        if tags is None or attribute.parameter("tag") in tags:
            return None
    return "expects an existing block label target in the referenced function"


def _tags_in(function: Operation) -> Collection[object] | None:
    """The tags of the blocks of a function; None where something in it is not known."""
    tags: set[object] = set()
    for inner in _inside(function):
        if not inner.name:
            return None
        if isinstance(inner, ops.BlocktagOp):
            tags.add(inner.tag)
    return tags


def repeated_tag(within: Iterable[Operation]) -> Problem | None:
    """The second block with a tag, of these operations of a function."""
    seen: set[object] = set()
    for inner in within:
        tag = inner.tag if isinstance(inner, ops.BlocktagOp) else None
        if tag in seen and isinstance(tag, DialectAttr):
            return bare(f"duplicate block tag '{tag.parameter('id')}' in the same function: ", inner)
        if tag is not None:
            seen.add(tag)
    return None
