// A loop that carries a tensor: the direction that a matrix turns everything to, after some steps.
// ARGS: [[2.0, 1.0, 0.0], [1.0, 3.0, 1.0], [0.0, 1.0, 2.0]], [1.0, 2.0, 0.0], 5
// RESULTS: [0.50908, 1.0, 0.490334]

func.func @power_iteration(%m: tensor<3x3xf32>, %start: tensor<3xf32>, %steps: index) -> tensor<3xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %zeros = arith.constant dense<0.0> : tensor<3xf32>
  %none = arith.constant dense<0.0> : tensor<f32>
  %result = scf.for %step = %c0 to %steps step %c1 iter_args(%v = %start) -> (tensor<3xf32>) {
    %turned = linalg.matvec ins(%m, %v : tensor<3x3xf32>, tensor<3xf32>) outs(%zeros : tensor<3xf32>) -> tensor<3xf32>
    %sizes = math.absf %turned : tensor<3xf32>
    %largest = linalg.reduce { arith.maximumf } ins(%sizes : tensor<3xf32>) outs(%none : tensor<f32>) dimensions = [0]
    %length = tensor.extract %largest[] : tensor<f32>
    %lengths = tensor.splat %length : tensor<3xf32>
    %unit = arith.divf %turned, %lengths : tensor<3xf32>
    scf.yield %unit : tensor<3xf32>
  }
  return %result : tensor<3xf32>
}
