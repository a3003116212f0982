"""What the passes to the LLVM dialect have in common: the type converter that a pass's options ask for, and the
target."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from fathom.ir.operation import Operation
from fathom.passes.to_llvm.llvm_type_converter import LLVMTypeConverter
from fathom.passes.to_llvm.llvm_types import LoweringOptions
from fathom.rewriting.target import ConversionTarget

MACHINE_WORD = 64
"""The width of an index, in bits, where a pass's option says 0 and the module has no data layout."""


INDEX_ENTRY: Final = re.compile(r"\bindex\s*[=,]\s*(\d+)\s*:\s*i32")
"""The width of an index in a data layout: `#dlti.dl_spec<index = 32 : i32>`, or `#dlti.dl_entry<index, 32 : i32>`."""


def type_converter(options: Mapping[str, str], module: Operation | None = None) -> LLVMTypeConverter:
    """The converter for `index-bitwidth` and the options of the calling convention, as mlir-opt spells them.

    Some passes take the width of an index from the data layout of the module, if it has one; those give the module.
    """

    def flag(name: str) -> bool:
        return options.get(name, "false") in ("true", "1", "")

    return LLVMTypeConverter(
        LoweringOptions(
            index_bitwidth=int(options.get("index-bitwidth", "0")) or index_width(module),
            use_bare_ptr_memref_call_conv=flag("use-bare-ptr-memref-call-conv"),
            use_aligned_alloc=flag("use-aligned-alloc"),
            use_generic_functions=flag("use-generic-functions"),
        )
    )


def index_width(module: Operation | None) -> int:
    """The bits of an index by the module's data layout, or else a machine word."""
    layout = module.attributes.get("dlti.dl_spec") if module is not None else None
    entry = INDEX_ENTRY.search(str(layout)) if layout is not None else None
    return int(entry[1]) if entry is not None else MACHINE_WORD


def llvm_target() -> ConversionTarget:
    """The LLVM dialect is legal, and the casts that passes leave between them; of all else nothing is said."""
    return ConversionTarget().legal("llvm", "builtin.unrealized_conversion_cast")
