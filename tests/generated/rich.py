"""Programs over all dialects that are lowered to LLVM's, many of them in one module.

Each is a function `@main0`, `@main1`, … `() -> i32`, whose result is made of all that was computed; `@all` calls each
of them and stores what it returns. None divides by zero, leaves a memref or is undefined otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from hypothesis import strategies as st

from tests.generated.operations import RICH, RICH_NESTED, WAYS
from tests.generated.programs import NESTED, PLAIN
from tests.generated.writer import Writer, block, drawn_numbers

ARGUMENTS: Final = {
    "%a": "i32",
    "%b": "i64",
    "%c": "f64",
    "%d": "i1",
    "%e": "f32",
    "%m": "memref<4xi32>",
    "%n": "memref<4x6xi32>",
}
_ROWS: Final = """\
%sum = affine.for %row = 0 to 4 iter_args(%rows = {}) -> i32 {{
  %columns = affine.for %column = 0 to 6 iter_args(%part = %rows) -> i32 {{
    %at = affine.load %n[%row, %column] : memref<4x6xi32>
    %thirtyone = arith.constant 31 : i32
    %product = arith.muli %part, %thirtyone : i32
    %next = arith.xori %product, %at : i32
    affine.yield %next : i32
  }}
  affine.yield %columns : i32
}}"""
INTEGERS: Final = {"i1": 1, "i5": 5, "i8": 8, "i16": 16, "i32": 32, "i64": 64, "i128": 128}
FEW: Final = 4
"""Of the values of a type so many count in the result, the last ones."""


@st.composite
def rich_programs(draw: Callable[..., object]) -> str:
    """A function `@f` that returns a number made of all that it computed, and a `@main() -> i32` that calls it; `$`
    stands behind their names."""
    scope: dict[str, list[str]] = {}
    for name, kind in ARGUMENTS.items():
        scope.setdefault(kind, []).append(name)
    w = Writer(drawn_numbers(draw), scope, (*PLAIN, *RICH), (*NESTED, *RICH_NESTED), WAYS)
    for _ in range(w.number(1, 3)):
        block(w, 2)
    result = digest(w)
    body = "\n".join(w.lines)
    signature = ", ".join(f"{name}: {kind}" for name, kind in ARGUMENTS.items())
    return f"""\
func.func @f$({signature}) -> i32 {{
{body}
  return {result} : i32
}}
func.func @main$() -> i32 {{
  %a = arith.constant {w.number(-1000, 1000)} : i32
  %b = arith.constant {w.number(-(2**62), 2**62)} : i64
  %c = arith.constant 2.5 : f64
  %d = arith.constant {w.choose(("true", "false"))}
  %e = arith.constant -0.75 : f32
  %m = memref.alloca() : memref<4xi32>
  %n = memref.alloca() : memref<4x6xi32>
  call @fill(%m, %n, %a) : (memref<4xi32>, memref<4x6xi32>, i32) -> ()
  %result = call @f$({", ".join(ARGUMENTS)}) : ({", ".join(ARGUMENTS.values())}) -> i32
  return %result : i32
}}
"""


FILL: Final = """\
func.func private @fill(%m: memref<4xi32>, %n: memref<4x6xi32>, %a: i32) {
  affine.for %i = 0 to 4 {
    affine.store %a, %m[%i] : memref<4xi32>
    affine.for %j = 0 to 6 {
      %k = affine.apply affine_map<(i, j) -> (i * 6 + j)>(%i, %j)
      %x = arith.index_cast %k : index to i32
      affine.store %x, %n[%i, %j] : memref<4x6xi32>
    }
  }
  return
}
"""


def together(programs: Sequence[str]) -> str:
    """One module of several programs; `@all` stores in a memref what they return."""
    count = len(programs)
    calls = "\n".join(
        f"  %p{n} = arith.constant {n} : index\n  %r{n} = call @main{n}() : () -> i32\n"
        f"  memref.store %r{n}, %out[%p{n}] : memref<{count}xi32>"
        for n in range(count)
    )
    texts = [text.replace("@f$", f"@f{n}").replace("@main$", f"@main{n}") for n, text in enumerate(programs)]
    return "\n".join([FILL, *texts, f"func.func @all(%out: memref<{count}xi32>) {{\n{calls}\n  return\n}}\n"])


def digest(w: Writer) -> str:
    """One i32 made of values of every type in scope, and of the memory."""
    w.total = w.constant("i32")
    for kind, width in INTEGERS.items():
        for value in _last(w, kind):
            _add_integer(w, value, kind, width)
    for value in _last(w, "index"):
        _add_integer(w, w.define("", f"arith.index_cast {value} : index to i64"), "i64", 64)
    for kind in ("f32", "f64"):
        for value in _last(w, kind):
            _add_float(w, value, kind)
        for value in _last(w, f"complex<{kind}>"):
            for part in ("re", "im"):
                _add_float(w, w.define("", f"complex.{part} {value} : complex<{kind}>"), kind)
    for value in _last(w, "vector<4xi32>"):
        w.add(w.define("", f"vector.reduction <xor>, {value} : vector<4xi32> into i32"))
    for value in _last(w, "vector<4xf32>"):
        for position in range(4):
            _add_float(w, w.define("", f"vector.extract {value}[{position}] : f32 from vector<4xf32>"), "f32")
    for shape, places in (("2x3", ("0, 2", "1, 0")), ("3x2", ("2, 1", "0, 0")), ("2x2", ("0, 1", "1, 1"))):
        for value in _last(w, f"vector<{shape}xi32>"):
            for place in places:
                w.add(w.define("", f"vector.extract {value}[{place}] : i32 from vector<{shape}xi32>"))
    for line in _ROWS.format(w.total).splitlines():
        w.line(line)
    return "%sum"


def _last(w: Writer, kind: str) -> list[str]:
    return w.scope.get(kind, [])[-FEW:]


def _add_integer(w: Writer, value: str, kind: str, width: int) -> None:
    if width < 32:
        w.add(w.define("", f"arith.extsi {value} : {kind} to i32"))
    elif width == 32:
        w.add(value)
    else:
        half = w.define(kind, f"arith.constant 32 : {kind}")
        high = w.define("", f"arith.shrui {value}, {half} : {kind}")
        for part in (value, high):
            w.add(w.define("", f"arith.trunci {part} : {kind} to i32"))


def _add_float(w: Writer, value: str, kind: str) -> None:
    """Its bits; of NaN none, since operations are free in which they make."""
    bits = "i32" if kind == "f32" else "i64"
    is_number = w.define("", f"arith.cmpf ord, {value}, {value} : {kind}")
    zero = w.define(bits, f"arith.constant 0 : {bits}")
    number = w.define("", f"arith.bitcast {value} : {kind} to {bits}")
    chosen = w.define("", f"arith.select {is_number}, {number}, {zero} : {bits}")
    _add_integer(w, chosen, bits, int(bits[1:]))
