"""The control-flow graph of a function in LLVM IR, and the call graph of a module, off a text as LLVM prints it.

What is printed is read as it was written, line by line the same (`fathom.llvmir`), so that the lines of a block are
those of the text.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import Final

from fathom.graphs.calls import KIND as CALLS
from fathom.graphs.control_flow import KIND as CFG
from fathom.graphs.graph import Drawing, Graph, Limits, Node, lines_shown, spanned
from fathom.graphs.reachability import settled
from fathom.ir.operation import Span
from fathom.llvmir.instructions import BasicBlock, BranchInst, CallBase, Instruction, SwitchInst
from fathom.llvmir.module import Function, Module
from fathom.llvmir.reader import read
from fathom.llvmir.tokens import Mistake
from fathom.llvmir.values import ConstantInt
from fathom.llvmir.writer import write_lines
from fathom.records import record
from fathom.slices import paced
from fathom.text.beginnings import beginning

_NAMED: Final = ("normal", "unwind")


@record(eq=False)
class Lines:
    """A text in LLVM IR by its lines: what it says, what of the module each line is of, and where of the source that
    comes from."""

    module: Module
    lines: list[str]
    starts: list[int]
    origins: list[object]
    sources: Sequence[Span | None]

    @classmethod
    def of(cls, text: str, asked: str, sources: Sequence[Span | None] = ()) -> Lines | None:
        """Those of a text; `asked` is the same line by line with no constant cut short. None if it is not as LLVM
        prints it."""
        try:
            module = read(asked)
        except Mistake:
            return None
        lines = text.split("\n")
        head = next((number for number, line in enumerate(lines) if not line.startswith("; ModuleID")), 0)
        written = write_lines(module)
        if head + len(written.lines) != len(text.rstrip("\n").split("\n")):
            return None
        origins = [*([None] * head), *written.origins]
        starts = [*accumulate((len(line) + 1 for line in lines), initial=0)]
        return cls(module, lines, starts, origins, sources)

    def span(self, numbers: range) -> Span | None:
        """From the first of some lines to the end of the last."""
        if not numbers:
            return None
        first, last = numbers[0], numbers[-1]
        indent = len(self.lines[first]) - len(self.lines[first].lstrip())
        return Span(self.starts[first] + indent, self.starts[last] + len(self.lines[last]))

    def source(self, numbers: range) -> Span | None:
        """What of the source some lines come from."""
        return spanned(self.sources[number] for number in numbers if number < len(self.sources))


def control_flow(lines: Lines, function: str, limits: Limits) -> Graph:
    """The graph of the function with this name, empty if there is none with blocks."""
    drawing = Drawing(limits)
    found = next((each for each in lines.module.functions if each.name == function), None)
    numbers: dict[BasicBlock, int | None] = {}
    for block, where in paced(_blocks(lines, found) if found is not None else ()):
        texts = [lines.lines[number].strip() for number in where]
        is_labelled = where and lines.origins[where[0]] is block
        title = beginning(texts[0].partition(":")[0] if is_labelled else "entry", 80)
        numbers[block] = drawing.node(
            Node(
                "block",
                f"%{title}" if is_labelled else title,
                lines_shown(texts[1:] if is_labelled else texts, limits.lines),
                lines.span(where),
                lines.source(where),
            )
        )
    for block, node in paced(numbers.items()):
        for target, way in _ways(block.instructions[-1] if block.instructions else None):
            kind = way if way in ("true", "false", "default", "unwind") else "case" if way else "branch"
            drawing.edge(node, numbers.get(target), kind, way)
    return settled(drawing.graph(CFG, f"@{function}"), [0] if drawing.nodes else [])


def _blocks(lines: Lines, function: Function) -> Iterator[tuple[BasicBlock, range]]:
    """The blocks of a function with the lines that they take, from the label if there is one."""
    first = {id(origin): number for number, origin in reversed(list(enumerate(lines.origins))) if origin is not None}
    places = [
        min((first[id(each)] for each in (block, *block.instructions[:1]) if id(each) in first), default=0)
        for block in function.blocks
    ]
    for number, (block, start) in enumerate(zip(function.blocks, places, strict=True)):
        end = places[number + 1] if number + 1 < len(places) else len(lines.lines)
        yield block, range(start, _end(lines.lines, start, end))


def _end(lines: Sequence[str], start: int, end: int) -> int:
    """The end of a block that begins in a line: in front of an empty line or the closing brace."""
    return next((number for number in range(start, end) if not lines[number].strip() or lines[number] == "}"), end)


def _ways(end: Instruction | None) -> Iterator[tuple[BasicBlock, str]]:
    if end is None:
        return
    ways: Sequence[str] = ()
    if isinstance(end, BranchInst) and len(end.blocks) == 2:
        ways = ("true", "false")
    elif isinstance(end, SwitchInst):
        cases = [str(case.value) if isinstance(case, ConstantInt) else "" for case in end.operands[1:]]
        ways = ("default", *cases)
    elif isinstance(end, CallBase) and len(end.successors) == 2:
        ways = _NAMED
    yield from zip(end.successors, [*ways, *[""] * (len(end.successors) - len(ways))], strict=False)


def calls(lines: Lines, name: str, limits: Limits) -> Graph:
    """The graph of the functions of a module, but for intrinsics."""
    drawing = Drawing(limits)
    where = {id(origin): number for number, origin in enumerate(lines.origins) if isinstance(origin, Function)}
    numbers: dict[Function, int | None] = {}
    for function in lines.module.functions:
        if function.is_intrinsic:
            continue
        line = where.get(id(function))
        place = range(line, line + 1) if line is not None else range(0)
        kind = "function" if function.blocks else "declaration"
        title = beginning(f"@{function.name}", 80)
        numbers[function] = drawing.node(Node(kind, title, (), lines.span(place), lines.source(place)))
    for function, node in numbers.items():
        found = Counter[tuple[Function, str]]()
        for block in paced(function.blocks):
            for instruction in block.instructions:
                called = instruction.called if isinstance(instruction, CallBase) else None
                if isinstance(called, Function):
                    found[called, "call"] += 1
                for operand in instruction.operands:
                    if isinstance(operand, Function):
                        found[operand, "reference"] += 1
        for (callee, kind), count in found.items():
            label = f"{count:,}×" if count > 1 else ""
            drawing.edge(node, numbers.get(callee), kind, label, is_back=callee is function)
    return drawing.graph(CALLS, name)
