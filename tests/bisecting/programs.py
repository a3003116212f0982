"""Programs in which passes are given mistakes."""

from __future__ import annotations

from typing import Final

SCALARS: Final = """\
// A bit of everything that is computed with integers.
func.func @scalars(%a: i32, %b: i32) -> i32 {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %three = arith.constant 3 : i32
  // Sums of constants.
  %s0 = arith.addi %a, %two : i32
  %s1 = arith.addi %s0, %three : i32
  %s2 = arith.subi %s1, %one : i32
  %m0 = arith.muli %s2, %one : i32
  %m1 = arith.muli %m0, %two : i32
  %m2 = arith.muli %m1, %three : i32
  %d = arith.subi %m2, %b : i32
  %x = arith.xori %d, %zero : i32
  %n = arith.andi %x, %a : i32
  %o = arith.ori %n, %zero : i32
  %q = arith.divsi %x, %three : i32
  %r = arith.remsi %x, %two : i32
  %big = arith.maxsi %q, %b : i32
  %least = arith.minsi %big, %d : i32
  %w = arith.extsi %least : i32 to i64
  %u = arith.extui %r : i32 to i64
  %sum = arith.addi %w, %u : i64
  %t = arith.trunci %sum : i64 to i32
  %c = arith.cmpi sgt, %t, %o : i32
  %k = arith.select %c, %t, %b : i32
  %f = arith.sitofp %k : i32 to f64
  %half = arith.constant 0.5 : f64
  %g = arith.mulf %f, %half : f64
  %h = arith.subf %f, %g : f64
  %i = arith.fptosi %h : f64 to i32
  %l = arith.shli %i, %two : i32
  %v = arith.shrsi %l, %one : i32
  return %v : i32
}
"""
CONTROL: Final = """\
// Loops and conditions.
func.func @control(%n: index, %a: i64) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %seven = arith.constant 7 : i64
  %total = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %a) -> (i64) {
    %rest = arith.remui %i, %c2 : index
    %even = arith.cmpi eq, %rest, %c0 : index
    %next = scf.if %even -> (i64) {
      // Even steps add.
      %v = arith.index_cast %i : index to i64
      %fixed = arith.muli %a, %seven : i64
      %w = arith.addi %v, %fixed : i64
      %x = arith.addi %acc, %w : i64
      scf.yield %x : i64
    } else {
      %y = arith.subi %acc, %seven : i64
      scf.yield %y : i64
    }
    scf.yield %next : i64
  }
  %down = scf.while (%x = %total) : (i64) -> i64 {
    %more = arith.cmpi sgt, %x, %seven : i64
    scf.condition(%more) %x : i64
  } do {
  ^bb0(%x: i64):
    %y = arith.subi %x, %seven : i64
    scf.yield %y : i64
  }
  %flag = arith.cmpi slt, %down, %a : i64
  cf.cond_br %flag, ^bb1(%down : i64), ^bb2
^bb1(%p: i64):
  %doubled = arith.addi %p, %total : i64
  return %doubled : i64
^bb2:
  return %total : i64
}
"""
MEMORY: Final = """\
// Affine loops over memory.
func.func @memory(%m: memref<8xi32>, %k: i32) -> i32 {
  %t = memref.alloc() : memref<8xi32>
  affine.for %i = 0 to 8 {
    %x = arith.index_cast %i : index to i32
    %y = arith.muli %x, %k : i32
    affine.store %y, %t[%i] : memref<8xi32>
  }
  affine.for %i = 0 to 8 {
    %x = affine.load %t[7 - %i] : memref<8xi32>
    %y = affine.load %m[(%i floordiv 2) * 2] : memref<8xi32>
    %z = arith.subi %x, %y : i32
    affine.store %z, %m[%i] : memref<8xi32>
  }
  %zero = arith.constant 0 : i32
  %sum = affine.for %i = 0 to 8 iter_args(%acc = %zero) -> (i32) {
    %x = affine.load %m[%i] : memref<8xi32>
    %w = affine.apply affine_map<(d0) -> (d0 mod 3 + 1)>(%i)
    %v = arith.index_cast %w : index to i32
    %p = arith.muli %x, %v : i32
    %s = arith.addi %acc, %p : i32
    affine.yield %s : i32
  }
  memref.dealloc %t : memref<8xi32>
  return %sum : i32
}
"""
REPEATED: Final = """\
// The same is computed twice, and again in a loop; something is written in between.
func.func @repeated(%m: memref<4xi32>, %n: index, %a: i32, %b: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = arith.subi %a, %b : i32
  %y = arith.subi %b, %a : i32
  %z = arith.subi %a, %b : i32
  %p = arith.muli %x, %y : i32
  %q = arith.addi %p, %z : i32
  %before = memref.load %m[%c1] : memref<4xi32>
  memref.store %q, %m[%c1] : memref<4xi32>
  %after = memref.load %m[%c1] : memref<4xi32>
  %d = arith.subi %after, %before : i32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %d) -> (i32) {
    %old = memref.load %m[%c0] : memref<4xi32>
    %k = arith.addi %a, %b : i32
    %new = arith.addi %old, %k : i32
    memref.store %new, %m[%c0] : memref<4xi32>
    %s = arith.addi %acc, %new : i32
    scf.yield %s : i32
  }
  return %r : i32
}
"""
TENSORS: Final = """\
#map = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
// A product, something added, the sums of its rows, and a part that is written to.
func.func @tensors(%a: tensor<2x3xf32>, %b: tensor<3x2xf32>, %c: tensor<2x2xf32>) -> (tensor<2xf32>, tensor<2x2xf32>) {
  %zero = arith.constant 0.0 : f32
  %two = arith.constant 2.0 : f32
  %e = tensor.empty() : tensor<2x2xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x2xf32>) -> tensor<2x2xf32>
  %p = linalg.matmul ins(%a, %b : tensor<2x3xf32>, tensor<3x2xf32>) outs(%f : tensor<2x2xf32>) -> tensor<2x2xf32>
  %s = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]}
      ins(%p, %c : tensor<2x2xf32>, tensor<2x2xf32>) outs(%e : tensor<2x2xf32>) {
  ^bb0(%x: f32, %y: f32, %out: f32):
    %d = arith.subf %x, %y : f32
    %m = arith.mulf %d, %two : f32
    linalg.yield %m : f32
  } -> tensor<2x2xf32>
  %v = tensor.empty() : tensor<2xf32>
  %w = linalg.fill ins(%zero : f32) outs(%v : tensor<2xf32>) -> tensor<2xf32>
  %r = linalg.generic {indexing_maps = [#map, #row], iterator_types = ["parallel", "reduction"]}
      ins(%s : tensor<2x2xf32>) outs(%w : tensor<2xf32>) {
  ^bb0(%x: f32, %acc: f32):
    %t = arith.addf %acc, %x : f32
    linalg.yield %t : f32
  } -> tensor<2xf32>
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %u = tensor.insert %two into %s[%i0, %i1] : tensor<2x2xf32>
  %old = tensor.extract %s[%i0, %i1] : tensor<2x2xf32>
  %new = tensor.insert %old into %u[%i1, %i0] : tensor<2x2xf32>
  return %r, %new : tensor<2xf32>, tensor<2x2xf32>
}
"""
LAYERS: Final = """\
// A layer of a model.
func.func @layers(%x: tensor<2x3xi32>, %y: tensor<2x3xi32>) -> (tensor<1x3xi32>, tensor<3x2xi32>) {
  %a = tosa.add %x, %y : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
  %b = tosa.sub %a, %y : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
  %c = tosa.maximum %b, %y : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
  %d = tosa.bitwise_and %c, %x : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
  %s = tosa.reduce_sum %c {axis = 0 : i32} : (tensor<2x3xi32>) -> tensor<1x3xi32>
  %t = tosa.transpose %d {perms = array<i32: 1, 0>} : (tensor<2x3xi32>) -> tensor<3x2xi32>
  return %s, %t : tensor<1x3xi32>, tensor<3x2xi32>
}
"""
VECTORS: Final = """\
// Vectors, from memory and back.
func.func @vectors(%m: memref<6xf32>, %v: vector<4xf32>, %w: vector<2x3xf32>) -> (f32, vector<4xf32>, vector<2xf32>) {
  %zero = arith.constant 0.0 : f32
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %a = vector.transfer_read %m[%c1], %zero {in_bounds = [true]} : memref<6xf32>, vector<4xf32>
  %b = vector.transfer_read %m[%c4], %zero : memref<6xf32>, vector<4xf32>
  %c = vector.fma %a, %v, %b : vector<4xf32>
  %d = vector.shuffle %c, %a [3, 4, 1, 6] : vector<4xf32>, vector<4xf32>
  %e = arith.subf %d, %b : vector<4xf32>
  %x = vector.extract %e[2] : f32 from vector<4xf32>
  %f = vector.insert %x, %e[0] : f32 into vector<4xf32>
  vector.transfer_write %f, %m[%c1] : vector<4xf32>, memref<6xf32>
  %start = arith.constant dense<1.0> : vector<2xf32>
  %rows = vector.multi_reduction <add>, %w, %start [1] : vector<2x3xf32> to vector<2xf32>
  %s = vector.reduction <add>, %f : vector<4xf32> into f32
  return %s, %f, %rows : f32, vector<4xf32>, vector<2xf32>
}
"""
