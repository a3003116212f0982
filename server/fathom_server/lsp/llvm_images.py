"""Requests about what comes of a `.ll` file: its stages from the import on, its functions, and runs of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from lsprotocol import types
from pygls.exceptions import JsonRpcContentModified

from fathom_server.lsp import commands, graphs, previews, values
from fathom_server.lsp.border import TextBorder
from fathom_server.lsp.plain import plain
from fathom_server.lsp.progress import progress
from fathom_server.session.threads import in_thread

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeVar

    from fathom_server.lsp.commands import RunArguments
    from fathom_server.lsp.encoded import Encoded
    from fathom_server.lsp.server import FathomServer
    from fathom_server.model.llvm_ir.excerpt import Part
    from fathom_server.model.snapshot import Snapshot
    from fathom_server.session.llvm_images import Image

    T = TypeVar("T")

_CLOSED: Final = "the document is closed"


async def stages(server: FathomServer, uri: str, params: Any) -> list[dict[str, str]]:
    """`fathom/stages`."""
    from fathom_server.features.llvm_ir.images import shown_stages

    name, image = await _shown(server, uri, params)
    listed = await _ask(server, image, lambda snapshot: shown_stages(snapshot, name))
    return [{"id": stage.id, "title": stage.title, "languageId": stage.language} for stage in listed]


async def functions(server: FathomServer, uri: str, _params: object) -> list[dict[str, Any]]:
    """`fathom/functions`."""
    from fathom_server.features.llvm_ir.images import shown_functions
    from fathom_server.model.llvm_ir.excerpt import Part

    image = await _image(server, uri, Part(None))
    border = TextBorder(image.source, server.client)
    listed = await _ask(server, image, lambda snapshot: shown_functions(image.source, snapshot))
    return [
        previews.function(
            shown.function,
            border.range(shown.span.start, shown.span.end),
            border.range(shown.name.start, shown.name.end),
        )
        for shown in listed
    ]


async def preview(server: FathomServer, uri: str, params: Any) -> Encoded:
    """`fathom/preview`: the present text, or the last good one in its place."""
    from fathom_server.features.llvm_ir.images import shown_preview
    from fathom_server.features.preview import ahead
    from fathom_server.features.stages import stages as every_stage

    name, image = await _shown(server, uri, params)
    border = TextBorder(image.source, server.client)
    known = await _ask(server, image, every_stage)
    stage = previews.stage_meant(known, plain(params))
    where = image.source, image.imported
    if not image.imported.problem:
        to_do = await _ask(server, image, lambda snapshot: ahead(snapshot, stage, name))
        if to_do is not None:
            await in_thread(to_do)
    made = await _ask(server, image, lambda snapshot: shown_preview(*where, snapshot, stage, name))
    answer = previews.preview(border, params, made)
    shown = server.llvm_documents.shown_of(uri, (stage.id, name, False), border.snapshot.version)
    return previews.in_its_place(shown, border.snapshot.version, answer)


async def graph(server: FathomServer, uri: str, params: Any) -> Encoded:
    """`fathom/graph`."""
    from fathom_server.features.graph import OF_FUNCTION, ahead
    from fathom_server.features.llvm_ir.images import shown_graph
    from fathom_server.features.stages import stages as every_stage

    given = plain(params)
    kind = graphs.kind_meant(given)
    if kind not in OF_FUNCTION:
        given = {key: value for key, value in given.items() if key not in ("function", "position")}
    name, image = await _shown(server, uri, given)
    border = TextBorder(image.source, server.client)
    stage = previews.stage_meant(await _ask(server, image, every_stage), given)
    if not image.imported.problem:
        to_do = await _ask(server, image, lambda snapshot: ahead(snapshot, kind, stage, name))
        if to_do is not None:
            await in_thread(to_do)
    where = image.source, image.imported
    made = await _ask(server, image, lambda snapshot: shown_graph(*where, snapshot, kind, stage, name))
    return graphs.graph(border, params, made)


async def run(server: FathomServer, uri: str, given: RunArguments, token: types.ProgressToken | None) -> dict[str, Any]:
    """`fathom.runFunction`."""
    from fathom_server.features.llvm_ir.images import to_run
    from fathom_server.features.run import NotRunnable
    from fathom_server.model.llvm_ir.excerpt import Part

    image = await _image(server, uri, Part(given.function, bodies=True))
    border = TextBorder(image.source, server.client)
    settings = server.session.configuration.settings_for(uri)
    limits, checked = commands.limits_of(settings, given)
    name, arguments = given.function, given.arguments
    with progress(server, token, f"Running @{name}") as report:
        report("importing and lowering")
        where = image.source, image.imported
        prepared = await _ask(server, image, lambda snapshot: to_run(*where, snapshot, name, arguments, checked))
        if isinstance(prepared, NotRunnable):
            return commands.failure(prepared.kind, prepared.message)
        report("compiling and running")
        folder, keeps = values.folder_of(uri), settings.keeps_code
        outcome = await server.session.runner.run(prepared.request, limits, folder, keeps=keeps)
        return commands.answer(outcome, prepared, border)


async def _shown(server: FathomServer, uri: str, params: Any) -> tuple[str | None, Image]:
    """The function that is meant by its name or by a position in it, where None is the whole file, and what is imported
    in order to show it."""
    from fathom_server.features.llvm_ir.images import function_at, part_shown

    source = server.llvm_documents.documents.get(uri)
    if source is None:
        raise JsonRpcContentModified(_CLOSED)
    name = previews.function_meant(TextBorder(source, server.client), plain(params), function_at)
    return name, await _image(server, uri, part_shown(source, name))


async def _image(server: FathomServer, uri: str, part: Part | None) -> Image:
    image = await server.llvm_documents.images.image(uri, part)
    if image is None:
        raise JsonRpcContentModified(_CLOSED)
    return image


async def _ask(server: FathomServer, image: Image, question: Callable[[Snapshot], T]) -> T:
    """The answer to a question about the image as a document."""
    uri = image.source.uri
    await server.session.turns.until_free(uri)
    return await server.session.turns.ask(uri, lambda: question(image.document.snapshot()))
