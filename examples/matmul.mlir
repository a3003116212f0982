// C += A * B for matrices of any size; the sizes are read from the memrefs.
// RESULT: @main() : f32 = 5.200000e+02

func.func @matmul(%a: memref<?x?xf64>, %b: memref<?x?xf64>, %c: memref<?x?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.dim %a, %c0 : memref<?x?xf64>
  %k = memref.dim %a, %c1 : memref<?x?xf64>
  %n = memref.dim %b, %c1 : memref<?x?xf64>
  scf.for %i = %c0 to %m step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      scf.for %l = %c0 to %k step %c1 {
        %x = memref.load %a[%i, %l] : memref<?x?xf64>
        %y = memref.load %b[%l, %j] : memref<?x?xf64>
        %z = memref.load %c[%i, %j] : memref<?x?xf64>
        %product = arith.mulf %x, %y : f64
        %sum = arith.addf %z, %product : f64
        memref.store %sum, %c[%i, %j] : memref<?x?xf64>
      }
    }
  }
  return
}

// A[i, l] = i + l is 4 x 3, B[l, j] = l * j is 3 x 5; every element of C starts from 7, and all of them are added up.
func.func @main() -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %seven = arith.constant 7.0 : f64
  %zero = arith.constant 0.0 : f64

  %a = memref.alloc() : memref<4x3xf64>
  %b = memref.alloc() : memref<3x5xf64>
  %c = memref.alloc() : memref<4x5xf64>
  scf.for %i = %c0 to %c4 step %c1 {
    scf.for %l = %c0 to %c3 step %c1 {
      %sum = arith.addi %i, %l : index
      %int = arith.index_cast %sum : index to i64
      %float = arith.sitofp %int : i64 to f64
      memref.store %float, %a[%i, %l] : memref<4x3xf64>
    }
  }
  scf.for %l = %c0 to %c3 step %c1 {
    scf.for %j = %c0 to %c5 step %c1 {
      %product = arith.muli %l, %j : index
      %int = arith.index_cast %product : index to i64
      %float = arith.sitofp %int : i64 to f64
      memref.store %float, %b[%l, %j] : memref<3x5xf64>
    }
  }
  scf.for %i = %c0 to %c4 step %c1 {
    scf.for %j = %c0 to %c5 step %c1 {
      memref.store %seven, %c[%i, %j] : memref<4x5xf64>
    }
  }

  // A cast that forgets the sizes costs nothing: the descriptor holds them in any case.
  %a_any = memref.cast %a : memref<4x3xf64> to memref<?x?xf64>
  %b_any = memref.cast %b : memref<3x5xf64> to memref<?x?xf64>
  %c_any = memref.cast %c : memref<4x5xf64> to memref<?x?xf64>
  call @matmul(%a_any, %b_any, %c_any) : (memref<?x?xf64>, memref<?x?xf64>, memref<?x?xf64>) -> ()

  %total = scf.for %i = %c0 to %c4 step %c1 iter_args(%rows = %zero) -> (f64) {
    %row = scf.for %j = %c0 to %c5 step %c1 iter_args(%sum = %rows) -> (f64) {
      %value = memref.load %c[%i, %j] : memref<4x5xf64>
      %next = arith.addf %sum, %value : f64
      scf.yield %next : f64
    }
    scf.yield %row : f64
  }
  memref.dealloc %a : memref<4x3xf64>
  memref.dealloc %b : memref<3x5xf64>
  memref.dealloc %c : memref<4x5xf64>
  %result = arith.truncf %total : f64 to f32
  return %result : f32
}
