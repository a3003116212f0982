"""What MLIR's verifiers say of `transform.smt.constrain_params`: its body says in terms of smt what is asked of
parameters, whose types are those of smt's values.

Source of the rules: *Transform Dialect*, "SMT Transform Extension", and observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.dialects.transform.sequences import body_of, types_of
from fathom.ir.dialect_values import DialectType
from fathom.ir.types import IntegerType
from fathom.irdl.definition import Problem
from fathom.irdl.verifying import Complaint, verifies
from fathom.ops import transform as ops
from fathom.rewriting.pattern import Operations

if TYPE_CHECKING:
    from fathom.ir.operation import Operation
    from fathom.ir.types import Type

_YIELD: Final = Operations("smt.yield")


@verifies("transform.smt.constrain_params")
def constrain_parameters(op: ops.SmtConstrainParamsOp) -> Complaint:
    body = body_of(op)
    last = body.last if body is not None else None
    if body is None or last is None or last not in _YIELD:
        return "expected 'smt.yield' as terminator"
    inside, operands = types_of(body.arguments), types_of(op.operands)
    if len(inside) != len(operands):
        return "must have the same number of block arguments as operands"
    for index, (one, other) in enumerate(zip(inside, operands, strict=True)):
        if (message := _mismatch(f"block arg #{index}", one, "operand", other)) is not None:
            return message
    if any(each.dialect != "smt" for each in body):
        return "ops contained in region should belong to SMT-dialect"
    given, results = types_of(last.operands), types_of(op.results)
    if len(given) != len(results):
        return _of(last, "expected terminator to have as many operands as the parent op has results")
    for index, (one, other) in enumerate(zip(given, results, strict=True)):
        if (message := _mismatch(f"terminator operand #{index}", one, "result", other)) is not None:
            return _of(last, message)
    return None


def _of(op: Operation, message: str) -> Complaint:
    return Problem(f"'{op.name}' op {message}", op, bare=True)


def _mismatch(what: str, type: Type, other: str, parameter: Type) -> str | None:
    """How a value of smt is of another type than the parameter that it stands for."""
    name = type.full_name if isinstance(type, DialectType) else ""
    if name not in ("smt.bool", "smt.int", "smt.bv"):
        return f"the type of {what} is expected to be either a !smt.bool, a !smt.int, or a !smt.bv"
    if not isinstance(type, DialectType) or not isinstance(parameter, DialectType):
        return None
    if parameter.full_name != "transform.param":
        return None
    of = parameter.parameters[0]
    width = of.width if isinstance(of, IntegerType) else None
    though = f"though the corresponding {other} type ('{parameter}') is not wrapping"
    if name == "smt.int":
        return None if width is not None else f"the type of {what} is !smt.int {though} an integer type"
    if name == "smt.bool":
        return None if width == 1 else f"the type of {what} is !smt.bool {though} i1"
    if width == type.parameters[0]:
        return None
    return f"the type of {what} is '{type}' {though} an integer type of the same bitwidth"
