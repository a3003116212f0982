"""Names that are unique, as LLVM makes them.

Each function has a table for what it defines, and the module one for what is global. The second `x` of a function is
`x1`; behind it, the second `y` is `y2`, since a table counts all that it renamed. Of globals the number stands behind a
point, except for NVPTX, which has none in names.
"""

from __future__ import annotations

from fathom.llvmir.module import Function, Module
from fathom.records import field, record


@record(frozen=False, eq=False)
class SymbolTable:
    """The names of a function, or of a module."""

    separator: str = ""
    taken: set[str] = field(default_factory=set[str])
    _last: int = 0

    def unique(self, name: str) -> str:
        """A name like this one that nothing has yet, which is taken from now on. What has none stays so."""
        if not name:
            return ""
        made = name
        while made in self.taken:
            self._last += 1
            made = f"{name}{self.separator}{self._last}"
        self.taken.add(made)
        return made


def globals_table(module: Module) -> SymbolTable:
    """A table of what is in a module."""
    taken = {each.name for each in module.global_values() if each.name}
    return SymbolTable("" if module.target_triple.startswith("nvptx") else ".", taken)


def locals_table(function: Function) -> SymbolTable:
    """A table of what is in a function."""
    table = SymbolTable()
    table.taken.update(each.name for each in function.arguments if each.name)
    for block in function.blocks:
        table.taken.update(each.name for each in (block, *block.instructions) if each.name)
    return table
