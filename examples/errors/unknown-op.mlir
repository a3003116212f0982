// RUN: mlir-opt %s
shop.market @north
shop.market @south
