"""Records: classes that are their fields, like those of `dataclasses`, but made at little cost on import.

    @record
    class Note:
        message: str
        span: Span | None = None

A record is made of its fields, in their order or by name; those of its bases come first. Two are equal if they are of
one class and their fields are equal. Records can be hashed, shown, pickled, and matched by position. They have slots,
and do not change unless they are said to.

`dataclasses` writes the methods of each class as text and compiles it, 0.4 ms for a class, which was half of a start of
`fathom opt`. Here they are functions that serve any class, but for the one that has to be fast and to know the names of
the fields: `__init__` is written when a class has made some instances, and most classes make fewer in a run.

`NamedTuple` is that of `typing`, but does not compile the types of the fields either.
"""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable, Iterator, Mapping
from contextvars import ContextVar
from functools import lru_cache
from operator import attrgetter
from types import CodeType, FunctionType, GenericAlias, MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar, cast, dataclass_transform, overload

__all__ = ["Field", "FrozenRecordError", "NamedTuple", "Shared", "field", "fields", "record", "replace"]

T = TypeVar("T")


class Shared:
    """A record of a class under this one may be a part of others many times over, and stand for as much as nobody could
    go through: its hash is worked out once, and what was found to be equal to it is not compared with it again."""

    __slots__ = ("_hash", "_same")

    _hash: int
    _same: object
    """One object for all that were found to be equal."""


_MOST_SHOWN: Final = 1000
"""The text of a record shows so many records in it, and of the others their classes: it may stand for any number."""
_MISSING: Final = object()
_NOTHING: Final[Mapping[str, Any]] = MappingProxyType({})
_FIRST: Final = 4
"""How many instances of a class are made before its `__init__` is written, which costs what some calls save."""


class Field:
    """A field of a record: its name, and what `field` was told of it."""

    __slots__ = ("compare", "default", "default_factory", "init", "kw_only", "metadata", "name", "repr")

    def __init__(
        self,
        default: object,
        default_factory: Callable[[], object] | None = None,
        init: bool = True,
        repr: bool = True,
        compare: bool = True,
        kw_only: bool = False,
        metadata: Mapping[str, Any] = _NOTHING,
    ) -> None:
        self.name = ""
        self.default = default
        # `list[int]` makes what `list` does, and takes ten times as long.
        origin = default_factory.__origin__ if isinstance(default_factory, GenericAlias) else default_factory
        self.default_factory = cast("Callable[[], object] | None", origin)
        self.init = init
        self.repr = repr
        self.compare = compare
        self.kw_only = kw_only
        self.metadata = metadata


# What is assigned to a field of some type has to be of that type for a type checker.
def field(
    *,
    default: Any = _MISSING,
    default_factory: Callable[[], object] | None = None,
    init: bool = True,
    repr: bool = True,
    compare: bool = True,
    kw_only: bool = False,
    metadata: Mapping[str, Any] = _NOTHING,
) -> Any:
    """A field that is more than a name and a default; the words are those of `dataclasses.field`. One without `init` is
    set by `__post_init__`."""
    return Field(default, default_factory, init, repr, compare, kw_only, metadata)


class FrozenRecordError(AttributeError):
    """A field was set, or deleted, of a record that does not change."""


@overload
def record(cls: type[T], /) -> type[T]: ...
@overload
def record(*, frozen: bool = True, eq: bool = True, slots: bool = True) -> Callable[[type[T]], type[T]]: ...
@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def record(
    cls: type[T] | None = None, /, *, frozen: bool = True, eq: bool = True, slots: bool = True
) -> type[T] | Callable[[type[T]], type[T]]:
    """Makes a class a record. Without `eq` it is compared by identity; without `slots` it can have cached properties.

    As with `dataclasses`, a class with slots is another one than that which was decorated, so that its methods cannot
    use `super()` without arguments. `__post_init__`, if there is one, is called when the fields are set. What the class
    defines itself stays as it is.
    """
    return _record(cls, frozen, eq, slots) if cls is not None else lambda cls: _record(cls, frozen, eq, slots)


