"""The command `fathom.moderniseWorkspace`: the files of the workspace as MLIR 22 writes them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from fathom_server.lsp.commands import applied, found_beside
from fathom_server.lsp.progress import progress

if TYPE_CHECKING:
    from lsprotocol import types

    from fathom_server.lsp.border import Border
    from fathom_server.lsp.server import FathomServer
    from fathom_server.model.snapshot import Snapshot

MOST_FILES: Final = 2_000
MOST_TEXT: Final = 1 << 20
"""No more files than this are looked at, and none with more characters."""
MOST_TOLD: Final = 20
"""Of so many files it is told why they stay as they are."""


def read(arguments: list[object]) -> tuple[str, None] | None:
    match arguments:
        case [str(uri)]:
            return uri, None
        case _:
            return None


async def modernise(
    server: FathomServer, border: Border, _nothing: None, token: types.ProgressToken | None
) -> dict[str, Any]:
    """Has the client make one edit of all files that can be modernised; the others stay as they are."""
    from fathom_server.features.edits import Refusal, Replacement
    from fathom_server.features.modernising import modernised_file
    from fathom_server.session.beside.messages import Work
    from fathom_server.session.beside.process import Failed

    edits: list[tuple[Snapshot, list[Replacement]]] = []
    refused: list[str] = []
    with progress(server, token, "Modernising the workspace"):
        await server.files.index.until_complete()
        for snapshot in _snapshots(server):
            text = snapshot.tree.text
            try:
                _, made = await found_beside(server, border.uri, lambda _, text=text: Work(modernised_file, (text,)))
            except Failed as failed:
                made = Refusal(f"a fault in Fathom: {failed}")
            if isinstance(made, Refusal):
                refused.append(f"{snapshot.uri}: {made.reason}")
            elif made:
                edits.append((snapshot, made))
    answer: dict[str, Any] = {"applied": True, "files": len(edits), "left": refused[:MOST_TOLD]}
    if edits:
        answer |= await applied(server, border.edits(edits), "Modernise to MLIR 22")
    return answer


def _snapshots(server: FathomServer) -> list[Snapshot]:
    """The files of the workspace in MLIR, those that are open as they are in the editor."""
    uris = [server.files.uri(path) for path in server.files.index.states()]
    uris += [uri for uri in server.session.documents if uri not in uris]
    known = (server.files.snapshot(uri) for uri in sorted(uris)[:MOST_FILES])
    return [snapshot for snapshot in known if snapshot is not None and snapshot.tree.length <= MOST_TEXT]
