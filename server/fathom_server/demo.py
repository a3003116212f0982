"""`fathom demo`: an editing session with the real server, as an editor's client plays it, printed for people.

The server runs as a process of its own and is spoken to over its standard input and output. What is shown is what it
answered.
"""

from __future__ import annotations

import asyncio
import difflib
import sys
from importlib.resources import files
from pathlib import Path
from typing import Any, Final, TextIO, cast

from lsprotocol import types
from pygls.lsp.client import LanguageClient
from rich.console import Console
from rich.markdown import Markdown
from rich.rule import Rule
from rich.syntax import Syntax
from rich.text import Text

from fathom import __version__

URI: Final = "file:///demo/saxpy.mlir"
PATIENCE: Final = 60.0
"""Seconds that the whole session may take on a slow machine."""


def main(stdout: TextIO) -> int:
    """Plays the session and prints it; exit status 0 if every step gave what it should."""
    source = _example("saxpy.mlir")
    if source is None:
        print("fathom demo: the examples are not installed", file=stdout)
        return 1
    console = _Console(file=stdout, highlight=False, soft_wrap=False, width=110)
    try:
        return asyncio.run(asyncio.wait_for(_Session(console, source).play(), PATIENCE))
    except TimeoutError:
        console.print(Text(f"the server did not answer within {PATIENCE:.0f} s", style="bold red"))
    except RuntimeError as problem:
        console.print(Text(f"the server is gone: {problem}", style="bold red"))
    return 1


def _example(name: str) -> str | None:
    """An example from the checkout, or from the installed package."""
    checkout = Path(__file__).resolve().parents[2] / "examples" / name
    if checkout.is_file():
        return checkout.read_text(encoding="utf-8")
    installed = files("fathom") / "examples" / name
    return installed.read_text(encoding="utf-8") if installed.is_file() else None


class _Console(Console):
    """A console whose reader may leave early, as `head` does; the command line knows this exception."""

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


