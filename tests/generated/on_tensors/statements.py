"""Statements on tensors that hold no others."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from tests.generated.on_tensors.arrays import (
    BITS,
    ELEMENTWISE,
    Array,
    Env,
    Index,
    Shape,
    array,
    indices,
    listed,
    map_of,
    type_of,
    wrapped,
)
from tests.generated.on_tensors.maker import SIZES, Maker


def elementwise(maker: Maker) -> None:
    one, shape = maker.some()
    other, _ = maker.some(shape=shape)
    name, op = maker.name(), maker.random.choice(list(ELEMENTWISE))
    maker.line(f"{name} = {op} {one}, {other} : {type_of(shape)}")

    def value(env: Env) -> Array:
        a, b = array(env[one]), array(env[other])
        return Array.of(shape, lambda at: ELEMENTWISE[op](a[at], b[at]))

    maker.define(name, shape, value)


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
        x, y, z = array(env[one]), array(env[other]), array(env[out])

        def element(at: Index) -> int:
            found = wrapped(ELEMENTWISE[op](x[at], y[[at[axis] for axis in axes]]))
            return found + (z[at] if reads_out else found)

        return Array.of(shape, element)

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
        x, z = array(env[one]), array(env[out])
        return Array.of(rest, lambda at: z[at] + sum(x[(*at[:axis], i, *at[axis:])] for i in range(shape[axis])))

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

    def value(env: Env) -> Array:
        x, y, z = array(env[one]), array(env[other]), array(env[out])
        return Array.of((m, n), lambda at: z[at] + sum(x[at[0], i] * y[i, at[1]] for i in range(k)))

    maker.define(name, (m, n), value)


def convolution(maker: Maker) -> None:
    one, (size,) = maker.some(rank=1)
    width = maker.random.randint(1, size)
    kernel, _ = maker.some(shape=(width,))
    rest = (size - width + 1,)
    out, _ = maker.some(shape=rest)
    name = maker.name()
    maker.line(
        f"{name} = linalg.conv_1d ins({one}, {kernel} : {type_of((size,))}, {type_of((width,))}) "
        f"outs({out} : {type_of(rest)}) -> {type_of(rest)}"
    )

    def value(env: Env) -> Array:
        x, y, z = array(env[one]), array(env[kernel]), array(env[out])
        return Array.of(rest, lambda at: z[at] + sum(x[(at[0] + i,)] * y[(i,)] for i in range(width)))

    maker.define(name, rest, value)


def transpose(maker: Maker) -> None:
    one, shape = maker.some()
    order = maker.random.sample(range(len(shape)), len(shape))
    result = tuple(shape[axis] for axis in order)
    out, name = maker.empty(result), maker.name()
    maker.line(
        f"{name} = linalg.transpose ins({one} : {type_of(shape)}) outs({out} : {type_of(result)}) "
        f"permutation = {listed(order)}"
    )

    def value(env: Env) -> Array:
        x = array(env[one])
        return Array.of(result, lambda at: x[[at[order.index(axis)] for axis in range(len(shape))]])

    maker.define(name, result, value)


def _slice(maker: Maker, shape: Shape) -> tuple[list[int], list[int], list[int]]:
    sizes = [maker.random.randint(1, size) for size in shape]
    strides = [
        maker.random.choice((1, 1, 2)) if 2 * size - 1 <= whole else 1 for size, whole in zip(sizes, shape, strict=True)
    ]
    offsets = [
        maker.random.randint(0, whole - 1 - (size - 1) * stride)
        for size, whole, stride in zip(sizes, shape, strides, strict=True)
    ]
    return offsets, sizes, strides


def _offsets(maker: Maker, offsets: Sequence[int]) -> list[object]:
    return [maker.index(each) if maker.random.random() < 0.3 else each for each in offsets]


def extract_slice(maker: Maker) -> None:
    one, shape = maker.some()
    offsets, sizes, strides = _slice(maker, shape)
    given, name, result = _offsets(maker, offsets), maker.name(), tuple(sizes)
    maker.line(
        f"{name} = tensor.extract_slice {one}{listed(given)} {listed(sizes)} {listed(strides)} : "
        f"{type_of(shape)} to {type_of(result)}"
    )

    def value(env: Env) -> Array:
        x = array(env[one])
        return Array.of(result, lambda at: x[[o + i * s for o, i, s in zip(offsets, at, strides, strict=True)]])

    maker.define(name, result, value)


def insert_slice(maker: Maker) -> None:
    one, shape = maker.some()
    offsets, sizes, strides = _slice(maker, shape)
    small, _ = maker.some(shape=tuple(sizes))
    given, name = _offsets(maker, offsets), maker.name()
    maker.line(
        f"{name} = tensor.insert_slice {small} into {one}{listed(given)} {listed(sizes)} {listed(strides)} : "
        f"{type_of(tuple(sizes))} into {type_of(shape)}"
    )

    def value(env: Env) -> Array:
        x, y = array(env[one]), array(env[small])
        put = {
            tuple(o + i * s for o, i, s in zip(offsets, at, strides, strict=True)): y[at]
            for at in indices(tuple(sizes))
        }
        return Array.of(shape, lambda at: put.get(at, x[at]))

    maker.define(name, shape, value)


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

    def value(env: Env) -> Array:
        x = array(env[one])
        inside = {tuple(i + a for i, a in zip(at, low, strict=True)): x[at] for at in indices(shape)}
        return Array.of(result, lambda at: inside.get(at, element))

    maker.define(name, result, value)


def insert(maker: Maker) -> None:
    one, shape = maker.some()
    at = [maker.random.randrange(size) for size in shape]
    number, element = maker.number()
    places, name = [maker.index(each) for each in at], maker.name()
    maker.line(f"{name} = tensor.insert {number} into {one}{listed(places)} : {type_of(shape)}")

    def value(env: Env) -> Array:
        x = array(env[one])
        return Array.of(shape, lambda each: element if list(each) == at else x[each])

    maker.define(name, shape, value)


def reshape(maker: Maker) -> None:
    one, shape = maker.some()
    if len(shape) < 2:
        return
    result, name = (prod(shape),), maker.name()
    groups = listed([listed(range(len(shape)))])
    maker.line(f"{name} = tensor.collapse_shape {one} {groups} : {type_of(shape)} into {type_of(result)}")
    maker.define(name, result, lambda env: Array(result, array(env[one]).data))
    back = maker.name()
    maker.line(
        f"{back} = tensor.expand_shape {name} {groups} output_shape {listed(shape)} : "
        f"{type_of(result)} into {type_of(shape)}"
    )
    maker.define(back, shape, lambda env: Array(shape, array(env[one]).data))


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
    maker.define(name, shape, lambda _env: Array.of(shape, lambda at: 1 + sum(at)))


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
