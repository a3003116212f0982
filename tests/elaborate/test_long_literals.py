"""Long literals, which lines carry: read and printed as mlir-opt 22 does, and decoded when they are asked for."""

from __future__ import annotations

import pytest

from fathom.elaborate import load
from fathom.ir.attributes import DenseElementsAttr
from fathom.ir.packed import PackedElements
from fathom.ir.printer import print_module
from fathom.syntax.carried import LONG, Carrier
from fathom.syntax.parse import split_lines
from tests.oracles import mlir_opt
from tests.verify.findings import findings, oracle_findings

COUNT = 300
WHOLE = [str(number) for number in range(COUNT)]
FLOATS = [f"{number}.5" for number in range(COUNT)]
DIGITS = "".join(f"{number % 251:02X}" for number in range(4 * COUNT))


def dense(literal: str, type: str) -> str:
    """An operation with a dense attribute."""
    return f"%w = arith.constant dense<{literal}> : {type}\n"


def row(words: list[str], place: int = 0, word: str | None = None) -> str:
    """A list of words, with another one at a place."""
    return f"[{', '.join(words if word is None else [*words[:place], word, *words[place + 1 :]])}]"


def rows(count: int, length: int) -> str:
    return row([row([str(i * length + j) for j in range(length)]) for i in range(count)])


GOOD = {
    "i32": dense(row(WHOLE), f"tensor<{COUNT}xi32>"),
    "index": dense(row(WHOLE), f"tensor<{COUNT}xindex>"),
    "below zero": dense(row(["-1", "-300"] * COUNT), f"tensor<{2 * COUNT}xi16>"),
    "patterns": dense(row(["200"] * COUNT, 7, "-3"), f"tensor<{COUNT}xi8>"),
    "unsigned": dense(row(["255"] * COUNT, 7, "1"), f"tensor<{COUNT}xui8>"),
    "of four bits": dense(row(["-8", "7"] * COUNT), f"tensor<{2 * COUNT}xi4>"),
    "f16": dense(row(FLOATS), f"tensor<{COUNT}xf16>"),
    "bf16": dense(row(FLOATS), f"vector<{COUNT}xbf16>"),
    "f32": dense(row(FLOATS), f"tensor<{COUNT}xf32>"),
    "f64": dense(row(FLOATS), f"tensor<{COUNT}xf64>"),
    "infinity": dense(row(FLOATS, 3, "1.0e39"), f"tensor<{COUNT}xf32>"),
    "words": dense(row(["true", "false"] * COUNT), f"tensor<{2 * COUNT}xi1>"),
    "hexadecimal floats": dense(row(FLOATS, 5, "0x7FC00000"), f"tensor<{COUNT}xf32>"),
    "hexadecimal": dense(row(WHOLE, 5, "0xFF"), f"tensor<{COUNT}xi32>"),
    "rows": dense(rows(30, 40), "tensor<30x40xi32>"),
    "rows of rows": dense(row([rows(10, 10)] * 5), "tensor<5x10x10xi64>"),
    "all the same": dense(row(["7"] * 2 * COUNT), f"tensor<{2 * COUNT}xi8>"),
    "the same spelt otherwise": dense(row(["1.0", "1.00"] * COUNT), f"tensor<{2 * COUNT}xf32>"),
    "nothing, often": dense(row(["[]"] * 2 * COUNT), f"tensor<{2 * COUNT}x0xi32>"),
    "digits": dense(f'"0x{DIGITS}"', f"tensor<{COUNT}xf32>"),
    "complex digits": dense(f'"0x{DIGITS}"', f"tensor<{COUNT // 2}xcomplex<f32>>"),
    "digits of bits": dense(f'"0x{DIGITS}"', f"tensor<{COUNT * 32}xi1>"),
    "digits of three bytes": dense(f'"0x{"0A0B0C" * COUNT}010203"', f"tensor<{COUNT + 1}xi24>"),
    "digits of four bits": dense(f'"0x{"0A0B" * COUNT}"', f"tensor<{2 * COUNT}xi4>"),
    "digits of one element": dense(f'"0x{"0000803f0000803F" * COUNT}"', f"tensor<{2 * COUNT}xf32>"),
    "a string": f'"a"() {{b = "{"x y" * LONG}\\0A\\n\\\\"}} : () -> ()\n',
    "a string of digits": f'"a"() {{b = "0x{DIGITS}"}} : () -> ()\n',
    "strings": dense(f'["{"x" * LONG}", "a"]', "tensor<2x!foo.s>"),
    "in a body": f'"a"() {{b = #foo.b<dense<{row(WHOLE)}>, "{"x" * LONG}">}} : () -> ()\n',
    "a location": f'"a"() : () -> () loc("{"x" * LONG}":1:2)\n',
    "a name": f'"{"x" * LONG}"() : () -> ()\n',
    "a symbol": f'func.func private @"0x{DIGITS}"()\n',
    "a comment": f'"a"() : () -> () // "0x{DIGITS}"\n',
    "a global": f'llvm.mlir.global constant @g("{"x" * LONG}\\00") : !llvm.array<{LONG + 1} x i8>\n',
    "two": f'"a"() {{b = "{"x" * LONG}", c = 1 : i32, d = dense<{row(WHOLE)}> : tensor<{COUNT}xi64>}} : () -> ()\n',
    "a resource": '"a"() {b = dense_resource<c> : tensor<4xi8>} : () -> ()\n'
    f'{{-# dialect_resources: {{builtin: {{c: "0x01000000{DIGITS}"}}}} #-}}\n',
}


