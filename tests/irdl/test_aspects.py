"""What dialects of the library say of aspects is about operations that there are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from fathom.context import default_context
from fathom.irdl.folding import FOLDS
from fathom.irdl.verifying import VERIFY, VERIFY_REGIONS, VERIFY_SYMBOLS

if TYPE_CHECKING:
    from fathom.irdl.aspects import Aspect


@pytest.mark.parametrize("aspect", [FOLDS, VERIFY, VERIFY_REGIONS, VERIFY_SYMBOLS], ids=lambda aspect: aspect.name)
def test_the_names_are_those_of_operations(aspect: Aspect[Any]) -> None:
    context = default_context()
    for dialect in context.dialect_names():
        for name, function in context.aspect(aspect, dialect).items():
            definition = context.lookup(name)
            assert definition is not None, name
            assert definition.dialect != dialect or definition.told(aspect) is function, name
