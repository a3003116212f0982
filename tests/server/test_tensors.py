"""A function on tensors in the editor, with nothing set: each stage on the way down, *Run* and *Lower*."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from tests.server.client import Session, started
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
            assert any(source in each and target in made for each, made in links), (stage, links)


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
