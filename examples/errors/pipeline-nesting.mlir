// RUN: mlir-opt %s --pass-pipeline="builtin.module(func.func(convert-arith-to-llvm,convert-func-to-llvm,reconcile-unrealized-casts))"
func.func @twice(%a: i32) -> i32 {
  %b = arith.addi %a, %a : i32
  return %b : i32
}
