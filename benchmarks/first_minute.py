"""What a learner waits for on the first day: `import torch`, and `course lab` until chapter 00 can be read.

    python benchmarks/first_minute.py [--runs 5]

`import_torch`: seconds of processor time of a new process, the median of the runs, with the lowest and the highest.
`lab`: seconds by the clock from the command to the first heading of chapter 00 in a real browser (Chromium, which
runs already), in a new home and a new work folder each time. Both are measured as containers often run Python: with
PYTHONDONTWRITEBYTECODE set, so that each process compiles what set-up has not compiled. `import_torch_kept` and
`lab_kept` are the same without that variable, when Python may keep what it compiles.

The last line is JSON. There is no goal to miss. Exit status 2 where there is no Chromium.
"""

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path += [str(HERE.parent / "tests" / "helpers"), str(HERE.parent / "tests" / "browser")]

import psutil  # noqa: E402
from browsers import BROWSERS, FLAGS  # noqa: E402
from lab_server import LabServer  # noqa: E402
from playwright.sync_api import sync_playwright  # noqa: E402

UNWRITTEN = {"PYTHONDONTWRITEBYTECODE": "1"}
PATIENCE = 300_000  # milliseconds


def import_torch(variables):
    """Seconds of processor time of one new process."""
    env = {name: value for name, value in os.environ.items() if name not in UNWRITTEN}
    before = psutil.Process().cpu_times()
    subprocess.run([sys.executable, "-c", "import torch"], env=env | variables, check=True)
    after = psutil.Process().cpu_times()
    return after.children_user + after.children_system - before.children_user - before.children_system


def first_heading(browser, variables):
    """Seconds from `course lab` to chapter 00's heading in `browser`."""
    folder = Path(tempfile.mkdtemp(prefix="first-minute-"))
    context = browser.new_context(viewport={"width": 1400, "height": 900}, locale="en-US")
    try:
        begun = time.perf_counter()
        server = LabServer(folder, **variables)
        try:
            page = context.new_page()
            page.goto(f"{server.url}lab?token={server.token}", timeout=PATIENCE)
            page.locator(".jp-Notebook .jp-MarkdownOutput h1").first.wait_for(timeout=PATIENCE)
            return time.perf_counter() - begun
        finally:
            context.close()
            server.end()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def spread(key, seconds):
    low, middle, high = min(seconds), statistics.median(seconds), max(seconds)
    return {key: round(middle, 2), f"{key}_low": round(low, 2), f"{key}_high": round(high, 2)}


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False
    )
    parser.add_argument("--runs", type=int, default=5)
    runs = max(1, parser.parse_args().runs)
    chromium = next(filter(None, map(shutil.which, [os.environ.get("COURSE_BROWSER", ""), *BROWSERS])), None)
    if not chromium:
        print("There is no Chromium here: install one, or name one in COURSE_BROWSER.", file=sys.stderr)
        return 2
    found = {}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        for ending, variables in (("", UNWRITTEN), ("_kept", {})):
            found |= spread(f"import_torch{ending}", [import_torch(variables) for _ in range(runs)])
            found |= spread(f"lab{ending}", [first_heading(browser, variables) for _ in range(runs)])
        browser.close()
    print(json.dumps(found))
    return 0


if __name__ == "__main__":
    sys.exit(main())
