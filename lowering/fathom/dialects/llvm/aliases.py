"""The LLVM dialect's other names for functions and global variables: aliases, and functions that are chosen on load.

Source of the rules: *'llvm' Dialect*, "llvm.mlir.alias" and "llvm.mlir.ifunc".
"""

from __future__ import annotations

from typing import Final

from fathom.dialects.llvm.global_checks import WITH_EFFECTS, may_be_global
from fathom.dialects.llvm.types import LLVMPointerType
from fathom.irdl.cases import word_of
from fathom.irdl.checking import bare
from fathom.irdl.clauses import two_way
from fathom.irdl.code import OpCode
from fathom.irdl.verifying import Check, Checks, Complaint, verifies
from fathom.ops import llvm as ops


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
    returned = last.operands[0].type if isinstance(last, ops.ReturnOp) and last.operands else None
    if not isinstance(returned, LLVMPointerType):
        return "initializer region must always return a pointer"
    for inner in entry:
        if inner.name in WITH_EFFECTS:
            return bare("ops with side effects are not allowed in alias initializers", inner)
    return None


# ---- llvm.mlir.ifunc

VERIFY: Final[Checks] = {
    "llvm.mlir.ifunc": _verify_linkage(
        "ifuncs", "private, internal, linkonce, weak, linkonce_odr, weak_odr, or external linkage"
    ),
}


CODE: Final = {
    "mlir.alias": OpCode(
        custom=two_way(
            "custom<Linkage>($linkage) custom<Visibility>($visibility_) (`thread_local` $thread_local_^)? "
            "custom<UnnamedAddr>($unnamed_addr) $sym_name attr-dict `:` $alias_type custom<Unlabelled>($initializer)"
        )
    ),
    "mlir.ifunc": OpCode(
        custom=two_way(
            "custom<Linkage>($linkage) custom<Visibility>($visibility_) custom<UnnamedAddr>($unnamed_addr) "
            "$sym_name `:` $i_func_type `,` $resolver_type $resolver attr-dict"
        )
    ),
}
