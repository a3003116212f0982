"""Files of IRDL: dialects that are defined as IR, as `mlir-opt --irdl-file` takes them.

Operations have the generic form only; types and attributes are written with their parameters in angle brackets.
"""

from __future__ import annotations

from fathom.descriptions.places import Finding, Place, place_in
from fathom.dialects.irdl.meaning import NoMeaning, definitions, dialect_of, has_ambiguity, is_dialect
from fathom.elaborate import load
from fathom.ir.operation import Span
from fathom.irdl.dialect import Dialect
from fathom.records import record
from fathom.verify import verify


@record(eq=False, slots=False)
class IrdlDialect:
    """A dialect that a file defines, where its definitions are, and what is wrong with the file."""

    dialect: Dialect
    place: Place
    places: dict[tuple[str, str], Place]


def read_irdl(path: str, text: str) -> tuple[list[IrdlDialect], list[Finding]]:
    """The dialects that a file defines, and what is wrong with it; of a file with mistakes, there are no dialects."""
    loaded = load(text)

    def place(span: Span | None) -> Place:
        return place_in(path, text, *((span.start, span.end) if span is not None else (0, 0)))

    problems = loaded.diagnostics if loaded.has_errors else verify(loaded.module, None)
    errors = [problem for problem in problems if problem.severity == "error"]
    findings = [Finding(error.message, place(error.span)) for error in errors]
    if not findings and has_ambiguity(loaded.module):
        findings.append(Finding("any_of constraints are not in the correct form", place(loaded.module.span)))
    if findings:
        return [], findings
    dialects: list[IrdlDialect] = []
    for op in filter(is_dialect, loaded.module.walk()):
        places = {(kind, name): place(operation.span) for kind, name, operation in definitions(op)}
        try:
            dialects.append(IrdlDialect(dialect_of(op), place(op.span), places))
        except NoMeaning as wrong:
            findings.append(Finding(str(wrong), place(wrong.span)))
    return dialects, findings
