"""`buffer-deallocation-pipeline`: buffers that nobody frees are freed where nothing uses them any more."""

from __future__ import annotations

from fathom.passes.definition import PassPipeline
from fathom.passes.options import BOOL, option
from fathom.records import record


@record
class BufferDeallocationPipeline(PassPipeline):
    """What `one-shot-bufferize` allocates is freed, by operations of memref. Nothing may be freed before but by
    `memref.realloc`. All passes run, whatever there is."""

    name = "buffer-deallocation-pipeline"
    summary = "frees the buffers that one-shot-bufferize allocates"
    passes = (
        "expand-realloc{emit-deallocs=false}",
        "canonicalize",
        "ownership-based-buffer-deallocation",
        "canonicalize",
        "buffer-deallocation-simplification",
        "bufferization-lower-deallocations",
        "cse",
        "canonicalize",
    )

    private_function_dynamic_ownership: bool = option(
        False, "private functions return for each buffer whether it is the caller's to free", BOOL
    )
