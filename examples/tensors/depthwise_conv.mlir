// A convolution of each channel with a kernel of its own.
// ARGS: [[[[-1.5, 0.0, 1.5], [-0.5, 1.0, -1.0], [0.5, -1.5, 0.0], [1.5, -0.5, 1.0]], [[-1.0, 0.5, -1.5], [0.0, 1.5,
//   -0.5], [1.0, -1.0, 0.5], [-1.5, 0.0, 1.5]], [[-0.5, 1.0, -1.0], [0.5, -1.5, 0.0], [1.5, -0.5, 1.0], [-1.0, 0.5,
//   -1.5]], [[0.0, 1.5, -0.5], [1.0, -1.0, 0.5], [-1.5, 0.0, 1.5], [-0.5, 1.0, -1.0]]]], [[[-1.0, 0.5, -0.5], [1.0,
//   0.0, -1.0]], [[0.5, -0.5, 1.0], [0.0, -1.0, 0.5]]]
// RESULTS: [[[[0.5, -1.75, -1.5], [1.0, 0.75, 0.25], [1.5, -0.25, 0.25]], [[0.75, 1.25, 0.25], [1.25, 2.0, 0.25],
//   [-1.75, -0.75, -1.5]], [[1.0, 0.75, 0.25], [1.5, -0.25, 0.25], [-3.25, -1.25, 2.0]]]]

func.func @depthwise_conv(%x: tensor<1x4x4x3xf32>, %kernel: tensor<2x2x3xf32>) -> tensor<1x3x3x3xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x3x3x3xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x3x3x3xf32>) -> tensor<1x3x3x3xf32>
  %result = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
    ins(%x, %kernel : tensor<1x4x4x3xf32>, tensor<2x2x3xf32>) outs(%fill : tensor<1x3x3x3xf32>) -> tensor<1x3x3x3xf32>
  return %result : tensor<1x3x3x3xf32>
}
