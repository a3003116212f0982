"""The custom messages about previews; `docs/protocol.md` describes them."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeAlias
from urllib.parse import quote, unquote, urlsplit

from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams

from fathom_server.lsp.configuration import plain
from fathom_server.lsp.convert import SEVERITIES, TextPositions, from_lsp, range_to_lsp

if TYPE_CHECKING:
    from fathom.diagnostics import Diagnostic
    from fathom_server.features.preview import Preview, Stage
    from fathom_server.features.symbols import OutlineEntry
    from fathom_server.lsp.server import FathomServer
    from fathom_server.session.opened import OpenDocument
    from fathom_server.session.snapshot import Snapshot


_LOGGER = logging.getLogger(__name__)

Made: TypeAlias = "tuple[Preview, list[object]]"


def register(server: FathomServer) -> None:
    @server.feature("fathom/stages")
    def on_stages(params: Any) -> list[dict[str, str]]:
        from fathom_server.features.preview import stages

        snapshot = server.open_snapshot(uri_of(plain(params)))
        return [
            {"id": stage.id, "title": stage.title, "languageId": stage.language}
            for stage in stages(snapshot.settings.pipeline)
        ]

    @server.feature("fathom/functions")
    def on_functions(params: Any) -> list[dict[str, Any]]:
        from fathom_server.features.symbols import outline

        snapshot = server.open_snapshot(uri_of(plain(params)))
        return [info for entry in _all(outline(snapshot)) if (info := _function_info(entry, snapshot, server))]

    @server.feature("fathom/preview")
    async def on_preview(params: Any) -> dict[str, Any]:
        given = plain(params)
        snapshot = server.open_snapshot(uri_of(given))
        stage = _stage(snapshot, given.get("stage"))
        name = given.get("function")
        position = given.get("position")
        if name is not None and not isinstance(name, str):
            raise JsonRpcInvalidParams("`function` is the name of a function")
        if name is None and position is not None:
            name = _function_at(snapshot, from_lsp(snapshot.tree, _position(position), server.encoding))
        if name is not None:
            return _answer(server, snapshot, stage, name, *_made(server, snapshot, stage, name))

        def begin() -> Callable[[], tuple[Snapshot, Made]]:
            current = server.open_snapshot(snapshot.document.uri).frozen()
            return lambda: (current, _made(server, current, stage, None))

        current, made = await server.session.aside.run(begin)
        return _answer(server, current, stage, None, *made)

    @server.feature("fathom/closePreview")
    def on_close(params: Any) -> None:
        given = plain(params)
        opened = server.session.documents.get(uri_of(given))
        if opened is None:
            return
        if given.get("stage") is None:
            opened.previews.clear()
        else:
            opened.previews.pop((given["stage"], given.get("function")), None)


def uri_of(given: Any) -> str:
    """The URI of the document that parameters name."""
    match given:
        case {"textDocument": {"uri": str(uri)}}:
            return uri
        case _:
            raise JsonRpcInvalidParams("the parameters name no document: {textDocument: {uri}} is missing")


def _position(given: object) -> types.Position:
    match given:
        case {"line": int(line), "character": int(character)}:
            return types.Position(line, character)
        case _:
            raise JsonRpcInvalidParams("`position` is {line, character}")


def _stage(snapshot: Snapshot, id: object) -> Stage:
    from fathom_server.features.preview import stages

    known = stages(snapshot.settings.pipeline)
    stage = next((stage for stage in known if stage.id == id), None)
    if stage is None:
        raise JsonRpcInvalidParams(f"there is no stage {id!r}; there are: {', '.join(s.id for s in known)}")
    return stage


def _made(server: FathomServer, snapshot: Snapshot, stage: Stage, name: str | None) -> Made:
    """A preview, and its map as it is sent."""
    from fathom_server.features.preview import Preview, preview

    try:
        made = preview(snapshot, stage, name)
    except Exception as fault:
        _LOGGER.exception("preview of %s at %s", name or "the file", stage.id)
        made = Preview(None, problem=f"a fault in Fathom: {type(fault).__name__}: {fault}")
    return made, _map(server, snapshot, made) if made.text is not None else []


def _answer(
    server: FathomServer, snapshot: Snapshot, stage: Stage, name: str | None, made: Preview, links: list[object]
) -> dict[str, Any]:
    """The answer for a preview; it is kept for as long as nothing newer can be shown."""
    from fathom_server.session.opened import Shown

    document = snapshot.document
    shown = Shown(None, document.version, [], frozenset())
    opened = server.session.documents.get(document.uri)
    if opened is not None:
        shown = opened.previews.setdefault((stage.id, name), shown)
    shown.names = made.names
    if made.text is not None:
        shown.text, shown.version, shown.map = made.text, document.version, links
    answer: dict[str, Any] = {
        "uri": preview_uri(document.uri, stage, name),
        "stage": stage.id,
        "version": shown.version,
        "stale": made.text is None,
        "languageId": stage.language,
        "text": shown.text or "",
        "map": shown.map,
    }
    if name is not None:
        answer["function"] = name
    if made.problem is not None:
        answer["staleReason"] = " ".join(made.problem.split())
    if made.diagnostics:
        answer["diagnostics"] = [_diagnostic(server, snapshot, each) for each in made.diagnostics]
    return answer


def _map(server: FathomServer, snapshot: Snapshot, made: Preview) -> list[object]:
    targets = TextPositions(made.text or "", server.encoding)
    tree, encoding = snapshot.tree, server.encoding
    sources: dict[tuple[int, int], Any] = {}
    entries: list[object] = []
    for link in made.links:
        key = (link.source.start, link.source.end)
        if key not in sources:
            sources[key] = range_to_lsp(tree, *key, encoding)
        entries.append({"source": sources[key], "target": targets.range(link.target)})
    return entries


def _diagnostic(server: FathomServer, snapshot: Snapshot, diagnostic: Diagnostic) -> dict[str, Any]:
    start = diagnostic.span.start if diagnostic.span is not None else 0
    end = diagnostic.span.end if diagnostic.span is not None else 0
    return {
        "range": range_to_lsp(snapshot.tree, start, end, server.encoding),
        "message": diagnostic.message,
        "severity": SEVERITIES[diagnostic.severity],
        "source": "fathom",
    }


def preview_uri(uri: str, stage: Stage, name: str | None) -> str:
    """The address of a preview: `fathom-preview:/STAGE/NAME.EXT?SOURCE`."""
    extension = "ll" if stage.language == "llvm" else "mlir"
    if name is None:
        last = unquote(urlsplit(uri).path).rpartition("/")[2]
        stem = (last.rpartition(".")[0] or last).lstrip("@") or "buffer"
    else:
        stem = f"@{name}"
    return f"fathom-preview:/{quote(stage.id, safe='')}/{quote(stem, safe='')}.{extension}?{quote(uri, safe='')}"


def announce(server: FathomServer, opened: OpenDocument) -> None:
    """Tells the client which of the previews it has asked for may have changed."""
    document = opened.document
    if not opened.previews:
        return
    functions = {name for _, name in opened.previews if name is not None}
    server.protocol.notify(
        "fathom/previewDidChange",
        {
            "textDocument": {"uri": document.uri, "version": document.version},
            "functions": sorted(name for name in functions if _is_covered(opened, name)),
        },
    )


def _is_covered(opened: OpenDocument, name: str) -> bool:
    """Whether an edit since the last notice touched a function, what it depends on, or anything before it."""
    symbol = opened.document.definition(name)
    if symbol is None or opened.first_changed is None:
        return True
    if opened.document.tree.items.index(symbol.item) >= opened.first_changed:
        return True
    attempts = [shown.names for (_, function), shown in opened.previews.items() if function == name]
    names = frozenset[str]().union(*attempts)
    return name in opened.changed_names or bool(names & opened.changed_names)


def _function_at(snapshot: Snapshot, offset: int) -> str | None:
    from fathom_server.features.symbols import outline

    for entry in _all(outline(snapshot)):
        if entry.start <= offset <= entry.end and not entry.symbol.op_name.endswith(("module", "global")):
            return entry.symbol.name
    return None


def _all(entries: list[OutlineEntry]) -> list[OutlineEntry]:
    return [each for entry in entries for each in (entry, *_all(entry.children))]


def _function_info(entry: OutlineEntry, snapshot: Snapshot, server: FathomServer) -> dict[str, Any] | None:
    from fathom_server.features.run import argument_names, example_of, signature_of

    signature = signature_of(snapshot, entry.symbol.name)
    if signature is None:
        return None
    names = argument_names(snapshot, entry.symbol.name, len(signature.inputs))
    arguments: list[dict[str, str]] = []
    for name, type in zip(names, signature.inputs, strict=True):
        info = {"type": str(type)}
        if name:
            info["name"] = name
        example = example_of(type)
        if example is not None:
            info["example"] = example
        arguments.append(info)
    shown = ", ".join(f"{a['name']}: {a['type']}" if "name" in a else a["type"] for a in arguments)
    results = [str(type) for type in signature.results]
    arrow = f" -> {results[0]}" if len(results) == 1 else f" -> ({', '.join(results)})" if results else ""
    tree, encoding = snapshot.tree, server.encoding
    return {
        "name": entry.symbol.name,
        "range": range_to_lsp(tree, entry.start, entry.end, encoding),
        "selectionRange": range_to_lsp(tree, entry.name_start, entry.name_end, encoding),
        "signature": f"({shown}){arrow}",
        "arguments": arguments,
        "results": results,
        "isDeclaration": not entry.symbol.has_body,
    }
