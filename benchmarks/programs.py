"""The MLIR files that the benchmarks use: one function of 28 lines, over and over, under other names; statements of
which no two are alike; and files that carry weights and locations."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from random import Random

FUNCTION = """\
func.func @kernel_{n}(%scale: f32, %x: memref<?xf32>, %y: memref<?xf32>) -> i32 {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.000000e+00 : f32
  %limit = arith.constant 1.000000e+02 : f32
  %one = arith.constant 1 : i32
  %none = arith.constant {n} : i32
  %size = memref.dim %x, %c0 : memref<?xf32>
  %count = scf.for %i = %c0 to %size step %c1 iter_args(%acc = %none) -> (i32) {{
    %a = memref.load %x[%i] : memref<?xf32>
    %b = memref.load %y[%i] : memref<?xf32>
    %scaled = arith.mulf %scale, %a : f32
    %sum = arith.addf %scaled, %b : f32
    %low = arith.cmpf olt, %sum, %zero : f32
    %raised = arith.select %low, %zero, %sum : f32
    %high = arith.cmpf ogt, %raised, %limit : f32
    %value = arith.select %high, %limit, %raised : f32
    memref.store %value, %y[%i] : memref<?xf32>
    %next = scf.if %high -> (i32) {{
      %more = arith.addi %acc, %one : i32
      scf.yield %more : i32
    }} else {{
      scf.yield %acc : i32
    }}
    scf.yield %next : i32
  }}
  return %count : i32
}}"""

FUNCTION_LINES = FUNCTION.count("\n") + 1

CHANGED = FUNCTION.split("\n").index("  %one = arith.constant 1 : i32")
"""The line of the function in which keys are typed."""

SIZES = {"1.1k": 40, "11k": 400, "112k": 4000}
"""How many functions make a file of about so many lines."""

OPERATIONS = """\
func.func @target(%a: i32, %b: i32, %p: f32, %m: memref<?xf32>) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %k = arith.constant 7 : i32
  %n = memref.dim %m, %c0 : memref<?xf32>
  %0 = arith.addi %a, %b : i32
  %1 = arith.muli %0, %k : i32
  %2 = arith.subi %1, %a : i32
  %3 = arith.andi %2, %b : i32
  %4 = arith.ori %3, %k : i32
  %5 = arith.xori %4, %a : i32
  %6 = arith.shli %5, %k : i32
  %7 = arith.cmpi slt, %6, %b : i32
  %8 = arith.select %7, %6, %b : i32
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %m[%i] : memref<?xf32>
    %y = arith.mulf %x, %p : f32
    %z = arith.addf %y, %p : f32
    memref.store %z, %m[%i] : memref<?xf32>
  }
  %9 = arith.addi %8, %k : i32
  %10 = arith.maxsi %9, %a : i32
  %11 = scf.if %7 -> (i32) {
    %s = arith.addi %10, %b : i32
    scf.yield %s : i32
  } else {
    %t = arith.subi %10, %b : i32
    scf.yield %t : i32
  }
  %12 = arith.divsi %11, %k : i32
  %13 = arith.extsi %12 : i32 to i64
  %14 = arith.trunci %13 : i64 to i32
  return %14 : i32
}
"""
"""A function whose body has thirty operations, for previews."""


def changed_line(functions: int) -> int:
    """The line in which keys are typed, in the middle of a file of so many functions."""
    return (functions // 2) * FUNCTION_LINES + CHANGED


def repeated(functions: int) -> str:
    """A file of so many functions of 28 lines each."""
    return "\n".join(FUNCTION.format(n=number) for number in range(functions)) + "\n"


_ELEMENTS = ("i1", "i8", "i16", "i32", "i64", "f16", "bf16", "f32", "f64", "index")
_FLOATS = frozenset(("f16", "bf16", "f32", "f64"))


def _statements() -> Iterator[tuple[str, str]]:
    """Arguments and a statement that uses them, over and over: no two statements are of one shape."""
    number = 0
    while True:
        for element in _ELEMENTS:
            number += 1
            rows, columns = 2 + number % 7, 2 + number
            is_float = element in _FLOATS
            vector = f"vector<{rows}x{columns}x{element}>"
            memref = f"memref<{columns}x{rows}x{element}, strided<[{columns}, 1], offset: ?>>"
            places = f"%i{number}: index"
            value = "1.0" if is_float else "true" if element == "i1" else "1"
            yield "", f"%c{number} = arith.constant dense<{value}> : {vector}"
            kind = "f" if is_float else "i"
            yield f"%v{number}: {vector}", f"%s{number} = arith.add{kind} %v{number}, %v{number} : {vector}"
            indices = f"[%i{number}, %i{number}]"
            yield f"{places}, %m{number}: {memref}", f"%l{number} = memref.load %m{number}{indices} : {memref}"
            attributes = f'{{alignment = 64 : i64, tag{number} = "a"}}'
            yield "", f"%a{number} = memref.alloc() {attributes} : memref<{columns}x{element}, {rows}>"
            predicate = "olt" if is_float else "slt"
            yield (
                f"%w{number}: {vector}",
                f"%t{number} = arith.cmp{kind} {predicate}, %w{number}, %w{number} : {vector}",
            )


def distinct(count: int) -> str:
    """A function of so many statements of which no two are alike."""
    pairs = list(islice(_statements(), count))
    arguments = ", ".join(argument for argument, _ in pairs if argument)
    body = "\n".join(f"  {statement}" for _, statement in pairs)
    return f"func.func @distinct({arguments}) {{\n{body}\n  return\n}}\n"


_WITH_WEIGHTS = """\
func.func @model(%x: i32) -> i32 {{
  %weights = arith.constant {} : tensor<{}xf32>
  %one = arith.constant 1 : i32
  %sum = arith.addi %x, %one : i32
  return %sum : i32
}}
"""


def _digits(count: int) -> str:
    return Random(0).randbytes(count // 2).hex().upper()


def blob(digits: int) -> str:
    """A function that uses a resource of so many hexadecimal digits, and the resource behind it."""
    resource = (
        f'{{-#\n  dialect_resources: {{\n    builtin: {{\n      w: "0x04000000{_digits(digits)}"\n    }}\n  }}\n#-}}\n'
    )
    return _WITH_WEIGHTS.format("dense_resource<w>", digits // 8) + resource


def hexadecimal(digits: int) -> str:
    """A function with a dense attribute of so many hexadecimal digits."""
    return _WITH_WEIGHTS.format(f'dense<"0x{_digits(digits)}">', digits // 8)


def numbers(count: int) -> str:
    """A function with a dense attribute of so many floats."""
    random = Random(0)
    return _WITH_WEIGHTS.format(f"dense<[{', '.join(f'{random.gauss():.6e}' for _ in range(count))}]>", count)


def location_aliases(count: int) -> str:
    """Functions whose operations have so many locations, each by an alias below them, as MLIR prints them."""
    functions: list[str] = []
    for number in range(0, count, 10):
        names = [f"loc(#loc{index})" for index in range(number + 1, number + 11)]
        lines = [f"func.func @f{number}(%x: i32 {names[0]}) -> i32 {{", f"  %one = arith.constant 1 : i32 {names[1]}"]
        value = "%x"
        for place, name in enumerate(names[2:8]):
            lines.append(f"  %{place} = arith.addi {value}, %one : i32 {name}")
            value = f"%{place}"
        lines.append(f"  return {value} : i32 {names[8]}\n}} {names[9]}")
        functions.append("\n".join(lines))
    aliases = [f'#loc{index} = loc("model.py":{index}:{index % 70 + 1})' for index in range(1, count + 1)]
    return "\n".join([*functions, *aliases]) + "\n"
