"""A dialect of one's own: what Python says of it, beside the description that says how it is written.

    from fathom.dialect import Rewriter, lowers, verifies

    @verifies("shop.total")
    def check(op):
        if op.left.type != op.right.type:
            return "adds prices of one kind"

    @lowers("shop.total", into="arith")
    def total(op, rewriter: Rewriter):
        rewriter.replace(op, rewriter.create("arith.addi", op.left, op.right))

A module of this kind is named beside the description, `--dialect shop.toml --dialect shop.py`. The page
`docs/own-dialect.md` leads from an empty folder to a dialect that runs. What stands here stays.
"""

from __future__ import annotations

from fathom.dialect.declarations import (
    allocates,
    amends,
    canonicalizes,
    converts,
    effects,
    folds,
    frees,
    inlines,
    inlines_into,
    lowers,
    reads,
    translates,
    verifies,
    writes,
)
from fathom.dialect.operation import Op, defined_by
from fathom.dialect.rewriter import Rewriter
from fathom.dialect.values import dense, elements
from fathom.ir.attributes import Attribute
from fathom.ir.operation import Block, Region, Value
from fathom.ir.types import Type
from fathom.irdl.definition import Problem

__all__ = [
    "Attribute",
    "Block",
    "Op",
    "Problem",
    "Region",
    "Rewriter",
    "Type",
    "Value",
    "allocates",
    "amends",
    "canonicalizes",
    "converts",
    "defined_by",
    "dense",
    "effects",
    "elements",
    "folds",
    "frees",
    "inlines",
    "inlines_into",
    "lowers",
    "reads",
    "translates",
    "verifies",
    "writes",
]
