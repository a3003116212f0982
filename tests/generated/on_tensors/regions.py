"""Calls, branches and loops that carry tensors."""

from __future__ import annotations

from tests.generated.on_tensors.arrays import Array, Env, Shape, array, listed, type_of, with_part
from tests.generated.on_tensors.maker import Maker

DEEPEST = 3
"""So deep regions nest."""


def call(maker: Maker) -> None:
    if not maker.functions:
        return
    called = maker.random.choice(maker.functions)
    given = [maker.some(shape=shape)[0] for shape in called.inputs]
    types = ", ".join(map(type_of, called.inputs))
    name = maker.name()
    maker.line(f"{name} = func.call @{called.name}({', '.join(given)}) : ({types}) -> {type_of(called.output)}")
    maker.define(name, called.output, lambda env: called.call([array(env[argument]) for argument in given]))


def branch(maker: Maker) -> None:
    """`scf.if` that yields a tensor of each side."""
    if maker.depth >= DEEPEST:
        return
    shape = maker.shape()
    maker.some(shape=shape)
    condition, holds = maker.name(), maker.random.random() < 0.5
    maker.line(f"{condition} = arith.constant {'true' if holds else 'false'}")
    name, sides = maker.name(), [maker.inner(), maker.inner()]
    ends: list[str] = []
    for side in sides:
        for _ in range(maker.random.randint(0, 2)):
            side.statement()
        ends.append(side.some(shape=shape)[0])
        side.line(f"scf.yield {ends[-1]} : {type_of(shape)}")
    maker.line(f"{name} = scf.if {condition} -> ({type_of(shape)}) {{")
    maker.lines += sides[0].lines
    maker.line("} else {")
    maker.lines += sides[1].lines
    maker.line("}")
    taken, end = (sides[0], ends[0]) if holds else (sides[1], ends[1])

    def value(env: Env) -> Array:
        inside = dict(env)
        for step in taken.steps:
            step(inside)
        return array(inside[end])

    maker.define(name, shape, value)


def loop(maker: Maker) -> None:
    """`scf.for` that carries one tensor or two, from which it may take a row at its own index."""
    if maker.depth >= DEEPEST:
        return
    begun = [maker.some() for _ in range(maker.random.randint(1, 2))]
    trips = maker.random.randint(0, 3)
    low, high, step_of = maker.index(0), maker.index(trips), maker.index(1)
    carried = [maker.name() for _ in begun]
    place, inside = maker.name(), maker.inner()
    inside.known |= {name: shape for name, (_, shape) in zip(carried, begun, strict=True)}
    for _ in range(maker.random.randint(1, 3)):
        inside.statement()
    if (row := _row(inside, carried, begun, place, trips)) is not None:
        inside.known[row[0]] = row[1]
    ends = [inside.some(shape=shape)[0] for _, shape in begun]
    types = ", ".join(type_of(shape) for _, shape in begun)
    inside.line(f"scf.yield {', '.join(ends)} : {types}")
    whole = maker.name()
    arguments = ", ".join(f"{name} = {first}" for name, (first, _) in zip(carried, begun, strict=True))
    many = f":{len(begun)}" if len(begun) > 1 else ""
    maker.line(
        f"{whole}{many} = scf.for {place} = {low} to {high} step {step_of} iter_args({arguments}) -> ({types}) {{"
    )
    maker.lines += inside.lines
    maker.line("}")
    results = [f"{whole}#{number}" if many else whole for number in range(len(begun))]

    def step(env: Env) -> None:
        values = [env[first] for first, _ in begun]
        for trip in range(trips):
            there = {**env, place: trip, **dict(zip(carried, values, strict=True))}
            for take in inside.steps:
                take(there)
            values = [there[end] for end in ends]
        env.update(zip(results, values, strict=True))

    maker.steps.append(step)
    maker.known |= {name: shape for name, (_, shape) in zip(results, begun, strict=True)}


def _row(
    inside: Maker, carried: list[str], begun: list[tuple[str, Shape]], place: str, trips: int
) -> tuple[str, Shape] | None:
    """Doubles a row of what is carried, at the index of the loop."""
    name, shape = carried[0], begun[0][1]
    if not shape or shape[0] < trips:
        return None
    rest = shape[1:]
    at = f"[{', '.join([place, *['0'] * len(rest)])}] {listed([1, *rest])} {listed([1] * len(shape))}"
    row, twice, put = inside.name(), inside.name(), inside.name()
    inside.line(f"{row} = tensor.extract_slice {name}{at} : {type_of(shape)} to {type_of(rest)}")
    inside.line(f"{twice} = arith.addi {row}, {row} : {type_of(rest)}")
    inside.line(f"{put} = tensor.insert_slice {twice} into {name}{at} : {type_of(rest)} into {type_of(shape)}")

    def step(env: Env) -> None:
        x, trip = array(env[name]), env[place]
        assert isinstance(trip, int)
        env[put] = with_part(x, (trip,), 2 * x[trip])

    inside.steps.append(step)
    return put, shape
