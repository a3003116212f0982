"""Programs over all dialects that return what they computed, and a `@main` for mlir-runner that prints it.

Each is a function `@f0`, `@f1`, … of scalars and two memrefs, with up to some thirty results of all types. `@main`
calls each of them and prints its results and what became of the memrefs, a number on each line: integers with their
sign, floats by their bits. A NaN is the same NaN whatever its bits, since operations are free in which they make.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final, cast

import numpy as np

from tests.generated.operations import RICH, RICH_NESTED, WAYS
from tests.generated.programs import NESTED, PLAIN
from tests.generated.rich import ARGUMENTS, FILL
from tests.generated.writer import Writer, block

INTEGERS: Final = ("i1", "i5", "i8", "i16", "i32", "index")
FLOATS: Final = ("f32", "f64")
COMPLEX: Final = tuple(f"complex<{kind}>" for kind in FLOATS)
VECTORS: Final = {
    "vector<4xi1>": (4,),
    "vector<4xi32>": (4,),
    "vector<4xf32>": (4,),
    "vector<2x3xi32>": (2, 3),
    "vector<3x2xi32>": (3, 2),
    "vector<2x2xi32>": (2, 2),
}
RESULTS: Final = (*INTEGERS, "i64", "i128", *FLOATS, *COMPLEX, *VECTORS)
FEW: Final = 2
"""Of the values of a type so many are returned, the last ones."""
NAN: Final = {"f32": 0x7FC00000, "f64": 0x7FF8000000000000}
"""The bits that stand for every NaN."""
OFTEN: Final = 4
"""So many times is an operation with regions as likely as another one."""
BLOCKS: Final = 6
"""A program is written by so many calls of `block`."""
MOST: Final = 1000
"""No integer argument is further from zero but `%b`, whose bits are used up to the second highest."""


@dataclass(frozen=True, slots=True)
class Program:
    """The text of a function, `@f$`; the types of its results; and the numbers that it is called with."""

    text: str
    results: tuple[str, ...]
    a: int
    b: int
    d: bool

    def arguments(self) -> list[object]:
        """What Fathom calls it with; the arrays are new ones."""
        fours = np.full(4, self.a, np.int32)
        rows = np.arange(24, dtype=np.int32).reshape(4, 6)
        return [self.a, self.b, 2.5, self.d, -0.75, fours, rows]


def returning_program(source: Random) -> Program:
    """A program of some dozens of operations."""
    scope: dict[str, list[str]] = {}
    for name, kind in ARGUMENTS.items():
        scope.setdefault(kind, []).append(name)
    w = Writer(source.randint, scope, (*PLAIN, *RICH, called), (*NESTED, *RICH_NESTED, jumping) * OFTEN, WAYS)
    for _ in range(BLOCKS):
        block(w, 2)
    given = [(kind, value) for kind in RESULTS for value in w.scope.get(kind, [])[-FEW:]]
    types = ", ".join(kind for kind, _ in given)
    signature = ", ".join(f"{name}: {kind}" for name, kind in ARGUMENTS.items())
    body = "\n".join(w.lines)
    values = ", ".join(value for _, value in given)
    text = f"func.func @f$({signature}) -> ({types}) {{\n{body}\n  return {values} : {types}\n}}\n"
    results = tuple(kind for kind, _ in given)
    return Program(text, results, w.number(-MOST, MOST), w.number(-(2**62), 2**62), bool(w.number(0, 1)))


def jumping(w: Writer, depth: int) -> None:
    """Blocks that branch to each other: a loop whose condition is at its end, and a switch."""
    kind, name = w.choose(("i32", "i64", "f32")), w.name()
    start, value, selector = w.index(4), w.value(kind), w.value("i32")
    entry, count, more, left, right = (w.name() for _ in range(5))
    w.line(f"{name} = scf.execute_region -> {kind} {{")
    w.line(f"  cf.br ^{entry[1:]}({start}, {value} : index, {kind})")
    w.line(f"^{entry[1:]}({count}: index, {more}: {kind}):")
    with w.inner():
        w.scope.setdefault("index", []).append(count)
        w.scope.setdefault(kind, []).append(more)
        block(w, depth - 1)
        value, zero, one = (
            w.value(kind),
            *(w.define("index", f"arith.constant {number} : index") for number in (0, 1)),
        )
        less = w.define("index", f"arith.subi {count}, {one} : index")
        go = w.define("i1", f"arith.cmpi sgt, {less}, {zero} : index")
        w.line(f"cf.cond_br {go}, ^{entry[1:]}({less}, {value} : index, {kind}), ^{left[1:]}")
    w.line(f"^{left[1:]}:")
    with w.inner():
        w.line(
            f"cf.switch {selector} : i32, [default: ^{right[1:]}({more} : {kind}), 1: ^{right[1:]}({value} : {kind})]"
        )
    w.line(f"^{right[1:]}({right}: {kind}):")
    w.line(f"  scf.yield {right} : {kind}")
    w.line("}")
    w.scope.setdefault(kind, []).append(name)


def called(w: Writer) -> None:
    """A call of a function with several results."""
    number, real = w.name(), w.name()
    w.line(f"{number}, {real} = func.call @steps({w.value('i32')}, {w.value('f64')}) : (i32, f64) -> (i32, f64)")
    w.scope.setdefault("i32", []).append(number)
    w.scope.setdefault("f64", []).append(real)


STEPS: Final = """\
func.func private @steps(%n: i32, %x: f64) -> (i32, f64) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %mask = arith.constant 31 : i32
  %half = arith.constant 0.5 : f64
  %few = arith.andi %n, %mask : i32
  cf.br ^head(%few, %x : i32, f64)
