"""Pins what `pyproject.toml` allows, with hashes: `requirements.lock` (the product and its tests) and
`requirements-check.lock` (linters, installed on top of the first).

`make lock` calls this with the path of pip-compile. No address of an index goes into the files.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
OPTIONS = (
    "--quiet --generate-hashes --strip-extras --allow-unsafe --no-header --no-annotate "
    "--no-emit-index-url --no-emit-find-links --no-emit-trusted-host --no-emit-options"
).split()


def pin(pip_compile: str, requirements: list[str], lock: Path, constraints: Path | None = None) -> None:
    """Write to `lock` the newest versions that satisfy `requirements`, and that agree with those of `constraints`."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "requirements.in"
        constraint = [f"-c {constraints}"] if constraints else []
        source.write_text("\n".join([*constraint, *requirements]) + "\n")
        subprocess.run([pip_compile, *OPTIONS, "--output-file", str(lock), str(source)], check=True)


def main(pip_compile: str) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    groups = project["dependency-groups"]
    lock = ROOT / "requirements.lock"
    pin(pip_compile, project["project"]["dependencies"] + groups["test"], lock)
    pin(pip_compile, groups["check"], ROOT / "requirements-check.lock", lock)


if __name__ == "__main__":
    main(sys.argv[1])
