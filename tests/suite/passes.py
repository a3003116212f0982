"""`make suite-passes`: each pass alone on the pieces of MLIR's own tests that have operations of its dialects, through
Fathom and mlir-opt 22, and the figures into `docs/passes-on-pieces.md`.

    python -m tests.suite.passes [PASS…] [--every N] [--only Dialect/Arith] [--show N] [--kind TEXT] [--list]

With names of passes only those of the table are run, and printed; so it is with `--only`, the files whose path contains
the text, and with `--files`, the `.mlir` files of another folder instead of MLIR's own tests. `--every` takes a fixed
sample of one piece in N. `--show` prints the first N differences, of the kinds that contain `--kind` if it is given;
`--list` names each piece that differs. What mlir-opt says is asked once for each file and pass, and then kept in the
user's cache: the first run takes that much longer.

    python -m tests.suite.passes convert-arith-to-llvm --every 10 --show 5

is the loop in which a pass is mended. A pass that is new stands in the table `USES` below, with the dialects whose
pieces it is held against.
"""

from __future__ import annotations

import argparse
import re
import sys
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from fathom.passes import find
from fathom.passes.definition import FUNCTION
from tests.conformance.page import paragraph, share
from tests.conformance.workers import WORKERS, run
from tests.oracles import tool_version
from tests.suite.answers import ALLOW, SEPARATOR, Piece, answers, split
from tests.suite.pieces import REJECTED, Finding, compare_error, compare_text, has_code, kinds, operations_in, same
from tests.suite.source import NoSource, mlir_source
from tests.suite.together import ask_together

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "passes-on-pieces.md"

CUSTOM = "custom"
KINDS = 15
TOGETHER = 200
"""How many files are given to a worker that asks mlir-opt about them."""
"""How many kinds of difference the page shows of each pass."""


@dataclass(frozen=True, slots=True)
class Use:
    """A pass with its options, and whose pieces it is run on: dialects, or single operations, by their names."""

    name: str
    over: frozenset[str]
    options: str = ""

    @property
    def flag(self) -> str:
        class_ = find(self.name)
        if class_ is not None and class_.anchor == FUNCTION:
            return f"--pass-pipeline=builtin.module(func.func({self.label}))"
        return f"--{self.name}={self.options}" if self.options else f"--{self.name}"

    @property
    def label(self) -> str:
        return f"{self.name}{{{self.options}}}" if self.options else self.name

    def concerns(self, operations: Iterable[str]) -> frozenset[str]:
        """Which of those it is run on stand among these operations."""
        return self.over & {part for name in operations for part in (name, name.partition(".")[0])}


