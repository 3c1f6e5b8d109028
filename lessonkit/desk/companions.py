"""Bring what belongs to the chapters into the work folder: Markdown pages, our outputs, and a package's scripts."""

import os
import shutil
from pathlib import Path

from nbformat import NotebookNode

from lessonkit.desk.folder import Desk
from lessonkit.desk.storage import keep_old
from lessonkit.notebook.what_we_saw import page as page_of
from lessonkit.notebook.what_we_saw import page_name
from lessonkit.system import atomic, disk
from lessonkit.system.place import PROJECT
from lessonkit.system.plain_file import read_plain


def bring_pages(desk: Desk, troubles: list[str]) -> list[str]:
    """Copy each `*.md` of the originals that is new or changed; return a sentence for each that was the learner's.

    Such a page goes to `old/` first, as pages are not merged. What cannot be read is left, with a sentence in
    `troubles`. Raises OSError where nothing can be written.
    """
    sentences = []
    for page in sorted(desk.originals.glob("*.md")):
        copy, base = desk.work / page.name, desk.bases / page.name
        try:
            new = read_plain(page)
            mine, before = (read_plain(path) if os.path.lexists(path) else None for path in (copy, base))
        except OSError as error:
            troubles.append(f"{page.name} is left as it is: {error.filename} cannot be read ({error.strerror})")
            continue
        if before == new and mine is not None:
            continue
        if mine not in (None, before, new):
            old = keep_old(desk, copy, mine)
            sentences.append(f"{page.name}: its new version; the page as you had changed it is {desk.shown(old)}.")
        atomic.make_folder(desk.bases)
        for path in (copy, base):  # in this order: a base without its copy would make that one look changed
            atomic.write(path, new)
    return sentences


def bring_outputs(desk: Desk, name: str, chapter: NotebookNode, troubles: list[str]) -> None:
    """Write what we saw in the chapter `name` to the page beside its copy, unless it is there.

    A page that cannot be written is a sentence in `troubles`, and keeps no chapter from its update. Raises OSError
    where the disk is full.
    """
    path, new = desk.work / page_name(name), page_of(chapter)
    try:
        if path.is_file() and path.read_bytes() == new:
            return
        atomic.make_folder(path.parent)
        atomic.write(path, new, durable=False)  # written again at the next update
    except OSError as error:
        if disk.is_full(error):
            raise
        troubles.append(f"{desk.shown(path)}, which shows our outputs, cannot be written ({error.strerror})")


def bring_scripts(folder: Path) -> None:
    """Copy what chapters link to and is not in `folder` yet; in a clone it lies there already.

    Raises OSError.
    """
    brought = PROJECT / "scripts"
    for path in sorted(path for path in brought.rglob("*") if path.is_file()):
        to = folder / path.relative_to(brought)
        if not to.exists():
            atomic.make_folder(to.parent)
            atomic.write(to, path.read_bytes())  # half a script would never be brought again
            shutil.copymode(path, to)
