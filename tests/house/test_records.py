"""A record does what the dataclass of the same fields does."""

from __future__ import annotations

import dataclasses
import pickle
from collections.abc import Callable
from typing import Any, ClassVar
from typing import NamedTuple as Plain

import pytest

from fathom.cached import cached_property
from fathom.records import FrozenRecordError, NamedTuple, field, fields, initializers, record, replace


@record
class Point:
    """Two numbers."""

    kind: ClassVar[str] = "point"
    x: int
    y: int = 2


@dataclasses.dataclass(frozen=True, slots=True)
class PointData:
    kind: ClassVar[str] = "point"
    x: int
    y: int = 2


@record
class Named(Point):
    name: str = field(default="", compare=False)
    tags: list[str] = field(default_factory=list[str], repr=False)
    column: int = field(default=0, kw_only=True)


@dataclasses.dataclass(frozen=True, slots=True)
class NamedData(PointData):
    name: str = dataclasses.field(default="", compare=False)
    tags: list[str] = dataclasses.field(default_factory=list[str], repr=False)
    column: int = dataclasses.field(default=0, kw_only=True)


@record
class Nothing:
    pass


@record(frozen=False)
class Counter:
    step: int
    count: int = field(init=False)

    def __post_init__(self) -> None:
        self.count = self.step


@record(eq=False, slots=False)
class Circle:
    radius: int

    @cached_property
    def diameter(self) -> int:
        return 2 * self.radius


@record
class Shouted:
    text: str

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Shouted) and self.text.upper() == other.text.upper()

    def __hash__(self) -> int:
        return hash(self.text.upper())

    def __repr__(self) -> str:
        return self.text.upper()


Use = Callable[[Any, Any], object]
"""What is done with the two classes."""


def check_same(use: Use, expected: str) -> None:
    """`use` of the two classes as records and as dataclasses gives `expected`; an error by its type and text."""
    for point, named in ((Point, Named), (PointData, NamedData)):
        try:
            shown = str(use(point, named))
        except TypeError as error:
            shown = f"TypeError: {error}"
        assert shown.replace("Data", "") == expected


USES: list[tuple[Use, str]] = [
    (lambda point, _: point(1), "Point(x=1, y=2)"),
    (lambda point, _: point(y=1, x=3), "Point(x=3, y=1)"),
    (lambda _, named: named(1, 2, "n", ["t"], column=4), "Named(x=1, y=2, name='n', column=4)"),
    (lambda _, named: named(1).tags, "[]"),
    (lambda point, _: point(), "TypeError: Point.__init__() missing 1 required positional argument: 'x'"),
    (
        lambda _, named: named(1, 2, "", [], 4),
        "TypeError: Named.__init__() takes from 2 to 5 positional arguments but 6 were given",
    ),
    (lambda point, _: point(1, z=3), "TypeError: Point.__init__() got an unexpected keyword argument 'z'"),
    (lambda point, _: (point(1) == point(1, 2), point(1) == point(2), point(1) == 1), "(True, False, False)"),
    (lambda point, named: point(1) == named(1), "False"),
    (lambda _, named: (named(1, name="a") == named(1, name="b"), named(1) == named(1, column=1)), "(True, False)"),
    (lambda point, _: len({point(1), point(1, 2), point(2)}), "2"),
    (lambda _, named: hash(named(1)), "TypeError: unhashable type: 'list'"),
    (lambda point, named: (point.__match_args__, named.__match_args__[2:]), "(('x', 'y'), ('name', 'tags'))"),
    (lambda point, named: (point.__slots__, named.__slots__), "(('x', 'y'), ('name', 'tags', 'column'))"),
    (lambda point, _: (point.kind, point.__module__), "('point', 'tests.house.test_records')"),
]


@pytest.mark.parametrize(("use", "expected"), USES)
def test_as_a_dataclass(use: Use, expected: str) -> None:
    check_same(use, expected)


def test_first_instances_are_as_later_ones() -> None:
    @record
    class Fresh(Point):
        tags: list[str] = field(default_factory=list[str])
        column: int = field(default=0, kw_only=True)

    assert Fresh(1).tags is not Fresh(1).tags
    assert {repr(Fresh(1, tags=["t"], column=3)).rpartition(".")[2] for _ in range(40)} == {
        "Fresh(x=1, y=2, tags=['t'], column=3)"
    }


@pytest.mark.parametrize("use", [use for use, expected in USES if expected.startswith("TypeError: Point")])
def test_first_instance_with_wrong_arguments(use: Use) -> None:
    @record
    class Point:
        x: int
        y: int = 2

    with pytest.raises(TypeError, match=r"Point.__init__\(\)"):
        use(Point, Named)
    assert (Point(1), Point(y=1, x=1)) == (Point(1, 2), Point(1, 1))


def test_initializers_that_are_written_ahead() -> None:
    """The first instances are made by the text that later ones are made by."""

    @record
    class Ahead:
        name: str
        size: int = 1

    for write in initializers():
        write()
    written = Ahead.__init__
    assert (Ahead("a"), Ahead("a").size) == (Ahead("a", 1), 1)
    assert Ahead.__init__ is written and not [*initializers()]


def test_no_fields() -> None:
    assert (repr(Nothing()), Nothing() == Nothing(), len({Nothing(), Nothing()})) == ("Nothing()", True, 1)


@pytest.mark.parametrize("change", [lambda: setattr(Point(1), "x", 2), lambda: delattr(Point(1), "x")])
def test_does_not_change(change: Callable[[], None]) -> None:
    with pytest.raises(FrozenRecordError, match="'x' of a Point does not change"):
        change()


def test_that_changes() -> None:
    counter = Counter(3)
    counter.count += 1
    assert repr(counter) == "Counter(step=3, count=4)"
    assert replace(counter, step=5) == Counter(5)
    with pytest.raises(TypeError, match="unhashable"):
        hash(counter)


def test_without_slots() -> None:
    assert Circle(2).diameter == 4
    assert Circle(2) != Circle(2)


def test_own_methods_stay() -> None:
    assert (repr(Shouted("a")), Shouted("a") == Shouted("A"), len({Shouted("a"), Shouted("A")})) == ("A", True, 1)


def test_replace_and_fields() -> None:
    assert replace(Named(1, 2, "n", column=4), x=3, column=5) == Named(3, 2, "n", column=5)
    assert [declared.name for declared in fields(Named)] == ["x", "y", "name", "tags", "column"]
    assert fields(int) == ()
    with pytest.raises(TypeError, match="unexpected keyword argument 'z'"):
        replace(Point(1), z=3)


class Place(NamedTuple):
    """Where something is."""

    line: int
    column: int = 1

    @property
    def next(self) -> Place:
        return self._replace(column=self.column + 1)


class PlainPlace(Plain):
    """Where something is."""

    line: int
    column: int = 1


def test_named_tuple() -> None:
    assert Place(1).next == (1, 2) == PlainPlace(1, 2)
    assert repr(Place(1)) == repr(PlainPlace(1)).removeprefix("Plain")
    assert pickle.loads(pickle.dumps(Place(3))) == Place(column=1, line=3)
    for name in ("__doc__", "__module__", "__match_args__", "_fields", "_field_defaults"):
        assert getattr(Place, name) == getattr(PlainPlace, name)
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'line'"):
        Place()  # type: ignore[call-arg]
