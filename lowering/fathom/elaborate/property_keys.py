"""The keys of the dictionary that `prop-dict` reads: which have to be there, and which may.

Source of the rules: the code that MLIR 22 generates for the directive.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from fathom.irdl.definition import Property


def mistaken_keys(keys: Collection[str], props: Sequence[Property]) -> str | None:
    """What is wrong with the keys, where the properties are these; None where nothing is."""
    # MLIR looks at the properties that are no attributes at heart before it looks at those that are.
    for prop in sorted(props, key=lambda prop: not prop.native):
        if prop.name not in keys and not prop.optional and prop.default is None:
            return f"expected key entry for {prop.name} in DictionaryAttr to set Properties."
    known = {prop.name for prop in props}
    unknown = next((key for key in sorted(keys) if key not in known), None)
    return f"unknown key '\"{unknown}\"' when parsing properties dictionary" if unknown is not None else None
