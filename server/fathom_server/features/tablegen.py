"""What to say about a `.td` file: hover, definitions, references, an outline, and links to what it includes.

The texts of hovers follow tblgen-lsp-server's.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from textwrap import dedent
from typing import Final

from fathom.records import field, record
from fathom.slices import paced
from fathom.tablegen.reading import Declared, Included, Span
from fathom_server.features.hover import Hover
from fathom_server.model.tablegen import TableGenSnapshot

DOCUMENTED: Final = ("summary", "description")
"""The fields in which records say what they are."""
OUTLINED: Final = frozenset(("class", "def", "multiclass", "defm", "defset", "deftype", "defvar"))
MEMBERS: Final = frozenset(("field", "argument"))

_LET: Final = re.compile(r"\blet\s+$")
_PARTS: Final = re.compile(r'"(?:[^"\\\n]|\\.)*"|\[\{.*?\}\]|//[^\n]*|/\*.*?\*/|[{}();\[\]<>]', re.DOTALL)


@record(frozen=False)
class TableGenEntry:
    """An entry of the outline: a name that is declared, and the end of what declares it."""

    declared: Declared
    end: int
    children: list[TableGenEntry] = field(default_factory=list["TableGenEntry"])


# ---- hover


def hover(snapshot: TableGenSnapshot, offset: int) -> Hover | None:
    """What to say about an offset; None where there is nothing to say."""
    include = _include_at(snapshot, offset)
    if include is not None and include.span is not None:
        return Hover(f"`{Path(include.path).name}`\n***\n{include.path}", include.span.start, include.span.end)
    link = snapshot.link_at(offset)
    declared = snapshot.declared_at(offset) if link is None else snapshot.declared.get(_place(link.target))
    if declared is None:
        return None
    at = link.span if link is not None else declared.span
    return Hover("\n".join(_lines(snapshot, declared, at)), at.start, at.end)


def _lines(snapshot: TableGenSnapshot, declared: Declared, at: Span) -> Iterator[str]:
    comment = _comment_above(snapshot.texts.get(declared.span.file, ""), declared.span.start)
    match declared.kind:
        case "argument":
            yield f"**template arg** `{declared.name}`\n***\nType: `{declared.type}`\n"
        case "field":
            yield f"**field** `{declared.name}`\n***\nType: `{declared.type}`\n***\n"
            is_let = at.file == snapshot.path and _LET.search(snapshot.document.text, 0, at.start) is not None
            if comment is not None:
                where = f" *From `{declared.within}`*:\n\n" if is_let else ""
                yield f"{where}{comment}\n\n***\n"
        case kind:
            yield f"**{kind}** `{declared.name}`\n***"
            said = snapshot.reading.records.get(declared.name) if kind == "def" else None
            for name in DOCUMENTED if said is not None else ():
                text = said.string(name) if said is not None else None
                if text:
                    yield dedent(text).strip() + "\n***"
            if comment is not None:
                yield f"\n{comment}\n"


def _comment_above(text: str, offset: int) -> str | None:
    """The comment in the lines above that of an offset."""
    comment: list[str] = []
    for line in reversed(text[: text.rfind("\n", 0, offset) + 1].split("\n")[:-1]):
        if not line.strip().startswith("//"):
            break
        comment.append(line.strip().lstrip("/"))
    return "\n".join(reversed(comment)) if comment else None


# ---- definition and references


def definition(snapshot: TableGenSnapshot, offset: int) -> list[Span]:
    """Where the name at an offset is declared, or the file that it includes."""
    include = _include_at(snapshot, offset)
    if include is not None:
        return [Span(include.path, 0, 0)]
    link = snapshot.link_at(offset)
    if link is not None:
        declared = snapshot.declared.get(_place(link.target))
        return [declared.span if declared is not None else link.target]
    declared = snapshot.declared_at(offset)
    return [declared.span] if declared is not None else []


def references(
    snapshot: TableGenSnapshot, offset: int, include_declaration: bool, others: Iterable[TableGenSnapshot]
) -> list[Span]:
    """Where the name at an offset is used in what was read for this file and for others that are open."""
    declared = definition(snapshot, offset)
    if not declared or _include_at(snapshot, offset) is not None:
        return []
    place = _place(declared[0])
    places: dict[Span, None] = dict.fromkeys(declared if include_declaration else ())
    for other in (snapshot, *others):
        places |= dict.fromkeys(link.span for link in paced(other.reading.links) if _place(link.target) == place)
    return list(places)


def _place(span: Span) -> tuple[str, int]:
    return span.file, span.start


def _include_at(snapshot: TableGenSnapshot, offset: int) -> Included | None:
    return next(
        (
            include
            for include in includes(snapshot)
            if include.span and include.span.start <= offset <= include.span.end
        ),
        None,
    )


# ---- the file as a whole


def includes(snapshot: TableGenSnapshot) -> list[Included]:
    """The files that the file itself includes."""
    return [file for file in snapshot.reading.files if file.span is not None and file.span.file == snapshot.path]


def outline(snapshot: TableGenSnapshot) -> list[TableGenEntry]:
    """What the file declares, with fields and arguments under what they belong to."""
    text = snapshot.document.text
    top: list[TableGenEntry] = []
    for declaration in paced(snapshot.reading.declarations):
        if declaration.span.file != snapshot.path:
            continue
        entry = TableGenEntry(declaration, declaration.span.end)
        if declaration.kind in MEMBERS or (top and declaration.span.end <= top[-1].end):
            if top and declaration.span.end <= top[-1].end:
                top[-1].children.append(entry)
        elif declaration.kind in OUTLINED:
            entry.end = _end_of_statement(text, declaration.span.end)
            top.append(entry)
    return top


def _end_of_statement(text: str, offset: int) -> int:
    """Where a statement ends whose name ends at an offset: behind its `;`, or its body."""
    depth = 0
    for part in _PARTS.finditer(text, offset):
        sign = part[0]
        if sign in "{([<":
            depth += 1
        elif sign in "})]>":
            depth -= 1
            if depth <= 0 and sign == "}":
                return part.end()
        elif sign == ";" and depth <= 0:
            return part.end()
    return offset
