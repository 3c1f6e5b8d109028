"""The loopback address, at which kernels, JupyterLab and other servers of this machine are reached."""

import os
import socket
import sys

ADDRESS = "127.0.0.1"
INTERFACE = {"linux": "lo", "darwin": "lo0"}.get(sys.platform, "")  # for gloo, which finds it by itself on Windows
OWN = f"{ADDRESS},localhost,::1"
_PROXIES = "http_proxy", "https_proxy", "all_proxy"


def why_no_loopback() -> str:
    """Return why no local server (kernel, JupyterLab, TensorBoard) can be reached; empty where one can."""
    try:
        with socket.create_server((ADDRESS, 0)) as server:
            socket.create_connection(server.getsockname(), timeout=2).close()
    except OSError as error:
        return (error.strerror or str(error)).partition(" (while")[0]  # Python's own words on the address
    return ""


def around_proxy() -> dict[str, str]:
    """Return the variables by which programs speak to this machine itself and not through a proxy that is set.

    Python asks a proxy even for 127.0.0.1 unless told otherwise. Empty where no variable sets one: a `no_proxy`
    alone would hide what macOS or Windows know of proxies.
    """
    set_ = {name.lower(): value for name, value in os.environ.items() if value}
    if not any(name in set_ for name in _PROXIES):
        return {}
    names = ",".join(filter(None, [os.environ.get("no_proxy") or os.environ.get("NO_PROXY"), OWN]))
    return {"no_proxy": names, "NO_PROXY": names}
