"""The process that reads logs with dumps of IR for the server, `python -m fathom_server.lsp.dump_reader`.

A question comes on a line of standard input; a line goes to standard output for it: the answer as JSON in the
protocol's terms, or `"…"`, the reason why there is none. A log may be anything, and may be cut short while it is read:
what is too much for this process takes it down, and not the server.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final, TypeAlias

from fathom.dumps.rows import Row
from fathom.dumps.source import Dumps
from fathom.records import record
from fathom.text.beginnings import beginning
from fathom_server.features.dumps import Listed, NoDumps, dumped, listed, opened
from fathom_server.session.line_answers import answer_lines, stand_back

NICE: Final = 2
"""How far it stands back where processors are scarce."""
MOST_TEXT: Final = 1 << 25
"""An answer of more characters is not given: no editor shows such a text."""

LONGEST_NAME: Final = 400
"""Of a longer name the beginning is told."""

Stamp: TypeAlias = "tuple[int, int, int]"


@record
class _Kept:
    """The log that was asked about last, as it was then."""

    path: str
    stamp: Stamp | None
    opened: Dumps
    listed: Listed


class Reader:
    """Answers questions. It keeps the last log, so that of one that is listed the texts cost no more than they are."""

    def __init__(self) -> None:
        self._kept: _Kept | None = None

    def answer(self, line: bytes) -> str:
        """The answer to a line: `[path]` asks for the dumps of a log or a folder, `[path, number]` for one."""
        path, *numbers = json.loads(line)
        kept = self._read(path, anew=not numbers)
        if isinstance(kept, NoDumps):
            return json.dumps(kept.reason)
        if not numbers:
            return json.dumps({"dumps": [_row(row) for row in kept.listed.rows], "leftOff": kept.listed.left_off})
        found = dumped(kept.opened, kept.listed, numbers[0])
        if isinstance(found, NoDumps):
            return json.dumps(found.reason)
        answer: dict[str, object] = {"text": found.text, "languageId": found.language}
        if found.before is not None:
            answer["before"] = {"number": found.before[0], "text": found.before[1]}
        if found.is_cut:
            answer["isCut"] = True
        told = json.dumps(answer)
        return told if len(told) <= MOST_TEXT else json.dumps(f"dump {numbers[0]} is too long to be shown")

    def _read(self, path: str, *, anew: bool) -> _Kept | NoDumps:
        """A log, as it is now; a folder, as it was listed."""
        stamp = _stamp(path)
        kept = self._kept
        if not anew and kept is not None and (kept.path, kept.stamp) == (path, stamp):
            return kept
        self._kept = None
        log = opened(path)
        if isinstance(log, NoDumps):
            return log
        self._kept = kept = _Kept(path, stamp, log, listed(log))
        return kept


def _stamp(path: str) -> Stamp | None:
    """What tells whether a file is another now; None of what cannot be looked at."""
    try:
        state = Path(path).stat()
    except (OSError, ValueError):
        return None
    return state.st_mtime_ns, state.st_size, state.st_ino


def _row(row: Row) -> dict[str, object]:
    header = row.dump.header
    said = {
        "subject": beginning(row.subject, LONGEST_NAME),
        "outcome": row.outcome,
        "path": row.path,
        "isCut": row.is_cut,
        "before": row.former,
    }
    return {
        "number": row.number,
        "pass": beginning(row.dump.pass_name, LONGEST_NAME),
        "when": header.when,
        "changed": row.changed,
        "languageId": header.language,
        "line": row.dump.line - 1,
        **{key: value for key, value in said.items() if value},
    }


def main() -> None:
    stand_back(NICE)
    answer_lines(Reader().answer)


if __name__ == "__main__":
    main()
