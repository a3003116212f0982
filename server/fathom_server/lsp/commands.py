"""The commands `fathom.lowerFunction` and `fathom.runFunction`; `docs/protocol.md` describes them."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams

from fathom_server.lsp.configuration import plain
from fathom_server.lsp.language import lower_edit

if TYPE_CHECKING:
    from fathom.execution.outcome import RunOutcome
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

        arguments: Any = plain(params.arguments) or []
        if len(arguments) != 2 or not isinstance(arguments[1], str):
            raise JsonRpcInvalidParams("fathom.lowerFunction takes the document's URI and the name of a function")
        snapshot = server.open_snapshot(arguments[0])
        edit = lower_edit(server, snapshot, arguments[1].removeprefix("@"))
        if isinstance(edit, Refusal):
            return {"applied": False, "failureReason": edit.reason}
        label = f"Lower @{arguments[1]}"
        answer = await server.workspace_apply_edit_async(types.ApplyWorkspaceEditParams(edit, label=label))
        result: dict[str, Any] = {"applied": answer.applied}
        if answer.failure_reason:
            result["failureReason"] = answer.failure_reason
        return result

    @server.command("fathom.runFunction")
    async def run(params: types.ExecuteCommandParams) -> dict[str, Any]:
        from fathom_server.features.run import NotRunnable, runnable
        from fathom_server.session.settings import limits_from

        given: Any = next(iter(plain(params.arguments) or []), None)
        if not isinstance(given, dict) or not isinstance(given.get("function"), str):
            raise JsonRpcInvalidParams("fathom.runFunction takes {uri, function, arguments}")
        snapshot = server.open_snapshot(given.get("uri"))
        limits, problems = limits_from(snapshot.settings.limits, given.get("limits") or {}, "limits.")
        if problems:
            raise JsonRpcInvalidParams("; ".join(problems))
        prepared = runnable(snapshot, given["function"].removeprefix("@"), given.get("arguments") or [])
        if isinstance(prepared, NotRunnable):
            return _failure(prepared.kind, prepared.message)
        token = params.work_done_token
        progress = server.work_done_progress
        if token is not None:
            progress.begin(token, types.WorkDoneProgressBegin(f"Running @{given['function']}", message="compiling"))
        try:
            outcome = await asyncio.to_thread(server.session.worker.run, prepared.request, limits)
        except asyncio.CancelledError:
            server.session.worker.kill()
            raise
        finally:
            if token is not None:
                progress.end(token, types.WorkDoneProgressEnd())
        return _answer(outcome, prepared)


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
        {**({"name": name} if name else {}), "type": str(type), "value": _value(value)}
        for name, type, value in zip(prepared.argument_names, request.argument_types, outcome.arguments, strict=False)
        if isinstance(type, MemRefType)
    ]
    results = [
        {"type": str(type), "value": _value(value)}
        for type, value in zip(request.result_types, outcome.results, strict=False)
    ]
    return {"status": "ok", "results": results, "arguments": arguments, "output": output, **times}


def _value(value: Any) -> Any:
    """A memref as its nested lists, unless it is cut off; integers that JSON would lose as strings."""
    if isinstance(value, dict):
        if set(value) <= {"type", "shape", "data"}:
            return _value(value.get("data"))
        return {key: _value(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [_value(each) for each in value]
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) > 1 << 53:
        return str(value)
    return value
