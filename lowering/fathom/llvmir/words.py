"""The words of LLVM IR, as data, for whoever reads, writes or makes a module.

Source of the rules: *LLVM Language Reference*.
"""

from __future__ import annotations

from typing import Final

from fathom.records import record

LINKAGES: Final = (
    *("external", "private", "internal", "linkonce", "linkonce_odr", "weak", "weak_odr"),
    *("common", "appending", "extern_weak", "available_externally"),
)
"""`external` is not written where there is an initializer or a body."""
LOCAL_LINKAGES: Final = frozenset({"private", "internal"})
VISIBILITIES: Final = ("default", "hidden", "protected")
DLL_STORAGE_CLASSES: Final = ("dllimport", "dllexport")
THREAD_LOCAL_MODELS: Final = ("generaldynamic", "localdynamic", "initialexec", "localexec")
"""The first is written without its word."""
UNNAMED_ADDRESSES: Final = ("local_unnamed_addr", "unnamed_addr")
CODE_MODELS: Final = ("tiny", "small", "kernel", "medium", "large")
SELECTION_KINDS: Final = ("any", "exactmatch", "largest", "nodeduplicate", "samesize")
"""Of comdats."""
SANITIZERS: Final = ("no_sanitize_address", "no_sanitize_hwaddress", "sanitize_memtag", "sanitize_address_dyninit")
"""Of globals, in the order in which they are written."""
TAIL_CALL_KINDS: Final = ("tail", "musttail", "notail")
ORDERINGS: Final = ("unordered", "monotonic", "acquire", "release", "acq_rel", "seq_cst")
RMW_OPERATIONS: Final = (
    *("xchg", "add", "sub", "and", "nand", "or", "xor", "max", "min", "umax", "umin", "fadd", "fsub", "fmax", "fmin"),
    *("fmaximum", "fminimum", "uinc_wrap", "udec_wrap", "usub_cond", "usub_sat"),
)
INTEGER_PREDICATES: Final = ("eq", "ne", "ugt", "uge", "ult", "ule", "sgt", "sge", "slt", "sle")
FLOAT_PREDICATES: Final = (
    *("false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord", "uno"),
    *("ueq", "ugt", "uge", "ult", "ule", "une", "true"),
)
DEBUG_RECORDS: Final = ("value", "declare", "declare_value", "assign")
"""Of variables; there is `label` besides."""

INTEGER_OPERATIONS: Final = (
    *("add", "sub", "mul", "udiv", "sdiv", "urem", "srem"),
    *("shl", "lshr", "ashr", "and", "or", "xor"),
)
FLOAT_OPERATIONS: Final = ("fadd", "fsub", "fmul", "fdiv", "frem")
CASTS: Final = (
    *("trunc", "zext", "sext", "fptrunc", "fpext", "fptoui", "fptosi", "uitofp", "sitofp"),
    *("ptrtoint", "ptrtoaddr", "inttoptr", "bitcast", "addrspacecast"),
)
TERMINATORS: Final = (
    *("ret", "br", "switch", "indirectbr", "invoke", "callbr", "resume", "catchswitch", "catchret", "cleanupret"),
    "unreachable",
)
OPERATIONS: Final = (
    *("fneg", *INTEGER_OPERATIONS, *FLOAT_OPERATIONS, *CASTS, "icmp", "fcmp", "select", "freeze", "phi", "call"),
    *("extractelement", "insertelement", "shufflevector", "extractvalue", "insertvalue", "getelementptr"),
    *("alloca", "load", "store", "fence", "cmpxchg", "atomicrmw", "va_arg", "landingpad", "catchpad", "cleanuppad"),
    *TERMINATORS,
)
"""All of them, by the words that they are written with."""

FAST_MATH: Final = ("reassoc", "nnan", "ninf", "nsz", "arcp", "contract", "afn")
"""All of them together are written as `fast`."""
_WRAPS: Final = ("nuw", "nsw")
FLAGS: Final[dict[str, tuple[str, ...]]] = {
    **dict.fromkeys(("add", "sub", "mul", "shl", "trunc"), _WRAPS),
    **dict.fromkeys(("udiv", "sdiv", "lshr", "ashr"), ("exact",)),
    "or": ("disjoint",),
    "getelementptr": ("inbounds", "nusw", "nuw"),
    **dict.fromkeys(("zext", "uitofp"), ("nneg",)),
    "icmp": ("samesign",),
    **dict.fromkeys((*FLOAT_OPERATIONS, "fneg", "fcmp", "select", "phi", "call", "fptrunc", "fpext"), FAST_MATH),
}
"""The flags of operations, in the order in which they are written; `inbounds` says `nusw` too."""

