"""What many dialects of older editions have in common."""

from __future__ import annotations

from collections.abc import Collection

from fathom.irdl.definition import OpDefinition
from fathom.irdl.dialect import Dialect
from fathom.irdl.lazy import Lazy, possible_names
from fathom.irdl.verifying import Checks, Complaint
from fathom.records import replace


def unnamed(dialect: Dialect, named: Collection[str] = ()) -> Dialect:
    """A dialect whose operations, but for those of these full names, give no names to their results and to the
    arguments of their regions: most do so since MLIR 16."""
    operations = dialect.by_name

    def make(name: str) -> OpDefinition | None:
        definition = operations.get(name)
        if definition is None or name in named:
            return definition
        return replace(definition, result_names=None, region_argument_names=None)

    return replace(dialect, operations=Lazy(lambda: list(possible_names(operations)), make))


def unchecked(*operations: str) -> Checks:
    """Checks that find nothing, for operations of which the next edition asks more."""
    return dict.fromkeys(operations, _nothing)


def _nothing(op: object) -> Complaint:
    del op
    return None
