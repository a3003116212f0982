"""The value of `func.constant`, which is a symbol."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from fathom.ir.attributes import Attribute, SymbolRefAttr
from fathom.ir.types import FunctionType, Type
from fathom.irdl.build import constants_by
from fathom.irdl.folding import Fold


def _is_name(attribute: Attribute, type: Type) -> bool:
    return isinstance(attribute, SymbolRefAttr) and not attribute.nested and isinstance(type, FunctionType)


FOLDS: Final[Mapping[str, Fold]] = {"func.constant": lambda op, constants: [op.value]}
MATERIALIZE_CONSTANT: Final = constants_by(("func.constant", "value", _is_name))