def fields(cls: type) -> tuple[Field, ...]:
    """The fields of a record's class; none of any other class."""
    return getattr(cls, "__record_fields__", ())


def is_record(cls: type) -> bool:
    """Whether a class is that of records."""
    return hasattr(cls, "__record_fields__")


def replace(of: T, **changes: object) -> T:
    """A record like another but for some fields."""
    same = {
        declared.name: getattr(of, declared.name)
        for declared in fields(type(of))
        if declared.init and declared.name not in changes
    }
    return type(of)(**same, **changes)


def _record(cls: type[T], frozen: bool, eq: bool, slots: bool) -> type[T]:
    namespace = dict(vars(cls))
    own = _own_fields(namespace)
    every = {
        declared.name: declared
        for base in reversed(cls.__mro__[1:])
        for declared in vars(base).get("__record_fields__", ())
    }
    every = tuple((every | own).values())
    methods: dict[str, object] = {
        "__record_fields__": every,
        "__match_args__": tuple(declared.name for declared in every if declared.init and not declared.kw_only),
        "__repr__": _show,
    }
    if frozen:
        methods |= {"__setattr__": _refuse, "__delattr__": _refuse, "__reduce__": _taken_down}
    if eq:
        key = _key([declared.name for declared in every if declared.compare])
        if frozen and issubclass(cls, Shared):
            methods |= {"__eq__": _shared_equality(key), "__hash__": _shared_hash(key)}
        else:
            methods |= {"__eq__": _equality(key), "__hash__": _hash(key) if frozen else None}
    made = _remade(cls, namespace, own, methods, slots)
    if "__init__" not in namespace:
        _initialise_later(made, every, frozen)
    return made


def _own_fields(namespace: Mapping[str, Any]) -> dict[str, Field]:
    """The fields that a class declares itself, by name. Annotations are texts in all of Fathom's modules."""
    own_fields: dict[str, Field] = {}
    for name, annotation in namespace.get("__annotations__", {}).items():
        if not str(annotation).startswith("ClassVar"):
            default = namespace.get(name, _MISSING)
            own_fields[name] = default if isinstance(default, Field) else Field(default)
            own_fields[name].name = name
    return own_fields


def _remade(
    cls: type[T], namespace: dict[str, Any], own: Mapping[str, Field], methods: Mapping[str, object], slots: bool
) -> type[T]:
    """The class with the methods of a record, where it has none of these names: another one if it is to have slots,
    which a class is born with."""
    # A class that defines `__eq__` has `__hash__` in its namespace too, as None.
    missing = {name: method for name, method in methods.items() if namespace.get(name) is None}
    if not slots:
        for name, declared in own.items():
            if declared.default is not _MISSING:
                setattr(cls, name, declared.default)
            elif name in namespace:
                delattr(cls, name)
        for name, value in missing.items():
            setattr(cls, name, value)
        return cls
    inherited = {name for base in cls.__mro__[1:-1] for name in getattr(base, "__slots__", ())}
    kept = {name: value for name, value in namespace.items() if name not in own and name not in _BORN_WITH}
    kept |= {"__slots__": tuple(name for name in own if name not in inherited), **missing}
    made = cast("type[T]", type(cls)(cls.__name__, cls.__bases__, kept))
    made.__qualname__ = cls.__qualname__
    return made


_BORN_WITH: Final = ("__dict__", "__weakref__")
"""What a class without slots has because it has none."""


# ---- methods


