"""Each pass, alone and in pipelines, prints what mlir-opt 22 prints, to the byte."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from fathom.context import default_context
from fathom.elaborate import load
from fathom.elaborate.locator import locator
from fathom.ir.printer import print_module
from fathom.ir.printing_flags import PrintingFlags
from fathom.passes import names, pipeline_names
from fathom.pipeline.language import parse_pipeline
from fathom.pipeline.lowering import run
from tests.passes.goldens import expected_path, fixtures, run_flags

PIPELINE: Final = "--pass-pipeline="


def lowered(text: str, flags: list[str]) -> str:
    """`text`, as it comes on standard input, after the passes among the flags, in their order; those that only concern
    printing are obeyed too."""
    loaded = load(text)
    assert not loaded.has_errors, loaded.diagnostics
    spelled = next((flag for flag in flags if flag.startswith(PIPELINE)), None)
    known = {*names(), *pipeline_names()}
    named = [flag for flag in flags if flag.removeprefix("--").partition("=")[0] in known]
    pipeline = parse_pipeline(spelled.removeprefix(PIPELINE) if spelled is not None else named)
    result = run(pipeline, loaded.module, default_context(), locate=locator(text, "<stdin>"))
    assert not result.failed, result.diagnostics
    return print_module(loaded.module, PrintingFlags(generic="--mlir-print-op-generic" in flags))


def check_fixture(path: Path) -> None:
    expected = expected_path(path).read_text(encoding="utf-8")
    # mlir-opt ends the module with an empty line of its own.
    assert lowered(path.read_text(encoding="utf-8"), run_flags(path)).strip() == expected.strip()


@pytest.mark.parametrize("path", fixtures(), ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_fixture(path: Path) -> None:
    check_fixture(path)
