"""Each layer in `examples/tensors` gives, when it runs, what NumPy computes, which stands in the file."""

from __future__ import annotations

import io
import json
import math
import re
from pathlib import Path

import pytest

from fathom.cli import main

ROOT = Path(__file__).resolve().parents[2]

EXAMPLES = sorted((ROOT / "examples" / "tensors").glob("*.mlir"))
HEADER = re.compile(r"^// ARGS: ((?:.*\n//  )*.*)\n// RESULTS: ((?:.*\n//  )*.*)$", re.MULTILINE)


def numbers_of(text: str, part: int) -> str:
    """A part of the header of an example, in one line."""
    match = HEADER.search(text)
    assert match is not None
    return match[part].replace("\n//  ", "")


def is_near(actual: object, expected: object) -> bool:
    """Whether two nested lists hold the same numbers, as near as float32 is."""
    if isinstance(expected, list):
        return isinstance(actual, list) and len(actual) == len(expected) and all(map(is_near, actual, expected))
    assert isinstance(actual, (int, float)) and isinstance(expected, (int, float))
    return math.isclose(actual, expected, rel_tol=1e-4, abs_tol=1e-5)


def test_there_are_twenty() -> None:
    assert len(EXAMPLES) >= 20


@pytest.mark.parametrize("example", EXAMPLES, ids=[path.stem for path in EXAMPLES])
def test_it_gives_what_numpy_does(example: Path) -> None:
    """The function has the name of the file."""
    text = example.read_text(encoding="utf-8")
    stdout, stderr = io.StringIO(), io.StringIO()
    arguments = ["--entry", example.stem, "--args", numbers_of(text, 1)]
    status = main(["run", str(example), "--json", "--check", *arguments], io.StringIO(), stdout, stderr)
    assert status == 0, stderr.getvalue()
    outcome = json.loads(stdout.getvalue())
    arrays = [result["data"] for result in outcome["results"]]
    assert is_near(arrays, json.loads(f"[{numbers_of(text, 2)}]")), arrays
    assert outcome["notes"] == []
