// RUN: mlir-opt %s --convert-scf-to-cf --convert-arith-to-llvm --convert-cf-to-llvm --finalize-memref-to-llvm --convert-func-to-llvm --reconcile-unrealized-casts
func.func @get(%m: memref<8xf32, affine_map<(i) -> (i floordiv 2, i mod 2)>>, %i: index) -> f32 {
  %value = memref.load %m[%i] : memref<8xf32, affine_map<(i) -> (i floordiv 2, i mod 2)>>
  return %value : f32
}
