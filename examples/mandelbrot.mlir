// The Mandelbrot set: for how many turns z := z * z + c stays near the origin.
// RESULT: @main() : i32 = 26970

// The turn at which c = %cr + %ci * i escapes from the circle of radius 2; %limit if it never does.
func.func @escape(%cr: f64, %ci: f64, %limit: i32) -> i32 {
  %zero = arith.constant 0.0 : f64
  %two = arith.constant 2.0 : f64
  %four = arith.constant 4.0 : f64
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %turns, %last_re, %last_im = scf.while (%n = %c0, %re = %zero, %im = %zero)
      : (i32, f64, f64) -> (i32, f64, f64) {
    %re2 = arith.mulf %re, %re : f64
    %im2 = arith.mulf %im, %im : f64
    %norm = arith.addf %re2, %im2 : f64
    %near = arith.cmpf ole, %norm, %four : f64
    %early = arith.cmpi slt, %n, %limit : i32
    %more = arith.andi %near, %early : i1
    scf.condition(%more) %n, %re, %im : i32, f64, f64
  } do {
  ^bb0(%n: i32, %re: f64, %im: f64):
    %re2 = arith.mulf %re, %re : f64
    %im2 = arith.mulf %im, %im : f64
    %difference = arith.subf %re2, %im2 : f64
    %next_re = arith.addf %difference, %cr : f64
    %product = arith.mulf %re, %im : f64
    %double = arith.mulf %product, %two : f64
    %next_im = arith.addf %double, %ci : f64
    %next_n = arith.addi %n, %c1 : i32
    scf.yield %next_n, %next_re, %next_im : i32, f64, f64
  }
  return %turns : i32
}

// The picture of [-2, 1) x [-1, 1) in 48 x 32 points, 50 turns at most; all turns added up.
func.func @main() -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %width = arith.constant 48 : index
  %height = arith.constant 32 : index
  %limit = arith.constant 50 : i32
  %none = arith.constant 0 : i32
  %pixel = arith.constant 6.250000e-02 : f64
  %left = arith.constant -2.0 : f64
  %top = arith.constant -1.0 : f64
  %picture = memref.alloc(%height, %width) : memref<?x?xi32>
  scf.for %row = %c0 to %height step %c1 {
    %row_int = arith.index_cast %row : index to i32
    %y = arith.uitofp %row_int : i32 to f64
    %dy = arith.mulf %y, %pixel : f64
    %ci = arith.addf %top, %dy : f64
    scf.for %column = %c0 to %width step %c1 {
      %column_int = arith.index_cast %column : index to i32
      %x = arith.uitofp %column_int : i32 to f64
      %dx = arith.mulf %x, %pixel : f64
      %cr = arith.addf %left, %dx : f64
      %turns = func.call @escape(%cr, %ci, %limit) : (f64, f64, i32) -> i32
      memref.store %turns, %picture[%row, %column] : memref<?x?xi32>
    }
  }
  %total = scf.for %row = %c0 to %height step %c1 iter_args(%rows = %none) -> (i32) {
    %line = scf.for %column = %c0 to %width step %c1 iter_args(%sum = %rows) -> (i32) {
      %turns = memref.load %picture[%row, %column] : memref<?x?xi32>
      %next = arith.addi %sum, %turns : i32
      scf.yield %next : i32
    }
    scf.yield %line : i32
  }
  memref.dealloc %picture : memref<?x?xi32>
  return %total : i32
}
