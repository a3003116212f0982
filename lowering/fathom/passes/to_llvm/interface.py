"""What a pass gives that lowers a dialect to the LLVM dialect, so that `convert-to-llvm` lowers that dialect too."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING

from fathom.passes.definition import Pass
from fathom.records import record

if TYPE_CHECKING:
    from fathom.ir.operation import Operation
    from fathom.passes.to_llvm.llvm_type_converter import LLVMTypeConverter
    from fathom.rewriting.pattern import Pattern


@record
class DialectToLLVM(Pass):
    """A pass that lowers its dialects with patterns; `convert-to-llvm` takes those of the pass without options."""

    @abstractmethod
    def patterns(self, types: LLVMTypeConverter, root: Operation) -> list[Pattern]:
        """The patterns for a conversion of `root`."""
