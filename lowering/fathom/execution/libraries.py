"""Which library of MLIR defines a function that programs call.

Source of the facts: *mlir/ExecutionEngine*, `CRunnerUtils.h` and `RunnerUtils.h`.
"""

from __future__ import annotations

import re
from typing import Final

RUNTIME: Final = (
    (
        "mlir_c_runner_utils",
        re.compile(
            r"print(?:I64|U64|F32|F64|F16|BF16|String|Open|Close|Comma|Newline|Flops)|rtclock|rtsrand|rtrand|rtdrand"
            r"|memrefCopy|mlir(?:Alloc|AlignedAlloc|Free|AlignedFree)|(?:_mlir_ciface_)?(?:stdSort\w+|shuffle)"
            r"|(?:_mlir_ciface_)?(?:\w*[sS]parse\w+|(?:exp|lex|endLex)Insert\w*|getTensorFilename)"
        ),
    ),
    ("mlir_runner_utils", re.compile(r"(?:_mlir_ciface_)?(?:(?:print|verify)Mem[rR]ef\w+|nanoTime)")),
    ("mlir_apfloat_wrappers", re.compile(r"_mlir_apfloat_\w+|printApFloat")),
    ("mlir_async_runtime", re.compile(r"mlirAsyncRuntim\w+")),
    ("mlir_cuda_runtime", re.compile(r"mgpu\w+")),
)
"""The libraries, by what the names of their functions are."""


def library_of(symbol: str) -> str | None:
    """The library that defines a function, without `lib` and ending; None for one of no library of MLIR."""
    return next((library for library, names in RUNTIME if names.fullmatch(symbol)), None)
