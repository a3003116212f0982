// RUN: mlir-opt %s
func.func @f(%a: i32, %b: i64) -> i64 {
  %c = arith.addi %a, %b : i64
  return %c : i64
}
