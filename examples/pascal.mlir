// Pascal's triangle, which gives the number of ways to choose k out of n.
// RESULT: @main() : i64 = 184756

func.func @choose(%n: index, %k: index) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %size = arith.addi %k, %c1 : index
  %row = memref.alloc(%size) : memref<?xi64>
  scf.for %j = %c1 to %size step %c1 {
    memref.store %zero, %row[%j] : memref<?xi64>
  }
  memref.store %one, %row[%c0] : memref<?xi64>
  // Each row from the one before it, in place; from right to left, so that no sum uses what is new already.
  scf.for %i = %c0 to %n step %c1 {
    scf.for %t = %c0 to %k step %c1 {
      %j = arith.subi %k, %t : index
      %left = arith.subi %j, %c1 : index
      %a = memref.load %row[%left] : memref<?xi64>
      %b = memref.load %row[%j] : memref<?xi64>
      %sum = arith.addi %a, %b : i64
      memref.store %sum, %row[%j] : memref<?xi64>
    }
  }
  %result = memref.load %row[%k] : memref<?xi64>
  memref.dealloc %row : memref<?xi64>
  return %result : i64
}

func.func @main() -> i64 {
  %c20 = arith.constant 20 : index
  %c10 = arith.constant 10 : index
  %result = call @choose(%c20, %c10) : (index, index) -> i64
  return %result : i64
}
