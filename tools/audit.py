"""Known holes in the pinned packages, asked of pip-audit: `make audit`, and every week on CI.

    python tools/audit.py               ask; exit status 0: none is known, 1: some are, 2: nobody could be asked
    python tools/audit.py --record      keep what was seen in docs/audit.json and its sentence in docs/threats.md

pip-audit calls a package that its service does not know no finding: where it could ask of none, nothing was seen.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from pathlib import Path

from course_utils import PROJECT
from lessonkit.system import pip_settings
from lessonkit.system.marked_section import Section

TOOL = "pip-audit==2.10.1"
PINS = PROJECT / "requirements.txt"
RECORD, PAGE = PROJECT / "docs" / "audit.json", PROJECT / "docs" / "threats.md"
BEGIN, END = "<!-- audit: written by tools/audit.py -->", "<!-- audit: to here -->"
NONE, FOUND, UNSEEN = 0, 1, 2


def ask(pins=PINS):
    """What pip-audit says of the pins, as a dict; None where it cannot be had or does not end well."""
    settings = pip_settings.of_pip(sys.executable, os.environ)
    variables, arguments = pip_settings.for_uv(settings, os.environ)
    uv = Path(sys.executable).with_name("uv.exe" if os.name == "nt" else "uv")
    line = [str(uv), "tool", "run", "--quiet", *arguments, "--from", TOOL, "pip-audit", "--format=json"]
    line += ["--progress-spinner=off", "--disable-pip", "--no-deps", "--requirement", str(pins)]
    try:
        ran = subprocess.run(line, env=os.environ | variables, capture_output=True, text=True, timeout=900)
        return json.loads(ran.stdout)
    except (OSError, subprocess.TimeoutExpired, ValueError):
        return None


def judged(said):
    """(exit status, how many packages were asked of, the findings) of what pip-audit says."""
    packages = (said or {}).get("dependencies", [])
    asked = [one for one in packages if "skip_reason" not in one]
    findings = sorted(
        f"{one['name']} {one['version']}: {hole['id']}, mended in {', '.join(hole['fix_versions']) or 'no version'}"
        for one in asked
        for hole in one["vulns"]
    )
    if findings:
        return FOUND, len(asked), findings
    # A build of torch with a local version (+cpu) and the like are no service's: a few may be missing.
    return NONE if packages and len(asked) >= 0.9 * len(packages) else UNSEEN, len(asked), findings


def sentence(record):
    """What docs/threats.md says of a record."""
    if record["seen"] is None:
        return (
            "`make audit` (pip-audit) was never seen to answer: where the course was written no advisory service "
            "could be reached. What is known of the pins is therefore unseen."
        )
    found = "; ".join(record["findings"]) or "none"
    when = f"last answered on {record['seen']}, of {record['asked']} packages"
    return f"`make audit` (pip-audit) {when}; found: {found}."


def write(record):
    """Keep a record and its sentence."""
    RECORD.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    Section(PAGE, BEGIN, END).put(sentence(record))


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False
    )
    parser.add_argument("--record", action="store_true", help="keep what was seen")
    options = parser.parse_args()
    status, asked, findings = judged(ask())
    if options.record and status != UNSEEN:  # what was seen once stays
        write({"seen": time.strftime("%Y-%m-%d", time.gmtime()), "asked": asked, "findings": findings})
    print(*findings, sep="\n", end="\n" if findings else "")
    print({
        NONE: f"No known hole in {asked} pinned packages.",
        FOUND: f"{len(findings)} known holes in {asked} pinned packages.",
        UNSEEN: f"Unseen: pip-audit could ask of {asked} packages only. Is there an advisory service to ask?",
    }[status])  # fmt: skip
    return status


if __name__ == "__main__":
    sys.exit(main())
