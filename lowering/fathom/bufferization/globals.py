"""Constants in memory: a `memref.global` for each, at the beginning of the module.

Source of the rules: `getGlobalFor` of MLIR 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fathom.bufferization.options import Refusal, with_identity
from fathom.ir.attributes import UNIT, Attribute, StringAttr, TypeAttr, i64_attr
from fathom.ir.operation import Operation, is_module
from fathom.ir.types import MemRefType, TensorType
from fathom.irdl.build import create
from fathom.irdl.interfaces import symbol_name
from fathom.ops.memref import GlobalOp

if TYPE_CHECKING:
    from fathom.bufferization.rewriting import Bufferizer
    from fathom.ops.arith import ConstantOp


class Globals:
    """The symbols of a module, and the constants among them."""

    def __init__(self, module: Operation) -> None:
        self._module = module
        self._names: set[str] = set()
        self._known: dict[tuple[Attribute, int], GlobalOp] = {}
        self._count = 0
        for region in module.regions:
            for op in region.operations():
                if op.parent_op is module:
                    self._names.add(symbol_name(op))
                    self._note(op)

    def _note(self, op: Operation) -> None:
        if isinstance(op, GlobalOp) and op.initial_value is not None:
            alignment = op.alignment.value if op.alignment is not None else 0
            self._known.setdefault((op.initial_value, alignment), op)

    def of(self, constant: ConstantOp, run: Bufferizer, space: Attribute | None) -> GlobalOp:
        """That of a constant tensor, which is made if there is none."""
        type, alignment = constant.result.type, run.options.buffer_alignment
        assert isinstance(type, TensorType), "only tensors are in memory"
        known = self._known.get((constant.value, alignment))
        if known is not None:
            return known
        shape = "x".join(map(str, type.ranked_shape))
        name = self._unused(f"__constant_{shape}x{type.element}")
        properties: dict[str, Attribute] = {
            "sym_name": StringAttr(name),
            "sym_visibility": StringAttr("private"),
            "type": TypeAttr(with_identity(type, space)),
            "initial_value": constant.value,
            "constant": UNIT,
        }
        if alignment:
            properties["alignment"] = i64_attr(alignment)
        made = create(run.context, "memref.global", (), (), properties, span=constant.span)
        made.location = constant.location
        block = self._module.regions[0].first
        assert block is not None, "the constant stands in it"
        block.insert_before(made, block.first)
        self._note(made)
        assert isinstance(made, GlobalOp), "it was made as one"
        return made

    def _unused(self, name: str) -> str:
        """A name that no symbol has. The numbers go on through all names, as in MLIR's symbol tables."""
        free = name
        while free in self._names:
            free = f"{name}_{self._count}"
            self._count += 1
        self._names.add(free)
        return free


def global_for(constant: ConstantOp, run: Bufferizer, space: Attribute | None) -> tuple[str, MemRefType]:
    """The name of a constant in memory, and its type. Raises Refusal outside of a module."""
    module: Operation | None = constant.parent_op
    while module is not None and not is_module(module):
        module = module.parent_op
    if module is None:
        raise Refusal(constant, "")
    known = run.globals.get(module)
    if known is None:
        known = run.globals[module] = Globals(module)
    global_ = known.of(constant, run, space)
    assert isinstance(global_.type.type, MemRefType), "its definition demands it"
    return global_.sym_name.value, global_.type.type
