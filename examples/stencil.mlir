// A five-point stencil: heat spreads over a plate whose edge is kept cold.
// RESULT: @main() : f32 = 6.315625e+01

// One step of time, from one buffer into the other: each inner point becomes the mean of its neighbours and itself,
// weighted 1/8 each and 1/2.
func.func @step(%from: memref<8x8xf32>, %to: memref<8x8xf32>) {
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %eighth = arith.constant 1.250000e-01 : f32
  %half = arith.constant 5.000000e-01 : f32
  scf.for %i = %c1 to %c7 step %c1 {
    %north = arith.subi %i, %c1 : index
    %south = arith.addi %i, %c1 : index
    scf.for %j = %c1 to %c7 step %c1 {
      %west = arith.subi %j, %c1 : index
      %east = arith.addi %j, %c1 : index
      %n = memref.load %from[%north, %j] : memref<8x8xf32>
      %s = memref.load %from[%south, %j] : memref<8x8xf32>
      %w = memref.load %from[%i, %west] : memref<8x8xf32>
      %e = memref.load %from[%i, %east] : memref<8x8xf32>
      %here = memref.load %from[%i, %j] : memref<8x8xf32>
      %ns = arith.addf %n, %s fastmath<reassoc> : f32
      %we = arith.addf %w, %e fastmath<reassoc> : f32
      %around = arith.addf %ns, %we fastmath<reassoc> : f32
      %outer = arith.mulf %around, %eighth : f32
      %inner = arith.mulf %here, %half : f32
      %mean = arith.addf %outer, %inner : f32
      memref.store %mean, %to[%i, %j] : memref<8x8xf32>
    }
  }
  return
}

func.func private @fill(%plate: memref<8x8xf32>, %value: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {
    scf.for %j = %c0 to %c8 step %c1 {
      memref.store %value, %plate[%i, %j] : memref<8x8xf32>
    }
  }
  return
}

// A spot of 64 units in the middle; what is left on the plate after four steps (some of it has flowed off the edge).
func.func @main() -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.0 : f32
  %hot = arith.constant 6.400000e+01 : f32
  %a = memref.alloc() {alignment = 64 : i64} : memref<8x8xf32>
  %b = memref.alloc() {alignment = 64 : i64} : memref<8x8xf32>
  call @fill(%a, %zero) : (memref<8x8xf32>, f32) -> ()
  call @fill(%b, %zero) : (memref<8x8xf32>, f32) -> ()
  memref.store %hot, %a[%c4, %c4] : memref<8x8xf32>

  // The buffers change places after each step; the loop carries them.
  %now, %spare = scf.for %t = %c0 to %c4 step %c1 iter_args(%from = %a, %to = %b) -> (memref<8x8xf32>, memref<8x8xf32>) {
    func.call @step(%from, %to) : (memref<8x8xf32>, memref<8x8xf32>) -> ()
    scf.yield %to, %from : memref<8x8xf32>, memref<8x8xf32>
  }

  %total = scf.for %i = %c0 to %c8 step %c1 iter_args(%rows = %zero) -> (f32) {
    %row = scf.for %j = %c0 to %c8 step %c1 iter_args(%sum = %rows) -> (f32) {
      %value = memref.load %now[%i, %j] : memref<8x8xf32>
      %next = arith.addf %sum, %value : f32
      scf.yield %next : f32
    }
    scf.yield %row : f32
  }
  memref.dealloc %a : memref<8x8xf32>
  memref.dealloc %b : memref<8x8xf32>
  return %total : f32
}
