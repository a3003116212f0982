// A recurrent cell over a sequence: h = tanh(x * wx + h * wh) for each row x, one after the other.
// ARGS: [[-1.5, 0.0], [1.5, -0.5], [1.0, -1.0], [0.5, -1.5]], [-1.5, 0.0, 1.5], [[-1.0, 0.5, -0.5], [1.0, 0.0,
//   -1.0]], [[-1.0, 0.5, 0.0], [-0.5, -1.0, 0.5], [0.0, -0.5, -1.0]]
// RESULTS: [-0.622106, 0.126627, 0.0851024]

func.func private @cell(%x: tensor<2xf32>, %h: tensor<3xf32>, %wx: tensor<2x3xf32>, %wh: tensor<3x3xf32>)
    -> tensor<3xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<3xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%empty : tensor<3xf32>) -> tensor<3xf32>
  %input = linalg.vecmat ins(%x, %wx : tensor<2xf32>, tensor<2x3xf32>) outs(%fill : tensor<3xf32>) -> tensor<3xf32>
  %both = linalg.vecmat ins(%h, %wh : tensor<3xf32>, tensor<3x3xf32>) outs(%input : tensor<3xf32>) -> tensor<3xf32>
  %result = math.tanh %both : tensor<3xf32>
  return %result : tensor<3xf32>
}

func.func @rnn_cell(%xs: tensor<?x2xf32>, %h: tensor<3xf32>, %wx: tensor<2x3xf32>, %wh: tensor<3x3xf32>)
    -> tensor<3xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %xs, %c0 : tensor<?x2xf32>
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%before = %h) -> (tensor<3xf32>) {
    %x = tensor.extract_slice %xs[%i, 0] [1, 2] [1, 1] : tensor<?x2xf32> to tensor<2xf32>
    %next = func.call @cell(%x, %before, %wx, %wh)
      : (tensor<2xf32>, tensor<3xf32>, tensor<2x3xf32>, tensor<3x3xf32>) -> tensor<3xf32>
    scf.yield %next : tensor<3xf32>
  }
  return %last : tensor<3xf32>
}