def _initialise_later(cls: type, every: tuple[Field, ...], frozen: bool) -> None:
    """Gives a class an `__init__` like that of any other, and has its own written when that was called some times, or
    with arguments that it does not take: then Python says so."""
    taken = tuple(declared for declared in every if declared.init)
    in_order = [declared.name for declared in taken if not declared.kw_only]
    set_ = object.__setattr__ if frozen else setattr
    is_told = hasattr(cls, "__post_init__")
    left = _FIRST

    def initialise(self: object, *arguments: object, **named: object) -> None:
        nonlocal left
        left -= 1
        given = dict(zip(in_order, arguments, strict=False)) | named
        values = _values(taken, given) if left > 0 and len(given) == len(arguments) + len(named) else None
        if values is None:
            written = write()
            written(self, *arguments, **named)
            return
        for name, value in values:
            set_(self, name, value)
        if is_told:
            cast("Any", self).__post_init__()

    def write() -> Callable[..., None]:
        written = _initializer(cls, taken, frozen)
        if cls.__init__ is initialise:
            cls.__init__ = written
        _UNWRITTEN.pop(initialise, None)
        return written

    cls.__init__ = initialise
    _UNWRITTEN[initialise] = write


_UNWRITTEN: Final[dict[Callable[..., None], Callable[[], object]]] = {}


def initializers() -> Iterator[Callable[[], object]]:
    """Steps that write what is left to be written of the classes that there are, for whoever has time for it."""
    while _UNWRITTEN:
        yield _UNWRITTEN.popitem()[1]


def _values(taken: tuple[Field, ...], given: dict[str, object]) -> list[tuple[str, object]] | None:
    """What the fields of an instance are; None if what is given is not what they take."""
    values: list[tuple[str, object]] = []
    for declared in taken:
        name = declared.name
        if name in given:
            values.append((name, given.pop(name)))
        elif declared.default_factory is not None:
            values.append((name, declared.default_factory()))
        elif declared.default is not _MISSING:
            values.append((name, declared.default))
        else:
            return None
    return values if not given else None


def _initializer(cls: type, taken: tuple[Field, ...], frozen: bool) -> Callable[..., None]:
    """The `__init__` of a class, for the fields that it takes."""
    names: dict[str, Any] = {"_set": object.__setattr__, "_missing": _MISSING}
    parameters = sorted(taken, key=attrgetter("kw_only"))
    defaults: list[object] = []
    by_name: dict[str, object] = {}
    for number, declared in enumerate(parameters):
        if declared.default_factory is not None:
            names[f"_make_{number}"] = declared.default_factory
        elif declared.default is _MISSING:
            if defaults and not declared.kw_only:
                raise TypeError(
                    f"'{declared.name}' of {cls.__qualname__} has no default, and stands behind one that has"
                )
            continue
        if declared.kw_only:
            by_name[declared.name] = declared.default
        else:
            defaults.append(declared.default)
    has_factories = tuple([declared.default_factory is not None for declared in parameters])
    code = _initializing(has_factories, frozen, hasattr(cls, "__post_init__"))
    own = {f"_{number}": declared.name for number, declared in enumerate(parameters)}
    by_name_only = sum([declared.kw_only for declared in parameters])
    code = code.replace(
        co_argcount=code.co_argcount - by_name_only,
        co_kwonlyargcount=by_name_only,
        co_varnames=tuple([own.get(name, name) for name in code.co_varnames]),
        co_names=tuple([own.get(name, name) for name in code.co_names]),
        co_consts=tuple([own.get(value, value) for value in code.co_consts]),
    )
    written = FunctionType(code, names, "__init__", tuple(defaults))
    written.__kwdefaults__ = by_name
    written.__qualname__ = f"{cls.__qualname__}.__init__"
    return written


@lru_cache(maxsize=256)
def _initializing(has_factories: tuple[bool, ...], frozen: bool, is_told: bool) -> CodeType:
    """The code of an `__init__` of so many fields, whose names are `_0` and so on, with factories or without. To
    compile it takes ten times as long as to give it other names."""
    parameters = ["self"]
    body: list[str] = []
    for number, has_factory in enumerate(has_factories):
        name = value = f"_{number}"
        parameters.append(name)
        if has_factory:
            value = f"_make{name}() if {name} is _missing else {name}"
        body.append(f"_set(self, {name!r}, {value})" if frozen else f"self.{name} = {value}")
    if is_told:
        body.append("self.__post_init__()")
    names: dict[str, Any] = {}
    exec("\n ".join([f"def __init__({', '.join(parameters)}):", *(body or ["pass"])]), names)  # noqa: S102
    return names["__init__"].__code__


