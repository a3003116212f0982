"""Memory to results: the bytes that the worker sends back become JSON-like values."""

from __future__ import annotations

import math
import struct
from collections.abc import Sequence
from typing import get_args

from fathom.execution.callable import in_memory
from fathom.execution.outcome import UNREADABLE, Failure, FailureKind, Json, RunOutcome, RunRequest
from fathom.execution.protocol import Header
from fathom.execution.scalars import decode, decode_all, element_size, nest
from fathom.execution.trampoline import WORD, layout_of
from fathom.ir.types import ComplexType, FloatType, MemRefType, Type, VectorType
from fathom.records import replace


def outcome_of(request: RunRequest, header: Header, blob: bytes) -> RunOutcome:
    """The outcome in the worker's answer, which the program may have forged: then the failure `crash`."""
    stdout, stderr = str(header.get("stdout", "")), str(header.get("stderr", ""))
    try:
        outcome = _outcome_of(request, header, blob)
    except (LookupError, TypeError, ValueError, RuntimeError, ArithmeticError, AttributeError, struct.error):
        outcome = RunOutcome(Failure("crash", UNREADABLE))
    return replace(outcome, stdout=stdout, stderr=stderr, notes=tuple(map(str, header.get("notes", []))))


def _outcome_of(request: RunRequest, header: Header, blob: bytes) -> RunOutcome:
    if (failed := header.get("failure")) is not None:
        details = {key: value for key, value in failed.items() if key not in ("kind", "message")}
        if failed["kind"] not in get_args(FailureKind):
            raise ValueError(failed["kind"])
        if failed["kind"] == "assertion":
            return RunOutcome(_failed_check(request, details))
        return RunOutcome(Failure(failed["kind"], str(failed["message"]), details))
    views = iter(header["views"])
    arguments = tuple(
        _memref(type, next(views), blob) if isinstance(type, MemRefType) else None for type in request.argument_types
    )
    results, offset = list[Json](), header["results"][0]
    for type in request.result_types:
        size = WORD * layout_of(type).words
        words = blob[offset : offset + size]
        passed = in_memory(type)
        is_memref = isinstance(passed, MemRefType)
        results.append(_memref(passed, next(views), blob, type) if is_memref else _value(type, words))
        offset += size
    return RunOutcome(None, tuple(results), arguments, float(header["callSeconds"]), float(header["compileSeconds"]))


def _failed_check(request: RunRequest, details: Header) -> Failure:
    """Which check failed, in words."""
    number, values = int(details["check"]), [int(detail) for detail in details["values"]]
    if number < 0:
        raise IndexError(number)
    return Failure("assertion", request.checks[number].failed(values), {"check": number})


def _value(type: Type, words: bytes) -> Json:
    """A scalar, complex number or vector from its words."""
    match type:
        case ComplexType(element):
            half = len(words) // 2
            return [_value(element, words[:half]), _value(element, words[half:])]
        case VectorType():
            size = WORD * layout_of(type.element).words
            lanes = [_value(type.element, words[i : i + size]) for i in range(0, len(words), size)]
            return nest(lanes, type.ranked_shape)
        case FloatType():
            return decode(words[: element_size(type)], type)
        case _:
            return decode(words, type)


def _memref(type: MemRefType, view: Header, blob: bytes, named: Type | None = None) -> Json:
    """What a memref holds, with its shape, which the type may leave open; and with the type that it is passed for."""
    offset, length = view["data"]
    shape: Sequence[int] = [int(extent) for extent in view["shape"]]
    if min(shape, default=0) < 0:
        raise ValueError(shape)
    elements = decode_all(blob[offset : offset + length], type.element)
    value: dict[str, Json] = {"type": str(named or type), "shape": list(shape), "data": nest(elements, shape)}
    if len(elements) < math.prod(shape):
        value["truncated"] = math.prod(shape) - len(elements)
    if view["deallocated"]:
        value["deallocated"] = True
    return value
