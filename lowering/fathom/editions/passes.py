"""What became of passes: the table in `passes.toml`."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final, cast

from fathom.records import record

TABLE: Final = Path(__file__).parent / "passes.toml"


@record
class FormerPass:
    """What became of a pass: `now` in the language of pipelines, "" where nothing is needed in its place; or, in
    `gone`, why there is none. `given` has passes that come first where an option is given, by that, and `options`, of
    several passes, those that have one."""

    name: str
    since: int
    now: str = ""
    gone: str = ""
    given: Mapping[str, str] = {}  # Nothing writes to these.
    options: Mapping[str, str] = {}

    @property
    def said(self) -> str:
        """A sentence about it."""
        if self.gone:
            return f"'{self.name}' is gone since LLVM {self.since}: {self.gone}"
        if not self.now:
            return f"'{self.name}' is gone since LLVM {self.since}: nothing is needed in its place"
        return f"'{self.name}' is '{self.now}' since LLVM {self.since}"


@cache
def former_passes() -> Mapping[str, FormerPass]:
    """All of them, by the names that they had."""
    import tomllib

    sections = tomllib.loads(TABLE.read_text(encoding="utf-8"))
    known: dict[str, FormerPass] = {}
    for release, entries in cast("Mapping[str, Mapping[str, str | Mapping[str, object]]]", sections).items():
        for name, entry in entries.items():
            known[name] = _former(name, int(release), entry)
    return known


def _former(name: str, since: int, entry: str | Mapping[str, object]) -> FormerPass:
    if isinstance(entry, str):
        return FormerPass(name, since, entry)
    given = cast("Mapping[str, str]", entry.get("given", {}))
    options = cast("Mapping[str, str]", entry.get("options", {}))
    return FormerPass(name, since, str(entry.get("now", "")), str(entry.get("gone", "")), given, options)