_TABLE = """
convert-func-to-llvm                                      func
convert-func-to-llvm{use-bare-ptr-memref-call-conv=1}     func
convert-func-to-llvm{index-bitwidth=32}                   func
convert-arith-to-llvm                                     arith
convert-cf-to-llvm                                        cf
convert-scf-to-cf                                         scf
finalize-memref-to-llvm                                   memref
finalize-memref-to-llvm{use-aligned-alloc=1}              memref
finalize-memref-to-llvm{use-generic-functions=1}          memref
finalize-memref-to-llvm{index-bitwidth=32}                memref
generate-runtime-verification                             memref
reconcile-unrealized-casts                                builtin.unrealized_conversion_cast
convert-index-to-llvm                                     index
convert-complex-to-llvm                                   complex
convert-complex-to-standard                               complex
convert-complex-to-libm                                   complex
convert-math-to-llvm                                      math
convert-math-to-libm                                      math
convert-math-to-funcs                                     math
math-uplift-to-fma                                        math
math-expand-ops                                           math
convert-ub-to-llvm                                        ub
convert-openmp-to-llvm                                    omp
convert-openacc-to-scf                                    acc.enter_data acc.exit_data acc.update
convert-math-to-rocdl                                     math
convert-math-to-rocdl{chipset=gfx942}                     math.clampf
convert-complex-to-rocdl-library-calls                    complex
convert-math-to-xevm                                      math arith.divf
convert-spirv-to-llvm                                     spirv
lower-host-to-llvm                                        gpu.launch_func spirv.module
convert-spirv-to-llvm{client-api=OpenCL}                  spirv
convert-nvvm-to-llvm                                      nvvm
convert-nvgpu-to-nvvm                                     nvgpu
convert-xevm-to-llvm                                      xevm
arm-neon-2d-to-intr                                       arm_neon.2d.sdot
amdgpu-emulate-atomics{chipset=gfx90a}                    amdgpu
amdgpu-emulate-atomics{chipset=gfx1100}                   amdgpu
amdgpu-resolve-strided-metadata                           amdgpu
amdgpu-fold-memrefs-ops                                   amdgpu
convert-amdgpu-to-rocdl{chipset=gfx942}                   amdgpu
convert-amdgpu-to-rocdl{chipset=gfx950}                   amdgpu
convert-amdgpu-to-rocdl{chipset=gfx1100}                  amdgpu
convert-amdgpu-to-rocdl{chipset=gfx1250}                  amdgpu
convert-to-llvm{filter-dialects=ptr}                      ptr
convert-bufferization-to-memref                           bufferization
one-shot-bufferize                                        bufferization linalg scf tensor
one-shot-bufferize{bufferize-function-boundaries}         bufferization linalg scf tensor
drop-equivalent-buffer-results                            bufferization memref
empty-tensor-to-alloc-tensor                              tensor.empty
eliminate-empty-tensors                                   bufferization linalg tensor
buffer-hoisting                                           memref
buffer-loop-hoisting                                      memref
promote-buffers-to-stack                                  memref
buffer-results-to-out-params                              bufferization memref
buffer-results-to-out-params{modify-public-functions}     bufferization memref
ownership-based-buffer-deallocation                       bufferization memref
ownership-based-buffer-deallocation{private-function-dynamic-ownership} bufferization memref
bufferization-lower-deallocations                         bufferization
linalg-generalize-named-ops                               linalg
linalg-block-pack-matmul{block-factors=32,16,64}          linalg
linalg-detensorize                                        cf linalg tensor.from_elements
linalg-detensorize{aggressive-mode}                       cf linalg
linalg-inline-scalar-operands                             linalg
linalg-specialize-generic-ops                             linalg
linalg-morph-ops{named-to-category}                       linalg
linalg-morph-ops{named-to-generic}                        linalg
linalg-morph-ops{generic-to-named}                        linalg
linalg-fuse-elementwise-ops                               linalg tensor.collapse_shape tensor.expand_shape
linalg-fold-unit-extent-dims                              linalg tensor.extract_slice tensor.insert_slice tensor.pad
linalg-fold-unit-extent-dims{use-rank-reducing-slices}    linalg tensor.pad
linalg-fold-into-elementwise                              linalg
simplify-depthwise-conv                                   linalg
convert-tensor-to-linalg                                  tensor.pad
fold-tensor-subset-ops                                    tensor.extract_slice tensor.insert_slice
buffer-deallocation-simplification                        bufferization
optimize-allocation-liveness                              bufferization memref
scf-for-to-while                                          scf.for
scf-forall-to-for                                         scf.forall
scf-forall-to-parallel                                    scf.forall
scf-for-loop-peeling                                      scf.for
scf-for-loop-peeling{peel-front}                          scf.for
scf-for-loop-canonicalization                             scf.for scf.forall scf.parallel
scf-for-loop-range-folding                                scf.for
scf-for-loop-specialization                               scf.for
scf-parallel-loop-fusion                                  scf.parallel
scf-parallel-loop-specialization                          scf.parallel
scf-parallel-loop-tiling{parallel-loop-tile-sizes=4,2}    scf.parallel
scf-parallel-loop-tiling{no-min-max-bounds}               scf.parallel
loop-invariant-subset-hoisting                            scf.for
control-flow-sink                                         affine linalg scf
affine-scalrep                                            affine
affine-loop-invariant-code-motion                         affine
affine-loop-fusion                                        affine
affine-loop-fusion{maximal}                               affine
affine-data-copy-generate                                 affine
affine-data-copy-generate{generate-dma}                   affine
affine-super-vectorize{virtual-vector-size=128}           affine
affine-super-vectorize{virtual-vector-size=32,256}        affine
topological-sort                                          scf linalg
transform-interpreter                                     transform
transform-preload-library                                 transform
test-transform-dialect-erase-schedule                     transform
test-arith-emulate-wide-int                               arith
convert-arith-to-apfloat                                  arith
convert-math-to-apfloat                                   math
test-cf-assert                                            cf
test-vector-scan-lowering                                 vector.scan
test-math-polynomial-approximation                        math
async-parallel-for                                        scf.parallel
async-parallel-for{async-dispatch=0}                      scf.parallel
async-func-to-async-runtime                               async
async-to-async-runtime                                    async
convert-async-to-llvm                                     async
async-runtime-ref-counting                                async
async-runtime-ref-counting-opt                            async
async-runtime-policy-based-ref-counting                   async
print-op-stats                                            scf linalg
view-op-graph                                             cf
remove-dead-values                                        func scf cf
int-range-optimizations                                   arith index scf cf
arith-int-range-narrowing{int-bitwidths-supported=1,8,16,24,32} arith
mem2reg                                                   memref.alloca llvm.alloca
sroa                                                      memref.alloca llvm.alloca
lift-cf-to-scf                                            cf
lower-affine                                              affine
affine-expand-index-ops                                   affine
affine-expand-index-ops-as-affine                         affine
affine-loop-normalize                                     affine
affine-loop-normalize{promote-single-iter}                affine
affine-loop-coalescing                                    affine.for scf.for
affine-parallelize                                        affine
affine-parallelize{max-nested=1}                          affine
affine-parallelize{parallel-reductions}                   affine
affine-simplify-structures                                affine
affine-loop-tile                                          affine
affine-loop-tile{cache-size=0}                            affine
affine-loop-tile{tile-size=32}                            affine
affine-loop-tile{separate}                                affine
affine-loop-unroll                                        affine
affine-loop-unroll-jam                                    affine
affine-loop-unroll-jam{unroll-jam-factor=2}               affine
affine-loop-unroll{unroll-factor=-1}                      affine
affine-loop-unroll{unroll-factor=3}                       affine
affine-loop-unroll{cleanup-unroll}                        affine
arith-expand                                              arith
arith-emulate-unsupported-floats{source-types=bf16,f16}   arith vector
arith-emulate-wide-int                                    arith
memref-emulate-wide-int                                   arith memref
memref-expand                                             memref
expand-strided-metadata                                   memref affine
expand-realloc                                            memref
normalize-memrefs                                         memref affine
fold-memref-alias-ops                                     memref
convert-vector-to-scf                                     vector
convert-vector-to-llvm                                    vector
lower-vector-mask                                         vector
lower-vector-multi-reduction                              vector
convert-elementwise-to-linalg                             arith math
convert-linalg-to-loops                                   linalg
convert-linalg-to-affine-loops                            linalg
convert-linalg-to-parallel-loops                          linalg
set-llvm-module-datalayout                                llvm
llvm-target-to-data-layout                                llvm.target
llvm-target-to-target-features                            llvm.target
llvm-legalize-for-export                                  llvm
ensure-debug-info-scope-on-llvm-func                      llvm
llvm-request-c-wrappers                                   func
llvm-add-comdats                                          llvm
llvm-use-default-visibility{visibility=hidden}            llvm
llvm-optimize-for-nvvm-target                             llvm.fdiv
convert-gpu-to-nvvm                                       gpu
convert-gpu-to-nvvm{has-redux=1}                          gpu
convert-gpu-to-rocdl{chipset=gfx942}                      gpu
gpu-async-region                                          gpu
gpu-kernel-outlining                                      gpu.launch
gpu-launch-sink-index-computations                        gpu.launch
gpu-to-llvm                                               gpu
gpu-module-to-binary{format=isa}                          gpu.module
gpu-to-llvm{use-bare-pointers-for-kernels}                gpu
test-memref-to-llvm-with-transforms                       memref
test-gpu-rewrite                                          gpu
nvvm-attach-target{chip=sm_90}                            gpu
rocdl-attach-target{fast}                                 gpu
spirv-attach-target{caps=Kernel}                          gpu
xevm-attach-target{chip=pvc}                              gpu
convert-to-llvm                                           arith cf complex func index llvm math memref mpi ub vector
convert-to-llvm{dynamic=1}                                arith cf complex func index llvm math memref ub vector
canonicalize                               affine arith cf complex func index linalg llvm math memref scf ub vector
cse                                        affine arith cf complex func index linalg llvm math memref scf ub vector
symbol-dce                                                func
symbol-privatize                                          func
strip-debuginfo                                           func llvm
inline                                                    func
sccp                                                      arith cf scf
loop-invariant-code-motion                                affine linalg scf
mlprogram-pipeline-globals                                ml_program
reify-result-shapes                                       tensor.pad tensor.concat
resolve-ranked-shaped-type-result-dims                    tensor.dim memref.dim
resolve-shaped-type-result-dims                           tensor.dim memref.dim
convert-shape-to-std                                      shape
shape-to-shape-lowering                                   shape.num_elements
remove-shape-constraints                                  shape.cstr_broadcastable shape.cstr_eq
convert-shape-constraints                                 shape.cstr_broadcastable shape.cstr_eq shape.cstr_require
tosa-to-arith                                             tosa
tosa-to-arith{include-apply-rescale=1}                    tosa
tosa-to-scf                                               tosa.cond_if tosa.scatter tosa.while_loop
tosa-to-mlprogram                                         tosa.variable tosa.variable_read tosa.variable_write
tosa-to-linalg                                            tosa
tosa-to-linalg-named                                      tosa
tosa-infer-shapes                                         tosa
tosa-optional-decompositions                              tosa.depthwise_conv2d tosa.transpose_conv2d
tosa-layerwise-constant-fold                              tosa
tosa-make-broadcastable                                   tosa
tosa-attach-target                                        tosa
tosa-validate                                             tosa
tosa-to-linalg-pipeline                                   tosa
tosa-to-tensor                                            tosa.concat tosa.pad tosa.reshape tosa.slice
"""
"""A pass with its options, and the dialects whose pieces it is run on."""


