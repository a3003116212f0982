"""*Find the pass that breaks it*, over a real process."""

from __future__ import annotations

from typing import Any, Final

from lsprotocol import types

from tests.server.client import Session, capabilities, started

FUSED: Final = """\
// RUN: mlir-opt %s --affine-loop-fusion --lower-affine --convert-to-llvm --reconcile-unrealized-casts
func.func @f(%m: memref<4xi32>) {
  %t = memref.alloc() : memref<4xi32>
  affine.for %i = 0 to 4 {
    %x = affine.load %m[%i] : memref<4xi32>
    affine.store %x, %t[%i] : memref<4xi32>
  }
  affine.for %i = 0 to 4 {
    %x = affine.load %t[3 - %i] : memref<4xi32>
    affine.store %x, %m[%i] : memref<4xi32>
  }
  return
}
func.func @g(%a: i32) -> i32 {
  return %a : i32
}
"""


async def search(session: Session, uri: str, function: str, *arguments: object) -> Any:
    about = {"uri": uri, "function": function, "arguments": list(arguments)}
    return await session.command("fathom.bisectFunction", about)


async def titles(session: Session, uri: str) -> list[str]:
    place = types.Position(1, 12)
    params = types.CodeActionParams(
        types.TextDocumentIdentifier(uri), types.Range(place, place), types.CodeActionContext([])
    )
    return [action.title for action in await session.client.text_document_code_action_async(params) or []]


async def test_the_pass_is_found() -> None:
    """MLIR's own pass changes what this function does, and so does the one here that follows it."""
    async with started() as session:
        buffer = session.open(FUSED)
        found = await search(session, buffer.uri, "f", [1, 2, 3, 4])
        assert (found["status"], found["pass"]) == ("found", "affine-loop-fusion")
        assert found["message"] == "the pass affine-loop-fusion changes what it does"
        assert "affine.load" in found["smallest"]
        assert "@g" not in found["smallest"]
        assert [stage["pass"] for stage in found["stages"]] == ["source", "affine-loop-fusion"]
        found = await search(session, buffer.uri, "g", 7)
        assert (found["status"], found["message"]) == ("none", "no pass changes what it does")
        assert {stage["does"] for stage in found["stages"]} == {"7"}


async def test_what_cannot_be_called_is_said() -> None:
    async with started() as session:
        buffer = session.open(FUSED)
        found = await search(session, buffer.uri, "h")
        assert found["status"] == "error"
        assert found["message"].startswith("no function '@h' with a body")


async def test_the_action_is_offered_to_clients_that_can_do_it() -> None:
    action = "Find the pass that breaks `@f`…"
    async with started() as session:
        buffer = session.open(FUSED)
        assert action not in await titles(session, buffer.uri)
    able = capabilities()
    able.experimental = {"fathom": {"commands": ["fathom.lens.bisect"]}}
    async with started(able) as session:
        buffer = session.open(FUSED)
        assert action in await titles(session, buffer.uri)


async def test_whatever_is_offered_can_be_resolved() -> None:
    """Neovim asks of each action without an edit what it is, also of one that is a command."""
    able = capabilities(resolve=True, creates_files=True)
    able.experimental = {"fathom": {"commands": ["fathom.lens.bisect"]}}
    async with started(able) as session:
        buffer = session.open(FUSED)
        await buffer.diagnostics()
        for word in ("@f", "%t = ", "RUN", "@g"):
            for action in await buffer.actions(buffer.at(word)):
                if action.edit is not None:
                    continue
                # What lsprotocol took for a command has lost what goes back to the server.
                action.data = action.data or {"uri": buffer.uri}
                resolved = await session.client.code_action_resolve_async(action)
                done = (resolved.edit, resolved.command, resolved.disabled)
                assert (resolved.title, any(done)) == (action.title, True)
                if action.command is not None:
                    assert resolved.command is not None
                    assert (resolved.command.command, resolved.edit) == (action.command.command, None)
