// RUN: mlir-opt %s --convert-to-llvm=allow-pattern-rollback=0 --reconcile-unrealized-casts
func.func @planes(%image: memref<?x?xf32>, %shape: memref<3xi32>) -> memref<?x?x8xf32> {
  %planes = memref.reshape %image(%shape) : (memref<?x?xf32>, memref<3xi32>) -> memref<?x?x8xf32>
  return %planes : memref<?x?x8xf32>
}
