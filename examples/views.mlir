// Casts of memrefs: sizes, strides and the rank itself may be forgotten, and asserted again.
// RESULT: @main() : i64 = 864

// The sum of a matrix of which nothing is known but the rank: three more arguments for its sizes and strides.
func.func @sum(%x: memref<?x?xi64, strided<[?, ?], offset: ?>>) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i64
  %rows = memref.dim %x, %c0 : memref<?x?xi64, strided<[?, ?], offset: ?>>
  %columns = memref.dim %x, %c1 : memref<?x?xi64, strided<[?, ?], offset: ?>>
  %total = scf.for %i = %c0 to %rows step %c1 iter_args(%outer = %zero) -> (i64) {
    %row = scf.for %j = %c0 to %columns step %c1 iter_args(%inner = %outer) -> (i64) {
      %value = memref.load %x[%i, %j] : memref<?x?xi64, strided<[?, ?], offset: ?>>
      %next = arith.addi %inner, %value : i64
      scf.yield %next : i64
    }
    scf.yield %row : i64
  }
  return %total : i64
}

// An unranked memref is a rank and a pointer to a descriptor of that rank.
func.func @sum_unranked(%x: memref<*xi64>) -> i64 {
  %matrix = memref.cast %x : memref<*xi64> to memref<4x?xi64, strided<[?, 1], offset: 0>>
  %any = memref.cast %matrix : memref<4x?xi64, strided<[?, 1], offset: 0>>
                            to memref<?x?xi64, strided<[?, ?], offset: ?>>
  %total = call @sum(%any) : (memref<?x?xi64, strided<[?, ?], offset: ?>>) -> i64
  return %total : i64
}

// x[i, j] = 10 * i + j over 4 x 6, summed both ways, which must agree; plus the sizes of it.
func.func @main() -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c6 = arith.constant 6 : index
  %c10 = arith.constant 10 : index
  %x = memref.alloc(%c6) : memref<4x?xi64>
  scf.for %i = %c0 to %c4 step %c1 {
    %tens = arith.muli %i, %c10 : index
    scf.for %j = %c0 to %c6 step %c1 {
      %sum = arith.addi %tens, %j : index
      %value = arith.index_cast %sum : index to i64
      memref.store %value, %x[%i, %j] : memref<4x?xi64>
    }
  }
  %strided = memref.cast %x : memref<4x?xi64> to memref<?x?xi64, strided<[?, ?], offset: ?>>
  %first = call @sum(%strided) : (memref<?x?xi64, strided<[?, ?], offset: ?>>) -> i64
  %unranked = memref.cast %x : memref<4x?xi64> to memref<*xi64>
  %second = call @sum_unranked(%unranked) : (memref<*xi64>) -> i64
  %rows = memref.dim %x, %c0 : memref<4x?xi64>
  %columns = memref.dim %x, %c1 : memref<4x?xi64>
  %size = arith.muli %rows, %columns : index
  %size_int = arith.index_cast %size : index to i64
  memref.dealloc %x : memref<4x?xi64>
  %both = arith.addi %first, %second : i64
  %result = arith.addi %both, %size_int : i64
  return %result : i64
}
