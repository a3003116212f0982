// Fibonacci numbers, by recursion and by a loop, in signless integers of 64 bits.
// RESULT: @main() : i64 = 832040

func.func private @fib_recursive(%n: i64) -> i64 {
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %small = arith.cmpi sle, %n, %one : i64
  cf.cond_br %small, ^base, ^sum
^base:
  return %n : i64
^sum:
  %n1 = arith.subi %n, %one : i64
  %n2 = arith.subi %n, %two : i64
  %f1 = call @fib_recursive(%n1) : (i64) -> i64
  %f2 = call @fib_recursive(%n2) : (i64) -> i64
  %f = arith.addi %f1, %f2 : i64
  return %f : i64
}

func.func @fib_loop(%n: i64) -> i64 {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  // The induction variable of a loop may be an integer, too.
  %fib:2 = scf.for %i = %zero to %n step %one iter_args(%a = %zero, %b = %one) -> (i64, i64) : i64 {
    %next = arith.addi %a, %b : i64
    scf.yield %b, %next : i64, i64
  }
  return %fib#0 : i64
}

// The 30th by the loop; zero if the recursion disagrees about the 15th.
func.func @main() -> i64 {
  %c15 = arith.constant 15 : i64
  %c30 = arith.constant 30 : i64
  %zero = arith.constant 0 : i64
  %a = call @fib_recursive(%c15) : (i64) -> i64
  %b = call @fib_loop(%c15) : (i64) -> i64
  %agree = arith.cmpi eq, %a, %b : i64
  %f = call @fib_loop(%c30) : (i64) -> i64
  %result = arith.select %agree, %f, %zero : i64
  return %result : i64
}
