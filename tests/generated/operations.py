"""Operations of all dialects that are lowered to LLVM's, each a line of `operations.txt`, and larger ones as functions:
what `rich_programs` is made of.

In a line, `{i32}` stands for some value of that type, and `@4` for some constant index from 0 to 3. None of them
divides by zero, shifts by too much, leaves a range or a memref, or is undefined otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Final

from tests.generated.writer import Writer, block

LINES: Final = Path(__file__).with_suffix(".txt").read_text(encoding="utf-8").strip().split("\n")
"""Operations by the type of their result, if they have one."""

_HOLE: Final = re.compile(r"\{([if]\d+|index|(?:complex|vector|memref)<[^{}]*>)\}|@(\d+)")


def _maker(line: str) -> Callable[[Writer], None]:
    """What writes the operation of a line, with values that there are."""
    kind, _, text = line.partition("= ")
    kind = kind.strip()

    def make(w: Writer) -> None:
        filled = _HOLE.sub(lambda hole: w.value(hole[1]) if hole[1] else w.index(int(hole[2])), text)
        if kind:
            w.define(kind, filled)
        else:
            w.line(filled)

    return make


def divided_by_a_number(w: Writer) -> None:
    """With all ways to round; by a constant that is neither zero nor minus one, so that nothing overflows."""
    kind = w.choose(("i8", "i16", "i32", "i64"))
    divisor = w.define(kind, f"arith.constant {w.number(2, 50)} : {kind}")
    name = w.choose(("divsi", "divui", "remsi", "remui", "ceildivsi", "ceildivui", "floordivsi"))
    w.define(kind, f"arith.{name} {w.value(kind)}, {divisor} : {kind}")


def index_divided(w: Writer) -> None:
    divisor = w.define("index", f"index.constant {w.number(2, 50)}")
    name = w.choose(("divs", "divu", "ceildivs", "ceildivu", "floordivs", "rems", "remu", "shl", "shrs", "shru"))
    w.define("index", f"index.{name} {w.value('index')}, {divisor}")


def with_two_results(w: Writer) -> None:
    kind = w.choose(("i8", "i16", "i32", "i64"))
    name = w.choose(("addui_extended", "mulsi_extended", "mului_extended"))
    second = "i1" if name.startswith("add") else kind
    low, high = w.name(), w.name()
    types = f"{kind}, i1" if second == "i1" else kind
    w.line(f"{low}, {high} = arith.{name} {w.value(kind)}, {w.value(kind)} : {types}")
    w.scope.setdefault(kind, []).append(low)
    w.scope.setdefault(second, []).append(high)


def to_integer(w: Writer) -> None:
    """Of a number between -100 and 100; NaN becomes the greater of these."""
    source, target = w.choose(("f32", "f64")), w.choose(("i8", "i16", "i32", "i64"))
    low, high = (w.define(source, f"arith.constant {n} : {source}") for n in ("-100.0", "100.0"))
    most = w.define(source, f"arith.minnumf {w.value(source)}, {high} : {source}")
    within = w.define(source, f"arith.maxnumf {most}, {low} : {source}")
    w.define(target, f"arith.fptosi {within} : {source} to {target}")


def copied(w: Writer) -> None:
    """Into memory of its own."""
    kind = w.choose(("memref<4x6xi32>", "memref<24xi32>"))
    source = w.value(kind)
    target = w.define(kind, f"memref.alloc() : {kind}")
    w.line(f"memref.copy {source}, {target} : {kind} to {kind}")


def masked(w: Writer) -> None:
    """Reads and writes of those elements of a row that a mask names."""
    memory, vector, mask = "memref<4x6xi32>", "vector<4xi32>", "vector<4xi1>"
    place = f"[{w.index(4)}, {w.index(3)}]"
    name = w.choose(("maskedload", "maskedstore", "expandload", "compressstore", "gather", "scatter", "create_mask"))
    if name == "create_mask":
        w.define(mask, f"vector.create_mask {w.index(6)} : {mask}")
    elif name in ("maskedload", "expandload"):
        operands = f"{w.value(memory)}{place}, {w.value(mask)}, {w.value(vector)}"
        w.define(vector, f"vector.{name} {operands} : {memory}, {mask}, {vector} into {vector}")
    elif name in ("maskedstore", "compressstore"):
        w.line(
            f"vector.{name} {w.value(memory)}{place}, {w.value(mask)}, {w.value(vector)} : {memory}, {mask}, {vector}"
        )
    else:
        numbers = w.define(vector, f"arith.constant dense<[3, 0, 2, 1]> : {vector}")
        operands = f"{w.value(memory)}{place} [{numbers}], {w.value(mask)}, {w.value(vector)}"
        if name == "gather":
            w.define(vector, f"vector.gather {operands} : {memory}, {vector}, {mask}, {vector} into {vector}")
        else:
            w.line(f"vector.scatter {operands} : {memory}, {vector}, {mask}, {vector}")


# ---- with regions


def counted_down(w: Writer, depth: int) -> None:
    """A `scf.while` that counts a number down to zero."""
    start = w.define("i32", f"arith.constant {w.number(0, 4)} : i32")
    zero, one = (w.define("i32", f"arith.constant {n} : i32") for n in (0, 1))
    name, before, after = w.name(), w.name(), w.name()
    w.line(f"{name} = scf.while ({before} = {start}) : (i32) -> i32 {{")
    go = w.name()
    w.line(f"  {go} = arith.cmpi sgt, {before}, {zero} : i32")
    w.line(f"  scf.condition({go}) {before} : i32")
    w.line("} do {")
    w.line(f"^bb0({after}: i32):")
    with w.inner():
        w.scope["i32"].append(after)
        block(w, depth - 1)
        less = w.define("i32", f"arith.subi {after}, {one} : i32")
        w.line(f"scf.yield {less} : i32")
    w.line("}")
    w.scope["i32"].append(name)


def switch(w: Writer, depth: int) -> None:
    name, kind = w.name(), w.choose(("i32", "i64", "f64"))
    w.line(f"{name} = scf.index_switch {w.value('index')} -> {kind}")
    for case in (*range(w.number(0, 3)), None):
        w.line("default {" if case is None else f"case {case} {{")
        with w.inner():
            block(w, depth - 1)
            w.line(f"scf.yield {w.value(kind)} : {kind}")
        w.line("}")
    w.scope.setdefault(kind, []).append(name)


def executed(w: Writer, depth: int) -> None:
    name, kind = w.name(), w.choose(("i32", "i64", "f64"))
    w.line(f"{name} = scf.execute_region -> {kind} {{")
    with w.inner():
        block(w, depth - 1)
        w.line(f"scf.yield {w.value(kind)} : {kind}")
    w.line("}")
    w.scope.setdefault(kind, []).append(name)


def parallel(w: Writer, depth: int) -> None:
    """A sum over two dimensions."""
    zero, one, high, wide = (
        w.define("index", f"arith.constant {n} : index") for n in (0, 1, w.number(0, 3), w.number(0, 3))
    )
    name, first, second, start = w.name(), w.name(), w.name(), w.value("i32")
    bounds = f"({zero}, {zero}) to ({high}, {wide}) step ({one}, {one}) init ({start})"
    w.line(f"{name} = scf.parallel ({first}, {second}) = {bounds} -> i32 {{")
    with w.inner():
        w.scope["index"] += [first, second]
        block(w, depth - 1)
        w.line(f"scf.reduce({w.value('i32')} : i32) {{")
        left, right, total = w.name(), w.name(), w.name()
        w.line(f"^bb0({left}: i32, {right}: i32):")
        w.line(f"  {total} = arith.addi {left}, {right} : i32")
        w.line(f"  scf.reduce.return {total} : i32")
        w.line("}")
    w.line("}")
    w.scope["i32"].append(name)


def for_all(w: Writer, depth: int) -> None:
    first, second = w.name(), w.name()
    w.line(f"scf.forall ({first}, {second}) in ({w.number(1, 3)}, {w.number(1, 3)}) {{")
    with w.inner():
        w.scope.setdefault("index", []).extend([first, second])
        block(w, depth - 1)
    w.line("}")


def affine_loop(w: Writer, depth: int) -> None:
    """Over the first rows of a memref, and what affine maps say of them."""
    name = w.name()
    w.line(f"affine.for {name} = 0 to {w.number(0, 4)} {{")
    with w.inner():
        memory = w.value("memref<4x6xi32>")
        w.define("i32", f"affine.load {memory}[{name}, {name} + {w.number(0, 2)}] : memref<4x6xi32>")
        block(w, depth - 1)
        w.line(f"affine.if affine_set<(i) : (i - {w.number(0, 3)} >= 0)>({name}) {{")
        w.line(f"  affine.store {w.value('i32')}, {memory}[({name} * 2) mod 4, {name}] : memref<4x6xi32>")
        w.line("}")
    w.line("}")


RICH: Final = (
    *(_maker(line) for line in LINES),
    divided_by_a_number,
    index_divided,
    with_two_results,
    to_integer,
    copied,
    masked,
)
WAYS: Final = {line.partition("= ")[0].strip(): _maker(line) for line in reversed(LINES) if line.startswith("memref<")}
"""What makes a memref of a type from others."""
RICH_NESTED: Final = (counted_down, switch, executed, parallel, for_all, affine_loop)
