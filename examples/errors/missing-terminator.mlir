// RUN: mlir-opt %s
func.func @f(%a: i32) -> i32 {
  %b = math.absi %a : i32
}
