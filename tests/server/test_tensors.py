"""A function on tensors in the editor, with nothing set: each stage on the way down, *Run* and *Lower*."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from lsprotocol import types

from tests.server.client import Session, capabilities, started
from tests.server.test_previews import text_of

pytestmark = pytest.mark.asyncio(loop_scope="module")

TEXT = """\
#map = affine_map<(d0) -> (d0)>
func.func @relu(%x: tensor<?xf32>, %bias: tensor<?xf32>) -> tensor<?xf32> {
  %zero = arith.constant 0.0 : f32
  %sum = arith.addf %x, %bias : tensor<?xf32>
  %result = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]}
      ins(%sum : tensor<?xf32>) outs(%x : tensor<?xf32>) {
  ^bb0(%value: f32, %out: f32):
    %positive = arith.maximumf %value, %zero : f32
    linalg.yield %positive : f32
  } -> tensor<?xf32>
  return %result : tensor<?xf32>
}
"""


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def session() -> AsyncIterator[Session]:
    async with started() as session:
        yield session


async def test_each_stage_leads_back_to_the_tensors(session: Session) -> None:
    buffer = session.open(TEXT)
    stages = [stage["id"] for stage in await buffer.ask("fathom/stages", function="relu")]
    assert stages[:4] == ["source", "elements-of-tensors", "memory-for-tensors", "convert-linalg-to-loops"]
    expected = {
        "elements-of-tensors": ("arith.addf %x, %bias : tensor<?xf32>", "arith.addf"),
        "memory-for-tensors": ("arith.addf %x, %bias : tensor<?xf32>", "linalg.generic"),
        "convert-linalg-to-loops": ("arith.maximumf %value, %zero : f32", "arith.maximumf"),
        "llvm-dialect": ("arith.addf %x, %bias : tensor<?xf32>", "llvm.fadd"),
        "llvm-ir": ("arith.maximumf %value, %zero : f32", "llvm.maximum.f32"),
    }
    for stage in stages[1:]:
        shown = await buffer.ask("fathom/preview", stage=stage, function="relu")
        assert not shown["stale"], shown
        links = [text_of(buffer, shown, entry) for entry in shown["map"]]
        assert all(source for source, _ in links)
        if stage in expected:
            source, target = expected[stage]
            assert any(source in link_source and target in made for link_source, made in links), (stage, links)


async def test_it_runs(session: Session) -> None:
    buffer = session.open(TEXT)
    answer = await buffer.run("relu", [1, -2, 3], [1, 1, 1])
    assert answer["status"] == "ok", answer
    assert answer["results"][0]["value"] == [2.0, 0.0, 4.0], answer
    assert not answer.get("notes"), answer


async def test_it_is_lowered_in_place(session: Session) -> None:
    buffer = session.open(TEXT)
    assert await session.command("fathom.lowerFunction", buffer.uri, "relu") == {"applied": True}
    assert "llvm.func @relu(" in str(session.edits[-1])


COPIED = """\
func.func @keep(%t: tensor<4xf32>, %x: f32, %i: index) -> (tensor<4xf32>, f32) {
  %made = linalg.fill ins(%x : f32) outs(%t : tensor<4xf32>) -> tensor<4xf32>
  %changed = tensor.insert %x into %made[%i] : tensor<4xf32>
  %old = tensor.extract %made[%i] : tensor<4xf32>
  return %changed, %old : tensor<4xf32>, f32
}
"""


def client_of(**experimental: object) -> types.ClientCapabilities:
    can = capabilities()
    can.experimental = {"fathom": experimental}
    return can


async def test_why_a_tensor_is_copied_is_said_with_links_where_they_can_be_followed() -> None:
    for can, places in ((client_of(), "line {0}"), (client_of(lineLinks=True), "[line {0}]({1}#L{0})")):
        async with started(can) as session:
            buffer = session.open(COPIED)
            said = await buffer.hover(buffer.at("%changed ="))
            read, write = (places.format(line, buffer.uri) for line in (4, 3))
            assert f"Copied, since `%made` is read at {read} after {write} writes to the same buffer." in said


async def test_a_lens_counts_copies_and_hints_show_them() -> None:
    async with started(client_of(commands=["fathom.lens.references"])) as session:
        buffer = session.open(COPIED)
        lenses = await session.client.text_document_code_lens_async(types.CodeLensParams(buffer.identifier))
        (lens,) = [
            candidate
            for candidate in lenses or ()
            if isinstance(candidate.data, dict) and candidate.data["kind"] == "copies"
        ]
        resolved = await session.client.code_lens_resolve_async(lens)
        assert resolved.command is not None
        assert resolved.command.title == "1 copy"
        whole = types.InlayHintParams(buffer.identifier, types.Range(types.Position(0, 0), types.Position(5, 0)))
        assert "copy" not in [hint.label for hint in await session.client.text_document_inlay_hint_async(whole) or ()]
        session.client.workspace_did_change_configuration(
            types.DidChangeConfigurationParams({"fathom": {"inlayHints": {"inPlace": True}}})
        )
        hints = [hint.label for hint in await session.client.text_document_inlay_hint_async(whole) or ()]
        assert [label for label in hints if not str(label).startswith(":")] == ["new buffer", "copy"]
