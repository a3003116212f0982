"""`--verify-roundtrip`: what was parsed, printed and parsed again must print the same.

Source of the rules: observed behaviour of mlir-opt 22, which also makes the trip through bytecode.
"""

from __future__ import annotations

from fathom.diagnostics import ROUNDTRIP, Diagnostic
from fathom.elaborate import Loaded, load
from fathom.inputs.loading import Loading
from fathom.ir.operation import Operation
from fathom.ir.operation_printer import Locator
from fathom.ir.printer import print_op
from fathom.ir.printing_flags import PrintingFlags

_COMPARED = PrintingFlags(generic=True, debug_info=True)


def roundtrip_problems(loaded: Loaded, loading: Loading, locate: Locator) -> list[Diagnostic]:
    """What goes wrong on the way from the module to its text and back; nothing if all is well."""
    module = loaded.module
    reference = print_op(module, _COMPARED, locate=locate)
    again = load(reference, loading.context)
    mistakes = [diagnostic for diagnostic in again.diagnostics if diagnostic.severity == "error"]
    if mistakes:
        problem = "failed to parse textual content back, cannot verify round-trip.\n"
        return [Diagnostic(mistakes[0].message, code=ROUNDTRIP), _problem(module, problem)]
    printed = print_op(_top(again), _COMPARED)
    if printed == reference:
        return []
    differs = "textual roundTrip testing roundtripped module differs from reference:\n"
    return [_problem(module, f"{differs}<<<<<<Reference\n{reference}\n=====\n{printed}\n>>>>>roundtripped\n")]


def _top(loaded: Loaded) -> Operation:
    """The operation that a text of one operation holds."""
    operations = loaded.elaborated.operations
    return operations[0] if len(operations) == 1 else loaded.module


def _problem(module: Operation, message: str) -> Diagnostic:
    return Diagnostic(f"'{module.name}' op {message}", module.span, code=ROUNDTRIP, op=module)
