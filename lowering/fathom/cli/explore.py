"""`fathom explore`: a file in the browser, with its stages and graphs beside it."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Final

from fathom.cli.commands import Command, Group
from fathom.cli.options import flag, number
from fathom.cli.streams import Streams
from fathom.inputs.traces import is_trace

_HIGHEST: Final = 65535
PORT: Final = number("port", "the port to listen on; any that is free by default", "PORT", default=0)
BROWSER: Final = flag(
    "browser", "open the browser; done by default, --browser=false prints the address alone", default=True
)
PROJECT_TOOLS: Final = flag(
    "project-tools", "run the tools that the file's fathom.toml names: programs that its author chose"
)

COMMAND: Final = Command(
    "explore",
    "Shows a file in the browser: an editor, with the stages of its lowering, pictures of its control and data flow,\n"
    "and runs beside it. The server listens on this machine alone, for who has the address, and ends with Ctrl-C.\n"
    "The file is written when you save it there.",
    "  fathom explore examples/gcd.mlir\n  fathom explore trace.json\n",
    (Group("options", (PORT, BROWSER, PROJECT_TOOLS)),),
    file_help="the file, in MLIR or LLVM IR, or a trace that fathom opt --record wrote",
)


def main(arguments: Sequence[str], streams: Streams) -> int:
    parsed = COMMAND.parse(arguments, streams)
    if parsed.file == "-":
        raise streams.fail("fathom explore: name the file to show")
    if not is_trace(parsed.file):
        streams.read(parsed.file)
    port = parsed[PORT] or 0
    if port > _HIGHEST:
        raise streams.fail(f"fathom explore: for the {PORT.spelling} option: there is no port {port}")
    if not import_module("fathom_server.explore.page").is_made():
        raise streams.fail("fathom explore: Fathom was installed without the page; in a checkout, make page builds it")

    def ready(address: str) -> None:
        streams.stderr.write(f"fathom explore: {address}\n")
        streams.stderr.flush()
        if parsed[BROWSER]:
            import webbrowser

            webbrowser.open(address)

    settings = {"projectTools": True} if parsed[PROJECT_TOOLS] else {}
    try:
        import_module("fathom_server.explore.serving").explore(Path(parsed.file), port, ready, settings)
    except OSError as problem:
        raise streams.fail(f"fathom explore: cannot listen on port {port}: {problem.strerror or problem}") from None
    return 0
