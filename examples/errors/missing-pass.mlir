// RUN: mlir-opt %s --convert-arith-to-llvm --convert-func-to-llvm --reconcile-unrealized-casts | mlir-translate --mlir-to-llvmir
func.func @distance(%x: f32, %y: f32) -> f32 {
  %xx = arith.mulf %x, %x : f32
  %yy = arith.mulf %y, %y : f32
  %sum = arith.addf %xx, %yy : f32
  %root = math.sqrt %sum : f32
  return %root : f32
}
