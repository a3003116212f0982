"""Memory to results: the bytes that the worker sends back become JSON-like values."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import get_args

from fathom.execution.callable import in_memory
from fathom.execution.elements import Elements
from fathom.execution.image import Image, Seen
from fathom.execution.layouts import element_size, has_pointers
from fathom.execution.literals import Contents
from fathom.execution.outcome import UNREADABLE, Failure, FailureKind, Json, Limits, RunOutcome, RunRequest
from fathom.execution.pieces import WORD, value_in_words
from fathom.execution.protocol import Header
from fathom.execution.trampoline import layout_of
from fathom.ir.types import MemRefType
from fathom.records import replace


def outcome_of(
    request: RunRequest, image: Image, header: Header, blob: bytes, limits: Limits | None = None
) -> RunOutcome:
    """The outcome in the worker's answer, which the program may have forged: then the failure `crash`. `image` is the
    memory that the program was given."""
    stdout, stderr = str(header.get("stdout", "")), str(header.get("stderr", ""))
    try:
        outcome = _outcome_of(request, image, header, blob, (limits or Limits()).elements)
    except (LookupError, TypeError, ValueError, RuntimeError, ArithmeticError, AttributeError, struct.error):
        outcome = RunOutcome(Failure("crash", UNREADABLE))
    return replace(outcome, stdout=stdout, stderr=stderr, notes=tuple(map(str, header.get("notes", []))))


def _outcome_of(request: RunRequest, image: Image, header: Header, blob: bytes, most: int) -> RunOutcome:
    if (failed := header.get("failure")) is not None:
        details = {key: value for key, value in failed.items() if key not in ("kind", "message")}
        if failed["kind"] not in get_args(FailureKind):
            raise ValueError(failed["kind"])
        if failed["kind"] == "assertion":
            return RunOutcome(_failed_check(request, details))
        return RunOutcome(Failure(failed["kind"], str(failed["message"]), details))
    addresses = _addresses(image, header["starts"])
    read = [
        _elements(seen, asked, view, blob, addresses)
        for seen, asked, view in zip(image.seen, image.views, header["views"], strict=True)
    ]
    numbers = [seen.argument for seen in image.seen]
    given = [elements for number, elements in zip(numbers, read, strict=True) if number >= 0]
    spots = _Spots(image, header["starts"])

    def told(value: Json | Elements) -> Json:
        if not isinstance(value, Elements):
            return spots.named(value)
        shown = value.to_json(most)
        return spots.named(shown) if has_pointers(value.element) else shown

    made = iter([elements for number, elements in zip(numbers, read, strict=True) if number < 0])
    results = list(_results(request, made, blob[header["results"][0] :]))
    count = len(request.given_types)
    arguments = [told(read[numbers.index(i)]) if i in numbers else None for i in range(count)]
    changes = [elements.changes() for elements in given]
    return RunOutcome(
        None,
        tuple(map(told, results)),
        tuple(arguments),
        float(header["callSeconds"]),
        float(header["compileSeconds"]),
        changes=tuple(change for change in changes if change.count),
        result_elements=tuple(value if isinstance(value, Elements) else None for value in results),
        argument_elements=tuple(given),
    )


def _results(request: RunRequest, made: Iterator[Elements], words: bytes) -> Iterator[Json | Elements]:
    """The values of the results; those that were written to memory come first."""
    for parameter in request.convention.parameters.values():
        if parameter.passing == "sret":
            yield next(made)
    offset = 0
    for type in request.result_types:
        size = WORD * layout_of(type).words
        if isinstance(in_memory(type), MemRefType):
            yield next(made)
        else:
            yield value_in_words(words[offset : offset + size], type)
        offset += size


def _failed_check(request: RunRequest, details: Header) -> Failure:
    """Which check failed, in words."""
    number, values = int(details["check"]), [int(detail) for detail in details["values"]]
    if number < 0:
        raise IndexError(number)
    return Failure("assertion", request.checks[number].failed(values), {"check": number})


def _addresses(image: Image, starts: Sequence[int]) -> dict[int, list[tuple[int, int]]]:
    """For each buffer, where in it addresses of others were put, and which."""
    made: dict[int, list[tuple[int, int]]] = {}
    for home, offset, target in image.pointers:
        made.setdefault(home, []).append((offset, int(starts[target])))
    return made


def _elements(
    seen: Seen, asked: Header, view: Header, blob: bytes, addresses: Mapping[int, list[tuple[int, int]]]
) -> Elements:
    """What an array holds, with its shape, which the type may leave open."""
    offset, length = view["data"]
    shape = tuple(int(extent) for extent in view["shape"])
    if min(shape, default=0) < 0:
        raise ValueError(shape)
    size, data = element_size(seen.element), blob[offset : offset + length]
    if size and len(data) % size:
        raise ValueError(length)
    before = None
    if (given := seen.before) is not None:
        shape = given.shape if "whole" in asked else shape
        # The program can have changed what describes a memref without a rank.
        before = _before(given, size, len(data)) if shape == given.shape else None
        if before is not None and has_pointers(seen.element):
            before = _with_addresses(before, addresses.get(asked["owner"], ()))
    return Elements(
        seen.type, seen.element, shape, data, before, bool(view["deallocated"]), seen.is_text, seen.is_one, seen.path
    )


def _before(contents: Contents, size: int, length: int) -> bytes:
    """The first bytes of what an array held."""
    if contents.is_fill:
        return contents.data * (length // size if size else 0)
    return contents.data[:length]


def _with_addresses(before: bytes, addresses: Iterable[tuple[int, int]]) -> bytes:
    memory = bytearray(before)
    for offset, address in addresses:
        if offset + WORD <= len(memory):
            memory[offset : offset + WORD] = address.to_bytes(WORD, "little")
    return bytes(memory)


class _Spots:
    """Where the buffers lay: what a pointer among the results points into."""

    def __init__(self, image: Image, starts: Sequence[int]) -> None:
        self._buffers = [
            (int(start), buffer["size"], buffer["argument"])
            for start, buffer in zip(starts, image.buffers, strict=True)
            if "argument" in buffer
        ]

    def named(self, value: Json) -> Json:
        """A value whose pointers say which argument they point into, and where there."""
        match value:
            case {"address": str(text), **rest} if not rest:
                address = int(text, 16)
                for start, size, owner in self._buffers:
                    if start <= address <= start + size:
                        return {"address": text, "argument": owner, "offset": address - start}
                return value
            case dict():
                return {key: self.named(each) for key, each in value.items()}
            case list() if any(isinstance(each, (list, dict)) for each in value):
                return [self.named(each) for each in value]
            case _:
                return value
