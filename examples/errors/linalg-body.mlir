// RUN: mlir-opt %s --convert-scf-to-cf --convert-arith-to-llvm --convert-cf-to-llvm --finalize-memref-to-llvm --convert-func-to-llvm --reconcile-unrealized-casts
func.func @dot(%a: memref<8xf32>, %b: memref<8xf32>, %sum: memref<f32>) {
  linalg.contract
      indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> ()>]
      ins(%a, %b : memref<8xf32>, memref<8xf32>) outs(%sum : memref<f32>)
  return
}
