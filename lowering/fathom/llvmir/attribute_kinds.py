"""The kinds of attributes that LLVM knows, as data, for whoever reads, writes or makes them."""

from __future__ import annotations

from enum import Enum, auto
from typing import Final


class Form(Enum):
    """How the value of an attribute is written."""

    FLAG = auto()
    """Not at all."""
    TYPE = auto()
    """As a type in parentheses."""
    ALIGN = auto()
    """As a number behind a blank; in a group behind `=`."""
    BYTES = auto()
    """As a number in parentheses; in a group behind `=`."""
    NUMBERS = auto()
    """As numbers in parentheses."""
    WORDS = auto()
    """As words in parentheses, apart by blanks; one that may be missing."""
    QUOTED = auto()
    """As words in quotes in parentheses, apart by commas."""
    MEMORY = auto()
    CAPTURES = auto()
    RANGE = auto()
    RANGES = auto()


_FLAGS: Final = """
allocalign allocptr alwaysinline builtin cold convergent coro_only_destroy_when_complete coro_elide_safe dead_on_return
dead_on_unwind disable_sanitizer_instrumentation fn_ret_thunk_extern hot hybrid_patchable immarg inreg inlinehint
jumptable minsize mustprogress naked nest noalias nobuiltin nocallback nocf_check nocreateundeforpoison
nodivergencesource noduplicate noext nofree noimplicitfloat noinline nomerge noprofile norecurse noredzone noreturn
nosanitize_bounds nosanitize_coverage nosync noundef nounwind nonlazybind nonnull null_pointer_is_valid optforfuzzing
optdebug optsize optnone presplitcoroutine readnone readonly returned returns_twice signext safestack
sanitize_address sanitize_alloc_token sanitize_hwaddress sanitize_memtag sanitize_memory
sanitize_numerical_stability sanitize_realtime sanitize_realtime_blocking sanitize_thread sanitize_type
shadowcallstack skipprofile speculatable speculative_load_hardening ssp sspreq sspstrong strictfp swiftasync
swifterror swiftself willreturn writable writeonly zeroext
""".split()
"""In LLVM's order, which is that of the names of their definitions."""

KINDS: Final[dict[str, Form]] = {
    **dict.fromkeys(_FLAGS, Form.FLAG),
    **dict.fromkeys("byref byval elementtype inalloca preallocated sret".split(), Form.TYPE),
    "align": Form.ALIGN,
    "allockind": Form.QUOTED,
    "allocsize": Form.NUMBERS,
    "captures": Form.CAPTURES,
    "dereferenceable": Form.BYTES,
    "dereferenceable_or_null": Form.BYTES,
    "memory": Form.MEMORY,
    "nofpclass": Form.WORDS,
    "alignstack": Form.BYTES,
    "uwtable": Form.WORDS,
    "vscale_range": Form.NUMBERS,
    "range": Form.RANGE,
    "initializes": Form.RANGES,
}
"""In the order in which LLVM prints those of a set; behind them come strings."""

ORDER: Final = {name: number for number, name in enumerate(KINDS)}

MEMORY_LOCATIONS: Final = ("argmem", "inaccessiblemem", "errnomem", "target_mem0", "target_mem1")
"""The locations that `memory` names, in the order in which it does."""
MEMORY_ACCESS: Final = ("none", "read", "write", "readwrite")

ALLOC_KINDS: Final = ("alloc", "realloc", "free", "uninitialized", "zeroed", "aligned")
"""The words of `allockind`, in LLVM's order."""
FP_CLASSES: Final = (
    *("all", "nan", "snan", "qnan", "inf", "ninf", "pinf", "norm", "nnorm", "pnorm"),
    *("sub", "nsub", "psub", "zero", "nzero", "pzero"),
)
"""The words of `nofpclass`."""
CAPTURE_COMPONENTS: Final = ("address_is_null", "address", "read_provenance", "provenance")
"""The words of `captures`, in LLVM's order."""
