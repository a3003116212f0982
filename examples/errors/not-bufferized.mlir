// RUN: mlir-opt %s --one-shot-bufferize=bufferize-function-boundaries --convert-scf-to-cf --convert-arith-to-llvm --convert-cf-to-llvm --finalize-memref-to-llvm --convert-func-to-llvm --reconcile-unrealized-casts
func.func @twice(%a: tensor<8xf32>) -> tensor<8xf32> {
  %b = arith.addf %a, %a : tensor<8xf32>
  return %b : tensor<8xf32>
}
