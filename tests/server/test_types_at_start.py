"""The classes of the protocol as the server imports them do what those of `lsprotocol` do."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec, module_from_spec
from types import ModuleType
from typing import Any

import attrs

from fathom_server.lsp.types_at_start import defined_late


def types_as(name: str) -> ModuleType:
    """The module of the types, once more."""
    spec = find_spec("lsprotocol.types")
    assert spec is not None and spec.loader is not None
    spec.name = spec.loader.name = name  # type: ignore[attr-defined]
    module = sys.modules[name] = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def classes(module: ModuleType) -> dict[str, Any]:
    return {name: var for name, var in vars(module).items() if isinstance(var, type) and attrs.has(var)}


def made(cls: Any) -> Any:
    """An instance that holds the name of each field; none of it is looked at."""
    with attrs.validators.disabled():
        return cls(**{field.alias: field.name for field in attrs.fields(cls) if field.init})


def test_the_same_classes() -> None:
    with defined_late():
        light = classes(types_as("lsprotocol.light_types"))
    plain = classes(types_as("lsprotocol.plain_types"))
    assert light.keys() == plain.keys() and len(light) > 500
    for name, cls in plain.items():
        mine = light[name]
        assert [field.name for field in attrs.fields(mine)] == [field.name for field in attrs.fields(cls)], name
        assert [field.type for field in attrs.fields(mine) if isinstance(field.type, str)] == [], name
        assert (mine.__hash__ is None) == (cls.__hash__ is None), name
        if name in ("Position", "Range", "Location"):
            continue  # They have methods of their own.
        one, other = made(mine), made(mine)
        assert repr(one) == repr(made(cls)), name
        assert one == other and one != name and one != made(cls), name
        if fields := attrs.fields(mine):
            with attrs.validators.disabled():
                setattr(other, fields[0].name, None)
            assert one != other, name


def test_a_class_is_defined_when_it_is_needed() -> None:
    with defined_late():
        types: Any = types_as("lsprotocol.late_types")
    fields = vars(types.Location)["__attrs_attrs__"]
    types.Position(1, 2)
    assert vars(types.Location)["__attrs_attrs__"] is fields
    with ThreadPoolExecutor(8) as pool:
        made = list(pool.map(lambda number: types.Location(f"file:///{number}", None), range(200)))
    assert [location.uri for location in made] == [f"file:///{number}" for number in range(200)]
    assert attrs.has(types.Hover) and [field.name for field in attrs.fields(types.Hover)] == ["contents", "range"]


def test_attrs_are_as_they_were() -> None:
    before = attrs.define
    with defined_late():
        assert attrs.define is not before
    assert attrs.define is before
