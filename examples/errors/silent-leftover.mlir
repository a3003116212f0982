// RUN: mlir-opt %s --convert-scf-to-cf --convert-arith-to-llvm --convert-cf-to-llvm --finalize-memref-to-llvm \
// RUN:   --convert-func-to-llvm --reconcile-unrealized-casts
func.func @corner(%m: memref<8x8xf32>) -> f32 {
  %zero = arith.constant 0 : index
  %view = memref.subview %m[2, 2] [4, 4] [1, 1] : memref<8x8xf32> to memref<4x4xf32, strided<[8, 1], offset: 18>>
  %value = memref.load %view[%zero, %zero] : memref<4x4xf32, strided<[8, 1], offset: 18>>
  return %value : f32
}