class _Session:
    """The client's side: the text of the buffer, and what the server last said of it."""

    def __init__(self, console: Console, source: str) -> None:
        self.console = console
        self.text = source
        self.version = 1
        self.diagnostics: list[types.Diagnostic] = []
        self.published = asyncio.Event()
        self.client = LanguageClient("fathom-demo", __version__)
        self.failures = 0

    async def play(self) -> int:
        self._listen()
        await cast("Any", self.client).start_io(sys.executable, "-m", "fathom.cli", "lsp", "--stdio")
        try:
            await self._initialize()
            await self._open()
            await self._break_and_mend()
            await self._hover()
            await self._lower()
            await self._preview()
            await self._run()
        finally:
            await self.client.shutdown_async(None)
            self.client.exit(None)
            await self.client.stop()
        return 1 if self.failures else 0

    # ---- the protocol

    def _listen(self) -> None:
        def on_diagnostics(params: types.PublishDiagnosticsParams) -> None:
            if params.version == self.version:
                self.diagnostics = list(params.diagnostics)
                self.published.set()

        self.client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)(on_diagnostics)

    async def _initialize(self) -> None:
        edit = types.WorkspaceEditClientCapabilities(document_changes=True)
        capabilities = types.ClientCapabilities(
            workspace=types.WorkspaceClientCapabilities(workspace_edit=edit),
            general=types.GeneralClientCapabilities(position_encodings=[types.PositionEncodingKind.Utf32]),
        )
        await self.client.initialize_async(types.InitializeParams(capabilities))
        self.client.initialized(types.InitializedParams())

    async def _told(self) -> None:
        """Waits until the server has said what is wrong with the present version."""
        await self.published.wait()

    async def _edit(self, start: int, end: int, text: str) -> None:
        """Replaces a stretch of the buffer, and tells the server of just that."""
        where = types.Range(self._position(start), self._position(end))
        self.text = self.text[:start] + text + self.text[end:]
        self.version += 1
        self.published.clear()
        change = types.TextDocumentContentChangePartial(where, text)
        document = types.VersionedTextDocumentIdentifier(self.version, URI)
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(document, [change]))
        await self._told()

    def _position(self, offset: int) -> types.Position:
        before = self.text[:offset]
        return types.Position(before.count("\n"), offset - (before.rfind("\n") + 1))

    def _offset(self, position: types.Position) -> int:
        lines = self.text.splitlines(keepends=True)
        return sum(map(len, lines[: position.line])) + position.character

    # ---- the session

    async def _open(self) -> None:
        self._title("Open examples/saxpy.mlir")
        self.console.print(self._code(self._function("saxpy"), "mlir"))
        item = types.TextDocumentItem(URI, "mlir", self.version, self.text)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))
        await self._told()
        self._show_diagnostics()
        await self._show_symbols()

    async def _break_and_mend(self) -> None:
        self._title("A broken keystroke: the comma in %a, %xi goes")
        comma = self.text.index("%a, %xi") + 2
        await self._edit(comma, comma + 1, "")
        self._show_diagnostics()
        self._expect(len(self.diagnostics) >= 1, "a diagnostic was expected")
        self.console.print("The rest of the file is still there:")
        await self._show_symbols()
        await self._edit(comma, comma, ",")
        self._expect(not self.diagnostics, "the mended file should have no diagnostics")
        self.console.print(Text("typed back: no diagnostics", style="green"))

    async def _hover(self) -> None:
        self._title("Hover over memref<?xf32>, an argument of @saxpy")
        position = self._position(self.text.index("memref<?xf32>") + 3)
        params = types.HoverParams(types.TextDocumentIdentifier(URI), position)
        hover = await self.client.text_document_hover_async(params)
        content = hover.contents if hover is not None else None
        self._expect(isinstance(content, types.MarkupContent), "a hover was expected")
        if isinstance(content, types.MarkupContent):
            self.console.print(Markdown(content.value))

    async def _lower(self) -> None:
        self._title("Code action: Lower `@saxpy` to the LLVM dialect")
        position = self._position(self.text.index("@saxpy"))
        context = types.CodeActionContext([])
        params = types.CodeActionParams(types.TextDocumentIdentifier(URI), types.Range(position, position), context)
        actions = await self.client.text_document_code_action_async(params) or []
        action = next((a for a in actions if isinstance(a, types.CodeAction) and a.edit is not None), None)
        self._expect(action is not None, "the code action was expected")
        if action is None or action.edit is None:
            return
        before = self.text
        after = before
        for change in action.edit.document_changes or []:
            for edit in getattr(change, "edits", []):
                start, end = self._offset(edit.range.start), self._offset(edit.range.end)
                after = before[:start] + edit.new_text + before[end:]
        lines = list(
            difflib.unified_diff(before.splitlines(), after.splitlines(), "before", "after", "", "", n=1, lineterm="")
        )
        self.console.print(
            self._code(
                "\n".join([*(line[:107] for line in lines[:24]), f"… {max(len(lines) - 24, 0)} more lines"]), "diff"
            )
        )

    async def _preview(self) -> None:
        self._title("Preview: @saxpy as LLVM IR")
        preview = await self._request("fathom/preview", stage="llvm-ir", function="saxpy")
        self._expect(not preview.stale, "a fresh preview was expected")
        lines = preview.text.splitlines()
        body = next((i for i, line in enumerate(lines) if line.startswith("define")), 0)
        shown = [line[:105] + " …" if len(line) > 107 else line for line in lines]
        self.console.print(self._code("\n".join([shown[body], "  …", *shown[body + 12 : body + 32]]), "llvm"))

    async def _run(self) -> None:
        self._title("Run: @saxpy(2.0, [1, 2, 3, 4], {shape: [4], fill: 10})")
        arguments: list[Any] = [2.0, [1, 2, 3, 4], {"shape": [4], "fill": 10}]
        result = await self._command("fathom.runFunction", {"uri": URI, "function": "saxpy", "arguments": arguments})
        self._expect(result["status"] == "ok", "the run should succeed")
        if result["status"] != "ok":
            self.console.print(Text(str(result["message"]), style="red"))
            return
        for argument in result["arguments"]:
            self.console.print(f"{argument['name']} : {argument['type']} = {argument['value']}")
        times = f"compiled in {result['compileMilliseconds']:.0f} ms, ran in {result['runMilliseconds']:.3f} ms"
        self.console.print(Text(times, style="dim"))

    # ---- showing

    async def _request(self, method: str, **params: Any) -> Any:
        message = {"textDocument": {"uri": URI}, **params}
        return await self.client.protocol.send_request_async(method, message)

    async def _command(self, name: str, argument: dict[str, Any]) -> dict[str, Any]:
        params = types.ExecuteCommandParams(name, [argument])
        return cast("dict[str, Any]", await self.client.workspace_execute_command_async(params))

    async def _show_symbols(self) -> None:
        params = types.DocumentSymbolParams(types.TextDocumentIdentifier(URI))
        symbols = await self.client.text_document_document_symbol_async(params) or []
        names = ", ".join(symbol.name for symbol in symbols)
        self.console.print(Text.assemble(("symbols: ", "dim"), names))

    def _show_diagnostics(self) -> None:
        if not self.diagnostics:
            self.console.print(Text("no diagnostics", style="green"))
        lines = self.text.splitlines()
        for diagnostic in self.diagnostics:
            start, end = diagnostic.range.start, diagnostic.range.end
            line = lines[start.line] if start.line < len(lines) else ""
            where = f"saxpy.mlir:{start.line + 1}:{start.character + 1}: "
            width = max(end.character - start.character, 1) if end.line == start.line else 1
            self.console.print(Text.assemble(where, ("error: ", "bold red"), diagnostic.message))
            self.console.print(Text(line))
            self.console.print(Text(" " * start.character + "^" * width, style="bold red"))

    def _function(self, name: str) -> str:
        start = self.text.index(f"func.func @{name}")
        return self.text[start : self.text.index("\n}", start) + 2]

    def _code(self, text: str, language: str) -> Syntax | Text:
        if language == "mlir":
            return _coloured(text)
        return Syntax(text, language, theme="ansi_dark", background_color="default", word_wrap=False)

    def _title(self, text: str) -> None:
        self.console.print()
        self.console.print(Rule(Text(text, style="bold cyan"), align="left", characters="─"))

    def _expect(self, holds: bool, otherwise: str) -> None:
        if not holds:
            self.failures += 1
            self.console.print(Text(f"unexpected: {otherwise}", style="bold red"))


def _coloured(text: str) -> Text:
    """MLIR in colour, by the tokens of Fathom's own lexer."""
    from fathom.syntax.lexer import tokens_of

    colours: dict[str, str] = {
        "VALUE": "yellow",
        "SYMBOL": "bright_blue",
        "STRING": "green",
        "INTEGER": "magenta",
        "FLOAT": "magenta",
        "BLOCK": "bright_magenta",
    }
    result = Text()
    for line in text.splitlines():
        shown = Text(line)
        for token in tokens_of(line):
            is_operation = token.kind == "BARE" and "." in token.text
            shown.stylize("cyan" if is_operation else colours.get(token.kind, ""), token.column, token.end)
        result.append_text(shown).append("\n")
    result.rstrip()
    return result
