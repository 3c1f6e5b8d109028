"""Where the repository is: the address to clone, and Binder's links. Without an address the site offers neither.

The address is the variable COURSE_REPOSITORY (`https://github.com/OWNER/NAME`), or that of the repository in which
GitHub Actions builds the site. Colab gets no button: it opens a notebook without the course's packages, so that the
first cell of every chapter would fail.
"""

import os
import re
from collections.abc import Mapping
from urllib.parse import quote

from lessonkit.notebook.catalog import Chapter
from lessonkit.notebook.costs import MIB, memory

BINDER_MIB = 1500  # a session has 2 GB, of which JupyterLab's server needs some; `memory` is of the chapter alone
UNSEEN = "This link has not been tried yet."


def address(environment: Mapping[str, str] = os.environ) -> str | None:
    """Return the address of the repository, None if nothing says it. Raises ValueError for what is no address."""
    own = environment.get("COURSE_REPOSITORY", "").strip()
    name = environment.get("GITHUB_REPOSITORY", "").strip()
    if not own and not name:
        return None
    url = own or f"{environment.get('GITHUB_SERVER_URL') or 'https://github.com'}/{name}"
    url = url.rstrip("/").removesuffix(".git")
    if not re.fullmatch(r"https://[\w.-]+(?::\d+)?(?:/[\w.~-]+){2,}", url):
        variable = "COURSE_REPOSITORY" if own else "GITHUB_REPOSITORY"
        raise ValueError(
            f"{variable} is {own or name!r}, and the address of a repository was expected, such as "
            "https://github.com/OWNER/NAME. Correct the variable, or unset it: then the site names no address and "
            "does not offer Binder."
        )
    return url


def binder(chapter: Chapter, url: str | None) -> str | None:
    """Return Binder's address of the learner's copy of a chapter; None without a repository on GitHub.com.

    None as well for a chapter that needs more memory than a session of Binder has.
    """
    found = re.fullmatch(r"https://github\.com/([^/]+/[^/]+)", url or "")
    if not found or memory([chapter.name])[chapter.name] > BINDER_MIB * MIB:
        return None
    opened = quote(f"lab/tree/work/{chapter.path.name}", safe="")
    return f"https://mybinder.org/v2/gh/{found[1]}/HEAD?urlpath={opened}"