def _uses(table: str) -> list[Use]:
    uses: list[Use] = []
    for line in filter(None, table.split("\n")):
        use, *over = line.split()
        name, _, options = use.rstrip("}").partition("{")
        uses.append(Use(name, frozenset(over), options))
    return uses


USES = _uses(_TABLE)


# ---- one file


Task = tuple[str, str, tuple[Use, ...], int]
"""A file by name and text, what is run on it, and on one piece of how many."""


def findings_of(task: Task) -> list[tuple[str, Finding]]:
    """What came of each use on each piece, by the use's label."""
    file, text, uses, every = task
    pieces = split(file, text)
    chosen = _chosen(pieces, every)
    findings: list[tuple[str, Finding]] = []
    for use in uses:
        concerned = _concerned(use, chosen)
        if not concerned:
            continue
        options = [ALLOW, use.flag]
        expected = answers(pieces, _forms(use))
        for number, over in concerned.items():
            piece, answer = pieces[number], expected[number]
            if answer.custom is not None:
                differs = compare_text(piece, options, answer.custom)
                findings.append((use.label, Finding(piece.name, CUSTOM, over, *differs)))
            elif answer.error:
                differs = compare_error(piece, options, answer)
                findings.append((use.label, Finding(piece.name, REJECTED, over, *differs)))
    return findings


