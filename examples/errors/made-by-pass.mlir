// RUN: mlir-opt %s --expand-strided-metadata --convert-scf-to-cf --convert-arith-to-llvm --convert-cf-to-llvm \
// RUN:   --finalize-memref-to-llvm --convert-func-to-llvm --reconcile-unrealized-casts
func.func @row(%m: memref<8x8xf32>, %i: index) -> f32 {
  %zero = arith.constant 0 : index
  %view = memref.subview %m[%i, 0] [1, 8] [1, 1] : memref<8x8xf32> to memref<1x8xf32, strided<[8, 1], offset: ?>>
  %value = memref.load %view[%zero, %zero] : memref<1x8xf32, strided<[8, 1], offset: ?>>
  return %value : f32
}
