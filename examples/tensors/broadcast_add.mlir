// A column is added to each column of a matrix.
// ARGS: [[-1.5, 0.0, 1.5], [-0.5, 1.0, -1.0]], [[-1.5], [0.0]]
// RESULTS: [[-3.0, -1.5, 0.0], [-0.5, 1.0, -1.0]]

#all = affine_map<(d0, d1) -> (d0, d1)>
#column = affine_map<(d0, d1) -> (d0, 0)>

func.func @broadcast_add(%a: tensor<?x?xf32>, %b: tensor<?x1xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = tensor.dim %a, %c0 : tensor<?x?xf32>
  %columns = tensor.dim %a, %c1 : tensor<?x?xf32>
  %empty = tensor.empty(%rows, %columns) : tensor<?x?xf32>
  %result = linalg.generic {indexing_maps = [#all, #column, #all], iterator_types = ["parallel", "parallel"]}
      ins(%a, %b : tensor<?x?xf32>, tensor<?x1xf32>) outs(%empty : tensor<?x?xf32>) {
  ^bb0(%one: f32, %other: f32, %out: f32):
    %sum = arith.addf %one, %other : f32
    linalg.yield %sum : f32
  } -> tensor<?x?xf32>
  return %result : tensor<?x?xf32>
}
