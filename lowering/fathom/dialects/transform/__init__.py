"""The transform dialect with its extensions, described in `mlir-22/transform.toml`: programs that rewrite programs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from fathom.dialects import description_of
from fathom.dialects.func import FUNCTION_SYNTAX
from fathom.dialects.transform import named_sequences as n
from fathom.dialects.transform import sequences as s
from fathom.dialects.transform.checks import CHECKS
from fathom.dialects.transform.constrained_parameters import constrain_parameters
from fathom.dialects.transform.constraints import PREDICATES
from fathom.dialects.transform.directives import DIRECTIVES, SPLIT
from fathom.dialects.transform.matchers import PREDICATE
from fathom.dialects.transform.options import options_directive
from fathom.ir.attributes import quote
from fathom.irdl.checking import all_of
from fathom.irdl.code import DialectCode, OpCode
from fathom.irdl.parametric import CustomBody

if TYPE_CHECKING:
    from fathom.ir.dialect_values import Parameter
    from fathom.ir.operation import Operation
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
        **{name: OpCode(verify=check) for name, check in CHECKS.items()},
        "alternatives": OpCode(verify=all_of(s.top_level, s.alternatives)),
        "collect_matching": OpCode(verify_symbols=n.collect_matching),
        "foreach": OpCode(verify=s.foreach),
        "foreach_match": OpCode(
            result_names=_foreach_match_names, verify=n.foreach_match, verify_symbols=n.foreach_match_symbols
        ),
        "include": OpCode(verify=n.include_effects, verify_symbols=n.include),
        "named_sequence": OpCode(custom=FUNCTION_SYNTAX, verify=n.named_sequence),
        "sequence": OpCode(verify=all_of(s.top_level, s.sequence)),
        "smt.constrain_params": OpCode(verify=constrain_parameters),
        "structured.split": OpCode(custom=SPLIT, verify=CHECKS["structured.split"]),
        "tune.alternatives": OpCode(verify=s.tuned),
        "with_pdl_patterns": OpCode(verify=all_of(s.top_level, s.with_patterns)),
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
