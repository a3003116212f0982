"""Code actions in the protocol's terms."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from lsprotocol import types

from fathom.text.beginnings import LONGEST_MESSAGE, beginning
from fathom_server.lsp.border import Border
from fathom_server.lsp.plain import plain
from fathom_server.lsp.questions import asking
from fathom_server.lsp.requests import invalid

if TYPE_CHECKING:
    from fathom_server.features.actions import Action, Later
    from fathom_server.features.edits import Refusal, Replacement
    from fathom_server.lsp.server import FathomServer

KINDS: Final[tuple[types.CodeActionKind | str, ...]] = (
    types.CodeActionKind.QuickFix,
    types.CodeActionKind.RefactorExtract,
    types.CodeActionKind.RefactorInline,
    types.CodeActionKind.RefactorRewrite,
    types.CodeActionKind.SourceFixAll,
    "source.organizeAliases",
    "source.expectedChecks",
    "source.writeChecks",
)
"""The kinds of actions that there are, which a client is told before any feature is loaded."""


BISECT: Final = "fathom.lens.bisect"
"""The command of clients that asks for arguments, and has the pass looked for."""


def what_is_asked(border: Border, params: types.CodeActionParams) -> tuple[int, int, tuple[str, ...], bool, bool]:
    """The range that actions are asked for, the kinds of them, whether a person asked, and whether they are to come
    with their edits."""
    context = params.context
    only = tuple(str(getattr(kind, "value", kind)) for kind in context.only or ())
    is_asked = context.trigger_kind is not types.CodeActionTriggerKind.Automatic
    with_edits = not border.client.resolves_edits
    return border.offset(params.range.start), border.offset(params.range.end), only, is_asked, with_edits


def actions(border: Border, params: types.CodeActionParams, offered: list[Action]) -> list[types.CodeAction]:
    """Actions without their edits for a client that asks for the edit of the one it chose; else with them, and those
    that are not possible only if the client shows that. Those that mend a diagnostic which the client has say so."""
    able = [action for action in offered if _is_able(border, action)]
    made = [_with_diagnostics(border, params, action, _action(border, action)) for action in able]
    return [code_action for code_action in made if code_action.disabled is None or border.client.shows_disabled]


def _is_able(border: Border, action: Action) -> bool:
    """Whether the client can do what the action has it do."""
    if action.bisects:
        return BISECT in border.client.commands
    return not (action.describes or action.pipeline) or border.client.creates_files


def _with_diagnostics(
    border: Border, params: types.CodeActionParams, action: Action, made: types.CodeAction
) -> types.CodeAction:
    """A quick fix with what it mends of what the client shows; it is preferred if there is no other."""
    mended = action.mended
    if mended is not None:
        start = border.range(mended.start, mended.start).start
        shown = params.context.diagnostics
        made.diagnostics = [d for d in shown if d.code == mended.code and d.range.start == start] or None
        made.is_preferred = mended.is_preferred or None
    return made


def _action(border: Border, action: Action) -> types.CodeAction:
    made = types.CodeAction(action.title, action.kind)
    if not action.edit and border.client.resolves_edits:
        made.data = {"uri": border.uri}
    if action.refusal:
        made.disabled = _disabled(action.refusal)
        return made
    if action.edit:
        return with_edit(border, made, list(action.edit))
    if action.describes:
        made.command = types.Command(action.title, "fathom.describeDialect", arguments=[border.uri, action.describes])
        return made
    if action.pipeline:
        made.command = types.Command(action.title, "fathom.setPipeline", arguments=[border.uri, action.pipeline])
        return made
    if action.bisects:
        about = {"uri": border.uri, "function": action.bisects}
        made.command = types.Command(action.title, BISECT, arguments=[about])
        return made
    if action.asks:
        name, arguments = asking(border, action.asks)
        made.command = types.Command(action.title, name, arguments=arguments)
        return made
    later = action.later
    assert later is not None, "an action does something"
    if border.client.resolves_edits:
        arguments: list[Any] = list(later.arguments)
        made.data = {"uri": border.uri, "name": later.name, "arguments": arguments, "version": later.version}
        return made
    from fathom_server.features.actions import edit_of

    return with_edit(border, made, edit_of(border.snapshot, later))


def with_edit(border: Border, action: types.CodeAction, outcome: list[Replacement] | Refusal) -> types.CodeAction:
    """The action with its edit, or with the reason why it cannot be done."""
    from fathom_server.features.edits import Refusal

    if isinstance(outcome, Refusal):
        action.disabled = _disabled(outcome.reason)
    elif outcome:
        action.edit = border.edit(outcome)
    return action


def _disabled(reason: str) -> types.CodeActionDisabled:
    return types.CodeActionDisabled(beginning(reason, LONGEST_MESSAGE))


def or_said(
    server: FathomServer, border: Border, params: types.CodeAction, action: types.CodeAction
) -> types.CodeAction:
    """The action that was chosen. If it turns out that it cannot be done, the reason is shown: clients look at what is
    disabled in the first answer only. All that keeps a function from being lowered is shown from then on."""
    from fathom_server.features.actions import LOWER
    from fathom_server.model.scoping import normalized

    later = later_of_action(border, params)[0]
    if later.name == LOWER:
        server.session.ask_for(border.uri, normalized(str(later.arguments[0])))
    if action.disabled is not None:
        server.say(f"{action.title}: {action.disabled.reason}")
    return action


def document_of_action(action: types.CodeAction) -> str:
    match plain(action.data):
        case {"uri": str(uri)}:
            return uri
        case _:
            raise invalid("this action did not come from Fathom")


def later_of_action(_border: Border, action: types.CodeAction) -> tuple[Later]:
    """What is to be made for an action."""
    from fathom_server.features.actions import AS_IT_IS, Later, is_sensible

    match plain(action.data):
        case {"uri": _, **more} if not more:
            return (AS_IT_IS,)
        case {"name": str(name), "arguments": [*arguments], "version": int(version)}:
            later = Later(name, tuple(arguments), version)
            if is_sensible(later):
                return (later,)
        case _:
            pass
    raise invalid("this action did not come from Fathom")
