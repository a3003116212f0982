// RUN: mlir-opt %s
func.func @f(%a: f32) {
  shop.sell %a
  return
}
