"""The hierarchy of calls, in the protocol's terms."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from fathom_server.lsp.border import Border
from fathom_server.lsp.symbols import KINDS

if TYPE_CHECKING:
    from typing import Protocol

    from fathom_server.features.calls import Calls, Function

    class _AboutItem(Protocol):
        @property
        def item(self) -> types.CallHierarchyItem: ...


def document_of(params: _AboutItem) -> str:
    return params.item.uri


def place_of(border: Border, params: _AboutItem) -> tuple[int]:
    return (border.offset(params.item.selection_range.start),)


def prepared(border: Border, _params: object, functions: list[Function]) -> list[types.CallHierarchyItem]:
    return [_item(border, function) for function in functions]


def incoming(border: Border, _params: object, callers: list[Calls]) -> list[types.CallHierarchyIncomingCall]:
    return [
        types.CallHierarchyIncomingCall(_item(border, caller.function), _ranges(_of(border, caller.function), caller))
        for caller in callers
    ]


def outgoing(border: Border, _params: object, callees: list[Calls]) -> list[types.CallHierarchyOutgoingCall]:
    return [
        types.CallHierarchyOutgoingCall(_item(border, callee.function), _ranges(border, callee)) for callee in callees
    ]


def _of(border: Border, function: Function) -> Border:
    return Border(function.snapshot, border.client)


def _ranges(border: Border, calls: Calls) -> list[types.Range]:
    return [border.range(span.start, span.end) for span in calls.places]


def _item(border: Border, function: Function) -> types.CallHierarchyItem:
    own = _of(border, function)
    return types.CallHierarchyItem(
        f"@{function.symbol.name}",
        KINDS[function.role.name],
        own.uri,
        own.range(function.start, function.end),
        own.range(function.name_start, function.name_end),
        detail=function.detail,
    )
