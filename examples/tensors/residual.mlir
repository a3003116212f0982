// A residual block: relu(x + f(f(x))), where another function computes the layer.
// ARGS: [[-1.5, 0.0, 1.5], [-0.5, 1.0, -1.0]], [[-1.0, 0.5, -0.5], [1.0, 0.0, -1.0], [0.5, -0.5, 1.0]]
// RESULTS: [[0.0, 0.0, 2.625], [0.0, 1.5, 0.0]]

func.func private @layer(%x: tensor<?x3xf32>, %w: tensor<3x3xf32>) -> tensor<?x3xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?x3xf32>
  %empty = tensor.empty(%n) : tensor<?x3xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%empty : tensor<?x3xf32>) -> tensor<?x3xf32>
  %product = linalg.matmul ins(%x, %w : tensor<?x3xf32>, tensor<3x3xf32>) outs(%fill : tensor<?x3xf32>)
    -> tensor<?x3xf32>
  %result = linalg.max ins(%product, %fill : tensor<?x3xf32>, tensor<?x3xf32>) outs(%empty : tensor<?x3xf32>)
    -> tensor<?x3xf32>
  return %result : tensor<?x3xf32>
}

func.func @residual(%x: tensor<?x3xf32>, %w: tensor<3x3xf32>) -> tensor<?x3xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?x3xf32>
  %once = call @layer(%x, %w) : (tensor<?x3xf32>, tensor<3x3xf32>) -> tensor<?x3xf32>
  %twice = call @layer(%once, %w) : (tensor<?x3xf32>, tensor<3x3xf32>) -> tensor<?x3xf32>
  %sum = arith.addf %x, %twice : tensor<?x3xf32>
  %zeros = tensor.splat %zero[%n] : tensor<?x3xf32>
  %result = arith.maximumf %sum, %zeros : tensor<?x3xf32>
  return %result : tensor<?x3xf32>
}
