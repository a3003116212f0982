"""The LLVM dialect of MLIR 16: a pointer may say what it points to, and what is read, written and called follows from
that (`llvm_accesses`, `calls`).

    %1 = llvm.getelementptr %0[%i] : (!llvm.ptr<f32>, i64) -> !llvm.ptr<f32>
    %2 = llvm.load %1 : !llvm.ptr<f32>
    llvm.store %2, %1 : !llvm.ptr<f32>

Source of the rules: *'llvm' Dialect* of MLIR 16, "Type System" and "Operations"; observed behaviour of mlir-opt 16.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from fathom.dialects.llvm import control
from fathom.dialects.llvm.former_types import FORMER_READERS
from fathom.dialects.llvm.type_syntax import types_of
from fathom.dialects.llvm.verify import callee_problem
from fathom.editions.mlir_16 import llvm_accesses, llvm_metadata
from fathom.editions.mlir_16.calls import CALL_DIRECTIVES, CALLS
from fathom.ir.attributes import Attribute, UnknownAttr
from fathom.irdl.code import DialectCode
from fathom.irdl.definition import OpDefinition
from fathom.irdl.dialect import Dialect
from fathom.irdl.lazy import Lazy, possible_names
from fathom.irdl.standard_attributes import ATTRIBUTES
from fathom.irdl.verifying import AttributeChecks, SymbolChecks
from fathom.records import replace

if TYPE_CHECKING:
    from fathom.irdl.readers import BodyReader

_TYPES: Final = types_of(FORMER_READERS)
_WEIGHTS: Final = "branch_weights"


def completed(dialect: Dialect) -> Dialect:
    """The dialect with its types, and with weights of branches that are dense elements."""
    operations = dialect.by_name

    def make(name: str) -> OpDefinition | None:
        definition = operations.get(name)
        if definition is None or not any(prop.name == _WEIGHTS for prop in definition.properties):
            return definition
        properties = tuple(
            replace(prop, constraint=ATTRIBUTES["ElementsAttr"]) if prop.name == _WEIGHTS else prop
            for prop in definition.properties
        )
        return replace(definition, properties=properties)

    names = list(possible_names(operations))
    attributes = {**dialect.attributes, "loopopts": _read_options}
    return replace(dialect, types=_TYPES, attributes=attributes, operations=Lazy(lambda: names, make))


def _read_options(reader: BodyReader) -> Attribute:
    """`#llvm.loopopts<disable_unroll = true>`, as it is written."""
    return UnknownAttr(f"#llvm.loopopts{reader.rest()}")


CODE: Final = DialectCode(
    {**CALLS, **llvm_accesses.CODE, **llvm_metadata.CODE, "switch": control.CODE["switch"]},
    directives={**CALL_DIRECTIVES, **llvm_accesses.DIRECTIVES, **llvm_metadata.DIRECTIVES},
)
ATTRIBUTE_CHECKS: Final = AttributeChecks()
"""Of what arguments have less is asked than today."""
WITHOUT: Final = (
    "llvm.alloca",
    "llvm.getelementptr",
    "llvm.invoke",
    "llvm.landingpad",
    "llvm.load",
    "llvm.store",
)
VERIFY_SYMBOLS: Final[SymbolChecks] = {"llvm.call": partial(callee_problem, says_variadic=False)}
