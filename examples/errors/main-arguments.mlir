// RUN: mlir-opt %s --convert-arith-to-llvm --convert-func-to-llvm --reconcile-unrealized-casts | mlir-runner -e main --entry-point-result=i32
func.func @main(%a: i32, %b: i32) -> i32 {
  %sum = arith.addi %a, %b : i32
  return %sum : i32
}
