"""Documents that are small and stand for more than anybody could hold: elements, operations, text."""

from __future__ import annotations

from itertools import pairwise
from typing import Final


def _function(arguments: str, lines: str = "") -> str:
    return f"func.func @f({arguments}) {{\n{lines}  return\n}}\n"


def _lines(count: int, line: str) -> str:
    return "".join(line.format(number) for number in range(count))


def _doubled(sigil: str, first: str, form: str, levels: int, use: str) -> str:
    """Aliases that each hold the one before them twice; `{0}` in `use` is the last."""
    names = [f"{sigil}a{level}" for level in range(levels + 1)]
    aliases = "".join(f"{name} = {form.format(before)}\n" for before, name in pairwise(names))
    return f"{names[0]} = {first}\n{aliases}{use.format(names[-1])}"


_MISTAKE: Final = '  "x.y"(%a) : (!a16) -> ()\n'


def documents(times: int = 1) -> dict[str, str]:
    """By name; those whose length decides what they cost are `times` as long."""
    numbers = ", ".join(map(str, range(30_000 * times)))
    regions = ", ".join(["{\n  }"] * 600 * times)
    maxima = ", ".join(f"d0 + {number}" for number in range(400 * times))
    wide = ", ".join("0" for _ in range(10_000 * times))
    return {
        "vectors in a signature": _function(
            "%a: vector<30000x30000xf32>, %b: memref<3xvector<200000000xi8>>, %c: vector<[500000000]xi16>, "
            f"%d: vector<{'2x' * 28}i1>, %e: memref<?x?xvector<70000xindex>>"
        ),
        "dictionaries that hold each other twice": _doubled(
            "#",
            "{k = 1 : i8}",
            "{{l = {0}, r = {0}}}",
            48,
            "func.func @f() attributes {{held = {0}}} {{\n  return\n}}\n",
        ),
        "locations that hold each other twice": _doubled(
            "#",
            'loc("a")',
            "loc(fused[{0}, {0}])",
            48,
            "func.func @f(%a: i32) {{\n  %0 = arith.addi %a, %a : i32 loc({0})\n  return loc({0})\n}}\n",
        ),
        "a type of 100,000 types in 300 mistakes": _doubled(
            "!", "i8", "tuple<{0}, {0}>", 17, f"func.func @f(%a: {{0}}) {{{{\n{_MISTAKE * 300}  return\n}}}}\n"
        ),
        "a switch of many cases": _function(
            "%i: index",
            "  scf.index_switch %i\n"
            + _lines(1000 * times, "  case {0} {{\n    scf.yield\n  }}\n")
            + "  default {\n  }\n",
        ),
        "an operation that nobody knows with many regions": _function("", f"  some.thing {regions}\n"),
        "an array of many numbers": f'"x.y"() {{numbers = array<i32: {numbers}>}} : () -> ()\n',
        "operations on each element": _function(
            "%v: vector<16x32x4xf32>", _lines(6 * times, "  %{0} = math.tanh %v : vector<16x32x4xf32>\n")
        ),
        "a map of many results": _function("%i: index", f"  %0 = affine.max affine_map<(d0) -> ({maxima})>(%i)\n"),
        "a vector that is turned": _function(
            "%v: vector<3000x3000xf32>",
            "  %0 = vector.transpose %v, [1, 0] : vector<3000x3000xf32> to vector<3000x3000xf32>\n"
            "  vector.print %0 : vector<3000x3000xf32>\n",
        ),
        "a long shuffle": _function(
            "%v: vector<4xf32>, %w: vector<2xf32>",
            f"  %0 = vector.shuffle %v, %w [{wide}] : vector<4xf32>, vector<2xf32>\n",
        ),
        "vectors put together": _function(
            "%v: vector<50000000xf32>, %i: index",
            "  %0 = vector.interleave %v, %v : vector<50000000xf32> -> vector<100000000xf32>\n"
            "  %1, %2 = vector.deinterleave %0 : vector<100000000xf32> -> vector<50000000xf32>\n"
            "  %3 = vector.create_mask %i, %i : vector<90000x90000xi1>\n"
            "  %4 = vector.step : vector<60000000xindex>\n",
        ),
        "constants of many equal elements": _function(
            "",
            "  %c = arith.constant dense<2.0> : tensor<30000x30000xf32>\n"
            "  %0 = arith.mulf %c, %c : tensor<30000x30000xf32>\n"
            "  %1 = tensor.extract_slice %c[0, 0] [9000, 9000] [1, 1] "
            ": tensor<30000x30000xf32> to tensor<9000x9000xf32>\n"
            "  %v = arith.constant dense<1> : vector<20000x20000xi8>\n"
            "  vector.print %v : vector<20000x20000xi8>\n",
        ),
    }


def definitions() -> dict[str, str]:
    """Files of them that are small and stand for as much, by name."""
    return {
        "records in loops": "foreach a = 0...5000 in\n  foreach b = 0...5000 in\n    def r#a#_#b;\n",
        "multiclasses of twice as many": "multiclass M0 { def x; }\n"
        + "".join(f"multiclass M{n + 1} {{ defm a : M{n}; defm b : M{n}; }}\n" for n in range(30))
        + "defm all : M30;\n",
        "records one after the other": "class A<int n> { int v = n; }\n" + _lines(2000, "def a{0} : A<{0}>;\n"),
        "values that hold each other twice": "def op;\ndefvar v0 = (op 1);\n"
        + "".join(f"defvar v{n + 1} = (op v{n}, v{n});\n" for n in range(50))
        + "def x { dag d = v50; list<list<int>> l = !foreach(i, !range(50000), !range(50000)); }\n",
    }
