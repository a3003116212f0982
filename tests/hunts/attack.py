"""`python -m tests.hunts.attack [WORDS]`: texts of a few lines that stand for much, opened in the real server.

Every request is sent at several places while a hover on another document is timed. Prints for each text the worst of
these hovers, the most memory of the server and of a process beside it, and what went wrong. The texts are those of the
tests, four times as long. `--inputs FILE` takes those of a Python module that has `INPUTS`, a dictionary of texts by
name; if it has `TABLEGEN`, these are `.td` files, and if it has `scaled(n)`, that gives texts whose cost grows with
their length. `--commands` gives all of them to the commands instead: `opt`, `translate` and `fmt`, or `dialect check`.
Ends with status 1 if a hover waited, or a process held, more than it may, or something went wrong.
"""

from __future__ import annotations

import argparse
import math
import os
import re
import resource
import runpy
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from fathom.records import record
from tests.server.attacks import definitions, documents
from tests.server.client import COMMAND
from tests.server.every_question import SUFFIXES, Asking, warm_server

LIMIT: Final = 6 << 30
"""Bytes of address space that the server, and each process beside it, may take."""
SIZES: Final = (500, 2000)
"""How large the texts are that grow."""
MOST_HELD: Final = 1 << 30
"""Bytes that a process may hold."""
MOST_WAIT: Final = 500.0
"""Milliseconds that a hover may wait."""
COMMANDS: Final = (("opt", "--canonicalize", "--lower-to-llvm"), ("translate",), ("fmt", "--check"))
OF_TABLEGEN: Final = (("dialect", "check"), ("dialect", "dump"))


@record
class Input:
    """A text; `language` is that of the protocol. Those that grow have a name in common, `grows`, and a size."""

    name: str
    text: str
    language: str = "mlir"
    grows: str = ""
    size: int = 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("words", nargs="*", help="only texts with one of these in their names")
    parser.add_argument("--inputs", type=Path)
    parser.add_argument("--commands", action="store_true", help="give the texts to the commands, not to the server")
    parser.add_argument("--patience", type=float, default=100.0, help="seconds to wait for an answer")
    options = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_AS, (LIMIT, LIMIT))
    inputs = [
        input_
        for input_ in _inputs(runpy.run_path(str(options.inputs)) if options.inputs else _of_tests())
        if not options.words or any(word in input_.name for word in options.words)
    ]
    return (_run_commands if options.commands else _open_in_server)(inputs, options.patience)


def _of_tests() -> dict[str, Any]:
    return {"INPUTS": documents(4), "TABLEGEN": definitions()}


def _inputs(module: dict[str, Any]) -> Iterator[Input]:
    for name, text in module.get("INPUTS", {}).items():
        yield Input(name, text)
    for name, text in module.get("TABLEGEN", {}).items():
        yield Input(f"td {name}", text, "tablegen")
    scaled: Callable[[int], dict[str, str]] = module.get("scaled", lambda n: {})
    for name in scaled(1):
        for size in SIZES:
            yield Input(f"{name} of {size}", scaled(size)[name], grows=name, size=size)


def _open_in_server(inputs: Sequence[Input], patience: float) -> bool:
    """Whether one of them was too much."""
    is_bad = False
    print(f"{'':<60}{'hover':>8}{'worst':>8} {'server':>9}{'beside':>9}  computed   longest")
    for input_ in inputs:
        with warm_server(COMMAND) as client:
            borne = Asking(client, input_.name.replace("/", " "), input_.text, patience, language=input_.language).all()
        median, worst = statistics.median(borne.hovers) * 1000, max(borne.hovers) * 1000
        sizes = f"{borne.server >> 20:>6} MB{borne.beside >> 20:>6} MB"
        longest = f"{borne.longest / 1e6:.1f} MB {borne.longest_of}"
        print(f"{input_.name[:59]:<60}{median:>5.0f} ms{worst:>5.0f} ms {sizes}{borne.computed:>8.1f} s   {longest}")
        is_bad |= worst > MOST_WAIT or max(borne.server, borne.beside) > MOST_HELD or bool(borne.refused)
        if worst > MOST_WAIT:
            print(f"    waited while: {borne.slowest[:150]}")
        for refused in dict.fromkeys(borne.refused):
            print(f"    {refused[:300]}")
        sys.stdout.flush()
    return is_bad


def _run_commands(inputs: Sequence[Input], patience: float) -> bool:
    """Whether one of them was too much."""
    any_bad = False
    before: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as folder:
        for input_ in inputs:
            path = Path(folder, re.sub(r"\W", "_", input_.name.removeprefix("td ")) + SUFFIXES[input_.language])
            path.write_text(input_.text, encoding="utf-8", errors="surrogatepass")
            for command in OF_TABLEGEN if input_.language == "tablegen" else COMMANDS:
                seconds, held, status, said = _run(command, path, patience)
                growth = ""
                key = f"{input_.grows} {command}"
                if input_.grows and key in before:
                    growth = f"n^{math.log(seconds / before[key], SIZES[1] / SIZES[0]):.1f}"
                before[key] = seconds
                is_bad = status not in (0, 1) or held > MOST_HELD or seconds > patience
                any_bad |= is_bad
                mark = "!" if is_bad else " "
                first = said.partition("\n")[0][:120]
                print(
                    f"{mark} {input_.name[:50]:<51}{' '.join(command[:2]):<19}{seconds:>6.1f} s{held >> 20:>6} MB"
                    f"{status:>5} {growth:<6}{len(said):>9} {first}"
                )
                sys.stdout.flush()
    return any_bad


def _run(command: Sequence[str], path: Path, patience: float) -> tuple[float, int, int, str]:
    """The seconds that a command computes, the bytes that it holds, its status and what it says of mistakes."""
    line = ["sh", "-c", f'ulimit -t {int(patience)}; exec "$@"', "sh", sys.executable, "-m", "fathom.cli", *command]
    with tempfile.TemporaryFile() as said:
        process = subprocess.Popen([*line, str(path)], stdout=subprocess.DEVNULL, stderr=said)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        said.seek(0)
        text = said.read().decode("utf-8", "replace")
    return used.ru_utime + used.ru_stime, used.ru_maxrss << 10, process.returncode, text


if __name__ == "__main__":
    sys.exit(main())
