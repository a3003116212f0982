// RUN: mlir-opt %s --pass-pipeline="builtin.module(func.func(ownership-based-buffer-deallocation,bufferization-lower-deallocations),convert-scf-to-cf,convert-arith-to-llvm,convert-cf-to-llvm,finalize-memref-to-llvm,convert-func-to-llvm,reconcile-unrealized-casts)"
func.func @either(%x: f32, %i: index, %c: i1) -> f32 {
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  cf.br ^bb3(%a, %b : memref<4xf32>, memref<4xf32>)
^bb2:
  %d = memref.alloc() : memref<4xf32>
  %e = memref.alloc() : memref<4xf32>
  cf.br ^bb3(%d, %e : memref<4xf32>, memref<4xf32>)
^bb3(%v: memref<4xf32>, %w: memref<4xf32>):
  memref.store %x, %v[%i] : memref<4xf32>
  memref.store %x, %w[%i] : memref<4xf32>
  %y = memref.load %v[%i] : memref<4xf32>
  return %y : f32
}
