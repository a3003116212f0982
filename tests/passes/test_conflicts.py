"""Whether something is in the way of writing in place is found out without a look at all pairs of reads and writes.
What it is, is found by looking at them."""

from __future__ import annotations

import pytest

from fathom.bufferization.analysis import OneShotState
from fathom.bufferization.conflicts import Conflicts
from fathom.bufferization.uses import Use
from fathom.ir.operation import Value
from fathom.library import lower
from tests.generated.on_tensors.programs import program

OPTIONS = "bufferize-function-boundaries allow-return-allocs-from-loops"
BLOCKS = """\
func.func @f(%c: i1, %x: f32, %y: f32, %i: index, %t: tensor<8xf32>) -> (f32, tensor<8xf32>) {
  %a = linalg.fill ins(%x : f32) outs(%t : tensor<8xf32>) -> tensor<8xf32>
  cf.cond_br %c, ^left, ^right
^left:
  %b = linalg.fill ins(%y : f32) outs(%a : tensor<8xf32>) -> tensor<8xf32>
  cf.br ^end(%b : tensor<8xf32>)
^right:
  %d = tensor.insert %y into %a[%i] : tensor<8xf32>
  cf.br ^end(%d : tensor<8xf32>)
^end(%e: tensor<8xf32>):
  %r = tensor.extract %a[%i] : tensor<8xf32>
  %g = tensor.insert %r into %e[%i] : tensor<8xf32>
  return %r, %g : f32, tensor<8xf32>
}
"""


@pytest.mark.parametrize("heuristic", ["bottom-up", "top-down", "fuzzer"])
def test_something_is_in_the_way_where_there_are_conflicts(monkeypatch: pytest.MonkeyPatch, heuristic: str) -> None:
    decide, answers = OneShotState.decide, set[bool]()

    def compared(state: OneShotState, use: Use) -> None:
        quick = state.conflicts.stand_against(use)
        assert quick == bool(state.conflicts.of(use)), use
        assert state.conflicts.are_decided(use) == bool(state.conflicts.decided(use)), use
        answers.add(quick)
        decide(state, use)

    monkeypatch.setattr(OneShotState, "decide", compared)
    for text in [BLOCKS, *(program(number).text for number in range(25))]:
        lower(text, f"builtin.module(one-shot-bufferize{{{OPTIONS} analysis-heuristic={heuristic}}})")
    assert answers == {False, True}


def test_of_one_buffer_each_read_is_compared_with_few_writes(monkeypatch: pytest.MonkeyPatch) -> None:
    compared: list[Use] = []
    conflicting = Conflicts._conflicting  # pyright: ignore[reportPrivateUsage]

    def counted(self: Conflicts, read: Use, write: Use, definitions: dict[Value, None]) -> object:
        compared.append(read)
        return conflicting(self, read, write, definitions)

    monkeypatch.setattr(Conflicts, "_conflicting", counted)
    rounds = 100
    lines = [
        f"  %r{each} = tensor.extract %t{each}[%i] : tensor<8xf32>\n"
        f"  %t{each + 1} = tensor.insert %r{each} into %t{each}[%j] : tensor<8xf32>"
        for each in range(rounds)
    ]
    result = f"  return %t{rounds} : tensor<8xf32>"
    head = "func.func @f(%i: index, %j: index, %t0: tensor<8xf32>) -> tensor<8xf32> {"
    lowered = lower("\n".join([head, *lines, result, "}"]), f"builtin.module(one-shot-bufferize{{{OPTIONS}}})")
    assert lowered.text.count("memref.store") == rounds and "memref.copy" not in lowered.text
    assert len(compared) < 10 * rounds