METADATA_KINDS: Final = {
    name: number
    for number, name in enumerate(
        """
        dbg tbaa prof fpmath range tbaa.struct invariant.load alias.scope noalias nontemporal
        llvm.mem.parallel_loop_access nonnull dereferenceable dereferenceable_or_null make.implicit unpredictable
        invariant.group align llvm.loop type section_prefix absolute_symbol associated callees irr_loop
        llvm.access.group callback llvm.preserve.access.index vcall_visibility noundef annotation nosanitize
        func_sanitize exclude memprof callsite kcfi_type pcsections DIAssignID coro.outside.frame mmra
        noalias.addrspace callee_type nofree captures alloc_token implicit.ref
        """.split()
    )
}
"""The kinds of attached metadata that LLVM knows: it writes them in the order of these numbers, and those of others
behind them."""

CALLING_CONVENTIONS: Final = {
    "ccc": 0,
    "fastcc": 8,
    "coldcc": 9,
    "ghccc": 10,
    "anyregcc": 13,
    "preserve_mostcc": 14,
    "preserve_allcc": 15,
    "swiftcc": 16,
    "cxx_fast_tlscc": 17,
    "tailcc": 18,
    "cfguard_checkcc": 19,
    "swifttailcc": 20,
    "preserve_nonecc": 21,
    "x86_stdcallcc": 64,
    "x86_fastcallcc": 65,
    "arm_apcscc": 66,
    "arm_aapcscc": 67,
    "arm_aapcs_vfpcc": 68,
    "msp430_intrcc": 69,
    "x86_thiscallcc": 70,
    "ptx_kernel": 71,
    "ptx_device": 72,
    "spir_func": 75,
    "spir_kernel": 76,
    "intel_ocl_bicc": 77,
    "x86_64_sysvcc": 78,
    "win64cc": 79,
    "x86_vectorcallcc": 80,
    "hhvmcc": 81,
    "hhvm_ccc": 82,
    "x86_intrcc": 83,
    "avr_intrcc": 84,
    "avr_signalcc": 85,
    "amdgpu_vs": 87,
    "amdgpu_gs": 88,
    "amdgpu_ps": 89,
    "amdgpu_cs": 90,
    "amdgpu_kernel": 91,
    "x86_regcallcc": 92,
    "amdgpu_hs": 93,
    "amdgpu_ls": 95,
    "amdgpu_es": 96,
    "aarch64_vector_pcs": 97,
    "aarch64_sve_vector_pcs": 98,
    "amdgpu_gfx": 100,
    "aarch64_sme_preservemost_from_x0": 102,
    "aarch64_sme_preservemost_from_x2": 103,
    "amdgpu_cs_chain": 104,
    "amdgpu_cs_chain_preserve": 105,
    "m68k_rtdcc": 106,
    "graalcc": 107,
    "riscv_vector_cc": 110,
    "aarch64_sme_preservemost_from_x1": 111,
    **{f"riscv_vls_cc({32 << power})": 112 + power for power in range(12)},
    "amdgpu_gfx_whole_wave": 124,
    "cheriot_compartmentcallcc": 125,
    "cheriot_compartmentcalleecc": 126,
    "cheriot_librarycallcc": 127,
}
"""The numbers of calling conventions by their words; one without a word is written as `cc` and its number."""


@record
class Explained:
    """What LLVM prints before a constant argument of an intrinsic: a name, and the word that the number stands for, if
    any."""

    name: str
    words: tuple[str, ...] = ()


EXPLAINED: Final = {
    "llvm.nvvm.tcgen05.mma.tensor": {
        -3: Explained("kind", ("f16", "tf32", "f8f6f4", "i8")),
        -2: Explained("cta_group"),
        -1: Explained("collector", ("discard", "lastuse", "fill", "use")),
    }
}
"""The arguments that are explained, from the end."""
