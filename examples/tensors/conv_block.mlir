// A convolution that keeps the size, a bias for each channel, and what is negative cut off.
// ARGS: [[[[-1.5, 0.0, 1.5, -0.5, 1.0], [-1.0, 0.5, -1.5, 0.0, 1.5], [-0.5, 1.0, -1.0, 0.5, -1.5], [0.0, 1.5, -0.5,
//   1.0, -1.0], [0.5, -1.5, 0.0, 1.5, -0.5]], [[1.0, -1.0, 0.5, -1.5, 0.0], [1.5, -0.5, 1.0, -1.0, 0.5], [-1.5, 0.0,
//   1.5, -0.5, 1.0], [-1.0, 0.5, -1.5, 0.0, 1.5], [-0.5, 1.0, -1.0, 0.5, -1.5]]]], [[[[-1.0, 0.5, -0.5], [1.0, 0.0,
//   -1.0], [0.5, -0.5, 1.0]], [[0.0, -1.0, 0.5], [-0.5, 1.0, 0.0], [-1.0, 0.5, -0.5]]], [[[1.0, 0.0, -1.0], [0.5, -0.5,
//   1.0], [0.0, -1.0, 0.5]], [[-0.5, 1.0, 0.0], [-1.0, 0.5, -0.5], [1.0, 0.0, -1.0]]]], [-1.5, 0.0]
// RESULTS: [[[[1.5, 0.0, 2.5, 0.0, 0.0], [0.0, 0.0, 2.5, 0.0, 2.5], [0.0, 3.5, 0.0, 0.0, 2.25], [0.0, 4.75, 0.0, 3.5,
//   0.0], [0.0, 0.0, 0.0, 2.25, 0.0]], [[3.5, 0.0, 2.75, 2.0, 0.0], [4.0, 0.0, 5.75, 0.0, 1.75], [1.75, 0.0, 5.75, 0.0,
//   4.0], [0.0, 4.0, 4.0, 0.0, 4.5], [0.0, 4.0, 0.0, 2.0, 2.25]]]]

#image = affine_map<(n, c, h, w) -> (n, c, h, w)>

func.func @conv_block(%x: tensor<1x2x5x5xf32>, %kernel: tensor<2x2x3x3xf32>, %bias: tensor<2xf32>)
    -> tensor<1x2x5x5xf32> {
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%n: index, %c: index, %h: index, %w: index):
    tensor.yield %zero : f32
  } : tensor<1x2x5x5xf32> to tensor<1x2x7x7xf32>
  %empty = tensor.empty() : tensor<1x2x5x5xf32>
  %biased = linalg.broadcast ins(%bias : tensor<2xf32>) outs(%empty : tensor<1x2x5x5xf32>) dimensions = [0, 2, 3]
  %convolved = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
    ins(%padded, %kernel : tensor<1x2x7x7xf32>, tensor<2x2x3x3xf32>) outs(%biased : tensor<1x2x5x5xf32>)
    -> tensor<1x2x5x5xf32>
  %result = linalg.generic {indexing_maps = [#image, #image],
                            iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%convolved : tensor<1x2x5x5xf32>) outs(%empty : tensor<1x2x5x5xf32>) {
  ^bb0(%value: f32, %out: f32):
    %positive = arith.maximumf %value, %zero : f32
    linalg.yield %positive : f32
  } -> tensor<1x2x5x5xf32>
  return %result : tensor<1x2x5x5xf32>
}
