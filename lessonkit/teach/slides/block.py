"""What stands on a slide: a piece of HTML whose height is known, and how it may be set."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from lessonkit.teach.slides import sizes

SMALLEST_PICTURE = 300  # pixels high: smaller ones cannot be read from the back
LARGEST_SCALE = 2.2  # of a picture
SCALES = (1.5, 1.4, 1.3, 1.2, 1.1)  # of letters, where there is room


@dataclass(frozen=True)
class Block:
    """`html`, and `measure`, which gives its height in pixels when letters are so many times as large as usual.

    `reveals` is hidden until the next key where it stands below something else: an output, a hint. `apart` begins a
    slide of its own, `spare` is left out where there is no room. `width` and `natural` are the pixels of a picture:
    it is scaled to the room there is.
    """

    html: str
    measure: Callable[[float], float]
    reveals: bool = False
    apart: bool = False
    spare: bool = False
    width: int = 0
    natural: int = 0

    @property
    def height(self) -> float:
        """The height with letters of the usual size."""
        return self.measure(1.0)

    def least(self) -> float:
        """Return the least height with which this can be shown."""
        return min(self.height, SMALLEST_PICTURE) if self.natural else self.height

    def alone(self) -> "Block":
        """Return the block as one that begins a slide."""
        return replace(self, apart=True)

    def fitted(self, room: float) -> "Block":
        """Return the block as it stands in `room` pixels of height: a picture scaled, anything else as it is."""
        if not self.natural:
            return self
        wide = sizes.WIDTH - 2 * sizes.SIDE
        scale = min(room / self.natural, wide / self.width, LARGEST_SCALE)
        height, width = int(self.natural * scale), int(self.width * scale)
        size = f'width="{width}" height="{height}"'
        return replace(self, html=self.html.replace("<img ", f"<img {size} ", 1), measure=lambda _: height)


@dataclass
class Slide:
    """One page of the deck: `part` stands small above the title; `notes` are HTML, `minutes` what it takes.

    `cell` is the number that the code on it has in the notebook after Run All, 0 without code.
    """

    title: str
    part: str = ""
    kind: str = "plain"
    blocks: list[Block] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    minutes: float = 0.0
    cell: int = 0
    continued: bool = False
    scale: float = 1.0

    @property
    def heading(self) -> str:
        """The title as it is shown."""
        return f"{self.title} (continued)" if self.continued else self.title

    def room(self) -> float:
        """Return the pixels of height that are still free."""
        # As if every title were a continued one: the next block may make it so.
        free = sizes.body(f"{self.title} (continued)")
        return free - sum(block.height + sizes.GAP for block in self.blocks)


def packed(slide: Slide, blocks: list[Block]) -> list[Slide]:
    """Return `slide` with the blocks on it, and where they do not fit, slides that continue it."""
    slides = [slide]
    for block in blocks:
        if block.spare and block.height > slides[-1].room():
            continue
        if slides[-1].blocks and (block.apart or block.least() > slides[-1].room()):
            slides.append(replace(slide, blocks=[], notes=[], minutes=0.0, continued=True))
        room = slides[-1].room()
        block = block.fitted(room)
        slides[-1].blocks.append(replace(block, reveals=block.reveals and bool(slides[-1].blocks)))
    for one in slides:
        one.scale = _largest(one)
    return slides


def _largest(slide):
    """Return how many times as large as usual its letters can be, to be read from the back."""
    if any(block.natural for block in slide.blocks):
        return 1.0
    full = sizes.body(slide.heading)
    gaps = sizes.GAP * len(slide.blocks)
    fits = (scale for scale in SCALES if sum(block.measure(scale) for block in slide.blocks) + scale * gaps <= full)
    return next(fits, 1.0)
