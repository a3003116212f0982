"""Functions of as many operations as one likes, as compilers print them, each with a place for a key.

All end in a statement that only the verifier objects to. So the diagnostics of each version tell whether they are
complete: they show the mistake that a key has made, or else the one that only a look at the whole function finds.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

HEAD: Final = "(%a: i32, %b: i32, %p: f32, %m: memref<?xf32>) -> i32 {"
MISTAKE: Final = "  return %p : f32"
"""Passes the parsers; the verifiers say that it is not what the function returns."""
RETURN: Final = "  return %a : i32"


@dataclass(frozen=True, slots=True)
class BigFunction:
    """A file of one function, and the line (from 0) whose type `i32` a key makes `i3`, with the value that requests
    are about."""

    name: str
    text: str
    line: int
    value: str

    @property
    def line_text(self) -> str:
        return self.text.split("\n", self.line + 1)[self.line]

    @property
    def digit(self) -> int:
        """The column of the 2 of the line's last `i32`."""
        return self.line_text.rindex("i32") + 2

    @property
    def value_column(self) -> int:
        return self.line_text.index(self.value) + 1

    @property
    def last_line(self) -> int:
        """Where the mistake of the last statement stands."""
        return self.text.count("\n", 0, self.text.rindex(MISTAKE))


def _made(name: str, lines: list[str], number: int, value: str) -> BigFunction:
    text = "\n".join([f"func.func @{name}{HEAD}", *lines, MISTAKE, "}", ""])
    return BigFunction(name, text, number + 1, value)


_STRAIGHT: Final = (
    "  %{n} = arith.addi %{i}, %a : i32",
    "  %{n} = arith.muli %{i}, %b : i32",
    "  %{n} = arith.constant {n} : i32",
    "  %{n} = arith.xori %{i}, %{n-1} : i32",
    "  %{n} = memref.load %m[%c0] : memref<?xf32>",
    "  %{n} = arith.mulf %{n-1}, %p : f32",
    "  %{n} = arith.addf %{n-1}, %{f} : f32",
    "  memref.store %{f}, %m[%c0] : memref<?xf32>",
    "  %{n} = arith.cmpi slt, %{i}, %a : i32",
    "  %{n} = arith.select %{n-1}, %{i}, %b : i32",
)


def straight(operations: int) -> BigFunction:
    """Straight-line code: arithmetic, loads and stores; each operation uses what came shortly before."""
    lines = ["  %c0 = arith.constant 0 : index"]
    integer, real, number = "a", "p", 0
    middle, value = 0, ""
    while len(lines) < operations - 1:
        template = _STRAIGHT[(len(lines) - 1) % len(_STRAIGHT)]
        names = {"{n}": str(number), "{n-1}": str(number - 1), "{i}": integer, "{f}": real}
        line = template
        for key, name in names.items():
            line = line.replace(key, name)
        if "arith.muli" in line and not middle and len(lines) >= operations // 2:
            middle, value = len(lines), f"%{number}"
        lines.append(line)
        if " = " not in line:
            continue
        if line.endswith(": i32") and "cmpi" not in line:
            integer = str(number)
        if line.endswith(("f32", "xf32>")):
            real = str(number)
        number += 1
    return _made("straight", lines, middle, value)


_NEST: Final = """\
  %n{n} = arith.constant {n} : i32
  %r{n} = scf.for %i{n} = %c0 to %c8 step %c1 iter_args(%s{n} = %n{n}) -> (i32) {{
    %u{n} = scf.for %j{n} = %c0 to %i{n} step %c1 iter_args(%t{n} = %s{n}) -> (i32) {{
      %x{n} = memref.load %m[%j{n}] : memref<?xf32>
      %y{n} = arith.mulf %x{n}, %p : f32
      memref.store %y{n}, %m[%i{n}] : memref<?xf32>
      %v{n} = arith.addi %t{n}, %a : i32
      %w{n} = arith.muli %v{n}, %b : i32
      %h{n} = arith.cmpf ogt, %y{n}, %p : f32
      scf.if %h{n} {{
        %z{n} = arith.addf %y{n}, %x{n} : f32
        memref.store %z{n}, %m[%j{n}] : memref<?xf32>
      }}
      scf.yield %w{n} : i32
    }}
    %g{n} = arith.xori %u{n}, %s{n} : i32
    %k{n} = arith.maxsi %g{n}, %u{n} : i32
    %l{n} = arith.subi %k{n}, %b : i32
    scf.yield %l{n} : i32
  }}
  %e{n} = arith.addi %r{n}, %n{n} : i32"""
_NEST_OPERATIONS: Final = 19
"""How many operations a nest has, the `scf.yield` that its `scf.if` ends in among them."""


def nested(operations: int) -> BigFunction:
    """Loops in loops, with bodies and a condition in them, one nest after the other."""
    lines = [f"  %c{number} = arith.constant {number} : index" for number in (0, 1, 8)]
    count = max((operations - 4) // _NEST_OPERATIONS, 1)
    middle = 0
    for number in range(count):
        body = _NEST.format(n=number).split("\n")
        if number == count // 2:
            middle = len(lines) + next(index for index, line in enumerate(body) if "arith.muli" in line)
        lines += body
    return _made("nested", lines, middle, f"%w{count // 2}")


MOST_BLOCKS: Final = 1000


def blocks(operations: int) -> BigFunction:
    """A thousand blocks, or as many as leave ten operations for each, with arguments, branches and conditions."""
    count = min(MOST_BLOCKS, max(operations // 10, 2))
    body = max(operations // count - 2, 1)
    lines: list[str] = ["  cf.br ^bb0(%a, %b : i32, i32)"]
    middle, value = 0, ""
    for number in range(count):
        lines.append(f"^bb{number}(%x{number}: i32, %y{number}: i32):")
        last = f"%x{number}"
        for index in range(body):
            if number == count // 2 and index == body // 2:
                middle, value = len(lines), f"%v{number}_{index}"
            op = ("addi", "muli", "xori", "subi")[index % 4]
            lines.append(f"  %v{number}_{index} = arith.{op} {last}, %y{number} : i32")
            last = f"%v{number}_{index}"
        if number == count - 1:
            continue
        near = f"^bb{number + 1}({last}, %x{number} : i32, i32)"
        far = f"^bb{min(number + 2, count - 1)}(%y{number}, {last} : i32, i32)"
        if number % 3 == 0:
            lines.append(f"  cf.br {near}")
            continue
        lines.append(f"  %l{number} = arith.cmpi slt, {last}, %b : i32")
        lines.append(f"  cf.cond_br %l{number}, {near}, {far}")
    return _made("blocks", lines, middle, value)


def chain(operations: int) -> BigFunction:
    """A value that every operation uses, beside what came before it: a change of its type reaches them all."""
    lines = ["  %k = arith.constant 7 : i32", "  %0 = arith.addi %a, %k : i32"]
    lines += [
        f"  %{number} = arith.{('addi', 'muli', 'xori')[number % 3]} %{number - 1}, %k : i32"
        for number in range(1, operations - 2)
    ]
    return _made("chain", lines, 0, "%k")


PROGRAMS: Final[dict[str, Callable[[int], BigFunction]]] = {
    "straight": straight,
    "nested": nested,
    "blocks": blocks,
    "chain": chain,
}
"""What makes a function of about so many operations."""
