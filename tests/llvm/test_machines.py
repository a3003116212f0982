"""What LLVM's targets have is what mlir-opt says of them: a sample of what `python -m tests.llvm.machines` compares."""

from __future__ import annotations

import io

import pytest

from fathom.cli import main
from fathom.llvm.features import enabled_features
from fathom.llvm.targets import UnknownTarget, machine
from tests.llvm.machines import FLAGS, MORE, TRIPLES, Case, features, ours, processors, theirs

EVERY = 23
"""One machine of so many is compared."""
SAMPLE = [
    case
    for triple in TRIPLES
    if not triple.startswith("nvptx")
    for case in [*processors(triple), *features(triple)][::EVERY]
]
TARGET = 'module attributes {{{layout}llvm.target = #llvm.target<triple = "{triple}", chip = "{chip}">}} {{}}\n'


@pytest.mark.parametrize("flag", FLAGS)
def test_a_sample_of_machines(flag: str) -> None:
    chosen = [*SAMPLE, *(Case(triple, "", ()) for triple in MORE), Case("nvptx64-nvidia-cuda", "sm_90a", ("+ptx80",))]
    assert ours(chosen, flag) == theirs(chosen, flag)


def test_a_feature_brings_and_takes_others() -> None:
    with_avx = enabled_features("x86-64", "x86_64", "", "+avx") or []
    assert {"avx", "sse4.2", "sse", "64bit-mode"} <= set(with_avx)
    assert with_avx == sorted(with_avx)
    without_sse = set(enabled_features("x86-64", "x86_64", "skylake", "-sse") or ())
    assert not without_sse & {"sse", "sse2", "avx", "avx2", "fma"}
    assert "mmx" in without_sse


def test_what_is_asked_for_last_counts() -> None:
    assert "avx" in set(enabled_features("x86-64", "x86_64", "", "-avx,+avx") or ())
    assert "avx" not in set(enabled_features("x86-64", "x86_64", "", "+avx2,-avx") or ())


def test_of_a_target_without_a_table_nothing_is_known() -> None:
    assert enabled_features("hexagon", "hexagon", "", "") is None


def test_llvm_says_why_there_is_no_machine() -> None:
    with pytest.raises(UnknownTarget, match="x64_86"):
        machine("x64_86-unknown-linux")


def check_refused(text: str, flag: str, message: str) -> None:
    """The command line ends with 1, with one error at the module."""
    stderr = io.StringIO()
    assert main(["opt", "-", flag], io.StringIO(text), io.StringIO(), stderr) == 1
    assert stderr.getvalue().splitlines()[0] == f"<stdin>:1:1: error: {message}"


def test_a_layout_that_contradicts_the_target() -> None:
    layout = 'dlti.dl_spec = #dlti.dl_spec<"dlti.endianness" = "big">, '
    text = TARGET.format(layout=layout, triple="x86_64", chip="")
    attribute = '#llvm.target<triple = "x86_64", chip = "">'
    check_refused(text, FLAGS[1], f"the data layout contradicts that of {attribute}")


def test_a_target_whose_features_are_not_known() -> None:
    text = TARGET.format(layout="", triple="hexagon", chip="")
    check_refused(text, FLAGS[0], "the features of the target 'hexagon' are not known here")


@pytest.mark.parametrize("flag", FLAGS)
def test_nothing_is_known_without_targets(flag: str) -> None:
    text = TARGET.format(layout="", triple="x86_64", chip="")
    stderr = io.StringIO()
    assert main(["opt", "-", f"{flag}=initialize-llvm-targets=false"], io.StringIO(text), io.StringIO(), stderr) == 1
    assert "error: failed to obtain llvm::" in stderr.getvalue()
