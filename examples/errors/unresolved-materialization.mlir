// RUN: mlir-opt %s --arith-emulate-wide-int=widest-int-supported=32 --convert-vector-to-llvm --convert-arith-to-llvm --finalize-memref-to-llvm --convert-func-to-llvm --reconcile-unrealized-casts
func.func @distance(%here: i32, %there: i32, %kept: memref<i64>) {
  %from = arith.extsi %here : i32 to i64
  %to = arith.extsi %there : i32 to i64
  %way = arith.subi %to, %from : i64
  memref.store %way, %kept[] : memref<i64>
  return
}
