// Running sums, in place: x[i] := x[0] + ... + x[i].
// RESULT: @main() : i32 = 204

// The layout says that the elements may start anywhere and be any distance apart, so the function also takes a column
// of a matrix, or every second element.
func.func @prefix_sum(%x: memref<?xi32, strided<[?], offset: ?>>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?xi32, strided<[?], offset: ?>>
  scf.for %i = %c1 to %n step %c1 {
    %before = arith.subi %i, %c1 : index
    %sum = memref.load %x[%before] : memref<?xi32, strided<[?], offset: ?>>
    %value = memref.load %x[%i] : memref<?xi32, strided<[?], offset: ?>>
    %next = arith.addi %sum, %value : i32
    memref.store %next, %x[%i] : memref<?xi32, strided<[?], offset: ?>>
  }
  return
}

// [1, 4, 9, 16, ..., 64]: the last running sum is the sum of the first eight squares.
func.func @main() -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %c8 = arith.constant 8 : index
  %x = memref.alloc() : memref<8xi32>
  scf.for %i = %c0 to %c8 step %c1 {
    %next = arith.addi %i, %c1 : index
    %square = arith.muli %next, %next : index
    %value = arith.index_cast %square : index to i32
    memref.store %value, %x[%i] : memref<8xi32>
  }
  %any = memref.cast %x : memref<8xi32> to memref<?xi32, strided<[?], offset: ?>>
  call @prefix_sum(%any) : (memref<?xi32, strided<[?], offset: ?>>) -> ()
  %last = memref.load %x[%c7] : memref<8xi32>
  memref.dealloc %x : memref<8xi32>
  return %last : i32
}
