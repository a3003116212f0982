// A frame around a matrix, of so many rows and columns as an argument says.
// ARGS: [[-1.5, 0.0, 1.5], [-0.5, 1.0, -1.0]], 2
// RESULTS: [[-1.0, -1.0, -1.0, -1.0, -1.0, -1.0, -1.0], [-1.0, -1.0, -1.0, -1.0, -1.0, -1.0, -1.0], [-1.0, -1.0,
//   -1.5, 0.0, 1.5, -1.0, -1.0], [-1.0, -1.0, -0.5, 1.0, -1.0, -1.0, -1.0], [-1.0, -1.0, -1.0, -1.0, -1.0, -1.0, -1.0],
//   [-1.0, -1.0, -1.0, -1.0, -1.0, -1.0, -1.0]]

func.func @pad(%x: tensor<?x?xf32>, %width: index) -> tensor<?x?xf32> {
  %value = arith.constant -1.0 : f32
  %result = tensor.pad %x low[%width, %width] high[%width, %width] {
  ^bb0(%row: index, %column: index):
    tensor.yield %value : f32
  } : tensor<?x?xf32> to tensor<?x?xf32>
  return %result : tensor<?x?xf32>
}
