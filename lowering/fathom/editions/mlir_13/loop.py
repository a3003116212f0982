"""The loop dialect, which is called scf since MLIR 11: documents of the time before have it.

Source of the rules: *'scf' Dialect* of MLIR 13, "Operations".
"""

from __future__ import annotations

from collections.abc import Mapping

from fathom.editions.edition import edition
from fathom.irdl.definition import OpDefinition
from fathom.irdl.dialect import Dialect
from fathom.irdl.lazy import Lazy, possible_names
from fathom.records import replace


def completed(dialect: Dialect) -> Dialect:
    """The dialect with the operations of scf under its own name, whose regions end with its own yield."""
    layer = edition("13")
    scf = layer.find_dialect("scf") if layer is not None else None
    operations: Mapping[str, OpDefinition] = scf.by_name if scf is not None else {}

    def make(name: str) -> OpDefinition | None:
        definition = operations.get(f"scf.{name.partition('.')[2]}")
        if definition is None:
            return None
        end = definition.implicit_terminator.replace("scf.", "loop.")
        # Traits name the operations around by their other names.
        traits = tuple(trait for trait in definition.traits if not trait.parents)
        return replace(definition, name=name, traits=traits, implicit_terminator=end)

    names = [f"loop.{name.partition('.')[2]}" for name in possible_names(operations)]
    return replace(dialect, operations=Lazy(lambda: names, make), complete=True)
