// RUN: mlir-opt %s
func.func @f(%p: i1, %a: i32) -> i32 {
  cf.cond_br %p, ^bb1, ^bb2
^bb1:
  %b = arith.addi %a, %a : i32
  cf.br ^bb2
^bb2:
  return %b : i32
}
