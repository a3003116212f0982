// Heads apart: the dimensions change places, then the last two become one.
// ARGS: [[[0, 1, 2], [3, 4, 5]], [[6, 7, 8], [9, 10, 11]]]
// RESULTS: [[0, 1, 2, 6, 7, 8], [3, 4, 5, 9, 10, 11]]

func.func @transpose(%x: tensor<2x2x3xi32>) -> tensor<2x6xi32> {
  %empty = tensor.empty() : tensor<2x2x3xi32>
  %turned = linalg.transpose ins(%x : tensor<2x2x3xi32>) outs(%empty : tensor<2x2x3xi32>) permutation = [1, 0, 2]
  %result = tensor.collapse_shape %turned [[0], [1, 2]] : tensor<2x2x3xi32> into tensor<2x6xi32>
  return %result : tensor<2x6xi32>
}
