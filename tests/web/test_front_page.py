"""What the site's sources are made from: first page, side bar, Binder's links, lines of code, dark plots."""

import base64
import io
import re
import shutil
import sys

import pytest
import torch
from nbformat.v4 import new_code_cell, new_output
from PIL import Image, ImageDraw

from course_utils import PROJECT
from lessonkit.notebook.catalog import find

sys.path.insert(0, str(PROJECT / "tools"))
sys.path.insert(0, str(PROJECT / "web"))
import clinic_page
import code_lines
import documents
import front_page
import pictures
import repository
import side_bar

from torch_clinic.cases import known_cases

TEXT = front_page.TEMPLATE.read_text(encoding="utf-8")
CHAPTERS = find()


def test_every_command_of_the_first_page_is_in_the_readme():
    readme = (PROJECT / "README.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```\n(.*?)^```", TEXT, re.MULTILINE | re.DOTALL)
    lines = [line.partition("#")[0].strip() for block in blocks for line in block.splitlines()]
    assert len(lines) >= 9
    assert [line for line in lines if line not in readme] == []


def test_the_example_of_the_first_page_prints_what_its_fold_says(capsys):
    (code,) = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)
    exec(re.sub(r"^ {3}", "", code, flags=re.MULTILINE).strip(), {"torch": torch})
    assert f"<code>{capsys.readouterr().out.strip()}</code>" in TEXT


def test_the_first_page_sums_the_minutes_of_the_chapters():
    page = front_page.page()
    stated = [front_page.minutes(front_page._title(chapter)) for chapter in CHAPTERS]
    for column in zip(*stated, strict=True):
        assert f"about {round(sum(column) / 60)} hours" in page
    assert f"takes {stated[0][0]} minutes" in page
    assert page.count("<li><a href=") == len(CHAPTERS)


def test_a_chapter_without_a_row_in_the_readme_is_named(monkeypatch):
    rows = front_page.told()
    assert set(rows) == {chapter.name for chapter in CHAPTERS}
    monkeypatch.setattr(front_page, "told", lambda: {name: rows[name] for name in rows if name != "04_nets"})
    with pytest.raises(ValueError, match=r"no row for 04_nets.*Add the row"):
        front_page.cards(CHAPTERS)


@pytest.mark.parametrize(
    "gone", [("00_start_here", "no-such-cell"), ("77_none", "8f8328ed"), ("00_start_here", "2c3521ee")]
)
def test_a_picture_that_is_gone_is_named(monkeypatch, gone):
    assert Image.open(io.BytesIO(front_page.picture())).size[0] > 300
    monkeypatch.setattr(front_page, "PICTURE", gone)
    with pytest.raises(ValueError, match=f"cell {gone[1]} in chapter {gone[0]}.*Name another one"):
        front_page.picture()


def test_every_text_has_a_place_in_the_side_bar_and_maintainers_pages_have_a_drawer():
    pages = documents.texts() | {"nightly.md": "# The last night\n"}
    bar, drawers = side_bar.contents(["00_start_here"]), side_bar.drawers(pages)
    assert set(drawers) == {"for_teachers.md", "for_maintainers.md"}
    for page in pages:
        name = f"\n{page.removesuffix('.md')}\n"
        assert sum(text.count(name) for text in (bar, *drawers.values())) == 1, page
    for page in ("contributing", "architecture", "faults", "threats", "changes", "nightly"):
        assert f"\n{page}\n" in drawers["for_maintainers.md"]
    new = side_bar.drawers(pages | {"data.md": ""})["for_maintainers.md"]
    assert "\ndata\n" not in new


def test_a_page_that_nobody_placed_goes_to_the_maintainers(monkeypatch):
    monkeypatch.setitem(documents.TEXTS, "docs/new.md", "new.md")
    assert "\nnew\n" in side_bar.drawers({"new.md": "# New\n"})["for_maintainers.md"]


@pytest.mark.parametrize(
    ("environment", "address"),
    [
        ({}, None),
        ({"COURSE_REPOSITORY": "", "GITHUB_REPOSITORY": " "}, None),
        ({"GITHUB_REPOSITORY": "a/b"}, "https://github.com/a/b"),
        ({"GITHUB_REPOSITORY": "a/b", "GITHUB_SERVER_URL": "https://git.example.org"}, "https://git.example.org/a/b"),
        ({"COURSE_REPOSITORY": "https://gitlab.com/group/sub/course.git/"}, "https://gitlab.com/group/sub/course"),
        ({"COURSE_REPOSITORY": "https://github.com/own/c.o-d_e", "GITHUB_REPOSITORY": "a/b"}, "https://github.com/own/c.o-d_e"),
    ],
)  # fmt: skip
def test_the_repository_is_the_one_that_was_set(environment, address):
    assert repository.address(environment) == address


@pytest.mark.parametrize(
    "bad", ["a/b", "git@github.com:a/b.git", "https://github.com/a", 'https://x.org/a/b"><script>', "C:\\course"]
)
def test_what_is_no_address_is_refused_in_a_sentence(bad):
    with pytest.raises(ValueError, match=r"COURSE_REPOSITORY is .*expected.*https://github.com/OWNER/NAME"):
        repository.address({"COURSE_REPOSITORY": bad})


