"""What may be inlined into operations of tosa: anything, where a condition or a loop has a region.

Source of the rules: mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from fathom.ir.operation import Region, Value
from fathom.rewriting.inlining_rules import InliningRules


def _takes(target: Region, body: Region, given: Mapping[Value, Value]) -> bool:
    del body, given
    return target.parent is not None and target.parent.name in ("tosa.cond_if", "tosa.while_loop")


INLINING: Final = InliningRules(takes=_takes)
