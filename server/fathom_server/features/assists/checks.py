"""The RUN line for the pipeline in force, and CHECK lines for what it makes of the document.

                                     // RUN: mlir-opt %s --convert-arith-to-llvm | FileCheck %s

                                     // CHECK-LABEL:   func.func @f(
                                     // CHECK-SAME:      %[[VAL_0:[^ :,)]+]]: i32) -> i32 {
                                     // CHECK:           %[[VAL_1:[^ :,)]+]] = llvm.add %[[VAL_0]], %[[VAL_0]] : i32
func.func @f(%a: i32) -> i32 {  ->   func.func @f(%a: i32) -> i32 {

Source of the rules: *FileCheck*, and the text of MLIR's `generate-test-checks.py` in its users' tests.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from typing import Final

from fathom.ir.dismantle import dismantling
from fathom.ir.naming import Names, name_values
from fathom.ir.operation import Operation
from fathom.ir.printing_flags import PrintingFlags
from fathom.irdl.interfaces import symbol_name
from fathom.passes.mlir import NAMES
from fathom.pipeline.language import Pipeline
from fathom.pipeline.lowering import run
from fathom.pipeline.run_lines import flags_of
from fathom.records import record, replace
from fathom.syntax.tree import Item
from fathom.text.beginnings import MOST_IN_EDITOR
from fathom_server.features.assists.assist import Made, Offer
from fathom_server.features.assists.selection import Selection
from fathom_server.features.assists.writing import PlainPrinter
from fathom_server.features.edits import Refusal, Replacement
from fathom_server.model.modules import in_one_line, module_of_split, placed, splits
from fathom_server.model.pipelines import commands_in, in_force
from fathom_server.model.scoping import symbols_of
from fathom_server.model.snapshot import Snapshot

BEGIN, END = "\ue000", "\ue001"
"""Around the number of a value in a text that is to become a pattern."""
NAME: Final = "[^ :,)]+"
"""What a variable stands for: a name, and no more of its line."""
MARGIN: Final = 10
"""How far behind `// CHECK` the text of a line begins, as far as there is room."""

_VALUE: Final = re.compile(f"{BEGIN}(\\d+){END}")


@record
class Part:
    """A part of the document after the pipeline: its operations, and of Fathom's own passes those that ran."""

    split: Item | None
    module: Operation
    passes: frozenset[int] = frozenset()


def offered(selection: Selection) -> Iterator[Offer]:
    """Where the document has no CHECK lines."""
    snapshot = selection.snapshot
    if snapshot.tree.items and not has_checks(snapshot):
        yield Offer("Write the RUN and CHECK lines for the pipeline")


def written(snapshot: Snapshot) -> Made:
    """The CHECK lines above the functions of each part that they are about, and a RUN line above all, if no command
    that ends in FileCheck is there."""
    if has_checks(snapshot):
        return Refusal("the document has CHECK lines")
    force = in_force(snapshot.tree, snapshot.settings, snapshot.context)
    if force.foreign is not None:
        return Refusal("the pipeline has passes that are not here")
    pipeline = _of_test(snapshot) or force.pipeline
    parts: list[Part] = []
    with ExitStack() as modules:
        for split in splits(snapshot):
            made = _after(snapshot, split, pipeline, modules)
            if isinstance(made, Refusal):
                return made
            parts.append(made)
        edit = [check for part in parts for check in checks_of(snapshot, part)]
        if _of_test(snapshot) is None:
            ran = frozenset(number for part in parts for number in part.passes)
            line = _run_line(snapshot, pipeline, ran, parts)
            if isinstance(line, Refusal):
                return line
            edit.insert(0, Replacement(0, 0, line))
        return merged(edit)


# ---- what is run


def _of_test(snapshot: Snapshot) -> Pipeline | None:
    """The pipeline of the document's own command that ends in FileCheck."""
    for line in commands_in(snapshot.tree, snapshot.context):
        tools = [command.tool for command in line.commands]
        if tools == ["mlir-opt", "FileCheck"] and line.pipeline is not None:
            pipeline = line.pipeline.pipeline
            return pipeline if not pipeline.errors else None
    return None


def has_checks(snapshot: Snapshot) -> bool:
    return any("// CHECK" in line for item in snapshot.tree.items for line in item.lines)


def _after(snapshot: Snapshot, split: Item | None, pipeline: Pipeline, modules: ExitStack) -> Part | Refusal:
    """A part after the pipeline, which is taken apart with `modules`."""
    module = module_of_split(snapshot, split)
    if module.problem is not None:
        return Refusal(f"there is a mistake: {in_one_line(placed(module.problem, module.layout, snapshot), snapshot)}")
    modules.enter_context(dismantling(module.op))
    result = run(pipeline, module.op, snapshot.context)
    if result.failed:
        return Refusal(f"the pipeline fails: {result.diagnostics[0].message}")
    ran = {id(stage.use) for stage in result.stages}
    numbers = frozenset(number for number, use in enumerate(pipeline.passes) if id(use) in ran)
    return Part(split, module.op, numbers)


def _run_line(snapshot: Snapshot, pipeline: Pipeline, ran: frozenset[int], parts: list[Part]) -> str | Refusal:
    passes = tuple(use for number, use in enumerate(pipeline.passes) if number in ran)
    own = next((use.name for use in passes if use.name not in NAMES), None)
    if own is not None:
        return Refusal(f"mlir-opt has no pass `{own}`")
    flags = flags_of(Pipeline(replace(pipeline.root, items=passes)))
    if flags is None:
        return Refusal("the pipeline cannot be written as flags")
    if any(op.definition is None for part in parts for op in part.module.walk()):
        flags.append("--allow-unregistered-dialect")
    return run_line(snapshot, f"mlir-opt %s {' '.join(flags)}", len(parts))


