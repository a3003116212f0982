"""What a pass gives that lowers a dialect to the LLVM dialect, so that `convert-to-llvm` lowers that dialect too."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING

from fathom.passes import find
from fathom.passes.definition import Pass
from fathom.records import record

if TYPE_CHECKING:
    from fathom.context import Context
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation
    from fathom.passes.to_llvm.llvm_type_converter import LLVMTypeConverter
    from fathom.rewriting.pattern import Pattern


@record
class DialectToLLVM(Pass):
    """A pass that lowers its dialects with patterns; `convert-to-llvm` takes those of the pass without options."""

    gives_to_llvm = True

    @abstractmethod
    def patterns(self, types: LLVMTypeConverter, root: Operation) -> list[Pattern]:
        """The patterns for a conversion of `root`."""

    def lower(self, op: Operation, context: Context, index_bitwidth: int = 0) -> list[Diagnostic]:
        """Converts what the patterns can; an operation of the dialects that stays has a warning."""
        from fathom.passes.to_llvm.conversion import lower_to_llvm, type_converter

        types = type_converter(index_bitwidth, op)
        return lower_to_llvm(self, op, self.patterns(types, op), types, context)


def passes_for(*names: str) -> list[DialectToLLVM]:
    """The passes of these names, whose work another one does too."""
    passes = [found() for name in names if (found := find(name)) is not None]
    return [pass_ for pass_ in passes if isinstance(pass_, DialectToLLVM)]
