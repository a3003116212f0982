// The largest, and the mean, of each 2 x 2 part of an image.
// ARGS: [[[[-1.5, 0.0], [1.5, -0.5], [1.0, -1.0], [0.5, -1.5]], [[0.0, 1.5], [-0.5, 1.0], [-1.0, 0.5], [-1.5, 0.0]],
//   [[1.5, -0.5], [1.0, -1.0], [0.5, -1.5], [0.0, 1.5]], [[-0.5, 1.0], [-1.0, 0.5], [-1.5, 0.0], [1.5, -0.5]]]]
// RESULTS: [[[[1.5, 1.5], [1.0, 0.5]], [[1.5, 1.0], [1.5, 1.5]]]], [[[[-0.125, 0.5], [-0.25, -0.5]], [[0.25, 0.0],
//   [0.125, -0.125]]]]

func.func @pooling(%x: tensor<1x4x4x2xf32>) -> (tensor<1x2x2x2xf32>, tensor<1x2x2x2xf32>) {
  %zero = arith.constant 0.0 : f32
  %four = arith.constant 4.0 : f32
  %lowest = arith.constant 0xFF800000 : f32
  %window = tensor.empty() : tensor<2x2xf32>
  %empty = tensor.empty() : tensor<1x2x2x2xf32>
  %from_lowest = linalg.fill ins(%lowest : f32) outs(%empty : tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32>
  %largest = linalg.pooling_nhwc_max {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>}
    ins(%x, %window : tensor<1x4x4x2xf32>, tensor<2x2xf32>) outs(%from_lowest : tensor<1x2x2x2xf32>)
    -> tensor<1x2x2x2xf32>
  %from_zero = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x2x2x2xf32>) -> tensor<1x2x2x2xf32>
  %sums = linalg.pooling_nhwc_sum {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>}
    ins(%x, %window : tensor<1x4x4x2xf32>, tensor<2x2xf32>) outs(%from_zero : tensor<1x2x2x2xf32>)
    -> tensor<1x2x2x2xf32>
  %fours = tensor.splat %four : tensor<1x2x2x2xf32>
  %means = arith.divf %sums, %fours : tensor<1x2x2x2xf32>
  return %largest, %means : tensor<1x2x2x2xf32>, tensor<1x2x2x2xf32>
}