^head(%m: i32, %y: f64):
  %more = arith.cmpi ne, %m, %zero : i32
  cf.cond_br %more, ^body, ^end
^body:
  %less = arith.subi %m, %one : i32
  %k, %z = call @steps(%zero, %y) : (i32, f64) -> (i32, f64)
  %product = arith.mulf %z, %half : f64
  %sum = arith.addf %product, %x : f64
  %next = arith.addi %less, %k : i32
  cf.br ^head(%next, %sum : i32, f64)
^end:
  return %m, %y : i32, f64
}
"""
"""Calls itself, and loops, whose result is the sum of a series."""


# ---- what mlir-runner runs


def _print_float(kind: str) -> str:
    """Prints the bits of a float."""
    bits = f"i{kind[1:]}"
    return f"""\
func.func private @print_{kind}(%x: {kind}) {{
  %nan = arith.constant {NAN[kind]} : {bits}
  %number = arith.cmpf ord, %x, %x : {kind}
  %own = arith.bitcast %x : {kind} to {bits}
  %bits = arith.select %number, %own, %nan : {bits}
  call @print_{bits}(%bits) : ({bits}) -> ()
  return
}}
"""


def _print_integer(kind: str) -> str:
    widened = "arith.index_cast" if kind == "index" else "arith.extsi"
    return f"""\
func.func private @print_{kind}(%x: {kind}) {{
  %wide = {widened} %x : {kind} to i64
  vector.print %wide : i64
  return
}}
"""


PRINTING: Final = (
    "".join(_print_integer(kind) for kind in INTEGERS)
    + """\
