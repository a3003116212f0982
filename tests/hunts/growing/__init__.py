"""Texts that grow with a number, by what grows in them: the chains, lists and nests that `growth` measures.

Those of single operations are made from their definitions (`growing_operations`); these are what no definition says.
"""

# ruff: noqa: E501 - a text stands on a line
# fmt: off
from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from tests.generated.operations import LINES

Make = Callable[[int], str]

_HOLE: Final = re.compile(r"\{([if]\d+|index|(?:complex|vector|memref)<[^{}]*>)\}|@(\d+)")


def function(arguments: str, body: str, results: str = "", end: str = "return") -> str:
    return f"func.func @f({arguments}){results} {{\n{body}  {end}\n}}\n"


def lines(count: int, line: str) -> str:
    """A line so many times: `{0}` is its number, `{1}` that of the line before, `{2}` that of the next."""
    return "".join(line.format(n, n - 1, n + 1) for n in range(1, count + 1))


def listed(count: int, element: str, separator: str = ", ") -> str:
    return separator.join(element.format(n) for n in range(count))


def chain(arguments: str, first: str, line: str) -> Make:
    """Operations in a row, each of which uses the one before; `first` defines `%0`."""
    return lambda n: function(arguments, "".join(f"  {first_line}\n" for first_line in first.split("\n")) + lines(n, f"  {line}\n"))


def row(arguments: str, line: str, before: str = "") -> Make:
    """Operations beside each other."""
    return lambda n: function(arguments, before + lines(n, f"  {line}\n"))


def llvm(arguments: str, body: str, after: str = "") -> str:
    return f"llvm.func @f({arguments}) {{\n{body}  llvm.return\n{after}}}\n"


def of_line(line: str, chained: bool) -> Make | None:
    """A function of operations as a line of `tests/generated/operations.txt` says them; chained, each takes the one
    before, which needs an operand of the type of the result."""
    kind, _, text = line.partition("= ")
    kind = kind.strip()
    types = [hole[1] for hole in _HOLE.finditer(text) if hole[1]]
    if chained and kind not in types:
        return None
    arguments: dict[str, str] = {}

    def fill(hole: re.Match[str]) -> str:
        return arguments.setdefault(hole[1], f"%a{len(arguments)}") if hole[1] else f"%at{hole[2]}"

    filled = _HOLE.sub(fill, text)
    indices = sorted({hole[2] for hole in _HOLE.finditer(text) if hole[2]})
    before = "".join(f"  %at{index} = arith.constant {min(int(index) - 1, 3)} : index\n" for index in indices)
    signature = ", ".join(f"{name}: {type_}" for type_, name in arguments.items())

    def make(count: int) -> str:
        out, last = "", arguments.get(kind, "")
        for number in range(count):
            used = re.sub(rf"{arguments[kind]}\b", last, filled, count=1) if chained else filled
            out += f"  %v{number} = {used}\n" if kind else f"  {used}\n"
            last = f"%v{number}"
        return function(signature, before + out)

    return make


def _operations() -> dict[str, Make]:
    operations: dict[str, Make] = {}
    for line in LINES:
        name = " ".join(line.split())
        for chained in (False, True):
            make = of_line(line, chained)
            if make is not None:
                operations[f"{'chain' if chained else 'row'}: {name}"] = make
    return operations


def _blocks(count: int) -> str:
    return function("%a: i32", "  cf.br ^b1(%a : i32)\n" + lines(count, "^b{0}(%x{0}: i32):\n  cf.br ^b{2}(%x{0} : i32)\n") + f"^b{count + 1}(%z: i32):\n")


def _conditional_blocks(count: int) -> str:
    return function("%a: i32, %c: i1", "  cf.br ^b1(%a : i32)\n" + lines(count, "^b{0}(%x{0}: i32):\n  %y{0} = arith.addi %x{0}, %a : i32\n  cf.cond_br %c, ^b{2}(%y{0} : i32), ^e(%x{0} : i32)\n") + f"^b{count + 1}(%z: i32):\n  cf.br ^e(%z: i32)\n^e(%w: i32):\n")


def _diamonds(count: int) -> str:
    return function("%a: i32, %c: i1", "  cf.br ^b1(%a : i32)\n" + lines(count, "^b{0}(%x{0}: i32):\n  cf.cond_br %c, ^l{0}, ^r{0}\n^l{0}:\n  %y{0} = arith.addi %x{0}, %a : i32\n  cf.br ^b{2}(%y{0} : i32)\n^r{0}:\n  %z{0} = arith.muli %x{0}, %a : i32\n  cf.br ^b{2}(%z{0} : i32)\n") + f"^b{count + 1}(%z: i32):\n")


def _equal_blocks(count: int) -> str:
    cases = ",\n".join(f"    {n}: ^b{n}" for n in range(1, count + 1))
    return function("%a: i32", f"  cf.switch %a : i32, [\n    default: ^e,\n{cases}\n  ]\n" + lines(count, "^b{0}:\n  \"x.y\"(%a) : (i32) -> ()\n  cf.br ^e\n") + "^e:\n")


def _unlike_blocks(count: int) -> str:
    cases = ",\n".join(f"    {n}: ^b{n}" for n in range(1, count + 1))
    return function("%a: i32", f"  cf.switch %a : i32, [\n    default: ^e,\n{cases}\n  ]\n" + lines(count, "^b{0}:\n  \"x.y\"(%a) {{n = {0}}} : (i32) -> ()\n  cf.br ^e\n") + "^e:\n")


def _backward_blocks(count: int) -> str:
    """Each goes on with the one that stands before it."""
    body = "".join(f"^b{n}:\n  cf.br ^b{n - 1}\n" for n in range(1, count + 1))
    return function("", f"  cf.br ^b{count}\n^b0:\n  return\n{body}^z:\n")


def _switch(count: int) -> str:
    cases = ",\n".join(f"    {n}: ^b(%a : i32)" for n in range(count))
    return function("%a: i32", f"  cf.switch %a : i32, [\n    default: ^b(%a : i32),\n{cases}\n  ]\n^b(%x: i32):\n")


def _llvm_switch(count: int) -> str:
    cases = ",\n".join(f"    {n}: ^d" for n in range(count))
    return llvm("%a: i32", f"  llvm.switch %a : i32, ^d [\n{cases}\n  ]\n^d:\n")


def _llvm_switch_values(count: int) -> str:
    cases = ",\n".join(f"    {n}: ^d(%a : i32)" for n in range(count))
    return llvm("%a: i32", f"  llvm.switch %a : i32, ^d(%a : i32) [\n{cases}\n  ]\n^d(%x: i32):\n")


def _index_switch(count: int) -> str:
    cases = "".join(f"  case {n} {{\n    scf.yield\n  }}\n" for n in range(count))
    return function("%a: index", f"  scf.index_switch %a\n{cases}  default {{\n  }}\n")


def _index_switch_results(count: int) -> str:
    cases = "".join(f"  case {n} {{\n    scf.yield %b : i32\n  }}\n" for n in range(count))
    return function("%a: index, %b: i32", f"  %r = scf.index_switch %a -> i32\n{cases}  default {{\n    scf.yield %b : i32\n  }}\n")


def _many(count: int, kind: str) -> str:
    return ", ".join([kind] * count)


def _parallel(count: int) -> str:
    a = _many(count, "%a")
    return function("%a: index", f"  scf.parallel ({listed(count, '%i{0}')}) = ({a}) to ({a}) step ({a}) {{\n  }}\n")


def _forall(count: int) -> str:
    a = _many(count, "%a")
    return function("%a: index", f"  scf.forall ({listed(count, '%i{0}')}) = ({a}) to ({a}) step ({a}) {{\n  }}\n")


def _carried(count: int) -> str:
    carried = listed(count, "%x{0} = %v")
    return function("%a: index, %v: i32", f"  %r:{count} = scf.for %i = %a to %a step %a iter_args({carried}) -> ({_many(count, 'i32')}) {{\n    scf.yield {listed(count, '%x{0}')} : {_many(count, 'i32')}\n  }}\n")


def _while(count: int) -> str:
    kinds, c = _many(count, "i32"), listed(count, "%x{0}")
    given, bound = listed(count, "%x{0} = %v"), listed(count, "%y{0}: i32")
    return function("%c: i1, %v: i32", f"  %r:{count} = scf.while ({given}) : ({kinds}) -> ({kinds}) {{\n    scf.condition(%c) {c} : {kinds}\n  }} do {{\n  ^bb0({bound}):\n    scf.yield {listed(count, '%y{0}')} : {kinds}\n  }}\n")


def _if_results(count: int) -> str:
    kinds, v = _many(count, "i32"), _many(count, "%v")
    return function("%c: i1, %v: i32", f"  %r:{count} = scf.if %c -> ({kinds}) {{\n    scf.yield {v} : {kinds}\n  }} else {{\n    scf.yield {v} : {kinds}\n  }}\n")


def _affine_for(count: int) -> str:
    carried = listed(count, "%x{0} = %v")
    return function("%v: i32", f"  %r:{count} = affine.for %i = 0 to 10 iter_args({carried}) -> ({_many(count, 'i32')}) {{\n    affine.yield {listed(count, '%x{0}')} : {_many(count, 'i32')}\n  }}\n")


def _affine_parallel(count: int) -> str:
    return function("", f"  affine.parallel ({listed(count, '%i{0}')}) = ({_many(count, '0')}) to ({_many(count, '4')}) {{\n  }}\n")


def _delinearize(count: int) -> str:
    return function("%a: index", f"  %0:{count} = affine.delinearize_index %a into ({_many(count, '2')}) : {_many(count, 'index')}\n")


def _delinearize_dynamic(count: int) -> str:
    return function("%a: index", f"  %0:{count} = affine.delinearize_index %a into ({_many(count, '%a')}) : {_many(count, 'index')}\n")


def _linearize(count: int) -> str:
    return function("%a: index", f"  %0 = affine.linearize_index [{_many(count, '%a')}] by ({_many(count, '3')}) : index\n")


def _linearize_delinearize(count: int) -> str:
    return function("%a: index", f"  %0:{count} = affine.delinearize_index %a into ({_many(count, '2')}) : {_many(count, 'index')}\n  %1 = affine.linearize_index [{listed(count, '%0#{0}')}] by ({_many(count, '2')}) : index\n  \"x.y\"(%1) : (index) -> ()\n")


