"""What the statements of a function are made with."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import prod
from random import Random

import numpy as np

from tests.generated.on_tensors.arrays import BITS, Array, Env, Function, Shape, constant, type_of

SIZES = (1, 2, 3, 4)


@dataclass
class Maker:
    """Makes the statements of a function. `known` are the tensors at hand, with their shapes."""

    random: Random
    functions: list[Function]
    kinds: Sequence[Callable[[Maker], None]]
    known: dict[str, Shape] = field(default_factory=dict)
    lines: list[str] = field(default_factory=list)
    steps: list[Callable[[Env], None]] = field(default_factory=list)
    depth: int = 1
    names: list[int] = field(default_factory=lambda: [0])

    # ---- what statements are made with

    def name(self) -> str:
        self.names[0] += 1
        return f"%{self.names[0]}"

    def line(self, text: str) -> None:
        self.lines.append("  " * self.depth + text)

    def define(self, name: str, shape: Shape, value: Callable[[Env], Array]) -> str:
        def step(env: Env) -> None:
            # A result without dimensions is a number to NumPy.
            env[name] = array = np.asarray(value(env))
            assert array.shape == shape and array.dtype == np.int32, name

        self.steps.append(step)
        self.known[name] = shape
        return name

    def some(self, *, rank: int | None = None, shape: Shape | None = None) -> tuple[str, Shape]:
        """A tensor at hand, or a new one."""
        fits = [
            (name, own_shape)
            for name, own_shape in self.known.items()
            if (rank is None or len(own_shape) == rank) and (shape is None or own_shape == shape)
        ]
        if fits:
            return self.random.choice(fits[-2:] if self.random.random() < 0.6 else fits)
        wanted = shape if shape is not None else self.shape(rank)
        return self.constant(wanted), wanted

    def shape(self, rank: int | None = None) -> Shape:
        rank = self.random.choice((1, 2, 2, 3)) if rank is None else rank
        return tuple(self.random.choice(SIZES) for _ in range(rank))

    def index(self, value: int) -> str:
        name = self.name()
        self.line(f"{name} = arith.constant {value} : index")
        return name

    def number(self) -> tuple[str, int]:
        name, value = self.name(), self.random.randint(-9, 9)
        self.line(f"{name} = arith.constant {value} : i{BITS}")
        return name, value

    def inner(self) -> Maker:
        """What stands in a region; what is made there is known there alone."""
        return Maker(self.random, self.functions, self.kinds, dict(self.known), [], [], self.depth + 1, self.names)

    def constant(self, shape: Shape) -> str:
        if self.random.random() < 0.5:
            value, name = self.array(shape, 9), self.name()
            self.line(f"{name} = arith.constant dense<{value.tolist()}> : {type_of(shape)}")
            return self.define(name, shape, lambda _env: value)
        number, element = self.number()
        empty, name = self.empty(shape), self.name()
        self.line(f"{name} = linalg.fill ins({number} : i{BITS}) outs({empty} : {type_of(shape)}) -> {type_of(shape)}")
        return self.define(name, shape, lambda _env: np.full(shape, element, np.int32))

    def array(self, shape: Shape, most: int) -> Array:
        """Numbers as they come."""
        return constant([self.random.randint(-most, most) for _ in range(prod(shape))]).reshape(shape)

    def empty(self, shape: Shape) -> str:
        name = self.name()
        self.line(f"{name} = tensor.empty() : {type_of(shape)}")
        return name

    def statement(self) -> None:
        """A statement of some kind."""
        self.random.choice(self.kinds)(self)