def test_binder_is_offered_where_it_can_work(monkeypatch):
    url = "https://github.com/own/course"
    offered = {chapter.name: repository.binder(chapter, url) for chapter in CHAPTERS}
    assert offered["00_start_here"] == (
        "https://mybinder.org/v2/gh/own/course/HEAD?urlpath=lab%2Ftree%2Fwork%2F00_start_here.ipynb"
    )
    assert offered["10_multi_gpu"] is None  # it needs 4.5 GB, and a session has 2
    assert repository.binder(CHAPTERS[0], None) is None
    assert repository.binder(CHAPTERS[0], "https://gitlab.com/own/course") is None
    monkeypatch.setenv("COURSE_REPOSITORY", url)
    page = front_page.page()
    assert offered["00_start_here"] in page and repository.UNSEEN in page and f"git clone {url}" in page
    monkeypatch.delenv("COURSE_REPOSITORY")
    monkeypatch.delenv("GITHUB_REPOSITORY", raising=False)
    assert "mybinder" not in front_page.page() and "colab" not in front_page.page().lower()


def test_binder_has_the_copies_that_its_links_open():
    script = (PROJECT / ".binder" / "postBuild").read_text(encoding="utf-8").splitlines()
    assert script[-1] == "python -m lessonkit.cli update"


def block(code, kind="highlight-python"):
    before = f'<div class="{kind} notranslate"><div class="highlight"><pre tabindex="0"><span></span>'
    return f"{before}{code}</pre></div></div>"


@pytest.mark.parametrize(
    ("code", "indents"),
    [
        ("a = 1\nb = 2\n", [0, 0]),
        ('<span class="k">if</span> a:\n    <span class="n">b</span>()\n', [0, 4]),
        ('    <span class="sd">"""One</span>\n<span class="sd">    two &lt;b&gt;.</span>\n', [4, 4]),
        ('<span class="sd">"""One\n        two\n    """</span>\n', [0, 8, 4]),
        ('<span class="a"><span class="b">x\n  y</span>\nz</span>', [0, 2, 0]),
        ("a\n\n\nb", [0, 0, 0, 0]),
        ("", []),
    ],
)
def test_each_line_of_code_is_complete_and_says_its_indentation(code, indents):
    page = code_lines.wrapped(block(code))
    assert [int(found) for found in re.findall(r"--indent:(\d+)", page)] == indents
    lines = re.findall(r'<span class="line"[^>]*>(.*?\n?)</span>(?=<span class="line"|</pre>)', page, re.DOTALL)
    assert re.sub(r"<[^>]*>", "", "".join(lines)) == re.sub(r"<[^>]*>", "", code)
    for line in lines:
        assert line.count("<span") == line.count("</span>")


@pytest.mark.parametrize(
    ("printed", "wraps"),
    [
        ("MNIST: the full set (60,000 training and 10,000 test pictures)\n", True),
        ("tensor([[1., 2.],\n        [3., 4.]])\n", True),
        ("epoch  loss\n    1  0.35\n", False),
        ("name\tvalue\n", False),
        ("  1.0   2.0\n", False),
    ],
)
def test_a_printed_text_wraps_and_a_printed_table_does_not(printed, wraps):
    page = code_lines.wrapped(block(printed, "output stream highlight-myst-ansi"))
    assert ('class="line"' in page) == wraps
    assert 'class="line"' not in code_lines.wrapped(block(printed, "output traceback highlight-myst-ansi"))


def plotted(background, source="axis.plot(x, y)"):
    picture = Image.new("RGB", (60, 40), background)
    ImageDraw.Draw(picture).line((0, 0, 59, 39), fill="blue")
    file = io.BytesIO()
    picture.save(file, "PNG")
    data = {"image/png": base64.b64encode(file.getvalue()).decode()}
    return new_code_cell(source, outputs=[new_output("display_data", data=data)])


@pytest.mark.parametrize(
    ("cell", "around", "inverted"),
    [
        (plotted("white"), "The loss falls.", True),
        (plotted("black"), "The loss falls.", False),
        (plotted("white"), "Where the grey line is flat, the step is too small.", False),
        (plotted("white", "axis.imshow(image)"), "", False),
        (plotted("white", "show_images(few)\nplt.show()"), "", False),
        (plotted("white", 'axis.set(title="white: the GPU waits")'), "", False),
        (
            plotted("white", "%matplotlib inline\naxis.bar(x, y)"),
            "Blackboards and greyhounds are no colours.",
            True,
        ),
        (new_code_cell("print(1)"), "", False),
    ],
)
def test_a_plot_is_inverted_in_the_dark_unless_that_would_say_something_else(cell, around, inverted):
    assert pictures.suits_inversion(cell, around) == inverted


def test_each_case_of_the_clinic_stands_in_one_group_with_words_for_a_heading():
    groups = clinic_page.grouped(known_cases().values())
    assert sum(map(len, groups.values())) == len(known_cases())
    assert set(groups) <= set(clinic_page.HEADINGS.values()), "name the new group in web/clinic_page.py"
    assert list(groups)[-1] == clinic_page.HEADINGS["silent"]
    page = clinic_page.page()
    for heading, members in groups.items():
        assert f"- [{heading}](#{clinic_page.address(heading)}) ({len(members)})" in page
        assert f"({clinic_page.address(heading)})=\n### {heading}" in page


def test_pictures_of_the_texts_are_those_that_are_there(tmp_path, monkeypatch):
    for name in ("docs", "data"):
        (tmp_path / name).mkdir()
    (tmp_path / "docs" / "room.md").write_text(
        "![a](b.png) ![c](https://example.org/d.png) ![e](b.png)", encoding="utf-8"
    )
    shutil.copy(PROJECT / "docs" / "desk-verdict.png", tmp_path / "docs" / "b.png")
    monkeypatch.setattr(documents, "PROJECT", tmp_path)
    assert documents.pictures() == [(tmp_path / "docs" / "b.png").resolve()]
