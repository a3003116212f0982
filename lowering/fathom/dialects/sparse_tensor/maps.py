"""From the dimensions of a tensor to the levels of its storage: `[s](i, j) -> (j : compressed, i + s : dense)`.

Source of the rules: *'sparse_tensor' Dialect*, "SparseTensorEncodingAttr", and MLIR 22's parser of these maps.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from fathom.dialects.sparse_tensor.levels import read_level
from fathom.ir.affine import (
    AffineBinary,
    AffineConstant,
    AffineDim,
    AffineExpr,
    AffineMap,
    AffineSymbol,
    add,
    divide,
    is_symbolic,
    multiply,
    negate,
)
from fathom.ir.dialect_values import DialectAttr
from fathom.irdl.keywords import bracketed
from fathom.irdl.readers import ParameterReader
from fathom.records import field, record

_DEEPEST: Final = 64
"""How many parentheses may stand open in an expression."""


@record
class Mapping:
    """What the text says: from dimensions to levels, how each is stored, the way back if it is said, and slices."""

    to_levels: AffineMap
    levels: tuple[int, ...]
    to_dimensions: AffineMap | None
    slices: tuple[DialectAttr | None, ...]


@record(frozen=False)
class _Names:
    """The names that have been bound, each to what it means."""

    symbols: dict[str, AffineExpr] = field(default_factory=dict[str, AffineExpr])
    dimensions: dict[str, AffineExpr] = field(default_factory=dict[str, AffineExpr])
    levels: dict[str, AffineExpr] = field(default_factory=dict[str, AffineExpr])

    def bind(self, reader: ParameterReader, into: dict[str, AffineExpr]) -> None:
        """Binds the name that stands next, which must be new."""
        if not reader.at_kind("BARE"):
            reader.fail_here("expected bare identifier")
        name = reader.optional_keyword() or ""
        if any(name in names for names in (self.symbols, self.dimensions, self.levels)):
            reader.fail_before(f"redefinition of identifier '{name}'")
        into[name] = AffineSymbol(len(into)) if into is self.symbols else AffineDim(len(into))


def read_mapping(reader: ParameterReader) -> Mapping:
    """The map that stands next."""
    names = _Names()
    if reader.at("["):
        bracketed(reader, "[]", lambda: names.bind(reader, names.symbols), "symbol binding list")
    if reader.at("{"):
        bracketed(reader, "{}", lambda: names.bind(reader, names.levels), "level declaration list")
    back: list[AffineExpr] = []
    slices: list[DialectAttr | None] = []
    bracketed(reader, "()", lambda: _read_dimension(reader, names, back, slices), "dimension-specifier list")
    reader.expect("->")
    expressions: list[AffineExpr] = []
    levels: list[int] = []
    bracketed(reader, "()", lambda: _read_level(reader, names, expressions, levels), "level-specifier list")
    if names.levels and len(levels) != len(names.levels):
        counts = f"Declared {len(names.levels)} level-variables; but got {len(levels)} level-specifiers."
        reader.fail_before(f"Level-rank mismatch between forward-declarations and specifiers. {counts}")
    forth = AffineMap(len(names.dimensions), len(names.symbols), tuple(expressions))
    to_dimensions = AffineMap(len(levels), len(names.symbols), tuple(back)) if back else None
    return Mapping(forth, tuple(levels), to_dimensions, tuple(slices))


def _read_dimension(
    reader: ParameterReader, names: _Names, back: list[AffineExpr], slices: list[DialectAttr | None]
) -> None:
    """`i = l0 * 2 + l1 : #sparse_tensor<slice(0, 4, 1)>`."""
    names.bind(reader, names.dimensions)
    if reader.accept("="):
        back.append(_Expression(reader, {**names.levels, **names.symbols}).read())
    if not reader.accept(":"):
        slices.append(None)
        return
    slice_ = reader.attribute()
    if not isinstance(slice_, DialectAttr) or slice_.full_name != "sparse_tensor.slice":
        reader.fail_before("expected SparseTensorDimSliceAttr")
    slices.append(slice_)


def _read_level(reader: ParameterReader, names: _Names, expressions: list[AffineExpr], levels: list[int]) -> None:
    """`l0 = i floordiv 2 : dense`; the name must be there where names of levels were declared."""
    if names.levels:
        if not reader.at_kind("BARE"):
            reader.fail_here("expected bare identifier")
        name = reader.optional_keyword() or ""
        declared = list(names.levels).index(name) if name in names.levels else None
        if declared is None:
            reader.fail_before(f"use of undeclared identifier '{name}'")
        if declared != len(levels):
            orders = (
                f"The variable '{name}' was forward-declared as the {_nth(declared)} level; but is bound by the "
                f"{_nth(len(levels))} specification."
            )
            reader.fail_before(f"Level-variable ordering mismatch. {orders}")
        reader.expect("=")
    expressions.append(_Expression(reader, {**names.dimensions, **names.symbols}).read())
    reader.expect(":")
    levels.append(read_level(reader))


def _nth(number: int) -> str:
    return {1: "1st", 2: "2nd"}.get(number, f"{number}th")


class _Expression:
    """An affine expression of names that stand for dimensions and symbols."""

    def __init__(self, reader: ParameterReader, names: dict[str, AffineExpr]) -> None:
        self.reader = reader
        self.names = names
        self.depth = 0

    def read(self) -> AffineExpr:
        expression = self.product()
        while True:
            if self.reader.accept("+"):
                expression = add(expression, self.product())
            elif self.reader.at("-") and self.reader.accept("-"):
                expression = add(expression, negate(self.product()))
            else:
                return expression

    def product(self) -> AffineExpr:
        expression = self.atom()
        while True:
            if self.reader.accept("*"):
                right = self.atom()
                if not is_symbolic(expression) and not is_symbolic(right):
                    self.reader.fail_before(
                        "non-affine expression: at least one of the multiply operands has to be either a constant or "
                        "symbolic"
                    )
                expression = multiply(expression, right)
                continue
            kind = next((kind for kind in ("floordiv", "ceildiv", "mod") if self.reader.at(kind)), None)
            if kind is None:
                return expression
            self.reader.accept(kind)
            right = self.atom()
            if not is_symbolic(right):
                message = f"non-affine expression: right operand of {kind} has to be either a constant or symbolic"
                self.reader.fail_before(message)
            expression = divide(kind, expression, right)

    def atom(self) -> AffineExpr:
        reader = self.reader
        if reader.accept("-"):
            return negate(self.atom_inside())
        if reader.at_kind("INTEGER", "HEX"):
            return AffineConstant(reader.integer())
        if reader.accept("("):
            if reader.at(")"):
                reader.fail_here("no expression inside parentheses")
            expression = self.atom_inside(self.read)
            reader.expect(")")
            return expression
        reader.suggest(self.names)
        if not reader.at_kind("BARE"):
            reader.fail_here("expected affine expression")
        expression = self.names.get(reader.optional_keyword() or "")
        if expression is None:
            reader.fail_before("use of undeclared identifier")
        return expression

    def atom_inside(self, read: Callable[[], AffineExpr] | None = None) -> AffineExpr:
        """What stands behind a sign or in parentheses, of which not too many may be open."""
        self.depth += 1
        if self.depth > _DEEPEST:
            self.reader.fail_here(f"more than {_DEEPEST} parentheses are open")
        expression = (read or self.atom)()
        self.depth -= 1
        return expression


# ---- the way back


def infer_back(map: AffineMap) -> AffineMap | None:
    """The map from levels to dimensions that follows from the other, where it is a permutation or cuts dimensions in
    blocks; None where it is neither."""
    if map.symbols:
        return None
    positions = [result.position for result in map.results if isinstance(result, AffineDim)]
    if len(positions) == len(map.results) and sorted(positions) == list(range(map.dims)):
        back = {dimension: level for level, dimension in enumerate(positions)}
        return AffineMap(map.dims, 0, tuple(AffineDim(back[dimension]) for dimension in range(map.dims)))
    return _inverse_of_blocks(map) if block_sizes(map) is not None else None


def block_sizes(map: AffineMap) -> list[int] | None:
    """The size of the blocks that each remainder in the map is one of, and 0 for each dimension that stands by itself;
    None for a map that cuts no dimension in blocks."""
    divisors: dict[int, int] = {}
    sizes: list[int] = []
    has_block = False
    for result in map.results:
        match result:
            case AffineBinary("floordiv", AffineDim(position), AffineConstant(size)) if size > 0:
                if position in divisors:
                    return None
                divisors[position] = size
            case AffineBinary("mod", AffineDim(position), AffineConstant(size)) if size > 0:
                if divisors.get(position) != size:
                    return None
                has_block = True
                sizes.append(size)
            case AffineDim(position) if position not in divisors:
                divisors[position] = 0
                sizes.append(0)
            case _:
                return None
    return sizes if has_block else None


def _inverse_of_blocks(map: AffineMap) -> AffineMap:
    """`l0 * 2 + l1` for each dimension that is cut, behind the others."""
    whole: list[AffineExpr] = []
    parts: dict[int, tuple[AffineExpr, AffineExpr]] = {}
    sums: dict[int, AffineExpr] = {}
    for level, result in enumerate(map.results):
        match result:
            case AffineBinary("floordiv", AffineDim(position), size):
                parts[position] = AffineDim(level), size
            case AffineBinary("mod", AffineDim(position)):
                outer, size = parts[position]
                sums[position] = add(multiply(outer, size), AffineDim(level))
            case _:
                whole.append(AffineDim(level))
    return AffineMap(len(map.results), 0, (*whole, *(sums[position] for position in sorted(sums))))
