"""Operations whose regions the text leaves out, as linalg's named ones do: what the editor knows of them."""

from __future__ import annotations

from lsprotocol import types

from tests.server.client import started

TEXT = """\
func.func @f(%a: tensor<4x8xf32>, %b: tensor<8x4xf32>, %c: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x4xf32>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = linalg.generic {
    indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>],
    iterator_types = ["parallel", "parallel"]
  } outs(%0 : tensor<4x4xf32>) {
  ^bb0(%x: f32):
    %y = math.exp %x : f32
    linalg.yield %y : f32
  } -> tensor<4x4xf32>
  %2 = linalg.transpose ins(%1 : tensor<4x4xf32>) outs(%c : tensor<4x4xf32>) permutation = [1, 1]
  %3 = tensor.extract_slice %2[0, 0] [2, 5] [1, 1] : tensor<4x4xf32> to tensor<2x5xf32>
  return %2 : tensor<4x4xf32>
}
"""


async def test_mistakes_hover_and_definition() -> None:
    async with started() as session:
        buffer = session.open(TEXT)
        messages = await buffer.diagnostics(lambda lines: len(lines) >= 2)
        assert [line for line in messages if "op " in line or "slice" in line][:2] == [
            "11: 'linalg.transpose' op permutation is not valid",
            "12: slice along dimension 1 runs out-of-bounds: 4 >= 4",
        ]
        assert "linalg.matmul" in await buffer.hover(buffer.at("linalg.matmul", 8))
        assert "tensor<4x4xf32>" in await buffer.hover(buffer.at("outs(%0", 6))
        use = buffer.at("outs(%0", 6)
        (where,) = await buffer.definition(use)
        assert isinstance(where, types.Location)
        assert (where.range.start.line, where.range.start.character) == (1, 2)
        buffer.edit(("[1, 1]\n  %3", "[1, 0]\n  %3"), ("[2, 5]", "[2, 3]"), ("tensor<2x5xf32>", "tensor<2x3xf32>"))
        await buffer.diagnostics(lambda lines: not [line for line in lines if "not valid" in line or "slice" in line])
