"""Whatever bytes a file holds, reading it ends, soon, with a program or a message."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from fathom.bytecode.encoding import ByteWriter
from fathom.bytecode.form import Section
from fathom.bytecode.reader import is_bytecode
from fathom.bytecode.sections import Header, Strings, write_header
from tests.bytecode.files import ALLOW, FIXTURES, fathom

SAMPLES = [(FIXTURES / name).read_bytes() for name in ("sample.mlirbc", "sample-0.mlirbc")]


def check_ends(data: bytes) -> None:
    """It is printed, or refused with a message; no fault."""
    status, output, errors = fathom("opt", ALLOW, data=data)
    assert "a fault in Fathom" not in errors, errors
    assert status == (0 if output else 1), errors
    assert bool(errors) == (status == 1)


@pytest.mark.parametrize("sample", SAMPLES, ids=["6", "0"])
def test_a_file_that_breaks_off(sample: bytes) -> None:
    for end in range(4, len(sample)):
        status, output, errors = fathom("opt", ALLOW, data=sample[:end])
        assert (status, output) == (1, ""), end
        assert ": error: " in errors
        assert "a fault in Fathom" not in errors


def _changed(sample: bytes, number: int) -> Iterator[bytes]:
    chance = random.Random(number)
    for _ in range(250):
        data = bytearray(sample)
        for _ in range(chance.choice((1, 1, 2, 5))):
            data[chance.randrange(4, len(data))] = chance.choice((0, 1, 3, 0x7F, 0xFF, chance.randrange(256)))
        yield bytes(data)


@pytest.mark.parametrize("number", range(4))
@pytest.mark.parametrize("sample", SAMPLES, ids=["6", "0"])
def test_bytes_that_are_others(sample: bytes, number: int) -> None:
    for data in _changed(sample, number):
        check_ends(data)


def _file(attributes: list[bytes], body: bytes = b"") -> bytes:
    """A file of builtin attributes, with these bytes for its operations."""
    strings = Strings()
    names = [strings.number(text) for text in ("builtin", "module", "a.b")]
    out = ByteWriter()
    write_header(out, Header(6, "somebody"))
    dialects = ByteWriter()
    dialects.varint(1)
    dialects.flagged(names[0], False)
    for number in (1, 0, 1):
        dialects.varint(number)
    dialects.flagged(names[1], True)
    out.section(Section.DIALECT, dialects)
    offsets, entries = ByteWriter(), ByteWriter()
    for number in (len(attributes), 0, 0, len(attributes)):
        offsets.varint(number)
    for attribute in attributes:
        offsets.flagged(len(attribute), True)
        entries.data += attribute
    out.section(Section.ATTR_TYPE_OFFSET, offsets)
    out.section(Section.ATTR_TYPE, entries)
    operations = ByteWriter()
    operations.data += body
    out.section(Section.IR, operations)
    out.section(Section.STRING, strings.body())
    properties = ByteWriter()
    properties.varint(0)
    out.section(Section.PROPERTIES, properties)
    return bytes(out.data)


def _numbers(*numbers: int) -> bytes:
    out = ByteWriter()
    for number in numbers:
        out.varint(number)
    return bytes(out.data)


MODULE = _numbers(2, 0) + b"\x11" + _numbers(0, 1, 2, 1, 0, 0)
"""One operation, a module with the location 0 and the attributes 1, and a region with an empty block."""


def check_message(data: bytes, message: str) -> None:
    assert is_bytecode(data)
    status, output, errors = fathom("opt", ALLOW, data=data)
    assert (status, output) == (1, "")
    assert message in errors


def test_an_attribute_that_is_part_of_itself() -> None:
    unknown, array = _numbers(15), _numbers(0, 1, 1)
    check_message(_file([unknown, array], MODULE), "the attribute is part of itself")
    check_message(_file([unknown, _numbers(0, 1, 2), _numbers(0, 1, 1)], MODULE), "the attribute is part of itself")


def test_attributes_that_nest_deeply() -> None:
    arrays = [_numbers(0, 1, index) for index in range(2, 30_000)]
    message = "nest deeper than 96 levels"
    check_message(_file([_numbers(15), *arrays, _numbers(7)], MODULE), message)


def test_an_attribute_that_stands_for_more_than_a_text_holds() -> None:
    """Each array holds the next one twice."""
    arrays = [_numbers(0, 2, index + 1, index + 1) for index in range(3, 63)]
    dictionary, name = _numbers(1, 1, 2, 3), _numbers(2, 2)
    data = _file([_numbers(15), dictionary, name, *arrays, _numbers(7)], MODULE)
    status, output, errors = fathom("opt", ALLOW, data=data)
    assert (status, output) == (1, "")
    assert "characters is not written" in errors


@pytest.mark.parametrize(
    "body",
    [
        _numbers(2**63),
        _numbers(2, 0) + b"\x03" + _numbers(0, 1, 2**60),
        _numbers(2, 0) + b"\x04" + _numbers(0, 2**60),
        _numbers(2, 0) + b"\x10" + _numbers(0, 2**60),
        _numbers(2, 0) + b"\x10" + _numbers(0, 2, 2**60, 2**60),
        _numbers(2, 0) + b"\x10" + _numbers(0, 2, 1, 2**60, 1, 2**60),
    ],
    ids=["operations", "results", "operands", "regions", "blocks", "arguments"],
)
def test_more_than_the_bytes_could_hold(body: bytes) -> None:
    check_ends(_file([_numbers(15), _numbers(1, 0)], body))


def test_regions_that_nest_deeply() -> None:
    level = _numbers(0) + b"\x10" + _numbers(0, 2, 1, 0, 2)
    check_message(_file([_numbers(15)], _numbers(2) + level * 5_000), "regions that nest deeper than 96 levels")
