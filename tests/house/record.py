"""Records the terminal sessions that the README shows: `python -m tests.house.record` writes `docs/images/*.svg`.

Each session is run for real; what it prints in colour becomes a picture of a terminal.
"""

from __future__ import annotations

import io
import os
import subprocess
import sys
from pathlib import Path

from rich.console import Console
from rich.text import Text

ROOT = Path(__file__).resolve().parents[2]
IMAGES = ROOT / "docs" / "images"
WIDTH = 110
"""Columns of the terminal."""

SESSIONS = {
    "demo": ["fathom demo"],
    "opt": ["fathom opt --convert-scf-to-cf examples/sieve.mlir | head -n 40"],
    "run": [
        "fathom run examples/gcd.mlir",
        "fathom run examples/gcd.mlir --entry gcd --args 1071, 462",
        "fathom run examples/divmod.mlir --entry divmod --args 84, 7",
    ],
}
"""The pictures, by name, and the commands that they show."""

# A picture must not fetch fonts; `monospace` is everywhere.
FORMAT = """\
<svg class="rich-terminal" viewBox="0 0 {width} {height}" xmlns="http://www.w3.org/2000/svg">
<style>
.{unique_id}-matrix {{ font-family: ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace;
  font-size: {char_height}px; line-height: {line_height}px; font-variant-east-asian: full-width; }}
.{unique_id}-title {{ font-size: 18px; font-weight: bold; font-family: sans-serif; }}
{styles}
</style>
<defs><clipPath id="{unique_id}-clip-terminal">
<rect x="0" y="0" width="{terminal_width}" height="{terminal_height}" /></clipPath>
{lines}
</defs>
{chrome}
<g transform="translate({terminal_x}, {terminal_y})" clip-path="url(#{unique_id}-clip-terminal)">
{backgrounds}
<g class="{unique_id}-matrix">
{matrix}
</g></g>
</svg>
"""


def record(name: str, commands: list[str]) -> None:
    """Run one session and draw it."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    environment = {**os.environ, "PATH": path, "FORCE_COLOR": "1", "COLUMNS": str(WIDTH)}
    console = Console(record=True, width=WIDTH, file=io.StringIO(), force_terminal=True)
    for command in commands:
        done = subprocess.run(
            ["bash", "-c", command], cwd=ROOT, env=environment, capture_output=True, encoding="utf-8", check=True
        )
        console.print(Text.assemble(("$ ", "bold green"), (command, "bold")))
        console.print(Text.from_ansi(done.stdout))
    IMAGES.mkdir(parents=True, exist_ok=True)
    picture = console.export_svg(title=commands[0], code_format=FORMAT, unique_id=name)
    (IMAGES / f"{name}.svg").write_text(picture, encoding="utf-8")
    print(f"wrote docs/images/{name}.svg")


def main(chosen: list[str]) -> None:
    for name in chosen or SESSIONS:
        record(name, SESSIONS[name])


if __name__ == "__main__":
    main(sys.argv[1:])
