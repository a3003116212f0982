"""The ml_program dialect, what frameworks of machine learning have: described in `mlir-22/ml_program.toml`.

Source of the rules: *'ml_program' Dialect*, and observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects import load_described
from fathom.dialects.func import FUNCTION_SYNTAX, VISIBILITIES
from fathom.ir.attributes import StringAttr
from fathom.irdl.clauses import clause
from fathom.irdl.code import DialectCode, OpCode
from fathom.irdl.definition import CustomDirective, Trait

if TYPE_CHECKING:
    from fathom.ir.operation import Operation
    from fathom.irdl.protocols import OpParser, OpPrinter, ParsedOp


def _parse_visibility(parser: OpParser, parsed: ParsedOp, arguments: Sequence[str]) -> None:
    word = parser.optional_keyword(VISIBILITIES)
    if word is None:
        parser.fail(f"custom op '{parsed.name}' expected 'public', 'private', or 'nested'")
    parsed.attributes[arguments[0]] = StringAttr(word)


def _print_visibility(op: Operation, p: OpPrinter, arguments: Sequence[str]) -> None:
    attribute = op.properties.get(arguments[0])
    p.write(attribute.value if isinstance(attribute, StringAttr) else "public")


def _parse_ordering(parser: OpParser, parsed: ParsedOp, arguments: Sequence[str]) -> None:
    """`ordering(%a, %b -> !ml_program.token)`, `ordering(() -> !ml_program.token)`."""
    consumed, produced = arguments
    if not parser.accept("ordering") or not parser.accept("("):
        return
    if parser.accept("("):
        parser.expect(")")
    else:
        parsed.operands[consumed] = parser.bare_value_list()
    parser.expect("->")
    parsed.types[produced] = [parser.type()]
    parser.expect(")")


def _print_ordering(op: Operation, p: OpPrinter, arguments: Sequence[str]) -> None:
    consumed = op.all_of(arguments[0])
    produced = op.definition.result_groups(op).get(arguments[1], []) if op.definition is not None else []
    if not consumed and not produced:
        return
    p.write(" ordering(")
    p.write("()" if not consumed else "")
    p.values(consumed)
    if produced:
        p.write(" -> ")
        p.type(produced[0].type)
    p.write(")")


CODE: Final = DialectCode(
    operations=dict.fromkeys(("func", "subgraph"), OpCode(custom=FUNCTION_SYNTAX)),
    # The interface says of a function that its body is none, and a subgraph has another trait for that it is one.
    traits={"RegionKindInterface": Trait("RegionKindInterface")},
    directives={
        "SymbolVisibility": CustomDirective(_parse_visibility, _print_visibility),
        "TokenOrdering": CustomDirective(_parse_ordering, _print_ordering),
        "TypedInitialValue": clause("(`(` $1^ `)`)? `:` $0"),
    },
)
DIALECT: Final = load_described("ml_program", CODE)
