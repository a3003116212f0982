"""Descriptions as differences: a text that has what is otherwise than in another description, and names what is gone.

    dialect = "memref"
    gone = ["op.extract_aligned_pointer_as_index", "enum.AtomicRMWKind"]

    [op.subview]
    …

It has the form of a description (`docs/dialects.md`). A table in it takes the place of the whole table of its kind and
name; what stands at its top is added to the other's.
"""

from __future__ import annotations

from typing import Final

from fathom.irdl.plain_toml import plain_table
from fathom.irdl.sections import HEADER
from fathom.records import record

GONE: Final = "gone"
"""The key under which a difference names the tables that are in the other description alone."""


@record(eq=False)
class Parts:
    """A description in parts: its top, and the text of each table, with its header, by kind and name."""

    top: str
    tables: dict[tuple[str, str], str]

    @property
    def text(self) -> str:
        return "\n\n".join(part.strip("\n") for part in (self.top, *self.tables.values())) + "\n"


def parts_of(text: str) -> Parts:
    """A description in parts, as headers cut it."""
    headers = list(HEADER.finditer(text))
    ends = [*(header.start() for header in headers), len(text)]
    tables = {
        (header[1], header[2] or header[3]): text[header.start() : end]
        for header, end in zip(headers, ends[1:], strict=True)
    }
    return Parts(text[: ends[0]], tables)


def gone_in(difference: Parts) -> frozenset[tuple[str, str]]:
    """The tables that a difference says are gone."""
    names = (plain_table(difference.top) or {}).get(GONE, [])
    split = (name.partition(".") for name in names if isinstance(name, str)) if isinstance(names, list) else ()
    return frozenset((kind, name) for kind, _, name in split)


def applied(base: str, difference: str) -> str:
    """The description that differs so from another."""
    whole, changed = parts_of(base), parts_of(difference)
    gone = gone_in(changed)
    kept = {key: text for key, text in whole.tables.items() if key not in gone}
    return Parts(_joined_tops(whole.top, changed.top), {**kept, **changed.tables}).text


def _joined_tops(base: str, own: str) -> str:
    from fathom.irdl.toml_text import toml_text

    before, after = plain_table(base), plain_table(own)
    assert before is not None and after is not None, "what stands at the top of a description is a table"
    return toml_text({key: value for key, value in {**before, **after}.items() if key != GONE}, {})
