"""The command line: `fathom opt | translate | run | fmt | lsp | dialect | demo`, as one function that tests and tools
call in-process.

A command's module is imported when the command is given, so that `fathom --help` is quick.
"""

from __future__ import annotations

import atexit
import gc
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Final, NoReturn, TextIO

from fathom.cli.streams import Exit, Streams

INTERRUPTED: Final = 130
"""The exit status of what was ended by Ctrl-C, as shells have it."""
COLLECT: Final = (2_000_000, 20, 20)
"""The thresholds of the garbage collector. A command makes IR, many small objects in circles that live long: by the
thresholds that Python has, a quarter of the time goes into looking at them. What passes take out of the IR is taken
apart (`fathom.ir.dismantle`), so little is left for the collector to find."""
COMMANDS: Final = {
    "opt": "run passes on MLIR, as mlir-opt does",
    "translate": "turn the LLVM dialect into LLVM IR, as mlir-translate does",
    "run": "lower a file, compile it and call one of its functions",
    "cache": "say how much compiled code is kept for the next run, or remove it",
    "check": "call functions as comments say, and hold what they give against these",
    "fmt": "format files: indentation, blanks and line breaks",
    "modernise": "write files of older releases of MLIR as MLIR 22 has it",
    "graph": "draw control flow, data flow, loops and calls, at any stage",
    "explore": "show a file in the browser, with its stages and graphs",
    "bisect": "name the pass that changes what a function does",
    "reduce": "make a file smaller as long as a test accepts it",
    "timeline": "list the passes that a log of any tool tells of, and what they made",
    "lsp": "start the language server",
    "dialect": "check, show and make descriptions of dialects",
    "demo": "play an editing session with the language server",
}

USAGE: Final = """\
usage: fathom COMMAND [OPTIONS]

MLIR all the way down: parse it, lower it to the LLVM dialect and to LLVM IR, run it.

commands:
{commands}

`fathom COMMAND --help` shows the options of a command, with an example.

example:
  fathom opt --convert-scf-to-cf --convert-arith-to-llvm examples/gcd.mlir
"""


def usage() -> str:
    """What `fathom --help` prints."""
    return USAGE.format(commands="\n".join(f"  {name:<12}{text}" for name, text in COMMANDS.items()))


def main(argv: Sequence[str], stdin: TextIO, stdout: TextIO, stderr: TextIO) -> int:
    """Runs one command line, without the program's name, and returns the exit status."""
    streams = Streams(stdin, stdout, stderr)
    try:
        status = _run(list(argv), streams)
        if not stdout.closed:
            stdout.flush()
        return status
    except Exit as exit_:
        return exit_.status
    except BrokenPipeError:
        return 1
    except KeyboardInterrupt:
        return INTERRUPTED
    except Exception as fault:  # Whatever it is, it is not the user's mistake, and a traceback does not say so.
        from fathom.cli.faults import report

        return report(" ".join(("fathom", *(name for name in argv[:1] if name in COMMANDS))), fault, stderr)


def _run(argv: list[str], streams: Streams) -> int:
    if len(argv) == 2 and argv[0] == "help" and argv[1] in COMMANDS:
        argv = [argv[1], "--help"]
    if not argv or argv[0] in ("-h", "--help", "-help", "help"):
        streams.stdout.write(usage())
        return 0
    name, *arguments = argv
    if name in ("--version", "-version"):
        from fathom import __version__

        streams.stdout.write(f"fathom {__version__}\n")
        return 0
    if name not in COMMANDS:
        raise streams.fail(f"fathom: unknown command '{name}'.  Try: 'fathom --help'")
    return import_module(f"fathom.cli.{name}").main(arguments, streams)


def entry() -> None:
    """The program `fathom`."""
    gc.set_threshold(*COLLECT)
    for name in ("stdin", "stdout", "stderr"):
        if getattr(sys, name) is None:  # It was closed by whoever started the program.
            descriptor = os.open(os.devnull, os.O_RDWR)
            setattr(sys, name, os.fdopen(descriptor, "r" if name == "stdin" else "w", encoding="utf-8"))
    for stream in (sys.stdin, sys.stdout):
        if hasattr(stream, "reconfigure"):
            # What is read or written may be bytecode, in which a line end is a byte like others.
            stream.reconfigure(encoding="utf-8", errors="surrogateescape", newline="")  # type: ignore[union-attr]
    status = main(sys.argv[1:], sys.stdin, sys.stdout, sys.stderr)
    try:
        sys.stdout.flush()
    except (OSError, ValueError):
        # That was told. What nobody takes is dropped, or else Python would try again at its end, and complain.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    gc.freeze()  # The process ends with all that it holds; Python would look for circles in it once more.
    _end(status)


def _end(status: int) -> NoReturn:
    """Ends the process as `sys.exit` does, but for giving back one by one the objects that it holds: the system takes
    all of its memory at once. Where something else runs in it, or somebody looks on, Python ends it."""
    if len(sys._current_frames()) == 1 and sys.getprofile() is None and sys.gettrace() is None:  # pyright: ignore[reportPrivateUsage]
        atexit._run_exitfuncs()  # pyright: ignore[reportPrivateUsage]
        try:
            sys.stderr.flush()
        finally:
            os._exit(status)
    sys.exit(status)
