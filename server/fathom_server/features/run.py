"""Running a function: lowered with all that it uses, and called in the worker process."""

from __future__ import annotations

from collections.abc import Sequence

from fathom.execution import RunRequest
from fathom.execution.outcome import Json
from fathom.records import record
from fathom.translation import translate
from fathom_server.features.functions import argument_names, signature_of
from fathom_server.model.lowering import lowered_at_the_end
from fathom_server.model.modules import in_one_line, placed
from fathom_server.model.paths import find
from fathom_server.model.snapshot import Snapshot


@record
class Runnable:
    """A request for the worker, with the names and types that its answer is shown with."""

    request: RunRequest
    argument_names: tuple[str, ...]


@record
class NotRunnable:
    """Why a function cannot be run; `kind` is that of the protocol."""

    kind: str
    message: str


def runnable(snapshot: Snapshot, name: str, arguments: Sequence[Json]) -> Runnable | NotRunnable:
    """What to send to the worker in order to call `@name`."""
    symbol = find(snapshot, name)
    if symbol is None or not symbol.has_body:
        what = "is only declared, so there is nothing to run" if symbol is not None else "does not exist"
        return NotRunnable("lowering", f"the function @{name} {what}")
    signature = signature_of(snapshot, symbol)
    if signature is None:
        return NotRunnable("lowering", f"the signature of @{name} cannot be read")
    if len(arguments) != len(signature.inputs):
        wanted = len(signature.inputs)
        given = len(arguments)
        plural = "" if wanted == 1 else "s"
        return NotRunnable("arguments", f"@{name} takes {wanted} argument{plural}, and {given} were given")
    made = lowered_at_the_end(snapshot, symbol.item, True)
    problem = made.module.problem or next(iter(made.stalls()), None)
    translation = translate(made.module.op) if problem is None else None
    if translation is not None:
        problem = next((d for d in translation.diagnostics if d.severity == "error"), None)
    if problem is not None or translation is None:
        assert problem is not None, "what is not translated has a problem"
        return NotRunnable("lowering", in_one_line(placed(problem, made.module.layout, snapshot), snapshot))
    request = RunRequest(translation.text, symbol.name, signature.inputs, signature.results, tuple(arguments))
    return Runnable(request, argument_names(symbol.item, len(signature.inputs)))
