"""The pad of chapter 00 on pages of every kind: JupyterLab's, the classic one, a refusing server, none."""

import base64
import io
import json

import pytest
from browsers import FLAGS
from PIL import Image
from playwright.sync_api import expect, sync_playwright

from course_utils.chapters.drawing.pad import DrawingPad

FILE, KERNEL, HOST = "results/é/digit.png", "6f1a", "http://course.test"
LAB = '<script id="jupyter-config-data" type="application/json">{}</script>'
SESSIONS = [
    {"path": "other.ipynb", "kernel": {"id": "other"}},
    {"path": "a console", "kernel": None},
    {"path": "my folder/00.ipynb", "kernel": {"id": KERNEL}},
]


@pytest.fixture(scope="module")
def browser(chromium):
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def pad(browser, tmp_path, monkeypatch):
    """A function that opens a page with a pad, given what is in the page and what its server says."""
    monkeypatch.chdir(tmp_path)
    page, made = browser.new_page(), DrawingPad(FILE, kernel=KERNEL)
    page.saved, page.raised = [], []
    page.on("pageerror", lambda error: page.raised.append(str(error)))

    def opened(attributes="", before="", *, sessions=SESSIONS, status=201, there=None):
        def answer(route):
            request = route.request
            if request.url == f"{HOST}/":
                body = f"<!doctype html><meta charset=utf-8><body {attributes}>{before}{made._repr_html_()}"
                return route.fulfill(
                    body=body, content_type="text/html", headers={"Set-Cookie": "_xsrf=2|x; Path=/"}
                )
            if request.method == "PUT":
                page.saved.append((request.url, request.headers, json.loads(request.post_data)))
                return route.fulfill(status=status, json={})
            if request.url.endswith("api/sessions"):
                return route.fulfill(json=sessions)
            if request.url.endswith("/"):  # a folder
                names = ["weights.pt"] if there is None else ["weights.pt", "digit.png"]
                return route.fulfill(json={"content": [{"name": name} for name in names]})
            content = base64.b64encode(there).decode()
            return route.fulfill(json={"content": content, "mimetype": "image/png"})

        page.route("**/*", answer)
        page.goto(HOST)
        return page

    yield opened
    assert page.raised == []
    page.close()


def draw(page, *places):
    box = page.locator("canvas").bounding_box()
    for number, (x, y) in enumerate(places):
        page.mouse.move(box["x"] + x, box["y"] + y, steps=5)
        if number == 0:
            page.mouse.down()
    page.mouse.up()


PAGES = {
    "JupyterLab, by token": ("", LAB.format('{"baseUrl": "/user/a/", "token": "t"}'), "/user/a/", "token t"),
    "JupyterLab, by cookie": ("", LAB.format('{"baseUrl": "/", "token": ""}'), "/", None),
    "classic, by token": ('data-base-url="/c/" data-jupyter-api-token="t"', "", "/c/", "token t"),
    "classic, by cookie": ('data-base-url="/"', "", "/", None),
}


@pytest.mark.parametrize("kind", PAGES)
def test_a_stroke_is_saved_beside_the_notebook_of_this_kernel(pad, kind):
    attributes, before, base, token = PAGES[kind]
    page = pad(attributes, before)
    draw(page, (60, 140), (220, 140))
    expect(page.get_by_role("status")).to_have_text(f"Saved as {FILE}. Run the next cell, or draw on.")
    [(url, headers, content)] = page.saved
    assert url == f"{HOST}{base}api/contents/my%20folder/results/%C3%A9/digit.png"
    assert (headers.get("authorization"), headers["x-xsrftoken"]) == (token, "2|x")
    assert (content["type"], content["format"]) == ("file", "base64")
    image = Image.open(io.BytesIO(base64.b64decode(content["content"]))).convert("L")
    assert (image.size, image.getpixel((140, 140)), image.getpixel((140, 100))) == ((280, 280), 255, 0)


