// RUN: mlir-opt %s --convert-arith-to-llvm --convert-scf-to-cf --convert-cf-to-llvm --finalize-memref-to-llvm \
// RUN:   --convert-func-to-llvm --reconcile-unrealized-casts
func.func @fill(%m: memref<8xf32>, %n: index, %value: f32) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  scf.for %i = %zero to %n step %one {
    memref.store %value, %m[%i] : memref<8xf32>
  }
  return
}
