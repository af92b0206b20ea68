"""Servers of debug files for the tests, on loopback: Debian's debuginfod, and one that serves what a test says."""
import contextlib
import http.server
import pathlib
import socket
import subprocess
import threading
import time
import urllib.error
import urllib.request

from harness import clean_environment

TIMEOUT = 120  # seconds until a server must have read one small folder


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def has(url: str) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=10) as answer:
            return answer.status == 200
    except OSError:  # not up yet, or it has not read the file yet
        return False


@contextlib.contextmanager
def debuginfod(files: pathlib.Path, database: pathlib.Path, build_id: str):
    """The URL of a server of these files, which it has read when this is entered."""
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    server = subprocess.Popen(["debuginfod", "-F", "-p", str(port), "-d", database, "-c", "1", files],
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=clean_environment())
    try:
        end = time.monotonic() + TIMEOUT
        while not has(f"{url}/buildid/{build_id}/debuginfo"):
            if server.poll() is not None or time.monotonic() > end:
                raise AssertionError(f"debuginfod does not serve {files} ({server.poll()})")
            time.sleep(0.2)
        yield url
    finally:
        server.kill()
        server.wait()


class Server:
    """Serves `files` (path to bytes). Of what is in `cut` it sends half; `moved` leads elsewhere."""

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}
        self.cut: set[str] = set()
        self.moved: dict[str, str] = {}
        self.status = 0  # not 0: the answer to everything
        self.requests: list[str] = []
        serving = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                serving.answer(self)

            def log_message(self, *_) -> None:
                pass

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def answer(self, request: http.server.BaseHTTPRequestHandler) -> None:
        self.requests.append(request.path)
        body = self.files.get(request.path)
        status = self.status or (302 if request.path in self.moved else 200 if body is not None else 404)
        request.send_response(status)
        if status == 302:
            request.send_header("Location", self.moved[request.path])
        body = body if status == 200 else b""
        request.send_header("Content-Length", str(len(body)))
        request.end_headers()
        request.wfile.write(body[:len(body) // 2] if request.path in self.cut else body)

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
