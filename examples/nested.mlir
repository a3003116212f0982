// Control flow within control flow: conditions with and without results in loops that carry values.
// RESULT: @main() : i32 = 236

func.func @classify(%n: i32, %flip: i1) -> i32 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c3 = arith.constant 3 : i32
  %c5 = arith.constant 5 : i32
  %by3 = arith.remsi %n, %c3 : i32
  %by5 = arith.remsi %n, %c5 : i32
  %three = arith.cmpi eq, %by3, %c0 : i32
  %five = arith.cmpi eq, %by5, %c0 : i32
  %value = scf.if %three -> (i32) {
    %inner = scf.if %five -> (i32) {
      %both = scf.if %flip -> (i32) {
        %negative = arith.subi %c0, %n : i32
        scf.yield %negative : i32
      } else {
        scf.yield %n : i32
      }
      scf.yield %both : i32
    } else {
      scf.yield %c3 : i32
    }
    scf.yield %inner : i32
  } else {
    %inner = arith.select %five, %c5, %c1 : i32
    scf.yield %inner : i32
  }
  return %value : i32
}

func.func @main() -> i32 {
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %i2 = arith.constant 2 : index
  %i10 = arith.constant 10 : index
  %zero = arith.constant 0 : i32
  %true = arith.constant true
  %false = arith.constant false
  %cell = memref.alloca() : memref<i32>
  memref.store %zero, %cell[] : memref<i32>
  scf.for %i = %i0 to %i10 step %i1 {
    %sum, %flip = scf.for %j = %i1 to %i10 step %i2 iter_args(%acc = %zero, %odd = %false) -> (i32, i1) {
      %product = arith.muli %i, %j : index
      %n = arith.index_cast %product : index to i32
      %class = func.call @classify(%n, %odd) : (i32, i1) -> i32
      %next = arith.addi %acc, %class : i32
      %other = arith.xori %odd, %true : i1
      scf.yield %next, %other : i32, i1
    }
    // A condition without results, and without an else branch.
    scf.if %flip {
      %before = memref.load %cell[] : memref<i32>
      %after = arith.addi %before, %sum : i32
      memref.store %after, %cell[] : memref<i32>
    }
  }
  %result = memref.load %cell[] : memref<i32>
  return %result : i32
}
