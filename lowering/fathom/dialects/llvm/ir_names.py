"""What the llvm dialect and LLVM IR call the same things, as data: for those who translate, in either direction.

Each table goes from the dialect's name to that of LLVM IR. Source of the rules: *'llvm' Dialect*; *LLVM Language
Reference*, "Function Attributes", "Parameter Attributes", "'llvm.loop' Metadata", "Module Flags Metadata", "Data
Layout".
"""

from __future__ import annotations

from enum import Enum, auto
from typing import Final, TypeAlias

# ---- attributes of functions and calls, by the properties that say them

FUNCTION_FLAGS: Final = {
    "always_inline": "alwaysinline",
    "no_inline": "noinline",
    "inline_hint": "inlinehint",
    "optimize_none": "optnone",
    "convergent": "convergent",
    "no_unwind": "nounwind",
    "will_return": "willreturn",
}
FUNCTION_STRINGS: Final = {
    "target_cpu": "target-cpu",
    "tune_cpu": "tune-cpu",
    "reciprocal_estimates": "reciprocal-estimates",
    "prefer_vector_width": "prefer-vector-width",
    "denormal_fp_math": "denormal-fp-math",
    "denormal_fp_math_f32": "denormal-fp-math-f32",
    "fp_contract": "fp-contract",
    "instrument_function_entry": "instrument-function-entry",
    "instrument_function_exit": "instrument-function-exit",
}
FUNCTION_BOOLEANS: Final = {
    "no_infs_fp_math": "no-infs-fp-math",
    "no_nans_fp_math": "no-nans-fp-math",
    "no_signed_zeros_fp_math": "no-signed-zeros-fp-math",
}
STREAMING_MARKS: Final = {
    "arm_streaming": "aarch64_pstate_sm_enabled",
    "arm_locally_streaming": "aarch64_pstate_sm_body",
    "arm_streaming_compatible": "aarch64_pstate_sm_compatible",
}
"""Of which a function has one at most, as of the next."""
ZA_MARKS: Final = {
    "arm_new_za": "aarch64_new_za",
    "arm_in_za": "aarch64_in_za",
    "arm_out_za": "aarch64_out_za",
    "arm_inout_za": "aarch64_inout_za",
    "arm_preserves_za": "aarch64_preserves_za",
}
MEMORY_LOCATIONS: Final = {
    "argMem": "argmem",
    "inaccessibleMem": "inaccessiblemem",
    "errnoMem": "errnomem",
    "targetMem0": "target_mem0",
    "targetMem1": "target_mem1",
}
"""The parameters of `#llvm.memory_effects` behind the first, which is all other memory."""

# ---- attributes of parameters and results

PARAMETERS: Final = {
    f"llvm.{name}": name
    for name in """
        align allocalign byval byref noundef dereferenceable dereferenceable_or_null elementtype inalloca inreg nest
        noalias nofree nonnull preallocated range readonly readnone returned signext alignstack sret writeonly zeroext
        """.split()
} | {"llvm.nocapture": "captures", "llvm.allocptr": "allocptr"}

# ---- hints on loops


class Hint(Enum):
    """How a hint says its value: with its name in a node that is an operand of the loop's."""

    FLAG = auto()
    """By being there."""
    SWITCH = auto()
    """As FLAG; MLIR writes it with a bit, and does not read that."""
    BOOLEAN = auto()
    """With a bit."""
    NEGATED = auto()
    """With a bit that says the opposite."""
    NUMBER = auto()
    """With an `i32`."""
    COUNTED = auto()
    """A truth value, as an `i32`."""
    EITHER = auto()
    """By one of two names, which end in `disable` and `enable`."""
    FOLLOWUP = auto()
    """With the node of the loop that comes of it."""


