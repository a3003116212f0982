"""The data layout of LLVM IR that a `#dlti.dl_spec` stands for.

Source of the rules: *Data Layout Modeling*; *LLVM Language Reference*, "Data Layout".
"""

from __future__ import annotations

from math import prod
from typing import Final

from fathom.dialects.dlti import EntriesAttr, FunctionPointerAlignmentAttr
from fathom.dialects.llvm.ir_names import LAYOUT_NUMBERS
from fathom.dialects.llvm.types import LLVMPointerType
from fathom.ir.attributes import Attribute, DenseArrayAttr, DenseElementsAttr, IntegerAttr, StringAttr
from fathom.ir.types import FloatType, IndexType, IntegerType, Type
from fathom.translation.unsaid import Lost

_FLOATS: Final = frozenset({"f16", "f32", "f64", "f80", "f128"})


def spell_specification(specification: Attribute) -> str:
    """The data layout that a `#dlti.dl_spec<…>` stands for: entries with names first, then types. Raises Lost for what
    LLVM's layouts do not say."""
    if not isinstance(specification, EntriesAttr):
        raise Lost(f"unsupported data layout: {specification}")
    named = [_named(key, value) for key, value in specification.entries if isinstance(key, str)]
    typed = [_typed(key, value) for key, value in specification.entries if not isinstance(key, str)]
    return "-".join(filter(None, named + typed))


def _named(key: str, value: Attribute) -> str:
    match key, value:
        case "dlti.endianness", StringAttr(text):
            return "e" if text == "little" else "E"
        case "dlti.mangling_mode", StringAttr(text):
            return f"m:{text}"
        case _, IntegerAttr(number) if key in LAYOUT_NUMBERS:
            return f"{LAYOUT_NUMBERS[key]}{number}" if number else ""
        case "dlti.legal_int_widths", DenseArrayAttr(values=widths):
            return f"n{':'.join(map(str, widths))}"
        case "dlti.function_pointer_alignment", FunctionPointerAlignmentAttr(alignment, dependent):
            return f"F{'n' if dependent else 'i'}{alignment}" if alignment else ""
        case _:
            raise Lost(f'unsupported data layout key "{key}"')


def _typed(type: Type, value: Attribute) -> str:
    if isinstance(type, IndexType):
        return ""
    numbers = _numbers(value)
    match type:
        case LLVMPointerType(space):
            # The size, then the alignment, the preferred one, and how wide an index is.
            size, abi, *rest = numbers if len(numbers) > 1 else numbers * 2
            preferred = rest[0] if rest else abi
            return f"p{space}:{size}:{abi}:{preferred}:{rest[1] if len(rest) > 1 else size}"
        case IntegerType(width, "") | FloatType(width=width) if isinstance(type, IntegerType) or type.name in _FLOATS:
            abi, preferred = numbers[0], numbers[-1]
            letter = "i" if isinstance(type, IntegerType) else "f"
            return f"{letter}{width}:{abi}" + (f":{preferred}" if preferred != abi else "")
        case IntegerType():
            raise Lost(f"unsupported data layout for non-signless integer '{type}'")
        case _:
            raise Lost(f"unsupported type in data layout: '{type}'")


def _numbers(value: Attribute) -> list[int]:
    """At least one number."""
    if isinstance(value, DenseElementsAttr):
        count = prod(value.type.shape or ())
        values = [number for number in value.values if isinstance(number, int)]
        numbers = values * count if value.is_splat and count <= 4 else values
    else:
        numbers = list(value.values) if isinstance(value, DenseArrayAttr) else []
    if not numbers:
        raise Lost(f"unsupported data layout entry: {value}")
    return numbers
