"""What was learned from earlier statements changes nothing: operations, places and mistakes are as if resolved each.

Texts are elaborated again and again in one context, as they are and with their numbers, types, names and lines changed.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path
from unittest import mock

import pytest

from fathom.context import Context
from fathom.diagnostics import Diagnostic
from fathom.elaborate import Loaded, load, templates
from fathom.ir.operation import Block, Operation, Value
from fathom.verify import verify
from tests.properties import chance, tries

ROOT = Path(__file__).parents[2]
TEXTS = sorted(
    path
    for folder in ("examples", "tests/fixtures/dialects", "tests/fixtures/elaborate", "tests/fixtures/verify")
    for path in (ROOT / folder).rglob("*.mlir")
)
WARM = Context()
PLAIN = Context()

_NUMBER = re.compile(r"(?<![\w%#^.\"<x])\d+\b")
_TYPE = re.compile(r"\b(?:i32|i64|f32|index)\b")
_OTHER_TYPES = {"i32": "i64", "i64": "i32", "f32": "f64", "index": "i32"}


def plainly(text: str) -> Loaded:
    """The text, with each operation resolved by itself."""
    with mock.patch.object(templates, "MOST_TEMPLATES", 0):
        return load(text, PLAIN)


def shown(loaded: Loaded, context: Context) -> Iterator[str]:
    """All that elaboration finds out, line by line."""
    known = loaded.elaborated
    values: dict[Value, int] = {}
    blocks: dict[Block, int] = {}
    operations: dict[Operation, int] = {}

    def number(value: Value) -> str:
        return f"%{values.setdefault(value, len(values))} '{value.name_hint}' : {value.type}"

    def label(block: Block) -> int:
        return blocks.setdefault(block, len(blocks))

    for op in loaded.module.walk():
        operations[op] = len(operations)
        stands_in = [*map(number, op.operands), *map(number, op.results), *map(label, op.successors)]
        users = [[(operations.get(user, user.name), n) for user, n in result.uses.items()] for result in op.results]
        yield f"{op.name} {stands_in} {op.span} {op.location} {op.properties} {op.attributes} {users} {op.definition}"
        for region in op.regions:
            for block in region.blocks:
                yield f"^{label(block)} {[(number(a), a.span, a.location) for a in block.arguments]} {block.label_span}"
    for place, site in enumerate(known.sites.values()):
        yield from [f"use at {place}:{token} of {number(value)}" for token, value in site.uses.items()]
        yield from [f"definition at {place}:{token} of {[*map(number, v)]}" for token, v in site.definitions.items()]
        yield from [f"operation {operations.get(op)} at {place}:{token}" for token, op in site.operations.items()]
        yield from [f"label {label(block)} at {place}:{token}" for token, block in site.blocks.items()]
    yield from map(_mistake, loaded.diagnostics)
    yield from map(_mistake, verify(loaded.module, None, context, known.template))


def _mistake(diagnostic: Diagnostic) -> str:
    notes = [(note.message, note.span) for note in diagnostic.notes]
    return f"{diagnostic.severity} {diagnostic.code} {diagnostic.message} {diagnostic.span} {notes}"


def check_learned(text: str) -> None:
    """The text means in a context that has learned from others what it means by itself."""
    assert list(shown(load(text, WARM), WARM)) == list(shown(plainly(text), PLAIN))


def changed(text: str, numbers: random.Random) -> str:
    """The text with some of its numbers, types, names and lines changed."""
    lines = text.splitlines(keepends=True)
    for _ in range(max(len(lines) // 8, 3)):
        at = numbers.randrange(len(lines))
        line = lines[at]
        match numbers.randrange(8):
            case 0:
                lines[at] = _NUMBER.sub(lambda number: str(int(number[0][:9]) + 1), line)
            case 1:
                lines[at] = _TYPE.sub(lambda type: _OTHER_TYPES[type[0]], line)
            case 2:
                lines[at] = _TYPE.sub(lambda type: _OTHER_TYPES[type[0]], line, count=1)
            case 3:
                lines[at] = line.replace("%", "%x", 1)
            case 4:
                lines[at] = ""
            case 5:
                lines[at] = line.replace("@", "@x", 1)
            case 6:
                lines[at : at + 2] = lines[at : at + 2][::-1]
            case _:
                lines.insert(at, line)
    return "".join(lines)


@pytest.mark.hunted
@pytest.mark.parametrize("path", TEXTS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_templates_change_nothing(path: Path) -> None:
    text = path.read_text()
    numbers = chance(path.stem)
    for _ in range(tries(1)):
        check_learned(changed(text, numbers))
    check_learned(text)  # The context knows much of it by now.


def test_numbers_are_read_for_each_statement() -> None:
    """What follows from a number, a wrong one too, is said of its own statement; beside others of its shape."""
    numbers = ["1", "-1", "127", "128", "255", "256", "-128", "-129", "0x7F", "0x100", "-0"]
    floats = ["1.5", "-1.5", "0.0", "1.0e400", "0x7FC0", "0x1FFFF"]
    wide = [str(index) for index in range(templates.MOST_TEMPLATES + 8)]
    lines = [f"%i{n} = arith.constant {number} : i8" for n, number in enumerate(numbers)]
    lines += [f"%f{n} = arith.constant {number} : bf16" for n, number in enumerate(floats)]
    lines += [f"%w{n} = arith.constant {number} : i32" for n, number in enumerate(wide)]
    lines += [f"%x{n} = index.constant {number}" for n, number in enumerate(wide)]
    lines += [f"%l{n} = llvm.mlir.constant({number} : i16) : i16" for n, number in enumerate([*wide, "65536"])]
    for line in lines:
        check_learned(f"func.func @f() {{\n  {line}\n  return\n}}\n")
    check_learned("\n".join(["func.func @f() {", *lines, "return", "}", ""]))


def test_names_are_read_for_each_statement() -> None:
    """What follows from the name of a symbol, one that is taken or means nothing too, is said of its own statement."""
    names = [f"@f{number}" for number in range(templates.MOST_TEMPLATES + 8)]
    names += ['@"a b"', '@"\\22"', '@""', "@f0", "@llvm.f", "@nowhere"]
    lines = [f"llvm.func {name}(%x: i32) -> i32 {{\n  llvm.return %x : i32\n}}" for name in names[:-1]]
    lines += [f'llvm.func {name}_private(i32) attributes {{sym_visibility = "private"}}' for name in names[:8]]
    lines += [f"llvm.mlir.global internal constant {name}_g(1 : i32) : i32" for name in names[:8]]
    lines += [f"func.func private {name}_h(i32) -> i32" for name in names[:8]]
    lines.append("llvm.func @calls(%x: i32) {")
    lines += [f"  %{number} = llvm.call {name}(%x) : (i32) -> i32" for number, name in enumerate(names)]
    lines += [f"  %a{number} = llvm.mlir.addressof {name}_g : !llvm.ptr" for number, name in enumerate(names[:9])]
    lines += [f"  %h{number} = func.call {name}_h(%x) : (i32) -> i32" for number, name in enumerate(names[:9])]
    lines += ["  %n = llvm.call @f0::@nested(%x) : (i32) -> i32", "  llvm.return", "}"]
    check_learned("\n".join(lines) + "\n")
