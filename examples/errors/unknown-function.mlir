// RUN: mlir-opt %s
func.func @f(%a: i32) -> i32 {
  %b = call @helper(%a) : (i32) -> i32
  return %b : i32
}
