"""The std dialect of MLIR 13: arithmetic, calls and branches, whose names need no dialect.

Source of the rules: *'std' Dialect* of MLIR 13, "Operations"; observed behaviour of mlir-opt 13.
"""

from __future__ import annotations

from typing import Final

from fathom.editions.edition import edition
from fathom.irdl.clauses import two_way
from fathom.irdl.code import DialectCode, OpCode
from fathom.irdl.constraints import ANY
from fathom.irdl.definition import OpDefinition
from fathom.irdl.dialect import Dialect
from fathom.irdl.lazy import Lazy, possible_names
from fathom.records import replace

_UNARY: Final = OpCode(custom=two_way("$operand attr-dict `:` type($operand)"))
_BINARY: Final = OpCode(custom=two_way("$lhs `,` $rhs attr-dict `:` type($result)"))
_TERNARY: Final = OpCode(custom=two_way("$a `,` $b `,` $c attr-dict `:` type($result)"))
_CAST: Final = OpCode(custom=two_way("$in attr-dict `:` type($in) `to` type($out)"))
_EXTENSION: Final = OpCode(custom=two_way("$value attr-dict `:` type($value) `to` type($_result0)"))

_BINARIES: Final = (
    "addf addi and ceildivi_signed copysign divf divi_signed divi_unsigned floordivi_signed mulf muli or remf "
    "remi_signed remi_unsigned shift_left shift_right_signed shift_right_unsigned subf subi xor"
)

CODE: Final = DialectCode(
    operations={
        **dict.fromkeys(("absf", "ceilf", "floorf", "negf"), _UNARY),
        **dict.fromkeys(_BINARIES.split(), _BINARY),
        "fmaf": _TERNARY,
        **dict.fromkeys(("fpext", "fptosi", "fptoui", "fptrunc", "index_cast", "sitofp", "uitofp"), _CAST),
        **dict.fromkeys(("sexti", "trunci", "zexti"), _EXTENSION),
        "generic_atomic_rmw": OpCode(
            custom=two_way("$memref `[` $indices `]` `:` type($memref) $body attr-dict", completes=False)
        ),
    }
)


# ---- what went to other dialects before

_ELSEWHERE: Final = {
    **{
        name: f"memref.{name}"
        for name in (
            "alloc alloca assume_alignment dealloc dim load prefetch store subview tensor_load tensor_store transpose "
            "view"
        ).split()
    },
    "dynamic_tensor_from_elements": "tensor.generate",
    "extract_element": "tensor.extract",
    "get_global_memref": "memref.get_global",
    "global_memref": "memref.global",
    "memref_cast": "memref.cast",
    "memref_reinterpret_cast": "memref.reinterpret_cast",
    "memref_reshape": "memref.reshape",
    "subtensor": "tensor.extract_slice",
    "subtensor_insert": "tensor.insert_slice",
    "tensor_cast": "tensor.cast",
    "tensor_from_elements": "tensor.from_elements",
    "tensor_to_memref": "memref.buffer_cast",
}
"""Operations of MLIR 10 to 12 by what they are in MLIR 13: documents of that time have them."""


def completed(dialect: Dialect) -> Dialect:
    """The dialect with the operations that have others in the releases before."""
    operations = dialect.by_name

    def make(name: str) -> OpDefinition | None:
        elsewhere = _ELSEWHERE.get(name.partition(".")[2])
        return operations.get(name) if elsewhere is None else _renamed(elsewhere, name)

    names = (*possible_names(operations), *(f"std.{name}" for name in _ELSEWHERE))
    return replace(dialect, operations=Lazy(lambda: list(names), make))


def _renamed(elsewhere: str, name: str) -> OpDefinition | None:
    layer = edition("13")
    dialect = layer.find_dialect(elsewhere.partition(".")[0]) if layer is not None else None
    definition = dialect.by_name.get(elsewhere) if dialect is not None else None
    if definition is None:
        return None
    # A size is asked of tensors too.
    operands = (
        (replace(definition.operands[0], constraint=ANY), *definition.operands[1:]) if name == "std.dim" else None
    )
    return replace(definition, name=name, operands=operands or definition.operands)
