"""The transform dialect with its extensions, described in `mlir-22/transform.toml`: programs that rewrite programs."""

from __future__ import annotations

from typing import Final

from fathom.dialects import description_of
from fathom.dialects.func import FUNCTION_SYNTAX
from fathom.dialects.transform import sequences as s
from fathom.dialects.transform.directives import DIRECTIVES, SPLIT
from fathom.dialects.transform.handles import PREDICATES
from fathom.dialects.transform.matchers import PREDICATE
from fathom.dialects.transform.options import options_directive
from fathom.ir.dialect_values import Parameter
from fathom.ir.operation import Operation
from fathom.ir.spelling import quote
from fathom.irdl.code import DialectCode, OpCode
from fathom.irdl.parametric import CustomBody
from fathom.irdl.readers import ParameterReader


def _read_operation_type(reader: ParameterReader) -> list[Parameter]:
    """`<"linalg.generic">`."""
    reader.expect("<")
    name = reader.string()
    reader.expect(">")
    return [name]


def _foreach_match_names(op: Operation) -> list[str]:
    return ["updated_root", *["yielded"] * (len(op.results) - 1)]


CODE: Final = DialectCode(
    operations={
        "foreach_match": OpCode(result_names=_foreach_match_names),
        "named_sequence": OpCode(custom=FUNCTION_SYNTAX),
        "structured.split": SPLIT,
    },
    predicates=PREDICATES,
    traits={**s.TRAITS, PREDICATE.name: PREDICATE},
    directives={
        **DIRECTIVES,
        "ApplyRegisteredPassOptions": options_directive(lambda: DESCRIPTION.attributes["ParamOperandAttr"]),
    },
    bodies={
        "OperationType": CustomBody(
            ("operation_name",), _read_operation_type, lambda values, _: f"<{quote(str(values[0]))}>"
        )
    },
)
DESCRIPTION: Final = description_of("transform", CODE)
DIALECT: Final = DESCRIPTION.dialect()
VERIFY_PARTS: Final = ("matchers", "named_sequences", "sequences")
