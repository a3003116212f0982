"""A function without arguments for a runner, which calls one that takes some.

func.func @main(%a: i32) -> i32   ->   func.func @run_main() -> i32 {
                                         %a = arith.constant 0 : i32
                                         %0 = call @main(%a) : (i32) -> i32
                                         return %0 : i32
                                       }
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from fathom.ir.attributes import TypeAttr
from fathom.ir.types import FloatType, FunctionType, IndexType, IntegerType, Type, VectorType
from fathom.pipeline.run_lines import Command
from fathom_server.features.edits import Fix, Replacement
from fathom_server.features.fixes.mistake import Mistake
from fathom_server.features.item_text import unused
from fathom_server.model.commands import ENTRY_FLAGS, RUNNERS, entry_of, value_of
from fathom_server.model.pipelines import commands_in

STEP: Final = "  "


def with_entry(mistake: Mistake) -> Iterator[Fix]:
    """The runner calls a function that gives zeros, which are to be replaced, if there are zeros of all the types."""
    op = mistake.function()
    type = op.properties.get("function_type") if op is not None else None
    if op is None or not isinstance(type, TypeAttr) or not isinstance(type.type, FunctionType):
        return
    callee = mistake.text[mistake.span.start : mistake.span.end]
    zeros = [_zero(argument) for argument in type.type.inputs]
    if not zeros or not callee.startswith("@") or callee.startswith('@"'):
        return
    entry = unused(f"run_{callee[1:]}", lambda name: bool(mistake.snapshot.symbols.get(name, ())))
    commands = (command for line in commands_in(mistake.snapshot.tree) for command in line.commands)
    runner = next(
        (command for command in commands if command.tool in RUNNERS and entry_of(command) == callee[1:]), None
    )
    if runner is None or None in zeros or not mistake.is_sound:
        return
    entry_block = op.regions[0].first
    arguments = [mistake.name(argument) for argument in entry_block.arguments] if entry_block is not None else []
    if "" in arguments or len(arguments) != len(zeros):
        return
    lines = [f"{name} = arith.constant {zero}" for name, zero in zip(arguments, zeros, strict=True)]
    text = _calling(entry, callee, arguments, type.type, lines)
    extent = mistake.extent(op)
    indent, end = mistake.indent(extent.start), mistake.line_break
    shown = "".join(f"{end}{indent}{line}" for line in text)
    edit = (_named(runner, entry), mistake.inserted(extent.end, f"{end}{shown}"))
    yield Fix(
        f"Run `@{entry}`, which calls `{callee}` with zeros",
        tuple(sorted(edit, key=lambda replacement: replacement.start)),
    )


def _zero(type: Type) -> str | None:
    """A constant, of the types that have one."""
    element = type.element if isinstance(type, VectorType) else type
    if isinstance(element, FloatType):
        zero = "0.0"
    elif isinstance(element, IndexType) or (isinstance(element, IntegerType) and not element.signedness):
        zero = "0"
    else:
        return None
    return f"dense<{zero}> : {type}" if isinstance(type, VectorType) else f"{zero} : {type}"


def _calling(entry: str, callee: str, arguments: list[str], type: FunctionType, lines: list[str]) -> list[str]:
    """The lines of a function that calls another one and returns what that does."""
    results = ", ".join(map(str, type.results))
    listed = f"({results})" if len(type.results) != 1 or isinstance(type.results[0], FunctionType) else results
    call = f"call {callee}({', '.join(arguments)}) : ({', '.join(map(str, type.inputs))}) -> {listed}"
    name = unused("%result", lambda name: name in arguments)
    count = len(type.results)
    names = [name] if count == 1 else [f"{name}#{index}" for index in range(count)]
    back = f"return {', '.join(names)} : {results}" if count else "return"
    given = f"{name}{f':{count}' if count > 1 else ''} = " if count else ""
    body = [*lines, f"{given}{call}", back]
    return [f"func.func @{entry}(){f' -> {listed}' if count else ''} {{", *(f"{STEP}{line}" for line in body), "}"]


def _named(runner: Command, entry: str) -> Replacement:
    """Another entry for a runner."""
    for flag in ENTRY_FLAGS:
        given = value_of(runner, flag)
        if given is not None:
            return Replacement(given.start, given.end, entry)
    end = runner.words[-1].end
    return Replacement(end, end, f" -e {entry}")
