"""Clauses that name the arguments of an operation's region, and the region behind them.

    private(@copy %x -> %inside : memref<i32>) reduction(byref @add %sum -> %part : !llvm.ptr) {

They always stand, and their arguments in the block, in the order of `CLAUSES`; an operation has some of them.
Source of the rules: *'omp' Dialect*, "Clauses that define entry block arguments", and observed behaviour of mlir-opt
22.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from fathom.dialects import own_description
from fathom.ir.attributes import UNIT, DenseArrayAttr
from fathom.ir.property_values import elements_property, numbers_property
from fathom.ir.types import I1, I64
from fathom.irdl.cases import case_of, word
from fathom.irdl.composed_directives import CustomDirectiveUse
from fathom.irdl.definition import CustomDirective
from fathom.irdl.keywords import comma_separated, expect_keyword
from fathom.irdl.listed import any_word, array_of, print_list
from fathom.irdl.parametric import Parametric
from fathom.records import record

if TYPE_CHECKING:
    from fathom.ir.operation import BlockArgument, Operation
    from fathom.irdl.protocols import Argument, Node, OpParser, OpPrinter, ParsedOp, Ref


def attribute_named(name: str) -> Parametric:
    """The definition of an attribute of the dialect, by the name that constraints have for it."""
    return own_description("omp").attributes[name]


def definition_for(op_name: str, prop: str) -> Parametric:
    """The definition of the attribute that a property of an operation holds."""
    definition = own_description("omp").operations[op_name].property_map[prop].constraint.definition
    assert definition is not None, f"{op_name} holds an attribute of the dialect as {prop}"
    return definition


@record
class Clause:
    """`keyword(…)`: the group of operands, and the properties that say more of each, or of all, where it has such."""

    keyword: str
    variables: str
    symbols: str = ""
    byref: str = ""
    modifier: str = ""
    barrier: str = ""
    maps: str = ""


def _reduction(keyword: str, modifier: str = "") -> Clause:
    return Clause(keyword, f"{keyword}_vars", f"{keyword}_syms", f"{keyword}_byref", modifier)


CLAUSES: Final = (
    Clause("has_device_addr", "has_device_addr_vars"),
    Clause("host_eval", "host_eval_vars"),
    _reduction("in_reduction"),
    Clause("map_entries", "map_vars"),
    Clause("private", "private_vars", "private_syms", barrier="private_needs_barrier", maps="private_maps"),
    _reduction("reduction", "reduction_mod"),
    _reduction("task_reduction"),
    Clause("use_device_addr", "use_device_addr_vars"),
    Clause("use_device_ptr", "use_device_ptr_vars"),
)


def clauses_of(op: Operation) -> Sequence[str]:
    """What the format of an operation has in its clauses: the arguments of the directive."""
    directives = op.definition.format if op.definition is not None else ()
    return next((d.arguments for d in directives if isinstance(d, CustomDirectiveUse) and d.code is REGION), ())


def arguments_by_clause(op: Operation) -> Iterator[tuple[Clause, Sequence[BlockArgument]]]:
    """The arguments of the entry block that belong to each clause that the operation may have."""
    arguments = op.regions[0].arguments if op.regions else []
    known = clauses_of(op)
    start = 0
    for clause in CLAUSES:
        if clause.variables in known:
            count = len(op.all_of(clause.variables))
            yield clause, arguments[start : start + count]
            start += count


# ---- reading


@record
class _Entry:
    """One operand of a clause, and what stands with it."""

    operand: Ref
    argument: Argument
    byref: bool
    symbol: Node | None
    map_index: int


def _parse(parser: OpParser, parsed: ParsedOp, arguments: Sequence[str]) -> None:
    inside: list[Argument] = []
    for clause in CLAUSES:
        if not parser.accept(clause.keyword):
            continue
        wrong = f"custom op '{parsed.name}' invalid `{clause.keyword}` format"
        if clause.variables not in arguments:
            parser.fail(wrong)
        if not parser.part(lambda clause=clause: _parse_clause(parser, parsed, arguments, clause, inside), wrong):
            parser.fail(wrong)
    parser.region(parsed, inside)


def _parse_clause(
    parser: OpParser, parsed: ParsedOp, properties: Sequence[str], clause: Clause, inside: list[Argument]
) -> bool:
    """Reads what stands in the parentheses of a clause; false where it is wrong in a way that MLIR says nothing of."""
    parser.expect("(")
    if clause.modifier in properties and parser.accept("mod"):
        parser.expect(":")
        modifier = case_of(attribute_named("ReductionModifierAttr"), any_word(parser, parsed))
        parser.expect(",")
        if modifier is None:
            return False
        parsed.attributes[clause.modifier] = modifier
    entries = comma_separated(parser, lambda: _parse_entry(parser, parsed, properties, clause))
    parser.expect(":")
    types = comma_separated(parser, parser.type)
    if len(types) != len(entries):
        return False
    parser.expect(")")
    if clause.barrier in properties and parser.accept("private_barrier"):
        parsed.attributes[clause.barrier] = UNIT
    for entry, type in zip(entries, types, strict=True):
        entry.argument.type = type
        inside.append(entry.argument)
    parsed.operands[clause.variables] = [entry.operand for entry in entries]
    parsed.types[clause.variables] = types
    if clause.symbols:
        parsed.attributes[clause.symbols] = array_of(parser, [entry.symbol for entry in entries if entry.symbol])
    if clause.byref:
        parsed.attributes[clause.byref] = DenseArrayAttr(I1, tuple(int(entry.byref) for entry in entries))
    if clause.maps in properties:
        parsed.attributes[clause.maps] = DenseArrayAttr(I64, tuple(entry.map_index for entry in entries))
    return True


def _parse_entry(parser: OpParser, parsed: ParsedOp, properties: Sequence[str], clause: Clause) -> _Entry:
    """`byref @add %x -> %inside [map_idx=0]`."""
    byref = bool(clause.byref) and parser.accept("byref")
    symbol = parser.attribute() if clause.symbols else None
    operand = parser.value_use()
    parser.expect("->")
    argument = parser.argument(allow_type=False, allow_attributes=False)
    map_index = -1
    if clause.maps in properties and parser.accept("["):
        expect_keyword(parser, parsed, "map_idx")
        parser.expect("=")
        map_index = parser.integer_literal()
        parser.expect("]")
    return _Entry(operand, argument, byref, symbol, map_index)


# ---- writing


def _print(op: Operation, p: OpPrinter, arguments: Sequence[str]) -> None:
    del arguments
    for clause, inside in arguments_by_clause(op):
        if inside:
            _print_clause(op, p, clause, inside)
    p.region(op.regions[0], entry_arguments=False)


def _print_clause(op: Operation, p: OpPrinter, clause: Clause, inside: Sequence[BlockArgument]) -> None:
    operands = op.all_of(clause.variables)
    symbols = elements_property(op, clause.symbols)
    byref, maps = numbers_property(op, clause.byref), numbers_property(op, clause.maps)

    def write(index: int) -> None:
        p.write("byref " if index < len(byref) and byref[index] else "")
        if index < len(symbols):
            p.attribute(symbols[index])
            p.write(" ")
        p.value(operands[index])
        p.write(" -> ")
        p.value(inside[index])
        if index < len(maps) and maps[index] != -1:
            p.write(f" [map_idx={maps[index]}]")

    p.write(f"{clause.keyword}(")
    if clause.modifier in op.properties:
        p.write(f"mod: {word(op, clause.modifier)}, ")
    print_list(p, range(min(len(operands), len(inside))), write)
    p.write(" : ")
    p.types([operand.type for operand in operands])
    p.write(") ")
    if clause.barrier in op.properties:
        p.write("private_barrier ")


REGION: Final = CustomDirective(_parse, _print, lambda parser: parser.at_region())
"""The region of an operation with the clauses that name its arguments."""
NAMES: Final = (
    "InReductionPrivateReductionRegion",
    "InReductionPrivateRegion",
    "PrivateReductionRegion",
    "PrivateRegion",
    "TargetOpRegion",
    "TaskReductionRegion",
    "UseDeviceAddrUseDevicePtrRegion",
)
"""What the directive is called, according to the clauses."""
