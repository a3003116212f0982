"""`convert-to-llvm` on `mpi`: what is said where a module does not name an implementation that is known.

The texts that it makes are held against mlir-opt in `test_fixtures.py`.
"""

from __future__ import annotations

import pytest

from tests.passes.running import lower

WORLD = "func.func @f() {\n  %0 = mpi.comm_world : !mpi.comm\n  %1 = mpi.comm_world : !mpi.comm\n  return\n}\n"
NOT_FOUND = "target op of failed DLTI query"


@pytest.mark.parametrize(
    ("attributes", "severity", "message", "notes"),
    [
        ("", "error", NOT_FOUND, ["no DLTI-queryable attrs on target op or any of its ancestors"]),
        (
            'dlti.map = #dlti.map<"MPI:X" = 5>',
            "error",
            NOT_FOUND,
            ['key "MPI:Implementation" has no DLTI-mapping per attr: #dlti.map<"MPI:X" = 5 : i64>'],
        ),
        # Only the first attribute that has entries is asked.
        (
            'dlti.dl_spec = #dlti.dl_spec<index = 32>, dlti.map = #dlti.map<"MPI:Implementation" = "MPICH">',
            "error",
            NOT_FOUND,
            ['key "MPI:Implementation" has no DLTI-mapping per attr: #dlti.dl_spec<index = 32 : i64>'],
        ),
        (
            'dlti.map = #dlti.map<"MPI:Implementation" = "Other">',
            "warning",
            'Unknown "MPI:Implementation" value in DLTI (Other), defaulting to MPICH',
            [],
        ),
        (
            'dlti.map = #dlti.map<"MPI:Implementation" = 5>',
            "warning",
            'Unknown "MPI:Implementation" value in DLTI (<NULL>), defaulting to MPICH',
            [],
        ),
    ],
)
def test_mpich_it_is_where_nothing_else_is_known(
    attributes: str, severity: str, message: str, notes: list[str]
) -> None:
    module, (said,) = lower("convert-to-llvm", f"module attributes {{{attributes}}} {{\n{WORLD}}}\n")
    assert (said.message, said.severity, [note.message for note in said.notes]) == (message, severity, notes)
    assert severity == "warning" or not said.fatal
    assert said.op is module
    assert [op.name for op in module.walk() if "mpi." in op.name] == []


def test_elements_without_a_datatype_are_left() -> None:
    module, _ = lower(
        "convert-to-llvm",
        'module attributes {dlti.map = #dlti.map<"MPI:Implementation" = "MPICH">} {\n'
        "func.func @f(%m: memref<4xbf16>, %i: i32, %c: !mpi.comm) {\n"
        "  mpi.send(%m, %i, %i, %c) : memref<4xbf16>, i32, i32\n  return\n}\n}\n",
    )
    assert [op.name for op in module.walk() if op.dialect == "mpi"] == ["mpi.send"]
