"""Documents made to hurt: each small to say, and big or deep beyond what anybody writes.

Each is made in a part of its size as well, `share`: the cost of what is bad in proportion shows there too.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final


def _function(lines: str) -> str:
    return f"func.func @f(%a: i32, %c: i1) {{\n{lines}  return\n}}\n"


def _big_vector(_share: int) -> str:
    big = "vector<20000x20000xf32>"
    body = f"  %c = arith.constant dense<1.0> : {big}\n  %x = arith.addf %a, %c : {big}\n  return %x : {big}\n"
    return f"func.func @f(%a: {big}) -> {big} {{\n{body}}}\n"


def _nested(depth: int, opening: str, closing: str) -> str:
    return opening * depth + closing * depth


def _dense(count: int, separator: str) -> str:
    numbers = separator.join(map(str, range(count)))
    return _function(f"  %0 = arith.constant dense<[{numbers}]> : tensor<{count}xi32>\n")


def _additions(count: int) -> str:
    lines = "".join(f"  %{n} = arith.addi %{n - 1}, %a : i32\n" for n in range(1, count))
    return _function(f"  %0 = arith.addi %a, %a : i32\n{lines}")


def _lines(count: int, line: str) -> str:
    return "".join(line.format(n) for n in range(count))


def _doubled(levels: int, form: str, use: str) -> str:
    """Aliases that each have the one before them several times over; `{0}` is the last of them in `use`."""
    aliases = "".join(form.format(f"!t{level}", f"!t{level + 1}") for level in range(levels))
    return f"!t0 = i32\n{aliases}{use.format(f'!t{levels}')}"


_INSERTION: Final = "llvm.func @f(%a: {0}) {{\n  %0 = llvm.mlir.undef : {0}\n  %1 = llvm.insertvalue %a, %0[0] : {0}\n"
_UNKNOWN: Final = 'func.func @f(%a: {0}) {{\n  "x.y"(%a) : ({0}) -> ()\n  return\n}}\n'


DOCUMENTS: Final[dict[str, Callable[[int], str]]] = {
    "vector<20000x20000xf32> in a signature": _big_vector,
    "line of 50 MB of nothing known": lambda share: "x" * (50_000_000 // share),
    "line of 50 MB of words": lambda share: "word " * (10_000_000 // share),
    "line of 50 MB of operations": lambda share: _function("return " * (7_000_000 // share) + "\n"),
    "line of 50 MB of signs": lambda share: "!#%^@" * (10_000_000 // share),
    "line of 50 MB in a string": lambda share: (
        f'func.func @f() attributes {{a = "{"x" * (50_000_000 // share)}"}} {{\n  return\n}}\n'
    ),
    "line of 50 MB of an open string": lambda share: (
        f'func.func @f() attributes {{a = "{"x" * (50_000_000 // share)}}} {{\n  return\n}}\n'
    ),
    "line of 50 MB of a comment": lambda share: "//" + "x" * (50_000_000 // share) + "\nfunc.func private @f()\n",
    "10^6 lines of return": lambda share: "return\n" * (1_000_000 // share),
    "10^6 lines of return in a function": lambda share: _function("  return\n" * (1_000_000 // share)),
    "10^5 nested regions": lambda share: _function(_nested(100_000 // share, "scf.if %c {\n", "}\n")),
    "10^5 module { on one line": lambda share: "module { " * (100_000 // share),
    "10^5 errors in a function": lambda share: _function("  %x = arith.addi %nowhere, %a : i32\n" * (100_000 // share)),
    "10^5 unlike errors in a function": lambda share: _function(
        _lines(100_000 // share, "  %x{0} = arith.addi %nowhere{0}, %a : i32\n")
    ),
    "10^5 syntax errors in a function": lambda share: _function(
        _lines(100_000 // share, "  %x{0} = arith.addi %a %a : i32\n")
    ),
    "10^5 blocks without an end": lambda share: _function(
        "  cf.br ^b0\n" + _lines(100_000 // share, "^b{0}:\n  %x{0} = arith.addi %a, %a : i32\n")
    ),
    "10^5 functions with an error": lambda share: _lines(
        100_000 // share, "func.func @f{0}(%a: i32) {{\n  %x = arith.addi %nowhere, %a : i32\n  return\n}}\n"
    ),
    "dense literal of 10^6 elements on one line": lambda share: _dense(1_000_000 // share, ", "),
    "dense literal of 10^6 elements in lines": lambda share: _dense(1_000_000 // share, ",\n"),
    "10^5 nested parentheses": lambda share: _nested(100_000 // share, "(", ")") + "\n",
    "10^5 nested parentheses in lines": lambda share: _nested(100_000 // share, "(\n", ")\n"),
    "structs doubled 30 times": lambda _share: _doubled(
        30, "{1} = !llvm.struct<({0}, {0}, array<2 x {0}>)>\n", _INSERTION + "  llvm.return\n}}\n"
    ),
    "structs with names doubled 30 times": lambda _share: _doubled(
        30, '{1} = !llvm.struct<"{1}", ({0}, {0}, struct<({0})>)>\n', _INSERTION + "  llvm.return\n}}\n"
    ),
    "tuples doubled 45 times": lambda _share: _doubled(45, "{1} = tuple<{0}, {0}>\n", _UNKNOWN),
    "function types doubled 45 times": lambda _share: _doubled(45, "{1} = ({0}, {0}) -> {0}\n", _UNKNOWN),
    "power in i1000000": lambda _share: _function(
        "  %b = arith.constant 9223372036854775807 : i1000000\n  %0 = math.ipowi %b, %b : i1000000\n"
    ),
    "function of 50,000 operations": lambda share: _additions(50_000 // share),
}
