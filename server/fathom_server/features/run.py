"""Running a function: lowered with all that it uses, and called in the worker process."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fathom.execution import RunRequest
from fathom.execution.outcome import Json
from fathom.ir.attributes import TypeAttr
from fathom.ir.types import FunctionType, Type
from fathom.pipeline import run
from fathom.translation import translate
from fathom_server.session.analysis import declaration_of, function_module, in_one_line, stalled
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


def signature_of(snapshot: Snapshot, name: str) -> FunctionType | None:
    """The type of a function; None where there is no function, or its header is broken."""
    symbol = next((s for s in snapshot.document.definitions(name) if s.has_body), None)
    symbol = symbol or snapshot.document.definition(name)
    op = declaration_of(symbol, snapshot.document) if symbol is not None else None
    attribute = op.properties.get("function_type") if op is not None else None
    if isinstance(attribute, TypeAttr) and isinstance(attribute.type, FunctionType):
        return attribute.type
    return None


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


def argument_names(snapshot: Snapshot, name: str, count: int) -> tuple[str, ...]:
    """The names that a function's source gives its arguments, with `%`; empty where it names none."""
    from fathom.syntax.nodes import ParsedOp

    symbol = snapshot.document.definition(name)
    if symbol is None:
        return ("",) * count
    for piece in symbol.item.pieces:
        for event in piece.shape.events:
            parsed: ParsedOp | None = getattr(event, "parsed", None) or getattr(
                getattr(event, "open", None), "parsed", None
            )
            if parsed is None or parsed.function is None:
                continue
            tokens = piece.tokens()
            base: int = event.base  # type: ignore[union-attr]
            names = [tokens[base + a.token].text if a.token >= 0 else "" for a in parsed.function.arguments]
            return tuple([*names, *[""] * count][:count])
    return ("",) * count


def example_of(type: Type) -> str | None:
    """JSON for an argument of the type, ready to be edited; None where none can be given."""
    from fathom.ir.types import ComplexType, FloatType, IndexType, IntegerType, MemRefType, VectorType

    match type:
        case IntegerType(width=1):
            return "true"
        case IntegerType() | IndexType():
            return "4"
        case FloatType():
            return "1.0"
        case ComplexType():
            return "[1.0, 0.0]"
        case VectorType() | MemRefType() if type.shape is not None:
            element = example_of(type.element)
            if element is None:
                return None
            shape = [n if n >= 0 else 4 for n in type.shape]
            if len(shape) == 1 and shape[0] <= 8 and isinstance(type.element, (FloatType, IntegerType, IndexType)):
                is_float = isinstance(type.element, FloatType)
                numbers = (f"{i + 1}.0" if is_float else str(i + 1) for i in range(shape[0]))
                return (
                    f"[{', '.join(numbers)}]"
                    if type.element != IntegerType(1)
                    else f"[{', '.join(['true'] * shape[0])}]"
                )
            if isinstance(type, MemRefType):
                return f'{{"shape": {shape}, "fill": {element}}}'
            text = element
            for extent in reversed(shape):
                text = f"[{', '.join([text] * extent)}]"
            return text
        case _:
            return None
