"""The LLVM dialect's terminators, calls that may unwind and the places where unwinding arrives.

Source of the rules: *'llvm' Dialect*, "Operations"; the meaning is that of the instruction of the same name in LLVM IR.
"""

from __future__ import annotations

from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Final

from fathom.dialects.cf.switches import BRANCH_BY_CASE, case_value, case_values, dense_cases, edges_of, verify_branch
from fathom.dialects.cf.verify import verify_weighted_branch, weights_problem
from fathom.dialects.llvm.attributes import i32_array
from fathom.dialects.llvm.calls import (
    argument_types,
)
from fathom.dialects.llvm.intrinsics import verify_bundles
from fathom.dialects.llvm.types import LLVMArrayType, LLVMFunctionType
from fathom.dialects.llvm.verify import variadic_problem
from fathom.ir.attributes import DenseElementsAttr
from fathom.ir.operation import Value
from fathom.ir.property_values import type_property
from fathom.ir.traversal import closest
from fathom.ir.types import I1
from fathom.irdl.checking import bare
from fathom.irdl.clauses import two_way
from fathom.irdl.code import OpCode
from fathom.irdl.definition import CustomDirective, Problem
from fathom.irdl.interfaces import TRUE_OR_FALSE, Branch, branch_by_groups, replace_ranges
from fathom.irdl.listed import typed, typed_value
from fathom.irdl.verifying import Checks, Complaint, verifies
from fathom.ops import llvm as ops

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from fathom.ir.attributes import Attribute
    from fathom.ir.types import Type
    from fathom.irdl.protocols import OpParser, OpPrinter, ParsedOp


@verifies("llvm.return")
def _verify_return(op: ops.ReturnOp) -> Complaint:
    parent = op.parent_op
    if not isinstance(parent, ops.FuncOp):
        return None
    type = type_property(parent, "function_type")
    if not isinstance(type, LLVMFunctionType):
        return None
    given = [value.type for value in op.operands]
    if given == list(type.results):
        return None
    expected = "expected 1 operand" if type.results else "expected no operands"
    message = "mismatching result types" if len(given) == len(type.results) else expected
    return Problem(message, notes=(("when returning from function", parent),))


# ---- switch


def _parse_targets(
    cursor: OpParser, parsed: ParsedOp, group: str, sizes: str, label: Callable[[], None] | None = None
) -> None:
    """`[^bb1(%a : i32), ^bb2]`, each behind a label if there are such, into a group of groups of operands."""
    first = len(parsed.successors)
    cursor.expect("[")
    while len(parsed.successors) > first or not cursor.at("]"):
        if label is not None:
            label()
        cursor.successor(parsed)
        if not cursor.accept(","):
            break
    cursor.expect("]")
    targets = parsed.successors[first:]
    parsed.operands[group] = [value for target in targets for value in target.operands]
    parsed.types[group] = [type for target in targets for type in target.types]
    parsed.attributes[sizes] = i32_array(*(len(target.operands) for target in targets))
    for target in targets:
        target.operands, target.types = [], []


def _parse_cases(cursor: OpParser, parsed: ParsedOp, arguments: Sequence[str]) -> None:
    values, group, sizes = arguments
    numbers: list[int] = []

    def label() -> None:
        numbers.append(cursor.integer_literal(f"custom op '{parsed.name}' expected integer value"))
        cursor.expect(":")

    def cases(flag: Type) -> Attribute:
        return dense_cases([case_value(number, flag) for number in numbers], flag)

    _parse_targets(cursor, parsed, group, sizes, label)
    (node,) = parsed.types["value"]
    if numbers:
        parsed.attributes[values] = cursor.composed_attribute(lambda type, _: cases(type(node)))


def _print_cases(op: ops.SwitchOp, p: OpPrinter, arguments: Sequence[str]) -> None:
    p.write("[")
    cases = list(zip(case_values(op), edges_of(op)[1:], strict=False))
    for position, (number, edge) in enumerate(cases, start=1):
        p.newline()
        # As a signed number, the set bit is -1.
        p.write(f"  {-number if op.value.type == I1 else number}: ")
        p.successor(edge.target, edge.passed)
        p.write("," if position < len(cases) else "")
    p.newline()
    p.write("]")


@verifies("llvm.switch")
def _verify_switch(op: ops.SwitchOp) -> Complaint:
    values = op.case_values
    count = len(op.successors) - 1
    if values is None:
        return "expects number of case values to match number of case destinations" if count else None
    if isinstance(values, DenseElementsAttr) and values.type.ranked_shape[0] != count:
        return "expects number of case values to match number of case destinations"
    if (problem := weights_problem(op)) is not None:
        return problem
    if isinstance(values, DenseElementsAttr) and values.type.element != op.value.type:
        return bare("expects case value type to match condition value type")
    return verify_branch(op)


# ---- indirectbr


