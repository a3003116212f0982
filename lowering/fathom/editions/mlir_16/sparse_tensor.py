"""The sparse_tensor dialect of MLIR 16: the encoding of a tensor by keys,
`#sparse_tensor.encoding<{ dimLevelType = [ "dense", "compressed" ], pointerBitWidth = 64 }>`.

Its levels are those of today, and the order of dimensions the map to levels; a higher ordering stands where today the
map back stands. Source of the rules: *'sparse_tensor' Dialect* of MLIR 16, "SparseTensorEncodingAttr"; observed
behaviour of mlir-opt 16.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from fathom.dialects.sparse_tensor.encoding import NAMES
from fathom.dialects.sparse_tensor.levels import COMPRESSED, DENSE, NONORDERED, NONUNIQUE, SINGLETON
from fathom.ir.affine import AffineDim, AffineMap
from fathom.ir.attributes import AffineMapAttr, ArrayAttr, Attribute, IntegerAttr, StringAttr
from fathom.ir.dialect_values import Parameter
from fathom.ir.types import Speller, Type
from fathom.irdl.code import DialectCode
from fathom.irdl.parametric import CustomBody
from fathom.irdl.readers import ParameterReader

_PROPERTIES: Final = {"": 0, "-nu": NONUNIQUE, "-no": NONORDERED, "-nu-no": NONUNIQUE | NONORDERED}
LEVELS: Final[Mapping[str, int]] = {
    "dense": DENSE,
    **{
        f"{word}{ending}": number | bits
        for word, number in (("compressed", COMPRESSED), ("singleton", SINGLETON))
        for ending, bits in _PROPERTIES.items()
    },
}
"""How a level is stored, by the words of MLIR 16."""
_WORDS: Final = {number: word for word, number in LEVELS.items()}
_MAPS: Final = {"dimOrdering": "dimToLvl", "higherOrdering": "lvlToDim"}
_WIDTHS: Final = {"pointerBitWidth": "posWidth", "indexBitWidth": "crdWidth"}
KEYS: Final = ("dimLevelType", *_MAPS, *_WIDTHS)


def _read(reader: ParameterReader) -> list[Parameter]:
    """`{ dimLevelType = [ "dense" ], … }`."""
    fields: dict[str, Parameter] = {"posWidth": 0, "crdWidth": 0, "dimSlices": ()}
    reader.expect("{")
    while not reader.at("}"):
        reader.suggest(KEYS)
        key = reader.optional_keyword()
        if key not in KEYS:
            reader.fail(f"unexpected key: {key}")
        reader.expect("=")
        _set(fields, key, reader.attribute(), reader)
        if not reader.accept(","):
            break
    reader.expect("}")
    levels = fields.get("lvlTypes")
    rank = len(levels) if isinstance(levels, tuple) else 0
    fields.setdefault("dimToLvl", AffineMapAttr(AffineMap(rank, 0, tuple(map(AffineDim, range(rank))))))
    return [fields.get(name) for name in NAMES]


def _set(fields: dict[str, Parameter], key: str, value: Attribute, reader: ParameterReader) -> None:
    """Puts the value of a key among the parameters."""
    if key in _MAPS:
        if not isinstance(value, AffineMapAttr):
            reader.fail(f"expected an affine map for {key}")
        fields[_MAPS[key]] = value
        return
    if key in _WIDTHS:
        if not isinstance(value, IntegerAttr):
            reader.fail(f"expected an integral {key}")
        fields[_WIDTHS[key]] = value.value
        return
    words = value.elements if isinstance(value, ArrayAttr) else ()
    levels = [LEVELS.get(word.value) if isinstance(word, StringAttr) else None for word in words]
    if not isinstance(value, ArrayAttr) or None in levels:
        reader.fail("unexpected dimension level type")
    fields["lvlTypes"] = tuple(level for level in levels if level is not None)


def spell_encoding(values: Sequence[Parameter], of: Speller, *, says_widths: bool = False) -> str:
    """`{ dimLevelType = [ "dense" ] }`; with `says_widths`, widths of numbers stand there even if they are usual."""
    said: dict[str, Parameter] = {}
    said.update(zip(NAMES, values, strict=True))
    levels = said["lvlTypes"]
    words = (
        [f'"{_WORDS.get(level, "dense")}"' for level in levels if isinstance(level, int)]
        if isinstance(levels, tuple)
        else []
    )
    parts = [f"dimLevelType = [ {', '.join(words)} ]"]
    for key, name in _MAPS.items():
        value = said[name]
        if isinstance(value, AffineMapAttr) and not (key == "dimOrdering" and value.map.is_identity):
            parts.append(f"{key} = {value.spell(of)}")
    parts += [f"{key} = {said[name]}" for key, name in _WIDTHS.items() if said[name] or says_widths]
    return f"{{ {', '.join(parts)} }}"


def _verify(values: Mapping[str, Parameter]) -> str | None:
    """Nothing is said of an encoding by itself."""
    del values
    return None


def _verify_encoding(values: Mapping[str, Parameter], shape: Sequence[int], element: Type) -> str | None:
    """There is a level for each dimension, unless a higher ordering makes more of them."""
    del element
    levels = values["lvlTypes"]
    if values["lvlToDim"] is None and isinstance(levels, tuple) and len(levels) != len(shape):
        return f"expected an array of size {len(shape)} for dimension level types"
    return None


ENCODING: Final = CustomBody(NAMES, _read, spell_encoding, verify_encoding=_verify_encoding)
CODE: Final = DialectCode(
    bodies={"SparseTensorEncodingAttr": ENCODING}, parameters={"SparseTensorEncodingAttr": _verify}
)
