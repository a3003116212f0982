"""The custom messages about logs with dumps of IR; `docs/protocol.md` describes them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from pygls.uris import to_fs_path

from fathom_server.lsp.plain import plain
from fathom_server.lsp.requests import invalid, refused
from fathom_server.session.threads import in_thread

if TYPE_CHECKING:
    from fathom.dumps.rows import Row
    from fathom_server.lsp.server import FathomServer

_LANGUAGES: Final = {"mlir": "mlir", "llvm": "llvm", "mir": "mir"}


def register(server: FathomServer) -> None:
    @server.feature("fathom/dumps")
    async def on_dumps(params: Any) -> dict[str, Any]:
        from fathom_server.features.dumps import NoDumps, listed

        path = _path(params)
        found = await in_thread(lambda: listed(path))
        if isinstance(found, NoDumps):
            raise refused(found.reason)
        return {"dumps": [_row(row) for row in found.rows], "leftOff": found.left_off}

    @server.feature("fathom/dump")
    async def on_dump(params: Any) -> dict[str, Any]:
        from fathom_server.features.dumps import NoDumps, dumped

        path, number = _path(params), plain(params).get("number")
        if not isinstance(number, int) or isinstance(number, bool):
            raise invalid("`number` is that of a dump")
        found = await in_thread(lambda: dumped(path, number))
        if isinstance(found, NoDumps):
            raise refused(found.reason)
        answer: dict[str, Any] = {"text": found.text, "languageId": _LANGUAGES[found.language]}
        if found.before is not None:
            answer["before"] = {"number": found.before[0], "text": found.before[1]}
        return {**answer, **({"isCut": True} if found.is_cut else {})}


def _path(params: Any) -> str:
    """The path of the log or the folder that is meant."""
    match plain(params):
        case {"uri": str(uri)} if uri.startswith("file:"):
            path = to_fs_path(uri)
            if path:
                return path
        case _:
            pass
    raise invalid("`uri` is that of a file or a folder")


def _row(row: Row) -> dict[str, Any]:
    header = row.dump.header
    said = {
        "subject": row.subject,
        "outcome": row.outcome,
        "path": row.path,
        "isCut": row.is_cut,
    }
    return {
        "number": row.number,
        "pass": row.dump.pass_name,
        "when": header.when,
        "changed": row.changed,
        "languageId": _LANGUAGES[header.language],
        "line": row.dump.line - 1,
        **{key: value for key, value in said.items() if value},
    }
