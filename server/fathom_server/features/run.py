"""Running a function: lowered with all that it uses, and called in the worker process."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fathom.execution import RunRequest
from fathom.execution.outcome import Json
from fathom.pipeline import run
from fathom.translation import translate
from fathom_server.features.functions import argument_names, signature_of
from fathom_server.session.analysis import function_module, in_one_line, stalled
from fathom_server.session.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class Runnable:
    """A request for the worker, with the names and types that its answer is shown with."""

    request: RunRequest
    argument_names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NotRunnable:
    """Why a function cannot be run; `kind` is that of the protocol."""

    kind: str
    message: str


def runnable(snapshot: Snapshot, name: str, arguments: Sequence[Json]) -> Runnable | NotRunnable:
    """What to send to the worker in order to call `@name`."""
    document = snapshot.document
    symbol = next((s for s in document.definitions(name) if s.has_body), None)
    if symbol is None:
        what = "is only declared, so there is nothing to run" if name in document.symbols else "does not exist"
        return NotRunnable("lowering", f"the function @{name} {what}")
    signature = signature_of(snapshot, name)
    if signature is None:
        return NotRunnable("lowering", f"the signature of @{name} cannot be read")
    if len(arguments) != len(signature.inputs):
        wanted = len(signature.inputs)
        given = len(arguments)
        plural = "" if wanted == 1 else "s"
        return NotRunnable("arguments", f"@{name} takes {wanted} argument{plural}, and {given} were given")
    module, _, problem = function_module(symbol.item, document, bodies=True)
    if problem is not None:
        return NotRunnable("lowering", problem)
    errors = stalled(run(snapshot.settings.pipeline, module, snapshot.document.context), module)
    translation = translate(module) if not errors else None
    if translation is not None:
        errors = [d for d in translation.diagnostics if d.severity == "error"]
    if errors or translation is None:
        return NotRunnable("lowering", in_one_line(errors[0], document))
    request = RunRequest(translation.text, name, signature.inputs, signature.results, tuple(arguments))
    return Runnable(request, argument_names(snapshot, name, len(signature.inputs)))
