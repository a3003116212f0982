"""Where constants of sums and differences meet, what had a value has the same one: also with flags against overflow,
of which mlir-opt 22 keeps too many."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from random import Random
from typing import Final

from fathom.ir.printer import print_module
from tests.passes.running import lower

WIDTH: Final = 3
WHOLE: Final = 1 << WIDTH
FORMS: Final = (
    "arith.addi {value}, {constant}",
    "arith.subi {value}, {constant}",
    "arith.subi {constant}, {value}",
    "arith.muli {value}, {constant}",
)
FLAGS: Final = ("", " overflow<nsw>", " overflow<nuw>", " overflow<nsw, nuw>")
LINE: Final = re.compile(r"(%[\w-]+) = arith\.(constant|addi|subi|muli) (.*?)(?: overflow<(.*)>)? : i3")


def _program(random: Random, number: int) -> str:
    first, last = (random.randrange(-WHOLE // 2, WHOLE // 2) for _ in range(2))
    inner, outer = random.choice(FORMS), random.choice(FORMS)
    return f"""func.func @f{number}(%arg0: i3) -> i3 {{
  %a = arith.constant {first} : i3
  %b = arith.constant {last} : i3
  %c = {inner.format(value="%arg0", constant="%a")}{random.choice(FLAGS)} : i3
  %d = {outer.format(value="%c", constant="%b")}{random.choice(FLAGS)} : i3
  return %d : i3
}}
"""


def _signed(value: int) -> int:
    return (value + WHOLE // 2) % WHOLE - WHOLE // 2


def _value(text: str, argument: int) -> int | None:
    """What a function gives, without a sign; None where it overflows though a flag says that it does not."""
    values: dict[str, int] = {"%arg0": argument}
    for name, what, given, flags in LINE.findall(text):
        if what == "constant":
            values[name] = int(given) % WHOLE
            continue
        left, right = (values[operand] for operand in given.split(", "))
        compute: Callable[[int, int], int] = {"addi": int.__add__, "subi": int.__sub__, "muli": int.__mul__}[what]
        if "nuw" in flags and not 0 <= compute(left, right) < WHOLE:
            return None
        if "nsw" in flags and not -WHOLE // 2 <= compute(_signed(left), _signed(right)) < WHOLE // 2:
            return None
        values[name] = compute(left, right) % WHOLE
    return values[text.rpartition("return ")[2].split()[0]]


def _functions(text: str) -> Mapping[str, str]:
    return {match[1]: match[2] for match in re.finditer(r"func\.func @(\w+)(.*?)\n  ?}", text, re.DOTALL)}


def test_what_has_a_value_keeps_it() -> None:
    random = Random(22)
    before = "module {\n" + "".join(_program(random, number) for number in range(600)) + "}\n"
    programs = dict(re.findall(r"func\.func @(\w+)(.*?)\n}", before, re.DOTALL))
    module, said = lower("canonicalize", before)
    assert not said
    after = _functions(print_module(module))
    assert len(after) == len(programs) == 600
    met = 0
    for name, text in programs.items():
        met += after[name].count("arith.") < text.count("arith.")
        for argument in range(WHOLE):
            value = _value(text, argument)
            assert value is None or _value(after[name], argument) == value, (text, after[name], argument)
    assert met > 400


def test_flags_that_hold_stay() -> None:
    """17 - x - 42 has no value without a sign, whatever x is, so that no flag is wrong, as mlir-opt says."""
    text = """func.func @f(%arg0: index) -> index {
  %c17 = arith.constant 17 : index
  %c42 = arith.constant 42 : index
  %0 = arith.subi %c17, %arg0 overflow<nsw, nuw> : index
  %1 = arith.subi %0, %c42 overflow<nsw, nuw> : index
  return %1 : index
}
"""
    module, _ = lower("canonicalize", text)
    assert "arith.subi %c-25, %arg0 overflow<nsw, nuw> : index" in print_module(module)
