"""What MLIR's verifiers say of the operations of arith."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from fathom.dialects.arith.casts import Compatible, index_and_integer, narrower, same_width, verify_cast, wider
from fathom.ir.types import FloatType, IntegerType
from fathom.irdl.verifying import Checks

_CASTS: Final[Mapping[str, Compatible]] = {
    **dict.fromkeys(("extui", "extsi"), wider(IntegerType)),
    **dict.fromkeys(("extf", "scaling_extf"), wider(FloatType)),
    "trunci": narrower(IntegerType),
    **dict.fromkeys(("truncf", "scaling_truncf"), narrower(FloatType)),
    # The constraints say all there is to say of the elements.
    **dict.fromkeys(("uitofp", "sitofp", "fptoui", "fptosi"), lambda source, target: True),
    **dict.fromkeys(("index_cast", "index_castui"), index_and_integer),
    "bitcast": same_width,
}
VERIFY: Final[Checks] = {f"arith.{name}": verify_cast(compatible) for name, compatible in _CASTS.items()}
