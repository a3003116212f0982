"""The numbers that bind variables of SPIR-V to resources, as parts of their names.

spirv.GlobalVariable @v bind(0, 1) : …      becomes      spirv.GlobalVariable @kernels_v_descriptor_set0_binding1 : …
"""

from __future__ import annotations

from fathom.diagnostics import LOWERING, Diagnostic
from fathom.ir.operation import Operation
from fathom.ops.spirv import GlobalVariableOp, ModuleOp
from fathom.rewriting.symbol_renaming import rename_symbol


def bound_name(variable: GlobalVariableOp, prefix: str) -> str | None:
    """The name of a variable with its numbers, if it has both; `prefix` is that of the module, if it has one."""
    descriptor_set, binding = variable.descriptor_set, variable.binding
    if descriptor_set is None or binding is None:
        return None
    name = f"{prefix}_{variable.sym_name.value}" if prefix else variable.sym_name.value
    return f"{name}_descriptor_set{descriptor_set.value}_binding{binding.value}"


def encode_bindings(root: Operation) -> list[Diagnostic]:
    """Renames the bound variables of the modules of SPIR-V right in `root`, which then say no more that they are."""
    said: list[Diagnostic] = []
    for module in root.regions[0].operations():
        if not isinstance(module, ModuleOp):
            continue
        prefix = module.sym_name.value if module.sym_name is not None else ""
        for variable in [op for op in module.walk() if isinstance(op, GlobalVariableOp)]:
            if (name := bound_name(variable, prefix)) is None:
                continue
            if not rename_symbol(variable, name, module):
                message = f"unable to replace all symbol uses for {name}"
                said.append(Diagnostic(message, variable.span, code=LOWERING, op=variable, fatal=False))
            del variable.properties["descriptor_set"], variable.properties["binding"]
    return said