def _chosen(pieces: list[Piece], every: int) -> list[tuple[int, set[str]]]:
    """The pieces of the sample that mlir-opt accepts, by number, with the names of their operations."""
    return [
        (piece.number, operations_in(answer.generic))
        for piece, answer in zip(pieces, answers(pieces), strict=True)
        if answer.generic is not None and has_code(piece.text) and is_chosen(piece.name, every)
    ]


def _concerned(use: Use, chosen: Iterable[tuple[int, set[str]]]) -> dict[int, frozenset[str]]:
    """The pieces that a use is run on, by number, and because of what."""
    return {number: over for number, names in chosen if (over := use.concerns(names))}


def _forms(use: Use) -> dict[str, list[str]]:
    """The options with which mlir-opt is asked about a use."""
    return {CUSTOM: [ALLOW, use.flag, "--mlir-disable-threading"]}


def _ask(tasks: Sequence[Task]) -> None:
    """Asks mlir-opt about the files that a use is run on, many at a time."""
    files = [(pieces, _chosen(pieces, every)) for file, text, _, every in tasks for pieces in [split(file, text)]]
    for use in tasks[0][2]:
        ask_together([pieces for pieces, chosen in files if _concerned(use, chosen)], _forms(use))


def _no_answer(tasks: Sequence[Task]) -> None:
    """Files that mlir-opt was not asked about together are asked about alone."""
    del tasks


