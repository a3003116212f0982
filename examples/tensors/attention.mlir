// Scaled dot-product attention: softmax(q * transpose(k) / sqrt(4)) * v, for each of a batch.
// ARGS: [[[-1.5, 0.0, 1.5, -0.5], [1.0, -1.0, 0.5, -1.5], [0.0, 1.5, -0.5, 1.0]]], [[[-1.0, 0.5, -0.5, 1.0], [0.0,
//   -1.0, 0.5, -0.5], [1.0, 0.0, -1.0, 0.5]]], [[[-0.5, 1.0, 0.5, 0.0], [-0.5, 1.0, 0.5, 0.0], [-0.5, 1.0, 0.5, 0.0]]]
// RESULTS: [[[-0.5, 1.0, 0.5, 0.0], [-0.5, 1.0, 0.5, 0.0], [-0.5, 1.0, 0.5, 0.0]]]

#all = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#row = affine_map<(d0, d1, d2) -> (d0, d1)>

func.func @attention(%q: tensor<1x3x4xf32>, %k: tensor<1x3x4xf32>, %v: tensor<1x3x4xf32>) -> tensor<1x3x4xf32> {
  %zero = arith.constant 0.0 : f32
  %lowest = arith.constant 0xFF800000 : f32
  %scale = arith.constant 0.5 : f32
  %turned_empty = tensor.empty() : tensor<1x4x3xf32>
  %turned = linalg.transpose ins(%k : tensor<1x3x4xf32>) outs(%turned_empty : tensor<1x4x3xf32>) permutation = [0, 2, 1]
  %scores_empty = tensor.empty() : tensor<1x3x3xf32>
  %scores_zero = linalg.fill ins(%zero : f32) outs(%scores_empty : tensor<1x3x3xf32>) -> tensor<1x3x3xf32>
  %scores = linalg.batch_matmul ins(%q, %turned : tensor<1x3x4xf32>, tensor<1x4x3xf32>)
    outs(%scores_zero : tensor<1x3x3xf32>) -> tensor<1x3x3xf32>
  %row_empty = tensor.empty() : tensor<1x3xf32>
  %row_lowest = linalg.fill ins(%lowest : f32) outs(%row_empty : tensor<1x3xf32>) -> tensor<1x3xf32>
  %largest = linalg.reduce { arith.maximumf } ins(%scores : tensor<1x3x3xf32>) outs(%row_lowest : tensor<1x3xf32>)
    dimensions = [2]
  %powers = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%scores, %largest : tensor<1x3x3xf32>, tensor<1x3xf32>) outs(%scores_empty : tensor<1x3x3xf32>) {
  ^bb0(%score: f32, %most: f32, %out: f32):
    %below = arith.subf %score, %most : f32
    %scaled = arith.mulf %below, %scale : f32
    %power = math.exp %scaled : f32
    linalg.yield %power : f32
  } -> tensor<1x3x3xf32>
  %row_zero = linalg.fill ins(%zero : f32) outs(%row_empty : tensor<1x3xf32>) -> tensor<1x3xf32>
  %sums = linalg.reduce { arith.addf } ins(%powers : tensor<1x3x3xf32>) outs(%row_zero : tensor<1x3xf32>)
    dimensions = [2]
  %weights = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%powers, %sums : tensor<1x3x3xf32>, tensor<1x3xf32>) outs(%scores_empty : tensor<1x3x3xf32>) {
  ^bb0(%power: f32, %sum: f32, %out: f32):
    %weight = arith.divf %power, %sum : f32
    linalg.yield %weight : f32
  } -> tensor<1x3x3xf32>
  %empty = tensor.empty() : tensor<1x3x4xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x3x4xf32>) -> tensor<1x3x4xf32>
  %result = linalg.batch_matmul ins(%weights, %v : tensor<1x3x3xf32>, tensor<1x3x4xf32>)
    outs(%fill : tensor<1x3x4xf32>) -> tensor<1x3x4xf32>
  return %result : tensor<1x3x4xf32>
}
