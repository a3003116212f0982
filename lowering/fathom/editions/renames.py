"""What releases of MLIR called otherwise, and what became of it: the table in `renames.toml`, and what follows from it.

An operation's text goes through all releases behind the one that it was written for, one after the other: each renames
it, or has it written otherwise. Nothing here is a guess by spelling.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Final, TypeAlias, cast

from fathom.editions.templates import rewritten
from fathom.records import record

TABLE: Final = Path(__file__).parent / "renames.toml"
DEFAULT: Final = "std"
"""The dialect whose operations needed no prefix."""

_Entry: TypeAlias = "str | list[str] | Mapping[str, object] | list[Mapping[str, object]]"


@record
class Way:
    """One of the things that became of something. `now` is its name; "" where it is to be left out. `was` and `becomes`
    are templates of the text behind the name: `becomes` is None where that is as it was, `was` also where any may stand
    there. `shown` is an example of what is written
    now. What is not `exact` means not quite the same; of what `fits` not, a template cannot tell the text."""

    now: str
    was: str | None = None
    becomes: str | None = None
    shown: str = ""
    exact: bool = True
    fits: bool = True


@record
class Step:
    """What a release did: `since` is the first one of LLVM in which it is so. `gone` says what there is in the place of
    what has no other name."""

    since: int
    name: str
    ways: tuple[Way, ...]
    gone: str = ""

    @property
    def renames(self) -> bool:
        return bool(self.gone) or any(way.now != self.name for way in self.ways)


@record
class Modern:
    """An operation as it is written now: its name, and the text behind it, which has that form since a release. An
    empty name says that it is to be left out. One that is `exact` means the same."""

    name: str
    text: str
    exact: bool = True
    since: int = 0

    @property
    def written(self) -> str:
        """All of its text."""
        return f"{self.name}{self.text}" if self.text.startswith("(") else f"{self.name} {self.text}".strip()


@record
class _Table:
    operations: Mapping[str, Sequence[Step]]
    dialects: Mapping[str, Step]
    types: Mapping[str, Step]
    aliases: Mapping[str, Sequence[Step]]


@cache
def _table() -> _Table:
    import tomllib

    operations: dict[str, list[Step]] = {}
    dialects: dict[str, Step] = {}
    types: dict[str, Step] = {}
    aliases: dict[str, list[Step]] = {}
    sections = tomllib.loads(TABLE.read_text(encoding="utf-8"))
    for release in sorted(sections, key=int):
        for kind, entries in cast("Mapping[str, Mapping[str, _Entry]]", sections[release]).items():
            for name, entry in entries.items():
                step = _step(int(release), name, entry)
                match kind:
                    case "operations" | "syntax":
                        operations.setdefault(name, []).append(step)
                    case "dialects":
                        dialects[name] = step
                    case "types":
                        types[name] = step
                    case "aliases":
                        aliases.setdefault(name, []).append(step)
                    case _:
                        raise ValueError(f"'{kind}' is no kind of section")
    return _Table(operations, dialects, types, aliases)


def _step(since: int, name: str, entry: _Entry) -> Step:
    given = entry if isinstance(entry, list) else [entry]
    tables = [{"now": row} if isinstance(row, str) else row for row in given]
    gone = next((str(table["gone"]) for table in tables if "gone" in table), "")
    ways = [_way(name, table) for table in tables if "now" in table or "gone" not in table]
    return Step(since, name, tuple(ways), gone)


def _way(name: str, table: Mapping[str, object]) -> Way:
    was, becomes = table.get("was"), table.get("is")
    return Way(
        str(table.get("now", name)),
        str(was) if was is not None else None,
        str(becomes) if becomes is not None else None,
        str(table.get("shown", "")),
        bool(table.get("exact", True)),
        bool(table.get("fix", True)),
    )


# ---- operations


def old_name(name: str) -> str | None:
    """The full name under which the table knows an operation, whose dialect may have been left out; None where it does
    not know it."""
    table = _table()
    dialect, dot, rest = name.partition(".")
    if not dot:
        full = (f"{dialect}.{name}" for dialect in (DEFAULT, "builtin"))
        old = next((old_one for old_one in full if old_one in table.operations), None)
        # In a function these are written as they were.
        is_left_out = old == f"{DEFAULT}.{name}" and names_today(f"{DEFAULT}.{name}") == [f"func.{name}"]
        return None if is_left_out else old
    if name in table.operations or dialect in table.dialects:
        return name if rest else None
    return None


def read_ahead() -> None:
    """Reads the table, for which otherwise the first mistake in a text waits."""
    _table()


def known_names() -> list[str]:
    """The full names of all operations of which the table says something, but for those of dialects as a whole."""
    return sorted(_table().operations)


def steps(name: str, behind: int = 0) -> Iterator[Step]:
    """What the releases after `behind` did to an operation of a full name, as long as it has that name."""
    table = _table()
    dialect, _, rest = name.partition(".")
    own = table.operations.get(name, ())
    renamed = table.dialects.get(dialect)
    if renamed is not None and not any(step.since == renamed.since for step in own):
        ways = tuple(Way(f"{way.now}.{rest}") for way in renamed.ways)
        own = sorted((*own, Step(renamed.since, name, ways)), key=lambda step: step.since)
    for step in own:
        if step.since > behind:
            yield step
            if step.renames:
                return


def is_renamed(name: str) -> bool:
    """Whether an operation of a full name has another one today, or is gone."""
    return any(step.renames for step in steps(name))


def names_today(name: str) -> list[str]:
    """The names that an operation of a full name has today; none where it is gone."""
    return list(dict.fromkeys(path[-1][1] for path in _paths(name, 0) if path))


def _paths(name: str, behind: int) -> Iterator[list[tuple[int, str]]]:
    """The names through which an operation goes behind a release, each with the release."""
    step = next((step for step in steps(name, behind) if step.renames), None)
    if step is None:
        yield []
        return
    for way in dict.fromkeys(way.now for way in step.ways if way.now):
        yield from ([(step.since, way), *rest] for rest in _paths(way, step.since))


def said(name: str, now: Modern | None = None) -> str:
    """A sentence about what became of an operation; "" where the table does not know it. `now` is what it is today,
    where that is known and more than the name is new."""
    full = old_name(name)
    step = next((step for step in steps(full) if step.renames), None) if full is not None else None
    if full is None or step is None:
        return _said_of_syntax(name, now)
    if step.gone:
        return f"'{name}' is gone since LLVM {step.since}: {step.gone}"
    paths = [path for path in _paths(full, 0) if path]
    names = " or ".join(f"'{final}'" for final in dict.fromkeys(path[-1][1] for path in paths))
    *between, (since, _) = paths[0]
    text = f"'{name}' is {names} since LLVM {since}"
    if between:
        text += " (" + ", ".join(f"'{between_name}' since LLVM {since}" for since, between_name in between) + ")"
    examples = (way.shown for step in _all_steps(full) for way in step.ways if way.shown)
    shown = now.written if now is not None else next(examples, "")
    return f"{text}: {shown}" if shown else text


def _all_steps(name: str, behind: int = 0) -> Iterator[Step]:
    """What the releases did to an operation, through its first names."""
    for step in steps(name, behind):
        yield step
        if step.renames and step.ways:
            yield from _all_steps(step.ways[0].now, step.since)


def _said_of_syntax(name: str, now: Modern | None) -> str:
    """What is said of an operation that kept its name."""
    ways = [(step.since, way.shown) for step in steps(name) for way in step.ways if way.shown]
    if now is not None:
        ways = [(now.since, now.written)]
    return f"since LLVM {ways[-1][0]} it is written: {ways[-1][1]}" if ways else ""


def modernised(name: str, text: str, generic: bool = False, behind: int = 0) -> Iterator[Modern]:
    """What an operation of a release may be today that has a full name and a text behind it. In the generic form, where
    attributes stand as they are, only names can change."""
    yield from dict.fromkeys(_modern(Modern(name, text), behind, generic))


def _modern(old: Modern, behind: int, generic: bool) -> Iterator[Modern]:
    step = next(steps(old.name, behind), None)
    if step is None:
        yield old
        return
    for way in step.ways:
        moved = _by(way, old, step.since, generic)
        if moved is not None:
            yield from _modern(moved, step.since, generic) if moved.name else [moved]
    if not step.renames:
        # Perhaps it is written as the release has it.
        yield from _modern(old, step.since, generic)


def _by(way: Way, old: Modern, since: int, generic: bool) -> Modern | None:
    exact = old.exact and way.exact
    if not way.fits or (generic and way.was is not None):
        return None
    if way.was is None:
        return Modern(way.now, old.text, exact, old.since)
    text = rewritten(way.was, way.becomes, old.text)
    return Modern(way.now, text, exact, since) if text is not None else None


def today(name: str) -> str | None:
    """The full name that an operation has today whose name was another one once, and may have had no dialect: the first
    of several, "" where it is gone. None where it was never called so."""
    full = old_name(name)
    if full is None or not is_renamed(full):
        return None
    return next(iter(names_today(full)), "")


# ---- types and aliases


def type_today(name: str, text: str) -> tuple[str, int] | None:
    """What a type is today that has a name, with the sign before it, and a text behind it; and since which release."""
    step = _table().types.get(name)
    for way in step.ways if step is not None else ():
        if way.becomes is not None:
            new = rewritten(way.was or "", way.becomes, text)
            if new is not None and step is not None:
                return new, step.since
    return None


def said_of_type(name: str, text: str) -> str:
    """A sentence about what became of a type; "" where the table does not know it."""
    modern, step = type_today(name, text), _table().types.get(name)
    if modern is None or step is None:
        return ""
    shown = step.ways[0].shown
    return f"since LLVM {modern[1]} {shown}" if shown else f"'{name}{text}' is '{modern[0]}' since LLVM {modern[1]}"


def alias_today(sign: str, text: str) -> tuple[str, int] | None:
    """What stands behind the `=` of an alias today that has a sign, `!` or `#`; and since which release."""
    for step in _table().aliases.get(sign, ()):
        for way in step.ways:
            new = rewritten(way.was or "", way.becomes or "", text)
            if new is not None:
                return new, step.since
    return None
