"""The vector dialect: its syntax, checks and inference, beside what its definitions say.

Source of the rules: *'vector' Dialect*, and observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from fathom.dialects import description_of
from fathom.dialects.arith.attributes import FASTMATH
from fathom.dialects.vector import contractions, elements, masks, transfers
from fathom.dialects.vector.common import count_of, vector
from fathom.dialects.vector.elements import deinterleaved, elements_match, interleaved, is_even
from fathom.ir.attributes import Attribute, IntegerAttr
from fathom.ir.dialect_values import DialectAttr
from fathom.irdl.code import DialectCode, OpCode
from fathom.irdl.type_functions import each

if TYPE_CHECKING:
    from fathom.ir.operation import Operation

NONE, NEWLINE, COMMA, OPEN, CLOSE = range(5)
"""The numbers of punctuation; where nothing is said, there is a new line behind what is printed."""


def punctuation(number: int) -> Attribute:
    """`#vector.punctuation<comma>`."""
    made = DESCRIPTION.attributes["PrintPunctuationAttr"].make(value=number)
    assert isinstance(made, Attribute), "it describes an attribute"
    return made


def _iterator(number: int) -> Attribute:
    made = DESCRIPTION.attributes["IteratorTypeAttr"].make(value=number)
    assert isinstance(made, Attribute), "it describes an attribute"
    return made


def _is_multiple(name: str) -> Callable[[Operation], bool]:
    """Whether a position is a multiple of the length of the vector in the group `name`."""

    def holds(op: Operation) -> bool:
        type = vector(op.results[0].type if name == "result" else op.one_of(name).type)
        position = op.properties.get("pos")
        if type is None or not isinstance(position, IntegerAttr) or not count_of(type):
            return True
        return position.value % count_of(type) == 0

    return holds


def _prints_well(op: Operation) -> bool:
    """Whether what prints a string prints that alone."""
    if "stringLiteral" not in op.properties:
        return True
    punctuation = op.properties.get("punctuation")
    number = punctuation.parameters[0] if isinstance(punctuation, DialectAttr) else NEWLINE
    return not op.operands and number == NEWLINE


CODE: Final = DialectCode(
    operations={
        **transfers.CODE,
        **elements.CODE,
        **masks.CODE,
        "contract": contractions.contract(_iterator),
        "outerproduct": contractions.OUTER_PRODUCT,
        "vscale": OpCode(result_names=lambda _: ("vscale",)),
    },
    attribute_constraints={"FastMathFlagsAttr": FASTMATH},
    relations={
        "position is a multiple of the result length.": _is_multiple("result"),
        "position is a multiple of the source length.": _is_multiple("valueToStore"),
        "the trailing dimension of the source vector has an even number of elements": is_even,
        elements.MADE: lambda op: elements_match("dest", op),
        "shaped type 'source' matches 'elements' element count and types": lambda op: elements_match("source", op),
        "`source` or `punctuation` are not set when printing strings": _prints_well,
    },
    matches={
        "type of 'result' is double the width of the inputs": each(interleaved),
        "the trailing dimension of the results is half the width of source trailing dimension": each(deinterleaved),
    },
)
DESCRIPTION: Final = description_of("vector", CODE)
DIALECT: Final = DESCRIPTION.dialect()
