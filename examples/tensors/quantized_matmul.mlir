// Integers of 8 bits with zero points, summed in 32 bits, then scaled, rounded and cut to 8 bits.
// ARGS: [[-100, -63, -26], [11, 48, 85]], [[-125, -72, -19, 34], [87, -110, -57, -4], [49, 102, -95, -42]]
// RESULTS: [[37, 84, 58, -24], [59, 27, -77, -21]]

#all = affine_map<(d0, d1) -> (d0, d1)>

func.func @quantized_matmul(%a: tensor<2x3xi8>, %b: tensor<3x4xi8>) -> tensor<2x4xi8> {
  %zero = arith.constant 0 : i32
  %a_zero = arith.constant 3 : i32
  %b_zero = arith.constant -5 : i32
  %scale = arith.constant 0.0078125 : f32
  %least = arith.constant -128.0 : f32
  %most = arith.constant 127.0 : f32
  %empty = tensor.empty() : tensor<2x4xi32>
  %fill = linalg.fill ins(%zero : i32) outs(%empty : tensor<2x4xi32>) -> tensor<2x4xi32>
  %sums = linalg.quantized_matmul ins(%a, %b, %a_zero, %b_zero : tensor<2x3xi8>, tensor<3x4xi8>, i32, i32)
    outs(%fill : tensor<2x4xi32>) -> tensor<2x4xi32>
  %small = tensor.empty() : tensor<2x4xi8>
  %result = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]}
      ins(%sums : tensor<2x4xi32>) outs(%small : tensor<2x4xi8>) {
  ^bb0(%sum: i32, %out: i8):
    %float = arith.sitofp %sum : i32 to f32
    %scaled = arith.mulf %float, %scale : f32
    %whole = math.roundeven %scaled : f32
    %low = arith.maximumf %whole, %least : f32
    %cut = arith.minimumf %low, %most : f32
    %byte = arith.fptosi %cut : f32 to i8
    linalg.yield %byte : i8
  } -> tensor<2x4xi8>
  return %result : tensor<2x4xi8>
}
