"""The custom message about traces, the files that `fathom opt --record` writes; `docs/protocol.md` describes it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from fathom_server.lsp.file_reading import FileReading, path_of
from fathom_server.lsp.plain import plain
from fathom_server.lsp.requests import invalid

if TYPE_CHECKING:
    from fathom_server.lsp.encoded import Encoded
    from fathom_server.lsp.server import FathomServer

_MODULE: Final = "fathom_server.lsp.trace_reader"
_TEXTS: Final = ("question", "stage", "before", "after")
_NUMBERS: Final = ("part", "run", "number")
_MOST: Final = 1 << 31


def register(server: FathomServer) -> None:
    reading = FileReading(_MODULE)

    @server.feature("fathom/trace")
    async def on_trace(params: Any) -> Encoded:
        return await reading.ask(path_of(params), _question(plain(params)), server.client.encoding)


def _question(given: dict[str, Any]) -> dict[str, object]:
    """What is asked of the file, as far as it makes sense."""
    asked: dict[str, object] = {}
    for key in _TEXTS:
        if given.get(key) is not None:
            if not isinstance(given[key], str):
                raise invalid(f"`{key}` is a text")
            asked[key] = given[key]
    for key in _NUMBERS:
        number = given.get(key, 0)
        if not isinstance(number, int) or isinstance(number, bool) or not 0 <= number < _MOST:
            raise invalid(f"`{key}` is a number")
        asked[key] = number
    for key in ("target", "position"):
        match given.get(key):
            case None:
                pass
            case {"line": int(line), "character": int(character)} if (
                0 <= min(line, character) <= max(line, character) < _MOST
            ):
                asked[key] = [line, character]
            case _:
                raise invalid(f"`{key}` is {{line, character}}")
    return asked
