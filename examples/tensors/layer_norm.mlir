// Each row is moved and scaled to have the mean 0 and the variance 1, then scaled and moved by what was learned.
// ARGS: [[-1.5, 0.0, 1.5, -0.5], [1.0, -1.0, 0.5, -1.5]], [0.5, 2.0, 1.0, 2.5], [-1.5, 0.0, 1.5, -0.5]
// RESULTS: [[-2.13508, 0.230939, 3.0011, -1.36602], [-0.893664, -1.45521, 2.2276, -3.53168]]

#all = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#column = affine_map<(d0, d1) -> (d1)>

func.func @layer_norm(%x: tensor<2x4xf32>, %gain: tensor<4xf32>, %bias: tensor<4xf32>) -> tensor<2x4xf32> {
  %zero = arith.constant 0.0 : f32
  %count = arith.constant 4.0 : f32
  %least = arith.constant 1.0e-05 : f32
  %row = tensor.empty() : tensor<2xf32>
  %row_zero = linalg.fill ins(%zero : f32) outs(%row : tensor<2xf32>) -> tensor<2xf32>
  %sums = linalg.reduce { arith.addf } ins(%x : tensor<2x4xf32>) outs(%row_zero : tensor<2xf32>) dimensions = [1]
  %counts = linalg.fill ins(%count : f32) outs(%row : tensor<2xf32>) -> tensor<2xf32>
  %means = linalg.div ins(%sums, %counts : tensor<2xf32>, tensor<2xf32>) outs(%row : tensor<2xf32>) -> tensor<2xf32>
  %squares = linalg.generic {indexing_maps = [#all, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x, %means : tensor<2x4xf32>, tensor<2xf32>) outs(%row_zero : tensor<2xf32>) {
  ^bb0(%value: f32, %mean: f32, %sum: f32):
    %off = arith.subf %value, %mean : f32
    %square = arith.mulf %off, %off : f32
    %next = arith.addf %sum, %square : f32
    linalg.yield %next : f32
  } -> tensor<2xf32>
  %empty = tensor.empty() : tensor<2x4xf32>
  %result = linalg.generic {indexing_maps = [#all, #row, #row, #column, #column, #all],
                            iterator_types = ["parallel", "parallel"]}
      ins(%x, %means, %squares, %gain, %bias
        : tensor<2x4xf32>, tensor<2xf32>, tensor<2xf32>, tensor<4xf32>, tensor<4xf32>) outs(%empty : tensor<2x4xf32>) {
  ^bb0(%value: f32, %mean: f32, %square: f32, %factor: f32, %summand: f32, %out: f32):
    %off = arith.subf %value, %mean : f32
    %variance = arith.divf %square, %count : f32
    %more = arith.addf %variance, %least : f32
    %inverse = math.rsqrt %more : f32
    %unit = arith.mulf %off, %inverse : f32
    %scaled = arith.mulf %unit, %factor : f32
    %moved = arith.addf %scaled, %summand : f32
    linalg.yield %moved : f32
  } -> tensor<2x4xf32>
  return %result : tensor<2x4xf32>
}
