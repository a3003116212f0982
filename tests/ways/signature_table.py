"""Two hundred functions of generated signatures, with arguments for them, and what Python says that they give back.

A function gives back what it takes, in another order, or some of it, or nothing; one with pointers loads what they
point to. The values are JSON-like: what is expected is written beside what is given.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence

from fathom.execution import Json
from fathom.records import record

COUNT = 200
SEED = 28


@record
class Called:
    """A function with its arguments, and the results of a call."""

    name: str
    text: str
    arguments: list[Json]
    results: list[Json]


def table(count: int = COUNT, seed: int = SEED) -> Iterator[Called]:
    """The functions, the same ones each time."""
    source = random.Random(seed)
    for number in range(count):
        yield (_loading if number % 4 == 3 else _identity)(f"f{number}", source, KINDS)


def without_numpy(count: int, seed: int = SEED) -> Iterator[Called]:
    """Functions that take arrays whose elements NumPy has no type for."""
    source = random.Random(seed)
    for number in range(count):
        yield _identity(f"f{number}", source, (_memref_of_wide, _memref_of_bits))


# ---- types and their values


Drawn = tuple[str, Json, Json]
"""A type, a value that is given for it, and how that is told."""


def _integer(width: int) -> Callable[[random.Random], Drawn]:
    def draw(source: random.Random) -> Drawn:
        value = source.randint(-(1 << (width - 1)), (1 << width) - 1)
        told: Json = bool(value & 1) if width == 1 else (value + (1 << (width - 1))) % (1 << width) - (1 << (width - 1))
        return f"i{width}", str(value) if source.random() < 0.2 else value, told

    return draw


def _float(name: str) -> Callable[[random.Random], Drawn]:
    def draw(source: random.Random) -> Drawn:
        value = source.choice([0.5, -1.5, 2.0, "nan", "inf", "-inf", 3.0, 0.0])
        return name, value, value

    return draw


def _signed(name: str, low: int, high: int) -> Callable[[random.Random], Drawn]:
    def draw(source: random.Random) -> Drawn:
        value = source.randint(low, high)
        return name, value, value

    return draw


INTEGERS = [_integer(width) for width in (1, 5, 8, 16, 24, 32, 64, 65, 128, 200)]
FLOATS = [_float(name) for name in ("f16", "bf16", "f32", "f64", "f80", "f128")]
NUMBERS = [*INTEGERS, *FLOATS]
SIGNED = [
    _signed("ui8", 0, 255),
    _signed("si8", -128, 127),
    _signed("si16", -300, 300),
    _signed("ui64", 0, (1 << 64) - 1),
]
ELEMENTS = [
    *(_integer(width) for width in (1, 5, 8, 16, 24, 32, 64)),
    *(_float(name) for name in ("f16", "bf16", "f32", "f64", "f80")),
]
WIDE = [*(_integer(width) for width in (65, 128, 129, 200)), _float("f128")]
WHOLE = [
    *(_integer(width) for width in (8, 16, 32, 64)),
    *(_float(name) for name in ("f16", "bf16", "f32", "f64")),
]
LANES = [*WHOLE, _integer(1), _integer(24)]


def _small_float(source: random.Random) -> Drawn:
    value = source.choice([0.5, -1.5, 2.0, -3.0])
    return source.choice(["f8E5M2", "f8E4M3FN", "f6E3M2FN", "f4E2M1FN"]), value, value


def _index(source: random.Random) -> Drawn:
    value = source.randint(-(1 << 63), (1 << 63) - 1)
    return "index", value, value


def _complex(source: random.Random) -> Drawn:
    name = source.choice(["f16", "f32", "f64"])
    return f"complex<{name}>", [1.5, "inf"], [1.5, "inf"]


def _repeated(shape: list[int], draw: Callable[[random.Random], Drawn], source: random.Random) -> Drawn:
    """Nested lists of one type."""
    seed = source.random()
    type = draw(random.Random(seed))[0]

    def rows(level: int) -> tuple[Json, Json]:
        if level == len(shape):
            while (drawn := draw(source))[0] != type:
                pass
            return drawn[1], drawn[2]
        pairs = [rows(level + 1) for _ in range(shape[level])]
        return [given for given, _ in pairs], [told for _, told in pairs]

    return (type, *rows(0))


def _vector(source: random.Random) -> Drawn:
    shape = [source.randint(1, 5) for _ in range(source.randint(1, 3))]
    type, given, told = _repeated(shape, source.choice(LANES), source)
    return f"vector<{'x'.join(map(str, shape))}x{type}>", given, told


def _memref(source: random.Random) -> Drawn:
    return _array(source.choice([*ELEMENTS, _index, _small_float]), source)


def _memref_of_wide(source: random.Random) -> Drawn:
    return _array(source.choice(WIDE), source)


def _array(draw: Callable[[random.Random], Drawn], source: random.Random) -> Drawn:
    """A memref or a tensor."""
    shape = [source.randint(1, 4) for _ in range(source.randint(0, 3))]
    type, given, told = _repeated(shape, draw, source)
    extents = [str(n) if source.random() < 0.5 else "?" for n in shape]
    kind = source.choice(["memref", "tensor", "strided", "unranked"])
    if kind == "strided" and shape:
        text = f"memref<{'x'.join([*extents, type])}, strided<[{', '.join('?' * len(shape))}], offset: ?>>"
        steps = [2]
        for n in reversed(shape[1:]):
            steps.insert(0, steps[0] * n + 1)
        given = {"data": given, "strides": steps, "offset": source.randint(0, 3)}
    elif kind == "unranked" and shape:
        text = f"memref<*x{type}>"
        given = {"data": given, "shape": shape}
    else:
        text = f"{'tensor' if kind == 'tensor' else 'memref'}<{'x'.join([*extents, type])}>"
    return text, given, {"type": text, "shape": shape, "data": told}


def _memref_of_vectors(source: random.Random) -> Drawn:
    return _of_vectors([source.randint(1, 3)], source.choice(WHOLE), source)


def _memref_of_bits(source: random.Random) -> Drawn:
    return _of_vectors([], source.choice([_integer(1), _integer(5), _integer(24)]), source)


def _of_vectors(rows: list[int], draw: Callable[[random.Random], Drawn], source: random.Random) -> Drawn:
    """A memref or a tensor of vectors, which are rows of lanes."""
    extent, lanes = source.randint(1, 3), source.randint(2, 5)
    type, given, told = _repeated([extent, *rows, lanes], draw, source)
    kind = source.choice(["memref", "tensor"])
    text = f"{kind}<?xvector<{'x'.join(map(str, [*rows, lanes]))}x{type}>>"
    return text, given, {"type": text, "shape": [extent], "data": told}


def _aggregate(source: random.Random, depth: int = 3) -> Drawn:
    """A struct or an array of LLVM."""
    bare, given, told = _bare(source, depth)
    return f"!llvm.{bare}", given, told


def _bare(source: random.Random, depth: int) -> Drawn:
    if source.random() < 0.3:
        seed, count = source.random(), source.randint(0, 3)
        parts = [_part(random.Random(seed), depth) for _ in range(max(count, 1))]
        return f"array<{count} x {parts[0][0]}>", [p[1] for p in parts[:count]], [p[2] for p in parts[:count]]
    parts = [_part(source, depth) for _ in range(source.randint(0, 4))]
    packed = "packed " if source.random() < 0.3 else ""
    name = f'"s{source.randint(0, 10**9)}", ' if source.random() < 0.3 else ""
    return f"struct<{name}{packed}({', '.join(p[0] for p in parts)})>", [p[1] for p in parts], [p[2] for p in parts]


def _part(source: random.Random, depth: int) -> Drawn:
    if depth > 1 and source.random() < 0.4:
        return _bare(source, depth - 1)
    return source.choice(NUMBERS)(source)


KINDS = [
    *(*NUMBERS, *SIGNED, _index, _complex, _small_float),
    *(4 * (_vector, _memref, _aggregate)),
    *(2 * (_memref_of_vectors,)),
]


# ---- functions


def _identity(name: str, source: random.Random, kinds: Sequence[Callable[[random.Random], Drawn]]) -> Called:
    drawn = [source.choice(kinds)(source) for _ in range(source.choice([1, 1, 2, 2, 3, 4, 5]))]
    order = source.sample(range(len(drawn)), source.randint(int(source.random() < 0.95), len(drawn)))
    arguments = ", ".join(f"%a{i}: {type}" for i, (type, _, _) in enumerate(drawn))
    types = ", ".join(drawn[i][0] for i in order)
    values = f" {', '.join(f'%a{i}' for i in order)} : {types}" if order else ""
    text = f"func.func @{name}({arguments}) -> ({types}) {{\n  return{values}\n}}\n"
    return Called(name, text, [given for _, given, _ in drawn], [drawn[i][2] for i in order])


def _loading(name: str, source: random.Random, _kinds: object) -> Called:
    """`llvm.func @f(%p: !llvm.ptr, %i: i64) -> T` loads element `%i` of an array of `T`."""
    seed = source.random()
    elements = [_part(random.Random(seed), 3) for _ in range(source.randint(1, 4))]
    bare, at = elements[0][0], source.randrange(len(elements))
    type = f"!llvm.{bare}" if bare.startswith(("struct", "array")) else bare
    text = f"""llvm.func @{name}(%p: !llvm.ptr, %i: i64) -> {type} {{
  %0 = llvm.getelementptr %p[%i] : (!llvm.ptr, i64) -> !llvm.ptr, {type}
  %1 = llvm.load %0 : !llvm.ptr -> {type}
  llvm.return %1 : {type}
}}
"""
    return Called(name, text, [{"type": type, "data": [given for _, given, _ in elements]}, at], [elements[at][2]])
