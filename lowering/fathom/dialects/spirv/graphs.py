"""Graphs of tensors, as the extension `SPV_ARM_graph` has them.

Source of the rules: *'spirv' Dialect*; the texts of errors are those of MLIR 22's parsers and verifiers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.dialects.func.callees import function_type
from fathom.dialects.func.signatures import entry_arguments, parse_rest, print_body, print_signature, resolve_signature
from fathom.dialects.spirv.functions import entry_problems, parse_entered, print_entered, resolve_entered
from fathom.dialects.spirv.types import TensorArmType
from fathom.ir.traversal import closest
from fathom.ir.types import FunctionType, UnknownType
from fathom.irdl.checking import bare
from fathom.irdl.code import OpCode
from fathom.irdl.definition import CustomSyntax
from fathom.irdl.interfaces import FunctionLike, symbol_name
from fathom.irdl.verifying import Complaint, verifies
from fathom.ops import spirv as ops
from fathom.records import record

if TYPE_CHECKING:
    from fathom.ir.operation import Operation
    from fathom.irdl.protocols import OpParser, OpPrinter, ParsedOp, Resolver
    from fathom.irdl.verifying import Complaint


@record
class GraphType(FunctionType):
    """The type of a graph, which is written as that of a function is."""


# ---- spirv.ARM.Graph


def _parse_graph(parser: OpParser, parsed: ParsedOp) -> None:
    """`@f(%a: !spirv.arm.tensor<4xf32>) -> !spirv.arm.tensor<4xf32> attributes {…} {…}`."""
    parsed.attributes["sym_name"] = parser.symbol_attribute()
    parser.signature(parsed)
    parse_rest(parser, parsed)


def _resolve_graph(resolver: Resolver, parsed: ParsedOp, _: None) -> None:
    resolve_signature(resolver, parsed, GraphType)


def _print_graph(op: ops.ARMGraphOp, p: OpPrinter) -> None:
    p.write(" ")
    p.symbol(symbol_name(op))
    print_signature(op, p, entry_arguments(op))
    p.attributes_but(op, ("sym_name", "function_type", "arg_attrs", "res_attrs"), keyword=True)
    print_body(op, p)


def _type_problem(op: Operation) -> str | None:
    return None if function_type(op).results else "there should be at least one result"


@verifies("spirv.ARM.Graph")
def _graph(op: ops.ARMGraphOp) -> Complaint:
    type = function_type(op)
    for noun, types in (("argument", type.inputs), ("result", type.results)):
        for index, each in enumerate(types):
            if not isinstance(each, (TensorArmType, UnknownType)):
                return f"type of {noun} #{index} must be a TensorArmType, but got '{each}'"
    return entry_problems(op, "graph")


@verifies("spirv.ARM.GraphOutputs")
def _outputs(op: ops.ARMGraphOutputsOp) -> Complaint:
    graph = closest(op, ops.ARMGraphOp)
    if graph is None:
        return None
    wanted, given = function_type(graph).results, [value.type for value in op.operands]
    if len(wanted) != len(given):
        requires = f"but enclosing spirv.ARM.Graph requires {len(wanted)} result(s)"
        return f"is returning {len(given)} value(s) {requires}"
    for index, (type, expected) in enumerate(zip(given, wanted, strict=False)):
        if type != expected:
            return bare(f"type of return operand {index} ('{type}') doesn't match graph result type ('{expected}')")
    return None


# ---- spirv.ARM.GraphEntryPoint


def _print_entry_point(op: ops.ARMGraphEntryPointOp, p: OpPrinter) -> None:
    p.write(" ")
    print_entered(op, p)


CODE: Final = {
    "ARM.Graph": OpCode(
        custom=CustomSyntax(_parse_graph, _print_graph, _resolve_graph),
        interfaces=(FunctionLike(type_problem=_type_problem),),
    ),
    "ARM.GraphEntryPoint": OpCode(custom=CustomSyntax(parse_entered, _print_entry_point, resolve_entered)),
}
