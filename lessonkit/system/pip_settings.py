"""Pass pip's settings on to uv, which reads none of them: index, wheels' folder, certificate, proxy.

Asked of `pip config list` each time, and handed on in environment variables: an address may hold a password, so it
stands neither in a command line nor in a file. What the user has set for uv itself stays.
"""

import ast
import subprocess
from collections.abc import Mapping
from pathlib import Path

SECTIONS = ("global", "user", "site", "install", ":env:")  # later ones win, as in pip; `user`, `site` are old names
# Settings that change what pip installs and that uv is not told.
NOT_PASSED_ON = {"no-binary", "only-binary", "prefer-binary", "pre", "require-hashes", "target", "prefix", "user"}
# pip's setting -> (uv's variable, other variables that say the same to uv, what stands between several values)
VARIABLES = {
    "index-url": ("UV_DEFAULT_INDEX", ("UV_INDEX_URL",), " "),
    "extra-index-url": ("UV_INDEX", ("UV_EXTRA_INDEX_URL",), " "),
    "find-links": ("UV_FIND_LINKS", (), ","),
    "constraint": ("UV_CONSTRAINT", (), " "),
    "cert": ("SSL_CERT_FILE", (), " "),
    "client-cert": ("SSL_CLIENT_CERT", (), " "),
    "trusted-host": ("UV_INSECURE_HOST", (), " "),
    "proxy": ("ALL_PROXY", ("HTTPS_PROXY", "https_proxy", "all_proxy"), " "),
    "timeout": ("UV_HTTP_TIMEOUT", (), " "),
    "retries": ("UV_HTTP_RETRIES", (), " "),
}
ONE = {"cert", "client-cert", "proxy"}  # a path may hold a space


def of_pip(python: Path | str, environment: Mapping[str, str]) -> dict[str, str]:
    """Return pip's settings for `pip install` by the Python at `python`: name -> value.

    Raises CalledProcessError.
    """
    command = [str(python), "-m", "pip", "config", "list"]
    result = subprocess.run(
        command, env=environment, stdout=subprocess.PIPE, text=True, encoding="utf-8", check=True
    )
    return parsed(result.stdout)


def parsed(listing: str) -> dict[str, str]:
    """Return the settings in what `pip config list` prints, lines such as `global.index-url='https://…'`."""
    found = {section: {} for section in SECTIONS}
    for line in listing.splitlines():
        key, equals, value = line.partition("=")
        section, dot, name = key.strip().rpartition(".")
        if equals and dot and section in found:
            found[section][name.removeprefix("default-") if name == "default-timeout" else name] = value.strip()
    together = {name: value for section in SECTIONS for name, value in found[section].items()}
    return {name: str(ast.literal_eval(value)) for name, value in together.items()}


def for_uv(settings: Mapping[str, str], environment: Mapping[str, str]) -> tuple[dict[str, str], list[str]]:
    """Return (variables, arguments) that tell uv the same, without a variable that the user has set for uv."""
    variables = {}
    for name, (variable, others, between) in VARIABLES.items():
        value = settings.get(name, "").strip()
        if value and not any(environment.get(known) for known in (variable, *others)):
            variables[variable] = value if name in ONE else between.join(value.split())
    if "UV_INDEX" in variables and not environment.get("UV_INDEX_STRATEGY"):
        # pip looks into every index for the pinned version; uv by default only into the first that knows the name.
        variables["UV_INDEX_STRATEGY"] = "unsafe-best-match"
    no_index = settings.get("no-index", "").lower() in ("1", "true", "yes", "on")
    return variables, ["--no-index"] if no_index else []


def not_passed_on(settings: Mapping[str, str]) -> list[str]:
    """Return the names of settings that change what pip installs and that uv is not told."""
    return sorted(
        name for name in NOT_PASSED_ON & set(settings) if settings[name].lower() not in ("", "0", "false")
    )
