"""Which calls of functions may be inlined. Source of the rules: mlir-opt 22."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.rewriting.inlining_rules import InliningRules

if TYPE_CHECKING:
    from fathom.ops.func import CallOp, FuncOp


def _may_inline(call: CallOp, function: FuncOp) -> bool:
    return call.no_inline is None and function.no_inline is None


INLINING: Final = InliningRules("func.return", "cf.br", _may_inline)
