"""Passes in RUN lines by their names of today."""

from __future__ import annotations

import pytest

from fathom.context import default_context
from fathom.editions.passes import former_passes
from fathom.formatting.change import Change, changed
from fathom.modernising.commands import in_comments
from fathom.passes.former import find_former
from fathom.pipeline.language import parse_pipeline


def check_comment(text: str, expected: str, *said: str) -> None:
    found = list(in_comments(text))
    assert changed(text, [one for one in found if isinstance(one, Change)]) == expected
    assert [one.message for one in found if not isinstance(one, Change)] == list(said)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("// RUN: mlir-opt %s -convert-scf-to-std", "// RUN: mlir-opt %s --convert-scf-to-cf"),
        ("// RUN: mlir-opt %s --std-expand | x", "// RUN: mlir-opt %s --arith-expand --memref-expand | x"),
        ("// RUN: mlir-opt -finalizing-bufferize %s", "// RUN: mlir-opt %s"),
        (
            "// RUN: mlir-opt -convert-memref-to-llvm=index-bitwidth=32 %s",
            "// RUN: mlir-opt --finalize-memref-to-llvm=index-bitwidth=32 %s",
        ),
        (
            "// RUN: mlir-opt -convert-std-to-llvm='use-bare-ptr-memref-call-conv=1 emit-c-wrappers' %s",
            "// RUN: mlir-opt --llvm-request-c-wrappers --convert-math-to-llvm --convert-arith-to-llvm "
            "--convert-cf-to-llvm --finalize-memref-to-llvm --convert-func-to-llvm=use-bare-ptr-memref-call-conv=1 "
            "--reconcile-unrealized-casts %s",
        ),
        (
            "// RUN: mlir-opt -pass-pipeline='func(std-expand)' %s",
            "// RUN: mlir-opt -pass-pipeline='builtin.module(func.func(arith-expand,memref-expand))' %s",
        ),
        (
            '// RUN: mlir-opt -pass-pipeline="builtin.module(func.func(cse,finalizing-bufferize))"',
            '// RUN: mlir-opt -pass-pipeline="builtin.module(func.func(cse))"',
        ),
        ("// RUN: mlir-opt %s | mlir-cpu-runner -e main", "// RUN: mlir-opt %s | mlir-runner -e main"),
        ("// RUN: mlir-opt %s -convert-scf-to-cf", "// RUN: mlir-opt %s -convert-scf-to-cf"),
        ("// mlir-opt %s -convert-scf-to-std", "// mlir-opt %s -convert-scf-to-std"),
        ("// MLIR: 15", "// MLIR: 22"),
        ("// MLIR: 22", "// MLIR: 22"),
    ],
)
def test_a_comment(line: str, expected: str) -> None:
    check_comment(f"{line}\n", f"{expected}\n")


def test_a_pass_of_which_nothing_took_the_place() -> None:
    line = "// RUN: mlir-opt %s -linalg-tile -cse\n"
    check_comment(line, line, former_passes()["linalg-tile"].said)


def test_a_line_that_goes_on() -> None:
    check_comment(
        "// RUN: mlir-opt %s -convert-scf-to-std \\\n// RUN:   -std-expand\n",
        "// RUN: mlir-opt %s --convert-scf-to-cf \\\n// RUN:   --arith-expand --memref-expand\n",
    )


@pytest.mark.parametrize("name", sorted(former_passes()))
def test_what_stands_in_the_place_of_a_pass_is_there(name: str) -> None:
    """Those of the road to LLVM are in the library; what the table names is at least a pass of MLIR."""
    from fathom.passes.foreign import find_any

    former = find_former(name)
    assert former is not None
    for pass_ in former.passes:
        called = pass_.partition("{")[0].removeprefix("func.func(").removesuffix(")")
        assert default_context().find_pass(called) or find_any(called) or called == "buffer-deallocation-pipeline", (
            called
        )
    for option, takers in former.former.options.items():
        for taker in takers.split(","):
            pass_ = default_context().find_pass(taker)
            assert pass_ is not None
            assert option in [known.name for known in pass_.options()]


def test_options_go_to_the_passes_that_have_them() -> None:
    def find(name: str) -> object:
        return find_former(name) or default_context().find_pass(name)

    pipeline = parse_pipeline(["--convert-std-to-llvm=index-bitwidth=32 emit-c-wrappers"], find)  # type: ignore[arg-type]
    assert not pipeline.errors
    assert [str(pass_) for pass_ in pipeline.passes] == [
        "llvm-request-c-wrappers",
        "convert-math-to-llvm",
        "convert-arith-to-llvm{index-bitwidth=32}",
        "convert-cf-to-llvm{index-bitwidth=32}",
        "finalize-memref-to-llvm{index-bitwidth=32}",
        "convert-func-to-llvm{index-bitwidth=32}",
        "reconcile-unrealized-casts",
    ]


def test_a_pass_that_is_gone_says_so() -> None:
    pipeline = parse_pipeline(["--linalg-tile"], find_former)
    assert former_passes()["linalg-tile"].said in pipeline.errors[0]
