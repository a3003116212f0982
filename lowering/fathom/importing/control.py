"""Branches and what else ends a block, with the values of phi nodes as arguments of blocks.

Source of the rules: *'llvm' Dialect*, "PHI Nodes and Block Arguments".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.dialects.llvm.attributes import i32_array
from fathom.ir.attributes import UNIT, DenseElementsAttr
from fathom.ir.types import VectorType
from fathom.irdl.build import segment_sizes
from fathom.llvmir import instructions as llvm
from fathom.llvmir.values import ConstantInt

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fathom.importing.body import BodyImport, Handler
    from fathom.ir.attributes import Attribute
    from fathom.ir.operation import Operation, Value


def passed(into: BodyImport, target: llvm.BasicBlock) -> list[Value]:
    """The values of the phi nodes of a block, when it is come to from the block that is imported."""
    values: list[Value] = []
    source = into.source
    for instruction in target.instructions:
        if not isinstance(instruction, llvm.PHINode):
            break
        index = next(index for index, block in enumerate(instruction.blocks) if block is source)
        values.append(into.value(instruction.operands[index]))
    return values


def _phi(into: BodyImport, of: llvm.PHINode) -> None:
    argument = into.block.add_argument(into.types(of.type))
    argument.location = into.location
    into.values[of] = argument


def _return(into: BodyImport, of: llvm.ReturnInst) -> Operation:
    return into.make("llvm.return", [into.value(operand) for operand in of.operands])


def _branch(into: BodyImport, of: llvm.BranchInst) -> Operation:
    arguments = [passed(into, block) for block in of.blocks]
    targets = [into.blocks[block] for block in of.blocks]
    if not of.operands:
        return into.make("llvm.br", arguments[0], successors=targets)
    condition = into.value(of.operands[0])
    sizes = segment_sizes(1, *map(len, arguments))
    operands = [condition, *arguments[0], *arguments[1]]
    return into.make("llvm.cond_br", operands, (), {"operandSegmentSizes": sizes}, targets)


def _switch(into: BodyImport, of: llvm.SwitchInst) -> Operation:
    condition = into.value(of.operands[0])
    default = passed(into, of.default)
    cases = [passed(into, block) for block in of.blocks]
    operands = [condition, *default]
    for case in cases:
        operands += case
    properties: dict[str, Attribute] = {
        "operandSegmentSizes": segment_sizes(1, len(default), len(operands) - 1 - len(default)),
        "case_operand_segments": i32_array(*map(len, cases)),
    }
    numbers = [value.value for value in of.operands[1:] if isinstance(value, ConstantInt)]
    if numbers:
        properties["case_values"] = DenseElementsAttr(tuple(numbers), VectorType((len(numbers),), condition.type))
    targets = [into.blocks[block] for block in (of.default, *of.blocks)]
    return into.make("llvm.switch", operands, (), properties, targets)


def _indirect_branch(into: BodyImport, of: llvm.IndirectBrInst) -> Operation:
    address = into.value(of.operands[0])
    arguments = [passed(into, block) for block in of.blocks]
    operands = [address]
    for each in arguments:
        operands += each
    properties = {"indbr_operand_segments": i32_array(*map(len, arguments))}
    return into.make("llvm.indirectbr", operands, (), properties, [into.blocks[block] for block in of.blocks])


def _landing_pad(into: BodyImport, of: llvm.LandingPadInst) -> Operation:
    clauses = [into.value(operand) for operand in of.operands]
    cleanup: dict[str, Attribute] = {"cleanup": UNIT} if of.is_cleanup else {}
    return into.make("llvm.landingpad", clauses, (into.types(of.type),), cleanup)


def _resume(into: BodyImport, of: llvm.ResumeInst) -> Operation:
    return into.make("llvm.resume", [into.value(of.operands[0])])


def _unreachable(into: BodyImport, of: llvm.UnreachableInst) -> Operation:
    del of
    return into.make("llvm.unreachable", [])


def in_postorder(entry: llvm.BasicBlock) -> list[llvm.BasicBlock]:
    """The blocks that can be reached from a block, each behind those that it goes to first."""
    order: list[llvm.BasicBlock] = []
    met = {entry}
    stack = [(entry, iter(_successors(entry)))]
    while stack:
        block, rest = stack[-1]
        for successor in rest:
            if successor not in met:
                met.add(successor)
                stack.append((successor, iter(_successors(successor))))
                break
        else:
            order.append(block)
            stack.pop()
    return order


def _successors(of: llvm.BasicBlock) -> Sequence[llvm.BasicBlock]:
    """The blocks that a block goes to, in the order in which LLVM numbers them."""
    return of.instructions[-1].successors if of.instructions else ()


CONTROL: Final[dict[type, Handler]] = {
    llvm.PHINode: _phi,
    llvm.ReturnInst: _return,
    llvm.BranchInst: _branch,
    llvm.SwitchInst: _switch,
    llvm.IndirectBrInst: _indirect_branch,
    llvm.LandingPadInst: _landing_pad,
    llvm.ResumeInst: _resume,
    llvm.UnreachableInst: _unreachable,
}
"""What imports the instructions of a class."""
