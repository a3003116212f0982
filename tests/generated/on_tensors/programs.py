"""Programs on tensors, made up from a number, with what they are to return."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

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
    arguments = [Maker(source, [], KINDS).array(shape, 20) for shape in main.inputs]
    text = "".join(part.text for part in [*functions, main])
    return Program(text, arguments, main.call(arguments))
