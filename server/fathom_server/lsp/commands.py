"""The commands `fathom.lowerFunction` and `fathom.runFunction`; `docs/protocol.md` describes them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Generator
from concurrent.futures import Future
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, cast

from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams

from fathom_server.lsp.configuration import plain
from fathom_server.lsp.language import lower_edit

if TYPE_CHECKING:
    from fathom.execution.outcome import RunOutcome
    from fathom.ir.types import Type
    from fathom_server.features.run import Runnable
    from fathom_server.lsp.server import FathomServer

_KINDS = {
    "bad-argument": "arguments",
    "unsupported-signature": "arguments",
    "compile-error": "lowering",
    "missing-symbol": "missing-symbol",
    "timeout": "timeout",
    "crash": "crash",
    "exit": "crash",
    "memory-limit": "memory",
    "output-limit": "output",
    "cancelled": "stopped",
    "worker-unavailable": "crash",
}
"""The protocol's kinds of failure for those of the worker."""


def register(server: FathomServer) -> None:
    @server.command("fathom.lowerFunction")
    async def lower(params: types.ExecuteCommandParams) -> dict[str, Any]:
        from fathom_server.features.lower import Refusal

        match plain(params.arguments):
            case [str(uri), str(name)]:
                snapshot = server.open_snapshot(uri)
            case _:
                raise JsonRpcInvalidParams("fathom.lowerFunction takes the document's URI and the name of a function")
        name = name.removeprefix("@")
        edit = lower_edit(server, snapshot, name)
        if isinstance(edit, Refusal):
            return {"applied": False, "failureReason": edit.reason}
        label = f"Lower @{name}"
        answer = await server.workspace_apply_edit_async(types.ApplyWorkspaceEditParams(edit, label=label))
        result: dict[str, Any] = {"applied": answer.applied}
        if answer.failure_reason:
            result["failureReason"] = answer.failure_reason
        return result

    @server.command("fathom.runFunction")
    async def run(params: types.ExecuteCommandParams) -> dict[str, Any]:
        from fathom_server.features.run import NotRunnable, runnable
        from fathom_server.session.settings import limits_from

        match plain(params.arguments):
            case [{"uri": str(uri), "function": str(name), **more}]:
                snapshot = server.open_snapshot(uri)
            case _:
                raise JsonRpcInvalidParams("fathom.runFunction takes {uri, function, arguments}")
        arguments: Any = more.get("arguments", [])
        given: Any = more.get("limits") or {}
        if not isinstance(arguments, list) or not isinstance(given, dict):
            raise JsonRpcInvalidParams("`arguments` is a list of values, and `limits` an object")
        limits, problems = limits_from(snapshot.settings.limits, cast("dict[str, object]", given), "limits.")
        if problems:
            raise JsonRpcInvalidParams("; ".join(problems))
        name = name.removeprefix("@")
        with _progress(server, params.work_done_token, f"Running @{name}") as report:
            report("lowering")
            prepared = runnable(snapshot, name, cast("list[Any]", arguments))
            if isinstance(prepared, NotRunnable):
                return _failure(prepared.kind, prepared.message)
            report("compiling and running")
            return _answer(await server.session.runner.run(prepared.request, limits), prepared)


@contextmanager
def _progress(
    server: FathomServer, token: types.ProgressToken | None, title: str
) -> Generator[Callable[[str], None], None, None]:
    """Shows how far a request has come, if the client gave a token; its button cancels the request."""
    if token is None:
        yield lambda _message: None
        return
    progress = server.work_done_progress
    progress.begin(token, types.WorkDoneProgressBegin(title, cancellable=True))
    tokens = cast("dict[types.ProgressToken, Future[None]]", progress.tokens)  # pyright: ignore[reportUnknownMemberType]
    task = asyncio.current_task()
    tokens[token].add_done_callback(lambda future: task.cancel() if task and future.cancelled() else None)
    try:
        yield lambda message: progress.report(token, types.WorkDoneProgressReport(message=message))
    finally:
        tokens.pop(token, None)
        progress.end(token, types.WorkDoneProgressEnd())


def _failure(kind: str, message: str) -> dict[str, Any]:
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


def _answer(outcome: RunOutcome, prepared: Runnable) -> dict[str, Any]:
    from fathom.ir.types import MemRefType

    output = outcome.stdout + outcome.stderr
    times = {
        "compileMilliseconds": round(outcome.compile_seconds * 1000, 3),
        "runMilliseconds": round(outcome.call_seconds * 1000, 3),
    }
    failure = outcome.failure
    if failure is not None:
        return {**_failure(_KINDS[failure.kind], failure.message), "output": output, **times}
    request = prepared.request
    arguments = [
        {**({"name": name} if name else {}), **_typed(type, value)}
        for name, type, value in zip(prepared.argument_names, request.argument_types, outcome.arguments, strict=False)
        if isinstance(type, MemRefType)
    ]
    results = [_typed(type, value) for type, value in zip(request.result_types, outcome.results, strict=False)]
    return {"status": "ok", "results": results, "arguments": arguments, "output": output, **times}


def _typed(type: Type, value: Any) -> dict[str, Any]:
    """A value with its type; beside the elements of a memref stand its shape and whether they are cut off."""
    if not isinstance(value, dict):
        return {"type": str(type), "value": _value(value)}
    memref = cast("dict[str, Any]", value)
    marks = {key: memref[key] for key in ("shape", "truncated", "deallocated") if key in memref}
    return {"type": str(type), "value": _value(memref["data"]), **marks}


def _value(value: Any) -> Any:
    """Integers that JSON would lose as strings."""
    if isinstance(value, (list, tuple)):
        return [_value(each) for each in cast("list[Any]", value)]
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) > 1 << 53:
        return str(value)
    return value
