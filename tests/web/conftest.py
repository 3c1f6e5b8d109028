"""The site, built once as `make site` does, without a network where this system can take it away."""

import functools
import shutil
import subprocess
import sys
import threading
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import browsers
import pytest
from playwright.sync_api import sync_playwright

from course_utils import PROJECT

ALONE = ["unshare", "--map-root-user", "--net"]  # a network namespace of its own, with nothing in it

LEFT = "net::ERR_ABORTED"  # what Chromium says of a request under way when its page is left for another


def without_network():
    """The words to put before a command so that it has no network; none where the system does not allow it."""
    if not shutil.which(ALONE[0]):
        return []
    tried = subprocess.run([*ALONE, "true"], capture_output=True)
    return ALONE if tried.returncode == 0 else []


@pytest.fixture(scope="session")
def built(tmp_path_factory):
    """(folder of the pages, what the build printed, whether it was without a network)."""
    to = tmp_path_factory.mktemp("site")
    before = without_network()
    command = [*before, sys.executable, PROJECT / "web" / "build.py", "--to", to]
    done = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr
    return to / "html", done.stdout + done.stderr, bool(before)


@pytest.fixture(scope="session")
def pages(built):
    """The folder of the pages."""
    return built[0]


@pytest.fixture(scope="session")
def browser():
    """Chromium; COURSE_BROWSER names another than the one on the path."""
    path = browsers.find()
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(
            executable_path=path, args=browsers.FLAGS, timeout=1000 * browsers.PATIENCE
        )
        yield started
        started.close()


@pytest.fixture(scope="session")
def shots():
    """An empty folder for screenshots, build/site-pictures."""
    folder = PROJECT / "build" / "site-pictures"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


@pytest.fixture
def opened(browser, pages):
    """A function that opens a page by name and collects the browser's complaints; `before`: a script run first."""
    contexts = []

    def open_page(name, base=None, before=None, **options):
        context = browser.new_context(**options)
        context.set_default_timeout(1000 * browsers.PATIENCE)
        if before:
            context.add_init_script(before)
        contexts.append(context)
        page = context.new_page()
        page.complaints = []
        page.on("console", lambda said: said.type == "error" and page.complaints.append(said.text))
        page.on("requestfailed", lambda request: request.failure != LEFT and page.complaints.append(request.url))
        page.on("pageerror", lambda error: page.complaints.append(str(error)))
        page.goto(f"{base}/{name}.html" if base else (pages / f"{name}.html").as_uri())
        return page

    yield open_page
    for context in contexts:
        context.close()


@pytest.fixture(scope="session")
def served(pages):
    """The address of a plain file server on the pages."""

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *_):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=pages)) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