func.func private @print_i64(%x: i64) {
  vector.print %x : i64
  return
}
func.func private @print_i128(%x: i128) {
  %half = arith.constant 64 : i128
  %shifted = arith.shrui %x, %half : i128
  %high = arith.trunci %shifted : i128 to i64
  %low = arith.trunci %x : i128 to i64
  vector.print %high : i64
  vector.print %low : i64
  return
}
func.func private @print_memory(%m: memref<4xi32>, %n: memref<4x6xi32>) {
  affine.for %i = 0 to 4 {
    %x = affine.load %m[%i] : memref<4xi32>
    func.call @print_i32(%x) : (i32) -> ()
  }
  affine.for %i = 0 to 4 {
    affine.for %j = 0 to 6 {
      %x = affine.load %n[%i, %j] : memref<4x6xi32>
      func.call @print_i32(%x) : (i32) -> ()
    }
  }
  return
}
"""
    + "".join(map(_print_float, FLOATS))
)


def functions(programs: Sequence[Program]) -> str:
    """The functions alone, with what they call, as Fathom compiles them."""
    return STEPS + "\n".join(program.text.replace("@f$", f"@f{number}") for number, program in enumerate(programs))


def with_main(programs: Sequence[Program]) -> str:
    """The functions, and a `@main` that calls each of them and prints what it gives."""
    mains = "\n".join(_main(program, number) for number, program in enumerate(programs))
    calls = "\n".join(f"  call @main{number}() : () -> ()" for number in range(len(programs)))
    return f"{FILL}{PRINTING}{functions(programs)}\n{mains}func.func @main() {{\n{calls}\n  return\n}}\n"


def _main(program: Program, number: int) -> str:
    names = ", ".join(f"%r#{place}" for place in range(len(program.results)))
    types = ", ".join(ARGUMENTS.values())
    given = f"%r:{len(program.results)} = " if names else ""
    results = ", ".join(program.results)
    printed = "\n".join(
        line for place, kind in enumerate(program.results) for line in _printed(f"%r#{place}", kind, f"%p{place}")
    )
    return f"""\
func.func private @main{number}() {{
  %a = arith.constant {program.a} : i32
  %b = arith.constant {program.b} : i64
  %c = arith.constant 2.5 : f64
  %d = arith.constant {str(program.d).lower()}
  %e = arith.constant -0.75 : f32
  %m = memref.alloca() : memref<4xi32>
  %n = memref.alloca() : memref<4x6xi32>
  call @fill(%m, %n, %a) : (memref<4xi32>, memref<4x6xi32>, i32) -> ()
  {given}call @f{number}({", ".join(ARGUMENTS)}) : ({types}) -> ({results})
{printed}
  call @print_memory(%m, %n) : (memref<4xi32>, memref<4x6xi32>) -> ()
  return
}}
"""


def _printed(value: str, kind: str, name: str) -> Iterator[str]:
    """The lines that print a value."""
    if kind in COMPLEX:
        for part in ("re", "im"):
            yield f"  {name}{part} = complex.{part} {value} : {kind}"
            yield f"  call @print_{kind[8:-1]}({name}{part}) : ({kind[8:-1]}) -> ()"
    elif kind in VECTORS:
        element = kind[kind.rindex("x") + 1 : -1]
        for number, position in enumerate(np.ndindex(VECTORS[kind])):
            places = ", ".join(map(str, position))
            yield f"  {name}_{number} = vector.extract {value}[{places}] : {element} from {kind}"
            yield f"  call @print_{element}({name}_{number}) : ({element}) -> ()"
    else:
        yield f"  call @print_{kind}({value}) : ({kind}) -> ()"


# ---- the same numbers of what Fathom gives


def numbers(program: Program, results: object, arrays: Iterable[object]) -> list[int]:
    """What `@main` prints, of the results of a call and the arrays after it."""
    count = len(program.results)
    values = () if not count else (results,) if count == 1 else cast("tuple[object, ...]", results)
    shown = [number for kind, value in zip(program.results, values, strict=True) for number in _numbers(kind, value)]
    return shown + [int(number) for array in arrays for number in np.asarray(array).flat]


def _numbers(kind: str, value: object) -> list[int]:
    if kind in COMPLEX:
        number = complex(cast("complex", value))
        return [_bits(kind[8:-1], number.real), _bits(kind[8:-1], number.imag)]
    if kind in FLOATS:
        return [_bits(kind, float(cast("float", value)))]
    if kind in VECTORS:
        element = kind[kind.rindex("x") + 1 : -1]
        return [number for one in np.asarray(value).flat for number in _numbers(element, one)]
    number = int(cast("int", value))
    if kind == "i128":
        low = number & ((1 << 64) - 1)
        return [number >> 64, low - (low >> 63 << 64)]
    # True is the one bit of an i1, which is its sign.
    return [-number if kind == "i1" else number]


def _bits(kind: str, value: float) -> int:
    """As a signed integer."""
    if value != value:
        return NAN[kind]
    of, to = ("<f", "<i") if kind == "f32" else ("<d", "<q")
    return int(struct.unpack(to, struct.pack(of, value))[0])
