"""What code of a workspace says of dialects, as the event loop finds it out: by a process that runs it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from typing import Any, Final

from fathom.descriptions.files import DialectFile
from fathom.descriptions.places import Finding, Place
from fathom_server.session import children
from fathom_server.session.own_code import SECONDS
from fathom_server.session.own_code.seen import Seen

_MODULE: Final = "fathom_server.session.own_code.inside"
_PATIENCE: Final = 30.0
"""So many seconds may a process take by the clock, however little it did."""


async def see(files: Sequence[DialectFile], code: Sequence[DialectFile], seconds: float = SECONDS) -> Seen:
    """What code says of dialects that files describe, for which it has so many seconds of a processor's time."""
    said = json.dumps(
        {
            "files": [[file.path, file.text] for file in files],
            "code": [[dialect_file.path, dialect_file.text] for dialect_file in code],
            "seconds": seconds,
        }
    )
    try:
        process = await children.started(_MODULE, PYTHONDONTWRITEBYTECODE="1")
    except OSError as problem:
        return Seen(findings=tuple(_finding(dialect_file, 1, f"it is not run: {problem}") for dialect_file in code))
    try:
        told, _ = await asyncio.wait_for(process.communicate(said.encode()), _PATIENCE)
        return _seen(code, json.loads(told))
    except TimeoutError:
        why = "took too long"
    except (ValueError, TypeError, KeyError):
        status = process.returncode or 0
        why = f"ended its process with {f'signal {-status}' if status < 0 else f'status {status}'}"
    finally:
        children.end(process)
    return Seen(findings=tuple(_finding(dialect_file, 1, f"the code {why} when it was run") for dialect_file in code))


def _seen(code: Sequence[DialectFile], told: Any) -> Seen:
    texts = {dialect_file.path: dialect_file for dialect_file in code}
    mistakes = [(texts[path], int(line), str(message)) for path, line, message in told["mistakes"]]
    if mistakes:
        return Seen(findings=tuple(_finding(file, line, message) for file, line, message in mistakes))
    spoken = {str(name): tuple(map(str, into)) if into is not None else None for name, into in told["spoken"].items()}
    return Seen(spoken, code=tuple(code))


def _finding(file: DialectFile, line: int, message: str) -> Finding:
    """A mistake from the first word of its line to the end of it."""
    lines = file.text.split("\n")
    text = lines[line - 1] if 0 < line <= len(lines) else ""
    return Finding(message, Place(file.path, line - 1, len(text) - len(text.lstrip()), len(text), text))
