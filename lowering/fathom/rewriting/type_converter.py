"""How a dialect conversion converts types: one to one, one to many, or not at all; and the signatures of blocks.

Source of the rules: *Dialect Conversion*, "Type Conversion" and "Region Signature Conversion".
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeGuard

from fathom.ir.types import Type
from fathom.records import field, record

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fathom.ir.attributes import Attribute
    from fathom.ir.operation import Block, Operation, Value
    from fathom.rewriting.rewriter import Rewriter


@record(frozen=False)
class SignatureConversion:
    """Which new arguments stand for each argument of a block: `ranges[i]` is (first, count). For those that `values`
    has other values stand."""

    ranges: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])
    types: list[Type] = field(default_factory=list[Type])
    values: dict[int, Value] = field(default_factory=dict[int, Any])

    def add(self, types: Iterable[Type]) -> None:
        """The next argument of the block becomes arguments of these types."""
        types = list(types)
        self.ranges.append((len(self.types), len(types)))
        self.types += types

    def replace(self, value: Value) -> None:
        """A value stands for the next argument of the block."""
        self.values[len(self.ranges)] = value
        self.ranges.append((len(self.types), 0))

    def append(self, types: Iterable[Type]) -> None:
        """Adds arguments that stand for none of the block."""
        self.types += types


class TypeConverter:
    """Converts types; a subclass says how in `convert_uncached`. Answers are remembered: types are immutable values."""

    def __init__(self) -> None:
        self._cache: dict[Type, tuple[Type, ...] | None] = {}
        self.known: dict[tuple[object, ...], tuple[tuple[object, ...], Type, Mapping[str, Attribute]]] = {}
        """What patterns make of operations with operands, results and properties of an identity: these, which keep
        theirs as long as they are known here, the type of the result, and the properties."""

    def convert_uncached(self, type: Type) -> Type | Sequence[Type] | None:
        """The type(s) that stand for `type`: itself if it is legal, None if it cannot be converted."""
        return type

    def convert_many(self, type: Type) -> tuple[Type, ...] | None:
        """The types that stand for `type`, or None where there is no conversion."""
        try:
            return self._cache[type]
        except KeyError:
            pass
        converted = self.convert_uncached(type)
        types = (converted,) if isinstance(converted, Type) else tuple(converted) if converted is not None else None
        self._cache[type] = types
        return types

    def convert(self, type: Type) -> Type | None:
        """The one type that stands for `type`, or None."""
        types = self.convert_many(type)
        return types[0] if types is not None and len(types) == 1 else None

    def convert_all(self, types: Iterable[Type]) -> list[Type] | None:
        """The converted types in one flat list, or None if any has no conversion."""
        result: list[Type] = []
        for type in types:
            converted = self.convert_many(type)
            if converted is None:
                return None
            result += converted
        return result

    def is_legal(self, type: Type) -> bool:
        return self.convert_many(type) == (type,)

    def accepts(self, op: Operation) -> bool:
        """Whether nothing that an operation takes or makes is converted."""
        return all(self.is_legal(value.type) for value in (*op.operands, *op.results))

    def convert_block_signature(self, block: Block) -> SignatureConversion | None:
        """Every argument converted, or None if any cannot be."""
        conversion = SignatureConversion()
        for argument in block.arguments:
            types = self.convert_many(argument.type)
            if types is None:
                return None
            conversion.add(types)
        return conversion

    def materialize_source(self, rewriter: Rewriter, type: Type, inputs: Sequence[Value]) -> Value | None:
        """A value of the original type made from converted values, or None if this cannot be. The default is a cast."""
        return rewriter.create(CAST, inputs, [type]).results[0]

    def materialize_target(
        self, rewriter: Rewriter, types: Sequence[Type], inputs: Sequence[Value], original: Type | None
    ) -> Sequence[Value] | None:
        """Values of converted types made from others; `original` is the type that was converted, if it is known."""
        return list(rewriter.create(CAST, inputs, types).results)


CAST: Final = "builtin.unrealized_conversion_cast"


def is_cast(op: Operation | None) -> TypeGuard[Operation]:
    """Whether it is an operation that stands between a type and what a conversion makes of it."""
    return op is not None and op.name == CAST
