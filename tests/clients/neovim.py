"""Drives a real Neovim, without a screen, from outside: through a pipe that it listens on.

What is asked of it is Lua, whose value comes back as JSON (`answers.lua`); typing is typing (`nvim_input`).
"""

from __future__ import annotations

import contextlib
import json
import os
import socket
import subprocess
import time
from pathlib import Path
from typing import Any

from tests.oracles import missing, require_program
from tests.patience import PATIENCE
from tests.server.client import warm_command

REPOSITORY = Path(__file__).parents[2]
PLUGIN = REPOSITORY / "nvim-client"
ANSWERS = Path(__file__).with_name("answers.lua")

NEOVIMS = ("path", "newest")
"""The Neovims that are driven: the one on the path, and the one that `make neovim` installs."""

CLIENTS = "(vim.lsp.get_clients and vim.lsp.get_clients({ bufnr = 0 }) or vim.tbl_values(vim.lsp.buf_get_clients(0)))"
"""The clients of the current buffer."""

ATTACHED = f"""(function()
  local clients = {CLIENTS}
  return #clients > 0 and clients[1].initialized
end)()"""
"""Whether a server serves the current buffer."""

BARE = """
vim.opt.swapfile = false
vim.o.columns, vim.o.lines = 200, 60
vim.cmd('filetype plugin on | syntax enable')
_G.notices = {}
vim.notify = function(message) table.insert(_G.notices, message) end
_G.usual = { select = vim.ui.select, input = vim.ui.input }
"""
"""What an `init.lua` of the tests begins with."""


