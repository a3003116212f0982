// A little machine whose instructions are chosen by `cf.switch`.
// RESULT: @main() : i32 = 42

// One instruction on an accumulator: 0 loads, 1 adds, 2 subtracts, 3 multiplies; any other leaves it alone.
func.func @execute(%code: i32, %acc: i32, %value: i32) -> i32 {
  cf.switch %code : i32, [
    default: ^done(%acc : i32),
    0: ^done(%value : i32),
    1: ^add,
    2: ^subtract,
    3: ^multiply(%acc, %value : i32, i32)
  ]
^add:
  %sum = arith.addi %acc, %value : i32
  cf.br ^done(%sum : i32)
^subtract:
  %difference = arith.subi %acc, %value : i32
  cf.br ^done(%difference : i32)
^multiply(%a: i32, %b: i32):
  %product = arith.muli %a, %b : i32
  cf.br ^done(%product : i32)
^done(%result: i32):
  return %result : i32
}

// load 5; add 4; multiply 5; subtract 3; an unknown code.
func.func @main() -> i32 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c3 = arith.constant 3 : i32
  %c4 = arith.constant 4 : i32
  %c5 = arith.constant 5 : i32
  %unknown = arith.constant 99 : i32
  %0 = call @execute(%c0, %c0, %c5) : (i32, i32, i32) -> i32
  %1 = call @execute(%c1, %0, %c4) : (i32, i32, i32) -> i32
  %2 = call @execute(%c3, %1, %c5) : (i32, i32, i32) -> i32
  %3 = call @execute(%c2, %2, %c3) : (i32, i32, i32) -> i32
  %4 = call @execute(%unknown, %3, %c1) : (i32, i32, i32) -> i32
  return %4 : i32
}
