"""What programs print: numbers as the functions of MLIR's runtime print them, and these functions by their names."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from fathom.interpreting.values import Array, Datum, NotUnderstood, signed
from fathom.ir.floats import to_float
from fathom.ir.types import FloatType, IndexType, IntegerType, Type

if TYPE_CHECKING:
    from fathom.interpreting.machine import Machine

_PUNCTUATION: Final = {"printOpen": "( ", "printClose": " )", "printComma": ", ", "printNewline": "\n"}
_ARRAYS: Final = ("printMemref", "_mlir_ciface_printMemref", "print_memref", "_mlir_ciface_print_memref")


def spelled(value: Datum, type: Type) -> str:
    """A number as it is printed. Raises NotUnderstood for another value."""
    if isinstance(type, FloatType) and isinstance(value, (int, float)):
        return f"{value:g}"
    if isinstance(type, IntegerType) and isinstance(value, int) and (type.width == 1 or type.signedness == "u"):
        return str(value)
    if isinstance(type, (IntegerType, IndexType)) and isinstance(value, int):
        return str(signed(value, type.width if isinstance(type, IntegerType) else 64))
    raise NotUnderstood(f"how {type} is printed")


def spelled_array(array: Array, type: Type) -> str:
    """A vector as it is printed: its rows in parentheses."""
    if not array.shape:
        return f"( {spelled(array.items[0], type)} )"
    step = len(array.items) // max(array.shape[0], 1)
    rows = [Array(array.shape[1:], array.items[at : at + step]) for at in range(0, len(array.items), step)]
    words = [spelled_array(row, type) if row.shape else spelled(row.items[0], type) for row in rows]
    return f"( {', '.join(words)} )"


def _integer(value: Any) -> str:
    return str(signed(value, 64))


def _float(value: Any) -> str:
    return f"{value:g}"


def _half(name: str) -> Callable[[Any], str]:
    return lambda bits: f"{to_float(bits, name):g}"


_NUMBERS: Final[Mapping[str, Callable[[Any], str]]] = {
    "printI64": _integer,
    "printU64": str,
    "printF32": _float,
    "printF64": _float,
    "printF16": _half("f16"),
    "printBF16": _half("bf16"),
}


def call_of_runtime(machine: Machine, name: str, arguments: Sequence[Datum]) -> bool:
    """Calls a function of the runtime that prints; whether it is one. How an array is printed is not said here."""
    if name in _PUNCTUATION and not arguments:
        machine.printed.append(_PUNCTUATION[name])
    elif name in _NUMBERS and len(arguments) == 1 and isinstance(arguments[0], (int, float)):
        machine.printed.append(_NUMBERS[name](arguments[0]))
    elif name.startswith(_ARRAYS):
        machine.tells_printed = False
    else:
        return False
    return True
