"""The greater and the lesser of two numbers, by a comparison and a choice.

    %0 = arith.maximumf %a, %b : f32      ->    %1 = arith.cmpf ugt, %a, %b : f32
                                                %2 = arith.select %1, %a, %b : f32
                                                %3 = arith.cmpf uno, %b, %b : f32
                                                %0 = arith.select %3, %b, %2 : f32

Source of the rules: *Passes*, `-arith-expand`, and mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from fathom.ir.operation import Operation, Value
from fathom.passes.arithmetic import compare, compare_floats, select
from fathom.rewriting.conversion_rewriter import ConversionRewriter
from fathom.rewriting.pattern import Pattern, RewriteFunction

INTEGERS: Final[Mapping[str, str]] = MappingProxyType({"maxsi": "sgt", "maxui": "ugt", "minsi": "slt", "minui": "ult"})
"""The comparison by which the left of two integers is it."""

FLOATS: Final[Mapping[str, tuple[str, int]]] = MappingProxyType(
    {"maximumf": ("ugt", 1), "minimumf": ("ult", 1), "maxnumf": ("ugt", 0), "minnumf": ("ult", 0)}
)
"""The comparison of floats, which holds if one is no number, so that the left one is taken; and which operand has to be
looked at besides: if that is no number, the right one is taken."""


def _of_integers(predicate: str) -> RewriteFunction:
    def rewrite(op: Operation, operands: list[Value], rewriter: ConversionRewriter) -> None:
        lhs, rhs = operands
        rewriter.replace(op, [select(rewriter, compare(rewriter, predicate, lhs, rhs), lhs, rhs)])

    return rewrite


def _of_floats(predicate: str, checked: int) -> RewriteFunction:
    def rewrite(op: Operation, operands: list[Value], rewriter: ConversionRewriter) -> None:
        lhs, rhs = operands
        chosen = select(rewriter, compare_floats(rewriter, predicate, lhs, rhs), lhs, rhs)
        is_nan = compare_floats(rewriter, "uno", operands[checked], operands[checked])
        rewriter.replace(op, [select(rewriter, is_nan, rhs, chosen)])

    return rewrite


_IN_MLIR: Final = ("MaxNumMinNumFOpConverter", "MaximumMinimumFOpConverter")
"""What MLIR calls the pattern for floats, by the operand that is looked at besides."""
PATTERNS: Final = (
    *(
        Pattern(f"arith.{name}", _of_integers(predicate), name="MaxMinIOpConverter")
        for name, predicate in INTEGERS.items()
    ),
    *(
        Pattern(f"arith.{name}", _of_floats(predicate, checked), name=_IN_MLIR[checked])
        for name, (predicate, checked) in FLOATS.items()
    ),
)
