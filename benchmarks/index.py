"""The index of a workspace: MLIR's own test suite, read for the first time, found again after a restart, and asked.

`python -m benchmarks.index [--folder FOLDER] [--queries 20]`

The real server gets the folder as its workspace, with a cache of its own. The index is complete when a rename is
answered that may concern other files, which waits for that. While files are read for the first time, an open document
is asked for hovers, ten times a second. Then the server is started again with the same cache, and asked for symbols by
parts of names. mlir-lsp-server has no symbols of the workspace, so there is nothing to compare with.
"""

from __future__ import annotations

import argparse
import os
import statistics
import tempfile
import time
from pathlib import Path

from benchmarks.client import FATHOM, Client
from benchmarks.open import suite_folder

TEXT = "func.func @of_the_benchmark(%a: i32) -> i32 {\n  %0 = arith.addi %a, %a : i32\n  return %0 : i32\n}\n"
URI = "file:///benchmark.mlir"
QUERIES = ("", "a", "f", "main", "matmul", "test", "conv2d", "x_y", "gpu::kernel", "vectransf", "nowheretobefound")
BARS = {"first": 60.0, "again": 1.0, "answer": 50.0}
"""Seconds for the first two, and milliseconds for an answer."""
PAUSE = 0.1


def complete(client: Client, *, hovering: bool) -> tuple[float, list[float]]:
    """Seconds from now until all files are known, and what hovers took meanwhile, in milliseconds."""
    began = time.perf_counter()
    document = {"textDocument": {"uri": URI}}
    identifier, _ = client.ask(
        "textDocument/rename", {**document, "position": {"line": 0, "character": 12}, "newName": "other"}
    )
    hovers: list[float] = []
    while True:
        message = client.receive(PAUSE)
        if message is not None and message.body.get("id") == identifier and "method" not in message.body:
            return time.perf_counter() - began, hovers
        if hovering and message is None:
            hovers.append(hover(client, identifier))
            if hovers[-1] < 0:
                hovers.pop()
                return time.perf_counter() - began, hovers


def hover(client: Client, rename: int) -> float:
    """Milliseconds that a hover takes; below zero where the answer to the rename came before it."""
    params = {"textDocument": {"uri": URI}, "position": {"line": 1, "character": 8}}
    identifier, asked = client.ask("textDocument/hover", params)
    is_over = False
    while True:
        message = client.receive(60.0)
        assert message is not None, "the server said nothing for a minute"
        if "method" in message.body:
            continue
        is_over = is_over or message.body.get("id") == rename
        if message.body.get("id") == identifier:
            return -1.0 if is_over else (message.at - asked) * 1000


def session(folder: Path, *, hovering: bool) -> tuple[Client, float, list[float]]:
    client = Client(FATHOM)
    client.initialize(folder=folder)
    client.open(URI, TEXT)
    client.wait_for("textDocument/publishDiagnostics")
    seconds, hovers = complete(client, hovering=hovering)
    return client, seconds, hovers


def main() -> None:
    parser = argparse.ArgumentParser(description="the index of a workspace")
    parser.add_argument("--folder", type=Path, help="the workspace; without one, MLIR's own tests")
    parser.add_argument("--queries", type=int, default=20, help="how often each query is asked")
    options = parser.parse_args()
    folder = options.folder or suite_folder()
    if folder is None:
        print("MLIR's source is not at hand")
        return
    with tempfile.TemporaryDirectory() as cache:
        os.environ["XDG_CACHE_HOME"] = cache
        files = sum(1 for _ in folder.rglob("*.mlir"))
        client, first, hovers = session(folder, hovering=True)
        with client:
            pass
        client, again, _ = session(folder, hovering=False)
        with client:
            answers: list[float] = []
            slowest = ("", 0.0)
            for _ in range(options.queries):
                for query in QUERIES:
                    _, asked, answered = client.request("workspace/symbol", {"query": query})
                    answers.append((answered - asked) * 1000)
                    slowest = max(slowest, (query, answers[-1]), key=lambda answer: answer[1])
            resident = client.resident
    print(f"{files} files of {folder}, load {os.getloadavg()[0]:.1f}")
    print(f"first index       {first:8.1f} s   (the bar: {BARS['first']:.0f} s)")
    if hovers:
        print(f"  hovers meanwhile {statistics.median(hovers):7.1f} ms, at most {max(hovers):.1f} ms, of {len(hovers)}")
    print(f"after a restart   {again:8.2f} s   (the bar: {BARS['again']:.0f} s)")
    median = statistics.median(answers)
    print(f"workspace/symbol  {median:8.1f} ms, at most {slowest[1]:.1f} ms for {slowest[0]!r}  (the bar: 50 ms)")
    print(f"memory of the server with the index: {resident:.0f} MB")


if __name__ == "__main__":
    main()
