"""Drives a real Kate from outside, on a screen that nobody sees: what is typed goes to the X server, and what Kate and
the server say to each other is kept in two files.

Kate is set up by files, as its dialogs would have written them, from what docs/editors/kate.md shows.
"""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Any, TypeVar

from tests.oracles import require_program
from tests.patience import PATIENCE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

REPOSITORY = Path(__file__).parents[2]
PAGE = REPOSITORY / "docs" / "editors" / "kate.md"
HIGHLIGHTING = REPOSITORY / "docs" / "editors" / "mlir.xml"

SETTINGS = """\
[General]
Show welcome view for new window=false

[KTextEditor Document]
Swap File Mode=0

[Kate Plugins]
lspclientplugin=true

[lspclient]
AllowedServerCommandLines={command} lsp --stdio
"""
"""The plugin is on, and the server may be started: Kate asks once for each command."""

WRAPPER = """\
#!/bin/sh
export PYTHONPATH={roots}
tee {directory}/from-kate | {python} -m fathom.cli "$@" 2> {directory}/errors | tee {directory}/to-kate
"""

Message = dict[str, Any]
T = TypeVar("T")


def user_servers() -> str:
    """The settings on the page."""
    match = re.search(r"^```json\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    assert match is not None
    return match[1]


class Kate:
    """One Kate with a screen, a home folder and a server of its own, that shows one file."""

    def __init__(self, directory: Path, program: Path) -> None:
        self._kate, self._screen, self._sessions, self._xdotool = (
            require_program(name) for name in ("kate", "Xvfb", "dbus-run-session", "xdotool")
        )
        self._directory = directory
        self._program = program
        self._processes: list[subprocess.Popen[bytes]] = []
        self._log = (directory / "kate.log").open("wb")
        _set_up(directory)
        try:
            self._environment = _environment(directory, self._start_screen())
            kate = [self._sessions, "--", self._kate, "--new", "--startanon", str(program)]
            self._start(kate, self._environment)
            self._take_focus()
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Ends Kate, and with it the server, without being asked what to save; then the screen, which tidies up."""
        screen, *others = self._processes
        for process, how in [*((child, signal.SIGKILL) for child in others), (screen, signal.SIGTERM)]:
            if process.poll() is None:
                os.killpg(process.pid, how)
            process.wait()
        self._log.close()

    # ---- what a person does

    def press(self, *keys: str) -> None:
        """Presses keys, in the notation of `xdotool key`."""
        self._do("key", "--delay", "20", *keys)

    def type(self, text: str) -> None:
        self._do("type", "--delay", "20", text)

    def move_to(self, needle: str, beyond: int = 0) -> None:
        """Puts the cursor `beyond` characters into the only place of a text in the file as it was opened."""
        text = self._program.read_text(encoding="utf-8")
        assert text.count(needle) == 1
        before = text[: text.index(needle) + beyond]
        line, column = before.count("\n"), len(before) - (before.rfind("\n") + 1)
        self.press("Escape", "ctrl+Home", *["Down"] * line, *["Right"] * column)

    def await_window(self) -> None:
        """Waits until there is a window beside that with the text: a list to choose from, or a dialog."""
        self.wait(lambda: len(self._windows("--class", "kate")) > 1, "a window")

    # ---- what was said

    def sent(self, method: str) -> list[Message]:
        """What Kate said by a method, from the first to the last."""
        return [message for message in _messages(self._directory / "from-kate") if message.get("method") == method]

    def told(self, method: str) -> list[Message]:
        """What the server said by a method without being asked."""
        return [message for message in _messages(self._directory / "to-kate") if message.get("method") == method]

    def answer(self, method: str) -> Any:
        """The answer to what Kate asked last by a method, or is about to ask; for answers that are not empty."""

        def answered() -> Any:
            asked = self.sent(method)
            answers = _messages(self._directory / "to-kate")
            messages = [
                replies
                for replies in answers
                if asked and replies.get("id") == asked[-1]["id"] and "method" not in replies
            ]
            return messages[0].get("result") if messages else None

        return self.wait(answered, method)

    def text(self) -> str:
        """The document, as Kate last told it: by default it does so in whole."""
        changes = self.sent("textDocument/didChange")
        if changes:
            return changes[-1]["params"]["contentChanges"][-1]["text"]
        return self.wait(lambda: self.sent("textDocument/didOpen"), "didOpen")[0]["params"]["textDocument"]["text"]

    def diagnostics(self) -> list[Message]:
        """What was last published."""
        published = self.told("textDocument/publishDiagnostics")
        return published[-1]["params"]["diagnostics"] if published else []

    def wait(self, asked: Callable[[], T], what: str) -> T:
        """Waits until something is true, and gives it."""
        deadline = time.monotonic() + PATIENCE
        while not (answer := asked()):
            if time.monotonic() > deadline:
                raise AssertionError(self._state(f"waited in vain for {what}"))
            time.sleep(0.05)
        return answer

    # ----

    def _start_screen(self) -> str:
        """Starts a screen, which chooses its number itself. It does not begin anew when one who only asked is gone:
        just then, nobody could come."""
        reading, writing = os.pipe()
        options = ["-displayfd", str(writing), "-screen", "0", "1200x900x24", "-nolisten", "tcp", "-noreset"]
        self._start([self._screen, *options], {**os.environ}, pass_fds=(writing,))
        os.close(writing)
        with os.fdopen(reading) as told:
            number = told.readline().strip()
        assert number, self._state("the screen did not start")
        return f":{number}"

    def _start(self, command: list[str], environment: dict[str, str], pass_fds: Iterable[int] = ()) -> None:
        process = subprocess.Popen(
            command,
            cwd=self._directory,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=self._log,
            stderr=self._log,
            pass_fds=tuple(pass_fds),
            start_new_session=True,
        )
        self._processes.append(process)

    def _take_focus(self) -> None:
        """There is no window manager who would give Kate the keyboard."""
        wait = self.wait(lambda: self._windows("--name", self._program.name), "the window")
        self._do("windowfocus", "--sync", wait[0])

    def _windows(self, *criteria: str) -> list[str]:
        """The windows that can be seen."""
        search = [self._xdotool, "search", "--onlyvisible", *criteria]
        process = subprocess.run(search, env=self._environment, capture_output=True, encoding="utf-8", check=False)
        return process.stdout.split()

    def _do(self, *arguments: str) -> None:
        subprocess.run([self._xdotool, *arguments], env=self._environment, check=True, timeout=PATIENCE)

    def _state(self, problem: str) -> str:
        """The problem with all that may say why."""
        paths = [self._directory / name for name in ("kate.log", "errors", "from-kate", "to-kate")]
        shown = [f"--- {path.name}\n{path.read_text(errors='replace')[-3000:]}" for path in paths if path.exists()]
        return "\n".join([problem, *shown])


def _set_up(directory: Path) -> None:
    """The files of somebody who did what the page says."""
    command = directory / "bin" / "fathom"
    roots = os.pathsep.join(str(REPOSITORY / root) for root in ("lowering", "server"))
    files = {
        command: WRAPPER.format(roots=quote(roots), directory=quote(str(directory)), python=quote(sys.executable)),
        directory / "config" / "katerc": SETTINGS.format(command=command),
        directory / "config" / "kate" / "lspclient" / "settings.json": user_servers(),
        directory / "data" / "org.kde.syntax-highlighting" / "syntax" / "mlir.xml": HIGHLIGHTING.read_text("utf-8"),
    }
    for path, text in files.items():
        path.parent.mkdir(parents=True)
        path.write_text(text, encoding="utf-8")
    command.chmod(0o755)
    (directory / "run").mkdir(mode=0o700)


def _environment(directory: Path, display: str) -> dict[str, str]:
    """What Kate is started with: nothing of a desktop that the tests may run on."""
    desktop = ("DBUS_", "KDE_", "LC_", "QT_", "XDG_")
    return {
        **{name: value for name, value in os.environ.items() if not name.startswith(desktop)},
        "DISPLAY": display,
        "HOME": str(directory),
        "LC_ALL": "C.UTF-8",
        "PATH": f"{directory / 'bin'}{os.pathsep}{os.environ['PATH']}",
        "QT_QPA_PLATFORM": "xcb",
        "XDG_CACHE_HOME": str(directory / "cache"),
        "XDG_CONFIG_HOME": str(directory / "config"),
        "XDG_DATA_HOME": str(directory / "data"),
        "XDG_RUNTIME_DIR": str(directory / "run"),
    }


def _messages(path: Path) -> list[Message]:
    """The messages that a file has in whole."""
    data = path.read_bytes() if path.exists() else b""
    messages: list[Message] = []
    start = 0
    while (end := data.find(b"\r\n\r\n", start)) >= 0:
        length = re.search(rb"Content-Length: *(\d+)", data[start:end])
        assert length is not None, data[start:end]
        start = end + 4 + int(length[1])
        if start > len(data):
            break
        messages.append(json.loads(data[end + 4 : start]))
    return messages
