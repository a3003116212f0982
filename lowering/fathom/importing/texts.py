"""What messages show of LLVM IR: instructions, constants and metadata as LLVM prints them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.llvmir.excerpts import Excerpts
from fathom.llvmir.instructions import Instruction
from fathom.llvmir.values import MetadataAsValue

if TYPE_CHECKING:
    from fathom.llvmir.metadata import DbgRecord, Metadata
    from fathom.llvmir.module import Function, GlobalValue, Module
    from fathom.llvmir.values import Value


class Texts:
    """The texts of a module's parts. Nothing is numbered before the first is asked for."""

    def __init__(self, source: Module) -> None:
        self._source = source
        self._made: Excerpts | None = None

    @property
    def _excerpts(self) -> Excerpts:
        if self._made is None:
            self._made = Excerpts(self._source)
        return self._made

    def instruction(self, of: Instruction, function: Function | None) -> str:
        """A line of a function, with what stands before it."""
        return self._excerpts.instruction(of, function)

    def constant(self, of: Value) -> str:
        """A constant with its type."""
        return self._excerpts.typed(of)

    def value(self, of: Value, function: Function | None) -> str:
        """A value: an instruction as its line, metadata as itself, anything else with its type."""
        if isinstance(of, MetadataAsValue):
            return self.node(of.metadata)
        return self.instruction(of, function) if isinstance(of, Instruction) else self._excerpts.typed(of)

    def node(self, of: Metadata | None) -> str:
        """`!0 = !{…}`, or metadata that has no number as it stands."""
        return self._excerpts.metadata(of)

    def record(self, of: DbgRecord, function: Function) -> str:
        """What is said of a variable."""
        return self._excerpts.record(of, function)

    def item(self, of: GlobalValue) -> str:
        """The line of something global, or all of a function."""
        return self._excerpts.item(of)
