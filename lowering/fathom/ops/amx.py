"""The operations of amx (`fathom.ops`). Made by `make dialects`: do not edit."""

from fathom.ops import OpClass

TileLoadOp = OpClass("amx.tile_load")
TileMulfOp = OpClass("amx.tile_mulf")
TileMuliOp = OpClass("amx.tile_muli")
TileStoreOp = OpClass("amx.tile_store")
TileZeroOp = OpClass("amx.tile_zero")
