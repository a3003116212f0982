"""Stands where MLIR's tools are called: hands its descriptors to the warm parent (`warm.py`) and takes the exit status.

Copied behind a first line that starts Python without `site`, and with two names in the place of the braces; it imports
nothing but what is there when Python has started.
"""

import _socket
import os
import sys

server = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
server.connect("{address}")
request = "\0".join(
    [
        "{command}",
        os.getcwd(),  # noqa: PTH109
        str(len(sys.argv) - 1),
        *sys.argv[1:],
        *(f"{key}={value}" for key, value in os.environ.items()),
    ]
).encode("utf-8", "surrogateescape")
descriptors = b"".join(number.to_bytes(4, sys.byteorder) for number in range(3))
rights = [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, descriptors)]
server.sendmsg([len(request).to_bytes(4, "big")], rights)
view = memoryview(request)
while view:
    view = view[server.send(view) :]
status = server.recv(1)
if not status:
    # The child died: so does this process, for `not` tells a crash from a refusal.
    os.abort()
os._exit(status[0])
