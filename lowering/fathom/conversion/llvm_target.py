"""What the passes to the LLVM dialect have in common: the type converter that a pass's options ask for, and the
target."""

from __future__ import annotations

from collections.abc import Mapping

from fathom.conversion.type_converter import LLVMTypeConverter, LoweringOptions
from fathom.rewriting.target import ConversionTarget

MACHINE_WORD = 64
"""The width of an index, in bits, where a pass's option says 0 and the module has no data layout."""


def type_converter(options: Mapping[str, str]) -> LLVMTypeConverter:
    """The converter for `index-bitwidth` and the options of the calling convention, as mlir-opt spells them."""

    def flag(name: str) -> bool:
        return options.get(name, "false") in ("true", "1", "")

    return LLVMTypeConverter(
        LoweringOptions(
            index_bitwidth=int(options.get("index-bitwidth", "0")) or MACHINE_WORD,
            use_bare_ptr_memref_call_conv=flag("use-bare-ptr-memref-call-conv"),
            use_aligned_alloc=flag("use-aligned-alloc"),
            use_generic_functions=flag("use-generic-functions"),
        )
    )


def llvm_target() -> ConversionTarget:
    """The LLVM dialect is legal, and the casts that passes leave between them; of all else nothing is said."""
    return ConversionTarget().legal("llvm", "builtin.unrealized_conversion_cast")