def run_line(snapshot: Snapshot, command: str, parts: int) -> str:
    """The line, for the beginning of the text, in which a command prints so many parts for FileCheck."""
    divided = " --split-input-file" if parts > 1 else ""
    first = snapshot.tree.line(0)
    line_break = "\r\n" if first.endswith("\r\n") else "\n"
    behind = "" if first.startswith("// RUN") else line_break
    return f"// RUN: {command}{divided} --mlir-print-local-scope | FileCheck %s{line_break}{behind}"


# ---- the lines


def checks_of(snapshot: Snapshot, part: Part) -> Iterator[Replacement]:
    """The lines for each operation of a part, above the one of the same name in the source; for those that are not
    there above the next that is. Where the order is another one, all are at the beginning."""
    operations = [op for region in part.module.regions for block in region.blocks for op in block]
    flags = PrintingFlags(local_scope=True, most=MOST_IN_EDITOR)
    names = _names(part.module, flags)
    homes = _homes(snapshot, part.split)
    line_break = "\r\n" if "\r\n" in snapshot.tree.line(0) else "\n"
    places = [homes.get(symbol_name(op), -1) for op in operations]
    known = [place for place in places if place >= 0]
    start = snapshot.start_of(part.split) + part.split.start(1) if part.split is not None else 0
    if known != sorted(known) or not known:
        places = [start] * len(operations)
    waiting: list[str] = []
    last = known[-1] if known else start
    for op, place in zip(operations, places, strict=True):
        lines = list(_lines(op, flags, names))
        if place < 0:
            waiting += ["", *lines] if waiting else lines
            if all(place < 0 for place in places[operations.index(op) :]):
                place = last
            else:
                continue
            lines = []
        margin = _margin(snapshot, place)
        shown = [*waiting, *([""] if waiting and lines else []), *lines]
        waiting = []
        yield Replacement(place, place, "".join(f"{margin}{line}".rstrip() + line_break for line in shown))


def _homes(snapshot: Snapshot, split: Item | None) -> dict[str, int]:
    """Where the lines begin in which the symbols of a part are that stand in no other."""
    tree = snapshot.tree
    around = tree.split_around(tree.index_of(split) if split is not None else 0)
    homes: dict[str, int] = {}
    for index in range(around.start, around.stop):
        item = tree.items[index]
        for symbol in symbols_of(item) if not item.frame.containers else ():
            if not symbol.depth:
                homes.setdefault(symbol.name, tree.line_of(tree.start(index) + symbol.start)[1])
    return homes


def _margin(snapshot: Snapshot, place: int) -> str:
    line = snapshot.tree.line(snapshot.tree.line_of(place)[0])
    return line[: len(line) - len(line.lstrip())].rstrip("\r\n")


def _names(module: Operation, flags: PrintingFlags) -> Names:
    """Names of values that are placeholders, each with a number of its own."""
    names = name_values(module, flags)
    number = -1
    for op in module.walk():
        if op.results:
            number += 1
            name = f"%{BEGIN}{number}{END}"
            count = len(op.results)
            names.results[op] = name if count == 1 else f"{name}:{count}"
            for index, result in enumerate(op.results):
                names.values[result] = name if count == 1 else f"{name}#{index}"
        for block in (block for region in op.regions for block in region.blocks):
            for argument in block.arguments:
                number += 1
                names.values[argument] = f"%{BEGIN}{number}{END}"
    return names


def _lines(op: Operation, flags: PrintingFlags, names: Names) -> Iterator[str]:
    """The CHECK lines for an operation of a module."""
    printer = PlainPrinter(names, flags)
    printer.indent = "  "
    printer.op(op)
    lines = ("  " + "".join(printer.parts)).split("\n")
    numbers: dict[str, str] = {}
    for number, line in enumerate(lines):
        if not line.strip():
            continue
        head, at, rest = line.partition(f"@{symbol_name(op)}") if number == 0 and symbol_name(op) else ("", "", "")
        if at and rest.startswith("("):
            yield _line("CHECK-LABEL:", f"{head}{at}(", numbers)
            for argument in _arguments(rest[1:]):
                yield _line("CHECK-SAME:", f"    {argument}", numbers)
        elif at and BEGIN not in line:
            yield _line("CHECK-LABEL:", line, numbers)
        else:
            yield _line("CHECK:", line, numbers)


def _arguments(text: str) -> Iterable[str]:
    """The rest of a function's first line, with each of its arguments alone."""
    places = [match.start() - 1 for match in _VALUE.finditer(text)] or [0]
    return (text[start:end].rstrip() for start, end in zip([0, *places[1:]], [*places[1:], len(text)], strict=True))


def _line(prefix: str, text: str, numbers: dict[str, str]) -> str:
    """A line as a pattern: what is special to FileCheck stands for itself, and a value has a variable."""

    def variable(match: re.Match[str]) -> str:
        known = numbers.get(match[1])
        if known is None:
            known = numbers[match[1]] = f"VAL_{len(numbers)}"
            return f"[[{known}:{NAME}]]"
        return f"[[{known}]]"

    plain = text.replace("{{", "{{[{][{]}}").replace("[[", "{{\\[\\[}}")
    return f"// {prefix:<{MARGIN + 4}}{_VALUE.sub(variable, plain)}".rstrip()


def merged(edit: list[Replacement]) -> list[Replacement]:
    """The edit with what is inserted at one place together."""
    texts: dict[int, str] = {}
    for replacement in edit:
        texts[replacement.start] = texts.get(replacement.start, "") + replacement.text
    return [Replacement(place, place, text) for place, text in sorted(texts.items())]
