"""`python -m tests.hunts.guilt [--show 20]`: one item of a text is broken in many ways, and none of its neighbours may
be the worse for it: `@before` and `@after` are what they were, and nothing is said beside the broken item.

What is missing at the end of an item MLIR shows at the next token; that one place behind the item is allowed. A missing
brace of a region is told as such, and what it may mean for the functions behind is another matter (`unclosed.py`), so
braces at the ends of lines are left alone.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from fathom.elaborate import load
from fathom.ir.printer import print_op
from fathom.syntax.lexer import tokens_of

BEFORE: Final = "func.func @before(%a: i32) -> i32 {\n  %0 = arith.addi %a, %a : i32\n  return %0 : i32\n}\n"
AFTER: Final = BEFORE.replace("@before", "@after")
ITEMS: Final = (
    "!tile = tensor<4x4xf32>\n",
    "!view = memref<4x?xf32, strided<[?, 1], offset: ?>, 3>\n",
    "!pair = tuple<i32, vector<4xf32>>\n",
    "!made = !llvm.struct<(i32, ptr, array<4 x f32>)>\n",
    "#map = affine_map<(d0, d1)[s0] -> (d0 + s0, d1 mod 4)>\n",
    '#dict = {a = 1 : i32, b = [1, "x"], c = {d = unit}}\n',
    "#list = dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>\n",
    '#where = loc(fused<"pass">["a.py":1:2, callsite("f" at "b.py":3:4)])\n',
    "#array = array<i64: 1, 2, 3>\n",
    '#kind = #llvm.di_basic_type<tag = DW_TAG_base_type, name = "int", sizeInBits = 32, encoding = DW_ATE_signed>\n',
    'func.func private @declared(i32 {a.b = "c"}, memref<4xf32, 1>) -> (f32 {d.e}) attributes {f.g = [1, 2]}\n',
    """\
func.func @body(%m: memref<4xf32>, %i: index) {
  %x = memref.load %m[%i] {a = "b"} : memref<4xf32>
  return
}
""",
    """\
func.func @unknown(%a: i32) {
  %0 = "x.y"(%a) <{p = 1 : i64, q = "r"}> {s = array<i32: 1>, t} : (i32) -> i32
  return
}
""",
    """\
func.func @located(%a: i32) {
  %0 = arith.addi %a, %a : i32 loc("a.py":1:2)
  return loc(unknown)
}
""",
    """\
llvm.func @other(%p: !llvm.ptr) -> i32 {
  %0 = llvm.load %p {alignment = 4 : i64} : !llvm.ptr -> i32
  llvm.return %0 : i32
}
""",
    'memref.global "private" constant @data : memref<2xf32> = dense<[1.0, 2.0]> {alignment = 8 : i64}\n',
    "test.custom @thing with (1, 2) to {a = [1], b = <2>} : !x.y<z<1>>\n",
)
INSERTED: Final = ("{", "<", "(", "[", '"', "}", ">", ")", "]", ",")


def broken(item: str) -> Iterator[str]:
    """An item without one of its tokens, with one more, or broken off."""
    lines = item.split("\n")
    for number, line in enumerate(lines):
        is_last = number == len(lines) - 2
        for token in tokens_of(line):
            begin, end = token.column, token.end
            is_brace = token.text in "{}" and not line[end:].strip()
            if not is_brace:
                yield "\n".join((*lines[:number], line[:begin] + line[end:], *lines[number + 1 :]))
            for inserted in INSERTED if not is_brace else ():
                if inserted != "}" or number or "{" not in item:
                    text = f"{line[:begin]}{inserted} {line[begin:]}"
                    yield "\n".join((*lines[:number], text, *lines[number + 1 :]))
            if is_last and number == 0:
                yield f"{line[:begin]}\n"


def guilt(item: str, neighbours: tuple[str, str]) -> str:
    """What is said of others than an item, or what became of them; empty where all is well."""
    text = BEFORE + item + AFTER
    loaded = load(text)
    start, end = len(BEFORE), len(BEFORE) + len(item)
    behind = end + len("func.func")
    names = dict.fromkeys(("before", "after"), "")
    for op in loaded.module.walk():
        name = str(op.properties.get("sym_name", "")).strip('"')
        if op.name == "func.func" and name in names:
            names[name] = print_op(op)
    if (names["before"], names["after"]) != neighbours:
        return "a neighbour is hidden"
    for diagnostic in loaded.diagnostics:
        is_said = diagnostic.severity == "error" and diagnostic.follows_from is None and diagnostic.span is not None
        if is_said and diagnostic.span is not None and not start <= diagnostic.span.start < behind:
            return f"said of others: {diagnostic.message}"
    return ""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--show", type=int, default=10)
    options = parser.parse_args()
    alone = [print_op(next(iter(load(text).module.regions[0].operations()))) for text in (BEFORE, AFTER)]
    tried, bad = 0, list[tuple[str, str]]()
    for item in ITEMS:
        for text in broken(item):
            tried += 1
            if why := guilt(text, (alone[0], alone[1])):
                bad.append((text, why))
    for text, why in bad[: options.show]:
        print(f"{why}:\n{text}")
    print(f"{tried} broken items, {len(bad)} of them told of others: {Path(__file__).stem}")
    return bool(bad)


if __name__ == "__main__":
    sys.exit(main())
