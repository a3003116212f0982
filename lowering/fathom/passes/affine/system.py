"""Systems of affine equalities and inequalities over integers.

    (i, j)[n] : i - j == 0, i >= 0, n - i - 1 >= 0

A row has a coefficient for each variable, and last the constant; it stands for `row == 0` or `row >= 0`. Variables are
dimensions, symbols and locals, in this order. A dimension or symbol may stand for a value of the program; a local is
there if some integer is, as the quotients that divisions are expressed by.

The order of the rows is that in which MLIR has them, since the bounds of loops are made of them in this order.
Source of the rules: *Presburger Library* of MLIR 22.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import gcd
from typing import TYPE_CHECKING, TypeAlias

from fathom.passes.affine.effort import check_size, count_steps

if TYPE_CHECKING:
    from fathom.ir.operation import Value

Row: TypeAlias = "list[int]"
Variables: TypeAlias = "Iterable[Value | None]"


def normalized(row: Row, width: int | None = None) -> Row:
    """The row, divided by what divides all of it; or what divides its first coefficients, of which the rest is rounded
    down: that is the same for integers."""
    check_size(row)
    common = gcd(*(row if width is None else row[:width]))
    return [value // common for value in row] if common > 1 else row


class System:
    """A system, which changes in place."""

    def __init__(self, dims: Variables = (), symbols: Variables = (), locals: int = 0) -> None:
        self.dims: list[Value | None] = list(dims)
        self.symbols: list[Value | None] = list(symbols)
        self.locals = locals
        self.equalities: list[Row] = []
        self.inequalities: list[Row] = []

    def copy(self) -> System:
        made = System(self.dims, self.symbols, self.locals)
        made.equalities = [row[:] for row in self.equalities]
        made.inequalities = [row[:] for row in self.inequalities]
        count_steps(self.rows * self.columns)
        return made

    # ---- variables

    @property
    def named(self) -> int:
        """How many dimensions and symbols there are."""
        return len(self.dims) + len(self.symbols)

    @property
    def variables(self) -> int:
        return self.named + self.locals

    @property
    def columns(self) -> int:
        return self.variables + 1

    @property
    def rows(self) -> int:
        return len(self.equalities) + len(self.inequalities)

    @property
    def values(self) -> list[Value | None]:
        """What the dimensions and symbols stand for."""
        return [*self.dims, *self.symbols]

    def find(self, value: Value, start: int = 0) -> int | None:
        """The column of a value."""
        values = self.values
        return next((column for column in range(start, len(values)) if values[column] is value), None)

    def column_of(self, value: Value) -> int:
        """The column of a value that is there."""
        column = self.find(value)
        assert column is not None, "the value is a variable of the system"
        return column

    def _insert_columns(self, at: int, count: int) -> None:
        zeros = [0] * count
        for row in (*self.equalities, *self.inequalities):
            row[at:at] = zeros
        count_steps(count * (1 + self.rows))

    def insert_dims(self, at: int, values: Variables) -> None:
        before = len(self.dims)
        self.dims[at:at] = values
        self._insert_columns(at, len(self.dims) - before)

    def insert_symbols(self, at: int, values: Variables) -> None:
        before = len(self.symbols)
        self.symbols[at:at] = values
        self._insert_columns(len(self.dims) + at, len(self.symbols) - before)

    def append_dims(self, values: Variables) -> None:
        self.insert_dims(len(self.dims), values)

    def append_symbols(self, values: Variables) -> None:
        self.insert_symbols(len(self.symbols), values)

    def insert_locals(self, at: int, count: int) -> None:
        self.locals += count
        self._insert_columns(self.named + at, count)

    def remove(self, start: int, stop: int) -> None:
        """Takes variables away, and their columns with them."""
        if start >= stop:
            return
        for row in (*self.equalities, *self.inequalities):
            del row[start:stop]
        dims, named = len(self.dims), self.named
        self.locals -= max(0, stop - max(start, named))
        del self.symbols[max(0, start - dims) : max(0, min(stop, named) - dims)]
        del self.dims[start : min(stop, dims)]

    def swap(self, one: int, other: int) -> None:
        """Has two dimensions or symbols change places."""
        if one == other:
            return
        values = self.values
        values[one], values[other] = values[other], values[one]
        self.dims, self.symbols = values[: len(self.dims)], values[len(self.dims) :]
        for row in (*self.equalities, *self.inequalities):
            row[one], row[other] = row[other], row[one]

    def make_local(self, start: int, stop: int) -> None:
        """Has dimensions or symbols become the last locals."""
        count = stop - start
        columns = self.variables
        for row in (*self.equalities, *self.inequalities):
            row[columns:columns] = row[start:stop]
        self.locals += count
        self.remove(start, stop)

    def separate(self, dims: int) -> None:
        """Has the first of the dimensions and symbols be dimensions, and the others symbols."""
        values = self.values
        self.dims, self.symbols = values[:dims], values[dims:]

    # ---- rows

    def add_equality(self, row: Row) -> None:
        count_steps(len(row))
        self.equalities.append(row)

    def add_inequality(self, row: Row) -> None:
        count_steps(len(row))
        self.inequalities.append(row)

    def _single(self, column: int, factor: int, constant: int) -> Row:
        row = [0] * self.columns
        row[column], row[-1] = factor, constant
        return row

    def add_least(self, column: int, value: int) -> None:
        self.add_inequality(self._single(column, 1, -value))

    def add_greatest(self, column: int, value: int) -> None:
        self.add_inequality(self._single(column, -1, value))

    def add_value(self, column: int, value: int) -> None:
        self.add_equality(self._single(column, 1, -value))

    def add_quotient(self, dividend: Sequence[int], divisor: int) -> int:
        """Adds a local that is `dividend floordiv divisor`, and returns its column."""
        at = self.variables
        self.insert_locals(self.locals, 1)
        self.add_inequality([*(-value for value in dividend[:-1]), divisor, divisor - 1 - dividend[-1]])
        self.add_inequality([*dividend[:-1], -divisor, dividend[-1]])
        return at

    def append(self, other: System) -> None:
        """Adds the rows of a system over the same variables."""
        for row in other.inequalities:
            self.add_inequality(row[:])
        for row in other.equalities:
            self.add_equality(row[:])

    def is_unused(self, column: int) -> bool:
        """Whether a variable is not constrained at all."""
        return not any(row[column] for row in self.equalities) and not any(row[column] for row in self.inequalities)

    def first_equality(self, column: int) -> int | None:
        """The first equality that a variable stands in."""
        return next((index for index, row in enumerate(self.equalities) if row[column]), None)

    # ---- what follows from single rows

    def tighten(self) -> None:
        """Divides inequalities by what divides their coefficients: `64 i >= 100` is `i >= 2`."""
        width = self.variables
        count_steps(len(self.inequalities) * width)
        self.inequalities = [normalized(row, width) for row in self.inequalities]

    def normalize(self) -> None:
        """Divides each row by what divides all of it."""
        count_steps(self.rows * self.columns)
        self.equalities = [normalized(row) for row in self.equalities]
        self.inequalities = [normalized(row) for row in self.inequalities]

    def is_obviously_empty(self) -> bool:
        """Whether a single row has no solution: `2 i == 1`, `-1 >= 0`."""
        count_steps(self.rows * self.columns)
        for row in self.equalities:
            common = gcd(*row[:-1])
            if row[-1] % common if common else row[-1]:
                return True
        return any(row[-1] < 0 and not any(row[:-1]) for row in self.inequalities)

    def remove_trivial(self) -> None:
        """Takes away the inequalities that always hold, or differ from a sharper one in the constant only."""
        self.tighten()
        self.normalize()
        kept: dict[tuple[int, ...], int] = {}
        superfluous: set[int] = set()
        for index, row in enumerate(self.inequalities):
            if row[-1] >= 0 and not any(row[:-1]):
                superfluous.add(index)
                continue
            key = tuple(row[:-1])
            other = kept.setdefault(key, index)
            if other == index:
                continue
            if self.inequalities[other][-1] > row[-1]:
                superfluous.add(other)
                kept[key] = index
            else:
                superfluous.add(index)
        self.inequalities = [row for index, row in enumerate(self.inequalities) if index not in superfluous]

    def bounds_on(self, column: int, start: int = 0, stop: int = 0) -> tuple[list[int], list[int], list[int]]:
        """The inequalities that bound a variable from below and from above, and the equalities that it stands in; none
        in which another variable stands of those from `start` to `stop`."""
        count_steps(self.rows * (1 + stop - start))

        def is_free(row: Row) -> bool:
            return not any(row[other] for other in range(start, stop) if other != column)

        lower = [index for index, row in enumerate(self.inequalities) if row[column] > 0 and is_free(row)]
        upper = [index for index, row in enumerate(self.inequalities) if row[column] < 0 and is_free(row)]
        equal = [index for index, row in enumerate(self.equalities) if row[column] and is_free(row)]
        return lower, upper, equal
