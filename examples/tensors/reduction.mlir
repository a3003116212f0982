// Over the last dimension: the sum, the largest element, and the length of each row as a vector.
// ARGS: [[[-1.5, 0.0, 1.5, -0.5], [1.0, -1.0, 0.5, -1.5], [0.0, 1.5, -0.5, 1.0]], [[-1.0, 0.5, -1.5, 0.0], [1.5,
//   -0.5, 1.0, -1.0], [0.5, -1.5, 0.0, 1.5]]]
// RESULTS: [[-0.5, -1.0, 2.0], [-2.0, 1.0, 0.5]], [[1.5, 1.0, 1.5], [0.5, 1.5, 1.5]], [[2.17945, 2.12132, 1.87083],
//   [1.87083, 2.12132, 2.17945]]

func.func @reduction(%x: tensor<2x3x4xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) {
  %zero = arith.constant 0.0 : f32
  %lowest = arith.constant 0xFF800000 : f32
  %empty = tensor.empty() : tensor<2x3xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%empty : tensor<2x3xf32>) -> tensor<2x3xf32>
  %sums = linalg.reduce { arith.addf } ins(%x : tensor<2x3x4xf32>) outs(%zeros : tensor<2x3xf32>) dimensions = [2]
  %start = linalg.fill ins(%lowest : f32) outs(%empty : tensor<2x3xf32>) -> tensor<2x3xf32>
  %largest = linalg.reduce { arith.maximumf } ins(%x : tensor<2x3x4xf32>) outs(%start : tensor<2x3xf32>)
    dimensions = [2]
  %squares = arith.mulf %x, %x : tensor<2x3x4xf32>
  %sums_of_squares = linalg.reduce { arith.addf } ins(%squares : tensor<2x3x4xf32>) outs(%zeros : tensor<2x3xf32>)
    dimensions = [2]
  %lengths = math.sqrt %sums_of_squares : tensor<2x3xf32>
  return %sums, %largest, %lengths : tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>
}
