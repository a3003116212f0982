"""Canonicalized programs on integers compute what they computed, also where those of mlir-opt 22 do not: both are
interpreted."""

from __future__ import annotations

from random import Random

import pytest

from fathom.context import default_context
from fathom.elaborate import load
from fathom.interpreting.machine import Machine
from fathom.interpreting.values import Trap
from fathom.ir.operation import Operation
from fathom.ir.printer import print_module
from tests.passes.running import run_pass

WIDTHS = {"i1": 1, "i8": 8, "i16": 16, "i64": 64, "index": 64}
ARITH = (
    "addi subi muli andi ori xori divsi divui ceildivsi ceildivui floordivsi remsi remui minsi minui maxsi maxui shli "
    "shrsi shrui"
).split()
INDEX = (
    "add sub mul divs divu ceildivs ceildivu floordivs rems remu maxs maxu mins minu shl shrs shru and or xor".split()
)
PREDICATES = "eq ne slt sle sgt sge ult ule ugt uge".split()
NUMBERS = (0, 1, -1, 2, 3, 4, 7, -2, 8, 15, 16, 100, 127, -128, 63, 255, 256, -7)


class Program:
    """A function of a few operations, each on what came before."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.arguments = {"%a": self._type(), "%b": self._type(), "%c": "i1"}
        self.types = dict(self.arguments)
        self.lines: list[str] = []
        for number in range(random.randint(2, 6)):
            type, line = random.choice(
                (self._computed, self._computed, self._compared, self._chosen, self._cast, self._number)
            )()
            name = f"%v{number}"
            self.lines.append(f"{name} = {line}")
            self.types[name] = type

    def _type(self) -> str:
        return self.random.choice(list(WIDTHS))

    def _value(self, type: str | None = None) -> str:
        return self.random.choice([value for value, other in self.types.items() if type in (None, other)])

    def _pair(self) -> tuple[str, str, str]:
        value = self._value()
        return self.types[value], value, self._value(self.types[value])

    def _computed(self) -> tuple[str, str]:
        type, left, right = self._pair()
        if type == "index" and self.random.random() < 0.4:
            return type, f"index.{self.random.choice(INDEX)} {left}, {right}"
        return type, f"arith.{self.random.choice(ARITH)} {left}, {right} : {type}"

    def _compared(self) -> tuple[str, str]:
        type, left, right = self._pair()
        return "i1", f"arith.cmpi {self.random.choice(PREDICATES)}, {left}, {right} : {type}"

    def _chosen(self) -> tuple[str, str]:
        type, left, right = self._pair()
        return type, f"arith.select {self._value('i1')}, {left}, {right} : {type}"

    def _cast(self) -> tuple[str, str]:
        value = self._value()
        type = self.types[value]
        to = self.random.choice([other for other in WIDTHS if other != type])
        if "index" in (type, to):
            names = ["arith.index_cast", "arith.index_castui"]
        else:
            names = ["arith.extsi", "arith.extui"] if WIDTHS[to] > WIDTHS[type] else ["arith.trunci"]
        return to, f"{self.random.choice(names)} {value} : {type} to {to}"

    def _number(self) -> tuple[str, str]:
        type = self._type()
        half = 1 << (WIDTHS[type] - 1)
        number = self.random.choice([each for each in NUMBERS if -half <= each < half])
        return type, f"arith.constant {str(bool(number)).lower() if type == 'i1' else f'{number} : {type}'}"

    @property
    def text(self) -> str:
        results = [value for value in self.types if value.startswith("%v")][-3:]
        arguments = ", ".join(f"{name}: {type}" for name, type in self.arguments.items())
        types = ", ".join(self.types[value] for value in results)
        body = "\n".join(self.lines)
        return f"func.func @f({arguments}) -> ({types}) {{\n{body}\nreturn {', '.join(results)} : {types}\n}}\n"

    def given(self) -> list[int]:
        """Values of the arguments."""
        return [
            self.random.choice((*NUMBERS, 1 << (width - 1), (1 << width) - 1)) % (1 << width)
            for width in (WIDTHS[type] for type in self.arguments.values())
        ]


def _results(module: Operation, given: list[int]) -> object:
    """What the function gives; None where that is nothing in particular."""
    machine = Machine(module, default_context())
    function = machine.symbol("f")
    assert function is not None
    try:
        made = machine.call(function, list(given))
    except Trap:
        return None
    return None if machine.memory.has_undefined else list(made)


@pytest.mark.parametrize("passes", [("canonicalize",), ("int-range-optimizations", "canonicalize")], ids=len)
def test_programs_compute_the_same(passes: tuple[str, ...]) -> None:
    random = Random(20)
    for _ in range(400):
        program = Program(random)
        whole, other = load(program.text).module, load(program.text).module
        for name in passes:
            assert not run_pass(name, other)
        for _ in range(6):
            given = program.given()
            expected = _results(whole, given)
            if expected is not None:
                assert _results(other, given) == expected, f"of {given}: {program.text}{print_module(other)}"


@pytest.mark.parametrize(
    ("body", "made"),
    [
        # An index is more than what is left of it in 8 bits.
        ("%1 = arith.index_cast %x : index to i8\n%2 = arith.index_cast %1 : i8 to index", "arith.index_cast %0"),
        ("%1 = arith.index_castui %x : index to i8\n%2 = arith.index_castui %1 : i8 to index", "arith.index_castui %0"),
        ("%1 = arith.index_cast %x : index to i64\n%2 = arith.index_cast %1 : i64 to index", "return %arg0"),
        ("%1 = arith.index_cast %i : i32 to index\n%2 = arith.index_cast %1 : index to i32", "return %arg1"),
        ("%1 = arith.index_cast %w : i128 to index\n%2 = arith.index_cast %1 : index to i128", "arith.index_cast %0"),
        # What is lost first is lost, whatever is said of the rest.
        (
            "%1 = arith.trunci %i : i32 to i16\n%2 = arith.trunci %1 overflow<nuw> : i16 to i8",
            "arith.trunci %arg1 : i32 to i8",
        ),
        (
            "%1 = arith.trunci %i overflow<nsw> : i32 to i16\n%2 = arith.trunci %1 overflow<nsw, nuw> : i16 to i8",
            "arith.trunci %arg1 overflow<nsw> : i32 to i8",
        ),
        (
            "%c = arith.constant 16 : i32\n%1 = arith.shrsi %i, %c : i32\n"
            "%2 = arith.trunci %1 overflow<nsw, nuw> : i32 to i16",
            "arith.trunci %0 overflow<nuw> : i32 to i16",
        ),
    ],
)
def test_casts(body: str, made: str) -> None:
    type = body.rsplit(" to ", maxsplit=1)[-1]
    text = f"func.func @f(%x: index, %i: i32, %w: i128) -> {type} {{\n{body}\nreturn %2 : {type}\n}}\n"
    loaded = load(text)
    assert not loaded.has_errors, loaded.diagnostics
    assert not run_pass("canonicalize", loaded.module)
    assert made in print_module(loaded.module)
