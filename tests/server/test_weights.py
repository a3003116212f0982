"""Of weights and long strings features show the beginning, or what MLIR writes in their place."""

from __future__ import annotations

import pytest

from fathom.context import default_context
from fathom_server.features.hover import hover
from fathom_server.features.preview import preview
from fathom_server.features.stages import LLVM_DIALECT, LLVM_IR, SOURCE, stages
from fathom_server.model.document import Document
from fathom_server.model.settings import Settings
from fathom_server.model.snapshot import Snapshot

COUNT = 20_000
DIGITS = "".join(f"{number % 251:02X}" for number in range(4 * COUNT))
LIST = ", ".join(str(number % 251) for number in range(COUNT))
TEXT = f"""\
memref.global "private" constant @w : memref<{COUNT}xf32> = dense<"0x{DIGITS}">
func.func @f(%v: vector<{COUNT}xi16>, %i: index) -> (f32, vector<{COUNT}xi16>) {{
  %weights = arith.constant dense<[{LIST}]> : vector<{COUNT}xi16>
  %sum = arith.addi %v, %weights : vector<{COUNT}xi16>
  %w = memref.get_global @w : memref<{COUNT}xf32>
  %x = memref.load %w[%i] : memref<{COUNT}xf32>
  return %x, %sum : f32, vector<{COUNT}xi16>
}}
"""


def weights() -> Snapshot:
    return Document("file:///a.mlir", 0, TEXT, default_context(), Settings()).snapshot()


@pytest.mark.parametrize("stage", [SOURCE, LLVM_DIALECT, LLVM_IR])
def test_previews_leave_weights_out(stage: str) -> None:
    snapshot = weights()
    made = preview(snapshot, next(candidate for candidate in stages(snapshot) if candidate.id == stage), None)
    assert made.text is not None, made.problem
    assert max(map(len, made.text.splitlines())) < 10_000
    assert all(link.target.end <= len(made.text) for link in made.links)


@pytest.mark.parametrize("word", ["%weights", "arith.constant", "[0, 1", "@w", "memref.global", "0x00", "%x"])
def test_hovers_show_no_more_than_the_beginning_of_weights(word: str) -> None:
    shown = hover(weights(), TEXT.index(word) + 1)
    assert shown is None or len(shown.markdown) < 6000
