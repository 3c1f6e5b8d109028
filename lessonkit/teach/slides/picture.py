"""A picture of an output as a block: as large as there is room, a very high one in two columns."""

import base64
import html
import io

from PIL import Image

from lessonkit.teach.slides.block import Block

HIGH = 1.4  # times its width: beyond that the letters in a picture would be too small on a slide
REACH = 0.15  # of its height: so far from the middle it may be cut
BETWEEN = 16  # pixels between the columns


def picture(encoded: str, description: str) -> Block:
    """Return a base64 PNG as a block that is revealed; `description` is for those who do not see it."""
    with Image.open(io.BytesIO(base64.b64decode(encoded))) as image:
        width, height = image.size
        columns = in_two_columns(image) if height > HIGH * width else None
    if columns is not None:
        file = io.BytesIO()
        columns.save(file, "PNG", optimize=True)
        encoded, (width, height) = base64.b64encode(file.getvalue()).decode("ascii"), columns.size
    source = f"data:image/png;base64,{''.join(encoded.split())}"
    markup = f'<img src="{source}" alt="{html.escape(description)}">'
    return Block(markup, lambda _: 2 * height, reveals=True, width=width, natural=height)


def in_two_columns(image: Image.Image) -> Image.Image | None:
    """Return the two halves side by side, cut at an empty row near the middle; None where there is none."""
    full = image.convert("RGBA")
    width, height = full.size
    near = sorted(
        range(int(height * (0.5 - REACH)), int(height * (0.5 + REACH))), key=lambda y: abs(y - height / 2)
    )
    cut = next((y for y in near if full.crop((0, y, width, y + 1)).getcolors(1)), None)
    if cut is None:
        return None
    made = Image.new("RGBA", (2 * width + BETWEEN, max(cut, height - cut)), full.getpixel((0, cut)))
    made.paste(full.crop((0, 0, width, cut)), (0, 0))
    made.paste(full.crop((0, cut, width, height)), (width + BETWEEN, 0))
    return made
