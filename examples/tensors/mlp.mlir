// Two fully connected layers: relu(x * w1 + b1) * w2 + b2, for any number of rows.
// ARGS: [[-1.5, 0.0, 1.5, -0.5], [1.0, -1.0, 0.5, -1.5]], [[-1.0, 0.5, -0.5], [1.0, 0.0, -1.0], [0.5, -0.5, 1.0],
//   [0.0, -1.0, 0.5]], [-1.5, 0.0, 1.5], [[-0.5, 1.0], [0.5, 0.0], [-0.5, 1.0]], [-1.5, 0.0]
// RESULTS: [[-3.625, 4.25], [-1.5, 1.75]]

#rows = affine_map<(d0, d1) -> (d0, d1)>
#bias = affine_map<(d0, d1) -> (d1)>

func.func @mlp(%x: tensor<?x4xf32>, %w1: tensor<4x3xf32>, %b1: tensor<3xf32>, %w2: tensor<3x2xf32>,
               %b2: tensor<2xf32>) -> tensor<?x2xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?x4xf32>
  %empty1 = tensor.empty(%n) : tensor<?x3xf32>
  %fill1 = linalg.fill ins(%zero : f32) outs(%empty1 : tensor<?x3xf32>) -> tensor<?x3xf32>
  %product1 = linalg.matmul ins(%x, %w1 : tensor<?x4xf32>, tensor<4x3xf32>) outs(%fill1 : tensor<?x3xf32>)
    -> tensor<?x3xf32>
  %hidden = linalg.generic {indexing_maps = [#rows, #bias, #rows], iterator_types = ["parallel", "parallel"]}
      ins(%product1, %b1 : tensor<?x3xf32>, tensor<3xf32>) outs(%empty1 : tensor<?x3xf32>) {
  ^bb0(%value: f32, %bias: f32, %out: f32):
    %sum = arith.addf %value, %bias : f32
    %positive = arith.maximumf %sum, %zero : f32
    linalg.yield %positive : f32
  } -> tensor<?x3xf32>
  %empty2 = tensor.empty(%n) : tensor<?x2xf32>
  %fill2 = linalg.fill ins(%zero : f32) outs(%empty2 : tensor<?x2xf32>) -> tensor<?x2xf32>
  %product2 = linalg.matmul ins(%hidden, %w2 : tensor<?x3xf32>, tensor<3x2xf32>) outs(%fill2 : tensor<?x2xf32>)
    -> tensor<?x2xf32>
  %result = linalg.generic {indexing_maps = [#rows, #bias, #rows], iterator_types = ["parallel", "parallel"]}
      ins(%product2, %b2 : tensor<?x2xf32>, tensor<2xf32>) outs(%empty2 : tensor<?x2xf32>) {
  ^bb0(%value: f32, %bias: f32, %out: f32):
    %sum = arith.addf %value, %bias : f32
    linalg.yield %sum : f32
  } -> tensor<?x2xf32>
  return %result : tensor<?x2xf32>
}
