"""What the signature of a function becomes, by each calling convention, in the LLVM dialect and in C.

Source of the rules: *LLVM IR Target*, "Calling Conventions".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from fathom.dialects.llvm.types import LLVMFunctionType
from fathom.execution.callable import in_memory
from fathom.ir.attributes import TypeAttr
from fathom.ir.operation import Operation
from fathom.ir.types import FunctionType, MemRefType
from fathom.irdl.interfaces import FunctionLike, symbol_name
from fathom.passes.to_llvm.describe import describe
from fathom.passes.to_llvm.llvm_types import LLVMTypes, LoweringOptions
from fathom_server.features.hover.prototypes import prototypes
from fathom_server.features.hover.texts import brief, code, quoted, table

_BARE: Final = LoweringOptions(use_bare_ptr_memref_call_conv=True)
MOST_ARGUMENTS: Final = 64
"""Of a function of more arguments no prototype is shown."""


def signature_lines(op: Operation | None) -> Iterator[str]:
    """What the signature of a function is in the LLVM dialect; nothing of other operations."""
    type = _type_of(op)
    if type is None:
        return
    default = describe(type)
    if default.signature is None:
        yield f"LLVM dialect: no conversion{f': {default.reason}' if default.reason else ''}"
        return
    if not _differs(type):
        yield f"LLVM dialect: `{brief(default.signature)}`"
        return
    bare = describe(type, _BARE)
    through_c = _c_interface(type)
    rows = [
        ("default", f"`{brief(default.signature)}`"),
        ("bare pointers", f"`{brief(bare.signature)}`" if bare.signature is not None else f"none: {bare.reason}"),
        *([("C interface", quoted(brief(through_c)))] if through_c is not None else []),
    ]
    yield table(("convention", "LLVM dialect"), rows)


def prototype_lines(op: Operation | None, names: Sequence[str]) -> Iterator[str]:
    """How C declares a function with arguments of these names; nothing of other operations, nor where C has no such
    type."""
    type = _type_of(op)
    if op is None or type is None or len(type.inputs) > MOST_ARGUMENTS or describe(type).signature is None:
        return
    if len(names) != len(type.inputs):
        names = [f"arg{number}" for number in range(len(type.inputs))]
    text = prototypes(symbol_name(op), type, names, with_all=_differs(type))
    if text:
        yield code(text, "c")


def _type_of(op: Operation | None) -> FunctionType | None:
    """The signature of a function that is not of the LLVM dialect yet; its tensors are passed in memory."""
    if op is None or op.interface(FunctionLike) is None:
        return None
    attribute = op.properties.get("function_type")
    type = attribute.type if isinstance(attribute, TypeAttr) else None
    if not isinstance(type, FunctionType):
        return None
    return FunctionType(tuple(map(in_memory, type.inputs)), tuple(map(in_memory, type.results)))


def _differs(type: FunctionType) -> bool:
    """Whether it matters by which convention the function is called."""
    return any(isinstance(passed, MemRefType) for passed in (*type.inputs, *type.results))


def _c_interface(type: FunctionType) -> LLVMFunctionType | None:
    """The type of the function that is made for C."""
    from fathom.passes.conversions.convert_func_to_llvm.wrappers import wrapper_type

    wrapper = wrapper_type(type, LLVMTypes())
    return wrapper[0]
