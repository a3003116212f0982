"""The JSON schema of descriptions, `docs/dialect.schema.json`: it has the keys that are read, and takes MLIR's."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any, cast

import pytest

from fathom.irdl import description as keys
from fathom.irdl.description_scope import CONSTRAINT_KEYS
from fathom.irdl.operation_reader import OPERATION_KEYS
from tests.described import LIBRARY

ROOT = Path(__file__).parents[2]
SCHEMA: dict[str, Any] = json.loads((ROOT / "docs" / "dialect.schema.json").read_text(encoding="utf-8"))
TYPES = {"string": str, "boolean": bool, "integer": int, "object": dict, "array": list}


def wrong(value: Any, schema: dict[str, Any], at: str = "") -> list[str]:
    """What is wrong with a value, by the parts of JSON Schema that the schema uses."""
    if "$ref" in schema:
        schema = SCHEMA["definitions"][schema["$ref"].rpartition("/")[2]]
    if "anyOf" in schema:
        ways = [wrong(value, one, at) for one in schema["anyOf"]]
        return [] if [] in ways else ways[0]
    expected = TYPES[schema["type"]]
    if not isinstance(value, expected) or (expected is int and isinstance(value, bool)):
        return [f"{at}: no {schema['type']}"]
    if "enum" in schema and value not in schema["enum"]:
        return [f"{at}: {value!r}"]
    if expected is list:
        ones = cast("list[Any]", value)
        return [mistake for index, one in enumerate(ones) for mistake in wrong(one, schema["items"], f"{at}[{index}]")]
    if expected is not dict:
        return []
    entries = cast("dict[str, Any]", value)
    mistakes = [f"{at}: no {name}" for name in schema.get("required", ()) if name not in entries]
    for name, one in entries.items():
        of = schema.get("properties", {}).get(name, schema["additionalProperties"])
        mistakes += wrong(one, of, f"{at}.{name}") if of else [f"{at}: unknown key {name}"]
    return mistakes


def test_it_has_the_keys_that_are_read() -> None:
    of = {
        name: set(definition["properties"])
        for name, definition in SCHEMA["definitions"].items()
        if "properties" in definition
    }
    assert set(SCHEMA["properties"]) == keys.TOP_KEYS | keys.KINDS
    assert of == {
        "operation": OPERATION_KEYS,
        "parametric": keys.TYPE_KEYS,
        "enumeration": keys.ENUM_KEYS,
        "constraint": CONSTRAINT_KEYS,
    }


@pytest.mark.parametrize("path", LIBRARY, ids=lambda path: path.stem)
def test_descriptions_are_of_the_form(path: Path) -> None:
    assert wrong(tomllib.loads(path.read_text(encoding="utf-8")), SCHEMA) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("dialect = 3", [".dialect: no string"]),
        ("[op.a]\noperand = []", [": no dialect", ".op.a: unknown key operand"]),
        ('dialect = "x"\nchecked = "no"', [".checked: 'no'"]),
        ('dialect = "x"\n[enum.E]\ncases = [1]', [".enum.E.cases[0]: no string"]),
    ],
)
def test_what_it_refuses(text: str, expected: list[str]) -> None:
    assert wrong(tomllib.loads(text), SCHEMA) == expected
