"""What is wrong with an operation that IRDL defines, in the words and the order of MLIR 22."""

from __future__ import annotations

from collections.abc import Sequence

from fathom.dialects.irdl.constraints import Constraint, Variables
from fathom.ir.attributes import DenseArrayAttr, TypeAttr
from fathom.ir.operation import Operation, Region
from fathom.ir.types import IntegerType
from fathom.irdl.checking import bare
from fathom.irdl.definition import Problem
from fathom.records import record


@record
class Values:
    """The operands, or the results: for each its variable, and how many values it may stand for."""

    variables: tuple[int, ...] = ()
    kinds: tuple[str, ...] = ()


@record
class RegionRule:
    """What a region is to be: the variables of its arguments and the number of its blocks, where they are given."""

    arguments: tuple[int, ...] | None
    blocks: int | None


@record
class OperationRules:
    """What an `irdl.operation` says."""

    constraints: tuple[Constraint, ...]
    operands: Values = Values()
    results: Values = Values()
    attributes: tuple[tuple[str, int], ...] = ()
    regions: tuple[RegionRule, ...] = ()

    def verify(self, op: Operation) -> Problem | None:
        """What is wrong with the values of an operation, or else with its regions."""
        variables = Variables(self.constraints)
        return self._of_values(op, variables) or self._of_regions(op, variables)

    def _of_values(self, op: Operation, variables: Variables) -> Problem | None:
        operands = _sizes(op, "operand", len(op.operands), self.operands.kinds)
        if isinstance(operands, str):
            return bare(operands)
        results = _sizes(op, "result", len(op.results), self.results.kinds)
        if isinstance(results, str):
            return bare(results)
        for name, variable in self.attributes:
            value = op.properties.get(name) or op.attributes.get(name)
            if value is None:
                return Problem(f'attribute "{name}" is expected but not provided')
            if (wrong := variables.wrong(value, variable)) is not None:
                return bare(wrong)
        for values, sizes, of in ((op.operands, operands, self.operands), (op.results, results, self.results)):
            places = [variable for variable, size in zip(of.variables, sizes, strict=True) for _ in range(size)]
            for value, variable in zip(values, places, strict=True):
                if (wrong := variables.wrong(TypeAttr(value.type), variable)) is not None:
                    return bare(wrong)
        return None

    def _of_regions(self, op: Operation, variables: Variables) -> Problem | None:
        if len(op.regions) != len(self.regions):
            return Problem(f"unexpected number of regions: expected {len(self.regions)} but got {len(op.regions)}")
        for index, (rule, region) in enumerate(zip(self.regions, op.regions, strict=True)):
            if (found := _of_region(op, index, region, rule, variables)) is not None:
                return found
        return None


def _of_region(op: Operation, index: int, region: Region, rule: RegionRule, variables: Variables) -> Problem | None:
    blocks = list(region.blocks)
    if rule.blocks is not None and len(blocks) != rule.blocks:
        return Problem(
            f"expected region {index} to have {rule.blocks} block(s) but got {len(blocks)}", bare=True, placed=True
        )
    if rule.arguments is None:
        return None
    arguments = blocks[0].arguments if blocks else ()
    notes = (("see the operation", op),)
    if len(arguments) != len(rule.arguments):
        message = f"expected region {index} to have {len(rule.arguments)} arguments but got {len(arguments)}"
        return Problem(message, arguments[0] if arguments else None, notes if arguments else (), bare=True, placed=True)
    for argument, variable in zip(arguments, rule.arguments, strict=True):
        if (wrong := variables.wrong(TypeAttr(argument.type), variable)) is not None:
            return Problem(wrong, argument, notes, bare=True, placed=True)
    return None


def _sizes(op: Operation, what: str, count: int, kinds: Sequence[str]) -> list[int] | str:
    """How many values each operand or result stands for; or what is wrong with their number."""
    open_ones = sum(kind != "single" for kind in kinds)
    if open_ones > 1:
        return _given_sizes(op, what, count, kinds)
    if not open_ones:
        return [1] * count if count == len(kinds) else f"op expects exactly {len(kinds)} {what}s, but got {count}"
    size = count - len(kinds) + 1
    if size < 0:
        return f"op expects at least {len(kinds) - 1} {what}s, but got {count}"
    if size > 1 and "optional" in kinds:
        return f"op expects at most {len(kinds)} {what}s, but got {count}"
    return [1 if kind == "single" else size for kind in kinds]


def _given_sizes(op: Operation, what: str, count: int, kinds: Sequence[str]) -> list[int] | str:
    """The sizes that the attribute for them says."""
    name = f"{what}SegmentSizes"
    given = op.properties.get(name) or op.attributes.get(name)
    if given is None:
        return f"'{name}' attribute is expected but not provided"
    if not isinstance(given, DenseArrayAttr) or given.element != IntegerType(32):
        return f"'{name}' attribute is expected to be a dense i32 array"
    sizes = list(given.values)
    about = f"'{name}' attribute for specifying {what} segments must have"
    if len(sizes) != len(kinds):
        return f"{about} {len(kinds)} elements, but got {len(sizes)}"
    for index, (size, kind) in enumerate(zip(sizes, kinds, strict=True)):
        if size < 0:
            return f"{about} non-negative values"
        if kind == "single" and size != 1:
            return f"element {index} in '{name}' attribute must be equal to 1"
        if kind == "optional" and size > 1:
            return f"element {index} in '{name}' attribute must be equal to 0 or 1"
    if sum(sizes) != count:
        return f"sum of elements in '{name}' attribute must be equal to the number of {what}s"
    return sizes
