"""Draw the embedded stand-in for the ants and bees: `python tools/draw_insects.py`.

Two classes of pictures, drawn here, so that no photographer's rights are touched. Size, ground, pose and colour
vary; a stray GIF lies among the training ants, as in the original archive. Which pictures come out depends on the
seed alone; their last bits depend on the version of Pillow.
"""

import argparse
import math
import random
from pathlib import Path

from PIL import Image, ImageDraw, ImageFilter

from course_utils.data import folder_set, registry, settings

SEED = 20260103
SMOOTH = 4  # drawn so many times larger, then reduced: smooth edges
GROUNDS = ((196, 174, 136), (120, 152, 84), (150, 150, 146), (214, 206, 186), (104, 128, 96), (170, 120, 84))
BLACKS = ((32, 26, 24), (74, 36, 22), (112, 52, 28))
YELLOWS = ((232, 178, 40), (214, 150, 46), (240, 200, 92))


def picture(kind, rng):
    """One RGB picture of an "ants" or a "bees" insect on a ground of its own."""
    width, height = rng.randint(140, 300), rng.randint(120, 260)
    image = ground(width * SMOOTH, height * SMOOTH, rng)
    length = min(width, height) * SMOOTH * rng.uniform(0.45, 0.75)
    insect = (ant if kind == "ants" else bee)(int(length), rng)
    insect = insect.rotate(rng.uniform(0, 360), resample=Image.Resampling.BICUBIC, expand=True)
    left = int((image.width - insect.width) * rng.uniform(0.3, 0.7))
    top = int((image.height - insect.height) * rng.uniform(0.3, 0.7))
    image.paste(insect, (left, top), insect)
    return image.resize((width, height), Image.Resampling.LANCZOS)


def ground(width, height, rng):
    """Sand, leaf or stone: one colour, lighter to one side, with specks and stalks on it."""
    color = rng.choice(GROUNDS)
    image = Image.new("RGB", (width, height), color)
    draw = ImageDraw.Draw(image)
    for x in range(0, width, 8):
        shade = 0.8 + 0.4 * x / width
        draw.rectangle((x, 0, x + 8, height), fill=tuple(min(255, int(c * shade)) for c in color))
    for _ in range(rng.randint(20, 60)):
        x, y, size = rng.uniform(0, width), rng.uniform(0, height), rng.uniform(4, 28)
        shade = rng.uniform(0.7, 1.2)
        draw.ellipse((x, y, x + size, y + size * 0.7), fill=tuple(min(255, int(c * shade)) for c in color))
    for _ in range(rng.randint(0, 7)):
        x, lean = rng.uniform(0, width), rng.uniform(-0.3, 0.3) * height
        green = (rng.randint(60, 110), rng.randint(120, 160), rng.randint(50, 80))
        draw.line((x, height, x + lean, rng.uniform(0, height / 2)), fill=green, width=rng.randint(8, 20))
    return image.filter(ImageFilter.GaussianBlur(6))


def ant(length, rng):
    """Three slim parts, six bent legs, two feelers; transparent around."""
    image = Image.new("RGBA", (length, length), (0, 0, 0, 0))
    draw, unit, color = ImageDraw.Draw(image), length / 100, rng.choice(BLACKS)
    for side in (-1, 1):
        for root, knee, foot in ((44, 34, 20), (50, 50, 50), (56, 68, 82)):
            bend = [(root, 50), (knee, 50 + side * 20), (foot, 50 + side * 38)]
            draw.line([(x * unit, y * unit) for x, y in bend], fill=color, width=int(2.4 * unit), joint="curve")
        feeler = [(22, 50), (12, 50 + side * 14), (2, 50 + side * 18)]
        draw.line([(x * unit, y * unit) for x, y in feeler], fill=color, width=int(2 * unit), joint="curve")
    for x, rx, ry in ((24, 10, 8), (50, 15, 6), (78, 18, 12)):
        draw.ellipse([v * unit for v in (x - rx, 50 - ry, x + rx, 50 + ry)], fill=color)
    draw.ellipse([v * unit for v in (72, 42, 84, 47)], fill=tuple(c + 60 for c in color))  # the gleam
    return image


def bee(length, rng):
    """A thick striped body under four glassy wings; transparent around."""
    image = Image.new("RGBA", (length, length), (0, 0, 0, 0))
    draw, unit, yellow = ImageDraw.Draw(image), length / 100, rng.choice(YELLOWS)
    for side in (-1, 1):
        for x in (36, 52, 62):
            draw.line([v * unit for v in (x, 50, x + 4, 50 + side * 34)], fill=(40, 30, 20), width=int(2 * unit))
        feeler = [v * unit for v in (18, 50, 6, 50 + side * 12)]
        draw.line(feeler, fill=(40, 30, 20), width=int(2 * unit))
    draw.ellipse([v * unit for v in (8, 38, 30, 62)], fill=(50, 38, 26))
    draw.ellipse([v * unit for v in (26, 32, 56, 68)], fill=tuple(int(c * 0.75) for c in yellow))
    for x in range(48 * 2, 96 * 2):  # the abdomen, slice by slice: five stripes
        x /= 2
        half = 20 * math.sqrt(max(0.0, 1 - ((x - 72) / 24) ** 2))
        color = yellow if int((x - 48) / 7) % 2 else (36, 28, 22)
        draw.rectangle([v * unit for v in (x, 50 - half, x + 0.6, 50 + half)], fill=color)
    wings = Image.new("RGBA", image.size, (0, 0, 0, 0))
    glass = ImageDraw.Draw(wings)
    for side in (-1, 1):
        for x, reach, wide in ((54, 44, 12), (62, 34, 9)):
            y = 50 + side * reach / 2
            box = [v * unit for v in (x - wide, y - reach / 2, x + wide, y + reach / 2)]
            glass.ellipse(box, fill=(235, 240, 245, 150), outline=(120, 120, 120, 200), width=int(unit))
    return Image.alpha_composite(image, wings)


def not_found():
    """What a picture server answers when the photograph is gone: a small GIF."""
    image = Image.new("P", (120, 80), 0)
    image.putpalette([255, 255, 255, 120, 120, 120])
    draw = ImageDraw.Draw(image)
    draw.rectangle((0, 0, 119, 79), outline=1)
    draw.text((16, 32), "image not found", fill=1)
    return image


def main(target=None):
    spec = registry.find("hymenoptera")
    target = Path(target or settings.SAMPLES / spec.folder)
    rng = random.Random(SEED)
    for part, number in spec.sample:
        (target / part).mkdir(parents=True, exist_ok=True)
        for index in range(number):
            picture(Path(part).name, rng).save(target / part / f"drawn_{index:02}.jpg", quality=82)
    not_found().save(target / "train" / "ants" / "imageNotFound.gif")
    files = folder_set.files_of(target, spec.suffixes)
    size = sum(path.stat().st_size for path in files)
    print(f"{folder_set.digest(target, files)}  SHA-256 of {spec.folder}, {len(files)} pictures, {size:,} bytes")


if __name__ == "__main__":
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    main()
