"""Each dialect's operations are read in both forms, and print as mlir-opt 22 prints them."""

from __future__ import annotations

from pathlib import Path

import pytest

from fathom.elaborate import load
from fathom.ir.printer import print_module
from fathom.ir.printing_flags import PrintingFlags
from tests.dialects.goldens import expected_path, fixtures


def check_round_trip(text: str, custom: str, generic: str) -> None:
    """`text` loads without errors, and prints as `custom` and `generic`."""
    loaded = load(text)
    assert not loaded.has_errors, loaded.diagnostics
    assert print_module(loaded.module) == custom
    assert print_module(loaded.module, PrintingFlags(generic=True)) == generic


@pytest.mark.parametrize("path", fixtures(), ids=lambda path: path.stem)
def test_round_trip(path: Path) -> None:
    custom = expected_path(path, "custom").read_text(encoding="utf-8")
    generic = expected_path(path, "generic").read_text(encoding="utf-8")
    check_round_trip(path.read_text(encoding="utf-8"), custom, generic)
    check_round_trip(custom, custom, generic)


@pytest.mark.parametrize("path", fixtures(), ids=lambda path: path.stem)
def test_generic_form_is_read(path: Path) -> None:
    generic = expected_path(path, "generic").read_text(encoding="utf-8")
    custom = expected_path(path, "custom").read_text(encoding="utf-8")
    loaded = load(generic)
    assert not loaded.has_errors, loaded.diagnostics
    assert print_module(loaded.module) == custom
