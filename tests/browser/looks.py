"""How the page looks, measured in it: pictures without pixels, contrast, what axe finds."""

from axe_playwright_python.sync_playwright import Axe

TALL = 30_000  # pixels, more than a chapter has

# The colours of an element as they are drawn: each is painted on what lies below it, half transparent ones too.
CONTRAST = """
element => {
  const paint = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const over = (color, below) => {
    paint.fillStyle = `rgb(${below.join(" ")})`;
    paint.fillRect(0, 0, 1, 1);
    paint.fillStyle = color;
    paint.fillRect(0, 0, 1, 1);
    return [...paint.getImageData(0, 0, 1, 1).data].slice(0, 3);
  };
  const layers = [];
  for (let one = element; one; one = one.parentElement) layers.unshift(getComputedStyle(one).backgroundColor);
  const ground = layers.reduce((below, color) => over(color, below), [255, 255, 255]);
  const light = color => color.map(v => v / 255).map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const ratio = color => {
    const [dark, bright] = [light(over(color, ground)), light(ground)].sort((a, b) => a - b);
    return (bright + 0.05) / (dark + 0.05);
  };
  const style = getComputedStyle(element);
  return { text: ratio(style.color), bar: ratio(style.borderLeftColor) };
}
"""
# Pictures without pixels, after each has been decoded as far as it can be.
PICTURES = """
async images => {
  await Promise.allSettled(images.map(image => image.decode()));
  return images.filter(image => !image.naturalWidth).map(image => image.outerHTML.slice(0, 80));
}
"""
# JupyterLab's body has no height, for which axe takes all in it for hidden, and looks at no colour.
AXE = """
async elements => {
  document.body.style.height = "100vh";
  const folded = elements.flatMap(element => [...element.querySelectorAll("details:not([open])")]);
  folded.forEach(details => details.open = true);
  elements.forEach(element => element.scrollIntoView({ block: "nearest" }));
  const { violations, passes } = await axe.run(elements, { resultTypes: ["violations", "passes"] });
  folded.forEach(details => details.open = false);
  document.body.style.height = "";
  const contrasts = [...violations, ...passes].filter(rule => rule.id === "color-contrast");
  const seen = contrasts.flatMap(rule => rule.nodes).map(node => document.querySelector(node.target[0]));
  const unseen = elements.filter(element => !seen.some(one => element.contains(one)));
  const shown = html => html.slice(0, 120);
  return {
    broken: violations.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.map(node => shown(node.html))}`),
    unseen: unseen.map(element => shown(element.outerHTML)),
  };
}
"""


def pale(boxes):
    """(state, contrasts) of the boxes whose text or bar has a contrast below 4.5, WCAG's for text."""
    found = [(box.get_attribute("data-state"), box.evaluate(CONTRAST)) for box in boxes.all()]
    return [(state, ratios) for state, ratios in found if min(ratios.values()) < 4.5]


def violations(page, elements):
    """What axe finds in the elements, all unfolded: a line for each rule, with what breaks it.

    Raises AssertionError naming those in which axe saw no text.
    """
    usual = page.viewport_size
    page.set_viewport_size(usual | {"height": TALL})  # axe passes over what would have to be scrolled to
    page.evaluate(Axe().axe_script)
    found = elements.evaluate_all(AXE)
    page.set_viewport_size(usual)
    assert found["unseen"] == []
    return found["broken"]
