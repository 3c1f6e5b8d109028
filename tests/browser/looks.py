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


def pale(boxes):
    """(state, contrasts) of the boxes whose text or bar has a contrast below 4.5, WCAG's for text."""
    found = [(box.get_attribute("data-state"), box.evaluate(CONTRAST)) for box in boxes.all()]
    return [(state, ratios) for state, ratios in found if min(ratios.values()) < 4.5]


def violations(page, *selectors):
    """What axe finds in the elements that match: a line for each rule, with the elements that break it."""
    found = Axe().run(page, context=[[selector] for selector in selectors]).response["violations"]
    return [f"{rule['id']}: {rule['help']}: {[node['html'][:120] for node in rule['nodes']]}" for rule in found]
