"""Draws a session in Neovim as an SVG, for the documentation: Neovim tells its cells, and they are written as text.

    pip install msgpack
    python -m tests.clients.neovim_picture docs/images/neovim.svg

It needs Neovim, and the server of this checkout. Source of the events: `:help ui-linegrid` of Neovim.
"""

from __future__ import annotations

import os
import select
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import Any

from tests.clients.neovim import REPOSITORY, plugin

COLUMNS, LINES = 150, 40
CELL_WIDTH, CELL_HEIGHT, MARGIN = 8.4, 18, 12
FRONT, BACK = 0xD4D4D4, 0x1F1F1F

COLOURS = """
vim.o.columns, vim.o.lines = 150, 40
vim.o.termguicolors = true
vim.cmd('set laststatus=2 noshowmode noruler noshowcmd shortmess+=F')
for group, colour in pairs {
  Comment = '#6a9955', Statement = '#569cd6', Type = '#4ec9b0', Identifier = '#9cdcfe',
  Number = '#b5cea8', Constant = '#4fc1ff', Function = '#dcdcaa', Keyword = '#c586c0', Label = '#c8c8c8',
  PreProc = '#c586c0', WarningMsg = '#cca700', DiagnosticError = '#f14c4c', LineNr = '#858585', Special = '#d4d4d4',
} do vim.api.nvim_set_hl(0, group, { fg = colour }) end
vim.api.nvim_set_hl(0, 'Normal', { fg = '#d4d4d4', bg = '#1f1f1f' })
vim.api.nvim_set_hl(0, 'FathomLinked', { bg = '#264f78' })
vim.api.nvim_set_hl(0, 'StatusLine', { fg = '#ffffff', bg = '#3a3d41' })
vim.api.nvim_set_hl(0, 'StatusLineNC', { fg = '#cccccc', bg = '#2d2d2d' })
vim.api.nvim_set_hl(0, 'VertSplit', { fg = '#444444' })
vim.api.nvim_set_hl(0, 'EndOfBuffer', { fg = '#1f1f1f' })
vim.api.nvim_set_hl(0, 'CursorLine', { bg = '#2f3136' })
vim.api.nvim_set_hl(0, 'CursorLineNr', { fg = '#c6c6c6' })
vim.api.nvim_set_hl(0, 'Search', {})
vim.o.number = true
vim.o.cursorline = true
vim.o.scrolloff = 8
vim.o.wrap = false
"""

SESSION = (
    (":edit examples/saxpy.mlir<CR>", 3.0),
    ("/arith.mulf<CR>", 0.5),
    (":FathomPreview llvm-ir<CR>", 4.0),
    (':FathomRun 2.0 [1, 2, 3] {"shape": [3], "fill": 10}<CR>', 4.0),
    ("k", 0.5),
    ("j", 0.5),
    (":echo ''<CR>", 1.0),
)
"""What is typed, and how many seconds it is given."""


@dataclass
class Screen:
    """The cells that Neovim says it shows: of each one, its text and the number of its highlight."""

    cells: list[list[tuple[str, int]]] = field(default_factory=list[list[tuple[str, int]]])
    highlights: dict[int, dict[str, Any]] = field(default_factory=dict[int, dict[str, Any]])

    def redraw(self, events: list[list[Any]]) -> None:
        for name, *calls in events:
            for call in calls:
                getattr(self, f"on_{name}", lambda *_: None)(*call)

    def on_grid_resize(self, _grid: int, width: int, height: int) -> None:
        self.cells = [[(" ", 0)] * width for _ in range(height)]

    def on_grid_clear(self, _grid: int) -> None:
        self.cells = [[(" ", 0)] * len(row) for row in self.cells]

    def on_hl_attr_define(self, number: int, attributes: dict[str, Any], *_: Any) -> None:
        self.highlights[number] = attributes

    def on_grid_line(self, _grid: int, row: int, column: int, cells: list[list[Any]], *_: Any) -> None:
        highlight = 0
        for text, *rest in cells:
            highlight = rest[0] if rest else highlight
            for _time in range(rest[1] if len(rest) > 1 else 1):
                self.cells[row][column] = (text, highlight)
                column += 1

    def on_grid_scroll(
        self, _grid: int, top: int, bottom: int, left: int, right: int, rows: int, _columns: int
    ) -> None:
        numbers = range(top, bottom - rows) if rows > 0 else range(bottom - 1, top - rows - 1, -1)
        for number in numbers:
            self.cells[number][left:right] = self.cells[number + rows][left:right]

    def style(self, number: int) -> tuple[int, int, bool]:
        """The colours of the letters and of what is behind them, and whether they are bold."""
        attributes = self.highlights.get(number, {})
        front, back = attributes.get("foreground", FRONT), attributes.get("background", BACK)
        if attributes.get("reverse"):
            front, back = back, front
        return front, back, bool(attributes.get("bold"))


