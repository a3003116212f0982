// saxpy: y := a * x + y, over memrefs whose size is known at run time only.
// RESULT: @main() : f32 = 9.300000e+01

// Each of the two memref arguments becomes five arguments in the LLVM dialect: the pointer that was allocated, the
// aligned pointer, the offset, the size and the stride.
func.func @saxpy(%a: f32, %x: memref<?xf32>, %y: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  scf.for %i = %c0 to %n step %c1 {
    %xi = memref.load %x[%i] : memref<?xf32>
    %yi = memref.load %y[%i] : memref<?xf32>
    %ax = arith.mulf %a, %xi : f32
    %r = arith.addf %ax, %yi : f32
    memref.store %r, %y[%i] : memref<?xf32>
  }
  return
}

func.func private @sum(%x: memref<?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %n = memref.dim %x, %c0 : memref<?xf32>
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (f32) {
    %xi = memref.load %x[%i] : memref<?xf32>
    %next = arith.addf %acc, %xi : f32
    scf.yield %next : f32
  }
  return %sum : f32
}

// x = [0, 1, 2, 3, 4, 5], y = [3, 3, 3, 3, 3, 3], a = 5: the sum of the result is 5 * 15 + 6 * 3.
func.func @main() -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  %three = arith.constant 3.0 : f32
  %five = arith.constant 5.0 : f32
  %x = memref.alloc(%c6) : memref<?xf32>
  %y = memref.alloc(%c6) : memref<?xf32>
  scf.for %i = %c0 to %c6 step %c1 {
    %int = arith.index_cast %i : index to i32
    %float = arith.sitofp %int : i32 to f32
    memref.store %float, %x[%i] : memref<?xf32>
    memref.store %three, %y[%i] : memref<?xf32>
  }
  call @saxpy(%five, %x, %y) : (f32, memref<?xf32>, memref<?xf32>) -> ()
  %result = call @sum(%y) : (memref<?xf32>) -> f32
  memref.dealloc %x : memref<?xf32>
  memref.dealloc %y : memref<?xf32>
  return %result : f32
}
