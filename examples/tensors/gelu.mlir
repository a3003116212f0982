// GELU, written on whole tensors: x * (1 + erf(x / sqrt(2))) / 2.
// ARGS: [[-1.5, 0.0, 1.5, -0.5], [1.0, -1.0, 0.5, -1.5]]
// RESULTS: [[-0.100211, 0.0, 1.39979, -0.154269], [0.841345, -0.158655, 0.345731, -0.100211]]

func.func @gelu(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x4xf32>
  %one = arith.constant 1.0 : f32
  %half = arith.constant 0.5 : f32
  %factor = arith.constant 0.70710678 : f32
  %ones = tensor.splat %one[%n] : tensor<?x4xf32>
  %halves = tensor.splat %half[%n] : tensor<?x4xf32>
  %factors = tensor.splat %factor[%n] : tensor<?x4xf32>
  %scaled = arith.mulf %x, %factors : tensor<?x4xf32>
  %error = math.erf %scaled : tensor<?x4xf32>
  %more = arith.addf %error, %ones : tensor<?x4xf32>
  %part = arith.mulf %more, %halves : tensor<?x4xf32>
  %result = arith.mulf %x, %part : tensor<?x4xf32>
  return %result : tensor<?x4xf32>
}