def is_chosen(piece: str, every: int) -> bool:
    """Whether a piece belongs to the sample of one in so many, which is the same each time."""
    return zlib.crc32(piece.encode()) % every == 0


def _ended(task: Task) -> list[tuple[str, Finding]]:
    file, _, uses, _ = task
    return [(use.label, Finding(f"{file}#0", CUSTOM, use.over, "the process ended")) for use in uses]


# ---- the page


def row(label: str, findings: Sequence[Finding]) -> str:
    right, accepted = same(findings, CUSTOM)
    alike, refused = same(findings, REJECTED)
    cells = [str(accepted), share(right, accepted), str(refused), share(alike, refused)]
    return f"| {label} | {' | '.join(cells)} |"


def rows(use: Use, findings: Sequence[Finding]) -> list[str]:
    """The row of a pass, and one for each dialect if it is run on several."""
    lines = [row(f"`{use.label}`", findings)]
    if len(use.over) > 1:
        lines += [
            row(f"… with `{name}`", [finding for finding in findings if name in finding.dialects])
            for name in sorted(use.over)
        ]
    return lines


def table(uses: dict[Use, list[Finding]]) -> list[str]:
    lines = ["| pass | pieces | same text | refused | same first error |", "|---|---:|---:|---:|---:|"]
    return [*lines, *(line for use, findings in uses.items() for line in rows(use, findings)), ""]


def differences(uses: dict[Use, list[Finding]]) -> list[str]:
    """How pieces differ, for each pass under which one does."""
    lines: list[str] = []
    for use, findings in uses.items():
        for form, of_what in ((CUSTOM, "text"), (REJECTED, "first error")):
            if any(finding.kind and finding.form == form for finding in findings):
                lines += [f"### `{use.label}`: {of_what}", "", *kinds(findings, form, KINDS)]
    return lines