LoopHint: TypeAlias = tuple[str, Hint, str]
"""The name in MLIR, how it is said, and the name in LLVM IR without `llvm.`."""
LOOP_HINTS: Final[dict[str, tuple[LoopHint, ...]]] = {
    "vectorize": (
        ("disable", Hint.NEGATED, "loop.vectorize.enable"),
        ("predicateEnable", Hint.BOOLEAN, "loop.vectorize.predicate.enable"),
        ("scalableEnable", Hint.BOOLEAN, "loop.vectorize.scalable.enable"),
        ("width", Hint.NUMBER, "loop.vectorize.width"),
        ("followupVectorized", Hint.FOLLOWUP, "loop.vectorize.followup_vectorized"),
        ("followupEpilogue", Hint.FOLLOWUP, "loop.vectorize.followup_epilogue"),
        ("followupAll", Hint.FOLLOWUP, "loop.vectorize.followup_all"),
    ),
    "interleave": (("count", Hint.NUMBER, "loop.interleave.count"),),
    "unroll": (
        ("disable", Hint.EITHER, "loop.unroll"),
        ("count", Hint.NUMBER, "loop.unroll.count"),
        ("runtimeDisable", Hint.SWITCH, "loop.unroll.runtime.disable"),
        ("full", Hint.FLAG, "loop.unroll.full"),
        ("followupUnrolled", Hint.FOLLOWUP, "loop.unroll.followup_unrolled"),
        ("followupRemainder", Hint.FOLLOWUP, "loop.unroll.followup_remainder"),
        ("followupAll", Hint.FOLLOWUP, "loop.unroll.followup_all"),
    ),
    "unrollAndJam": (
        ("disable", Hint.EITHER, "loop.unroll_and_jam"),
        ("count", Hint.NUMBER, "loop.unroll_and_jam.count"),
        ("followupOuter", Hint.FOLLOWUP, "loop.unroll_and_jam.followup_outer"),
        ("followupInner", Hint.FOLLOWUP, "loop.unroll_and_jam.followup_inner"),
        ("followupRemainderOuter", Hint.FOLLOWUP, "loop.unroll_and_jam.followup_remainder_outer"),
        ("followupRemainderInner", Hint.FOLLOWUP, "loop.unroll_and_jam.followup_remainder_inner"),
        ("followupAll", Hint.FOLLOWUP, "loop.unroll_and_jam.followup_all"),
    ),
    "licm": (("disable", Hint.FLAG, "licm.disable"), ("versioningDisable", Hint.FLAG, "loop.licm_versioning.disable")),
    "distribute": (
        ("disable", Hint.NEGATED, "loop.distribute.enable"),
        ("followupCoincident", Hint.FOLLOWUP, "loop.distribute.followup_coincident"),
        ("followupSequential", Hint.FOLLOWUP, "loop.distribute.followup_sequential"),
        ("followupFallback", Hint.FOLLOWUP, "loop.distribute.followup_fallback"),
        ("followupAll", Hint.FOLLOWUP, "loop.distribute.followup_all"),
    ),
    "pipeline": (
        ("disable", Hint.BOOLEAN, "loop.pipeline.disable"),
        ("initiationinterval", Hint.NUMBER, "loop.pipeline.initiationinterval"),
    ),
    "peeled": (("count", Hint.NUMBER, "loop.peeled.count"),),
    "unswitch": (("partialDisable", Hint.FLAG, "loop.unswitch.partial.disable"),),
}
"""The parts of an annotation, in order, and what stands in each."""
OWN_LOOP_HINTS: Final[tuple[LoopHint, ...]] = (
    ("disableNonforced", Hint.FLAG, "loop.disable_nonforced"),
    ("mustProgress", Hint.FLAG, "loop.mustprogress"),
    ("isVectorized", Hint.COUNTED, "loop.isvectorized"),
)
"""What stands in the annotation itself, before its parts."""

# ---- the summary of a profile

PROFILE_COUNTS: Final = {
    "total_count": "TotalCount",
    "max_count": "MaxCount",
    "max_internal_count": "MaxInternalCount",
    "max_function_count": "MaxFunctionCount",
    "num_counts": "NumCounts",
    "num_functions": "NumFunctions",
}

# ---- data layouts

LAYOUT_NUMBERS: Final = {
    "dlti.alloca_memory_space": "A",
    "dlti.program_memory_space": "P",
    "dlti.global_memory_space": "G",
    "dlti.stack_alignment": "S",
}
"""The entries that are numbers, and the letters before these; zero is what holds anyway."""
