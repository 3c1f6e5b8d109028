"""The links: found in Markdown, judged by what servers say; a missing network told from a missing page."""

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import links
import pytest


@pytest.fixture(scope="module")
def server():
    class Pages(BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(int(self.path.strip("/")))
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_):
            pass

    served = ThreadingHTTPServer(("127.0.0.1", 0), Pages)
    threading.Thread(target=served.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{served.server_port}"
    served.shutdown()
    served.server_close()


def test_addresses_are_found_without_what_follows_them():
    text = "See [the docs](https://a.org/x.html#part), <https://b.org/y>, https://c.org/z_(w). `https://d.org`"
    assert list(links.addresses(text)) == [
        "https://a.org/x.html",
        "https://b.org/y",
        "https://c.org/z_(w)",
        "https://d.org",
    ]
    assert list(links.addresses("COURSE_MIRROR=http://teacher:8000 or http://localhost:6006")) == []


@pytest.mark.parametrize(
    ("status", "verdict"),
    [(200, "good"), (404, "gone"), (410, "gone"), (403, "unsure"), (429, "unsure"), (503, "unsure")],
)
def test_a_server_is_believed_only_where_it_says_gone(server, status, verdict):
    assert links.ask(f"{server}/{status}") == status
    assert links.judge(status) == verdict


def test_a_server_that_is_not_there_is_unsure():
    said = links.ask("http://127.0.0.1:1/")
    assert (said, links.judge(said)) == ("ConnectionError", "unsure")


def run(monkeypatch, capsys, *texts):
    monkeypatch.setattr("sys.argv", ["links.py"])
    monkeypatch.setattr(links, "pages", lambda chapters: {f"page {i}": text for i, text in enumerate(texts)})
    monkeypatch.setattr(links, "LOCAL", links.re.compile("no address is like this"))
    return links.main(), capsys.readouterr().out


def test_a_page_that_is_gone_is_named_with_who_links_to_it(server, monkeypatch, capsys):
    status, said = run(monkeypatch, capsys, f"[a]({server}/200) [b]({server}/404)", f"{server}/404")
    assert status == 1
    assert (
        f"gone    404  {server}/404  (page 0, page 1)" in said and "2 addresses: 1 good, 1 gone, 0 unsure" in said
    )


def test_no_network_is_no_missing_page(monkeypatch, capsys):
    status, said = run(monkeypatch, capsys, "http://127.0.0.1:1/")
    assert status == 2 and "is there a network?" in said


def test_every_chapter_is_read():
    assert [name[:2] for name in links.pages(["05", "00"])] == ["00", "05"]
    assert {"README.md", "00_start_here"} <= set(links.pages([]))
