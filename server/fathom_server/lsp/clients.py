"""What a client can do, as far as an answer depends on it: read once, from what it said in `initialize`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from lsprotocol import types

from fathom.records import record
from fathom_server.lsp.plain import plain

if TYPE_CHECKING:
    from fathom.text.encodings import Encoding


@record
class Client:
    """What has to be known of a client in order to translate for it: the encoding of columns, whether it takes edits
    that name the version they are for, whether it asks for the edit of an action when it is chosen, whether an edit
    may create files, whether what it completes may have places to fill in, the commands of its own that a lens may
    have, whether it shows Markdown, how many folds it takes, whether it shows symbols one in the other, whether it
    strikes through what it completes, whether what it completes is one of its own words, whether it shows that an
    action is not possible, whether it can be told to ask for lenses again, whether it follows links to lines of a
    document in what it shows, and whether a hover may have actions beside it."""

    encoding: Encoding
    has_document_changes: bool = False
    resolves_edits: bool = False
    creates_files: bool = False
    takes_snippets: bool = False
    commands: frozenset[str] = frozenset()
    takes_markdown: bool = True
    most_folds: int | None = None
    nests_symbols: bool = True
    strikes_through: bool = False
    completes_words: bool = False
    shows_disabled: bool = True
    refreshes_lenses: bool = False
    follows_lines: bool = False
    acts_in_hovers: bool = False


_COMPLETION: Final = "text_document.completion"
_ITEM: Final = "text_document.completion.completion_item"
_ACTION: Final = "text_document.code_action"
_EDIT: Final = "workspace.workspace_edit"
_SYMBOLS: Final = "text_document.document_symbol"


def client_of(capabilities: types.ClientCapabilities, encoding: Encoding) -> Client:
    """What has to be known of the client that said this. One that says nothing of actions, of symbols or of what it
    shows in a hover is taken to show all there is."""

    def said(path: str) -> Any:
        """What it said, None where it said nothing."""
        value: Any = capabilities
        for name in path.split("."):
            value = getattr(value, name, None)
        return value

    versioned = bool(said(f"{_EDIT}.document_changes"))
    formats = said("text_document.hover.content_format")
    return Client(
        encoding,
        has_document_changes=versioned,
        resolves_edits="edit" in (said(f"{_ACTION}.resolve_support.properties") or ()),
        creates_files=versioned and types.ResourceOperationKind.Create in (said(f"{_EDIT}.resource_operations") or ()),
        takes_snippets=bool(said(f"{_ITEM}.snippet_support")),
        commands=_own_commands(capabilities),
        takes_markdown=not formats or formats[0] == types.MarkupKind.Markdown,
        most_folds=said("text_document.folding_range.range_limit"),
        nests_symbols=said(_SYMBOLS) is None or bool(said(f"{_SYMBOLS}.hierarchical_document_symbol_support")),
        strikes_through=types.CompletionItemTag.Deprecated in (said(f"{_ITEM}.tag_support.value_set") or ()),
        # So does Kate until 23.04, which says what it can do with documents, but nothing of completion.
        completes_words=capabilities.text_document is not None and said(_COMPLETION) is None,
        shows_disabled=said(_ACTION) is None or bool(said(f"{_ACTION}.disabled_support")),
        refreshes_lenses=bool(said("workspace.code_lens.refresh_support")),
        follows_lines=_says(capabilities, "lineLinks"),
        acts_in_hovers=_says(capabilities, "hoverActions"),
    )


def guards_settings(capabilities: types.ClientCapabilities) -> bool:
    """Whether what the client says of settings is the user's, or of a project that the user trusts, as
    `docs/protocol.md` says."""
    return _says(capabilities, "guardsSettings")


def _says(capabilities: types.ClientCapabilities, name: str) -> bool:
    """Whether a client says that it can do something that is Fathom's own, as `docs/protocol.md` names it."""
    match plain(capabilities.experimental):
        case {"fathom": {**said}}:
            return said.get(name) is True
        case _:
            return False


def _own_commands(capabilities: types.ClientCapabilities) -> frozenset[str]:
    """The commands that the client performs itself, of those that `docs/protocol.md` names for lenses."""
    match plain(capabilities.experimental):
        case {"fathom": {"commands": [*names]}}:
            return frozenset(name for name in names if isinstance(name, str))
        case _:
            return frozenset()
