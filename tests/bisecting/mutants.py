"""Mistakes put into passes: each is in one fold or pattern, or in what a pass asks.

A pattern that is wrong makes another operation than it ought to, or swaps two operands of what it makes. The drivers
are patched so that this holds while a pattern of the name is at work, in whatever pass.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from importlib import import_module
from typing import Any, Final

from fathom.context import default_context
from fathom.ir.operation import Operation, Value
from fathom.records import record
from fathom.rewriting import conversion_driver, greedy_driver
from fathom.rewriting.pattern import Pattern
from fathom.rewriting.rewriter import Rewriter
from tests.bisecting import programs

SCALARS: Final = "--canonicalize --arith-expand --convert-arith-to-llvm --convert-func-to-llvm"
CONTROL: Final = (
    "--canonicalize --loop-invariant-code-motion --convert-scf-to-cf --convert-arith-to-llvm --convert-cf-to-llvm "
    "--convert-func-to-llvm"
)
MEMORY: Final = (
    "--affine-loop-unroll=unroll-factor=4 --canonicalize --lower-affine --convert-scf-to-cf "
    "--convert-arith-to-llvm --finalize-memref-to-llvm --convert-cf-to-llvm --convert-func-to-llvm "
    "--reconcile-unrealized-casts"
)
REPEATED: Final = "--cse --loop-invariant-code-motion --canonicalize --lower-to-llvm"
TENSORS: Final = "--one-shot-bufferize=bufferize-function-boundaries --convert-linalg-to-loops --lower-to-llvm"
LAYERS: Final = (
    "--pass-pipeline=builtin.module(func.func(tosa-to-linalg-named,tosa-to-linalg),"
    "one-shot-bufferize{bufferize-function-boundaries},convert-linalg-to-loops,lower-to-llvm)"
)
VECTORS: Final = "--lower-vector-multi-reduction --canonicalize --lower-to-llvm"


@record(eq=False)
class Mutant:
    """A mistake: `breaks` makes it for as long as it is entered. `guilty` is the pass, `pattern` the pattern that has
    to be named, `folds` the operation whose fold has; neither where the pass has no patterns."""

    name: str
    text: str
    entry: str
    arguments: Sequence[Any]
    pipeline: str
    guilty: str
    breaks: Callable[[], Any]
    pattern: str = ""
    folds: str = ""


@contextmanager
def wrong_fold(name: str, change: Callable[[Operation, Any], Any]) -> Generator[None]:
    """The fold of an operation gives something else."""
    definition = default_context().lookup(name)
    assert definition is not None
    fold = definition.fold
    assert fold is not None

    def broken(op: Operation, constants: Any) -> Any:
        folded = fold(op, constants)
        return change(op, folded) if folded else folded

    object.__setattr__(definition, "fold", broken)
    try:
        yield
    finally:
        object.__setattr__(definition, "fold", fold)


@contextmanager
def wrong_pattern(name: str, made: str, instead: str = "", *, swapped: bool = False) -> Generator[None]:
    """While a pattern of this name is at work, an operation `made` is another one, or has its first operands
    swapped."""
    at_work: list[str] = []
    legalizer: Any = vars(conversion_driver)["_Legalizer"]
    driver: Any = vars(greedy_driver)["_Driver"]
    rewrite, create, greedy = legalizer._rewrite, Rewriter.create, driver._rewrite

    def of_conversion(self: Any, op: Operation, pattern: Pattern) -> Any:
        at_work.append(pattern.name)
        try:
            return rewrite(self, op, pattern)
        finally:
            at_work.pop()

    def of_greedy(self: Any, op: Operation) -> bool:
        for pattern in self.patterns(op.name):
            self.rewriter.stand_in(op)
            self.rewriter.set_insertion_before(op)
            at_work.append(pattern.name)
            try:
                if pattern.rewrite(op, op.operands, self.rewriter) is None:
                    return True
            finally:
                at_work.pop()
        return False

    def broken(self: Any, definition: Any, operands: Any = (), *rest: Any, **named: Any) -> Operation:
        values: list[Value] = list(operands)
        called = definition if isinstance(definition, str) else definition.name
        if at_work and at_work[-1] == name and called == made:
            definition = instead or called
            values = [values[1], values[0], *values[2:]] if swapped else values
        return create(self, definition, values, *rest, **named)

    maker: Any = Rewriter
    legalizer._rewrite, driver._rewrite, maker.create = of_conversion, of_greedy, broken
    try:
        yield
    finally:
        legalizer._rewrite, driver._rewrite, maker.create = rewrite, greedy, create


@contextmanager
def wrong_function(module: str, name: str, broken: Callable[[Any], Any]) -> Generator[None]:
    """A function, or a method of a class, is another one: what `broken` makes of it."""
    owner: Any = import_module(module)
    *path, last = name.split(".")
    for part in path:
        owner = getattr(owner, part)
    function = getattr(owner, last)
    setattr(owner, last, broken(function))
    try:
        yield
    finally:
        setattr(owner, last, function)


def _other_operand(op: Operation, folded: Any) -> Any:
    """Another operand than the one that it folds to."""
    others = [operand for operand in op.operands if operand not in folded and operand.type == op.result.type]
    return others[:1] or folded


def _of_scalars(name: str, breaks: Callable[[], Any], guilty: str, pattern: str = "", folds: str = "") -> Mutant:
    return Mutant(name, programs.SCALARS, "scalars", [37, 5], SCALARS, guilty, breaks, pattern, folds)


def _of_control(name: str, breaks: Callable[[], Any], guilty: str, pattern: str = "") -> Mutant:
    return Mutant(name, programs.CONTROL, "control", [5, 3], CONTROL, guilty, breaks, pattern)


def _of_memory(name: str, breaks: Callable[[], Any], guilty: str, pattern: str = "") -> Mutant:
    given = [[3, 1, 4, 1, 5, 9, 2, 6], 10]
    return Mutant(name, programs.MEMORY, "memory", given, MEMORY, guilty, breaks, pattern)


def _of_repeated(name: str, breaks: Callable[[], Any], guilty: str) -> Mutant:
    return Mutant(name, programs.REPEATED, "repeated", [[1, 2, 3, 4], 3, 7, 2], REPEATED, guilty, breaks)


def _of_tensors(name: str, breaks: Callable[[], Any], guilty: str, pattern: str = "") -> Mutant:
    given = [[[1, 2, 3], [4, 5, 6]], [[1, 0], [2, 1], [0, 3]], [[1, 2], [3, 4]]]
    return Mutant(name, programs.TENSORS, "tensors", given, TENSORS, guilty, breaks, pattern)


def _of_layers(name: str, breaks: Callable[[], Any], guilty: str, pattern: str = "") -> Mutant:
    given = [[[1, 2, 3], [4, 5, 6]], [[7, 0, 2], [1, 9, 4]]]
    return Mutant(name, programs.LAYERS, "layers", given, LAYERS, guilty, breaks, pattern)


def _of_vectors(name: str, breaks: Callable[[], Any], guilty: str, pattern: str = "") -> Mutant:
    given = [[1, 2, 3, 4, 5, 6], [2, 3, 4, 5], [[1, 2, 3], [4, 5, 6]]]
    return Mutant(name, programs.VECTORS, "vectors", given, VECTORS, guilty, breaks, pattern)


def _never(_: Any) -> Any:
    def never(*_: Any, **__: Any) -> bool:
        return False

    return never


def _of_loads_too(is_pure: Any) -> Any:
    """Loads count as pure, whatever is written."""

    def is_pure_or_load(op: Operation) -> bool:
        return is_pure(op) or op.dialect == "memref"

    return is_pure_or_load


def _too_far(shifted_index: Any) -> Any:
    def shifted(loop: Any, distance: int, rewriter: Any) -> Any:
        return shifted_index(loop, distance + (distance > 1), rewriter)

    return shifted


ARITH: Final = "VectorConvertToLLVMPattern"
COMPARE: Final = "CmpIOpLowering"
TO_CF: Final = "convert-scf-to-cf"
CANONICAL: Final = "canonicalize"
TO_LLVM: Final = "convert-arith-to-llvm"

MUTANTS: Final[tuple[Mutant, ...]] = (
    # canonicalize: folds, then patterns
    _of_scalars("fold-muli", lambda: wrong_fold("arith.muli", _other_operand), CANONICAL, folds="arith.muli"),
    _of_scalars("fold-xori", lambda: wrong_fold("arith.xori", _other_operand), CANONICAL, folds="arith.xori"),
    _of_scalars(
        "add-add",
        lambda: wrong_pattern("AddIAddConstant", "arith.addi", "arith.subi"),
        CANONICAL,
        "AddIAddConstant",
    ),
    _of_scalars(
        "mul-mul",
        lambda: wrong_pattern("MulIMulIConstant", "arith.muli", "arith.addi"),
        CANONICAL,
        "MulIMulIConstant",
    ),
    _of_scalars(
        "sub-add",
        lambda: wrong_pattern("SubIRHSAddConstant", "arith.addi", "arith.subi"),
        CANONICAL,
        "SubIRHSAddConstant",
    ),
    # arith-expand
    _of_scalars(
        "max-min",
        lambda: wrong_pattern("MaxMinIOpConverter", "arith.cmpi", swapped=True),
        "arith-expand",
        "MaxMinIOpConverter",
    ),
    # convert-arith-to-llvm
    _of_scalars("sub", lambda: wrong_pattern(ARITH, "llvm.sub", swapped=True), TO_LLVM, ARITH),
    _of_scalars("div", lambda: wrong_pattern(ARITH, "llvm.sdiv", "llvm.udiv", swapped=True), TO_LLVM, ARITH),
    _of_scalars("shift", lambda: wrong_pattern(ARITH, "llvm.ashr", "llvm.shl"), TO_LLVM, ARITH),
    _of_scalars("float", lambda: wrong_pattern(ARITH, "llvm.fmul", "llvm.fadd"), TO_LLVM, ARITH),
    _of_scalars(
        "compare", lambda: wrong_pattern("CmpIOpLowering", "llvm.icmp", swapped=True), TO_LLVM, "CmpIOpLowering"
    ),
    # convert-scf-to-cf, convert-cf-to-llvm
    _of_control("for", lambda: wrong_pattern("ForLowering", "arith.cmpi", swapped=True), TO_CF, "ForLowering"),
    _of_control("step", lambda: wrong_pattern("ForLowering", "arith.addi", "arith.ori"), TO_CF, "ForLowering"),
    _of_control("rest", lambda: wrong_pattern(ARITH, "llvm.urem", "llvm.udiv"), TO_LLVM, ARITH),
    # lower-affine, finalize-memref-to-llvm
    _of_memory(
        "floordiv",
        lambda: wrong_pattern("AffineLoadLowering", "arith.divsi", "arith.remsi"),
        "lower-affine",
        "AffineLoadLowering",
    ),
    _of_memory(
        "negated",
        lambda: wrong_pattern("AffineLoadLowering", "arith.addi", "arith.subi"),
        "lower-affine",
        "AffineLoadLowering",
    ),
    # unrolling and fusion, which have no patterns
    _of_memory(
        "unroll",
        lambda: wrong_function("fathom.passes.affine.unrolling", "shifted_index", _too_far),
        "affine-loop-unroll",
    ),
    _of_memory(
        "affine-for",
        lambda: wrong_pattern("AffineForLowering", "scf.for", swapped=True),
        "lower-affine",
        "AffineForLowering",
    ),
    # cse, loop-invariant-code-motion
    _of_repeated(
        "licm",
        lambda: wrong_function("fathom.rewriting.loop_invariants", "is_pure", _of_loads_too),
        "loop-invariant-code-motion",
    ),
    _of_repeated(
        "cse-written",
        lambda: wrong_function("fathom.rewriting.common_subexpressions", "_is_written_between", _never),
        "cse",
    ),
    # bufferization
    _of_tensors(
        "in-place",
        lambda: wrong_function("fathom.bufferization.conflicts", "Conflicts.stand_against", _never),
        "one-shot-bufferize",
    ),
    # convert-linalg-to-loops
    _of_tensors(
        "loops",
        lambda: wrong_pattern("LinalgRewritePattern", "scf.for", swapped=True),
        "convert-linalg-to-loops",
        "LinalgRewritePattern",
    ),
    # finalize-memref-to-llvm
    _of_tensors(
        "strides",
        lambda: wrong_pattern("LoadOpLowering", "llvm.mul", "llvm.add"),
        "finalize-memref-to-llvm",
        "LoadOpLowering",
    ),
    # tosa-to-linalg, tosa-to-linalg-named
    _of_layers(
        "tosa-sub",
        lambda: wrong_pattern("PointwiseConverter", "arith.subi", swapped=True),
        "tosa-to-linalg",
        "PointwiseConverter",
    ),
    _of_layers(
        "tosa-max",
        lambda: wrong_pattern("PointwiseConverter", "arith.maxsi", "arith.minsi"),
        "tosa-to-linalg",
        "PointwiseConverter",
    ),
    _of_layers(
        "tosa-and",
        lambda: wrong_pattern("PointwiseConverter", "arith.andi", "arith.ori"),
        "tosa-to-linalg",
        "PointwiseConverter",
    ),
    _of_layers(
        "tosa-sum",
        lambda: wrong_pattern("ReduceConverter", "arith.addi", "arith.muli"),
        "tosa-to-linalg",
        "ReduceConverter",
    ),
    # vectors
    _of_vectors(
        "rows",
        lambda: wrong_pattern("TwoDimMultiReductionToElementWise", "arith.addf", "arith.subf"),
        "lower-vector-multi-reduction",
        "TwoDimMultiReductionToElementWise",
    ),
    _of_vectors(
        "shuffle",
        lambda: wrong_pattern("VectorShuffleOpConversion", "llvm.shufflevector", swapped=True),
        "convert-vector-to-llvm",
        "VectorShuffleOpConversion",
    ),
    _of_vectors(
        "sum",
        lambda: wrong_pattern(
            "VectorReductionOpConversion", "llvm.intr.vector.reduce.fadd", "llvm.intr.vector.reduce.fmul"
        ),
        "convert-vector-to-llvm",
        "VectorReductionOpConversion",
    ),
    # What is wrong by itself: a module that is not valid, an exception
    _of_scalars(
        "invalid",
        lambda: wrong_pattern("SelectOpOneToNLowering", "llvm.select", swapped=True),
        TO_LLVM,
        "SelectOpOneToNLowering",
    ),
    _of_control("exception", lambda: wrong_pattern("IfLowering", "cf.cond_br", "no.such"), TO_CF, "IfLowering"),
    _of_memory(
        "alloc",
        lambda: wrong_pattern("AllocOpLowering", "llvm.ptrtoint", "llvm.inttoptr"),
        "finalize-memref-to-llvm",
        "AllocOpLowering",
    ),
)