@pytest.mark.parametrize("text", GOOD.values(), ids=GOOD.keys())
def test_long_literals_are_printed_as_mlir_opt_prints_them(text: str) -> None:
    loaded = load(text)
    assert loaded.diagnostics == []
    assert print_module(loaded.module) == mlir_opt(text, "--allow-unregistered-dialect")


WRONG = {
    "a float among whole numbers": dense(row(WHOLE, 17, "2.0"), f"tensor<{COUNT}xi32>"),
    "a whole number among floats": dense(row(FLOATS, 17, "-2"), f"tensor<{COUNT}xf32>"),
    "a word": dense(row(WHOLE, 17, "true"), f"tensor<{COUNT}xi32>"),
    "a word among floats": dense(row(FLOATS, 17, "true"), f"tensor<{COUNT}xf32>"),
    "too great": dense(row(["1"] * LONG, 250, "300"), f"tensor<{LONG}xi8>"),
    "too small": dense(row(["1"] * LONG, 250, "-300"), f"tensor<{LONG}xi8>"),
    "below zero": dense(row(WHOLE, 20, "-3"), f"tensor<{COUNT}xui32>"),
    "zero with a sign": dense(row(WHOLE, 20, "-0"), f"tensor<{COUNT}xi32>"),
    "of fifty digits": dense(row(WHOLE, 20, "9" * 50), f"tensor<{COUNT}xi64>"),
    "of 5000 digits": dense(row(WHOLE, 20, "9" * 5000), f"tensor<{COUNT}xi64>"),
    "a pattern with a sign": dense(row(FLOATS, 20, "-0x11"), f"tensor<{COUNT}xf32>"),
    "too great a pattern": dense(row(FLOATS, 20, "0x1FFFFFFFF"), f"tensor<{COUNT}xf32>"),
    "another shape": dense(row(WHOLE), f"tensor<{COUNT - 1}xi32>"),
    "another shape of rows": dense(rows(30, 40), "tensor<40x30xi32>"),
    "rows of two lengths": dense(row([row(WHOLE), "[1]"]), f"tensor<2x{COUNT}xi32>"),
    "a row among numbers": dense(row([*WHOLE, "[1]"]), f"tensor<{COUNT}xi32>"),
    "nothing among numbers": dense(row([*WHOLE, "[]"]), f"tensor<{COUNT}xi32>"),
    "a type of strings": dense(row(WHOLE), f"tensor<{COUNT}x!foo.s>"),
    "a type of nothing": dense(row(WHOLE), "i32"),
    "a type of any size": dense(row(WHOLE), "tensor<?xi32>"),
    "a comma at the end": dense(f"[{', '.join(WHOLE)},]", f"tensor<{COUNT}xi32>"),
    "something else": dense(row(WHOLE, 20, "foo"), f"tensor<{COUNT}xi32>"),
    "too few bits": dense(f'"0x{DIGITS}"', f"tensor<{COUNT * 64}xi1>"),
    "an odd number of digits": dense(f'"0x{DIGITS}0"', f"tensor<{COUNT}xf32>"),
    "too many digits": dense(f'"0x{DIGITS}00"', f"tensor<{COUNT}xf32>"),
    "no digit": dense(f'"0x{DIGITS}0G"', f"tensor<{COUNT}xf32>"),
    "no 0x": dense(f'"{DIGITS}"', f"tensor<{COUNT}xf32>"),
    "an odd resource": '"a"() : () -> ()\n{-# dialect_resources: {builtin: {c: "0x01000000' + DIGITS + '0"}} #-}\n',
    "a resource that is a text": '"a"() : () -> ()\n{-# dialect_resources: {builtin: {c: "' + DIGITS + '"}} #-}\n',
    "an alignment of no power of two": '"a"() : () -> ()\n'
    '{-# dialect_resources: {builtin: {c: "0x03000000' + DIGITS + '"}} #-}\n',
}


