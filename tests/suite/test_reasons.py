"""What lit printed of a test that failed becomes one reason."""

from __future__ import annotations

import pytest

from tests.suite.execute import Result
from tests.suite.reasons import Reason, reason


def ran(*commands: tuple[str, str, int]) -> str:
    """What lit prints of commands, each with what it wrote to its standard error and its exit status."""
    lines: list[str] = []
    for command, stderr, status in commands:
        lines.append(f"# executed command: {command}")
        if stderr:
            lines += ["# .---command stderr------------", *(f"# | {line}" for line in stderr.split("\n"))]
            lines.append("# `-----------------------------")
        if status:
            lines.append(f"# error: command failed with exit status: {status}")
    return "\n".join(lines) + "\n"


EMPTY = ("FileCheck a.mlir", "FileCheck error: '<stdin>' is empty.", 2)


@pytest.mark.parametrize(
    ("commands", "kind", "detail"),
    [
        ([("mlir-opt a.mlir -none", "fathom opt: Unknown command line argument '-none=1'.  Try: …", 1), EMPTY],
         "unknown option", "--none"),
        ([("mlir-opt", "<unknown>:0:0: error: 'fly' does not refer to a registered pass or pass pipeline", 1), EMPTY],
         "unknown pass", "fly"),
        ([("mlir-opt a.mlir", "a.mlir:1:2: error: Dialect `x' not found for custom op 'x.y' ", 1), EMPTY],
         "unknown dialect", "x"),
        ([("mlir-opt a.mlir", 'a.mlir:1:2: error: operation being parsed with an unregistered dialect.\n"x.y"()', 1)],
         "unknown dialect", "x"),
        ([("mlir-opt a.mlir", "a.mlir:1:2: error: custom op 'x.y' is unknown", 1)], "unknown operation", "x.y"),
        ([("mlir-opt a.mlir", 'Traceback (most recent call last):\n  File "a"\nKeyError: 3', -6)],
         "crash", "KeyError: N"),
        ([("mlir-opt a.mlir", "", -6)], "crash", ""),
        ([("mlir-opt a.mlir", "fathom: given up after 30 seconds", -6)], "no answer in time", ""),
        ([("mlir-opt a.mlir", "a.mlir:1:2: error: unexpected error: 'x.y' op has 3 results", 1)],
         "unexpected diagnostic", "`x.y` op has N results"),
        ([("mlir-opt a.mlir", 'a.mlir:1:2: error: expected error "no" was not produced', 1)],
         "missing diagnostic", "no"),
        ([("mlir-opt a.mlir", "", 0), ("FileCheck a", "a:3:4: error: CHECK: expected string not found in input", 1)],
         "output differs", ""),
        ([("not mlir-opt a.mlir", "", 1)], "accepted, and should not be", ""),
        ([("mlir-tblgen a.td", "'mlir-tblgen': command not found", 127)], "another tool", "mlir-tblgen"),
    ],
)  # fmt: skip
def test_a_failure_has_a_reason(commands: list[tuple[str, str, int]], kind: str, detail: str) -> None:
    assert reason(Result("a.mlir", False, ran(*commands), 0.1)) == Reason(kind, detail)