def _transpose(rank: int) -> str:
    dims, kind = listed(rank, "d{0}"), f"memref<{'1x' * rank}f32>"
    strided = f"memref<{'1x' * rank}f32, strided<[{_many(rank, '1')}]>>"
    return function(f"%v: {kind}", f"  %0 = memref.transpose %v ({dims}) -> ({dims}) : {kind} to {strided}\n")


def _generic(rank: int) -> str:
    dims, kind = listed(rank, "d{0}"), f"memref<{'1x' * rank}f32>"
    iterators = _many(rank, '"parallel"')
    return f"#m = affine_map<({dims}) -> ({dims})>\n" + function(f"%v: {kind}", f"  linalg.generic {{indexing_maps = [#m], iterator_types = [{iterators}]}} outs(%v : {kind}) {{\n  ^bb0(%x: f32):\n    linalg.yield %x : f32\n  }}\n")


def _generic_operands(count: int) -> str:
    return "#m = affine_map<(d0) -> (d0)>\n" + function("%v: memref<4xf32>", f"  linalg.generic {{indexing_maps = [{_many(count, '#m')}], iterator_types = [\"parallel\"]}} ins({_many(count - 1, '%v')} : {_many(count - 1, 'memref<4xf32>')}) outs(%v : memref<4xf32>) {{\n  ^bb0({listed(count, '%x{0}: f32')}):\n    linalg.yield %x0 : f32\n  }}\n")


def _rank(line: str, arguments: str = "", results: str = "") -> Make:
    """Something of a type of so many dimensions: `{ones}` is `1x1x`, `{c}` and `{a}` a list of `%c` and of `%a`,
    `{n}` one of numbers, `{one}` of ones, `{zero}` of zeros, `{q}` of `?`."""

    def make(rank: int) -> str:
        words = {"ones": "1x" * rank, "dyn": "?x" * rank, "c": _many(rank, "%c"), "n": listed(rank, "{0}"), "one": _many(rank, "1"), "zero": _many(rank, "0"), "q": _many(rank, "?"), "a": _many(rank, "%a"), "rank": str(rank), "strs": _many(rank, '"parallel"'), "lt": _many(rank, "true"), "dims": listed(rank, "d{0}"), "nested": "[" * min(rank, 90), "tested": "]" * min(rank, 90)}
        return function(arguments.format(**words), "  %c = arith.constant 0 : index\n" + "".join(f"  {body_line}\n" for body_line in line.format(**words).split("\n")))

    return make


def _nested(opening: str, closing: str, arguments: str, inside: str = "") -> Make:
    """At most as deep as the limits allow, and so many of these nests."""

    def make(count: int) -> str:
        deep = 80
        nest = "".join(opening.format(n) for n in range(deep)) + inside + closing * deep
        return function(arguments, nest * count)

    return make


def _aliases(form: str, use: str, sigil: str) -> Make:
    """So many aliases, each used once."""
    return lambda n: "".join(f"{sigil}a{k} = {form.format(k)}\n" for k in range(n)) + use_all(n, use, sigil)


def use_all(count: int, use: str, sigil: str) -> str:
    return function("", "".join("  " + use.format(f"{sigil}a{k}") + "\n" for k in range(count)))


def _affine_map(results: str, dims: int = 2) -> Make:
    return lambda n: f"#m = affine_map<({listed(dims, 'd{0}')}) -> ({results.format(sum=listed(n, 'd0 * {0}', ' + '), mods=listed(n, '(d0 + {0}) mod 3', ' + '), divs='d0' + ' floordiv 2' * n, many=listed(n, 'd0 + {0}'))})>\n" + function("%a: index", f"  %0 = affine.apply #m({_many(dims, '%a')})\n  \"x.y\"(%0) : (index) -> ()\n")


def _minmax(count: int) -> str:
    return f"#m = affine_map<(d0) -> ({listed(count, 'd0 + {0}')})>\n" + function("%a: index", "  %0 = affine.max #m(%a)\n  %1 = affine.min #m(%a)\n  \"x.y\"(%0, %1) : (index, index) -> ()\n")


def _wide_map(count: int) -> str:
    dims = listed(count, "d{0}")
    return f"#m = affine_map<({dims}) -> ({dims.replace(', ', ' + ')})>\n" + function("%a: index", f"  %0 = affine.apply #m({_many(count, '%a')})\n  \"x.y\"(%0) : (index) -> ()\n")


def _wide_map_values(count: int) -> str:
    dims = listed(count, "d{0}")
    arguments = listed(count, "%a{0}: index")
    return f"#m = affine_map<({dims}) -> ({dims.replace(', ', ' + ')})>\n" + function(arguments, f"  %0 = affine.apply #m({listed(count, '%a{0}')})\n  \"x.y\"(%0) : (index) -> ()\n")


def _affine_set(count: int) -> str:
    conditions = listed(count, "d0 - {0} >= 0")
    return f"#s = affine_set<(d0) : ({conditions})>\n" + function("%a: index", "  affine.if #s(%a) {\n    \"x.y\"() : () -> ()\n  }\n")


def _calls(count: int) -> str:
    return "".join(f"func.func @f{n}(%a: i32) -> i32 {{\n  %0 = func.call @f{n + 1}(%a) : (i32) -> i32\n  return %0 : i32\n}}\n" for n in range(count)) + f"func.func private @f{count}(i32) -> i32\n"


def _calls_backward(count: int) -> str:
    return "func.func private @f0(i32) -> i32\n" + "".join(f"func.func @f{n + 1}(%a: i32) -> i32 {{\n  %0 = func.call @f{n}(%a) : (i32) -> i32\n  return %0 : i32\n}}\n" for n in range(count))