def test_what_is_wrong_with_long_literals_is_said_where_mlir_opt_says_it() -> None:
    wrong = {
        name: (ours, wanted)
        for (name, text), wanted in zip(WRONG.items(), oracle_findings(list(WRONG.values())), strict=True)
        if (ours := findings(text)) != wanted
    }
    assert not wrong


@pytest.mark.parametrize("name", ["i32", "f32", "rows", "digits"])
def test_elements_are_decoded_when_they_are_asked_for(name: str) -> None:
    """Until then the attribute has the line that carries them, and nothing of its own."""
    loaded = load(GOOD[name])
    (line,) = [line for item in loaded.tree.items for line in item.lines]
    assert isinstance(line, Carrier)
    assert len(line.short) < 80
    op = next(op for op in loaded.module.walk() if op.name == "arith.constant")
    value = op.properties["value"]
    assert isinstance(value, DenseElementsAttr)
    assert isinstance(value.values, PackedElements)
    assert len(value.values) == value.type.ranked_shape[0] * (40 if name == "rows" else 1)
    assert list(value.values)[1] == value.values[1]


@pytest.mark.parametrize("end", [r"\"", r"\\", r"\\\"", r"\22", r"\" x \\"])
def test_a_long_string_ends_at_its_first_quote_that_is_not_escaped(end: str) -> None:
    long = "x" * LONG + end
    line = f'func.func private @f() attributes {{a = "{long}", b = "y", c = "{end}{long}{end}"}}\n'
    (carrier,) = split_lines(line)
    assert isinstance(carrier, Carrier)
    assert carrier.short == 'func.func private @f() attributes {a = "", b = "y", c = ""}\n'
    assert [line[literal.start : literal.end] for literal in carrier.literals.values()] == [
        f'"{long}"',
        f'"{end}{long}{end}"',
    ]


def test_a_long_string_that_does_not_end_is_not_carried() -> None:
    for tail in ("", "\\", '\\"'):
        (line,) = split_lines(f'a = "{"x" * LONG}{tail}\n')
        assert not isinstance(line, Carrier)


def test_a_mistake_in_a_list_on_a_later_line_stands_where_it_is() -> None:
    literal = f"[[{'1, ' * 700}1], [2, 3]]"
    text = f"func.func @f() {{\n  %0 = arith.constant dense<{literal}> : tensor<2x701xi32>\n  return\n}}\n"
    (diagnostic,) = load(text).diagnostics
    assert diagnostic.message == "tensor literal is invalid; ranks are not consistent between elements"
    assert diagnostic.span is not None
    assert text[: diagnostic.span.start].endswith("[2, 3]")
