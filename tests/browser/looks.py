"""How the page looks, measured in it: pictures without pixels, contrast, what axe finds."""

from axe_playwright_python.sync_playwright import Axe

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
# The body of JupyterLab's page has no height, so that axe takes what is in it for hidden and looks at no colour.
AXE = """
async element => {
  document.body.style.height = "100vh";
  const folded = [...element.querySelectorAll("details:not([open])")];
  folded.forEach(details => details.open = true);
  const { violations, passes } = await axe.run(element);
  folded.forEach(details => details.open = false);
  document.body.style.height = "";
  const shown = node => node.html.slice(0, 120);
  return {
    broken: violations.map(rule => `${rule.id}: ${rule.help}: ${rule.nodes.map(shown).join(", ")}`),
    "looked at": [...violations, ...passes].map(rule => rule.id),
  };
}
"""


def pale(boxes):
    """(state, contrasts) of the boxes whose text or bar has a contrast below 4.5, WCAG's for text."""
    found = [(box.get_attribute("data-state"), box.evaluate(CONTRAST)) for box in boxes.all()]
    return [(state, ratios) for state, ratios in found if min(ratios.values()) < 4.5]


def violations(element):
    """What axe finds in an element, all unfolded and in view: a line for each rule, with what breaks it.

    Raises AssertionError where axe saw no text: it passes over what is scrolled away.
    """
    element.scroll_into_view_if_needed()
    element.page.evaluate(Axe().axe_script)
    found = element.evaluate(AXE)
    assert "color-contrast" in found["looked at"], f"axe saw no text in {element}"
    return found["broken"]