CHAINS: Final[dict[str, Make]] = {
    "trunc of ext": lambda n: function("%0: i32", "".join(f"  %{2 * k + 1} = arith.extsi %{2 * k} : i32 to i64\n  %{2 * k + 2} = arith.trunci %{2 * k + 1} : i64 to i32\n" for k in range(n)) + f"  \"x.y\"(%{2 * n}) : (i32) -> ()\n"),
    "ext of trunc": lambda n: function("%0: i64", "".join(f"  %{2 * k + 1} = arith.trunci %{2 * k} : i64 to i32\n  %{2 * k + 2} = arith.extsi %{2 * k + 1} : i32 to i64\n" for k in range(n)) + f"  \"x.y\"(%{2 * n}) : (i64) -> ()\n"),
    "growing ext": lambda n: function("%0: i1", "".join(f"  %{k + 1} = arith.extsi %{k} : i{k + 1} to i{k + 2}\n" for k in range(n)) + f"  \"x.y\"(%{n}) : (i{n + 1}) -> ()\n"),
    "shrinking trunc": lambda n: function(f"%0: i{n + 1}", "".join(f"  %{k + 1} = arith.trunci %{k} : i{n + 1 - k} to i{n - k}\n" for k in range(n)) + f"  \"x.y\"(%{n}) : (i1) -> ()\n"),
    "index casts": lambda n: function("%0: index", "".join(f"  %{2 * k + 1} = arith.index_cast %{2 * k} : index to i32\n  %{2 * k + 2} = arith.index_cast %{2 * k + 1} : i32 to index\n" for k in range(n)) + f"  \"x.y\"(%{2 * n}) : (index) -> ()\n"),
    "memref casts": lambda n: function("%0: memref<?xf32>", "".join(f"  %{2 * k + 1} = memref.cast %{2 * k} : memref<?xf32> to memref<4xf32>\n  %{2 * k + 2} = memref.cast %{2 * k + 1} : memref<4xf32> to memref<?xf32>\n" for k in range(n)) + f"  \"x.y\"(%{2 * n}) : (memref<?xf32>) -> ()\n"),
    "tensor casts": lambda n: function("%0: tensor<?xf32>", "".join(f"  %{2 * k + 1} = tensor.cast %{2 * k} : tensor<?xf32> to tensor<4xf32>\n  %{2 * k + 2} = tensor.cast %{2 * k + 1} : tensor<4xf32> to tensor<?xf32>\n" for k in range(n)) + f"  \"x.y\"(%{2 * n}) : (tensor<?xf32>) -> ()\n"),
    "unrealized casts": lambda n: function("%0: i32", "".join(f"  %{k + 1} = builtin.unrealized_conversion_cast %{k} : {'i32 to i64' if k % 2 == 0 else 'i64 to i32'}\n" for k in range(2 * n)) + f"  \"x.y\"(%{2 * n}) : (i32) -> ()\n"),
    "add a constant": lambda n: function("%0: i32", "  %c = arith.constant 3 : i32\n" + lines(n, "  %{0} = arith.addi %{1}, %c : i32\n") + f"  \"x.y\"(%{n}) : (i32) -> ()\n"),
    "add a new constant": lambda n: function("%0: i32", lines(n, "  %c{0} = arith.constant {0} : i32\n  %{0} = arith.addi %{1}, %c{0} : i32\n") + f"  \"x.y\"(%{n}) : (i32) -> ()\n"),
    "mul a constant": lambda n: function("%0: i32", "  %c = arith.constant 3 : i32\n" + lines(n, "  %{0} = arith.muli %{1}, %c : i32\n") + f"  \"x.y\"(%{n}) : (i32) -> ()\n"),
    "sub a constant": lambda n: function("%0: i32", "  %c = arith.constant 3 : i32\n" + lines(n, "  %{0} = arith.subi %{1}, %c : i32\n") + f"  \"x.y\"(%{n}) : (i32) -> ()\n"),
    "xor a constant": lambda n: function("%0: i32", "  %c = arith.constant 3 : i32\n" + lines(n, "  %{0} = arith.xori %{1}, %c : i32\n") + f"  \"x.y\"(%{n}) : (i32) -> ()\n"),
    "mulsi constants": lambda n: function("", "  %0 = arith.constant 12345678901234567891 : i4096\n" + lines(n, "  %{0} = arith.muli %{1}, %{1} : i4096\n") + f"  \"x.y\"(%{n}) : (i4096) -> ()\n"),
    "ipowi constants": lambda n: function("", "  %0 = arith.constant 3 : i64\n" + lines(n, "  %{0} = math.ipowi %{1}, %{1} : i64\n") + f"  \"x.y\"(%{n}) : (i64) -> ()\n"),
    "ipowi constants i4096": lambda n: function("", "  %0 = arith.constant 3 : i4096\n" + lines(n, "  %{0} = math.ipowi %{1}, %{1} : i4096\n") + f"  \"x.y\"(%{n}) : (i4096) -> ()\n"),
    "doubled": chain("%0: i32", "%u = arith.constant 0 : i32", "%{0} = arith.addi %{1}, %{1} : i32"),
    "doubled constants": chain("", "%0 = arith.constant 1 : i32", "%{0} = arith.addi %{1}, %{1} : i32"),
    "select": chain("%0: i32, %c: i1", "%u = arith.constant 0 : i32", "%{0} = arith.select %c, %{1}, %u : i32"),
    "select both": chain("%0: i32, %c: i1", "%u = arith.constant 0 : i32", "%{0} = arith.select %c, %{1}, %{1} : i32"),
    "cmp and select": chain("%0: i32", "%u = arith.constant 0 : i32", "%b{0} = arith.cmpi slt, %{1}, %u : i32\n  %{0} = arith.select %b{0}, %{1}, %u : i32"),
    "affine.apply doubled": lambda n: "#m = affine_map<(d0) -> (d0 floordiv 2 + d0 floordiv 3)>\n" + chain("%a: index", "%0 = affine.apply #m(%a)", "%{0} = affine.apply #m(%{1})")(n),
    "affine.apply of one": lambda n: "#m = affine_map<(d0) -> (d0 + 1)>\n" + chain("%a: index", "%0 = affine.apply #m(%a)", "%{0} = affine.apply #m(%{1})")(n),
    "affine.apply with another": lambda n: "#m = affine_map<(d0, d1) -> (d0 + d1)>\n" + function(listed(n + 1, "%a{0}: index"), "  %0 = affine.apply #m(%a0, %a0)\n" + lines(n, "  %{0} = affine.apply #m(%{1}, %a{0})\n") + f"  \"x.y\"(%{n}) : (index) -> ()\n"),
    "affine.min": lambda n: "#m = affine_map<(d0) -> (d0 floordiv 2, d0 mod 7)>\n" + chain("%a: index", "%0 = affine.min #m(%a)", "%{0} = affine.min #m(%{1})")(n),
    "affine.min used": lambda n: "#m = affine_map<(d0) -> (d0 + 1, d0 mod 7)>\n" + function("%0: index", lines(n, "  %{0} = affine.min #m(%{1})\n") + f"  \"x.y\"(%{n}) : (index) -> ()\n"),
    "subviews": lambda n: function("%0: memref<?xf32>, %a: index", "  %1 = memref.subview %0[%a] [%a] [1] : memref<?xf32> to memref<?xf32, strided<[1], offset: ?>>\n" + "".join(f"  %{k + 1} = memref.subview %{k}[%a] [%a] [1] : memref<?xf32, strided<[1], offset: ?>> to memref<?xf32, strided<[1], offset: ?>>\n" for k in range(1, n)) + f"  \"x.y\"(%{n}) : (memref<?xf32, strided<[1], offset: ?>>) -> ()\n"),
    "subviews of constants": lambda n: function("%0: memref<?xf32>", "  %1 = memref.subview %0[1] [100] [1] : memref<?xf32> to memref<100xf32, strided<[1], offset: 1>>\n" + "".join(f"  %{k + 1} = memref.subview %{k}[1] [100] [1] : memref<100xf32, strided<[1], offset: {k}>> to memref<100xf32, strided<[1], offset: {k + 1}>>\n" for k in range(1, n)) + f"  \"x.y\"(%{n}) : (memref<100xf32, strided<[1], offset: {n}>>) -> ()\n"),
    "extract_slice": chain("%0: tensor<?xf32>, %a: index", "%u = arith.constant 0 : i32", "%{0} = tensor.extract_slice %{1}[%a] [%a] [1] : tensor<?xf32> to tensor<?xf32>"),
    "insert_slice": chain("%0: tensor<?xf32>, %a: index, %s: tensor<4xf32>", "%u = arith.constant 0 : i32", "%{0} = tensor.insert_slice %s into %{1}[%a] [4] [1] : tensor<4xf32> into tensor<?xf32>"),
    "tensor.insert": chain("%0: tensor<?xf32>, %a: index, %s: f32", "%u = arith.constant 0 : i32", "%{0} = tensor.insert %s into %{1}[%a] : tensor<?xf32>"),
    "tensor.insert used": lambda n: function("%0: tensor<?xf32>, %a: index, %s: f32", lines(n, "  %{0} = tensor.insert %s into %{1}[%a] : tensor<?xf32>\n") + f"  \"x.y\"(%{n}) : (tensor<?xf32>) -> ()\n"),
    "vector.insert": lambda n: function("%0: vector<4xf32>, %s: f32", lines(n, "  %{0} = vector.insert %s, %{1}[2] : f32 into vector<4xf32>\n") + f"  \"x.y\"(%{n}) : (vector<4xf32>) -> ()\n"),
    "vector.insert then extract": lambda n: function("%0: vector<4xf32>, %s: f32", lines(n, "  %{0} = vector.insert %s, %{1}[2] : f32 into vector<4xf32>\n  %e{0} = vector.extract %{0}[1] : f32 from vector<4xf32>\n  \"x.y\"(%e{0}) : (f32) -> ()\n")),
    "vector.extract of insert": lambda n: function("%0: vector<4xf32>, %s: f32", lines(n, "  %{0} = vector.insert %s, %{1}[2] : f32 into vector<4xf32>\n") + lines(n, "  %e{0} = vector.extract %{0}[1] : f32 from vector<4xf32>\n  \"x.y\"(%e{0}) : (f32) -> ()\n")),
    "vector.transpose": lambda n: function("%0: vector<2x2xf32>", lines(n, "  %{0} = vector.transpose %{1}, [1, 0] : vector<2x2xf32> to vector<2x2xf32>\n") + f"  \"x.y\"(%{n}) : (vector<2x2xf32>) -> ()\n"),
    "vector.shape_cast": lambda n: function("%0: vector<4xf32>", "".join(f"  %{2 * k + 1} = vector.shape_cast %{2 * k} : vector<4xf32> to vector<2x2xf32>\n  %{2 * k + 2} = vector.shape_cast %{2 * k + 1} : vector<2x2xf32> to vector<4xf32>\n" for k in range(n)) + f"  \"x.y\"(%{2 * n}) : (vector<4xf32>) -> ()\n"),
    "vector.broadcast": lambda n: function("%s: f32", lines(n, "  %{0} = vector.broadcast %s : f32 to vector<4xf32>\n  \"x.y\"(%{0}) : (vector<4xf32>) -> ()\n")),
    "insertvalue": lambda n: llvm("%s: i32", "  %0 = llvm.mlir.undef : !llvm.struct<(i32, i32)>\n" + lines(n, "  %{0} = llvm.insertvalue %s, %{1}[1] : !llvm.struct<(i32, i32)>\n")),
    "extractvalue of insertvalue": lambda n: llvm("%s: i32, %x: !llvm.struct<(i32, i32)>", "  %0 = llvm.mlir.undef : !llvm.struct<(i32, i32)>\n" + lines(n, "  %{0} = llvm.insertvalue %s, %{1}[1] : !llvm.struct<(i32, i32)>\n") + lines(n, "  %e{0} = llvm.extractvalue %{0}[0] : !llvm.struct<(i32, i32)>\n  llvm.call @g(%e{0}) : (i32) -> ()\n")) + "llvm.func @g(i32)\n",
    "getelementptr": lambda n: llvm("%0: !llvm.ptr", lines(n, "  %{0} = llvm.getelementptr %{1}[1] : (!llvm.ptr) -> !llvm.ptr, i32\n")),
    "llvm.bitcast": lambda n: llvm("%0: i32", lines(n, "  %a{0} = llvm.bitcast %{1} : i32 to f32\n  %{0} = llvm.bitcast %a{0} : f32 to i32\n")),
    "llvm.add constant expressions": lambda n: llvm("", "  %0 = llvm.mlir.constant(1 : i32) : i32\n" + lines(n, "  %{0} = llvm.add %{1}, %{1} : i32\n")),
    "reshapes": lambda n: function("%0: tensor<4x4xf32>", "".join(f"  %{2 * k + 1} = tensor.collapse_shape %{2 * k} [[0, 1]] : tensor<4x4xf32> into tensor<16xf32>\n  %{2 * k + 2} = tensor.expand_shape %{2 * k + 1} [[0, 1]] output_shape [4, 4] : tensor<16xf32> into tensor<4x4xf32>\n" for k in range(n)) + f"  \"x.y\"(%{2 * n}) : (tensor<4x4xf32>) -> ()\n"),
    "memref reshapes": lambda n: function("%0: memref<4x4xf32>", "".join(f"  %{2 * k + 1} = memref.collapse_shape %{2 * k} [[0, 1]] : memref<4x4xf32> into memref<16xf32>\n  %{2 * k + 2} = memref.expand_shape %{2 * k + 1} [[0, 1]] output_shape [4, 4] : memref<16xf32> into memref<4x4xf32>\n" for k in range(n)) + f"  \"x.y\"(%{2 * n}) : (memref<4x4xf32>) -> ()\n"),
    "concat": lambda n: function("%0: tensor<4xf32>", f"  %r = tensor.concat dim(0) {_many(n, '%0')} : ({_many(n, 'tensor<4xf32>')}) -> tensor<{4 * n}xf32>\n"),
    "from_elements": lambda n: function("%s: f32", f"  %r = tensor.from_elements {_many(n, '%s')} : tensor<{n}xf32>\n  \"x.y\"(%r) : (tensor<{n}xf32>) -> ()\n"),
    "from_elements constants": lambda n: function("", f"  %s = arith.constant 1.0 : f32\n  %r = tensor.from_elements {_many(n, '%s')} : tensor<{n}xf32>\n  \"x.y\"(%r) : (tensor<{n}xf32>) -> ()\n"),
    "from_elements extracted": lambda n: function(listed(n, "%s{0}: f32"), f"  %r = tensor.from_elements {listed(n, '%s{0}')} : tensor<{n}xf32>\n" + "".join(f"  %c{k} = arith.constant {k} : index\n  %e{k} = tensor.extract %r[%c{k}] : tensor<{n}xf32>\n  \"x.y\"(%e{k}) : (f32) -> ()\n" for k in range(n))),
    "vector.from_elements": lambda n: function("%s: f32", f"  %r = vector.from_elements {_many(n, '%s')} : vector<{n}xf32>\n  \"x.y\"(%r) : (vector<{n}xf32>) -> ()\n"),
    "vector.from_elements of unlike": lambda n: function(listed(n, "%s{0}: f32"), f"  %r = vector.from_elements {listed(n, '%s{0}')} : vector<{n}xf32>\n  \"x.y\"(%r) : (vector<{n}xf32>) -> ()\n"),
    "vector.to_elements": lambda n: function(f"%v: vector<{n}xf32>", f"  %r:{n} = vector.to_elements %v : vector<{n}xf32>\n  \"x.y\"({listed(n, '%r#{0}')}) : ({_many(n, 'f32')}) -> ()\n"),
    "vector.shuffle": lambda n: function("%v: vector<4xf32>", f"  %0 = vector.shuffle %v, %v [{_many(n, '0')}] : vector<4xf32>, vector<4xf32>\n"),
    "vector of many, extracted": lambda n: function(f"%v: vector<{n}xf32>", "".join(f"  %{k} = vector.extract %v[{k}] : f32 from vector<{n}xf32>\n" for k in range(n))),
    "dense constant extracted": lambda n: function("", f"  %v = arith.constant dense<[{listed(n, '{0}.0')}]> : tensor<{n}xf32>\n" + "".join(f"  %c{k} = arith.constant {k} : index\n  %{k} = tensor.extract %v[%c{k}] : tensor<{n}xf32>\n  \"x.y\"(%{k}) : (f32) -> ()\n" for k in range(n))),
    "dense constant added": lambda n: function("", f"  %v = arith.constant dense<[{listed(n, '{0}')}]> : tensor<{n}xi32>\n  %0 = arith.addi %v, %v : tensor<{n}xi32>\n  %1 = arith.muli %0, %v : tensor<{n}xi32>\n  \"x.y\"(%1) : (tensor<{n}xi32>) -> ()\n"),
    "dense vector added": lambda n: function("", f"  %v = arith.constant dense<[{listed(n, '{0}')}]> : vector<{n}xi32>\n  %0 = arith.addi %v, %v : vector<{n}xi32>\n  %1 = arith.muli %0, %v : vector<{n}xi32>\n  \"x.y\"(%1) : (vector<{n}xi32>) -> ()\n"),
    "dense vectors in a chain": lambda n: function("", f"  %0 = arith.constant dense<[{listed(32, '{0}')}]> : vector<32xi32>\n  %v = arith.constant dense<7> : vector<32xi32>\n" + lines(n, "  %{0} = arith.muli %{1}, %v : vector<32xi32>\n") + f"  \"x.y\"(%{n}) : (vector<32xi32>) -> ()\n"),
    "dense<> of many dimensions": lambda n: function("", f"  %0 = arith.constant dense<{'[' * 60 + '1' + ']' * 60}> : tensor<{'1x' * 60}i32>\n" * 1 + lines(n, "  %c{0} = arith.constant dense<" + "[" * 60 + "1" + "]" * 60 + "> : tensor<" + "1x" * 60 + "i32>\n")),
    "stores and loads": row("%m: memref<?xf32>, %i: index, %v: f32", "memref.store %v, %m[%i] : memref<?xf32>\n  %{0} = memref.load %m[%i] : memref<?xf32>"),
    "loads": row("%m: memref<?xf32>, %i: index", "%{0} = memref.load %m[%i] : memref<?xf32>"),
    "affine stores and loads": row("%m: memref<10xf32>, %v: f32", "affine.store %v, %m[3] : memref<10xf32>\n  %{0} = affine.load %m[3] : memref<10xf32>"),
    "allocs": row("", "%{0} = memref.alloc() : memref<4xf32>"),
    "allocs used": row("%v: f32, %i: index", "%{0} = memref.alloc() : memref<4xf32>\n  memref.store %v, %{0}[%i] : memref<4xf32>\n  memref.dealloc %{0} : memref<4xf32>"),
    "allocas": row("%v: f32, %i: index", "%{0} = memref.alloca() : memref<4xf32>\n  memref.store %v, %{0}[%i] : memref<4xf32>"),
    "assertions": row("%c: i1", 'cf.assert %c, "message {0}"'),
    "equal assertions": row("%c: i1", 'cf.assert %c, "message"'),
    "prints": row("%v: vector<4xf32>", "vector.print %v : vector<4xf32>"),
    "printed strings": row("", 'vector.print str "text {0}"'),
    "scf.for": row("%a: index", "scf.for %i{0} = %a to %a step %a {{\n  }}"),
    "scf.for used": row("%a: index", "scf.for %i{0} = %a to %a step %a {{\n    \"x.y\"(%i{0}) : (index) -> ()\n  }}"),
    "scf.for with stores": row("%a: index, %m: memref<?xf32>, %v: f32", "scf.for %i{0} = %a to %a step %a {{\n    memref.store %v, %m[%i{0}] : memref<?xf32>\n  }}"),
    "scf.for chained": lambda n: function("%a: index, %0: i32", lines(n, "  %{0} = scf.for %i{0} = %a to %a step %a iter_args(%x{0} = %{1}) -> (i32) {{\n    %y{0} = arith.addi %x{0}, %x{0} : i32\n    scf.yield %y{0} : i32\n  }}\n") + f"  \"x.y\"(%{n}) : (i32) -> ()\n"),
    "scf.if": row("%c: i1", "scf.if %c {{\n    \"x.y\"() : () -> ()\n  }} else {{\n    \"x.z\"() : () -> ()\n  }}"),
    "scf.if chained": lambda n: function("%c: i1, %0: i32", lines(n, "  %{0} = scf.if %c -> (i32) {{\n    %y{0} = arith.addi %{1}, %{1} : i32\n    scf.yield %y{0} : i32\n  }} else {{\n    scf.yield %{1} : i32\n  }}\n") + f"  \"x.y\"(%{n}) : (i32) -> ()\n"),
    "scf.while": row("%c: i1", "scf.while : () -> () {{\n    scf.condition(%c)\n  }} do {{\n    scf.yield\n  }}"),
    "scf.parallel in a row": row("%a: index", "scf.parallel (%i{0}) = (%a) to (%a) step (%a) {{\n    \"x.y\"(%i{0}) : (index) -> ()\n  }}"),
    "scf.execute_region": row("%c: i1", "scf.execute_region {{\n    cf.cond_br %c, ^b{0}, ^c{0}\n  ^b{0}:\n    cf.br ^c{0}\n  ^c{0}:\n    scf.yield\n  }}"),
    "scf.index_switch in a row": row("%a: index", "scf.index_switch %a\n  case 1 {{\n    scf.yield\n  }}\n  default {{\n    \"x.y\"() : () -> ()\n  }}"),
    "affine.for": row("%m: memref<10xf32>", "affine.for %i{0} = 0 to 10 {{\n    %v{0} = affine.load %m[%i{0}] : memref<10xf32>\n    affine.store %v{0}, %m[%i{0}] : memref<10xf32>\n  }}"),
    "affine.if": lambda n: "#s = affine_set<(d0) : (d0 - 3 >= 0)>\n" + row("%a: index", "affine.if #s(%a) {{\n    \"x.y\"() : () -> ()\n  }}")(n),
    "linalg.generic in a row": lambda n: "#m = affine_map<(d0) -> (d0)>\n" + row("%v: memref<4xf32>", "linalg.generic {{indexing_maps = [#m, #m], iterator_types = [\"parallel\"]}} ins(%v : memref<4xf32>) outs(%v : memref<4xf32>) {{\n  ^bb0(%x: f32, %y: f32):\n    linalg.yield %x : f32\n  }}")(n),
    "linalg.generic on tensors": lambda n: "#m = affine_map<(d0) -> (d0)>\n" + chain("%0: tensor<4xf32>", "%u = arith.constant 0 : i32", "%{0} = linalg.generic {{indexing_maps = [#m, #m], iterator_types = [\"parallel\"]}} ins(%{1} : tensor<4xf32>) outs(%{1} : tensor<4xf32>) {{\n  ^bb0(%x: f32, %y: f32):\n    linalg.yield %x : f32\n  }} -> tensor<4xf32>")(n),
    "linalg.matmul": row("%v: memref<4x4xf32>", "linalg.matmul ins(%v, %v : memref<4x4xf32>, memref<4x4xf32>) outs(%v : memref<4x4xf32>)"),
    "linalg.matmul on tensors": chain("%0: tensor<4x4xf32>", "%u = arith.constant 0 : i32", "%{0} = linalg.matmul ins(%{1}, %{1} : tensor<4x4xf32>, tensor<4x4xf32>) outs(%{1} : tensor<4x4xf32>) -> tensor<4x4xf32>"),
    "linalg.fill": row("%v: memref<4x4xf32>, %s: f32", "linalg.fill ins(%s : f32) outs(%v : memref<4x4xf32>)"),
    "calls of one": lambda n: "func.func private @g(i32) -> i32\n" + chain("%0: i32", "%u = arith.constant 0 : i32", "%{0} = func.call @g(%{1}) : (i32) -> i32")(n),
    "unknown operations": row("%a: i32", '%{0} = "x.y"(%a) {{n = {0}}} : (i32) -> i32'),
    "unknown operations in a chain": chain("%0: i32", "%u = arith.constant 0 : i32", '%{0} = "x.y"(%{1}) : (i32) -> i32'),
    "unknown custom operations": row("%a: i32", "%{0} = x.y %a by {0} : i32"),
    "constants": row("", "%{0} = arith.constant {0} : i32"),
    "equal constants": row("", "%{0} = arith.constant 7 : i32"),
    "constants used": row("", "%{0} = arith.constant {0} : i32\n  \"x.y\"(%{0}) : (i32) -> ()"),
    "equal constants used": row("", "%{0} = arith.constant 7 : i32\n  \"x.y\"(%{0}) : (i32) -> ()"),
    "constants first, then used": lambda n: function("", lines(n, "  %{0} = arith.constant {0} : i32\n") + lines(n, "  \"x.y\"(%{0}) : (i32) -> ()\n")),
    "async.execute": row("", "%t{0} = async.execute {{\n    \"x.y\"() : () -> ()\n    async.yield\n  }}"),
    "omp.parallel": row("", "omp.parallel {{\n    omp.terminator\n  }}"),
    "gpu.launch_func": row("%a: index", "gpu.barrier"),
    "complex": chain("%0: complex<f32>", "%u = arith.constant 0 : i32", "%{0} = complex.mul %{1}, %{1} : complex<f32>"),
    "complex create and re": lambda n: function("%0: f32", lines(n, "  %c{0} = complex.create %{1}, %{1} : complex<f32>\n  %{0} = complex.re %c{0} : complex<f32>\n") + f"  \"x.y\"(%{n}) : (f32) -> ()\n"),
    "math.exp": chain("%0: f32", "%u = arith.constant 0 : i32", "%{0} = math.exp %{1} : f32"),
    "math on vectors": chain("%0: vector<4xf32>", "%u = arith.constant 0 : i32", "%{0} = math.sin %{1} : vector<4xf32>"),
    "math.exp constants": chain("", "%0 = arith.constant 0.5 : f32", "%{0} = math.exp %{1} : f32"),
    "addf constants": chain("", "%0 = arith.constant 0.5 : f32", "%{0} = arith.addf %{1}, %{1} : f32"),
    "tosa": chain("%0: tensor<4xf32>", "%u = arith.constant 0 : i32", "%{0} = tosa.exp %{1} : (tensor<4xf32>) -> tensor<4xf32>"),
    "tosa constants": lambda n: function("", "  %0 = \"tosa.const\"() <{values = dense<1> : tensor<4xi32>}> : () -> tensor<4xi32>\n" + lines(n, "  %{0} = tosa.add %{1}, %{1} : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>\n") + f"  \"x.y\"(%{n}) : (tensor<4xi32>) -> ()\n"),
    "shape": chain("%0: !shape.size", "%u = arith.constant 0 : i32", "%{0} = shape.add %{1}, %{1} : !shape.size, !shape.size -> !shape.size"),
    "shape.broadcast": lambda n: function("%s: !shape.shape", f"  %0 = shape.broadcast {_many(n, '%s')} : {_many(n, '!shape.shape')} -> !shape.shape\n  \"x.y\"(%0) : (!shape.shape) -> ()\n"),
    "shape.assuming_all": lambda n: function("%s: !shape.witness", f"  %0 = shape.assuming_all {_many(n, '%s')}\n  \"x.y\"(%0) : (!shape.witness) -> ()\n"),
    "dims": row("%m: memref<?xf32>", "%c{0} = arith.constant 0 : index\n  %{0} = memref.dim %m, %c{0} : memref<?xf32>\n  \"x.y\"(%{0}) : (index) -> ()"),
    "dim of alloc": row("%a: index", "%c{0} = arith.constant 0 : index\n  %m{0} = memref.alloc(%a) : memref<?xf32>\n  %{0} = memref.dim %m{0}, %c{0} : memref<?xf32>\n  \"x.y\"(%{0}) : (index) -> ()"),
    "transfer_read": row("%m: memref<8xf32>, %p: f32", "%c{0} = arith.constant 0 : index\n  %{0} = vector.transfer_read %m[%c{0}], %p : memref<8xf32>, vector<4xf32>\n  vector.transfer_write %{0}, %m[%c{0}] : vector<4xf32>, memref<8xf32>"),
    "transfer_write on tensors": lambda n: function("%0: tensor<8xf32>, %p: f32, %v: vector<4xf32>", "  %c = arith.constant 0 : index\n" + lines(n, "  %{0} = vector.transfer_write %v, %{1}[%c] {{in_bounds = [true]}} : vector<4xf32>, tensor<8xf32>\n") + f"  \"x.y\"(%{n}) : (tensor<8xf32>) -> ()\n"),
    "contract": lambda n: "#a = affine_map<(i, j, k) -> (i, k)>\n#b = affine_map<(i, j, k) -> (k, j)>\n#c = affine_map<(i, j, k) -> (i, j)>\n" + row("%a: vector<2x2xf32>", '%{0} = vector.contract {{indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>}} %a, %a, %a : vector<2x2xf32>, vector<2x2xf32> into vector<2x2xf32>')(n),
    "undefined names": row("", "%{0} = arith.addi %n{0}, %n{0} : i32"),
    "an undefined name": row("", "%{0} = arith.addi %n, %n : i32"),
    "redefined names": row("%a: i32", "%x = arith.addi %a, %a : i32"),
    "names before their definition": lambda n: function("%a: i32", "  cf.br ^c\n^b:\n" + lines(n, "  \"x.y\"(%{0}) : (i32) -> ()\n") + "  cf.br ^e\n^c:\n" + lines(n, "  %{0} = arith.addi %a, %a : i32\n") + "  cf.br ^b\n^e:\n"),
    "wrong types": row("%a: i32", "%{0} = arith.addf %a, %a : f32"),
    "verifier's errors": row("%a: i32", "%{0} = arith.trunci %a : i32 to i64"),
    "syntax errors": row("%a: i32", "%{0} = arith.addi %a %a : i32"),
    "unlike syntax errors": row("%a: i32", "%{0} = arith.addi %a [{0} %a : i32"),
    "unknown symbols": row("", "func.call @g{0}() : () -> ()"),
    "equal symbols": lambda n: "func.func private @f()\n" * n,
    "unlike types": lambda n: function("", lines(n, "  %{0} = \"x.y\"() : () -> i{0}\n")),
    "unlike shapes": lambda n: function("", lines(n, "  %{0} = memref.alloc() : memref<{0}x{0}xf32>\n")),
    "unlike structs": lambda n: llvm("", lines(n, "  %{0} = llvm.mlir.undef : !llvm.struct<(i32, array<{0} x i8>)>\n")),
    "named structs": lambda n: llvm("", lines(n, "  %{0} = llvm.mlir.undef : !llvm.struct<\"s{0}\", (i32, array<{0} x i8>)>\n")),
    "block addresses": lambda n: llvm("", lines(n, "  %a{0} = llvm.blockaddress <function = @f, tag = <id = {0}>> : !llvm.ptr\n") + "  llvm.br ^b1\n" + lines(n, "^b{0}:\n  llvm.blocktag <id = {0}>\n  llvm.br ^b{2}\n") + f"^b{n + 1}:\n"),
    "phis": lambda n: llvm("%a: i32, %c: i1", "  llvm.br ^b1(%a : i32)\n" + lines(n, "^b{0}(%x{0}: i32):\n  llvm.cond_br %c, ^b{2}(%x{0} : i32), ^e(%x{0} : i32)\n") + f"^b{n + 1}(%z: i32):\n  llvm.br ^e(%z : i32)\n^e(%w: i32):\n"),
    "locations": lambda n: function("", lines(n, "  \"x.y\"() : () -> () loc(\"file.mlir\":{0}:3)\n")),
    "fused locations": lambda n: function("", f"  \"x.y\"() : () -> () loc(fused[{', '.join(chr(34) + str(k) + chr(34) for k in range(n))}])\n"),
    "location aliases": lambda n: "".join(f"#loc{k} = loc(\"f\":{k}:1)\n" for k in range(n)) + function("", "".join(f"  \"x.y\"() : () -> () loc(#loc{k})\n" for k in range(n))),
    "chained location aliases": lambda n: "#loc0 = loc(\"f\":1:1)\n" + "".join(f"#loc{k + 1} = loc(fused[#loc{k // 2}, \"x{k}\"])\n" for k in range(n)) + function("", "".join(f"  \"x.y\"() : () -> () loc(#loc{k})\n" for k in range(n))),
    "functions": lambda n: "".join(f"func.func @f{k}(%a: i32) -> i32 {{\n  %0 = arith.addi %a, %a : i32\n  return %0 : i32\n}}\n" for k in range(n)),
    "private functions": lambda n: "".join(f"func.func private @f{k}(i32) -> i32\n" for k in range(n)),
    "functions that call the next": _calls,
    "functions that call the last": _calls_backward,
    "functions that all call one": lambda n: "func.func private @g()\n" + "".join(f"func.func @f{k}() {{\n  call @g() : () -> ()\n  return\n}}\n" for k in range(n)),
    "a function that calls all": lambda n: "".join(f"func.func private @f{k}()\n" for k in range(n)) + function("", "".join(f"  call @f{k}() : () -> ()\n" for k in range(n))).replace("@f(", "@main("),
    "globals": lambda n: "".join(f"memref.global \"private\" constant @g{k} : memref<4xf32> = dense<{k}.0>\n" for k in range(n)),
    "globals used": lambda n: "".join(f"memref.global \"private\" constant @g{k} : memref<4xf32> = dense<{k}.0>\n" for k in range(n)) + function("", "".join(f"  %{k} = memref.get_global @g{k} : memref<4xf32>\n" for k in range(n))),
    "llvm globals": lambda n: "".join(f"llvm.mlir.global internal @g{k}({k} : i32) : i32\n" for k in range(n)) + llvm("", "".join(f"  %{k} = llvm.mlir.addressof @g{k} : !llvm.ptr\n" for k in range(n))),
    "modules": lambda n: "".join(f"module @m{k} {{\n  func.func @f() {{\n    return\n  }}\n}}\n" for k in range(n)),
    "splits": lambda n: "func.func @f(%a: i32) {\n  return\n}\n// -----\n" * n,
    "arguments": lambda n: function(listed(n, "%a{0}: i32"), ""),
    "arguments used": lambda n: function(listed(n, "%a{0}: i32"), "".join(f"  \"x.y\"(%a{k}) : (i32) -> ()\n" for k in range(n))),
    "memref arguments": lambda n: function(listed(n, "%a{0}: memref<?x?xf32>"), "".join(f"  \"x.y\"(%a{k}) : (memref<?x?xf32>) -> ()\n" for k in range(n))),
    "arguments with attributes": lambda n: function(listed(n, "%a{0}: i32 {{x.n = {0}}}"), ""),
    "results": lambda n: function("%a: i32", "", f" -> ({_many(n, 'i32')})", f"return {_many(n, '%a')} : {_many(n, 'i32')}"),
    "results of a call": lambda n: f"func.func private @g() -> ({_many(n, 'i32')})\n" + function("", f"  %r:{n} = func.call @g() : () -> ({_many(n, 'i32')})\n" + "".join(f"  \"x.y\"(%r#{k}) : (i32) -> ()\n" for k in range(n))),
    "operands of a call": lambda n: f"func.func private @g({_many(n, 'i32')})\n" + function("%a: i32", f"  func.call @g({_many(n, '%a')}) : ({_many(n, 'i32')}) -> ()\n"),
    "block arguments": lambda n: function("%a: i32", f"  cf.br ^b({_many(n, '%a')} : {_many(n, 'i32')})\n^b({listed(n, '%x{0}: i32')}):\n  \"x.y\"({listed(n, '%x{0}')}) : ({_many(n, 'i32')}) -> ()\n"),
    "block arguments of a loop": lambda n: function("%a: i32, %c: i1", f"  cf.br ^b({_many(n, '%a')} : {_many(n, 'i32')})\n^b({listed(n, '%x{0}: i32')}):\n  cf.cond_br %c, ^b({listed(n, '%x{0}')} : {_many(n, 'i32')}), ^e\n^e:\n"),
    "blocks": _blocks,
    "blocks with conditions": _conditional_blocks,
    "diamonds": _diamonds,
    "equal blocks": _equal_blocks,
    "unlike blocks": _unlike_blocks,
    "blocks backward": _backward_blocks,
    "blocks that nobody reaches": lambda n: function("", "  return\n" + lines(n, "^b{0}:\n  cf.br ^b{0}\n") + "^z:\n"),
    "cf.switch": _switch,
    "llvm.switch": _llvm_switch,
    "llvm.switch with values": _llvm_switch_values,
    "scf.index_switch": _index_switch,
    "scf.index_switch with results": _index_switch_results,
    "scf.parallel": _parallel,
    "scf.forall": _forall,
    "scf.for iter_args": _carried,
    "scf.while values": _while,
    "scf.if results": _if_results,
    "affine.for iter_args": _affine_for,
    "affine.parallel": _affine_parallel,
    "delinearize_index": _delinearize,
    "delinearize_index dynamic": _delinearize_dynamic,
    "linearize_index": _linearize,
    "linearize of delinearize": _linearize_delinearize,
    "regions": lambda n: '"x.y"() (' + _many(n, "{}") + ") : () -> ()\n",
    "regions on lines": lambda n: '"x.y"() ({\n' + "}, {\n" * n + "}) : () -> ()\n",
    "regions of an unknown operation": lambda n: function("", "  foo.bar " + _many(n, "{\n  }") + "\n"),
    "regions and properties": lambda n: f'"x.y"() <{{cases = array<i64: {_many(n, "1")}>}}> ({{\n' + "}, {\n" * n + "}) : () -> ()\n",
    "operands and regions": lambda n: function("%a: i32", f'  "x.y"({_many(n, "%a")}) ({{\n' + "  }, {\n" * n + f'  }}) : ({_many(n, "i32")}) -> ()\n'),
    "regions with operations": lambda n: '"x.y"() (' + ", ".join(['{\n  "a.b"() : () -> ()\n}'] * n) + ") : () -> ()\n",
    "regions on one line": lambda n: '"x.y"() (' + ", ".join(['{ "a.b"() : () -> () }'] * n) + ") : () -> ()\n",
    "successors": lambda n: function("", f'  "x.y"() [{listed(n, "^b{0}")}] : () -> ()\n' + "".join(f"^b{k}:\n  \"x.z\"() : () -> ()\n" for k in range(n)), end='"x.e"() : () -> ()'),
    "operands of a wrong operation": lambda n: function("%a: memref<4xf32>", f'  "acc.declare"({_many(n, "%a")}) ({{}}) : ({_many(n, "memref<4xf32>")}) -> ()\n'),
    "operands": lambda n: function("%a: i32", f'  "x.y"({_many(n, "%a")}) : ({_many(n, "i32")}) -> ()\n'),
    "results of one": lambda n: function("", f'  %0:{n} = "x.y"() : () -> ({_many(n, "i32")})\n  "x.z"({listed(n, "%0#{0}")}) : ({_many(n, "i32")}) -> ()\n'),
    "results by name": lambda n: function("", f'  {listed(n, "%r{0}")} = "x.y"() : () -> ({_many(n, "i32")})\n  "x.z"({listed(n, "%r{0}")}) : ({_many(n, "i32")}) -> ()\n'),
    "attributes": lambda n: f'"x.y"() {{{listed(n, "a{0} = {0}")}}} : () -> ()\n',
    "properties": lambda n: f'"x.y"() <{{{listed(n, "a{0} = {0}")}}}> : () -> ()\n',
    "function attributes": lambda n: f'func.func private @f() attributes {{{listed(n, "x.a{0} = {0}")}}}\n',
    "equal keys": lambda n: f'"x.y"() {{{_many(n, "a = 1")}}} : () -> ()\n',
    "array attribute": lambda n: f'"x.y"() {{a = [{listed(n, "{0}")}]}} : () -> ()\n',
    "array of strings": lambda n: f'"x.y"() {{a = [{listed(n, chr(34) + "s{0}" + chr(34))}]}} : () -> ()\n',
    "array of arrays": lambda n: f'"x.y"() {{a = [{listed(n, "[{0}, {0}]")}]}} : () -> ()\n',
    "dense array": lambda n: f'"x.y"() {{a = array<i64: {listed(n, "{0}")}>}} : () -> ()\n',
    "dense elements": lambda n: f'"x.y"() {{a = dense<[{listed(n, "{0}")}]> : tensor<{n}xi64>}} : () -> ()\n',
    "dense floats": lambda n: f'"x.y"() {{a = dense<[{listed(n, "{0}.5")}]> : tensor<{n}xf64>}} : () -> ()\n',
    "dense strings": lambda n: f'"x.y"() {{a = dense<[{listed(n, chr(34) + "s{0}" + chr(34))}]> : tensor<{n}x!x.s>}} : () -> ()\n',
    "sparse elements": lambda n: f'"x.y"() {{a = sparse<[{listed(n, "[{0}, 0]")}], [{listed(n, "{0}")}]> : tensor<{n}x4xi64>}} : () -> ()\n',
    "long string": lambda n: f'"x.y"() {{a = "{"abc " * n}"}} : () -> ()\n',
    "long symbol path": lambda n: f'"x.y"() {{a = @a{"::@b" * n}}} : () -> ()\n',
    "long name": lambda n: function("%" + "a" * n + ": i32", "  \"x.y\"(%" + "a" * n + ") : (i32) -> ()\n"),
    "comments": lambda n: "// a comment\n" * n + function("", "  // another\n" * n),
    "blank lines": lambda n: "\n" * n + function("", "\n" * n),
    "tuple": lambda n: function(f"%a: tuple<{_many(n, 'i32')}>", ""),
    "function type": lambda n: function(f"%a: ({_many(n, 'i32')}) -> ({_many(n, 'i32')})", ""),
    "struct": lambda n: llvm(f"%a: !llvm.struct<({_many(n, 'i32')})>", ""),
    "insertvalues into a struct": lambda n: llvm("%s: i32, %0: !llvm.array<1000 x i32>", "".join(f"  %{k + 1} = llvm.insertvalue %s, %{k}[{k % 1000}] : !llvm.array<1000 x i32>\n" for k in range(n))),
    "dictionary attribute of a dialect": lambda n: f'"x.y"() {{a = #x.d<{listed(n, "a{0} = {0}")}>}} : () -> ()\n',
    "type of a dialect": lambda n: function(f"%a: !x.t<{listed(n, 'a{0}')}>", ""),
    "long shape": _rank('"x.y"(%m) : (memref<{ones}f32>) -> ()', "%m: memref<{ones}f32>"),
    "long tensor": _rank('"x.y"(%m) : (tensor<{ones}f32>) -> ()', "%m: tensor<{ones}f32>"),
    "long vector": _rank('"x.y"(%m) : (vector<{ones}f32>) -> ()', "%m: vector<{ones}f32>"),
    "long strides": _rank('"x.y"(%m) : (memref<{ones}f32, strided<[{one}]>>) -> ()', "%m: memref<{ones}f32, strided<[{one}]>>"),
    "dynamic shape": _rank('"x.y"(%m) : (memref<{dyn}f32>) -> ()', "%m: memref<{dyn}f32>"),
    "rank: transpose": _transpose,
    "rank: generic": _generic,
    "linalg.generic operands": _generic_operands,
    "rank: alloc": _rank("%0 = memref.alloc() : memref<{ones}f32>"),
    "rank: dynamic alloc": _rank("%0 = memref.alloc({c}) : memref<{dyn}f32>"),
    "rank: load": _rank("%0 = memref.load %m[{c}] : memref<{ones}f32>", "%m: memref<{ones}f32>"),
    "rank: dynamic load": _rank("%0 = memref.load %m[{c}] : memref<{dyn}f32>", "%m: memref<{dyn}f32>"),
    "rank: store": _rank("memref.store %v, %m[{c}] : memref<{ones}f32>", "%v: f32, %m: memref<{ones}f32>"),
    "rank: affine.load": _rank("%0 = affine.load %m[{c}] : memref<{ones}f32>", "%m: memref<{ones}f32>"),
    "rank: subview": _rank("%0 = memref.subview %m[{a}] [{a}] [{one}] : memref<{dyn}f32> to memref<{dyn}f32, strided<[{q}], offset: ?>>", "%a: index, %m: memref<{dyn}f32>"),
    "rank: subview of constants": _rank("%0 = memref.subview %m[{zero}] [{one}] [{one}] : memref<{ones}f32> to memref<{ones}f32, strided<[{one}]>>", "%m: memref<{ones}f32>"),
    "rank: reinterpret_cast": _rank("%0 = memref.reinterpret_cast %m to offset: [0], sizes: [{one}], strides: [{one}] : memref<f32> to memref<{ones}f32, strided<[{one}]>>", "%m: memref<f32>"),
    "rank: extract_strided_metadata": lambda n: function(f"%m: memref<{'?x' * n}f32>", f"  %b, %o, %s:{n}, %t:{n} = memref.extract_strided_metadata %m : memref<{'?x' * n}f32> -> memref<f32>, index, {_many(2 * n, 'index')}\n"),
    "rank: memref.copy": _rank("memref.copy %m, %m : memref<{dyn}f32> to memref<{dyn}f32>", "%m: memref<{dyn}f32>"),
    "rank: memref.cast": _rank("%0 = memref.cast %m : memref<{dyn}f32> to memref<{ones}f32>", "%m: memref<{dyn}f32>"),
    "rank: collapse": lambda n: function(f"%m: memref<{'1x' * n}f32>", f"  %0 = memref.collapse_shape %m [[{listed(n, '{0}')}]] : memref<{'1x' * n}f32> into memref<1xf32>\n"),
    "rank: collapse tensor": lambda n: function(f"%m: tensor<{'1x' * n}f32>", f"  %0 = tensor.collapse_shape %m [[{listed(n, '{0}')}]] : tensor<{'1x' * n}f32> into tensor<1xf32>\n"),
    "rank: collapse each": lambda n: function(f"%m: memref<{'1x' * n}f32>", f"  %0 = memref.collapse_shape %m [{listed(n, '[{0}]')}] : memref<{'1x' * n}f32> into memref<{'1x' * n}f32>\n"),
    "rank: expand": lambda n: function("%m: memref<1xf32>", f"  %0 = memref.expand_shape %m [[{listed(n, '{0}')}]] output_shape [{_many(n, '1')}] : memref<1xf32> into memref<{'1x' * n}f32>\n"),
    "rank: linalg.fill": _rank("linalg.fill ins(%v : f32) outs(%m : memref<{ones}f32>)", "%v: f32, %m: memref<{ones}f32>"),
    "rank: linalg.copy": _rank("linalg.copy ins(%m : memref<{ones}f32>) outs(%m : memref<{ones}f32>)", "%m: memref<{ones}f32>"),
    "rank: linalg.transpose": _rank("linalg.transpose ins(%m : memref<{ones}f32>) outs(%m : memref<{ones}f32>) permutation = [{n}]", "%m: memref<{ones}f32>"),
    "rank: linalg.reduce": _rank("linalg.reduce {{ arith.addf }} ins(%m : memref<{ones}f32>) outs(%s : memref<f32>) dimensions = [{n}]", "%m: memref<{ones}f32>, %s: memref<f32>"),
    "rank: linalg.broadcast": _rank("linalg.broadcast ins(%s : memref<f32>) outs(%m : memref<{ones}f32>) dimensions = [{n}]", "%m: memref<{ones}f32>, %s: memref<f32>"),
    "rank: vector.extract": _rank("%0 = vector.extract %v[{zero}] : f32 from vector<{ones}f32>", "%v: vector<{ones}f32>"),
    "rank: vector.insert": _rank("%0 = vector.insert %s, %v[{zero}] : f32 into vector<{ones}f32>", "%s: f32, %v: vector<{ones}f32>"),
    "rank: vector.transpose": _rank("%0 = vector.transpose %v, [{n}] : vector<{ones}f32> to vector<{ones}f32>", "%v: vector<{ones}f32>"),
    "rank: vector.broadcast": _rank("%0 = vector.broadcast %v : f32 to vector<{ones}f32>", "%v: f32"),
    "rank: vector.shape_cast": _rank("%0 = vector.shape_cast %v : vector<{ones}f32> to vector<1xf32>", "%v: vector<{ones}f32>"),
    "rank: vector addf": _rank("%0 = arith.addf %v, %v : vector<{ones}f32>", "%v: vector<{ones}f32>"),
    "rank: vector math": _rank("%0 = math.exp %v : vector<{ones}f32>", "%v: vector<{ones}f32>"),
    "rank: vector print": _rank("vector.print %v : vector<{ones}f32>", "%v: vector<{ones}f32>"),
    "rank: multi_reduction": _rank("%0 = vector.multi_reduction <add>, %v, %s [{n}] : vector<{ones}f32> to f32", "%v: vector<{ones}f32>, %s: f32"),
    "rank: transfer_read": _rank("%0 = vector.transfer_read %m[{c}], %p {{in_bounds = [{lt}]}} : memref<{ones}f32>, vector<{ones}f32>", "%m: memref<{ones}f32>, %p: f32"),
    "rank: transfer_write": _rank("vector.transfer_write %v, %m[{c}] {{in_bounds = [{lt}]}} : vector<{ones}f32>, memref<{ones}f32>", "%m: memref<{ones}f32>, %v: vector<{ones}f32>"),
    "rank: create_mask": _rank("%0 = vector.create_mask {c} : vector<{ones}i1>"),
    "rank: constant_mask": _rank("%0 = vector.constant_mask [{one}] : vector<{ones}i1>"),
    "rank: vector.load": _rank("%0 = vector.load %m[{c}] : memref<{ones}f32>, vector<{ones}f32>", "%m: memref<{ones}f32>"),
    "rank: tensor.extract": _rank("%0 = tensor.extract %m[{c}] : tensor<{ones}f32>", "%m: tensor<{ones}f32>"),
    "rank: tensor.insert": _rank("%0 = tensor.insert %v into %m[{c}] : tensor<{ones}f32>", "%v: f32, %m: tensor<{ones}f32>"),
    "rank: tensor.empty": _rank("%0 = tensor.empty({c}) : tensor<{dyn}f32>"),
    "rank: tensor.pad": lambda n: function(f"%m: tensor<{'1x' * n}f32>, %p: f32", f"  %0 = tensor.pad %m low[{_many(n, '0')}] high[{_many(n, '1')}] {{\n  ^bb0({listed(n, '%i{0}: index')}):\n    tensor.yield %p : f32\n  }} : tensor<{'1x' * n}f32> to tensor<{'2x' * n}f32>\n"),
    "rank: tensor.generate": lambda n: function("%p: f32", f"  %0 = tensor.generate {{\n  ^bb0({listed(n, '%i{0}: index')}):\n    tensor.yield %p : f32\n  }} : tensor<{'1x' * n}f32>\n"),
    "rank: tensor.extract_slice": _rank("%0 = tensor.extract_slice %m[{a}] [{a}] [{one}] : tensor<{dyn}f32> to tensor<{dyn}f32>", "%a: index, %m: tensor<{dyn}f32>"),
    "rank: arith.constant": _rank("%0 = arith.constant dense<1.0> : tensor<{ones}f32>\n\"x.y\"(%0) : (tensor<{ones}f32>) -> ()"),
    "rank: tosa.add": _rank("%0 = tosa.add %m, %m : (tensor<{ones}f32>, tensor<{ones}f32>) -> tensor<{ones}f32>", "%m: tensor<{ones}f32>"),
    "rank: tosa.transpose": _rank("%0 = tosa.transpose %m {{perms = array<i32: {n}>}} : (tensor<{ones}f32>) -> tensor<{ones}f32>", "%m: tensor<{ones}f32>"),
    "rank: global": lambda n: f"memref.global \"private\" @g : memref<{'1x' * n}f32> = dense<1.0>\n" + function("", f"  %0 = memref.get_global @g : memref<{'1x' * n}f32>\n"),
    "rank: llvm.array": lambda n: llvm("", "".join(f"  %v{k} = llvm.mlir.undef : {'!llvm.array<1 x ' + 'array<1 x ' * 60 + 'f32' + '>' * 61}\n" for k in range(n))),
    "affine sum": _affine_map("{sum}"),
    "affine mods": _affine_map("{mods}"),
    "affine divisions": _affine_map("{divs}"),
    "affine results": _minmax,
    "affine.min of many": _minmax,
    "affine dimensions": _wide_map,
    "affine dimensions of unlike": _wide_map_values,
    "affine set": _affine_set,
    "affine map of a memref": lambda n: function(f"%m: memref<4xf32, affine_map<(d0) -> ({listed(n, 'd0 * {0}', ' + ')})>>", "  %c = arith.constant 0 : index\n  %0 = memref.load %m[%c] : memref<4xf32, affine_map<(d0) -> (" + listed(n, "d0 * {0}", " + ") + ")>>\n"),
    "affine maps": lambda n: function("%a: index", lines(n, "  %{0} = affine.apply affine_map<(d0) -> (d0 + {0})>(%a)\n")),
    "affine.for bounds": lambda n: function(listed(n, "%a{0}: index"), f"  affine.for %i = max affine_map<({listed(n, 'd{0}')}) -> ({listed(n, 'd{0}')})>({listed(n, '%a{0}')}) to 100 {{\n    \"x.y\"(%i) : (index) -> ()\n  }}\n"),
    "nested scf.for": _nested("  scf.for %i{0} = %a to %a step %a {{\n", "  }\n", "%a: index", "\"x.y\"() : () -> ()\n"),
    "nested scf.if": _nested("  scf.if %c {{\n", "  }\n", "%c: i1", "\"x.y\"() : () -> ()\n"),
    "nested affine.for": _nested("  affine.for %i{0} = 0 to 10 {{\n", "  }\n", "", "\"x.y\"() : () -> ()\n"),
    "nested unknown": _nested("  \"x.y\"() ({{\n", "  }) : () -> ()\n", ""),
    "nested on one line": lambda n: function("", ('  "x.y"() ({ ' * 80 + "}) : () -> () " * 80 + "\n") * n),
    "nested modules": lambda n: ("module {\n" * 80 + "}\n" * 80) * n,
    "nested tuple": lambda n: function(listed(n, "%a{0}: " + "tuple<" * 80 + "i32" + ">" * 80), ""),
    "nested array": lambda n: f'"x.y"() {{a = [{_many(n, "[" * 80 + "1" + "]" * 80)}]}} : () -> ()\n',
    "nested dictionary": lambda n: f'"x.y"() {{{listed(n, "a{0} = " + "{{a = " * 80 + "1" + "}}" * 80)}}} : () -> ()\n',
    "nested parentheses in a map": lambda n: f"#m = affine_map<(d0) -> ({listed(n, '(' * 80 + 'd0' + ' + 1)' * 80)})>\n",
    "nested locations": lambda n: function("", ('  "x.y"() : () -> () loc(' + 'callsite("a" at ' * 80 + '"b"' + ")" * 80 + ")\n") * n),
    "type aliases used": _aliases("i{0}1", '%{0}x = "x.y"() : () -> {0}'.replace("%{0}x = ", ""), "!"),
    "attribute aliases used": _aliases("{0} : i64", '"x.y"() {{a = {0}}} : () -> ()', "#"),
    "dictionary aliases used": _aliases("{{x = {0}}}", '"x.y"() {{a = {0}}} : () -> ()', "#"),
    "map aliases used": _aliases("affine_map<(d0) -> (d0 + {0})>", '"x.y"() {{a = {0}}} : () -> ()', "#"),
    "struct aliases used": _aliases("!llvm.struct<(i32, array<{0} x i8>)>", '"x.y"() : () -> {0}', "!"),
    "type aliases in a chain": lambda n: "!t0 = i32\n" + "".join(f"!t{k + 1} = tuple<!t{k // 2}>\n" for k in range(n)) + function("", "".join(f'  "x.y"() : () -> !t{k}\n' for k in range(n))),
    "attribute aliases in a list": lambda n: "".join(f"#a{k} = {k}\n" for k in range(n)) + f'"x.y"() {{a = [{listed(n, "#a{0}")}]}} : () -> ()\n',
    "aliases not used": lambda n: "".join(f"!a{k} = i{k + 1}\n" for k in range(n)),
    "unknown aliases": lambda n: function("", "".join(f'  "x.y"() : () -> !t{k}\n' for k in range(n))),
    "debug aliases": lambda n: "".join(f"#d{k} = #llvm.di_file<\"a{k}.c\" in \"d\">\n" for k in range(n)) + function("", "".join(f'  "x.y"() {{a = #d{k}}} : () -> ()\n' for k in range(n))),
    "resources": lambda n: "\"x.y\"() {a = [" + listed(n, "dense_resource<r{0}> : tensor<1xi32>") + "]} : () -> ()\n{-#\n  dialect_resources: {\n    builtin: {\n" + ",\n".join(f'      r{k}: "0x0400000001000000"' for k in range(n)) + "\n    }\n  }\n#-}\n",
    "pdl": lambda n: "pdl.pattern @p : benefit(1) {\n  %t = pdl.type\n" + lines(n, "  %o{0} = pdl.operation \"a.b\" -> (%t : !pdl.type)\n") + "  pdl.rewrite %o1 {\n    pdl.erase %o1\n  }\n}\n",
    "irdl": lambda n: "irdl.dialect @d {\n" + lines(n, "  irdl.operation @o{0} {{\n    %0 = irdl.any\n    irdl.operands(a: %0)\n  }}\n") + "}\n",
    "irdl operands": lambda n: "irdl.dialect @d {\n  irdl.operation @o {\n    %0 = irdl.any\n    irdl.operands(" + listed(n, "a{0}: %0") + ")\n  }\n}\n",
    "transform": lambda n: "transform.sequence failures(propagate) {\n^bb0(%a: !transform.any_op):\n" + lines(n, "  %{0} = transform.structured.match ops{{[\"a.b\"]}} in %a : (!transform.any_op) -> !transform.any_op\n") + "}\n",
    "emitc": lambda n: "emitc.func @f() {\n" + lines(n, "  %{0} = \"emitc.constant\"() <{{value = {0} : i32}}> : () -> i32\n") + "  emitc.return\n}\n",
    "spirv": lambda n: "spirv.module Logical GLSL450 {\n  spirv.func @f() \"None\" {\n" + lines(n, "    %{0} = spirv.Constant {0} : i32\n") + "    spirv.Return\n  }\n}\n",
    "gpu.module": lambda n: "gpu.module @m {\n" + lines(n, "  gpu.func @k{0}() kernel {{\n    gpu.return\n  }}\n") + "}\n",
    "ml_program": lambda n: lines(n, "ml_program.global private mutable @g{0} : i32\n"),
    "memref.generic_atomic_rmw": row("%m: memref<10xf32>, %i: index", "%{0} = memref.generic_atomic_rmw %m[%i] : memref<10xf32> {{\n  ^bb0(%v: f32):\n    memref.atomic_yield %v : f32\n  }}"),
    "memref.atomic_rmw": row("%m: memref<10xf32>, %i: index, %v: f32", "%{0} = memref.atomic_rmw addf %v, %m[%i] : (f32, memref<10xf32>) -> f32"),
    "memref.alloca_scope": row("", "memref.alloca_scope {{\n    %a = memref.alloca() : memref<4xf32>\n    \"x.y\"(%a) : (memref<4xf32>) -> ()\n  }}"),
    "bufferization": row("%t: tensor<4xf32>", "%{0} = bufferization.to_buffer %t : tensor<4xf32> to memref<4xf32>"),
    "bufferization there and back": chain("%0: tensor<4xf32>", "%u = arith.constant 0 : i32", "%b{0} = bufferization.to_buffer %{1} : tensor<4xf32> to memref<4xf32>\n  %{0} = bufferization.to_tensor %b{0} : memref<4xf32> to tensor<4xf32>"),
    "bufferization.dealloc": lambda n: function("%m: memref<4xf32>, %c: i1", f"  bufferization.dealloc ({_many(n, '%m')} : {_many(n, 'memref<4xf32>')}) if ({_many(n, '%c')})\n"),
    "bufferization.dealloc of unlike": lambda n: function("%c: i1, " + listed(n, "%m{0}: memref<4xf32>"), f"  bufferization.dealloc ({listed(n, '%m{0}')} : {_many(n, 'memref<4xf32>')}) if ({_many(n, '%c')})\n"),
    "reductions": lambda n: function("%a: index, %v: i32", f"  %r:{n} = scf.parallel (%i) = (%a) to (%a) step (%a) init ({_many(n, '%v')}) -> ({_many(n, 'i32')}) {{\n    scf.reduce({_many(n, '%v')} : {_many(n, 'i32')}) {{\n" + "    }, {\n".join(["    ^bb0(%x: i32, %y: i32):\n      scf.reduce.return %x : i32\n"] * n) + "    }\n  }\n"),
    "dlti": lambda n: 'module attributes {dlti.dl_spec = #dlti.dl_spec<' + listed(n, "i{0}1 = dense<32> : vector<2xi64>") + ">} {\n}\n",
    "data layout by name": lambda n: 'module attributes {dlti.dl_spec = #dlti.dl_spec<' + ", ".join(f'"k{k}" = {k} : i32' for k in range(n)) + ">} {\n}\n",
    "uses of one value": row("%a: i32", '"x.y"(%a) : (i32) -> ()'),
    "uses of one operation": lambda n: function("", "  %a = \"x.d\"() : () -> i32\n" + lines(n, '  "x.y"(%a) : (i32) -> ()\n')),
    "uses of what folds": lambda n: function("%b: i32", "  %z = arith.constant 0 : i32\n  %a = arith.addi %b, %z : i32\n" + lines(n, '  "x.y"(%a) : (i32) -> ()\n')),
    "adds of one constant": lambda n: function("%b: i32", "  %z = arith.constant 5 : i32\n" + lines(n, '  %{0} = arith.addi %b, %z : i32\n  "x.y"(%{0}) : (i32) -> ()\n')),
    "adds of zero": lambda n: function("%0: i32", "  %z = arith.constant 0 : i32\n" + lines(n, "  %{0} = arith.addi %{1}, %z : i32\n") + f'  "x.y"(%{n}) : (i32) -> ()\n'),
    "dead chain": chain("%0: i32", "%u = arith.constant 0 : i32", "%{0} = arith.muli %{1}, %0 : i32"),
    "loop invariant": lambda n: function("%a: index, %b: i32", "  scf.for %i = %a to %a step %a {\n" + lines(n, '    %{0} = arith.muli %b, %b : i32\n    "x.y"(%{0}) : (i32) -> ()\n') + "  }\n"),
    "constants in nested regions": lambda n: function("%c: i1", lines(n, '  scf.if %c {{\n    %{0} = arith.constant {0} : i32\n    "x.y"(%{0}) : (i32) -> ()\n  }}\n')),
    "llvm calls": lambda n: "llvm.func @g(i32) -> i32\n" + llvm("%0: i32", lines(n, "  %{0} = llvm.call @g(%{1}) : (i32) -> i32\n")),
    "llvm intrinsics": lambda n: llvm("%0: f32", lines(n, "  %{0} = llvm.intr.exp(%{1}) : (f32) -> f32\n")),
    "llvm.call operands": lambda n: f"llvm.func @g({_many(n, 'i32')})\n" + llvm("%a: i32", f"  llvm.call @g({_many(n, '%a')}) : ({_many(n, 'i32')}) -> ()\n"),
    "llvm landing pads": lambda n: "llvm.func @g()\nllvm.func @p(...) -> i32\nllvm.func @f() attributes {personality = @p} {\n  llvm.br ^b1\n" + lines(n, "^b{0}:\n  llvm.invoke @g() to ^b{2} unwind ^u : () -> ()\n") + f"^b{n + 1}:\n  llvm.return\n^u:\n  %l = llvm.landingpad cleanup : !llvm.struct<(ptr, i32)>\n  llvm.return\n}}\n",
    "llvm metadata": lambda n: "".join(f"#g{k} = #llvm.access_group<id = distinct[{k}]<>>\n" for k in range(n)) + llvm("%p: !llvm.ptr", "".join(f"  %{k} = llvm.load %p {{access_groups = [#g{k}]}} : !llvm.ptr -> i32\n" for k in range(n))),
    "llvm global of a struct": lambda n: f"llvm.mlir.global internal @g() : !llvm.struct<({_many(n, 'i32')})> {{\n  %c = llvm.mlir.constant(1 : i32) : i32\n  %0 = llvm.mlir.undef : !llvm.struct<({_many(n, 'i32')})>\n  llvm.return %0 : !llvm.struct<({_many(n, 'i32')})>\n}}\n",
    "llvm global of an array": lambda n: f"llvm.mlir.global internal @g() : !llvm.array<{n} x i32> {{\n  %c = llvm.mlir.constant(1 : i32) : i32\n  %0 = llvm.mlir.undef : !llvm.array<{n} x i32>\n" + "".join(f"  %{k + 1} = llvm.insertvalue %c, %{k}[{k}] : !llvm.array<{n} x i32>\n" for k in range(n)) + f"  llvm.return %{n} : !llvm.array<{n} x i32>\n}}\n",
    "llvm inline asm": row("", 'llvm.inline_asm "nop", "" : () -> ()'),
    "nvvm": row("", "nvvm.barrier0"),
    **_operations(),
}
