"""What many dialects of older editions have in common."""

from __future__ import annotations

from collections.abc import Collection

from fathom.ir.types import MemRefType, TensorType, Type
from fathom.irdl.definition import OpDefinition
from fathom.irdl.dialect import Dialect
from fathom.irdl.lazy import Lazy, possible_names
from fathom.records import replace


def unnamed(dialect: Dialect, named: Collection[str] = ()) -> Dialect:
    """A dialect whose operations, but for those of these full names, give no names to their only result and to the
    arguments of their regions: most do so since MLIR 16."""
    operations = dialect.by_name

    def make(name: str) -> OpDefinition | None:
        definition = operations.get(name)
        if definition is None or name in named:
            return definition
        names = definition.result_names if len(definition.results) > 1 else None
        return replace(definition, result_names=names, region_argument_names=None)

    return replace(dialect, operations=Lazy(lambda: list(possible_names(operations)), make))


def tensor_of(type: Type) -> Type:
    """The tensor of the shape and the elements of a memref; another type as it is."""
    return TensorType(type.shape, type.element) if isinstance(type, MemRefType) else type
