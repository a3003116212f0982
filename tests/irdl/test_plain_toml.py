"""Tables that are read without `tomllib` say the same; of what is not plain nothing is said."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from fathom.dialects import DESCRIBED
from fathom.irdl.plain_toml import plain_table

PLAIN = [
    "",
    "\n# nothing\n",
    'a = "text" # a comment\nb = \'a "quoted" one\'',
    r'a = "a \"quoted\" \\one"',
    "a = true\nb-c = -12\n'd e' = 0",
    'a = [\n  "x", # one\n  "y",\n]\nb = []',
    "a = { none = 0, fast = 127 }\nb = {}",
    'a = [["x"], [1, false]]',
    """a = [ "x" ,\n\t'"y"', ""]""",
]
OTHERS = [
    'a = "an escape\\n"',
    '"a\\"b" = 1',
    'a = """several\nlines"""',
    "a = 1.5",
    "a = 0x10",
    "a = 1_000",
    "a.b = 1",
    "a = 1979-05-27",
    "[a]\nb = 1",
    "a = 1\r\nb = 2",
]
MISTAKES = [
    "a = ",
    "a = 1 b = 2",
    "a = [] b = 2",
    'a = ""\na = []',
    "a = 1\na = 2",
    "a = [1 2]",
    'a = ["x" "y"]',
    'a = ["x",, "y"]',
    'a = [""" "]',
    "a = { b = 1, }",
    "a = {\nb = 1 }",
    'a = "open',
    'a = "\x01"',
    "a = yes",
    "= 1",
    f"a = {'[' * 5000}",
]


@pytest.mark.parametrize("text", PLAIN)
def test_what_is_plain_is_what_tomllib_reads(text: str) -> None:
    assert plain_table(text) == tomllib.loads(text)


@pytest.mark.parametrize("text", [*OTHERS, *MISTAKES])
def test_of_anything_else_nothing_is_said(text: str) -> None:
    assert plain_table(text) is None


@pytest.mark.parametrize("path", sorted(Path(DESCRIBED).glob("*.toml")), ids=lambda path: path.stem)
def test_tables_of_the_library(path: Path) -> None:
    for part in path.read_text(encoding="utf-8").split("\n["):
        text = part.partition("]\n")[2]
        table = plain_table(text)
        assert table is None or table == tomllib.loads(text)
