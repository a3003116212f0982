// The greatest common divisor, three ways: a structured loop, a graph of blocks, and recursion.
// RESULT: @main() : i32 = 63

// Euclid's algorithm as `scf.while`: the first region decides, the second does the work.
func.func @gcd(%a: i32, %b: i32) -> i32 {
  %zero = arith.constant 0 : i32
  %gcd, %nothing = scf.while (%x = %a, %y = %b) : (i32, i32) -> (i32, i32) {
    %more = arith.cmpi ne, %y, %zero : i32
    scf.condition(%more) %x, %y : i32, i32
  } do {
  ^bb0(%x: i32, %y: i32):
    %rest = arith.remui %x, %y : i32
    scf.yield %y, %rest : i32, i32
  }
  return %gcd : i32
}

// The same with blocks and branches, which is what the loop above becomes.
func.func @gcd_blocks(%a: i32, %b: i32) -> i32 {
  %zero = arith.constant 0 : i32
  cf.br ^head(%a, %b : i32, i32)
^head(%x: i32, %y: i32):
  %more = arith.cmpi ne, %y, %zero : i32
  cf.cond_br %more, ^body, ^done
^body:
  %rest = arith.remui %x, %y : i32
  cf.br ^head(%y, %rest : i32, i32)
^done:
  return %x : i32
}

// The same by recursion.
func.func @gcd_recursive(%a: i32, %b: i32) -> i32 {
  %zero = arith.constant 0 : i32
  %done = arith.cmpi eq, %b, %zero : i32
  %gcd = scf.if %done -> (i32) {
    scf.yield %a : i32
  } else {
    %rest = arith.remui %a, %b : i32
    %inner = func.call @gcd_recursive(%b, %rest) : (i32, i32) -> i32
    scf.yield %inner : i32
  }
  return %gcd : i32
}

// 21 each time.
func.func @main() -> i32 {
  %a = arith.constant 1071 : i32
  %b = arith.constant 462 : i32
  %first = call @gcd(%a, %b) : (i32, i32) -> i32
  %second = call @gcd_blocks(%a, %b) : (i32, i32) -> i32
  %third = call @gcd_recursive(%a, %b) : (i32, i32) -> i32
  %two = arith.addi %first, %second : i32
  %three = arith.addi %two, %third : i32
  return %three : i32
}