def _key(names: list[str]) -> Callable[[object], object]:
    """What records of a class are compared by: the tuple of their fields."""
    if len(names) > 1:
        return attrgetter(*names)
    if not names:
        return lambda _: ()
    only = attrgetter(names[0])
    return lambda record: (only(record),)


def _equality(key: Callable[[object], object]) -> Callable[[object, object], bool]:
    def equals(self: object, other: object) -> bool:
        if self is other:
            return True
        return key(self) == key(other) if other.__class__ is self.__class__ else NotImplemented

    return equals


def _hash(key: Callable[[object], object]) -> Callable[[object], int]:
    def hashed(self: object) -> int:
        return hash(key(self))

    return hashed


def _shared_equality(key: Callable[[object], object]) -> Callable[[object, object], bool]:
    def equals(self: Shared, other: object) -> bool:
        if self is other:
            return True
        if other.__class__ is not self.__class__:
            return NotImplemented
        assert isinstance(other, Shared)
        if hash(self) != hash(other):
            return False
        same = getattr(self, "_same", None)
        if same is not None and getattr(other, "_same", None) is same:
            return True
        if key(self) != key(other):
            return False
        if same is None:
            same = self
            object.__setattr__(self, "_same", same)
        object.__setattr__(other, "_same", same)
        return True

    return cast("Callable[[object, object], bool]", equals)


def _shared_hash(key: Callable[[object], object]) -> Callable[[object], int]:
    def hashed(self: Shared) -> int:
        try:
            return self._hash  # pyright: ignore[reportPrivateUsage]
        except AttributeError:
            number = hash(key(self))
            object.__setattr__(self, "_hash", number)
            return number

    return cast("Callable[[object], int]", hashed)


_SHOWN: Final = ContextVar("_SHOWN", default=0)
"""How many records the text has that is being made."""


def _show(self: object) -> str:
    before = _SHOWN.get()
    if before >= _MOST_SHOWN:
        return f"{type(self).__qualname__}(…)"
    _SHOWN.set(before + 1)
    try:
        shown = ", ".join(
            f"{declared.name}={getattr(self, declared.name)!r}" for declared in fields(type(self)) if declared.repr
        )
    finally:
        if not before:
            _SHOWN.set(0)
    return f"{type(self).__qualname__}({shown})"


def _taken_down(self: object) -> tuple[object, ...]:
    """How `pickle` and `copy` make a record that does not change: as everybody does, of its fields."""
    cls = type(self)
    return _put_up, (cls, {declared.name: getattr(self, declared.name) for declared in fields(cls) if declared.init})


def _put_up(cls: type[T], values: Mapping[str, object]) -> T:
    return cls(**values)


def _refuse(self: object, name: str, value: object = None) -> None:
    del value
    raise FrozenRecordError(f"'{name}' of a {type(self).__qualname__} does not change")


# ---- tuples

if not TYPE_CHECKING:

    class _TupleMaker(type):
        """Makes a named tuple of a class: of its fields, with the methods that it has."""

        def __new__(cls, name: str, bases: tuple[type, ...], namespace: dict[str, Any]) -> type:
            names = namespace.get("__annotations__", {})
            defaults = [namespace[name] for name in names if name in namespace]
            made = namedtuple(name, names, defaults=defaults, module=namespace["__module__"])
            for key, value in namespace.items():
                if key not in names and key != "__module__":
                    setattr(made, key, value)
            return made

    NamedTuple = type.__new__(_TupleMaker, "NamedTuple", (), {})
