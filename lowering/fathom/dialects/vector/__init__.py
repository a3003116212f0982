"""The vector dialect: its syntax, checks and inference, beside what its definitions say.

Source of the rules: *'vector' Dialect*, and observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from typing import Final

from fathom.dialects import description_of
from fathom.dialects.arith.attributes import FASTMATH
from fathom.dialects.vector import contractions, elements, masks, transfers
from fathom.dialects.vector.common import count_of, vector
from fathom.dialects.vector.elements import deinterleaved, elements_match, interleaved, is_even
from fathom.ir.attributes import Attribute
from fathom.irdl.cases import word_of
from fathom.irdl.code import DialectCode, OpCode
from fathom.irdl.type_functions import of_each
from fathom.ops.vector import PrintOp, ScalableExtractOp, ScalableInsertOp

NONE, NEWLINE, COMMA, OPEN, CLOSE = range(5)
"""The numbers of punctuation; where nothing is said, there is a new line behind what is printed."""


def punctuation(number: int) -> Attribute:
    """`#vector.punctuation<comma>`."""
    return DESCRIPTION.attributes["PrintPunctuationAttr"].make_attribute(value=number)


def _is_multiple(op: ScalableExtractOp | ScalableInsertOp) -> bool:
    """Whether a position is a multiple of the length of the vector that is taken out or put in."""
    type = vector((op.result if isinstance(op, ScalableExtractOp) else op.valueToStore).type)
    return type is None or not count_of(type) or op.pos.value % count_of(type) == 0


def _prints_well(op: PrintOp) -> bool:
    """Whether what prints a string prints that alone."""
    return op.stringLiteral is None or (not op.operands and word_of(op.punctuation) == "newline")


CODE: Final = DialectCode(
    operations={
        **transfers.CODE,
        **elements.CODE,
        **masks.CODE,
        "contract": contractions.CONTRACT,
        "outerproduct": contractions.OUTER_PRODUCT,
        "vscale": OpCode(result_names=lambda _: ("vscale",)),
    },
    directives={**transfers.DIRECTIVES, "Masked": masks.MASKED},
    attribute_constraints={"FastMathFlagsAttr": FASTMATH},
    relations={
        "position is a multiple of the result length.": _is_multiple,
        "position is a multiple of the source length.": _is_multiple,
        "the trailing dimension of the source vector has an even number of elements": is_even,
        elements.MADE: elements_match,
        "shaped type 'source' matches 'elements' element count and types": elements_match,
        "`source` or `punctuation` are not set when printing strings": _prints_well,
    },
    matches={
        "type of 'result' is double the width of the inputs": of_each(interleaved),
        "the trailing dimension of the results is half the width of source trailing dimension": of_each(deinterleaved),
    },
)
DESCRIPTION: Final = description_of("vector", CODE)
DIALECT: Final = DESCRIPTION.dialect()
VERIFY_PARTS: Final = ("contractions", "elements", "masks", "memory", "shapes", "transfers")
