"""What dialects of the library say of aspects is about operations that there are."""

from __future__ import annotations

import pytest

from fathom.context import default_context
from fathom.irdl.folding import FOLDS


@pytest.mark.parametrize("dialect", default_context().dialect_names())
def test_the_names_are_those_of_operations(dialect: str) -> None:
    context = default_context()
    for name, fold in context.aspect(FOLDS, dialect).items():
        definition = context.lookup(name)
        assert definition is not None, name
        assert definition.fold is fold, name
