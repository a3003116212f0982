// RUN: mlir-opt %s --allow-unregistered-dialect --convert-scf-to-cf --convert-arith-to-llvm --convert-cf-to-llvm --finalize-memref-to-llvm --convert-func-to-llvm --reconcile-unrealized-casts \
// RUN:   | mlir-translate --allow-unregistered-dialect --mlir-to-llvmir
func.func @sell(%price: f32) {
  "shop.sell"(%price) : (f32) -> ()
  return
}
