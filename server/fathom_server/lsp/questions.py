"""*Why was this not folded?* in the protocol's terms: the command of whoever asks, and its answer as a message.

A client that shows answers itself has a command of its own for that; to any other the server shows a message.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from lsprotocol import types

from fathom.text.beginnings import LONGEST_MESSAGE, beginning
from fathom_server.lsp.border import AnyBorder, Border
from fathom_server.lsp.progress import progress

if TYPE_CHECKING:
    from fathom_server.features.questions import Question
    from fathom_server.features.told import Asked, Told
    from fathom_server.lsp.server import FathomServer
    from fathom_server.model.snapshot import Snapshot

ASK: Final = "fathom.lens.whyNot"
"""The command of clients that ask `fathom/whyNot`, and show the answer."""
TELL: Final = "fathom.tellWhyNot"
"""The command of the server, which shows the answer as a message."""
_MOST_LINE: Final = 1 << 31


def asking(border: AnyBorder, question: Question) -> tuple[str, list[Any]]:
    """The command that asks a question, with its arguments."""
    at = border.position(question.offset)
    position = {"line": at.line, "character": at.character}
    if ASK in border.client.commands:
        return ASK, [{"uri": border.uri, "position": position}]
    return TELL, [border.uri, position]


def read_question(arguments: list[object]) -> tuple[str, types.Position] | None:
    match arguments:
        case [str(uri), {"line": int(line), "character": int(character)}] if (
            0 <= min(line, character) <= max(line, character) < _MOST_LINE
        ):
            return uri, types.Position(line, character)
        case _:
            return None


async def tell(
    server: FathomServer, border: Border, position: types.Position, token: types.ProgressToken | None
) -> dict[str, Any]:
    """`fathom.tellWhyNot`: shows why the operation at a position is left."""
    from fathom_server.features.functions import function_at
    from fathom_server.features.questions import answer_text
    from fathom_server.features.timeline import impossible
    from fathom_server.features.told import Asked
    from fathom_server.session.beside.process import Failed

    place = border.offset(position)
    asked = Asked(function_at(border.snapshot, place), place=(place, 0))
    try:
        with progress(server, token, "Looking at what passes left"):
            answer = await _answer(server, border, asked)
    except Failed as failed:
        answer = impossible(asked, str(failed))
    text = beginning(answer_text(answer), LONGEST_MESSAGE)
    shown = types.ShowMessageParams(types.MessageType.Info, text)
    server.session.soon(lambda: server.window_show_message(shown))
    return {"message": text}


async def _answer(server: FathomServer, border: Border, asked: Asked) -> Told:
    """What is answered about the version of the document that the question is about; Failed where the process beside
    fails, and an error that the content was modified where there is another version by then."""
    from pygls.exceptions import JsonRpcContentModified

    from fathom_server.features.timeline import items_beside, why_not
    from fathom_server.session.beside.messages import Work
    from fathom_server.session.beside.process import NothingToDo

    snapshot = border.snapshot
    await server.session.turns.until_free(border.uri)
    present = server.session.snapshot(border.uri)
    if present is None or present.version != snapshot.version:
        raise JsonRpcContentModified("the document was edited meanwhile")
    if items_beside(snapshot, asked) is None:
        return await server.session.turns.ask(border.uri, lambda: why_not(snapshot, asked))

    def work(present: Snapshot) -> Work[Told] | None:
        if present.version != snapshot.version:
            return None
        items = items_beside(present, asked) or ()
        return Work(why_not, (asked,), tuple(present.tree.index_of(item) for item in items))

    try:
        _, answer = await server.session.beside.find(border.uri, work)
    except NothingToDo:
        raise JsonRpcContentModified("the document was edited meanwhile") from None
    return answer
