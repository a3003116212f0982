"""What is long, or stands for much, through the real command: in little memory, and before anybody would give it up."""

from __future__ import annotations

import resource
import subprocess
import sys
from pathlib import Path

import pytest

from tests.hunts.growing import CHAINS, function

MEMORY = 1 << 30
"""Bytes of address space that the command has."""
PATIENCE = 120
"""Seconds of the processor's time after which a command hangs."""


def limit() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (PATIENCE, PATIENCE))


def check_command(folder: Path, text: str, *flags: str, refused: str = "") -> None:
    """`fathom opt` ends well on a text, or with an error that says why it does not lower it."""
    (folder / "text.mlir").write_text(text, encoding="utf-8")
    command = [sys.executable, "-m", "fathom.cli", "opt", "--allow-unregistered-dialect", *flags, "text.mlir"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, preexec_fn=limit, check=False)
    assert done.returncode == bool(refused), done.stderr[:1000]
    assert refused in done.stderr, done.stderr[:1000]


@pytest.mark.parametrize(
    ("construct", "size"),
    [
        ("regions", 3000),
        ("scf.index_switch", 2000),
        ("cf.switch", 3000),
        ("llvm.switch", 3000),
        ("delinearize_index", 1000),
        ("scf.parallel", 600),
        ("assertions", 300),
        ("trunc of ext", 1000),
        ("scf.for used", 300),
        ("attribute aliases used", 2000),
        ("mulsi constants", 1000),
        ("ipowi constants i4096", 300),
        ("affine.apply doubled", 60),
        ("rank: transpose", 500),
    ],
)
def test_long_texts(tmp_path: Path, construct: str, size: int) -> None:
    check_command(tmp_path, CHAINS[construct](size), "--canonicalize", "--lower-to-llvm")


TOO_DEEP = "levels deep; the limit is 96"


@pytest.mark.parametrize(
    ("construct", "place"),
    [
        ("rank: generic", "text.mlir:3:3: error: 'linalg.generic' op is not lowered: what it becomes nests 302 "),
        ("rank: linalg.fill", "text.mlir:3:3: error: 'linalg.fill' op is not lowered: what it becomes nests 302 "),
        ("rank: vector print", "text.mlir:3:3: error: 'vector.print' op is not lowered: what it becomes nests 302 "),
        (
            "rank: transfer_write",
            "text.mlir:3:3: error: 'vector.transfer_write' op is not lowered: what it becomes nests 302 ",
        ),
        ("rank: global", "text.mlir:1:1: error: 'memref.global' op is not lowered: what it becomes nests 300 "),
    ],
)
def test_many_dimensions(tmp_path: Path, construct: str, place: str) -> None:
    check_command(tmp_path, CHAINS[construct](300), "--lower-to-llvm", refused=place + TOO_DEEP)


def test_loops_in_a_nest(tmp_path: Path) -> None:
    """What is around an operation counts."""
    kind = f"memref<{'1x' * 60}f32>"
    inside = f"linalg.fill ins(%v : f32) outs(%m : {kind})\n"
    text = function(f"%c: i1, %v: f32, %m: {kind}", "scf.if %c {\n" * 60 + inside + "}\n" * 60)
    check_command(tmp_path, text, "--convert-linalg-to-loops", refused=TOO_DEEP)
