"""From the start of the process to the answer to `initialize`: Fathom beside mlir-lsp-server 22, taking turns.

`python -m benchmarks.start [--starts 10]`
"""

from __future__ import annotations

import argparse
import statistics

from benchmarks.client import FATHOM, PEER, Client


def main() -> None:
    parser = argparse.ArgumentParser(description="process start to `initialize` answered")
    parser.add_argument("--starts", type=int, default=10, help="starts of each server")
    options = parser.parse_args()
    servers = {"Fathom": FATHOM}
    if PEER.exists():
        servers["mlir-lsp-server"] = (str(PEER),)

    times: dict[str, list[float]] = {name: [] for name in servers}
    for _ in range(options.starts):
        for name, command in servers.items():
            with Client(command) as client:
                times[name].append(client.initialize() * 1000)

    print(f"{options.starts} starts, milliseconds from process start to the answer to `initialize`\n")
    print(f"{'server':<18}{'median':>10}{'worst':>10}")
    for name, values in times.items():
        print(f"{name:<18}{statistics.median(values):>10.0f}{max(values):>10.0f}")
    if not PEER.exists():
        print("\nmlir-lsp-server 22 is not installed (Debian's mlir-22-tools), so there is nothing to compare with")


if __name__ == "__main__":
    main()
