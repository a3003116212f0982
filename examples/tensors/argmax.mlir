// Where the largest element of each row stands, and which it is; the first one if there are several.
// ARGS: [[1.0, 5.0, 2.0], [7.0, -1.0, 7.0]]
// RESULTS: [1, 0], [5.0, 7.0]

#all = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

func.func @argmax(%x: tensor<?x3xf32>) -> (tensor<?xi64>, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %first = arith.constant 0 : i64
  %lowest = arith.constant 0xFF800000 : f32
  %rows = tensor.dim %x, %c0 : tensor<?x3xf32>
  %places_empty = tensor.empty(%rows) : tensor<?xi64>
  %places_start = linalg.fill ins(%first : i64) outs(%places_empty : tensor<?xi64>) -> tensor<?xi64>
  %values_empty = tensor.empty(%rows) : tensor<?xf32>
  %values_start = linalg.fill ins(%lowest : f32) outs(%values_empty : tensor<?xf32>) -> tensor<?xf32>
  %places, %values = linalg.generic {indexing_maps = [#all, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<?x3xf32>) outs(%places_start, %values_start : tensor<?xi64>, tensor<?xf32>) {
  ^bb0(%value: f32, %place: i64, %most: f32):
    %column = linalg.index 1 : index
    %here = arith.index_cast %column : index to i64
    %is_more = arith.cmpf ogt, %value, %most : f32
    %next_place = arith.select %is_more, %here, %place : i64
    %next = arith.select %is_more, %value, %most : f32
    linalg.yield %next_place, %next : i64, f32
  } -> (tensor<?xi64>, tensor<?xf32>)
  return %places, %values : tensor<?xi64>, tensor<?xf32>
}
