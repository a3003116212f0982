"""The xegpu dialect, described in `mlir-22/xegpu.toml`: blocks of tensors on GPUs of Intel; its descriptors, and the
lists of offsets in its formats.

Source of the rules: *'xegpu' Dialect*, and observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects import load_described
from fathom.dialects.xegpu import scattered_checks
from fathom.dialects.xegpu.layouts import PARAMETERS
from fathom.dialects.xegpu.types import BODIES, CONSTRAINTS, TYPES, is_shared
from fathom.ir.attributes import DenseArrayAttr
from fathom.irdl.code import DialectCode
from fathom.irdl.definition import CustomDirective
from fathom.irdl.dialect import Dialect
from fathom.irdl.index_lists import mixed, parse_index_list, print_index_list
from fathom.irdl.lazy import Joined
from fathom.records import replace

if TYPE_CHECKING:
    from fathom.ir.operation import Operation
    from fathom.irdl.protocols import OpParser, OpPrinter, ParsedOp


def _parse_offsets(parser: OpParser, parsed: ParsedOp, arguments: Sequence[str]) -> None:
    """`[%a, 4]`, or nothing."""
    operands, numbers = arguments
    parsed.operands[operands] = []
    if parser.at("["):
        parse_index_list(parser, parsed, operands, numbers)


def _print_offsets(op: Operation, p: OpPrinter, arguments: Sequence[str]) -> None:
    operands, numbers = arguments
    value = op.properties.get(numbers)
    if isinstance(value, DenseArrayAttr) and value.values:
        print_index_list(mixed(value, op.all_of(operands)), p)


CODE: Final = DialectCode(
    type_constraints=CONSTRAINTS,
    predicates={"StaticShared1DMemRefOf_1": is_shared(1), "StaticShared2DMemRefOf_1": is_shared(2)},
    relations={"all of {source, mem_desc} have same size in bits": scattered_checks.same_size},
    parameters=PARAMETERS,
    bodies=BODIES,
    directives={
        "OptionalDynamicIndexList": CustomDirective(_parse_offsets, _print_offsets, lambda parser: parser.at("[")),
    },
)


def completed(described: Dialect) -> Dialect:
    """The dialect that a description of it makes, with what code reads."""
    return replace(described, types=Joined(TYPES, described.types))


DIALECT: Final = completed(load_described("xegpu", CODE))
VERIFY_PARTS: Final = ("scattered_checks",)
