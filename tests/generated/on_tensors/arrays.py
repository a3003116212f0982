"""What tensors hold, as NumPy's arrays, and functions on them. Elements are integers of 32 bits, so that there is one
right result."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Shape = tuple[int, ...]
Array: TypeAlias = NDArray[np.int32]
Env = dict[str, "Array | int"]
BITS = 32


def array(value: Array | int) -> Array:
    assert isinstance(value, np.ndarray)
    return value


def constant(nested: object) -> Array:
    """An array of what lists in lists hold."""
    return np.array(nested, np.int32)


def with_part(whole: Array, part: tuple[int | slice, ...], value: Array | int) -> Array:
    """The array with a part of it replaced."""
    changed = whole.copy()
    changed[part] = value
    return changed


@dataclass
class Function:
    """A function that was made, as it is called: its text, and what it computes."""

    name: str
    inputs: list[Shape]
    output: Shape
    lines: list[str]
    steps: list[Callable[[Env], None]]
    result: str

    def call(self, arguments: Sequence[Array]) -> Array:
        env: Env = {f"%a{number}": value for number, value in enumerate(arguments)}
        with np.errstate(over="ignore"):
            for step in self.steps:
                step(env)
        return array(env[self.result])

    @property
    def text(self) -> str:
        arguments = ", ".join(f"%a{number}: {type_of(shape)}" for number, shape in enumerate(self.inputs))
        body = "\n".join(self.lines)
        type = type_of(self.output)
        return f"func.func @{self.name}({arguments}) -> {type} {{\n{body}\n  return {self.result} : {type}\n}}\n"


def type_of(shape: Shape) -> str:
    return f"tensor<{''.join(f'{size}x' for size in shape)}i{BITS}>"


def map_of(rank: int, results: Sequence[int]) -> str:
    names = [f"d{number}" for number in range(rank)]
    return f"affine_map<({', '.join(names)}) -> ({', '.join(names[result] for result in results)})>"


def listed(numbers: Sequence[object]) -> str:
    return f"[{', '.join(map(str, numbers))}]"


ELEMENTWISE: dict[str, np.ufunc] = {
    "arith.addi": np.add,
    "arith.subi": np.subtract,
    "arith.muli": np.multiply,
    "arith.maxsi": np.maximum,
    "arith.minsi": np.minimum,
    "arith.xori": np.bitwise_xor,
}
