"""A learner's page in JupyterLab: what is opened, typed and seen there, in the words of the tests."""

import json
import os
import re
import time
from pathlib import Path

from browsers import FLAGS, PATIENCE
from PIL import Image
from playwright.sync_api import TimeoutError as NotYet
from playwright.sync_api import expect, sync_playwright

from course_utils import PROJECT

WIDTH = 1200  # pixels of a picture of the README, at most
A_MENU = 20  # seconds until a menu is opened once more
# Errors in the console that are JupyterLab's, TensorBoard's or the network's own, each as the beginning of a line.
# A chapter that is closed while its kernel starts has a debugger that is no longer answered.
LET_PASS = ("Could not restore the debugger state: Canceled future",)
IN_FRONT = ".jp-NotebookPanel:not(.lm-mod-hidden)"
expect.set_options(timeout=1000 * PATIENCE)


class Journey:
    """Chromium on one JupyterLab; `page` is the page that is open, `errors` what its console said."""

    def __init__(self, lab, executable, kept):
        self.lab, self.kept, self.errors, self._failed = lab, Path(kept), [], False
        self._playwright = sync_playwright().start()
        env = os.environ | {"HOME": str(lab.home), "LANG": "C.UTF-8", "LANGUAGE": "en"}
        self._browser = self._playwright.chromium.launch(
            executable_path=executable, args=FLAGS, env=env, timeout=1000 * PATIENCE
        )
        self.context = self._browser.new_context(viewport={"width": 1400, "height": 900}, locale="en-US")
        self.context.set_default_timeout(1000 * PATIENCE)
        self.context.tracing.start(snapshots=True)
        self.open()

    def open(self):
        """Open JupyterLab anew, as after the browser was closed."""
        self.page = self.context.new_page()
        self.page.on("console", lambda said: said.type == "error" and self._noted(said.text, said.location))
        self.page.on("pageerror", lambda error: self._noted(str(error), {}))
        self.page.goto(f"{self.lab.url}lab?token={self.lab.token}")

    def _noted(self, text, location):
        if not text.startswith(LET_PASS):
            self.errors.append(f"{text} ({location.get('url', 'raised')})")

    def failed(self, name):
        self._failed = True
        if not self.page.is_closed():
            self.screenshot(f"failed-{name}")

    def screenshot(self, name):
        self.page.screenshot(path=self.kept / f"{name}.png", animations="disabled")

    def picture(self, name, part=None):
        """Keep a picture of the page or of `part`; where README_PICTURES is set, also as docs/NAME.png."""
        kept = self.kept / f"{name}.png"
        (part or self.page).screenshot(path=kept, animations="disabled")
        if os.environ.get("README_PICTURES"):
            with Image.open(kept) as shown:
                small = shown.convert("RGB")
                small.thumbnail((WIDTH, WIDTH))
                small.quantize(128).save(PROJECT / "docs" / kept.name, optimize=True)

    def end(self):
        if self._failed:
            (self.kept / "lab.log").write_text(self.lab.log, encoding="utf-8")
        trace = {"path": self.kept / "trace.zip"} if self._failed else {}
        self.context.tracing.stop(**trace)
        self._browser.close()
        self._playwright.stop()

    # --- what is on the page

    @property
    def start(self):
        """The start page, as Markdown is shown."""
        return self.page.locator(".jp-MarkdownViewer").filter(has_text="Where you are")

    @property
    def glossary(self):
        """The glossary, as Markdown is shown."""
        pages = self.page.locator(".jp-MarkdownViewer").filter(has_not_text="Where you are")
        return pages.filter(has=self.page.locator('a[href*="#cell-id="]'))

    @property
    def notebook(self):
        """The notebook in front."""
        return self.page.locator(f"{IN_FRONT} .jp-Notebook")

    def cell(self, name, identity):
        """A cell of the chapter in front, which is `name`, by its id."""
        cells = json.loads((self.lab.work / f"{name}.ipynb").read_text(encoding="utf-8"))["cells"]
        [number] = [number for number, cell in enumerate(cells) if cell["id"] == identity]
        return self.notebook.locator(".jp-Notebook-cell").nth(number)

    def folded(self):
        """How many cells of the chapter in front are hidden by a folded heading."""
        return self.notebook.locator(".jp-Notebook-cell.lm-mod-hidden").count()

    def lands_at(self, cell):
        """Wait until a cell is the active one, alone selected, and in view."""
        expect(cell).to_have_class(re.compile(r"\bjp-mod-active\b"))
        expect(cell).to_be_in_viewport()
        expect(self.notebook.locator(".jp-Notebook-cell.jp-mod-selected")).to_have_count(1)

    def menu(self, *names):
        """Choose in the menus: "Run", "Run All Cells"; once more where JupyterLab, still busy, closed one."""
        until = time.monotonic() + PATIENCE
        while True:
            try:
                self.page.get_by_role("menuitem", name=names[0], exact=True).click()
                for name in names[1:]:
                    item = self.page.locator(".lm-Menu-item", has=self.page.get_by_text(name, exact=True)).last
                    item.click(timeout=1000 * A_MENU)
                return
            except NotYet:
                if time.monotonic() > until:
                    raise
                self.page.keyboard.press("Escape")

    def select(self, cell):
        """Make a cell the active one, without a cursor in it."""
        cell.scroll_into_view_if_needed()
        cell.locator(".jp-InputPrompt").click()

    def unfold(self, cell):
        """Show what a folded heading hides."""
        cell.scroll_into_view_if_needed()
        cell.locator(".jp-showHiddenCellsButton").click()

    def run(self, cell):
        self.select(cell)
        self.page.keyboard.press("Control+Enter")

    def idle(self):
        """Wait until the kernel of the active notebook is there and has nothing to do."""
        expect(self.page.locator("#jp-main-statusbar")).to_contain_text("| Idle")

    def run_all(self):
        """Choose Run, Run All Cells and wait until the last one has been run."""
        self.idle()
        last = self.notebook.locator(".jp-CodeCell .jp-InputPrompt").last
        self.menu("Run", "Run All Cells")
        expect(last).to_have_text("[*]:")
        expect(last).to_have_text(re.compile(r"^\[\d+\]:$"))

    def answer(self, cell, line):
        """Type `line` in place of a cell's first one, run the cell with Shift+Enter and return its verdict."""
        cell.scroll_into_view_if_needed()
        cell.locator(".cm-line").first.click()
        for key in ("Home", "Shift+End"):
            self.page.keyboard.press(key)
        self.page.keyboard.type(line)
        self.page.keyboard.press("Shift+Enter")
        return cell.locator(".course-verdict")
