"""Folders of pictures as people have them: `ImageFolder` without hidden files, each picture as viewers show it."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from PIL import Image, ImageOps
from torchvision.datasets import ImageFolder
from torchvision.datasets.folder import IMG_EXTENSIONS

from lessonkit.system.hidden import is_hidden, is_visible


class VisibleImageFolder(ImageFolder):
    """torchvision's `ImageFolder`, without hidden files and folders; it opens pictures with `read_picture`.

    A class without a picture raises FileNotFoundError. With `allow_empty=True` it is a class without a sample.

    >>> for name in ("bees", "ants", ".ipynb_checkpoints"):
    ...     Path("insects", name).mkdir(parents=True)
    >>> VisibleImageFolder("insects", allow_empty=True).class_to_idx
    {'ants': 0, 'bees': 1}
    """

    def __init__(
        self, root: str | Path, transform: Callable[[Image.Image], Any] | None = None, *, allow_empty: bool = False
    ) -> None:
        def is_picture(path: str) -> bool:
            return path.lower().endswith(IMG_EXTENSIONS) and is_visible(Path(path), below=Path(root))

        options = {"loader": read_picture, "is_valid_file": is_picture, "allow_empty": allow_empty}
        super().__init__(str(root), transform, **options)

    def find_classes(self, directory: str | Path) -> tuple[list[str], dict[str, int]]:
        """Return the names of the visible folders, sorted, and the index of each; torchvision calls this method."""
        folders = (path for path in Path(directory).iterdir() if path.is_dir() and not is_hidden(path.name))
        names = sorted(path.name for path in folders)
        return names, {name: number for number, name in enumerate(names)}


def read_picture(path: str | Path) -> Image.Image:
    """Return the picture in a file as RGB, turned upright by its EXIF data, with white for transparent pixels.

    A grey picture of 16 bits keeps its brightness; `convert("RGB")` alone would make it white. Raises OSError.

    >>> Image.new("I;16", (2, 2), 32_768).save("grey.png")
    >>> read_picture("grey.png").getpixel((0, 0))
    (127, 127, 127)
    """
    with Image.open(path) as file:
        picture = ImageOps.exif_transpose(file)
    if picture.mode.startswith("I"):  # 16 bits per pixel; 65,535 is white
        picture = picture.convert("I").point(lambda value: value / 257).convert("L")
    if picture.has_transparency_data:
        picture = picture.convert("RGBA")
        picture = Image.alpha_composite(Image.new("RGBA", picture.size, "white"), picture)
    return picture.convert("RGB")
