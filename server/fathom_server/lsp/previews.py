"""The custom messages about previews and functions; `docs/protocol.md` describes them."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote, unquote, urlsplit

from lsprotocol import types

from fathom_server.lsp.border import AnyBorder, Border, S, TextBorder
from fathom_server.lsp.convert import TextPositions, TreeRanges
from fathom_server.lsp.diagnostics import SEVERITIES
from fathom_server.lsp.encoded import Encoded, encoded, encoded_list, encoded_object, encoded_range
from fathom_server.lsp.plain import plain
from fathom_server.lsp.requests import invalid

if TYPE_CHECKING:
    from collections.abc import Callable

    from fathom.diagnostics import Diagnostic
    from fathom_server.features.functions import Argument, Function
    from fathom_server.features.preview import Preview
    from fathom_server.features.stages import PreviewStage
    from fathom_server.lsp.server import FathomServer
    from fathom_server.session.opened import OpenDocument
    from fathom_server.session.previews import Shown


def register(server: FathomServer) -> None:
    @server.feature("fathom/closePreview")
    def on_close(params: Any) -> None:
        from fathom_server.model.scoping import normalized

        given, uri = plain(params), document_of(params)
        opened = server.session.documents.get(uri)
        if opened is None:
            if server.has_llvm_documents:
                server.llvm_documents.close_preview(uri, given.get("stage"), given.get("function"))
            return
        if given.get("stage") is None:
            opened.attention.previews.close_all()
            return
        name = given.get("function")
        shown = normalized(name) if isinstance(name, str) else None
        opened.attention.previews.close((given["stage"], shown, bool(given.get("part"))))


def document_of(params: Any) -> str:
    """The URI of the document that parameters name."""
    match plain(params):
        case {"textDocument": {"uri": str(uri)}}:
            return uri
        case _:
            raise invalid("the parameters name no document: {textDocument: {uri}} is missing")


UINT: Final = 1 << 31
"""One more than the greatest number of the protocol (*Base Types*, `uinteger`)."""


LATER: Final = 0.05
"""Seconds after which a client is told that there is more of what it was sent."""


# ---- stages and functions


def stages(_border: Border, _params: object, known: list[PreviewStage]) -> list[dict[str, str]]:
    return [{"id": stage.id, "title": stage.title, "languageId": stage.language} for stage in known]


def functions(border: Border, _params: object, listed: list[Function]) -> list[dict[str, Any]]:
    return [
        function(
            each,
            border.range(each.entry.start, each.entry.end),
            border.range(each.entry.name_start, each.entry.name_end),
        )
        for each in listed
    ]


def function(shown: Function, around: types.Range, name: types.Range) -> dict[str, Any]:
    """A function that stands in a range, and its name in another."""
    return {
        "name": shown.name,
        "range": around,
        "selectionRange": name,
        "signature": shown.signature,
        "arguments": [_argument(argument) for argument in shown.arguments],
        "results": list(shown.results),
        "isDeclaration": not shown.symbol.has_body,
        **({"isBig": True} if shown.is_big else {}),
    }


def _argument(argument: Argument) -> dict[str, str]:
    known = {"type": argument.type, "name": argument.name, "example": argument.example}
    return {key: value for key, value in known.items() if value is not None}


# ---- previews


def what_is_shown(border: Border, params: Any) -> tuple[PreviewStage, str | None, int | None]:
    """The stage that is asked for, the function by its name or by a position in it, where None is the whole file, and
    the offset around which a part of it is wanted, where None is the whole function."""
    from fathom_server.features.stages import stages

    given = plain(params)
    stage = stage_meant(stages(border.snapshot), given)
    is_named = given.get("function") is not None
    return stage, *function_shown(border, params), _offset(border, given, "part") if is_named else None


def stage_meant(known: list[PreviewStage], given: Any) -> PreviewStage:
    """The stage that is asked for, one of those that there are."""
    stage = next((stage for stage in known if stage.id == given.get("stage")), None)
    if stage is None:
        ids = ", ".join(other.id for other in known)
        raise invalid(f"there is no stage {given.get('stage')!r}; there are: {ids}")
    return stage


def function_shown(border: Border, params: Any) -> tuple[str | None]:
    """The function that is meant by its name or by a position in it; None is the whole file."""
    from fathom_server.features.functions import function_at

    return (function_meant(border, plain(params), function_at),)


def function_meant(border: TextBorder[S], given: Any, at: Callable[[S, int], str | None]) -> str | None:
    """The same of a document of any kind; `at` tells which function is around an offset."""
    from fathom_server.model.scoping import normalized

    match given.get("function"):
        case None:
            place = _offset(border, given, "position")
            return at(border.snapshot, place) if place is not None else None
        case str(name):
            return normalized(name)
        case _:
            raise invalid("`function` is the name of a function")


def _offset(border: AnyBorder, given: Any, key: str) -> int | None:
    match given.get(key):
        case None:
            return None
        case {"line": int(line), "character": int(character)} if (
            0 <= min(line, character) <= max(line, character) < UINT
        ):
            return border.offset(types.Position(line, character))
        case _:
            raise invalid(f"`{key}` is {{line, character}}")


def subject(stage: PreviewStage, function: str | None, place: int | None) -> object:
    """What is the same in two questions of which the later one counts: the place is not."""
    return stage, function, place is not None


def _is_part(params: Any) -> bool:
    """Whether a part of a function is wanted."""
    given = plain(params)
    return given.get("function") is not None and given.get("part") is not None


def preview(border: AnyBorder, params: object, made: Preview) -> dict[str, Any]:
    """A preview of the present version; `text` and `map` are left out where it cannot be shown."""
    answer: dict[str, Any] = {
        "uri": preview_uri(border.uri, made.stage, made.function, is_part=_is_part(params)),
        "stage": made.stage.id,
        "stale": made.problem is not None,
        "languageId": made.stage.language,
    }
    if made.text is not None:
        answer["text"], answer["map"] = encoded(made.text), _map(border, made)
    if made.function is not None:
        answer["function"] = made.function
    if made.part is not None and made.around is not None:
        spans = {"range": made.part, "function": made.around}
        ranges = {key: Encoded(encoded_range(border.range(span.start, span.end))) for key, span in spans.items()}
        answer["part"] = encoded_object(ranges)
    if made.problem is not None:
        answer["staleReason"] = " ".join(made.problem.split())
    if made.goes_on:
        answer["goesOn"] = True
    if made.diagnostics:
        answer["diagnostics"] = encoded_list(_diagnostic(border, diagnostic).json for diagnostic in made.diagnostics)
    return answer


def or_last_good(server: FathomServer, border: Border, params: object, answer: dict[str, Any]) -> Encoded:
    """The preview, or the last good text in its place; it is kept for as long as nothing newer can be shown."""
    from fathom_server.features.preview import learn
    from fathom_server.features.stages import CODE, MARK, SOURCE
    from fathom_server.session.previews import Shown

    shown = Shown('""', border.snapshot.version, "[]")
    opened = server.session.documents.get(border.uri)
    if opened is not None:
        if "function" in answer:
            learn(border.snapshot, answer["stage"], answer["function"])
        if answer["stage"] != SOURCE and MARK not in answer["stage"]:
            server.session.ask_for(border.uri, answer.get("function"))
        key = (answer["stage"], answer.get("function"), _is_part(params))
        shown = opened.attention.previews.shown(key, border.snapshot)
        if "goesOn" in answer:
            server.session.soon(partial(_announce_later, server, opened))
        if answer["stage"] in CODE and border.snapshot.settings.compile.remarks and not answer["stale"]:
            _follow(server, border, answer)
    return in_its_place(shown, border.snapshot.version, answer)


def _follow(server: FathomServer, border: Border, answer: dict[str, Any]) -> None:
    """Has the remarks shown that LLVM makes about a function whose code is shown."""
    from fathom_server.lsp.remarks import follow

    if "function" in answer and "part" not in answer:
        # This may stand in a slice, which is on no event loop.
        server.session.soon(lambda: follow(server, border, answer["function"]))


def in_its_place(shown: Shown, version: int, answer: dict[str, Any]) -> Encoded:
    """The preview of a version with what is shown in its place, which is its own text if it has one."""
    if "text" in answer:
        shown.text, shown.version, shown.map = answer["text"].json, version, answer["map"].json
        shown.part = answer["part"].json if "part" in answer else ""
    last: dict[str, object] = {"version": shown.version, "text": Encoded(shown.text), "map": Encoded(shown.map)}
    if shown.part:
        last["part"] = Encoded(shown.part)
    return encoded_object({**answer, **last})


def _map(border: AnyBorder, made: Preview) -> Encoded:
    targets = TextPositions(made.text or "", border.client.encoding)
    ranges = TreeRanges(border.snapshot.tree, border.client.encoding)
    sources: dict[tuple[int, int], str] = {}
    entries: list[str] = []
    for source, target in made.links:
        place = source.place
        known = sources.get(place)
        if known is None:
            known = sources[place] = ranges.encoded(*place)
        entries.append(f'{{"source":{known},"target":{targets.encoded(target)}}}')
    return encoded_list(entries)


def _diagnostic(border: AnyBorder, diagnostic: Diagnostic) -> Encoded:
    start = diagnostic.span.start if diagnostic.span is not None else 0
    end = diagnostic.span.end if diagnostic.span is not None else 0
    fields: dict[str, object] = {
        "range": Encoded(encoded_range(border.range(start, end))),
        "message": diagnostic.message,
        "severity": SEVERITIES[diagnostic.severity],
        "source": "fathom",
    }
    return encoded_object(fields)


def preview_uri(uri: str, stage: PreviewStage, name: str | None, *, is_part: bool) -> str:
    """The address of a preview: `fathom-preview:/STAGE/NAME.EXT?SOURCE`, and `#part` where that is wanted."""
    extension = {"llvm": "ll", "asm": "s"}.get(stage.language, "mlir")
    if name is None:
        last = unquote(urlsplit(uri).path).rpartition("/")[2]
        stem = (last.rpartition(".")[0] or last).lstrip("@") or "buffer"
    else:
        stem = f"@{name}"
    path = f"{quote(stage.id, safe='')}/{quote(stem, safe='')}.{extension}"
    return f"fathom-preview:/{path}?{quote(uri, safe='')}{'#part' if is_part else ''}"


def _announce_later(server: FathomServer, opened: OpenDocument) -> None:
    """Has the client ask again for what goes on, when it has the answer."""

    def tell() -> None:
        if server.session.documents.get(opened.document.uri) is opened:
            announce(server, opened)

    asyncio.get_running_loop().call_later(LATER, tell)


def announce(server: FathomServer, opened: OpenDocument) -> None:
    """Tells the client which of the previews it has asked for may have changed."""
    document, previews = opened.document, opened.attention.previews
    if not previews:
        return
    server.protocol.notify(
        "fathom/previewDidChange",
        {
            "textDocument": {"uri": document.uri, "version": document.version},
            "functions": sorted(previews.others(document.snapshot())),
        },
    )
