// The rows of a table that have the given numbers.
// ARGS: [[-1.5, 0.0, 1.5], [-0.5, 1.0, -1.0], [0.5, -1.5, 0.0], [1.5, -0.5, 1.0], [-1.0, 0.5, -1.5]], [4, 0, 2, 2]
// RESULTS: [[-1.0, 0.5, -1.5], [-1.5, 0.0, 1.5], [0.5, -1.5, 0.0], [0.5, -1.5, 0.0]]

#row = affine_map<(d0, d1) -> (d0)>
#all = affine_map<(d0, d1) -> (d0, d1)>

func.func @embedding(%table: tensor<5x3xf32>, %numbers: tensor<?xi64>) -> tensor<?x3xf32> {
  %c0 = arith.constant 0 : index
  %count = tensor.dim %numbers, %c0 : tensor<?xi64>
  %empty = tensor.empty(%count) : tensor<?x3xf32>
  %result = linalg.generic {indexing_maps = [#row, #all], iterator_types = ["parallel", "parallel"]}
      ins(%numbers : tensor<?xi64>) outs(%empty : tensor<?x3xf32>) {
  ^bb0(%number: i64, %out: f32):
    %row = arith.index_cast %number : i64 to index
    %column = linalg.index 1 : index
    %value = tensor.extract %table[%row, %column] : tensor<5x3xf32>
    linalg.yield %value : f32
  } -> tensor<?x3xf32>
  return %result : tensor<?x3xf32>
}
