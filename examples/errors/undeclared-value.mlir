// RUN: mlir-opt %s
func.func @f(%count: i32) -> i32 {
  %b = arith.addi %count, %cuont : i32
  return %b : i32
}
