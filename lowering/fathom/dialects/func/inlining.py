"""Which calls of functions may be inlined. Source of the rules: mlir-opt 22."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.rewriting.inlining_rules import InliningRules

if TYPE_CHECKING:
    from fathom.ir.operation import Operation


def _may_inline(call: Operation, function: Operation) -> bool:
    return "no_inline" not in call.properties and "no_inline" not in function.properties


INLINING: Final = InliningRules("func.return", "cf.br", _may_inline)
