"""The type converter of the conversions to the LLVM dialect: what types become, and how values get there.

Source of the rules: *LLVM IR Target*, "Type Conversion" and "Calling Conventions"; the rest was seen in mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fathom.ir.types import MemRefType, Type
from fathom.passes.to_llvm.descriptors import descriptor_from_pointer, pack_descriptor
from fathom.passes.to_llvm.llvm_types import LLVMTypes
from fathom.rewriting.type_converter import CAST

if TYPE_CHECKING:
    from fathom.ir.operation import Value
    from fathom.rewriting.rewriter import Rewriter


class LLVMTypeConverter(LLVMTypes):
    """`LLVMTypes` with its materialisations: a descriptor is packed from what a signature passes."""

    def materialize_source(self, rewriter: Rewriter, type: Type, inputs: Sequence[Value]) -> Value | None:
        if isinstance(type, MemRefType):
            descriptor = self._pack(rewriter, type, inputs)
            if descriptor is not None:
                inputs = [descriptor]
        return rewriter.create(CAST, inputs, [type]).results[0]

    def materialize_target(
        self, rewriter: Rewriter, types: Sequence[Type], inputs: Sequence[Value], original: Type | None
    ) -> Sequence[Value] | None:
        if len(types) == 1 and isinstance(original, MemRefType):
            descriptor = self._pack(rewriter, original, inputs)
            if descriptor is not None:
                return [descriptor]
        return list(rewriter.create(CAST, inputs, types).results)

    def _pack(self, rewriter: Rewriter, type: MemRefType, inputs: Sequence[Value]) -> Value | None:
        """The descriptor made of its fields or of a bare pointer, if that is what the inputs are."""
        given = [value.type for value in inputs]
        if given == [self.pointer(type)] and self.can_be_bare_pointer(type):
            return descriptor_from_pointer(rewriter, self, type, inputs[0])
        if len(inputs) > 1 and given == self.convert_argument(type, bare=False):
            return pack_descriptor(rewriter, self, type, inputs)
        return None
