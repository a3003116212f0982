"""What passes make of a few characters that stand for more than anybody can hold, and of what has no answer:
`python -m tests.hunts.large` looks for more of it."""

from __future__ import annotations

from textwrap import dedent

from fathom.context import default_context
from fathom.elaborate import load
from fathom.ir.printer import print_module
from fathom.verify import verify
from tests.passes.running import lower


def check_after(name: str, before: str, after: str, **options: str) -> None:
    """What a pass makes of the operations of a text, without the functions around them."""
    module, said = lower(name, dedent(before), **options)
    assert not said
    lines = [line.strip() for line in print_module(module).split("\n")]
    assert [line for line in lines if dedent(after).strip() in line], lines


def test_equal_constants_are_reduced_without_a_list_of_them() -> None:
    for reduction, after in (("sum", "dense<3000000>"), ("product", "dense<-431905535>"), ("max", "dense<3>")):
        check_after(
            "tosa-layerwise-constant-fold",
            f"""
            func.func @f() -> tensor<1x90000xi32> {{
              %0 = "tosa.const"() {{values = dense<3> : tensor<1000000x90000xi32>}} : () -> tensor<1000000x90000xi32>
              %1 = tosa.reduce_{reduction} %0 {{axis = 0 : i32}} : (tensor<1000000x90000xi32>) -> tensor<1x90000xi32>
              return %1 : tensor<1x90000xi32>
            }}
            """,
            f"{after} : tensor<1x90000xi32>",
        )


def test_a_shape_of_many_sizes_tells_no_rank() -> None:
    check_after(
        "tosa-infer-shapes",
        """
        func.func @f(%arg0: tensor<f32>) -> tensor<?xf32> {
          %s = tosa.const_shape {values = dense<-1> : tensor<70000000000xindex>} : () -> !tosa.shape<70000000000>
          %0 = tosa.reshape %arg0, %s : (tensor<f32>, !tosa.shape<70000000000>) -> tensor<?xf32>
          return %0 : tensor<?xf32>
        }
        """,
        "tosa.reshape %arg0, %0 : (tensor<f32>, !tosa.shape<70000000000>) -> tensor<?xf32>",
    )


def test_an_element_is_not_put_into_a_constant_that_nobody_can_hold() -> None:
    check_after(
        "canonicalize",
        """
        func.func @f() -> vector<70000000000xi32> {
          %c = arith.constant 1 : i32
          %v = arith.constant dense<0> : vector<70000000000xi32>
          %0 = vector.insert %c, %v [2] : i32 into vector<70000000000xi32>
          return %0 : vector<70000000000xi32>
        }
        """,
        "vector.insert %c1_i32, %cst [2] : i32 into vector<70000000000xi32>",
    )


def test_a_division_by_nothing_has_no_range() -> None:
    for division in ("mod", "floordiv", "ceildiv"):
        check_after(
            "int-range-optimizations",
            f"""
            func.func @f() -> index {{
              %c = arith.constant 16 : index
              %0 = affine.apply affine_map<(d0)[s0] -> (d0 {division} (s0 - s0))>(%c)[%c]
              return %0 : index
            }}
            """,
            "return %0 : index",
        )


def test_a_product_with_a_number_beside_tensors_is_not_packed() -> None:
    check_after(
        "linalg-block-pack-matmul",
        """
        func.func @f(%a: f32, %b: tensor<4xf32>) -> tensor<4xf32> {
          %0 = linalg.generic {
            indexing_maps = [affine_map<(d0) -> ()>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]
          } ins(%a : f32) outs(%b : tensor<4xf32>) {
          ^bb0(%x: f32, %y: f32):
            linalg.yield %x : f32
          } -> tensor<4xf32>
          return %0 : tensor<4xf32>
        }
        """,
        "ins(%arg0 : f32) outs(%arg1 : tensor<4xf32>)",
        block_factors="32,16,64",
    )


def test_what_a_loop_yields_is_no_result_of_the_function() -> None:
    check_after(
        "normalize-memrefs",
        """
        func.func @f(%n: index, %m: memref<4xf32>) {
          %0 = scf.for %i = %n to %n step %n iter_args(%x = %m) -> memref<4xf32> {
            scf.yield %x : memref<4xf32>
          }
          return
        }
        """,
        "func.func @f(%arg0: index, %arg1: memref<4xf32>) {",
    )


def test_a_shuffle_of_what_nobody_can_hold_stays() -> None:
    check_after(
        "canonicalize",
        """
        func.func @f(%a: vector<70000000000xi32>) -> vector<2xi32> {
          %0 = vector.shuffle %a, %a [0, 1] : vector<70000000000xi32>, vector<70000000000xi32>
          return %0 : vector<2xi32>
        }
        """,
        "vector.shuffle %arg0, %arg0 [0, 1]",
    )


def test_memory_for_no_elements_is_not_taken_apart() -> None:
    check_after(
        "sroa",
        """
        func.func @f() -> memref<0x70000000000xi32> {
          %0 = memref.alloca() : memref<0x70000000000xi32>
          return %0 : memref<0x70000000000xi32>
        }
        """,
        "memref.alloca() : memref<0x70000000000xi32>",
    )


def test_a_buffer_of_elements_of_no_known_size_is_not_small() -> None:
    check_after(
        "promote-buffers-to-stack",
        """
        func.func @f() {
          %0 = memref.alloc() : memref<2xmemref<1xf32>>
          return
        }
        """,
        "memref.alloc() : memref<2xmemref<1xf32>>",
    )


def test_bits_become_bytes_in_one_go() -> None:
    check_after(
        "convert-vector-to-llvm",
        """
        func.func @f() -> vector<1000000xi1> {
          %c = arith.constant dense<2> : vector<1000000xindex>
          %0 = vector.step : vector<1000000xindex>
          %1 = arith.cmpi uge, %0, %c : vector<1000000xindex>
          return %1 : vector<1000000xi1>
        }
        """,
        'dense<"0xFCFFFF',
    )


def test_a_shape_of_many_sizes_is_counted() -> None:
    loaded = load(
        dedent("""
        func.func @f(%a: tensor<13x21xf32>, %c: tensor<1xf32>) -> tensor<13x21xf32> {
          %0 = tosa.const_shape {values = dense<1> : tensor<1000003xindex>} : () -> !tosa.shape<1000003>
          %1 = tosa.pad %a, %0, %c : (tensor<13x21xf32>, !tosa.shape<1000003>, tensor<1xf32>) -> tensor<13x21xf32>
          return %1 : tensor<13x21xf32>
        }
        """)
    )
    messages = [said.message for said in verify(loaded.module, context=default_context())]
    assert messages == ["'tosa.pad' op padding tensor must have 2 * 2 = 4 elements, but got 1000003"]


def test_a_vector_that_nobody_can_hold_is_not_taken_apart_for_functions() -> None:
    check_after(
        "convert-arith-to-apfloat",
        """
        func.func @f(%a: vector<70000000000xf32>) -> vector<70000000000xf32> {
          %0 = arith.addf %a, %a : vector<70000000000xf32>
          return %0 : vector<70000000000xf32>
        }
        """,
        "arith.addf %arg0, %arg0 : vector<70000000000xf32>",
    )
