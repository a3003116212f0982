"""Programs on tensors, made up from a number, with what they are to return.

    python -m tests.generated.on_tensors.programs COUNT [FIRST]

runs so many of them by Fathom and prints those whose results differ.
"""

from __future__ import annotations

import io
import json
import sys
from dataclasses import dataclass
from random import Random

from fathom.cli import main
from tests.generated.on_tensors.arrays import Array, Function
from tests.generated.on_tensors.maker import Maker
from tests.generated.on_tensors.regions import branch, call, loop
from tests.generated.on_tensors.statements import STATEMENTS

MOST = 7
"""So many statements a function has, not counting those in regions."""
KINDS = (*STATEMENTS, call, call, branch, loop, loop)


def function(name: str, source: Random, functions: list[Function]) -> Function:
    """A function of two or three tensors that returns one."""
    maker = Maker(source, functions, KINDS)
    inputs = [maker.shape() for _ in range(source.randint(1, 3))]
    maker.known = {f"%a{number}": shape for number, shape in enumerate(inputs)}
    for _ in range(source.randint(2, MOST)):
        maker.statement()
    result = list(maker.known)[-1] if source.random() < 0.8 else source.choice(list(maker.known))
    return Function(name, inputs, maker.known[result], maker.lines, maker.steps, result)


@dataclass(frozen=True)
class Program:
    """A module, the arguments of its function `main`, and what that is to return."""

    text: str
    arguments: list[Array]
    expected: Array


def program(number: int) -> Program:
    """The program of a number."""
    source = Random(number)
    functions: list[Function] = []
    for index in range(source.randint(0, 2)):
        functions.append(function(f"f{index}", source, list(functions)))
    main = function("main", source, functions)
    arguments = [Array.of(shape, lambda _: source.randint(-20, 20)) for shape in main.inputs]
    text = "".join(each.text for each in [*functions, main])
    return Program(text, arguments, main.call(arguments))


def returned(made: Program, *flags: str) -> object:
    """What `fathom run` gives for a program; or what it says, be it of memory that was not freed."""
    stdout, stderr = io.StringIO(), io.StringIO()
    values = ", ".join(json.dumps(each.nested()) for each in made.arguments)
    main(["run", "-", "--json", *flags, "--args", values], io.StringIO(made.text), stdout, stderr)
    outcome = json.loads(stdout.getvalue())
    if not outcome["ok"]:
        return outcome["failure"]["message"]
    return outcome["notes"] or outcome["results"][0]["data"]


def differs(made: Program, *flags: str) -> str:
    """How what a program returns differs from what it is to return; empty if it does not."""
    found = returned(made, *flags)
    return "" if found == made.expected.nested() else f"{found} instead of {made.expected.nested()}"


def compare(count: int, first: int) -> int:
    """How many of so many programs differ; they are printed."""
    different = 0
    for number in range(first, first + count):
        if why := differs(program(number), "--check"):
            different += 1
            print(f"{number}: {why}")
    print(f"{different} of {count} differ")
    return different


if __name__ == "__main__":
    sys.exit(bool(compare(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 0)))
