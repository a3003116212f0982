// Two tensors side by side.
// ARGS: [[-1.5, 0.0, 1.5], [-0.5, 1.0, -1.0]], [[-1.5, 0.0], [1.5, -0.5]]
// RESULTS: [[-1.5, 0.0, 1.5, -1.5, 0.0], [-0.5, 1.0, -1.0, 1.5, -0.5]]

func.func @concat(%a: tensor<?x3xf32>, %b: tensor<?x2xf32>) -> tensor<?x5xf32> {
  %result = tensor.concat dim(1) %a, %b : (tensor<?x3xf32>, tensor<?x2xf32>) -> tensor<?x5xf32>
  return %result : tensor<?x5xf32>
}
