// The sieve of Eratosthenes: how many primes there are below 10 000.
// RESULT: @main() : i32 = 1229

func.func @sieve(%n: index) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %true = arith.constant true
  %false = arith.constant false
  %zero = arith.constant 0 : i32
  %prime = memref.alloc(%n) : memref<?xi1>
  scf.for %i = %c0 to %n step %c1 {
    memref.store %true, %prime[%i] : memref<?xi1>
  }
  %count = scf.for %i = %c2 to %n step %c1 iter_args(%sum = %zero) -> (i32) {
    %is_prime = memref.load %prime[%i] : memref<?xi1>
    scf.if %is_prime {
      %square = arith.muli %i, %i : index
      scf.for %j = %square to %n step %i {
        memref.store %false, %prime[%j] : memref<?xi1>
      }
    }
    %one = arith.extui %is_prime : i1 to i32
    %next = arith.addi %sum, %one : i32
    scf.yield %next : i32
  }
  memref.dealloc %prime : memref<?xi1>
  return %count : i32
}

func.func @main() -> i32 {
  %n = arith.constant 10000 : index
  %count = call @sieve(%n) : (index) -> i32
  return %count : i32
}