def report(uses: dict[Use, list[Finding]], every: int) -> str:
    """The text of `docs/passes-on-pieces.md`."""
    sample = f" Of these pieces one in {every} was taken." if every > 1 else ""
    lines = [
        "# Passes on the pieces of MLIR's tests",
        "",
        *paragraph(f"""
            Each pass alone on the files of MLIR {tool_version("mlir-opt")}'s own test suite, cut at `{SEPARATOR}`:
            on the pieces that `mlir-opt` accepts and that have an operation of the pass's dialects.
            `make suite-passes` writes this page.{sample}"""),
        *paragraph("""
            *Same text*: of how many of those pieces that pass through `mlir-opt` Fathom makes the same text, byte for
            byte. *Refused* are those that the pass fails on, and *same first error* says of how many Fathom's first
            error has the same line and text. Pieces on which `mlir-opt` crashes are left out."""),
        *table(uses),
        "## What differs",
        "",
        *paragraph("""
            One kind for each piece: the first error, or the operation of the first line that differs. In messages, `…`
            and `N` stand for what differs from piece to piece."""),
        *differences(uses),
    ]
    return "\n".join(lines).rstrip() + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description="each pass alone, against mlir-opt 22, on pieces of MLIR's own tests")
    parser.add_argument("passes", nargs="*", metavar="PASS", help="a pass of the table, with all its options there")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="a sample of one piece in N")
    parser.add_argument("--only", default="", metavar="TEXT", help="the files whose path contains this")
    parser.add_argument("--files", type=Path, metavar="FOLDER", help="its .mlir files instead of MLIR's own tests")
    parser.add_argument("--over", default="", metavar="NAMES", help="only pieces with these of the pass's dialects")
    parser.add_argument("--show", type=int, default=0, metavar="N", help="print the first N differences")
    parser.add_argument("--kind", default="", metavar="TEXT", help="show those whose kind contains this")
    parser.add_argument("--list", action="store_true", help="name each piece that differs")
    parser.add_argument("--workers", type=int, default=WORKERS, help="how many processes ask")
    options = parser.parse_args()
    if tool_version("mlir-opt") is None:
        sys.exit("make suite-passes needs mlir-opt 22 (Debian's mlir-22-tools)")
    try:
        home: Path = options.files or mlir_source() / "test"
    except NoSource as problem:
        sys.exit(f"make suite-passes needs MLIR's source: {problem}")
    uses = [use for use in USES if not options.passes or {use.name, use.label} & set(options.passes)]
    unknown = set(options.passes) - {name for use in uses for name in (use.name, use.label)}
    if unknown:
        sys.exit(f"not in the table of {Path(__file__).name}: {', '.join(sorted(unknown))}")
    over: frozenset[str] = frozenset(options.over.split(",") if options.over else ())
    if over:
        uses = [Use(use.name, use.over & over, use.options) for use in uses if use.over & over]

    names = sorted(str(path.relative_to(home)) for path in home.rglob("*.mlir"))
    tasks: list[Task] = [
        (name, (home / name).read_text(encoding="utf-8", errors="surrogateescape"), tuple(uses), options.every)
        for name in names
        if options.only in name
    ]
    for _ in run(_ask, [tasks[start : start + TOGETHER] for start in range(0, len(tasks), TOGETHER)], _no_answer):
        pass
    findings_by_use: dict[Use, list[Finding]] = {use: [] for use in uses}
    by_label = {use.label: findings for use, findings in findings_by_use.items()}
    for done, findings in enumerate(run(findings_of, tasks, _ended, options.workers), 1):
        for label, finding in findings:
            by_label[label].append(finding)
        if sys.stderr.isatty():
            print(f"\r{done}/{len(tasks)}", end="", file=sys.stderr)
    for findings in by_label.values():
        findings.sort(key=lambda finding: (_natural(finding.piece), finding.form))

    print("\n".join([*table(findings_by_use), *differences(findings_by_use)]))
    for label, findings in by_label.items():
        different = [finding for finding in findings if finding.kind and options.kind in finding.kind]
        for finding in different if options.list else []:
            print(f"{label}: {finding.piece}: {finding.kind}")
        for finding in different[: options.show]:
            print(f"==== {label}: {finding.piece}: {finding.kind}\n{finding.shown}")
    if not (options.passes or options.only or options.files or over):
        PAGE.write_text(report(findings_by_use, options.every), encoding="utf-8")
        print(f"wrote {PAGE.relative_to(ROOT)}")


def _natural(name: str) -> tuple[str, int]:
    """A piece's name in the order of the file."""
    match = re.fullmatch(r"(.*)#(\d+)", name)
    return (match[1], int(match[2])) if match else (name, 0)


if __name__ == "__main__":
    main()
