"""Structured control flow of SPIR-V and its conditional branch.

Source of the rules: *'spirv' Dialect*; the texts of errors are those of MLIR 22's parsers and verifiers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects.cf.switches import BRANCH_BY_CASE, case_count, case_values, switch_syntax, verify_branch
from fathom.dialects.func.callees import function_type
from fathom.dialects.spirv.words import attribute_of, parse_word, spelling
from fathom.ir.attributes import ArrayAttr, DenseElementsAttr, IntegerAttr, TypeAttr
from fathom.ir.traversal import closest
from fathom.ir.types import I32, FunctionType
from fathom.irdl.checking import all_of
from fathom.irdl.clauses import two_way
from fathom.irdl.code import OpCode
from fathom.irdl.definition import CustomDirective, CustomSyntax
from fathom.irdl.interfaces import TRUE_OR_FALSE, branch_by_groups
from fathom.irdl.verifying import Checks, Complaint, verifies
from fathom.ops import spirv as ops
from fathom.records import replace

if TYPE_CHECKING:
    from fathom.ir.operation import Operation
    from fathom.irdl.protocols import OpParser, OpPrinter, ParsedOp
    from fathom.irdl.symbols import Lookup


def _parse_control(parser: OpParser, parsed: ParsedOp, arguments: Sequence[str]) -> None:
    """`control(Unroll)`, or nothing."""
    name, enumeration = arguments
    number = 0
    if parser.accept("control"):
        parser.expect("(")
        number = parse_word(parser, parsed.name, enumeration, name)
        parser.expect(")")
    parsed.attributes[name] = attribute_of(enumeration, number)


def _print_control(op: Operation, p: OpPrinter, arguments: Sequence[str]) -> None:
    control = spelling(op, *arguments)
    p.write(f" control({control})" if control != "None" else "")


def _structured(form: str) -> CustomSyntax[None]:
    return two_way(f"custom<Control>({form}) (`->` type($results)^)? custom<Unlabelled>($body)")


# ---- spirv.BranchConditional


def _parse_weights(parser: OpParser, parsed: ParsedOp, arguments: Sequence[str]) -> None:
    """`[5, 10]`, or nothing."""
    if parser.accept("["):
        nodes = [parser.attribute(I32)]
        parser.expect(",")
        nodes.append(parser.attribute(I32))
        parser.expect("]")
        parsed.attributes[arguments[0]] = parser.composed_attribute(
            lambda _, attribute: ArrayAttr(tuple(attribute(node, I32) for node in nodes))
        )


def _print_weights(op: ops.BranchConditionalOp, p: OpPrinter, arguments: Sequence[str]) -> None:
    if op.branch_weights is not None:
        listed = [str(element.value) for element in op.branch_weights.elements if isinstance(element, IntegerAttr)]
        p.write(f" [{', '.join(listed)}]")


def _weights(op: ops.BranchConditionalOp) -> Complaint:
    weights = op.branch_weights
    if weights is None:
        return None
    if len(weights.elements) != 2:
        return "must have exactly two branch weights"
    if all(isinstance(element, IntegerAttr) and not element.value for element in weights.elements):
        return "branch weights cannot both be zero"
    return None


def _successors(op: ops.BranchConditionalOp | ops.SwitchOp) -> Complaint:
    return verify_branch(op)


# ---- spirv.Switch


def _switch(op: ops.SwitchOp) -> Complaint:
    literals, selector, targets = op.literals, op.selector.type, op.successors[1:]
    if not isinstance(literals, DenseElementsAttr):
        return None
    if literals.type.element != selector:
        return f"'selector' type ('{selector}') should match literals type ('{literals.type.element}')"
    count = case_count(literals)
    if count != len(targets):
        return f"number of literals ({count}) should match number of targets ({len(targets)})"
    return None


# ---- the blocks of structured control flow


def _merges(op: ops.MlirLoopOp | ops.MlirSelectionOp) -> Complaint:
    """Of the last block, which alone merges."""
    region = op.body
    if region.last is None:
        return None
    only = region.last.first
    if only is None or only is not region.last.last or only.name != _MERGE:
        return f"last block must be the merge block with only one '{_MERGE}' op"
    if any(op.name == _MERGE for block in region.blocks if block is not region.last for op in block):
        return f"should not have '{_MERGE}' op outside the merge block"
    return None


def _selection(op: ops.MlirSelectionOp) -> Complaint:
    if op.body.has_one_block:
        return "must have a selection header block"
    return None


def _loop(op: ops.MlirLoopOp) -> Complaint:
    """Of the blocks, which are: entry, header, those of the body, continue, merge."""
    blocks = list(op.body.blocks)
    if not blocks:
        return None
    if len(blocks) < 2:
        return "must have an entry block branching to the loop header block"
    if len(blocks) < 3:
        return "must have a loop header block branched from the entry block"
    header, only = blocks[1], blocks[0].first
    is_branch = only is not None and only is blocks[0].last and isinstance(only, ops.BranchOp)
    if only is None or not is_branch or only.successors[:1] != [header]:
        return "entry block must only have one 'spirv.Branch' op to the second block"
    if len(blocks) < 4:
        return "requires a loop continue block branching to the loop header block"
    if header not in blocks[-2].successors:
        return "second to last block must be the loop continue block that branches to the loop header block"
    if any(header in block.successors for block in blocks[2:-2]):
        return "can only have the entry and loop continue block branching to the loop header block"
    return None


_MERGE: Final = "spirv.mlir.merge"


@verifies("spirv.Unreachable")
def _unreachable(op: ops.UnreachableOp) -> Complaint:
    if op.parent is not None and op.parent.is_entry:
        return "cannot be used in reachable block"
    return None


# ---- calls and returns


@verifies("spirv.FunctionCall")
def _call(op: ops.FunctionCallOp) -> Complaint:
    if len(op.results) > 1:
        return f"expected callee function to have 0 or 1 result, but provided {len(op.results)}"
    return None


@verifies("spirv.FunctionCall", symbols=True)
def _callee(op: ops.FunctionCallOp, lookup: Lookup) -> Complaint:
    name = op.callee.root
    function = lookup(name)
    if not isinstance(function, ops.FuncOp):
        return f"callee function '{name}' not found in nearest symbol table"
    if not isinstance(function.properties.get("function_type"), TypeAttr):
        return None  # That is said of the function.
    return _call_problem(op, function_type(function))


def _call_problem(op: ops.FunctionCallOp, type: FunctionType) -> Complaint:
    given, results = [value.type for value in op.operands], [value.type for value in op.results]
    if len(given) != len(type.inputs):
        callee = f"for callee: expected {len(type.inputs)}, but provided {len(given)}"
        return f"has incorrect number of operands {callee}"
    for index, (given_type, expected) in enumerate(zip(given, type.inputs, strict=False)):
        if given_type != expected:
            mismatch = f"operand type mismatch: expected operand type '{expected}', but provided '{given_type}'"
            return f"{mismatch} for operand number {index}"
    if len(results) != len(type.results):
        callee = f"for callee: expected {len(type.results)}, but provided {len(results)}"
        return f"has incorrect number of results has {callee}"
    elif results and results[0] != type.results[0]:
        return f"result type mismatch: expected '{type.results[0]}', but provided '{results[0]}'"
    return None


@verifies("spirv.Return")
def _return(op: ops.ReturnOp) -> Complaint:
    function = _function_around(op)
    if function is not None and function_type(function).results:
        return "cannot be used in functions returning value"
    return None


@verifies("spirv.ReturnValue")
def _return_value(op: ops.ReturnValueOp) -> Complaint:
    function = _function_around(op)
    if function is None:
        return None
    results, given = function_type(function).results, op.value.type
    if len(results) != 1:
        return f"returns 1 value but enclosing function requires {len(results)} results"
    elif given != results[0]:
        return f" return value's type ('{given}') mismatch with function's result type ('{results[0]}')"
    return None


def _function_around(op: Operation) -> Operation | None:
    """The function that an operation stands in, if it has a type."""
    around = closest(op, ops.FuncOp)
    return around if around is not None and isinstance(around.properties.get("function_type"), TypeAttr) else None


DIRECTIVES: Final = {
    "Control": CustomDirective(_parse_control, _print_control, lambda parser: parser.at("control"), spaced=True),
    "Weights": CustomDirective(_parse_weights, _print_weights, lambda parser: parser.at("["), spaced=True),
}


def _ways(op: ops.SwitchOp) -> tuple[str, ...]:
    return "default", *map(str, case_values(op, "literals"))


CODE: Final = {
    "Branch": OpCode(interfaces=(branch_by_groups("targetOperands"),)),
    "BranchConditional": OpCode(
        custom=two_way(
            "$condition custom<Weights>($branch_weights) "
            "`,` $trueTarget (`(` $trueTargetOperands^ `:` type($trueTargetOperands) `)`)? "
            "`,` $falseTarget (`(` $falseTargetOperands^ `:` type($falseTargetOperands) `)`)?"
        ),
        interfaces=(branch_by_groups("trueTargetOperands", "falseTargetOperands", ways=TRUE_OR_FALSE),),
    ),
    "Switch": OpCode(custom=switch_syntax("selector", "literals"), interfaces=(replace(BRANCH_BY_CASE, ways=_ways),)),
    "mlir.loop": OpCode(custom=_structured('$loop_control, "LoopControl"')),
    "mlir.selection": OpCode(custom=_structured('$selection_control, "SelectionControl"')),
}


VERIFY: Final[Checks] = {
    "spirv.Branch": verify_branch,
    "spirv.BranchConditional": all_of(_successors, _weights),
    "spirv.Switch": all_of(_successors, _switch),
}


VERIFY_REGIONS: Final[Checks] = {
    "spirv.mlir.loop": all_of(_merges, _loop),
    "spirv.mlir.selection": all_of(_merges, _selection),
}
