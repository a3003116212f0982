// RUN: mlir-opt %s --convert-func-to-llvm --reconcile-unrealized-casts | mlir-runner -e main --entry-point-result=void
func.func private @printNewline()
func.func @main() {
  call @printNewline() : () -> ()
  return
}
