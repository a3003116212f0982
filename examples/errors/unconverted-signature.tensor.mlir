// RUN: mlir-opt %s --convert-scf-to-cf --convert-arith-to-llvm --convert-cf-to-llvm --finalize-memref-to-llvm --convert-func-to-llvm --reconcile-unrealized-casts
func.func @at(%row: tensor<8xf32>, %i: index) -> f32 {
  %value = tensor.extract %row[%i] : tensor<8xf32>
  return %value : f32
}
