// The softmax of each row, for any size: what is largest is taken off first, so that no power is too big.
// ARGS: [[-1.5, 0.0, 1.5, -0.5, 1.0], [-1.0, 0.5, -1.5, 0.0, 1.5]]
// RESULTS: [[0.0247109, 0.110746, 0.496331, 0.0671711, 0.30104], [0.047644, 0.213526, 0.0288976, 0.12951, 0.580423]]

#all = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

func.func @softmax(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %lowest = arith.constant 0xFF800000 : f32
  %rows = tensor.dim %x, %c0 : tensor<?x?xf32>
  %columns = tensor.dim %x, %c1 : tensor<?x?xf32>
  %row = tensor.empty(%rows) : tensor<?xf32>
  %all = tensor.empty(%rows, %columns) : tensor<?x?xf32>
  %row_lowest = linalg.fill ins(%lowest : f32) outs(%row : tensor<?xf32>) -> tensor<?xf32>
  %largest = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<?x?xf32>) outs(%row_lowest : tensor<?xf32>) {
  ^bb0(%value: f32, %most: f32):
    %next = arith.maximumf %value, %most : f32
    linalg.yield %next : f32
  } -> tensor<?xf32>
  %powers = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel"]}
      ins(%x, %largest : tensor<?x?xf32>, tensor<?xf32>) outs(%all : tensor<?x?xf32>) {
  ^bb0(%value: f32, %most: f32, %out: f32):
    %below = arith.subf %value, %most : f32
    %power = math.exp %below : f32
    linalg.yield %power : f32
  } -> tensor<?x?xf32>
  %row_zero = linalg.fill ins(%zero : f32) outs(%row : tensor<?xf32>) -> tensor<?xf32>
  %sums = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]}
      ins(%powers : tensor<?x?xf32>) outs(%row_zero : tensor<?xf32>) {
  ^bb0(%power: f32, %sum: f32):
    %next = arith.addf %power, %sum : f32
    linalg.yield %next : f32
  } -> tensor<?xf32>
  %result = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel"]}
      ins(%powers, %sums : tensor<?x?xf32>, tensor<?xf32>) outs(%all : tensor<?x?xf32>) {
  ^bb0(%power: f32, %sum: f32, %out: f32):
    %share = arith.divf %power, %sum : f32
    linalg.yield %share : f32
  } -> tensor<?x?xf32>
  return %result : tensor<?x?xf32>
}
