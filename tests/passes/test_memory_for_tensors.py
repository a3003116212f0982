"""What `lower-to-llvm` makes of tensors: no copy that need not be."""

from __future__ import annotations

from fathom.context import default_context
from fathom.elaborate import load
from fathom.ir.printer import print_module
from fathom.library import lower
from fathom.passes.memory_for_tensors import MemoryForTensors
from fathom.pipeline.defaults import pipeline_of
from fathom.pipeline.lowering import run
from fathom.verify import verify

PUT_BACK = """\
func.func @f(%x: f32) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %a = linalg.fill ins(%x : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %s = tensor.extract_slice %a[2][4][1] : tensor<8xf32> to tensor<4xf32>
  %g = linalg.fill ins(%x : f32) outs(%s : tensor<4xf32>) -> tensor<4xf32>
  %b = tensor.insert_slice %g into %a[OFFSET][4][1] : tensor<4xf32> into tensor<8xf32>
  return %b : tensor<8xf32>
}
"""


def check_copies(offset: int, copies: int) -> None:
    lowered = lower(PUT_BACK.replace("OFFSET", str(offset)))
    stage = next(candidate for candidate in lowered.stages if candidate.name == "memory-for-tensors")
    assert stage.text.count("memref.copy") == copies, stage.text


def test_a_part_that_is_put_back_is_not_copied_onto_itself() -> None:
    check_copies(2, 0)


def test_a_part_that_is_put_elsewhere_is_copied() -> None:
    check_copies(3, 1)


IN_A_TABLE = """\
"foo.table"() ({
  func.func @callee(%t: tensor<4xf32>) -> tensor<4xf32> {
    return %t : tensor<4xf32>
  }
  func.func @caller(%t: tensor<4xf32>) -> tensor<4xf32> {
    %0 = call @callee(%t) : (tensor<4xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}) : () -> ()
"""


def test_a_call_in_a_table_that_nobody_knows_has_no_form() -> None:
    context = default_context()
    module = load(IN_A_TABLE, context).module
    asked = pipeline_of("--one-shot-bufferize=bufferize-function-boundaries")
    said = run(asked, module, context, verifying="never").diagnostics
    assert [diagnostic.message for diagnostic in said] == ["failed to bufferize op"]


FREES_ITSELF = """\
func.func @f(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloc() : memref<4xf32>
  memref.store %x, %m[%c0] : memref<4xf32>
  %t = tensor.from_elements %x, %x : tensor<2xf32>
  %0 = tensor.extract %t[%c0] : tensor<2xf32>
  memref.dealloc %m : memref<4xf32>
  return %0 : f32
}
"""


def test_a_function_in_which_nothing_is_freed_stays_the_one_it_was() -> None:
    context = default_context()
    module = load(FREES_ITSELF, context).module
    (function,) = module.regions[0].entry
    assert not MemoryForTensors().run(module, context)
    assert list(module.regions[0].entry) == [function]
    assert not verify(module, context=context)
    text = print_module(module)
    assert text.count("memref.alloc") == 2
    assert text.count("memref.dealloc") == 1
