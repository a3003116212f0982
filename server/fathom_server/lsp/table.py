"""All requests and commands that are answered, one row each; `lsp/requests.py` says what a row means.

A new request is a row here, a module in `features` that thinks, and fixtures that check it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from lsprotocol import types

from fathom_server.lsp import (
    actions,
    answers,
    benching,
    bisecting,
    calls,
    commands,
    completing,
    describing,
    dialects,
    formatting,
    graphs,
    lenses,
    modernising,
    pipelines,
    places,
    previews,
    questions,
    reading,
    remarks,
    renaming,
    semantic_tokens,
    symbols,
    timelines,
)
from fathom_server.lsp.border import Border
from fathom_server.lsp.clients import Client
from fathom_server.lsp.requests import Command, Request

if TYPE_CHECKING:
    from typing import Protocol

    from fathom_server.model.snapshot import Snapshot

    class _AboutDocument(Protocol):
        @property
        def text_document(self) -> types.TextDocumentIdentifier: ...

    class _AboutPlace(Protocol):
        @property
        def position(self) -> types.Position: ...


def _document(params: _AboutDocument) -> str:
    return params.text_document.uri


def _place(border: Border, params: _AboutPlace) -> tuple[int]:
    return (border.offset(params.position),)


def _place_and_declaration(border: Border, params: types.ReferenceParams) -> tuple[int, bool]:
    return border.offset(params.position), params.context.include_declaration


def _nothing(_border: Border, _params: object) -> tuple[()]:
    return ()


REQUESTS: Final[tuple[Request[Any, Any], ...]] = (
    Request(types.TEXT_DOCUMENT_HOVER, "hover.hover", _place, answers.hover, _document),
    Request(
        types.TEXT_DOCUMENT_DEFINITION,
        "across.definitions",
        _place,
        places.places,
        _document,
        finish=dialects.or_described,
        across=True,
    ),
    Request(types.TEXT_DOCUMENT_DECLARATION, "across.declarations", _place, places.places, _document, across=True),
    Request(
        types.TEXT_DOCUMENT_IMPLEMENTATION, "across.implementations", _place, places.places, _document, across=True
    ),
    Request(
        types.TEXT_DOCUMENT_TYPE_DEFINITION,
        "type_definition.type_definition",
        _place,
        answers.locations,
        _document,
        finish=dialects.or_described_type,
    ),
    Request(
        types.TEXT_DOCUMENT_REFERENCES,
        "across.all_references",
        _place_and_declaration,
        places.places,
        _document,
        across=True,
    ),
    Request(
        types.TEXT_DOCUMENT_PREPARE_CALL_HIERARCHY, "calls.prepare", _place, calls.prepared, _document, across=True
    ),
    Request(
        types.CALL_HIERARCHY_INCOMING_CALLS,
        "calls.incoming",
        calls.place_of,
        calls.incoming,
        calls.document_of,
        across=True,
    ),
    Request(
        types.CALL_HIERARCHY_OUTGOING_CALLS,
        "calls.outgoing",
        calls.place_of,
        calls.outgoing,
        calls.document_of,
        across=True,
    ),
    Request(types.TEXT_DOCUMENT_PREPARE_RENAME, "rename.prepare", _place, renaming.prepared, _document),
    Request(
        types.TEXT_DOCUMENT_RENAME,
        "rename.rename_everywhere",
        renaming.place_and_name,
        renaming.renamed,
        _document,
        options=types.RenameOptions(prepare_provider=True),
        across=True,
        waits="may_be_elsewhere",
    ),
    Request(
        types.TEXT_DOCUMENT_COMPLETION,
        "completion.completion",
        _place,
        completing.completions,
        _document,
        options=types.CompletionOptions(
            trigger_characters=["%", "@", "^", "!", "#", ".", "<", '"', "("], resolve_provider=True
        ),
    ),
    Request(
        types.COMPLETION_ITEM_RESOLVE,
        "completion.documentation",
        completing.subject_of,
        completing.documented,
        completing.document_of,
        closed=completing.as_it_is,
    ),
    Request(
        types.TEXT_DOCUMENT_SIGNATURE_HELP,
        "signature_help.signature_help",
        _place,
        completing.signature,
        _document,
        options=types.SignatureHelpOptions(trigger_characters=["(", ",", "["]),
    ),
    Request(
        types.TEXT_DOCUMENT_DOCUMENT_SYMBOL,
        "document_symbols.document_symbols",
        _nothing,
        symbols.of_document,
        _document,
    ),
    Request(types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT, "highlight.highlights", _place, reading.highlights, _document),
    Request(types.TEXT_DOCUMENT_LINKED_EDITING_RANGE, "highlight.linked", _place, reading.linked, _document),
    Request(types.TEXT_DOCUMENT_FOLDING_RANGE, "folding.folds", reading.limit, reading.folds, _document),
    Request(types.TEXT_DOCUMENT_SELECTION_RANGE, "selection.selections", reading.places, reading.selections, _document),
    Request(
        types.TEXT_DOCUMENT_DOCUMENT_LINK,
        "links.links",
        reading.folder,
        reading.links,
        _document,
        options=types.DocumentLinkOptions(resolve_provider=False),
    ),
    Request(
        types.TEXT_DOCUMENT_INLAY_HINT,
        "hints.hints",
        reading.hinted,
        reading.hints,
        _document,
        options=types.InlayHintOptions(resolve_provider=True),
    ),
    Request(
        types.INLAY_HINT_RESOLVE,
        "hints.said_of",
        reading.about_hint,
        reading.with_tooltip,
        reading.document_of_hint,
        must_be_open=True,
    ),
    Request(
        types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL,
        "semantic_tokens.tokens",
        semantic_tokens.units,
        semantic_tokens.tokens,
        _document,
        options=semantic_tokens.LEGEND,
    ),
    Request(
        types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL_DELTA,
        "semantic_tokens.changes",
        semantic_tokens.version_and_units,
        semantic_tokens.changes,
        _document,
        options=semantic_tokens.LEGEND,
    ),
    Request(
        types.TEXT_DOCUMENT_SEMANTIC_TOKENS_RANGE,
        "semantic_tokens.tokens_between",
        semantic_tokens.range_and_units,
        semantic_tokens.part,
        _document,
        options=semantic_tokens.LEGEND,
    ),
    Request(
        types.TEXT_DOCUMENT_FORMATTING,
        "formatting.document_formatting",
        _nothing,
        formatting.edits,
        _document,
        beside="items_beside",
    ),
    Request(
        types.TEXT_DOCUMENT_RANGE_FORMATTING,
        "formatting.range_formatting",
        formatting.part,
        formatting.edits,
        _document,
    ),
    Request(
        types.TEXT_DOCUMENT_ON_TYPE_FORMATTING,
        "formatting.on_type_formatting",
        formatting.typed,
        formatting.edits,
        _document,
        options=formatting.ON_TYPE,
    ),
    Request(
        types.TEXT_DOCUMENT_CODE_ACTION,
        "actions_with_edits.actions_at",
        actions.what_is_asked,
        actions.actions,
        _document,
        options=types.CodeActionOptions(actions.KINDS, resolve_provider=True),
        beside="items_beside",
    ),
    Request(
        types.CODE_ACTION_RESOLVE,
        "actions.edit_of",
        actions.later_of_action,
        actions.with_edit,
        actions.document_of_action,
        must_be_open=True,
        beside="items_beside",
        ahead="ahead",
        finish=actions.or_said,
    ),
    Request(
        types.TEXT_DOCUMENT_CODE_LENS,
        "lenses.lenses",
        _nothing,
        lenses.lenses,
        _document,
        options=types.CodeLensOptions(resolve_provider=True),
        finish=lenses.with_outcomes,
    ),
    Request(
        types.CODE_LENS_RESOLVE,
        "lenses.counted",
        lenses.what_is_counted,
        lenses.with_count,
        lenses.document_of_lens,
        must_be_open=True,
    ),
    Request("fathom/tests", "tests.tests", _nothing, lenses.tests, previews.document_of, must_be_open=True),
    Request(
        "fathom/stages",
        "stages.stages_of",
        previews.function_shown,
        previews.stages,
        previews.document_of,
        must_be_open=True,
    ),
    Request(
        "fathom/functions", "functions.functions", _nothing, previews.functions, previews.document_of, must_be_open=True
    ),
    Request(
        "fathom/preview",
        "preview.preview_so_far",
        previews.what_is_shown,
        previews.preview,
        previews.document_of,
        must_be_open=True,
        beside="items_beside",
        ahead="ahead",
        subject=previews.subject,
        finish=previews.or_last_good,
    ),
    Request(
        "fathom/graph",
        "graph.graph",
        graphs.what_is_drawn,
        graphs.graph,
        previews.document_of,
        must_be_open=True,
        beside="items_beside",
        ahead="ahead",
        subject=graphs.subject,
    ),
    *(
        Request(
            f"fathom/{name}",
            f"timeline.{feature}",
            asked,
            timelines.about_document(answer),
            previews.document_of,
            must_be_open=True,
            beside="items_beside",
            ahead=ahead,
            subject=timelines.subject,
        )
        for name, feature, asked, answer, ahead in (
            ("timeline", "timeline", timelines.about_function, timelines.timeline, "ahead"),
            ("below", "stages_below", timelines.about_function, timelines.stages_below, "ahead_below"),
            ("difference", "difference", timelines.about_two, timelines.difference, "ahead"),
            ("blame", "blame", timelines.about_stage, timelines.blame, "ahead_below"),
            ("life", "life", timelines.about_place, timelines.life, "ahead_below"),
            ("steps", "steps", timelines.about_pass, timelines.steps, "ahead"),
            ("step", "step", timelines.about_pass, timelines.difference, "ahead"),
            ("whyNot", "why_not", timelines.about_place, timelines.why_not, "ahead"),
        )
    ),
)


def answered(snapshot: Snapshot, method: str, params: Any, client: Client) -> object:
    """The answer to a request, in the process beside the server."""
    request = next(row for row in REQUESTS if row.method == method)
    return request.answered(Border(snapshot, client), params)


COMMANDS: Final[tuple[Command[Any], ...]] = (
    Command(
        "fathom.lowerFunction",
        "the document's URI and the name of a function",
        commands.read_lower,
        commands.lower,
    ),
    Command(
        "fathom.describeDialect",
        "the document's URI and the name of a dialect",
        describing.read_describe,
        describing.describe,
    ),
    Command("fathom.moderniseWorkspace", "a document's URI", modernising.read, modernising.modernise),
    Command("fathom.remarks", "the document's URI and the name of a function", commands.read_lower, remarks.tell),
    Command("fathom.setPipeline", "the document's URI and a pipeline", pipelines.read_set, pipelines.set_pipeline),
    Command(
        "fathom.tellWhyNot",
        "the document's URI and a position",
        questions.read_question,
        questions.tell,
    ),
    Command("fathom.runTest", "the document's URI and the line of a test", lenses.read_test, lenses.run_test),
    Command("fathom.runFunction", "{uri, function, arguments}", commands.read_run, commands.run),
    Command("fathom.bisectFunction", "{uri, function, arguments}", commands.read_call, bisecting.bisect),
    Command("fathom.benchFunction", "{uri, function, arguments}", benching.read, benching.bench),
)
