// Batch normalization as it is used after training: by the mean and the variance of each channel.
// ARGS: [[[[-1.5, 0.0], [1.5, -0.5]], [[1.0, -1.0], [0.5, -1.5]], [[0.0, 1.5], [-0.5, 1.0]]]], [-1.5, 0.0, 1.5],
//   [0.5, 2.0, 1.0], [0.5, 2.0, 1.0], [-1.5, 0.0, 1.5]
// RESULTS: [[[[-1.5, -0.43935], [0.621299, -0.7929]], [[1.41421, -1.41421], [0.707105, -2.12132]], [[7.51019e-06,
//   1.5], [-0.49999, 1.0]]]]

#image = affine_map<(n, c, h, w) -> (n, c, h, w)>
#channel = affine_map<(n, c, h, w) -> (c)>

func.func @batch_norm(%x: tensor<?x3x2x2xf32>, %mean: tensor<3xf32>, %variance: tensor<3xf32>, %gain: tensor<3xf32>,
                      %bias: tensor<3xf32>) -> tensor<?x3x2x2xf32> {
  %least = arith.constant 1.0e-05 : f32
  %result = linalg.generic {indexing_maps = [#channel, #channel, #channel, #channel, #image],
                            iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%mean, %variance, %gain, %bias : tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>)
      outs(%x : tensor<?x3x2x2xf32>) {
  ^bb0(%m: f32, %v: f32, %g: f32, %b: f32, %value: f32):
    %more = arith.addf %v, %least : f32
    %inverse = math.rsqrt %more : f32
    %off = arith.subf %value, %m : f32
    %unit = arith.mulf %off, %inverse : f32
    %scaled = arith.mulf %unit, %g : f32
    %moved = arith.addf %scaled, %b : f32
    linalg.yield %moved : f32
  } -> tensor<?x3x2x2xf32>
  return %result : tensor<?x3x2x2xf32>
}
