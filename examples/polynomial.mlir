// Polynomials by Horner's rule, and a root by Newton's.
// RESULT: @main() : f32 = 1.324718e+00

// p(x) and its derivative, for coefficients from the highest power down.
func.func @evaluate(%p: memref<?xf64>, %x: f64) -> (f64, f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f64
  %n = memref.dim %p, %c0 : memref<?xf64>
  %value, %slope = scf.for %i = %c0 to %n step %c1 iter_args(%v = %zero, %d = %zero) -> (f64, f64) {
    %coefficient = memref.load %p[%i] : memref<?xf64>
    %dx = arith.mulf %d, %x : f64
    %next_d = arith.addf %dx, %v : f64
    %vx = arith.mulf %v, %x : f64
    %next_v = arith.addf %vx, %coefficient : f64
    scf.yield %next_v, %next_d : f64, f64
  }
  return %value, %slope : f64, f64
}

// Newton's steps until they are small; at most 64 of them.
func.func @root(%p: memref<?xf64>, %start: f64) -> f64 {
  %epsilon = arith.constant 1.000000e-12 : f64
  %zero = arith.constant 0.0 : f64
  %one = arith.constant 1 : i32
  %none = arith.constant 0 : i32
  %limit = arith.constant 64 : i32
  %x, %turns = scf.while (%x = %start, %n = %none) : (f64, i32) -> (f64, i32) {
    %value, %slope = func.call @evaluate(%p, %x) : (memref<?xf64>, f64) -> (f64, f64)
    %step = arith.divf %value, %slope : f64
    %minus = arith.negf %step : f64
    %negative = arith.cmpf olt, %step, %zero : f64
    %size = arith.select %negative, %minus, %step : f64
    %large = arith.cmpf ogt, %size, %epsilon : f64
    %early = arith.cmpi ult, %n, %limit : i32
    %more = arith.andi %large, %early : i1
    %next = arith.subf %x, %step : f64
    scf.condition(%more) %next, %n : f64, i32
  } do {
  ^bb0(%next: f64, %n: i32):
    %counted = arith.addi %n, %one : i32
    scf.yield %next, %counted : f64, i32
  }
  return %x : f64
}

// x^3 - x - 1 has its real root at the plastic ratio.
func.func @main() -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %one = arith.constant 1.0 : f64
  %zero = arith.constant 0.0 : f64
  %minus_one = arith.constant -1.0 : f64
  %p = memref.alloca() : memref<4xf64>
  memref.store %one, %p[%c0] : memref<4xf64>
  memref.store %zero, %p[%c1] : memref<4xf64>
  memref.store %minus_one, %p[%c2] : memref<4xf64>
  memref.store %minus_one, %p[%c3] : memref<4xf64>
  %any = memref.cast %p : memref<4xf64> to memref<?xf64>
  %root = call @root(%any, %one) : (memref<?xf64>, f64) -> f64
  %result = arith.truncf %root : f64 to f32
  return %result : f32
}
