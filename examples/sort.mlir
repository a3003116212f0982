// Insertion sort of 16-bit numbers, in place.
// RESULT: @main() : i32 = 5

func.func @sort(%x: memref<?xi16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %false = arith.constant false
  %n = memref.dim %x, %c0 : memref<?xi16>
  scf.for %i = %c1 to %n step %c1 {
    %value = memref.load %x[%i] : memref<?xi16>
    // Move what is greater one place up, until there is nothing left or something that is not.
    %place = scf.while (%j = %i) : (index) -> (index) {
      %inside = arith.cmpi ugt, %j, %c0 : index
      %more = scf.if %inside -> (i1) {
        %before = arith.subi %j, %c1 : index
        %other = memref.load %x[%before] : memref<?xi16>
        %greater = arith.cmpi sgt, %other, %value : i16
        scf.yield %greater : i1
      } else {
        scf.yield %false : i1
      }
      scf.condition(%more) %j : index
    } do {
    ^bb0(%j: index):
      %before = arith.subi %j, %c1 : index
      %other = memref.load %x[%before] : memref<?xi16>
      memref.store %other, %x[%j] : memref<?xi16>
      scf.yield %before : index
    }
    memref.store %value, %x[%place] : memref<?xi16>
  }
  return
}

// How many neighbours stand in the right order; all of them do if the result is the size less one.
func.func @ordered(%x: memref<?xi16>) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %n = memref.dim %x, %c0 : memref<?xi16>
  %count = scf.for %i = %c1 to %n step %c1 iter_args(%sum = %zero) -> (i32) {
    %before = arith.subi %i, %c1 : index
    %a = memref.load %x[%before] : memref<?xi16>
    %b = memref.load %x[%i] : memref<?xi16>
    %right = arith.cmpi sle, %a, %b : i16
    %one = arith.extui %right : i1 to i32
    %next = arith.addi %sum, %one : i32
    scf.yield %next : i32
  }
  return %count : i32
}

// [3, -1, 32767, 0, -32768, 3]: five pairs of neighbours.
func.func @main() -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %three = arith.constant 3 : i16
  %minus = arith.constant -1 : i16
  %high = arith.constant 32767 : i16
  %zero = arith.constant 0 : i16
  %low = arith.constant -32768 : i16
  %x = memref.alloc() : memref<6xi16>
  memref.store %three, %x[%c0] : memref<6xi16>
  memref.store %minus, %x[%c1] : memref<6xi16>
  memref.store %high, %x[%c2] : memref<6xi16>
  memref.store %zero, %x[%c3] : memref<6xi16>
  memref.store %low, %x[%c4] : memref<6xi16>
  memref.store %three, %x[%c5] : memref<6xi16>
  %any = memref.cast %x : memref<6xi16> to memref<?xi16>
  call @sort(%any) : (memref<?xi16>) -> ()
  %count = call @ordered(%any) : (memref<?xi16>) -> i32
  memref.dealloc %x : memref<6xi16>
  return %count : i32
}
