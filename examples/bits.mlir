// Tricks with bits, in integers of several widths, and the order of the bytes.
// RESULT: @main() : i32 = 1104

// How many bits are set: each turn clears the lowest of them.
func.func @popcount(%value: i64) -> i32 {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %none = arith.constant 0 : i32
  %step = arith.constant 1 : i32
  %rest, %count = scf.while (%x = %value, %n = %none) : (i64, i32) -> (i64, i32) {
    %more = arith.cmpi ne, %x, %zero : i64
    scf.condition(%more) %x, %n : i64, i32
  } do {
  ^bb0(%x: i64, %n: i32):
    %less = arith.subi %x, %one : i64
    %cleared = arith.andi %x, %less : i64
    %next = arith.addi %n, %step : i32
    scf.yield %cleared, %next : i64, i32
  }
  return %count : i32
}

// The bits of a byte in reverse: swap halves, then quarters, then neighbours.
func.func @reverse(%byte: i8) -> i8 {
  %c1 = arith.constant 1 : i8
  %c2 = arith.constant 2 : i8
  %c4 = arith.constant 4 : i8
  %quarters = arith.constant 51 : i8
  %neighbours = arith.constant 85 : i8
  %h0 = arith.shli %byte, %c4 : i8
  %h1 = arith.shrui %byte, %c4 : i8
  %halves = arith.ori %h0, %h1 : i8
  %q0 = arith.andi %halves, %quarters : i8
  %q1 = arith.shli %q0, %c2 : i8
  %q2 = arith.shrui %halves, %c2 : i8
  %q3 = arith.andi %q2, %quarters : i8
  %q4 = arith.ori %q1, %q3 : i8
  %n0 = arith.andi %q4, %neighbours : i8
  %n1 = arith.shli %n0, %c1 : i8
  %n2 = arith.shrui %q4, %c1 : i8
  %n3 = arith.andi %n2, %neighbours : i8
  %n4 = arith.ori %n1, %n3 : i8
  return %n4 : i8
}

// The exponent of a number, read from its bits.
func.func @exponent(%x: f32) -> i32 {
  %shift = arith.constant 23 : i32
  %mask = arith.constant 255 : i32
  %bias = arith.constant 127 : i32
  %bits = arith.bitcast %x : f32 to i32
  %shifted = arith.shrsi %bits, %shift : i32
  %biased = arith.andi %shifted, %mask : i32
  %exponent = arith.subi %biased, %bias : i32
  return %exponent : i32
}

func.func @main() -> i32 {
  %all = arith.constant -1 : i64
  %byte = arith.constant 22 : i8
  %kilo = arith.constant 1024.0 : f32
  %hundred = arith.constant 100 : i32
  %count = call @popcount(%all) : (i64) -> i32
  %reversed = call @reverse(%byte) : (i8) -> i8
  %wide = arith.extsi %reversed : i8 to i32
  %unsigned = arith.extui %reversed : i8 to i32
  %exponent = call @exponent(%kilo) : (f32) -> i32
  %scaled = arith.muli %exponent, %hundred : i32
  %a = arith.addi %count, %wide : i32
  %b = arith.minsi %a, %unsigned : i32
  %c = arith.addi %scaled, %b : i32
  return %c : i32
}
