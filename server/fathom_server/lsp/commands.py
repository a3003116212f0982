"""The commands `fathom.lowerFunction` and `fathom.runFunction`; `docs/protocol.md` describes them."""

from __future__ import annotations

from collections.abc import Callable
from types import NoneType
from typing import TYPE_CHECKING, Any, TypeVar, cast

from lsprotocol import types
from pygls.exceptions import JsonRpcContentModified

from fathom.records import record
from fathom_server.lsp import values
from fathom_server.lsp.border import AnyBorder, Border
from fathom_server.lsp.progress import progress
from fathom_server.lsp.requests import invalid

if TYPE_CHECKING:
    from fathom.execution.outcome import Changes, Failure, Limits, RunOutcome
    from fathom.ir.types import Type
    from fathom_server.features.run import Runnable
    from fathom_server.lsp.server import FathomServer
    from fathom_server.model.settings import Settings
    from fathom_server.model.snapshot import Snapshot
    from fathom_server.session.beside.messages import Work

T = TypeVar("T")

_KINDS = {
    "lowering": "lowering",
    "assertion": "assertion",
    "bad-argument": "arguments",
    "unsupported-signature": "arguments",
    "compile-error": "lowering",
    "missing-symbol": "missing-symbol",
    "timeout": "timeout",
    "crash": "crash",
    "exit": "crash",
    "memory-limit": "memory",
    "output-limit": "output",
    "thread-limit": "crash",
    "deadlock": "deadlock",
    "refused": "refused",
    "cancelled": "stopped",
    "worker-unavailable": "crash",
}
"""The protocol's kinds of failure for those of the worker."""


def read_lower(arguments: list[object]) -> tuple[str, str] | None:
    from fathom_server.model.scoping import normalized

    match arguments:
        case [str(uri), str(name)]:
            return uri, normalized(name)
        case _:
            return None


async def lower(server: FathomServer, border: Border, name: str, token: types.ProgressToken | None) -> dict[str, Any]:
    """`fathom.lowerFunction`: has the client make the edit."""
    from fathom_server.features.edits import Refusal
    from fathom_server.features.lower import lower_function
    from fathom_server.session.beside.process import Failed

    server.session.ask_for(border.uri, name)
    try:
        with progress(server, token, f"Lowering @{name}"):
            border, outcome = await thought(server, border, name, lower_function, name)
    except Failed as failed:
        outcome = Refusal(f"a fault in Fathom: {failed}")
    if isinstance(outcome, Refusal):
        return {"applied": False, "failureReason": outcome.reason}
    return await applied(server, border.edit(outcome), f"Lower @{name}")


async def applied(server: FathomServer, edit: types.WorkspaceEdit, label: str) -> dict[str, Any]:
    """Has the client make an edit: whether it did, or why not."""
    done = await server.workspace_apply_edit_async(types.ApplyWorkspaceEditParams(edit, label=label))
    result: dict[str, Any] = {"applied": done.applied}
    if done.failure_reason:
        result["failureReason"] = done.failure_reason
    return result


async def found_beside(server: FathomServer, uri: str, work: Callable[[Snapshot], Work[T]]) -> tuple[Snapshot, T]:
    """What work on a document finds in the process beside the server, and the version that this is about. Raises
    Failed, and JsonRpcContentModified when the document was closed."""
    from fathom_server.session.beside.process import NothingToDo

    try:
        return await server.session.beside.find(uri, work)
    except NothingToDo:
        raise JsonRpcContentModified("the document is closed") from None


async def thought(
    server: FathomServer, border: Border, name: str, function: Callable[..., T], *arguments: object
) -> tuple[Border, T]:
    """What a feature says about a function of the document, and the version that this is about: a big function is
    thought about in the process beside the server. Raises Failed, and JsonRpcContentModified when the document was
    closed."""
    from fathom_server.features.lower import items_beside
    from fathom_server.session.beside.messages import Work

    await server.session.turns.until_free(border.uri)
    present = server.session.snapshot(border.uri)
    if present is None:
        raise JsonRpcContentModified("the document is closed")
    border = Border(present, server.client)
    if items_beside(border.snapshot, name) is None:
        return border, await server.session.turns.ask(border.uri, lambda: function(border.snapshot, *arguments))

    def work(present: Snapshot) -> Work[T]:
        items = items_beside(present, name) or ()
        return Work(function, arguments, tuple(present.tree.index_of(item) for item in items))

    current, outcome = await found_beside(server, border.uri, work)
    return Border(current, server.client), outcome


@record
class RunArguments:
    """What `fathom.runFunction` is told."""

    function: str
    arguments: list[Any]
    limits: dict[str, object]
    checked: bool | None
    """Whether the run is to be checked, if that is not left to the settings."""


def about_function(arguments: list[Any]) -> tuple[str, str, dict[str, Any]] | None:
    """The document and the function that a command is about, and what else it is told."""
    from fathom_server.model.scoping import normalized

    match arguments:
        case [{"uri": str(uri), "function": str(name), **more}]:
            return uri, normalized(name), more
        case _:
            return None


def read_call(arguments: list[Any]) -> tuple[str, tuple[str, list[Any]]] | None:
    """The document, the function and its arguments."""
    about = about_function(arguments)
    if about is None:
        return None
    uri, name, more = about
    given: Any = more.get("arguments", [])
    if not isinstance(given, list):
        raise invalid("`arguments` is a list of values")
    return uri, (name, cast("list[Any]", given))


