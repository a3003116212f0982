"""Parts of a module as texts, as LLVM prints them alone: numbered as in the module."""

from __future__ import annotations

from fathom.llvmir.budget import Budget
from fathom.llvmir.instructions import Instruction
from fathom.llvmir.metadata import DbgRecord, MDNode, Metadata
from fathom.llvmir.module import Function, GlobalAlias, GlobalIFunc, GlobalValue, GlobalVariable, Module
from fathom.llvmir.node_texts import node_text
from fathom.llvmir.types import VOID
from fathom.llvmir.values import Value
from fathom.llvmir.writer import ModuleWriter


class Excerpts(ModuleWriter):
    """The texts of parts of a module, all of which is numbered."""

    def __init__(self, module: Module) -> None:
        super().__init__(module, Budget())
        for function in module.functions:
            self._numbering.function(function)

    def instruction(self, of: Instruction, function: Function | None) -> str:
        """A line of a function, with what stands before it; one that stands in none has no name."""
        if function is not None:
            self._operands.name_locals(function)
            self._instructions.function = function
        elif of.type is not VOID:
            self._operands.values[id(of)] = "<badref>"
        return f"{self._instructions.line(of)}{self._attached(of.metadata, ', ')}"

    def typed(self, of: Value) -> str:
        """A value behind its type."""
        return self._operands.typed(of)

    def metadata(self, of: Metadata | None) -> str:
        """Metadata: a node with what it holds."""
        text = self._operands.metadata(of)
        return f"{text} = {node_text(of, self._operands.metadata)}" if isinstance(of, MDNode) else text

    def record(self, of: DbgRecord, function: Function) -> str:
        """What is said of a variable in a function."""
        self._operands.name_locals(function)
        return self._record(of)

    def item(self, of: GlobalValue) -> str:
        """The line of something global, or all of a function."""
        match of:
            case GlobalVariable():
                return self._global(of)
            case GlobalAlias():
                return self._alias(of)
            case GlobalIFunc():
                return self._ifunc(of)
            case _:
                assert isinstance(of, Function)
                self._lines.clear()
                self._function(of)
                return "\n".join([*self._lines, ""])