def _print_targets(op: ops.IndirectbrOp, p: OpPrinter, arguments: Sequence[str]) -> None:
    p.write("[")
    for position, edge in enumerate(edges_of(op)):
        p.write("," if position else "")
        p.newline()
        p.successor(edge.target, edge.passed)
    if op.successors:
        p.newline()
    p.write("]")


def _indirect_ranges(op: ops.IndirectbrOp) -> list[range]:
    ends = [*accumulate(op.indbr_operand_segments.values, initial=1)]
    return [range(start, end) for start, end in pairwise(ends)]


def _change_indirect(op: ops.IndirectbrOp, passed: Mapping[int, Sequence[Value]]) -> None:
    ranges = _indirect_ranges(op)
    replace_ranges(op, [(ranges[index], operands) for index, operands in sorted(passed.items())])
    sizes = [len(passed.get(index, values)) for index, values in enumerate(ranges)]
    op.properties["indbr_operand_segments"] = i32_array(*sizes)


# ---- llvm.invoke


@verifies("llvm.invoke")
def _verify_invoke(op: ops.InvokeOp) -> Complaint:
    if problems := verify_branch(op):
        return problems
    if (problem := variadic_problem(op, argument_types(op))) is not None:
        return problem
    unwind = op.unwindDest
    if unwind.first is None:
        return bare("must have at least one operation in unwind destination")
    if not isinstance(unwind.first, ops.LandingpadOp):
        return bare("first operation in unwind destination should be a llvm.landingpad operation")
    if (problem := weights_problem(op)) is not None:
        return problem
    return verify_bundles(op)


# ---- llvm.landingpad


def _parse_clauses(cursor: OpParser, parsed: ParsedOp, arguments: Sequence[str]) -> None:
    """`(catch %a : !llvm.ptr) (filter %b : !llvm.array<1 x i8>)`."""
    parsed.operands[arguments[0]], parsed.types[arguments[0]] = [], []
    while cursor.accept("("):
        cursor.keyword(("filter", "catch"))
        typed_value(cursor, parsed, arguments[0])
        cursor.expect(")")


def _print_clauses(op: ops.LandingpadOp, p: OpPrinter, _: Sequence[str]) -> None:
    for clause in op.operands:
        p.write(" (filter " if isinstance(clause.type, LLVMArrayType) else " (catch ")
        typed(p, clause)
        p.write(")")


@verifies("llvm.landingpad")
def _verify_landingpad(op: ops.LandingpadOp) -> Complaint:
    function = closest(op, ops.FuncOp)
    if function is not None and "personality" not in function.properties:
        return bare("llvm.landingpad needs to be in a function with a personality")
    if op.cleanup is None and not op.operands:
        return bare("landingpad instruction expects at least one clause or cleanup attribute")
    for index, clause in enumerate(op.operands):
        source = clause.defining_op
        if isinstance(clause.type, LLVMArrayType) or isinstance(source, (ops.MlirZeroOp, ops.MlirAddressofOp)):
            continue
        if isinstance(source, ops.BitcastOp):
            if isinstance(source.arg.defining_op, ops.MlirAddressofOp):
                continue
            note = "global addresses expected as operand to bitcast used in clauses for landingpad"
            return Problem("constant clauses expected", bare=True, notes=((note, source),))
        return bare(f"clause #{index} is not a known constant - null, addressof, bitcast")
    return None


DIRECTIVES: Final = {
    "Cases": CustomDirective(_parse_cases, _print_cases),
    "Clauses": CustomDirective(_parse_clauses, _print_clauses, spaced=True),
    "Targets": CustomDirective(
        lambda parser, parsed, names: _parse_targets(parser, parsed, names[0], names[1]), _print_targets
    ),
}


VERIFY: Final[Checks] = {
    "llvm.br": verify_branch,
    "llvm.cond_br": verify_weighted_branch,
    "llvm.indirectbr": verify_branch,
}


CODE: Final = {
    "br": OpCode(interfaces=(branch_by_groups("destOperands"),)),
    "cond_br": OpCode(interfaces=(branch_by_groups("trueDestOperands", "falseDestOperands", ways=TRUE_OR_FALSE),)),
    "switch": OpCode(
        interfaces=(BRANCH_BY_CASE,),
        custom=two_way(
            "$value `:` type($value) `,` "
            "$defaultDestination (`(` $defaultOperands^ `:` type($defaultOperands) `)`)? "
            "custom<Cases>($case_values, $caseOperands, $case_operand_segments) attr-dict"
        ),
    ),
    "indirectbr": OpCode(
        interfaces=(Branch(_indirect_ranges, _change_indirect),),
        custom=two_way("$addr `:` type($addr) `,` custom<Targets>($succOperands, $indbr_operand_segments) attr-dict"),
    ),
    "landingpad": OpCode(
        custom=two_way(
            "(`cleanup` $cleanup^)? custom<Clauses>($clauses, type($clauses)) ` ` attr-dict `` `:` type($res)"
        )
    ),
}