def play(directory: Path) -> Screen:
    """The screen after the session."""
    import msgpack  # type: ignore[import-not-found]

    init = directory / "init.lua"
    init.write_text(plugin() + COLOURS)
    roots = os.pathsep.join(str(REPOSITORY / root) for root in ("lowering", "server"))
    process = subprocess.Popen(
        ["nvim", "--embed", "--clean", "-u", str(init)],
        cwd=REPOSITORY,
        env={**os.environ, "PYTHONPATH": roots},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert process.stdout is not None
    screen, unpacker, output = Screen(), msgpack.Unpacker(strict_map_key=False), process.stdout.fileno()

    def request(method: str, *arguments: Any) -> None:
        assert process.stdin is not None
        process.stdin.write(msgpack.packb([0, 1, method, list(arguments)]))
        process.stdin.flush()

    def listen(seconds: float) -> None:
        deadline = time.monotonic() + seconds
        while (left := deadline - time.monotonic()) > 0:
            readable, _, _ = select.select([output], [], [], left)
            unpacker.feed(os.read(output, 1 << 16) if readable else b"")
            for message in unpacker:
                if message[0] == 2 and message[1] == "redraw":
                    screen.redraw(message[2])

    request("nvim_ui_attach", COLUMNS, LINES, {"ext_linegrid": True, "rgb": True})
    listen(1.0)
    for keys, seconds in SESSION:
        request("nvim_input", keys)
        listen(seconds)
    request("nvim_command", "qall!")
    process.wait(10)
    return screen


def draw(screen: Screen) -> str:
    width, height = COLUMNS * CELL_WIDTH + 2 * MARGIN, LINES * CELL_HEIGHT + 2 * MARGIN
    shapes = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" font-size="14" '
        'font-family="ui-monospace, Menlo, Consolas, DejaVu Sans Mono, monospace">',
        f'<rect width="{width:g}" height="{height:g}" rx="8" fill="#{BACK:06x}"/>',
    ]
    for number, row in enumerate(screen.cells):
        styles = [screen.style(highlight) for _, highlight in row]
        start = 0
        for column in range(1, len(row) + 1):
            if column == len(row) or styles[column] != styles[start]:
                text = "".join(letter for letter, _ in row[start:column])
                shapes.extend(draw_run(text, number, start, column - start, styles[start]))
                start = column
    return "\n".join([*shapes, "</svg>"]) + "\n"


def draw_run(text: str, row: int, column: int, length: int, style: tuple[int, int, bool]) -> list[str]:
    """Cells of one style: a rectangle behind, unless it is the background's colour, and the text."""
    front, back, bold = style
    x, y = MARGIN + column * CELL_WIDTH, MARGIN + row * CELL_HEIGHT
    shapes: list[str] = []
    if back != BACK:
        size = f'width="{length * CELL_WIDTH:.1f}" height="{CELL_HEIGHT}"'
        shapes.append(f'<rect x="{x:.1f}" y="{y}" {size} fill="#{back:06x}"/>')
    letters = text.strip()
    if letters and front != back:
        x += (len(text) - len(text.lstrip())) * CELL_WIDTH
        weight = ' font-weight="bold"' if bold else ""
        place = f'x="{x:.1f}" y="{y + 13}" textLength="{len(letters) * CELL_WIDTH:.1f}"'
        # A renderer collapses spaces; those that must not be are no-break spaces.
        shown = escape(letters).replace(" ", "\u00a0")
        shapes.append(f'<text {place} fill="#{front:06x}"{weight}>{shown}</text>')
    return shapes


def main() -> None:
    with tempfile.TemporaryDirectory() as directory:
        Path(sys.argv[1]).write_text(draw(play(Path(directory))), encoding="utf-8")


if __name__ == "__main__":
    main()