def quoted(text: str) -> str:
    """A Lua string literal."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def server() -> str:
    """The option of `setup` that starts the server of this checkout."""
    return f"cmd = {{ {', '.join(map(quoted, (*warm_command(), '--stdio')))} }}"


RUNTIME = f"vim.opt.runtimepath:prepend({quoted(str(PLUGIN))})\n"
"""Puts the plugin where Neovim finds it: first of all, so that it tells types of files."""


def plugin(options: str = "") -> str:
    """An `init.lua` that sets the plugin up, with the server of this checkout if no options are given."""
    return f"{RUNTIME}{BARE}require('fathom').setup({options or f'{{ {server()} }}'})\n"


def program(which: str) -> str:
    """The path of one of the Neovims, for a test that cannot do without."""
    if which == "path":
        return require_program("nvim")
    newest = REPOSITORY / "build" / "neovim" / "bin" / "nvim"
    if not newest.exists():
        missing("the newest Neovim (`make neovim`)")
    return str(newest)


ANEW = """
vim.cmd('stopinsert | silent! tabonly! | silent! only! | silent! %bwipeout! | call setqflist([])')
vim.ui.select, vim.ui.input, _G.notices = _G.usual.select, _G.usual.input, {}
"""
"""Leaves a Neovim with nothing open; its server stays."""


class Editor:
    """One Neovim in a directory of its own."""

    def __init__(self, directory: Path, which: str = "path", init: str | None = None) -> None:
        self._program = program(which)
        self.directory = directory
        self._pipe = directory / "nvim.pipe"
        start = directory / "init.lua"
        start.write_text(plugin() if init is None else init)
        roots = os.pathsep.join(str(REPOSITORY / root) for root in ("lowering", "server"))
        environment = {
            **os.environ,
            "PYTHONPATH": roots,
            "HOME": str(directory),
            "XDG_CACHE_HOME": str(directory / "cache"),
            "XDG_STATE_HOME": str(directory / "state"),
            "FATHOM_TESTS_PIPE": str(self._pipe),
        }
        arguments = [self._program, "--headless", "--clean", "-u", str(start), "--cmd", f"luafile {ANSWERS}"]
        self._log = (directory / "nvim.log").open("wb")
        self._process = subprocess.Popen(
            arguments, cwd=directory, env=environment, stdin=subprocess.DEVNULL, stdout=self._log, stderr=self._log
        )
        self._connection = self._connected()
        self._answers = self._connection.makefile("r", encoding="utf-8")

    def close(self) -> None:
        """Ends Neovim as a person would, so that it ends the server; by force if that does not help."""
        with contextlib.suppress(OSError, AssertionError):
            self.type("<C-\\><C-N>:qall!<CR>")
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._connection.close()
        self._log.close()

    def clear(self) -> None:
        """Closes all that is open, and forgets what a test put in place of a question."""
        self.type("<C-\\><C-N>")
        self.lua(ANEW)

    def open(self, path: Path) -> None:
        """Edits a file, and waits until the server is attached to it."""
        self.lua(f"vim.cmd('edit ' .. {quoted(str(path))})")
        self.wait(ATTACHED)

    def lua(self, code: str) -> Any:
        """Runs statements; gives what they return."""
        self._connection.sendall(f"{json.dumps(code)}\n".encode())
        line = self._answers.readline()
        assert line, f"Neovim is gone:\n{code}\n{self._log_text()}"
        answer = json.loads(line)
        if "error" in answer:
            raise AssertionError(f"Neovim refused:\n{code}\n{answer['error']}")
        # A table without a value, which is how Lua says nil, comes as a list.
        return answer.get("value") if isinstance(answer, dict) else None

    def value(self, expression: str) -> Any:
        return self.lua(f"return {expression}")

    def wait(self, expression: str, seconds: float = PATIENCE) -> Any:
        """Waits until a Lua expression is neither nil nor false, and gives its value."""
        deadline = time.monotonic() + seconds
        while True:
            value = self.value(expression)
            if value:
                return value
            if time.monotonic() > deadline:
                raise AssertionError(f"waited in vain for {expression}\n{self._state()}")
            time.sleep(0.05)

    def type(self, keys: str) -> None:
        """Types keys, in the notation of Neovim's mappings."""
        self.lua(f"vim.api.nvim_input({quoted(keys)})")

    def lines(self, buffer: int = 0) -> list[str]:
        return self.value(f"vim.api.nvim_buf_get_lines({buffer}, 0, -1, false)")

    def text(self, buffer: int = 0) -> str:
        return "\n".join(self.lines(buffer)) + "\n"

    def find(self, needle: str, buffer: int = 0) -> int:
        """The zero-based number of the first line that contains `needle`."""
        for number, line in enumerate(self.lines(buffer)):
            if needle in line:
                return number
        raise AssertionError(f"no line contains {needle!r}:\n{self.text(buffer)}")

    def move_to(self, needle: str) -> None:
        """Puts the cursor on the first occurrence of `needle` by typing a search, so that the editor sees it move."""
        self.type(f"<C-\\><C-N>gg0/\\V{needle}<CR>")
        self.wait(f"vim.api.nvim_get_current_line():find({quoted(needle)}, 1, true)")

    def replace_line(self, number: int, line: str, buffer: int = 0) -> None:
        self.lua(f"vim.api.nvim_buf_set_lines({buffer}, {number}, {number + 1}, false, {{ {quoted(line)} }})")

    def diagnostics(self) -> list[dict[str, Any]]:
        return self.value("vim.diagnostic.get(0)")

    def _connected(self) -> socket.socket:
        deadline = time.monotonic() + PATIENCE
        connection = socket.socket(socket.AF_UNIX)
        connection.settimeout(PATIENCE)
        while connection.connect_ex(str(self._pipe)):
            if self._process.poll() is not None or time.monotonic() > deadline:
                raise AssertionError(f"Neovim did not start: {self._log_text()}")
            time.sleep(0.02)
        return connection

    def _state(self) -> str:
        """All that may say why a wait was in vain."""
        shown = self._log_text()
        if self._process.poll() is None:
            asked = "{ notices = _G.notices, buffer = vim.api.nvim_buf_get_lines(0, 0, -1, false) }"
            shown += json.dumps(self.value(asked), indent=1)
        return shown

    def _log_text(self) -> str:
        parts = [self.directory / "nvim.log", *sorted(self.directory.rglob("lsp.log"))]
        return "".join(
            f"--- {path.name}\n{path.read_text(errors='replace')[-3000:]}\n" for path in parts if path.exists()
        )
