"""The LLVM dialect's global variables, other names of them and of functions, and what runs before and after main.

Source of the rules: *'llvm' Dialect*, and observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.dialects.llvm.constants import type_of_text
from fathom.dialects.llvm.constraints import is_outer_compatible
from fathom.dialects.llvm.types import (
    LLVMArrayType,
    LLVMLabelType,
    LLVMMetadataType,
    LLVMPointerType,
    LLVMTargetExtType,
    LLVMTokenType,
    LLVMVoidType,
    has_zero,
)
from fathom.ir.attributes import (
    ArrayAttr,
    Attribute,
    DenseElementsAttr,
    FloatAttr,
    IntegerAttr,
    StringAttr,
    SymbolRefAttr,
)
from fathom.ir.dialect_values import DialectAttr, DialectType
from fathom.ir.operation import Operation
from fathom.ir.property_values import elements_property
from fathom.ir.types import Type, UnknownType
from fathom.irdl.cases import word_of
from fathom.irdl.checking import bare
from fathom.irdl.clauses import two_way
from fathom.irdl.code import OpCode
from fathom.irdl.interfaces import SymbolTable
from fathom.irdl.traits import ISOLATED_FROM_ABOVE
from fathom.irdl.verifying import Check, Checks, Complaint, SymbolCheck, SymbolChecks, verifies
from fathom.ops import llvm as ops

if TYPE_CHECKING:
    from fathom.irdl.symbols import Lookup


NO_GLOBAL: Final = (LLVMVoidType, LLVMTokenType, LLVMMetadataType, LLVMLabelType)
"""The types that no global variable can have."""


def may_be_global(type: Type) -> bool:
    """Whether a global variable, or an alias of one, may have this type; so may those that another dialect
    says more of than is known."""
    if isinstance(type, (UnknownType, DialectType)):
        return True
    return is_outer_compatible(type) and not isinstance(type, NO_GLOBAL)


@verifies("llvm.mlir.global")
def verify_global(op: ops.MlirGlobalOp) -> Complaint:
    """Whether a global variable of this type can have this value."""
    value, type = op.value, op.global_type.type
    if not may_be_global(type):
        return "expects type to be a valid element type for an LLVM global"
    if problems := verify_module_level(op):
        return problems
    if isinstance(value, StringAttr) and type != type_of_text(value):
        return "requires an i8 array type of the length equal to that of the string attribute"
    if isinstance(type, LLVMTargetExtType) and not (has_zero(type) or type.name == "amdgcn.named.barrier"):
        return "this target extension type cannot be used in a global"
    if isinstance(type, LLVMTargetExtType) and value is not None:
        return "global with target extension type can only be initialized with zero-initializer"
    word = word_of(op.linkage)
    if word == "common" and value is not None and not _is_zero(value):
        return "expected zero value for 'common' linkage"
    if word == "appending" and not isinstance(type, LLVMArrayType):
        return "expected array type for 'appending' linkage"
    if op.alignment is not None and (op.alignment.value <= 0 or op.alignment.value & (op.alignment.value - 1)):
        return bare("alignment attribute is not a power of 2")
    return _verify_initializer(op)


def _is_zero(value: Attribute) -> bool:
    match value:
        case IntegerAttr(number):
            return number == 0
        case FloatAttr():
            return value.value == 0
        case DenseElementsAttr(values):
            return all(element in (0, (0, 0)) for element in values)
        case ArrayAttr(elements):
            return all(map(_is_zero, elements))
        case _:
            return False


def _verify_initializer(op: ops.MlirGlobalOp) -> Complaint:
    entry, type = op.initializer.first, op.global_type.type
    last = entry.last if entry is not None else None
    if entry is None or not isinstance(last, ops.ReturnOp):
        return None
    if last.arg is None:
        return "initializer region cannot return void"
    if last.arg.type != type:
        return f"initializer region type '{last.arg.type}' does not match global type '{type}'"
    for inner in entry:
        if inner.name in WITH_EFFECTS:
            return bare("ops with side effects not allowed in global initializers", inner)
    return "cannot have both initializer value and region" if op.value is not None else None


WITH_EFFECTS: Final = frozenset(
    f"llvm.{name}" for name in "alloca load store call invoke atomicrmw cmpxchg fence inline_asm call_intrinsic".split()
)
"""Operations that do more than compute a value."""


def verify_structors(kind: str) -> Check:
    """The check of `llvm.mlir.global_ctors` or `_dtors`: three lists of one length."""

    def verify(op: ops.MlirGlobalCtorsOp | ops.MlirGlobalDtorsOp) -> Complaint:
        functions, priorities, data = (elements_property(op, name) for name in (kind, "priorities", "data"))
        if not all(isinstance(attribute, SymbolRefAttr) or attribute.full_name == "llvm.zero" for attribute in data):
            return bare("data element must be symbol or #llvm.zero")
        if not len(functions) == len(priorities) == len(data):
            return bare(f"{kind}, priorities, and data must have the same number of elements")
        return None

    return verify


def verify_structor_symbols(kind: str) -> SymbolCheck:
    """The check of the functions that they name."""

    def verify(op: ops.MlirGlobalCtorsOp | ops.MlirGlobalDtorsOp, lookup: Lookup) -> Complaint:
        for element in elements_property(op, kind):
            name = element.root if isinstance(element, SymbolRefAttr) else ""
            target = lookup(name)
            if not isinstance(target, ops.FuncOp):
                return f"'{name}' does not reference a valid LLVM function"
            if not target.regions or target.body.is_empty:
                return f"'{name}' does not have a definition"
        return None

    return verify


@verifies("llvm.module_flags")
def verify_module_flags(op: ops.ModuleFlagsOp) -> Complaint:
    """The elements of `llvm.module_flags` are flags."""
    flags = op.flags.elements
    if problems := verify_module_level(op):
        return problems
    if all(isinstance(flag, DialectAttr) and flag.full_name == "llvm.mlir.module_flag" for flag in flags):
        return None
    return "expected a module flag attribute"


@verifies("llvm.linker_options")
def verify_module_level(op: Operation) -> Complaint:
    """Some operations speak of the whole module, and stand in it."""
    parent = op.parent_op
    if parent is None or parent.definition is None:
        return None
    if parent.interface(SymbolTable) is not None and parent.has(ISOLATED_FROM_ABOVE):
        return None
    return "must appear at the module level"


VERIFY_SYMBOLS: Final[SymbolChecks] = {
    f"llvm.mlir.global_{kind}": verify_structor_symbols(kind) for kind in ("ctors", "dtors")
}


# ---- aliases, and functions that are chosen on load


def _verify_linkage(noun: str, options: str) -> Check:
    """Only some linkages make sense; `options` are those that the message names."""
    allowed = {word.strip("',") for word in options.replace(" or ", " ").split()}

    def verify(op: ops.MlirAliasOp | ops.MlirIfuncOp) -> Complaint:
        word = word_of(op.linkage)
        if word in allowed or word == "":
            return None
        return f"'{word}' linkage not supported in {noun}, available options: {options}"

    return verify


# ---- llvm.mlir.alias

_LINKAGE_OF_ALIASES: Final = _verify_linkage(
    "aliases", "private, internal, linkonce, weak, linkonce_odr, weak_odr, external or available_externally"
)


@verifies("llvm.mlir.alias")
def _verify_alias(op: ops.MlirAliasOp) -> Complaint:
    if not may_be_global(op.alias_type.type):
        return "expects type to be a valid element type for an LLVM global alias"
    problems = _LINKAGE_OF_ALIASES(op)
    entry = op.initializer.first
    if problems or entry is None:
        return problems
    last = entry.last
    returned = last.arg.type if isinstance(last, ops.ReturnOp) and last.arg is not None else None
    if not isinstance(returned, LLVMPointerType):
        return "initializer region must always return a pointer"
    for inner in entry:
        if inner.name in WITH_EFFECTS:
            return bare("ops with side effects are not allowed in alias initializers", inner)
    return None


# ---- llvm.mlir.ifunc


VERIFY: Final[Checks] = {
    **{f"llvm.mlir.global_{kind}": verify_structors(kind) for kind in ("ctors", "dtors")},
    "llvm.mlir.ifunc": _verify_linkage(
        "ifuncs", "private, internal, linkonce, weak, linkonce_odr, weak_odr, or external linkage"
    ),
}


CODE: Final = {
    "mlir.alias": OpCode(
        custom=two_way(
            "custom<ShownLinkage>($linkage) custom<Visibility>($visibility_) (`thread_local` $thread_local_^)? "
            "custom<UnnamedAddr>($unnamed_addr) $sym_name attr-dict `:` $alias_type custom<Unlabelled>($initializer)"
        )
    ),
    "mlir.ifunc": OpCode(
        custom=two_way(
            "custom<ShownLinkage>($linkage) custom<Visibility>($visibility_) custom<UnnamedAddr>($unnamed_addr) "
            "$sym_name `:` $i_func_type `,` $resolver_type $resolver attr-dict"
        )
    ),
}
