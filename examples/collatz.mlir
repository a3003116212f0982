// The Collatz problem: halve what is even, triple what is odd and add one, until 1 is reached.
// RESULT: @main() : i64 = 871178

// How many steps it takes from %start.
func.func @steps(%start: i64) -> i64 {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %three = arith.constant 3 : i64
  %result:2 = scf.while (%n = %start, %count = %zero) : (i64, i64) -> (i64, i64) {
    %more = arith.cmpi ugt, %n, %one : i64
    scf.condition(%more) %n, %count : i64, i64
  } do {
  ^bb0(%n: i64, %count: i64):
    %low = arith.trunci %n : i64 to i1
    %next = scf.if %low -> (i64) {
      %triple = arith.muli %n, %three : i64
      %odd = arith.addi %triple, %one : i64
      scf.yield %odd : i64
    } else {
      %half = arith.divui %n, %two : i64
      scf.yield %half : i64
    }
    %counted = arith.addi %count, %one : i64
    scf.yield %next, %counted : i64, i64
  }
  return %result#1 : i64
}

// The start below 1000 that takes the longest, and how long it takes, in one number: 1000 * start + steps.
func.func @main() -> i64 {
  %c1 = arith.constant 1 : index
  %c1000 = arith.constant 1000 : index
  %zero = arith.constant 0 : i64
  %scale = arith.constant 1000 : i64
  %best:2 = scf.for %i = %c1 to %c1000 step %c1 iter_args(%start = %zero, %longest = %zero) -> (i64, i64) {
    %candidate = arith.index_cast %i : index to i64
    %length = func.call @steps(%candidate) : (i64) -> i64
    %better = arith.cmpi sgt, %length, %longest : i64
    %new_start = arith.select %better, %candidate, %start : i64
    %new_longest = arith.maxsi %length, %longest : i64
    scf.yield %new_start, %new_longest : i64, i64
  }
  %scaled = arith.muli %best#0, %scale : i64
  %sum = arith.addi %scaled, %best#1 : i64
  return %sum : i64
}
