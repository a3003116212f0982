"""Shifts of wide integers. The number of bits is less than their width, so its high half says nothing.

Source of the rules: the behaviour of mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fathom.passes.arithmetic import binary, compare, select
from fathom.passes.wide_integers.halves import HIGH, LOW
from fathom.rewriting.pattern import named

if TYPE_CHECKING:
    from fathom.ir.operation import Operation, Value
    from fathom.ops.arith import ShrsiOp
    from fathom.passes.wide_integers.halves import Halves


@named("ConvertShLI")
def shift_left(op: Operation, operands: Sequence[Value], halves: Halves) -> Value:
    """
    By `n` bits, of halves of `w` bits:

        low  = n >= w ? 0 : low << n
        high = (n >= w ? low << (n - w) : low >> (w - n)) | (n >= w ? 0 : high << n)
    """
    rewriter = halves.rewriter
    low, high = halves.split(operands[0])
    amount = halves.part(operands[1], LOW)
    zero, width = halves.number(0), halves.number(halves.width)
    is_beyond = compare(rewriter, "uge", amount, width)
    new_low = select(rewriter, is_beyond, zero, binary(rewriter, "shli", low, amount))
    down = binary(rewriter, "subi", width, select(rewriter, is_beyond, width, amount))
    moved_down = binary(rewriter, "shrui", low, down)
    moved_up = binary(rewriter, "shli", low, binary(rewriter, "subi", amount, width))
    kept = select(rewriter, is_beyond, zero, binary(rewriter, "shli", high, amount))
    crossed = select(rewriter, is_beyond, moved_up, moved_down)
    return halves.join(new_low, binary(rewriter, "ori", crossed, kept))


@named("ConvertShRUI")
def shift_right(op: Operation, operands: Sequence[Value], halves: Halves) -> Value:
    """
    Zeros come in; by `n` bits, of halves of `w` bits:

        low  = (n >= w ? 0 : low >> n) | (n >= w ? high >> (n - w) : high << (w - n))
        high = n >= w ? 0 : high >> n
    """
    rewriter = halves.rewriter
    low, high = halves.split(operands[0])
    amount = halves.part(operands[1], LOW)
    zero, width = halves.number(0), halves.number(halves.width)
    is_beyond = compare(rewriter, "uge", amount, width)
    kept = select(rewriter, is_beyond, zero, binary(rewriter, "shrui", low, amount))
    new_high = select(rewriter, is_beyond, zero, binary(rewriter, "shrui", high, amount))
    up = binary(rewriter, "subi", width, select(rewriter, is_beyond, width, amount))
    moved_up = binary(rewriter, "shli", high, up)
    moved_down = binary(rewriter, "shrui", high, binary(rewriter, "subi", amount, width))
    crossed = select(rewriter, is_beyond, moved_down, moved_up)
    return halves.join(binary(rewriter, "ori", kept, crossed), new_high)


@named("ConvertShRSI")
def shift_right_signed(op: ShrsiOp, operands: Sequence[Value], halves: Halves) -> Value:
    """
    The sign comes in: a shift by zeros, and the sign shifted up to where they are. Both are of wide integers still;
    of a shift by 0 the value is chosen, since the sign would be shifted by all of the width.
    """
    rewriter = halves.rewriter
    high = halves.part(operands[0], HIGH)
    amount = halves.part(operands[1], LOW)
    zero = halves.number(0)
    is_negative = halves.without_unit(compare(rewriter, "slt", high, zero))
    sign = rewriter.create("arith.extsi", [is_negative], [halves.wide]).result
    # In so few bits as to have none for twice their number it is 0, as it is modulo the shift.
    bits = halves.without_unit(binary(rewriter, "subi", halves.number(2 * halves.width), amount))
    signs = binary(rewriter, "shli", sign, rewriter.create("arith.extui", [bits], [halves.wide]).result)
    shifted = binary(rewriter, "ori", binary(rewriter, "shrui", op.lhs, op.rhs), signs)
    is_none = halves.without_unit(compare(rewriter, "eq", amount, zero))
    return select(rewriter, is_none, op.lhs, shifted)
