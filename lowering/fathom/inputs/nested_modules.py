"""Two modules as one, as mlir-runner links the host's and the device's for one processor.

    module {                          module {
      func.func private @f()            func.func @f() { … }
      module @kernels {           ->    …
        func.func @f() { … }          }
      }
    }

Source of the rules: *LLVM Language Reference*, "Linkage Types"; the behaviour of mlir-runner 22.
"""

from __future__ import annotations

from typing import Final

from fathom.diagnostics import TRANSLATION, Diagnostic
from fathom.ir.operation import Operation
from fathom.irdl.cases import word_of
from fathom.irdl.interfaces import FunctionLike, Symbol, symbol_name
from fathom.rewriting.symbol_renaming import rename_symbol
from fathom.verify.symbols import operations_in

_LOCAL: Final = ("internal", "private")
_VALUES: Final = ("value", "initial_value", "const_initial_value")
"""What a global has that is defined, beside a region with its value."""


def link_nested(module: Operation) -> tuple[list[Operation], Diagnostic | None]:
    """Has the symbols of the one module inside of another in that, in the place of its declarations; and what is wrong,
    if that cannot be. Gives what has come in. Where both have a
    name, what only its own module can name gets another."""
    inside = [op for op in operations_in(module) if op.definition is module.definition]
    if len(inside) != 1:
        message = "The module must contain exactly one nested module"
        return [], Diagnostic(message, module.span, code=TRANSLATION)
    (nested,) = inside
    block = nested.parent
    assert block is not None, "it stands in the module"
    names = {symbol_name(op): op for op in operations_in(module) if op is not nested}
    taken = {*names, *map(symbol_name, operations_in(nested))}
    for op in operations_in(nested):
        twin = names.get(symbol_name(op)) if symbol_name(op) else None
        if twin is not None and (_is_local(op) or _is_local(twin)):
            local, table = (op, nested) if _is_local(op) else (twin, module)
            rename_symbol(local, _fresh(symbol_name(local), taken), table)
        elif twin is not None and _is_defined(op) and _is_defined(twin):
            message = f"Linking globals named '{symbol_name(op)}': symbol multiply defined!"
            return [], Diagnostic(message, module.span, code=TRANSLATION)
    names = {symbol_name(op): op for op in operations_in(module) if op is not nested}
    moved = [op for op in operations_in(nested) if symbol_name(op) not in names or _is_defined(op)]
    for op in moved:
        if (declared := names.get(symbol_name(op))) is not None:
            declared.unlink()
        op.unlink()
        block.insert_before(op, nested)
    nested.drop_all_references()
    nested.unlink()
    return moved, None


def _is_defined(op: Operation) -> bool:
    function = op.interface(FunctionLike)
    if function is not None:
        body = function.body(op)
        return body is not None and bool(body.blocks)
    return any(name in op.properties for name in _VALUES) or any(region.blocks for region in op.regions)


def _is_local(op: Operation) -> bool:
    """Whether no other module can name what is defined."""
    linkage = op.properties.get("linkage")
    if linkage is not None:
        return word_of(linkage) in _LOCAL
    symbol = op.interface(Symbol)
    return symbol is not None and symbol.visibility(op) == "private" and _is_defined(op)


def _fresh(name: str, taken: set[str]) -> str:
    """A name that nothing has."""
    number = 1
    while f"{name}.{number}" in taken:
        number += 1
    taken.add(f"{name}.{number}")
    return f"{name}.{number}"
