"""Renaming, in the protocol's terms."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from fathom_server.lsp.requests import refused

if TYPE_CHECKING:
    from fathom_server.features.edits import Refusal, Renamable
    from fathom_server.features.workspace import FileEdit
    from fathom_server.lsp.border import AnyBorder, Border


def prepared(border: AnyBorder, _params: object, renamable: Renamable) -> types.PrepareRenamePlaceholder:
    return types.PrepareRenamePlaceholder(border.range(renamable.start, renamable.end), renamable.name)


def place_and_name(border: AnyBorder, params: types.RenameParams) -> tuple[int, str]:
    return border.offset(params.position), params.new_name


def renamed(border: Border, _params: object, outcome: list[FileEdit] | Refusal) -> types.WorkspaceEdit:
    from fathom_server.features.edits import Refusal

    if isinstance(outcome, Refusal):
        raise refused(outcome.reason)
    return border.edits((edited.snapshot, edited.replacements) for edited in outcome)
