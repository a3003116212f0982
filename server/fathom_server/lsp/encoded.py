"""JSON that is written before its message is sent: long answers are encoded in the process beside the server, since no
other message is answered while the whole of one is."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping

from lsprotocol import types

from fathom.records import record


@record
class Encoded:
    """A value as JSON, all of whose characters are ASCII."""

    json: str


def encoded(value: object) -> Encoded:
    """A value of strings, numbers, lists and dictionaries, as JSON."""
    return Encoded(json.dumps(value))


def encoded_list(values: Iterable[str]) -> Encoded:
    """A list of values that are JSON already."""
    return Encoded(f"[{','.join(values)}]")


def encoded_object(fields: Mapping[str, object]) -> Encoded:
    """An object, the fields of which may be encoded already."""
    return Encoded(f"{{{','.join(f'{json.dumps(key)}:{_json(value)}' for key, value in fields.items())}}}")


def encoded_range(range: types.Range) -> str:
    """A range as JSON."""
    return written_range(range.start.line, range.start.character, range.end.line, range.end.character)


def written_range(line: int, character: int, last_line: int, last_character: int) -> str:
    """The range between two positions as JSON."""
    return (
        f'{{"start":{{"line":{line},"character":{character}}},'
        f'"end":{{"line":{last_line},"character":{last_character}}}}}'
    )


def _json(value: object) -> str:
    return value.json if isinstance(value, Encoded) else json.dumps(value)
