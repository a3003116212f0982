// A histogram: how often each of 16 values occurs among bytes.
// RESULT: @main() : i32 = 19

func.func @histogram(%bytes: memref<?xi8>, %counts: memref<16xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i32
  %mask = arith.constant 15 : i8
  %n = memref.dim %bytes, %c0 : memref<?xi8>
  scf.for %i = %c0 to %n step %c1 {
    %byte = memref.load %bytes[%i] : memref<?xi8>
    %low = arith.andi %byte, %mask : i8
    // The value becomes an index: unsigned, since the upper half of the bytes would count as negative.
    %bin = arith.index_castui %low : i8 to index
    %count = memref.load %counts[%bin] : memref<16xi32>
    %next = arith.addi %count, %one : i32
    memref.store %next, %counts[%bin] : memref<16xi32>
  }
  return
}

// 200 bytes of a linear congruential generator; the count of the fullest bin.
func.func @main() -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %size = arith.constant 200 : index
  %zero = arith.constant 0 : i32
  %seed = arith.constant 1 : i32
  %factor = arith.constant 1103515245 : i32
  %step = arith.constant 12345 : i32
  %shift = arith.constant 16 : i32
  %bytes = memref.alloc(%size) : memref<?xi8>
  %counts = memref.alloca() : memref<16xi32>
  scf.for %i = %c0 to %c16 step %c1 {
    memref.store %zero, %counts[%i] : memref<16xi32>
  }
  %last = scf.for %i = %c0 to %size step %c1 iter_args(%state = %seed) -> (i32) {
    %product = arith.muli %state, %factor : i32
    %next = arith.addi %product, %step : i32
    %high = arith.shrui %next, %shift : i32
    %byte = arith.trunci %high : i32 to i8
    memref.store %byte, %bytes[%i] : memref<?xi8>
    scf.yield %next : i32
  }
  call @histogram(%bytes, %counts) : (memref<?xi8>, memref<16xi32>) -> ()
  %most = scf.for %i = %c0 to %c16 step %c1 iter_args(%max = %zero) -> (i32) {
    %count = memref.load %counts[%i] : memref<16xi32>
    %greater = arith.maxui %max, %count : i32
    scf.yield %greater : i32
  }
  memref.dealloc %bytes : memref<?xi8>
  return %most : i32
}
