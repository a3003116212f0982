"""A module of LLVM IR as a module of the LLVM dialect."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.context import Context
from fathom.importing.data_layout import import_data_layout
from fathom.importing.functions import import_function
from fathom.importing.globals import import_alias, import_comdats, import_global, import_ifunc
from fathom.importing.module_metadata import import_module_metadata
from fathom.importing.options import DEFAULTS, Options
from fathom.importing.state import Failed, ModuleImport
from fathom.importing.types import TooDeep
from fathom.ir.attributes import ArrayAttr, StringAttr
from fathom.records import record

if TYPE_CHECKING:
    from fathom.diagnostics import Diagnostic
    from fathom.ir.operation import Operation
    from fathom.llvmir.module import Module


@record
class Imported:
    """The module that was made, None if that was not possible, and what is said of it."""

    module: Operation | None
    diagnostics: list[Diagnostic]


def import_llvm(
    source: Module, context: Context | None = None, options: Options = DEFAULTS, *, file: str = ""
) -> Imported:
    """The module of the LLVM dialect that stands for one of LLVM IR. What does not say of which file it is, is of
    `file`."""
    module = ModuleImport(source, context or Context(), options, file)
    try:
        _import(module)
    except Failed:
        return Imported(None, module.diagnostics)
    except TooDeep as problem:
        module.error(str(problem))
        return Imported(None, module.diagnostics)
    return Imported(module.module, module.diagnostics)


def _import(module: ModuleImport) -> None:
    source, attributes = module.source, module.module.attributes
    attributes["dlti.dl_spec"] = import_data_layout(module)
    import_comdats(module)
    _import_accesses(module)
    import_module_metadata(module)
    for variable in source.globals:
        import_global(module, variable)
    for function in source.functions:
        import_function(module, function)
    for alias in source.aliases:
        import_alias(module, alias)
    for ifunc in source.ifuncs:
        import_ifunc(module, ifunc)
    attributes["llvm.target_triple"] = StringAttr(source.target_triple)
    lines = (StringAttr(line) for line in source.module_asm.split("\n") if line)
    attributes["llvm.module_asm"] = ArrayAttr(tuple(lines))


def _import_accesses(module: ModuleImport) -> None:
    """The metadata of accesses, before all operations that have it."""
    aliasing = module.aliasing
    for function in module.source.functions:
        for block in function.blocks:
            for instruction in block.instructions:
                if len(instruction.metadata) > 1 or (instruction.metadata and instruction.metadata[0][0] != "dbg"):
                    said = dict(instruction.metadata)
                    for kind, add in (
                        ("llvm.access.group", aliasing.add_groups),
                        ("tbaa", aliasing.add_tbaa),
                        ("alias.scope", aliasing.add_scopes),
                        ("noalias", aliasing.add_scopes),
                    ):
                        if (node := said.get(kind)) is not None:
                            add(node)
