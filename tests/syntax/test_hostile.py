"""Parsing and elaboration of anything at all: it ends soon, never raises, and keeps every character."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fathom.context import default_context
from fathom.elaborate import load
from fathom.syntax.parse import parse
from fathom.verify import verify
from tests.properties import examples
from tests.work import calls_of, check_follows_the_size

MOST_CALLS = 8_000_000
"""A bound against costs that grow with the square of the size; most texts take well under a million."""

HEAD = "func.func @f(%a: i32) {\n"
HOSTILE = {
    "open parentheses": "(" * 100_000,
    "open braces": "{" * 20_000,
    "open square brackets": "[" * 100_000,
    "open angle brackets": "<" * 100_000,
    "open regions": '"a"() ({' * 1000,
    "nested regions": '"a"() ({\n' * 1000 + "}) : () -> ()\n" * 1000,
    "nested ifs": HEAD + "scf.if %c {\n" * 1000 + "}\n" * 1001,
    "nested modules on a line": "module {" * 1000 + "}" * 1000,
    "nested unknown operations": "foo.a {\n" * 1000 + "}\n" * 1000,
    "closing braces": "}\n" * 3000 + "}" * 30_000,
    "integer of 100000 digits": "%x = arith.constant " + "1" * 100_000 + " : i32\n",
    "attribute of 100000 digits": '"a"() {x = ' + "9" * 100_000 + "} : () -> ()\n",
    "hexadecimal of 100000 digits": "%x = arith.constant 0x" + "F" * 100_000 + " : f64\n",
    "float with a great exponent": "%x = arith.constant 1.0e999999999 : f32\n",
    "width of 5000 digits": "%x = arith.constant 1 : i" + "9" * 5000 + "\n",
    "extent of 100000 digits": "func.func @f(%a: memref<" + "9" * 100_000 + "xi32>) { return }\n",
    "many extents": "func.func @f(%a: memref<" + "2x" * 50_000 + "i32>) { return }\n",
    "nested tuples": "func.func @f(%a: " + "tuple<" * 10_000 + "i32" + ">" * 10_000 + ") { return }\n",
    "nested function types": "func.func private @f(" + "(" * 10_000 + "i32" + ") -> ()" * 10_000 + ")\n",
    "nested dialect type": "func.func @f(%a: !foo.x" + "<" * 10_000 + "i32" + ">" * 10_000 + ") { return }\n",
    "nested arrays": '"a"() {x = ' + "[" * 10_000 + "]" * 10_000 + "} : () -> ()\n",
    "nested dictionaries": '"a"() {x = ' + "{a = " * 10_000 + "1" + "}" * 10_000 + "} : () -> ()\n",
    "nested locations": '"a"() : () -> () loc(' + 'callsite("x" at ' * 10_000 + '"y"' + ")" * 10_000 + ")\n",
    "nested dense": "%x = arith.constant dense<" + "[" * 10_000 + "]" * 10_000 + "> : tensor<1xi32>\n",
    "affine expression": '"a"() {x = affine_map<(d0) -> (' + "d0 + 1 + " * 5000 + "d0)>} : () -> ()\n",
    "affine negations": '"a"() {x = affine_map<(d0) -> (' + "-" * 10_000 + "d0)>} : () -> ()\n",
    "a line of a megabyte": HEAD + "  foo.bar " + "%a, " * 250_000 + "%a\n  return\n}\n",
    "12000 operands": HEAD + '  "b"(' + "%a, " * 12_000 + "%a) : (" + "i32, " * 12_000 + "i32) -> ()\n}\n",
    "a name of a megabyte": "foo." + "x" * 1_000_000 + "\n",
    "a string that does not end": '"a"() {x = "' + "y" * 1_000_000,
    "quotation marks": '"' * 100_000 + '"\n' * 2000,
    "backslashes": '"' + "\\" * 100_000,
    "very many results": '%0:99999999 = foo.bar\n%1:99999999 = "b"() : () -> ()\n',
    "a great index of a result": HEAD + "  foo.bar %a#99999999999999999999\n}\n",
    "NUL": "func.func @f() {\n\x00 return\x00\n}\n",
    "surrogates": "func.func @f\ud800() {\n return // \udfff\n}\n",
    "carriage returns": "func.func @f() {\r return\r}\r" + "\r" * 50_000,
    "digits of other scripts": "func.func @f(%a: i\u0663) {\n %\u00b2 = foo %0#\u00b2\n x.y \u0663\n}\n",
    "locations far away": '"a"() : () -> () loc("x":' + "9" * 5000 + ":" + "9" * 5000 + ")\n",
    "elements of 5000 digits": f'"a"() {{b = array<i64: {"9" * 5000}>, c = dense<{"9" * 5000}> : tensor<1xi8>}}\n',
    "dialect types of 5000 digits": f"func.func private @f(!llvm.array<{'9' * 5000} x i32>)\n",
    "layouts of 5000 digits": f"func.func private @f(memref<4xf32, strided<[{'9' * 5000}], offset: {'9' * 5000}>>)\n",
    "affine constants of 5000 digits": f'"a"() {{b = affine_map<(d0) -> (d0 + {"9" * 5000})>}} : () -> ()\n',
    "cases of 5000 digits": f"{HEAD} cf.switch %a : i32, [\n default: ^b, {'9' * 5000}: ^b]\n^b:\n return\n}}\n",
    "results of 5000 digits": f"%x:{'9' * 5000} = foo.bar\n foo.use %x#{'9' * 5000}\n",
    "distinct of 5000 digits": f'"a"() {{b = distinct[{"9" * 5000}]<42>}} : () -> ()\n',
    "memory space of 5000 digits": f"func.func private @f(memref<4xf32, {'9' * 5000}>, vector<[{'9' * 5000}]xi1>)\n",
    "other white space": "func.func @f() {\n \u2028 \x85 \x1c return\n}\n",
    "alias of itself": "!a = !a\n#b = [#b]\nfunc.func @f(%x: !a) attributes {b = #b} { return }\n",
    "aliases of each other": "!a = tuple<!b>\n!b = tuple<!a>\nfunc.func @f(%x: !a) { return }\n",
    "location of itself": '#loc = loc(#loc)\n"x"() : () -> () loc(#loc)\n',
    "many blocks": "func.func @f() {\n cf.br ^b0\n"
    + "".join(f"^b{i}:\n cf.br ^b{i + 1}\n" for i in range(2000))
    + "}\n",
    "many uses before definitions": HEAD + "".join(f" foo.x %v{i}\n" for i in range(3000)) + "}\n",
    "redefinitions": HEAD + "%x = arith.addi %a, %a : i32\n" * 3000 + "}\n",
    "functions of one name": "func.func @f() { return }\n" * 3000,
    "brackets that stay open": HEAD + "foo.a(\n" * 3000 + "}\n",
    "results that never come": "%x = " * 20_000 + "\n" + "%x:" * 20_000,
    "labels": "^bb0:\n" * 2000 + "^a:" * 10_000,
    "file metadata": "{-#\n" * 1000 + "{-# " * 10_000 + "#-}",
    "an unknown operation of many lines": "foo.a (\n" + " x,\n" * 10_000 + ")\n",
    "elements on many lines": "%c = arith.constant dense<[\n" + " 1,\n" * 6_000 + "1]> : tensor<6001xi32>\n",
    "elements of a giant": "%x = arith.constant dense<1> : tensor<999999999999x9999999999xi32>\n",
}


def check_survives(text: str) -> None:
    """Loads and verifies the text, which keeps every character."""
    loaded = load(text)
    verify(loaded.module)
    assert loaded.tree.text == text
    for diagnostic in loaded.diagnostics:
        assert diagnostic.span is None or 0 <= diagnostic.span.start <= diagnostic.span.end <= len(text)


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_text(text: str) -> None:
    assert calls_of(lambda: check_survives(text)) < MOST_CALLS


@examples(75)
@given(st.text(st.characters(exclude_categories=()), max_size=200))
def test_any_text(text: str) -> None:
    check_survives(text)


TOKENS = (
    *(
        "%a",
        "%0",
        "%0#1",
        "@f",
        "^bb1",
        '"x"',
        "#map",
        "!t",
        "i32",
        "1",
        "1.5",
        "0x1F",
        "f32",
        "index",
        "\n",
        "\n",
        " ",
    ),
    *("(", ")", "{", "}", "[", "]", "<", ">", ",", ":", "=", "->", "::", "?", "*", "-", "+", "//", "{-#", "#-}"),
    *("func.func", "return", "scf.for", "scf.if", "else", "arith.addi", "arith.constant", "module", "foo.bar", "cf.br"),
    *("memref<", "4x", "tensor<", "dense<", "affine_map<", "loc(", "attributes", "to", "step", "iter_args", "true"),
)


@examples(125)
@given(st.lists(st.sampled_from(TOKENS), max_size=60))
def test_any_tokens(tokens: list[str]) -> None:
    check_survives(" ".join(tokens))


def test_each_token_of_a_long_statement_is_found_at_the_cost_of_its_length() -> None:
    def cost(count: int) -> int:
        (item,) = parse(f'"x.y"({", ".join(["%a"] * count)}) : () -> ()\n', default_context().shapes).items
        piece = item.pieces[0]
        tokens = piece.tokens()
        texts: list[str] = []
        calls = calls_of(lambda: texts.extend(map(piece.token_text, range(len(tokens)))))
        assert texts == [token.text for token in tokens]
        return calls

    check_follows_the_size(cost, 1000)
