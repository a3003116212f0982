"""`fathom bisect`: what it prints, and with which status it ends."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.bisecting.mutants import wrong_pattern
from tests.bisecting.programs import SCALARS
from tests.cli.running import fathom

ASKED = ["-e", "scalars", "--args", "37,", "5", "--arith-expand", "--convert-arith-to-llvm"]


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "scalars.mlir"
    path.write_text(SCALARS)
    return str(path)


def test_nothing_is_wrong(file: str) -> None:
    assert fathom("bisect", *ASKED, file) == (
        0,
        "",
        "source                 80\narith-expand           the same\nconvert-arith-to-llvm  the same\n",
    )


def test_a_pass_is_named_with_its_pattern_and_a_small_text(file: str) -> None:
    with wrong_pattern("MaxMinIOpConverter", "arith.cmpi", swapped=True):
        status, out, err = fathom("bisect", *ASKED, file)
    assert status == 1
    assert out.count("\n") == 5
    lines = err.splitlines()
    assert lines[:2] == ["source        80", "arith-expand  242"]
    assert "error: the pass arith-expand changes what @scalars does" in err
    assert "it is step 1 of 2: the pattern MaxMinIOpConverter on 'arith.maxsi'" in err
    assert "before it: 80; after it: 242" in err


def test_json(file: str) -> None:
    with wrong_pattern("MaxMinIOpConverter", "arith.cmpi", swapped=True):
        status, out, _ = fathom("bisect", "--json", "--reduce=false", *ASKED, file)
    told = json.loads(out)
    assert status == 1
    assert told["source"] == {"does": "80", "way": "interpreted", "known": True}
    assert told["guilty"]["pass"] == "arith-expand"
    assert (told["step"]["pattern"], told["step"]["line"], told["step"]["column"]) == ("MaxMinIOpConverter", 20, 10)
    assert told["reduced"] is None


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-e", "nothing"], "no function '@nothing' with a body"),
        (["-e", "scalars", "--args", "1"], "scalars cannot be called"),
        (["-e", "scalars", "--args", "1,", "2", "--tolerance", "much"], "'much' is no tolerance"),
        (["-e", "scalars", "--args", "1,", "[", "--cse"], "expected values separated by commas"),
    ],
)
def test_mistakes(file: str, arguments: list[str], message: str) -> None:
    status, out, err = fathom("bisect", *arguments, file)
    assert (status, out) == (2, "")
    assert message in err
