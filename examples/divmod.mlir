// A function with several results, which become one struct in the LLVM dialect.
// RESULT: @main() : i32 = 1203

// Quotient and remainder, rounded towards minus infinity, so that the remainder has the sign of the divisor; the last
// result says whether the division was exact.
func.func @divmod(%a: i32, %b: i32) -> (i32, i32, i1) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %q = arith.divsi %a, %b : i32
  %r = arith.remsi %a, %b : i32
  %exact = arith.cmpi eq, %r, %zero : i32
  %signs = arith.xori %r, %b : i32
  %differ = arith.cmpi slt, %signs, %zero : i32
  %true = arith.constant true
  %inexact = arith.xori %exact, %true : i1
  %adjust = arith.andi %inexact, %differ : i1
  %down = arith.subi %q, %one : i32
  %back = arith.addi %r, %b : i32
  %quotient = arith.select %adjust, %down, %q : i32
  %remainder = arith.select %adjust, %back, %r : i32
  return %quotient, %remainder, %exact : i32, i32, i1
}

// -17 divmod 5 is (-4, 3); 84 divmod 7 is (12, 0): one number tells them all.
func.func @main() -> i32 {
  %a = arith.constant -17 : i32
  %b = arith.constant 5 : i32
  %c = arith.constant 84 : i32
  %d = arith.constant 7 : i32
  %hundred = arith.constant 100 : i32
  %zero = arith.constant 0 : i32
  %first:3 = call @divmod(%a, %b) : (i32, i32) -> (i32, i32, i1)
  %q, %r, %exact = call @divmod(%c, %d) : (i32, i32) -> (i32, i32, i1)
  %high = arith.muli %q, %hundred : i32
  %bonus = arith.select %exact, %first#1, %zero : i32
  %sum = arith.addi %high, %r : i32
  %result = arith.addi %sum, %bonus : i32
  return %result : i32
}
