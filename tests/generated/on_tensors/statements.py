"""Statements on tensors that hold no others."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

import numpy as np

from tests.generated.on_tensors.arrays import (
    BITS,
    ELEMENTWISE,
    Array,
    Env,
    Shape,
    array,
    listed,
    map_of,
    type_of,
    with_part,
)
from tests.generated.on_tensors.maker import SIZES, Maker


def elementwise(maker: Maker) -> None:
    one, shape = maker.some()
    other, _ = maker.some(shape=shape)
    name, op = maker.name(), maker.random.choice(list(ELEMENTWISE))
    maker.line(f"{name} = {op} {one}, {other} : {type_of(shape)}")

    maker.define(name, shape, lambda env: ELEMENTWISE[op](env[one], env[other]))


def generic(maker: Maker) -> None:
    """A structured operation with a transposed or broadcast operand, which may read what it writes."""
    one, shape = maker.some()
    axes = maker.random.sample(range(len(shape)), maker.random.randint(0, len(shape)))
    small = tuple(shape[axis] for axis in axes)
    other, _ = maker.some(shape=small)
    out, _ = maker.some(shape=shape)
    name, op = maker.name(), maker.random.choice(list(ELEMENTWISE))
    reads_out = maker.random.random() < 0.5
    full = map_of(len(shape), range(len(shape)))
    maps = f"[{full}, {map_of(len(shape), axes)}, {full}]"
    kinds = listed(['"parallel"'] * len(shape))
    a, b, c, d, e = (maker.name() for _ in range(5))
    type = type_of(shape)
    maker.line(f"{name} = linalg.generic {{indexing_maps = {maps}, iterator_types = {kinds}}}")
    maker.line(f"    ins({one}, {other} : {type}, {type_of(small)}) outs({out} : {type}) {{")
    maker.line(f"^bb0({a}: i{BITS}, {b}: i{BITS}, {c}: i{BITS}):")
    maker.line(f"  {d} = {op} {a}, {b} : i{BITS}")
    maker.line(f"  {e} = arith.addi {d}, {c if reads_out else d} : i{BITS}")
    maker.line(f"  linalg.yield {e} : i{BITS}")
    maker.line(f"}} -> {type}")

    def value(env: Env) -> Array:
        x, y = array(env[one]), array(env[other])
        spread = y.transpose(np.argsort(axes)).reshape([size if axis in axes else 1 for axis, size in enumerate(shape)])
        computed = ELEMENTWISE[op](x, spread)
        return computed + (array(env[out]) if reads_out else computed)

    maker.define(name, shape, value)


def reduce(maker: Maker) -> None:
    one, shape = maker.some()
    axis = maker.random.randrange(len(shape)) if shape else -1
    if axis < 0:
        return
    rest = shape[:axis] + shape[axis + 1 :]
    out, _ = maker.some(shape=rest)
    name = maker.name()
    maker.line(
        f"{name} = linalg.reduce {{ arith.addi }} ins({one} : {type_of(shape)}) outs({out} : {type_of(rest)}) "
        f"dimensions = [{axis}]"
    )

    def value(env: Env) -> Array:
        return array(env[out]) + array(env[one]).sum(axis, np.int32)

    maker.define(name, rest, value)


def matmul(maker: Maker) -> None:
    one, (m, k) = maker.some(rank=2)
    n = maker.random.choice(SIZES)
    other, _ = maker.some(shape=(k, n))
    out, _ = maker.some(shape=(m, n))
    name = maker.name()
    types = f"{type_of((m, k))}, {type_of((k, n))}"
    maker.line(
        f"{name} = linalg.matmul ins({one}, {other} : {types}) outs({out} : {type_of((m, n))}) -> {type_of((m, n))}"
    )

    maker.define(name, (m, n), lambda env: array(env[out]) + array(env[one]) @ array(env[other]))


def convolution(maker: Maker) -> None:
    """Along one axis or two."""
    rank = maker.random.choice((1, 1, 2))
    one, shape = maker.some(rank=rank)
    width = tuple(maker.random.randint(1, size) for size in shape)
    kernel, _ = maker.some(shape=width)
    rest = tuple(size - extent + 1 for size, extent in zip(shape, width, strict=True))
    out, _ = maker.some(shape=rest)
    name = maker.name()
    maker.line(
        f"{name} = linalg.conv_{rank}d ins({one}, {kernel} : {type_of(shape)}, {type_of(width)}) "
        f"outs({out} : {type_of(rest)}) -> {type_of(rest)}"
    )

    def value(env: Env) -> Array:
        windows = np.lib.stride_tricks.sliding_window_view(array(env[one]), width)
        return array(env[out]) + np.tensordot(windows, array(env[kernel]), rank)

    maker.define(name, rest, value)


def transpose(maker: Maker) -> None:
    one, shape = maker.some()
    if not shape:  # mlir-opt 22 crashes
        return
    order = maker.random.sample(range(len(shape)), len(shape))
    result = tuple(shape[axis] for axis in order)
    out, name = maker.empty(result), maker.name()
    maker.line(
        f"{name} = linalg.transpose ins({one} : {type_of(shape)}) outs({out} : {type_of(result)}) "
        f"permutation = {listed(order)}"
    )

    maker.define(name, result, lambda env: array(env[one]).transpose(order))


@dataclass(frozen=True)
class _Part:
    """A part of a tensor, with gaps or without."""

    offsets: list[int]
    sizes: Shape
    strides: list[int]

    @classmethod
    def of(cls, maker: Maker, shape: Shape) -> _Part:
        sizes = [maker.random.randint(1, size) for size in shape]
        strides = [
            maker.random.choice((1, 1, 2)) if 2 * size - 1 <= whole else 1
            for size, whole in zip(sizes, shape, strict=True)
        ]
        offsets = [
            maker.random.randint(0, whole - 1 - (size - 1) * stride)
            for size, whole, stride in zip(sizes, shape, strides, strict=True)
        ]
        return cls(offsets, tuple(sizes), strides)

    @property
    def key(self) -> tuple[slice, ...]:
        parts = zip(self.offsets, self.sizes, self.strides, strict=True)
        return tuple(slice(first, first + size * stride, stride) for first, size, stride in parts)

    def text(self, maker: Maker) -> str:
        """As it stands behind a tensor; some of the offsets are values."""
        offsets = [maker.index(offset) if maker.random.random() < 0.3 else offset for offset in self.offsets]
        return f"{listed(offsets)} {listed(self.sizes)} {listed(self.strides)}"


def extract_slice(maker: Maker) -> None:
    one, shape = maker.some()
    part = _Part.of(maker, shape)
    given, name = part.text(maker), maker.name()
    maker.line(f"{name} = tensor.extract_slice {one}{given} : {type_of(shape)} to {type_of(part.sizes)}")
    maker.define(name, part.sizes, lambda env: array(env[one])[part.key])


def insert_slice(maker: Maker) -> None:
    one, shape = maker.some()
    part = _Part.of(maker, shape)
    small, _ = maker.some(shape=part.sizes)
    given, name = part.text(maker), maker.name()
    maker.line(f"{name} = tensor.insert_slice {small} into {one}{given} : {type_of(part.sizes)} into {type_of(shape)}")
    maker.define(name, shape, lambda env: with_part(array(env[one]), part.key, env[small]))


def pad(maker: Maker) -> None:
    one, shape = maker.some()
    low, high = ([maker.random.randint(0, 2) for _ in shape] for _ in range(2))
    result = tuple(a + size + b for a, size, b in zip(low, shape, high, strict=True))
    number, element = maker.number()
    name, places = maker.name(), ", ".join(f"{maker.name()}: index" for _ in shape)
    maker.line(f"{name} = tensor.pad {one} low{listed(low)} high{listed(high)} {{")
    maker.line(f"^bb0({places}):")
    maker.line(f"  tensor.yield {number} : i{BITS}")
    maker.line(f"}} : {type_of(shape)} to {type_of(result)}")

    inside = tuple(slice(a, a + size) for a, size in zip(low, shape, strict=True))
    maker.define(name, result, lambda env: with_part(np.full(result, element, np.int32), inside, array(env[one])))


def insert(maker: Maker) -> None:
    one, shape = maker.some()
    at = [maker.random.randrange(size) for size in shape]
    number, element = maker.number()
    places, name = [maker.index(place) for place in at], maker.name()
    maker.line(f"{name} = tensor.insert {number} into {one}{listed(places)} : {type_of(shape)}")

    maker.define(name, shape, lambda env: with_part(array(env[one]), tuple(at), element))


def reshape(maker: Maker) -> None:
    one, shape = maker.some()
    if len(shape) < 2:
        return
    result, name = (prod(shape),), maker.name()
    groups = listed([listed(range(len(shape)))])
    maker.line(f"{name} = tensor.collapse_shape {one} {groups} : {type_of(shape)} into {type_of(result)}")
    maker.define(name, result, lambda env: array(env[one]).reshape(result))
    back = maker.name()
    maker.line(
        f"{back} = tensor.expand_shape {name} {groups} output_shape {listed(shape)} : "
        f"{type_of(result)} into {type_of(shape)}"
    )
    maker.define(back, shape, lambda env: array(env[one]))


def generate(maker: Maker) -> None:
    shape, name = maker.shape(), maker.name()
    places = [maker.name() for _ in shape]
    total = maker.index(1)
    maker.line(f"{name} = tensor.generate {{")
    maker.line(f"^bb0({', '.join(f'{place}: index' for place in places)}):")
    for place in places:
        more = maker.name()
        maker.line(f"  {more} = arith.addi {total}, {place} : index")
        total = more
    element = maker.name()
    maker.line(f"  {element} = arith.index_cast {total} : index to i{BITS}")
    maker.line(f"  tensor.yield {element} : i{BITS}")
    maker.line(f"}} : {type_of(shape)}")
    maker.define(name, shape, lambda _env: 1 + np.indices(shape, np.int32).sum(0, np.int32))


def cast(maker: Maker) -> None:
    """There and back, through a type whose sizes are known at run time."""
    one, shape = maker.some()
    dynamic = f"tensor<{'?x' * len(shape)}i{BITS}>"
    between, name = maker.name(), maker.name()
    maker.line(f"{between} = tensor.cast {one} : {type_of(shape)} to {dynamic}")
    maker.line(f"{name} = tensor.cast {between} : {dynamic} to {type_of(shape)}")
    maker.define(name, shape, lambda env: array(env[one]))


STATEMENTS = (
    elementwise,
    generic,
    reduce,
    matmul,
    convolution,
    transpose,
    extract_slice,
    insert_slice,
    pad,
    insert,
    reshape,
    generate,
    cast,
    elementwise,
    generic,
    insert_slice,
    insert,
)
"""What a statement may be; those that stand twice are made more often."""
