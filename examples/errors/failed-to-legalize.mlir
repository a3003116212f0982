// RUN: mlir-opt %s --convert-complex-to-libm --convert-complex-to-llvm --convert-func-to-llvm --reconcile-unrealized-casts
func.func @length(%z: complex<f16>) -> f16 {
  %length = complex.abs %z : complex<f16>
  return %length : f16
}
