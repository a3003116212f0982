"""The files in `examples/errors`: what MLIR's tools say of each when its `RUN` line runs, and what Fathom says.

Beside `CODE.mlir` stand `CODE.mlir-opt.txt` and `CODE.fathom.txt`, the latter with what each fix makes of the text. A
further example of a code is `CODE.WHAT.mlir`.
"""

from __future__ import annotations

import difflib
import re
import subprocess
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

from fathom.context import Context
from fathom.diagnostics import Diagnostic
from fathom_server.features.edits import Fix
from fathom_server.features.fixes import fixes_at
from fathom_server.model.document import Document
from fathom_server.model.settings import Settings
from fathom_server.session.opened import OpenDocument
from tests.hunts.fuzz.check import looked_at
from tests.oracles import LLVM_HOME, TIMEOUT, find_tool
from tests.server.answers import edited

FOLDER = Path(__file__).resolve().parents[2] / "examples" / "errors"
EXAMPLES = sorted(FOLDER.glob("*.mlir"))
TOOLS = ("mlir-opt", "mlir-translate", "mlir-runner")
LIBRARIES = LLVM_HOME.parent / "lib"
TRANSLATED = "mlir-translate --mlir-to-llvmir"

_CRASH = re.compile(r"^PLEASE submit a bug report.*", re.MULTILINE | re.DOTALL)
"""What a tool prints of its stack where it gives up with `LLVM ERROR`."""
_RUN = re.compile(r"^// RUN: (.*)$", re.MULTILINE)


def code_of(path: Path) -> str:
    """The code that an example is for."""
    return path.stem.partition(".")[0]


def command_of(text: str) -> str:
    """The command in a text."""
    return re.sub(r"\s*\\\s+", " ", " ".join(f"{command}\n" for command in _RUN.findall(text))).strip()


def run(command: str, text: str, name: str) -> subprocess.CompletedProcess[str]:
    """What comes of a command that reads a text as a file of this name; its messages are among what it prints."""
    for tool in TOOLS:
        command = re.sub(rf"(?<![\w-]){tool}(?![\w-])", f"{find_tool(tool)}", command)
    command = re.sub(r"%(mlir_\w+)", rf"{LIBRARIES}/lib\1.so", command)
    command = command.replace("%s", "-")
    script = f"set -o pipefail; ulimit -c 0; exec 2>&1; {command}"
    done = subprocess.run(
        ["bash", "-c", script], input=text, capture_output=True, encoding="utf-8", timeout=TIMEOUT, check=False
    )
    return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.replace("<stdin>", name))


def said_by_mlir(path: Path) -> str:
    """What MLIR's tools say of an example."""
    text = path.read_text(encoding="utf-8")
    command = command_of(text)
    done = run(command, text, path.name)
    done.stdout = re.sub(
        r"(?<=\(main, \{ ).*?(?= \})", lambda names: ", ".join(sorted(names[0].split(", "))), done.stdout
    )
    printed = re.sub(r"(note: Available dialects: ).*", r"\1…", done.stdout)
    printed = _CRASH.sub("", printed)
    return f"$ {command.replace('%s', path.name)}\n{printed}exit status {done.returncode}\n"


@lru_cache(maxsize=1)
def opened(text: str) -> OpenDocument:
    """A text of which all was looked at; it is asked several things one after the other."""
    return looked_at(OpenDocument(Document("file:///a.mlir", 0, text, Context(), Settings())))


def found_in(text: str) -> list[tuple[int, Diagnostic]]:
    """What is wrong with a text, with the offsets at which it stands."""
    document = opened(text)
    tree = document.document.tree
    return [
        (tree.start(index) + diagnostic.span.start, diagnostic)
        for index, diagnostics in document.found()
        for diagnostic in diagnostics
        if diagnostic.span is not None
    ]


def fixes_of(text: str, code: str) -> list[Fix]:
    """What would mend what is wrong with a text, of one kind."""
    snapshot = opened(text).document.snapshot()
    places = [place for place, diagnostic in found_in(text) if diagnostic.code == code]
    return list(dict.fromkeys(fix for place in places for fix in fixes_at(snapshot, place, place)))


def said_by_fathom(path: Path) -> str:
    """What Fathom says of an example, and what its fixes make of it."""
    text = path.read_text(encoding="utf-8")
    out = "".join(map(str, _lines(text, found_in(text))))
    for fix in fixes_of(text, code_of(path)):
        after = edited(text, list(fix.edit))
        changed = difflib.unified_diff(text.splitlines(True), after.splitlines(True), n=0)
        out += f"\n{fix.title}\n" + "".join(line for line in changed if not line.startswith(("---", "+++", "@@")))
    return out


def _lines(text: str, placed: Iterable[tuple[int, Diagnostic]]) -> Iterable[str]:
    for place, diagnostic in placed:
        line, column = text.count("\n", 0, place) + 1, place - text.rfind("\n", 0, place)
        yield f"{line}:{column}: {diagnostic.severity}: {diagnostic.message} [{diagnostic.code}]\n"
        yield from (f"  {note.message}\n" for note in diagnostic.notes)
