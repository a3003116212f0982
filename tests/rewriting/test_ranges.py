"""What is found out of integers comes to an end, whatever the program is."""

from __future__ import annotations

from fathom.context import default_context
from fathom.elaborate import load
from fathom.rewriting.int_ranges import everything, of_number, of_signed, of_unsigned
from fathom.rewriting.range_analysis import RangeAnalysis
from fathom.rewriting.range_arithmetic import shift_left, truncate


def check_number(text: str, number: int | None) -> None:
    """The only number that the last result of a text can be; None where it can be several."""
    loaded = load(text)
    assert not loaded.has_errors, loaded.diagnostics
    analysis = RangeAnalysis(loaded.module, default_context())
    analysis.run()
    last = [result for op in loaded.module.walk() for result in op.results][-1]
    known = analysis.ranges.get(last)
    assert (known.constant if known is not None else None) == number


def test_values_that_use_each_other() -> None:
    check_number(
        """
        %c1 = arith.constant 1 : i64
        %c0 = arith.constant 0 : i64
        %c = "shop.ask"() : () -> i1
        %0 = arith.select %c, %c0, %1 : i64
        %1 = arith.addi %0, %c1 : i64
        """,
        None,
    )


def test_integers_of_more_bits_than_are_computed_with() -> None:
    check_number("%0 = arith.constant 1 : i5000\n%1 = arith.addi %0, %0 : i5000", None)
    check_number("%c = arith.constant 3 : i4096\n%1 = arith.addi %c, %c : i4096", 6)


def test_a_shift_by_as_many_bits_as_there_could_be() -> None:
    most = (1 << 4096) - 1
    assert shift_left([of_number(4096, 1), of_unsigned(4096, 0, most)]) == everything(4096)


def test_readings_with_a_sign_and_without() -> None:
    assert of_unsigned(8, 100, 200).smin == -128
    assert of_signed(8, -2, -1).umin == 254
    assert truncate(of_unsigned(16, 255, 257), 8) == everything(8)
    assert truncate(of_unsigned(16, 256, 258), 8) == of_unsigned(8, 0, 2)
