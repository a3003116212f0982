"""The transform dialect with its extensions, described in `mlir-22/transform.toml`: programs that rewrite programs."""

from __future__ import annotations

from typing import Final

from fathom.dialects import description_of
from fathom.dialects.func import FUNCTION_SYNTAX
from fathom.dialects.transform import memory_effects
from fathom.dialects.transform import sequences as s
from fathom.dialects.transform.directives import DIRECTIVES, SPLIT
from fathom.dialects.transform.handles import PREDICATES
from fathom.dialects.transform.matchers import PREDICATE
from fathom.dialects.transform.options import options_directive
from fathom.ir.operation import Operation
from fathom.irdl.code import DialectCode, OpCode


def _foreach_match_names(op: Operation) -> list[str]:
    return ["updated_root", *["yielded"] * (len(op.results) - 1)]


CODE: Final = DialectCode(
    operations={
        **memory_effects.OPERATIONS,
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
)
DESCRIPTION: Final = description_of("transform", CODE)
DIALECT: Final = DESCRIPTION.dialect()
VERIFY_PARTS: Final = ("matchers", "named_sequences", "sequences")
