"""Running a function: lowered with all that it uses, and called in the worker process."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from fathom.diagnostics import Diagnostic
from fathom.execution import RunRequest
from fathom.execution.callable import takes_words
from fathom.execution.layouts import DATA_LAYOUT
from fathom.execution.outcome import Json, given_types, given_values
from fathom.records import record, replace
from fathom.translation import Translation
from fathom_server.features.functions import argument_names, convention_at, signature_of
from fathom_server.model.locations import locator
from fathom_server.model.lowered import LoweredModule, lowered_to_run
from fathom_server.model.modules import Say, in_one_line, placed
from fathom_server.model.scoping import find, unit_of
from fathom_server.model.snapshot import Snapshot

MOST_UNSAID: Final = 5
"""How many things are named that the translation leaves out."""


@record
class Runnable:
    """A request for the worker, with the names and types that its answer is shown with. The spans of its checks count
    in the document. `notes` are sentences for the user."""

    request: RunRequest
    argument_names: tuple[str, ...]
    notes: tuple[str, ...] = ()


@record
class NotRunnable:
    """Why a function cannot be run; `kind` is that of the protocol."""

    kind: str
    message: str


def runnable(
    snapshot: Snapshot, name: str, arguments: Sequence[Json], checked: bool, say: Say = in_one_line
) -> Runnable | NotRunnable:
    """What to send to the worker in order to call `@name`, with or without checks. What is in the way is said by
    `say`."""
    symbol = find(snapshot, name)
    if symbol is None or not symbol.has_body:
        what = "is only declared, so there is nothing to run" if symbol is not None else "does not exist"
        return NotRunnable("lowering", f"the function @{name} {what}")
    signature = signature_of(snapshot, symbol)
    if signature is None:
        return NotRunnable("lowering", f"the signature of @{name} cannot be read")
    convention = convention_at(snapshot, symbol)
    taken = given_types(signature.inputs, convention)
    if len(arguments) != len(taken) and not takes_words(symbol.name, taken):
        wanted = len(taken)
        given = len(arguments)
        plural = "" if wanted == 1 else "s"
        return NotRunnable("arguments", f"@{name} takes {wanted} argument{plural}, and {given} were given")
    notes: tuple[str, ...] = ()
    unit = unit_of(symbol)
    made = lowered_to_run(snapshot, unit, checked)
    text = _llvm_ir(snapshot, made.lowered)
    if isinstance(text, Diagnostic) and made.checks:
        without = lowered_to_run(snapshot, unit, False)
        again = _llvm_ir(snapshot, without.lowered)
        if isinstance(again, Translation):
            notes = (f"the run is not checked, because the pipeline does not lower the checks: {text.message}",)
        made, text = without, again
    layout = made.lowered.module.layout
    if isinstance(text, Diagnostic):
        return NotRunnable("lowering", say(placed(text, layout, snapshot), snapshot))
    notes += tuple(say(placed(diagnostic, layout, snapshot), snapshot) for diagnostic in made.said)
    notes += tuple(say(placed(each, layout, snapshot), snapshot) for each in text.unsaid[:MOST_UNSAID])
    spans = iter(layout.place_all(snapshot, [check.span for check in made.checks if check.span is not None]))
    checks = [replace(check, span=next(spans)) if check.span is not None else check for check in made.checks]
    types = signature.inputs, signature.results
    request = RunRequest(
        text.text,
        symbol.name,
        *types,
        tuple(arguments),
        checks=checks,
        counts_memory=checked,
        convention=convention,
    )
    return Runnable(request, given_values(argument_names(symbol, len(signature.inputs)), convention), notes)


def _llvm_ir(snapshot: Snapshot, made: LoweredModule) -> Translation | Diagnostic:
    """LLVM IR, or what stands in the way."""
    problem = made.module.problem or next(iter(made.lowering.verdict().findings), None)
    if problem is not None:
        return problem
    locate = locator(snapshot, made.module.layout)
    translated = made.lowering.translated(made.module.inner, locate=locate, machine_layout=DATA_LAYOUT)
    return translated.error or translated.translation