def test_a_click_is_a_dot_and_clear_saves_an_empty_square(pad):
    page = pad(*PAGES["JupyterLab, by token"][:2])
    draw(page, (140, 140))
    expect(page.get_by_role("status")).to_contain_text("Saved as")
    page.get_by_role("button", name="Clear").click()
    expect(page.get_by_role("status")).to_have_text("The square is empty. Draw a digit from 0 to 9.")
    brightest = [
        Image.open(io.BytesIO(base64.b64decode(content["content"]))).convert("L").getextrema()[1]
        for _, _, content in page.saved
    ]
    assert brightest == [255, 0]


def painted(size, grey):
    Image.new("L", size, grey).save(file := io.BytesIO(), "png")
    return file.getvalue()


@pytest.mark.parametrize("size", [(280, 280), (28, 28), (600, 300)])
def test_what_is_saved_already_is_shown_as_it_is_now(pad, size):
    page = pad('data-base-url="/"', there=painted(size, 200))
    expect(page.get_by_role("status")).to_contain_text(f"This is what {FILE} holds.")
    pixel = "document.querySelector('canvas').getContext('2d').getImageData(270, 270, 1, 1).data[0]"
    assert page.evaluate(pixel) == 200
    page.get_by_role("button", name="Clear").click()
    expect(page.get_by_role("status")).to_contain_text("The square is empty.")
    assert page.evaluate(pixel) == 0


def test_a_file_that_is_no_picture_is_said_and_a_stroke_replaces_it(pad):
    page = pad('data-base-url="/"', there=b"no picture")
    expect(page.get_by_role("status")).to_have_text(f"{FILE} is no image. A stroke here replaces it.")
    draw(page, (60, 140), (220, 140))
    expect(page.get_by_role("status")).to_contain_text("Saved as")
    assert len(page.saved) == 1


BROKEN = {
    "no server": ({}, "This page has no Jupyter server that could save the drawing."),
    "the kernel has ended": ({"sessions": SESSIONS[:2]}, "Run this cell again, then draw."),
    "the server refuses": ({"status": 403}, "The Jupyter server answered 403"),
    "the disk is full": ({"status": 500}, "The Jupyter server answered 500"),
}


@pytest.mark.parametrize("why", BROKEN)
def test_what_is_not_saved_is_said_and_can_be_downloaded(pad, why):
    given, reason = BROKEN[why]
    page = pad("" if why == "no server" else 'data-base-url="/"', **given)
    draw(page, (60, 140), (220, 140))
    expect(page.get_by_role("status")).to_contain_text("The drawing is not saved. ")
    expect(page.get_by_role("status")).to_contain_text(reason)
    expect(page.get_by_role("status")).to_contain_text(f"store it as {FILE}.")
    with page.expect_download() as download:
        page.get_by_role("link", name="Download it").click()
    assert download.value.suggested_filename == "digit.png"
    assert Image.open(download.value.path()).size == (280, 280)


def test_without_scripts_the_page_says_what_to_do(browser, tmp_path, monkeypatch):
    """As JupyterLab shows the output of somebody else's notebook."""
    monkeypatch.chdir(tmp_path)
    page = browser.new_context(java_script_enabled=False).new_page()
    page.set_content(DrawingPad(FILE, kernel=KERNEL)._repr_html_())
    expect(page.get_by_text("Run this cell to draw")).to_be_visible()
    assert not page.locator("canvas").is_visible()


def test_a_finger_draws_as_the_mouse_does(browser, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    page = browser.new_context(has_touch=True).new_page()
    page.set_content(DrawingPad(FILE, kernel=KERNEL)._repr_html_())
    page.locator("canvas").tap(position={"x": 100, "y": 100})
    expect(page.get_by_role("status")).to_contain_text("The drawing is not saved.")
    pixel = "document.querySelector('canvas').getContext('2d').getImageData(100, 100, 1, 1).data[0]"
    assert page.evaluate(pixel) == 255
