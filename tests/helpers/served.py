"""A server of a few files on this machine, for what downloads; it notes what it was asked, and may be slow."""

import contextlib
import http.server
import threading


class Served(http.server.ThreadingHTTPServer):
    """Serves `files`, {name: bytes}, by the last part of their address, else `page`, or 404 where that is None.

    `asked`: (method, name) of each request. `send(handler, content)`: how an answer's bytes are sent.
    """

    daemon_threads = True
    request_queue_size = 128

    def __init__(self, files, *, page=None, send=lambda handler, content: handler.wfile.write(content)):
        super().__init__(("127.0.0.1", 0), _Handler)
        self.files, self.page, self.send, self.asked = files, page, send, []
        threading.Thread(target=self.serve_forever, args=(0.02,), daemon=True).start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_port}"

    def close(self):
        self.shutdown()
        self.server_close()


class _Handler(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def do_GET(self):
        name, server = self.path.rpartition("/")[2], self.server
        server.asked.append((self.command, name))
        content = server.files.get(name, server.page)
        self.send_response(404 if content is None else 200)
        self.send_header("Content-Type", "application/octet-stream" if name in server.files else "text/html")
        self.send_header("Content-Length", str(len(content or b"")))
        self.end_headers()
        if self.command == "GET":
            with contextlib.suppress(OSError):  # the other side was ended, or its disk is full
                server.send(self, content or b"")

    do_HEAD = do_GET
