"""JupyterLab's settings for the learner's copies: its address, and which extensions are turned off."""

import json
import os
from pathlib import Path

from lessonkit.system.loopback import ADDRESS

# The news pop-up; and what nbgrader, and the notebook that comes with it, add to every page: in `jupyter lab` they
# are there.
_ABSENT = ("@jupyterlab/apputils-extension:announcements", "@jupyter/nbgrader", "@jupyter-notebook/lab-extension")
PAGE = {"disabledExtensions": dict.fromkeys(_ABSENT, True)}
DEFAULTS = {
    # A double click on a page such as START.md or the glossary shows it as it is meant to be read.
    "@jupyterlab/docmanager-extension:plugin": {"defaultViewers": {"markdown": "Markdown Preview"}},
    # Beside START a chapter has room for some 95 to 105 characters, so a longer line of code is wrapped.
    "@jupyterlab/notebook-extension:tracker": {"codeCellConfig": {"lineWrap": True}},
}
_PARTS = ("formgrader", "validate_assignment", "assignment_list", "course_list")
_STOPPED = ("notebook", *(f"nbgrader.server_extensions.{part}" for part in _PARTS))
SERVER = {"ServerApp": {"jpserver_extensions": dict.fromkeys(_STOPPED, False)}}
if os.name == "posix":  # not a login shell, which on some systems sets PATH anew and so loses the command `course`
    SERVER["ServerApp"]["terminado_settings"] = {"shell_command": [os.environ.get("SHELL") or "sh"]}


def write_config(folder: Path, **places: str) -> None:
    """Write which extensions are off, and how files open: into a folder of our own, so no user's setting changes.

    `places`: the folders of the `originals` and `copies`, from JupyterLab's root, for the extension `course-desk`.
    """
    (folder / "jupyter_server_config.json").write_text(json.dumps(SERVER), encoding="utf-8")
    (folder / "labconfig").mkdir()
    page = {f"course{name.capitalize()}": place for name, place in places.items()}
    (folder / "labconfig" / "default_setting_overrides.json").write_text(json.dumps(DEFAULTS), encoding="utf-8")
    (folder / "labconfig" / "page_config.json").write_text(json.dumps({**PAGE, **page}), encoding="utf-8")


def opened_wider(arguments: tuple[str, ...]) -> list[str]:
    """Return a warning for each of the `arguments` for JupyterLab that lets others reach it."""
    given = {}
    for one, after in zip(arguments, (*arguments[1:], ""), strict=False):
        name, equals, value = one.partition("=")
        given[name.rpartition(".")[2].lstrip("-")] = (value if equals else after).strip("'\"")
    found = []
    if (address := given.get("ip", ADDRESS)) not in ("localhost", "::1") and not address.startswith("127."):
        found.append(
            f"JupyterLab listens at {address or 'every address'}, as you asked: whoever reaches it and knows its "
            "token runs programs as you; what travels is not encrypted."
        )
    if given.get("token", "there") == "" and not given.get("hashed_password"):
        found.append("JupyterLab asks for no token, as you asked: whoever reaches it runs programs as you.")
    return found
