"""What tensors hold, and what functions on them compute, on lists. Elements are integers of 32 bits, so that there is
one right result."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product

Shape = tuple[int, ...]
Index = tuple[int, ...]
BITS = 32


@dataclass(frozen=True)
class Array:
    """What a tensor holds, row by row."""

    shape: Shape
    data: tuple[int, ...]

    @classmethod
    def of(cls, shape: Shape, element: Callable[[Index], int]) -> Array:
        return cls(shape, tuple(wrapped(element(index)) for index in indices(shape)))

    def __getitem__(self, index: Sequence[int]) -> int:
        place = 0
        for each, size in zip(index, self.shape, strict=True):
            place = place * size + each
        return self.data[place]

    def nested(self) -> object:
        """Lists in lists, as `--args` takes them."""
        found: list[object] = list(self.data)
        for size in reversed(self.shape):
            found = [found[at : at + size] for at in range(0, len(found), size)] if size else []
        return found[0]


def wrapped(value: int) -> int:
    """A number as 32 bits with a sign have it."""
    half = 1 << (BITS - 1)
    return (value + half) % (1 << BITS) - half


def indices(shape: Shape) -> list[Index]:
    return list(product(*map(range, shape)))


Value = Array | int
Env = dict[str, Value]


def array(value: Value) -> Array:
    assert isinstance(value, Array)
    return value


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
        for step in self.steps:
            step(env)
        found = env[self.result]
        assert isinstance(found, Array)
        return found

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
    return f"affine_map<({', '.join(names)}) -> ({', '.join(names[each] for each in results)})>"


def listed(numbers: Sequence[object]) -> str:
    return f"[{', '.join(map(str, numbers))}]"


ELEMENTWISE: dict[str, Callable[[int, int], int]] = {
    "arith.addi": lambda a, b: a + b,
    "arith.subi": lambda a, b: a - b,
    "arith.muli": lambda a, b: a * b,
    "arith.maxsi": max,
    "arith.minsi": min,
    "arith.xori": lambda a, b: a ^ b,
}
