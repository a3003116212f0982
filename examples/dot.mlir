// The dot product of two vectors of i64, with the sum carried from turn to turn of the loop.
// RESULT: @main() : i64 = 285

func.func @dot(%a: memref<10xi64>, %b: memref<10xi64>) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c10 = arith.constant 10 : index
  %zero = arith.constant 0 : i64
  %dot = scf.for %i = %c0 to %c10 step %c1 iter_args(%sum = %zero) -> (i64) {
    %x = memref.load %a[%i] : memref<10xi64>
    %y = memref.load %b[%i] : memref<10xi64>
    %product = arith.muli %x, %y overflow<nsw> : i64
    %next = arith.addi %sum, %product overflow<nsw> : i64
    scf.yield %next : i64
  }
  return %dot : i64
}

// 0*0 + 1*1 + ... + 9*9, from one buffer on the stack.
func.func @main() -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c10 = arith.constant 10 : index
  %a = memref.alloca() : memref<10xi64>
  scf.for %i = %c0 to %c10 step %c1 {
    %value = arith.index_cast %i : index to i64
    memref.store %value, %a[%i] : memref<10xi64>
  }
  %dot = call @dot(%a, %a) : (memref<10xi64>, memref<10xi64>) -> i64
  return %dot : i64
}
