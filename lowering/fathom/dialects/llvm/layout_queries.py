"""What targets of the LLVM dialect say of themselves: `["features", "avx"]` is whether they have a feature.

Source of the rules: `LLVMAttrs.cpp` of MLIR 22.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.ir.attributes import FALSE, TRUE, UNIT, Attribute, StringAttr

if TYPE_CHECKING:
    from fathom.dialects.dlti import Key
    from fathom.ir.dialect_values import DialectAttr


def _of_target(target: DialectAttr, key: Key) -> Attribute | None:
    """Its `triple`, `chip` or `features`."""
    value = target.parameter(key) if isinstance(key, str) and key in target.definition.names else None
    return value if isinstance(value, Attribute) else None


def _of_features(target_features: DialectAttr, key: Key) -> Attribute | None:
    """Whether a feature is asked for; of one with its sign, that it stands there."""
    features = target_features.parameter("features")
    if not isinstance(key, str) or not isinstance(features, tuple):
        return None
    words = {feature.value for feature in features if isinstance(feature, StringAttr)}
    if key in words:
        return UNIT
    if f"+{key}" in words:
        return TRUE
    return FALSE if f"-{key}" in words else None


LAYOUT_QUERIES: Final = {"llvm.target": _of_target, "llvm.target_features": _of_features}
