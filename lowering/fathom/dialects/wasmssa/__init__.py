"""The wasmssa dialect, WebAssembly in SSA form: described in `mlir-22/wasmssa.toml`; here the syntax that C++ reads,
what the types of results are, and what MLIR's verifiers say.

Source of the rules: *'wasmssa' Dialect*, and observed behaviour of mlir-opt 22.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from fathom.dialects import description_of
from fathom.dialects.wasmssa.syntax import ELSE, FUNCTION, GLOBAL, IMPORT_GLOBAL, local_element
from fathom.ir.attributes import TypeAttr
from fathom.ir.types import Type
from fathom.irdl.code import DialectCode, OpCode
from fathom.irdl.definition import TypeRule


def _local(type: Type) -> Type:
    """`!wasmssa<local ref to type>`."""
    return DESCRIPTION.types["LocalRefType"].make_type(elementType=type)


def _referring(types: Sequence[object]) -> list[Type] | None:
    return [_local(each.type) for each in types if isinstance(each, TypeAttr)] or None


def _referred(types: Sequence[Type]) -> list[Type] | None:
    return [element for each in types if (element := local_element(each)) is not None] or None


_OF_LOCAL: Final = (TypeRule("result", ("localVar",), _referred, ""),)

CODE: Final = DialectCode(
    operations={
        "func": OpCode(custom=FUNCTION),
        "global": OpCode(custom=GLOBAL),
        "import_global": OpCode(custom=IMPORT_GLOBAL),
        "local": OpCode(rules=(TypeRule("result", ("type",), _referring, ""),)),
        "local_get": OpCode(rules=_OF_LOCAL),
        "local_tee": OpCode(rules=_OF_LOCAL),
    },
    directives={"ElseRegion": ELSE},
)
DESCRIPTION: Final = description_of("wasmssa", CODE)
DIALECT: Final = DESCRIPTION.dialect()