def read_run(arguments: list[Any]) -> tuple[str, RunArguments] | None:
    about = about_function(arguments)
    if about is None:
        return None
    uri, name, more = about
    given: Any = more.get("arguments", [])
    limits: Any = more.get("limits") or {}
    checked: Any = more.get("checked")
    if not isinstance(given, list) or not isinstance(limits, dict) or not isinstance(checked, (bool, NoneType)):
        raise invalid("`arguments` is a list of values, `limits` an object, and `checked` true or false")
    values, bounds = cast("list[Any]", given), cast("dict[str, object]", limits)
    return uri, RunArguments(name, values, bounds, checked)


async def run(
    server: FathomServer, border: Border, given: RunArguments, token: types.ProgressToken | None
) -> dict[str, Any]:
    """`fathom.runFunction`: lowers, compiles and runs."""
    from fathom_server.features.run import NotRunnable, runnable
    from fathom_server.session.beside.process import Failed

    limits, checked = limits_of(border.snapshot.settings, given)
    server.session.ask_for(border.uri, given.function)
    with progress(server, token, f"Running @{given.function}") as report:
        report("lowering")
        try:
            asked = given.function, given.arguments, checked
            border, prepared = await thought(server, border, given.function, runnable, *asked)
        except Failed as failed:
            return failure("crash", f"a fault in Fathom: {failed}")
        if isinstance(prepared, NotRunnable):
            return failure(prepared.kind, prepared.message)
        report("compiling and running")
        keeps = border.snapshot.settings.keeps_code
        folder = values.folder_of(border.uri)
        outcome = await server.session.runner.run(prepared.request, limits, folder, keeps=keeps)
        values.after_run(server, border.snapshot, given.function, given.arguments, prepared, outcome)
        return answer(outcome, prepared, border)


def limits_of(settings: Settings, given: RunArguments) -> tuple[Limits, bool]:
    """Within what limits a program runs, and whether it is checked."""
    from fathom_server.model.settings import limits_from

    limits, problems = limits_from(settings.limits, given.limits)
    if problems:
        raise invalid("; ".join(f"limits.{problem.key}: {problem.message}" for problem in problems))
    return limits, settings.checked if given.checked is None else given.checked


def failure(kind: str, message: str) -> dict[str, Any]:
    return {
        "status": "error",
        "kind": kind,
        "message": message,
        "results": [],
        "arguments": [],
        "output": "",
        "compileMilliseconds": 0,
        "runMilliseconds": 0,
    }


def answer(outcome: RunOutcome, prepared: Runnable, border: AnyBorder) -> dict[str, Any]:
    output = outcome.stdout + outcome.stderr
    besides: dict[str, Any] = {
        "compileMilliseconds": round(outcome.compile_seconds * 1000, 3),
        "runMilliseconds": round(outcome.call_seconds * 1000, 3),
    }
    if notes := [*prepared.notes, *outcome.notes]:
        besides["notes"] = notes
    failed = outcome.failure
    if failed is not None:
        message, where = failed.message, _place(failed, prepared, border)
        if where is not None:
            message += f" (line {where.start.line + 1})"
            besides |= {"range": where, "version": border.snapshot.version}
        return {**failure(_KINDS[failed.kind], message), "output": output, **besides}
    request = prepared.request
    changes = {changes.path: changes for changes in outcome.changes}
    arguments = [
        {**({"name": name} if name else {}), **_typed(type, value), **_changed(changes.get(f"arguments[{number}]"))}
        for number, (name, type, value) in enumerate(
            zip(prepared.argument_names, request.given_types, outcome.arguments, strict=False)
        )
        if value is not None
    ]
    results = [_typed(type, value) for type, value in zip(request.returned_types, outcome.results, strict=False)]
    return {"status": "ok", "results": results, "arguments": arguments, "output": output, **besides}


def _place(failed: Failure, prepared: Runnable, border: AnyBorder) -> types.Range | None:
    """Where the operation stands whose check failed."""
    if failed.kind != "assertion":
        return None
    span = prepared.request.checks[cast("int", failed.details["check"])].span
    return border.range(span.start, span.end) if span is not None else None


def _changed(changes: Changes | None) -> dict[str, Any]:
    """What the program did to an argument, in the words of the protocol."""
    if changes is None:
        return {}
    first = [
        {"index": list(change.index), "before": _value(change.before), "after": _value(change.after)}
        for change in changes.first
    ]
    return {"changed": changes.count, "changes": first}


def _typed(type: Type, value: Any) -> dict[str, Any]:
    """A value with its type; beside the elements of a memref stand its shape and whether they are cut off."""
    if not isinstance(value, dict) or "data" not in value:
        return {"type": str(type), "value": _value(value)}
    memref = cast("dict[str, Any]", value)
    marks = {key: memref[key] for key in ("shape", "truncated", "deallocated") if key in memref}
    if type.full_name:
        # Of a pointer, which says nothing of it.
        marks["elementType"] = memref["type"]
    return {"type": str(type), "value": _value(memref["data"]), **marks}


def _value(value: Any) -> Any:
    """Integers that JSON would lose as strings."""
    if isinstance(value, (list, tuple)):
        return [_value(element) for element in cast("list[Any]", value)]
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) > 1 << 53:
        return str(value)
    return value
