"""A deck in Chromium, without a network: every slide shown and measured, and what the page asked for and said."""

import os
import shutil
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from axe_playwright_python.sync_playwright import Axe
from browsers import FLAGS, PATIENCE
from playwright.sync_api import sync_playwright

# What is wrong with each slide, as sentences. A slide may be longer than the screen if it can be scrolled.
MEASURE = """
async ({ width, height, code, text }) => {
  await Promise.allSettled([...document.images].map(image => image.decode()));
  const total = Reveal.getTotalSlides(), wrong = [];
  for (let number = 0; number < total; number++) {
    Reveal.slide(number, 0, 999);
    const slide = Reveal.getCurrentSlide();
    const say = text => wrong.push(`slide ${number + 1}: ${text}`);
    const named = one => `${one.tagName} ${one.className} ${one.textContent.slice(0, 50)}`;
    const edge = slide.getBoundingClientRect();
    if (slide.scrollWidth > width || edge.bottom > height) say(`${slide.scrollWidth} wide, to ${edge.bottom}`);
    if (getComputedStyle(slide).overflowY !== "auto") say("cannot be scrolled");
    slide.scrollTop = slide.scrollHeight;
    const end = [...slide.querySelectorAll(".jp-Cell")].filter(one => !one.closest("aside.notes")).at(-1);
    if (end.getBoundingClientRect().bottom > edge.bottom + 1) say("its end cannot be scrolled to");
    if (!slide.querySelector("aside.notes")?.textContent.trim()) say("no notes");
    if (!slide.querySelector("h1, h2")?.textContent.trim()) say("no title");
    for (const one of slide.querySelectorAll("*")) {
      if (one.closest("aside.notes")) continue;
      const box = one.getBoundingClientRect();
      if (box.left < 0 || box.right > width)
        say(`${named(one)} reaches from ${Math.round(box.left)} to ${Math.round(box.right)}`);
      if (one.clientWidth && one.scrollWidth > one.clientWidth + 1) say(`${named(one)} is cut off on the right`);
      const style = getComputedStyle(one);
      if (style.visibility === "hidden" || style.opacity === "0") say(`${named(one)} cannot be seen`);
      const ownText = [...one.childNodes].some(node => node.nodeType === 3 && node.textContent.trim());
      const least = one.closest("pre, code") ? code : text;
      if (ownText && parseFloat(style.fontSize) < least - 0.01) say(`${named(one)} is ${style.fontSize} high`);
    }
    for (const image of slide.querySelectorAll("img")) {
      const box = image.getBoundingClientRect();
      if (!image.naturalWidth) say("a picture without pixels");
      const [short, long] = [box.width, box.height].sort((a, b) => a - b);
      if (long < 300 || short < 100) say(`a picture of ${box.width} x ${box.height}`);
      if (getComputedStyle(image).objectFit !== "contain") say("a picture out of shape");
      if (!image.alt.trim()) say("a picture without words");
    }
  }
  return { wrong, total, pictures: document.images.length };
}
"""
AXE = """
async () => {
  const { violations } = await axe.run(Reveal.getCurrentSlide(), { resultTypes: ["violations"] });
  return violations.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.map(node => node.html.slice(0, 120))}`);
}
"""


class Show:
    """Chromium on a thread of its own: Playwright runs once a thread, and the journey has this one's."""

    def __init__(self, executable):
        # Not pytest's own temporary folder, which is kept; Chromium leaves files of its own in what it is given.
        self.folder = Path(tempfile.mkdtemp(prefix="à moi é "))
        self._thread = ThreadPoolExecutor(1)
        self._thread.submit(self._start, executable).result()

    def _start(self, executable):
        self._playwright = sync_playwright().start()
        self._browser = self._playwright.chromium.launch(
            executable_path=executable,
            args=FLAGS,
            env=os.environ | {"LANG": "C.UTF-8", "TMPDIR": str(self.folder)},
            timeout=1000 * PATIENCE,
        )

    def end(self):
        self._thread.submit(self._browser.close).result()
        self._thread.submit(self._playwright.stop).result()
        self._thread.shutdown()
        shutil.rmtree(self.folder, ignore_errors=True)

    def of(self, path, look, *, query=""):
        """What `look(page)` gives for the deck at `path`; and what the page asked for or complained of."""
        return self._thread.submit(self._of, path, look, query).result()

    def _of(self, path, look, query):
        context = self._browser.new_context(viewport={"width": 1280, "height": 720}, offline=True)
        context.set_default_timeout(1000 * PATIENCE)
        heard = []
        context.on("request", lambda one: one.url.startswith(("file:", "data:")) or heard.append(one.url))
        page = context.new_page()
        page.on("console", lambda said: said.type in ("error", "warning") and heard.append(said.text))
        page.on("pageerror", lambda error: heard.append(str(error)))
        page.goto(path.as_uri() + query)
        page.wait_for_function("window.Reveal && Reveal.isReady()")
        found = look(page)
        context.close()
        return found, heard


def axe(page, number):
    """What axe finds on slide `number`, from 0, all of it revealed."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(Axe().axe_script)
    page.evaluate("number => Reveal.slide(number, 0, 999)", number)
    return page.evaluate(AXE)
