// RUN: mlir-opt %s --convert-index-to-llvm --convert-func-to-llvm | mlir-translate --mlir-to-llvmir
func.func @next(%n: index) -> index {
  %one = index.constant 1
  %next = index.add %n, %one
  return %next : index
}
