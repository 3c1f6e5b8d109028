"""The chapters on another Python or another torch, in an environment of its own; what was seen is kept.

    python tools/testing/versions.py --python 3.12                  every chapter, untouched and solved, by the pins
    python tools/testing/versions.py --python 3.12 --torch 2.11.0   with this torch, and the torchvision of its age
    python tools/testing/versions.py --torch newest                 the newest release; `nightly`: of last night
    python tools/testing/versions.py 00 05 --answers solved         these chapters, in this way only
    python tools/testing/versions.py --python 3.12 --resume         go on with what had not passed
    python tools/testing/versions.py --here --jobs 8                on the Python that runs this, as on a lent GPU
    python tools/testing/versions.py --table                        write the table in docs/status.md again

The environment, build/versions/NAME/venv, is made by uv and kept; .venv is never touched. Python: a version that uv
or pyenv has here, or the path of one. First come the course's pins without torch and what belongs to it, then the
torch asked for, which may replace pins that it does not stand.

A table at the end names for each chapter its status, what broke, and the deprecations raised in any of its
processes (deprecations.py); untouched, each text output is compared with the one stored (determinism.py). What
was seen goes to docs/versions.json, and from there to docs/status.md; not with --no-record, nor for a torch without
a version of its own (newest, nightly). Exit status 1: a chapter failed, or the course calls what is deprecated.
"""

import argparse
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import deprecations
import determinism
import nbformat

from course_utils import PROJECT
from lessonkit.notebook import catalog
from lessonkit.runner.report import NAME, read
from lessonkit.system.atomic import atomic_write
from lessonkit.system.marked_section import Section

BUILD = PROJECT / "build" / "versions"
RECORD = PROJECT / "docs" / "versions.json"
PAGE = PROJECT / "docs" / "status.md"
START = "<!-- versions: from here on written by tools/testing/versions.py -->"
END = "<!-- versions: to here -->"
ANSWERS = ("untouched", "solved")
FLOATING = ("newest", "nightly")  # no version of their own: another one tomorrow
LIMIT = 1800  # seconds a cell may take: the question is the version, also on a machine with much else to do
NIGHTLY = "https://download.pytorch.org/whl/nightly/cpu"
OF_TORCH = re.compile(r"^(torch|torchvision|triton|cuda-[\w-]+|nvidia-(?!ml-py)[\w-]+)==")
BIN = "Scripts/python.exe" if sys.platform == "win32" else "bin/python"


class Lacking(Exception):
    """What an environment needs and is not here; the text says what to do."""


def uv():
    """The words that start uv: the one beside this Python, else the one on the path."""
    if subprocess.run([sys.executable, "-m", "uv", "--version"], capture_output=True).returncode == 0:
        return [sys.executable, "-m", "uv"]
    if found := shutil.which("uv"):
        return [found]
    raise Lacking("uv is not here: `make setup` fetches it, or `pip install uv`.")


def interpreter(python, *, ask=None):
    """The path of a Python: `python` is a path, or a version that uv finds (`ask`), else one of pyenv's."""
    if Path(python).is_file():
        return str(Path(python).absolute())
    if not re.fullmatch(r"3\.\d+(\.\d+)?", python):
        raise Lacking(f"--python {python}: expected a version like 3.12, or the path of a Python.")
    asked = subprocess.run(
        [*(ask or [*uv(), "python", "find", "--system"]), python], capture_output=True, text=True
    )
    if asked.returncode == 0 and asked.stdout.strip():
        return asked.stdout.strip()
    versions = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    if found := sorted(versions.glob(f"{python}*/{BIN}")):
        return str(found[-1])
    raise Lacking(f"No Python {python} here: `uv python install {python}`, or give --python the path of one.")


def torchvision_for(torch):
    """The torchvision that goes with a torch: 0.26.0 for 2.11.0."""
    major, minor, patch = map(int, torch.split("."))
    if major != 2:
        raise Lacking(f"--torch {torch}: which torchvision goes with it is known of torch 2 only.")
    return f"0.{minor + 15}.{patch}"


def rest(lines):
    """The lines of requirements.txt without torch, torchvision, and what comes with torch."""
    return [line for line in lines if line.strip() and not line.startswith("#") and not OF_TORCH.match(line)]


def installs(python, torch, folder):
    """The commands that fill an environment, in order; writes the list of the other pins into `folder`."""
    install = [*uv(), "pip", "install", "--python", str(python)]
    lines = (PROJECT / "requirements.txt").read_text(encoding="utf-8").splitlines()
    if torch is None:
        first = [[*install, "-r", "requirements.txt"]]
    else:
        if torch == "newest":
            new = ["--upgrade", "torch", "torchvision"]
        elif torch == "nightly":
            # Beside the index that is set, as torch asks for packages that the nightly one lacks.
            new = ["--prerelease=allow", "--index", NIGHTLY, "--index-strategy", "unsafe-best-match"]
            new += ["torch", "torchvision"]
        else:
            new = [f"torch=={torch}", f"torchvision=={torchvision_for(torch)}"]
        # torchdata and timm ask for torch, so they come in the second step; what is there and fits stays.
        asks = [line for line in rest(lines) if line.startswith(("torchdata==", "timm==", "efficientnet"))]
        others = [line for line in rest(lines) if line not in asks]
        (folder / "rest.txt").write_text("\n".join(others) + "\n", encoding="utf-8")
        first = [[*install, "-r", str(folder / "rest.txt")], [*install, *asks, *new]]
    return [*first, [*install, "--no-deps", "--no-build-isolation", "-e", "."]]


def prepare(folder, python, torch):
    """The Python of the environment in `folder`, made unless it is there whole."""
    inside = folder / "venv" / BIN
    ready = folder / "ready.txt"
    wanted = f"{python} {torch} {(PROJECT / 'requirements.txt').read_text(encoding='utf-8')}"
    if ready.exists() and ready.read_text(encoding="utf-8") == wanted and torch not in FLOATING:
        return inside
    folder.mkdir(parents=True, exist_ok=True)
    ready.unlink(missing_ok=True)
    call([*uv(), "venv", "--clear", "--python", python, str(folder / "venv")])
    for command in installs(inside, torch, folder):
        call(command)
    ready.write_text(wanted, encoding="utf-8")
    return inside


def call(command):
    """Say a command and run it in the project's folder; raises Lacking where it fails."""
    print(" ".join(command), flush=True)
    if status := subprocess.run(command, cwd=PROJECT).returncode:
        raise Lacking(f"`{' '.join(command[:5])} …` ended with exit status {status}: read above.")


def run(folder, python, answers, chapters=(), *, jobs=2, limit=LIMIT, resume=False, notebooks=None, known=""):
    """Execute the chapters by the environment's own runner into `folder`/`answers`, deprecations noted beside.

    `known`: the commit of the files, where git does not tell.
    """
    out, ears = folder / answers, folder / f"deprecations-{answers}"
    resume = resume and (out / NAME).exists()
    if not resume:
        shutil.rmtree(ears, ignore_errors=True)
        (out / NAME).unlink(missing_ok=True)
    out.mkdir(parents=True, exist_ok=True)
    about = {"date": time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime()), "commit": commit() or known}
    (out / "about.json").write_text(json.dumps(about), encoding="utf-8")
    command = [python, "-m", "lessonkit.cli", "run", *chapters, "--answers", answers, "--out", out]
    command += ["--jobs", jobs, "--limit", limit, *(["--resume"] if resume else [])]
    command += ["--notebooks", notebooks] if notebooks else []
    environment = {name: value for name, value in os.environ.items() if name != "VIRTUAL_ENV"}
    return subprocess.run(
        [*map(str, command)], cwd=PROJECT, env=environment | deprecations.with_ears(ears)
    ).returncode


def commit():
    """The commit of the files, `+` behind it where others than the record's own have changed; "" without git."""
    own = [f":(exclude){path}" for path in ("docs/status.md", "docs/versions.json")]  # written after each run
    found = []
    for words in (["rev-parse", "--short=7", "HEAD"], ["status", "--porcelain", "-uno", "--", ".", *own]):
        try:
            done = subprocess.run(["git", *words], cwd=PROJECT, capture_output=True, text=True)
        except OSError:
            return ""
        found.append(done.stdout.strip() if done.returncode == 0 else "")
    return found[0] + ("+" if found[0] and found[1] else "")


def seen(folder, notebooks=PROJECT / "notebooks", *, ways=ANSWERS):
    """(entry for the record, lines to print) of what was run in `folder`; raises Lacking where nothing was."""
    entry, lines = {"answers": {}}, []
    for answers in ways:
        out = folder / answers
        if not (out / NAME).exists():
            continue
        report = read(out / NAME)
        results = [result for result in report["chapters"] if result.status != "interrupted"]
        books = {
            result.name: nbformat.read(out / f"{result.name}.ipynb", 4)
            for result in results
            if (out / f"{result.name}.ipynb").exists()
        }
        found = deprecations.read(folder / f"deprecations-{answers}", books)
        entry |= facts(report)
        entry["answers"][answers] = json.loads((out / "about.json").read_text(encoding="utf-8")) | {
            "there": len(catalog.find(notebooks)),
            "chapters": {
                result.name: chapter(result, found, compared(result, answers, out, notebooks)) for result in results
            },
        }
        lines += [f"\n{answers}:", *deprecations.table(results, found)]
    if not entry["answers"]:
        raise Lacking(f"Nothing was run in {folder}.")
    return entry, lines


def facts(report):
    """What a report says of Python, torch and machine, without the host's name or kernel."""
    machine = report["machine"]
    accelerator = machine["accelerator"]
    return {
        "python": machine["python"],
        "torch": machine["torch"].partition("+")[0],
        "torchvision": machine["torchvision"].partition("+")[0],
        "system": f"{machine['os'].split()[0]} {platform.machine()}",
        "cpu": machine["cpu_capability"] + (f" + {accelerator}" if accelerator else ""),
        "cores": machine["cores"],
    }


def compared(result, answers, out, notebooks):
    """How many outputs of an untouched chapter differ from the stored ones; None where that was not asked."""
    stored = notebooks / f"{result.name}.ipynb"
    if answers != "untouched" or not result.passed or not stored.exists():
        return None
    both = nbformat.read(stored, 4), nbformat.read(out / stored.name, 4)
    return determinism.compare(*both)


def chapter(result, found, outputs):
    """A chapter's entry: how it ended, what broke, its deprecations, and where its text is not the stored one."""
    ours, theirs = deprecations.counts(found.get(result.name, []))
    entry = {"status": result.status, "seconds": round(result.seconds), "deprecations": [ours, theirs]}
    if result.error:
        entry["broke"] = result.error.strip().splitlines()[0][:200]
    if found.get(result.name):
        entry["messages"] = [f"{one.by}: {one.kind}: {one.text}" for one in found[result.name]]
    if outputs is not None:
        entry["differ"] = [f"{one.cell}, {one.output}" for one in outputs.differences]
    return entry


def keep(entry, record=RECORD):
    """Put an entry into the record, in the place of one of the same Python, torch and processor.

    An answer or a chapter that was not run this time stays as it was seen.
    """
    whole = json.loads(record.read_text(encoding="utf-8")) if record.exists() else {}
    name = f"python {entry['python']}, torch {entry['torch']}, {entry['system']} {entry['cpu']}"
    answers = whole.get(name, {}).get("answers", {})
    for answer, found in entry["answers"].items():
        before = answers.get(answer, {}).get("chapters", {})
        answers[answer] = found | {"chapters": dict(sorted((before | found["chapters"]).items()))}
    whole[name] = entry | {"answers": answers}
    with atomic_write(record) as file:
        file.write((json.dumps(dict(sorted(whole.items())), indent=1, ensure_ascii=False) + "\n").encode())
    return whole


def table(whole):
    """Return the table of a record for docs/status.md: a line for each Python and torch."""
    if not whole:
        return "Nothing is on record: `python tools/testing/versions.py --python 3.12` looks."
    head = "| Python, torch | untouched | solved | deprecated: ours / libraries' | where and when |"
    lines = [head, "| --- | --- | --- | --- | --- |"]
    for entry in whole.values():
        runs = [entry["answers"].get(answers) for answers in ANSWERS]
        messages = {message for run in filter(None, runs) for message in messages_of(run)}
        ours = sum(own for own, _ in messages)
        where = f"{entry['system']}, {entry['cpu']}, {max(run['date'] for run in runs if run)[:10]}"
        cells = [f"{entry['python']}, {entry['torch']}", *map(in_words, runs)]
        lines.append(f"| {' | '.join([*cells, f'{ours} / {len(messages) - ours}', where])} |")
    return "\n".join(lines)


def messages_of(run):
    """(whether the course's own, message) of every deprecation in a run of chapters."""
    for entry in run["chapters"].values():
        for place, message in enumerate(entry.get("messages", [])):
            yield place < entry["deprecations"][0], message


def in_words(run):
    """`14 of 14 chapters`, those not run, what broke, and how many outputs differ from the stored text."""
    if run is None:
        return "not seen"
    chapters = run["chapters"]
    passed = sum(entry["status"] == "passed" for entry in chapters.values())
    words = [f"{passed} of {len(chapters)} chapters"]
    words += [f"{run['there'] - len(chapters)} more not run"] if run["there"] > len(chapters) else []
    words += [
        f"{name[:2]}: {entry.get('broke', entry['status'])}".replace("|", "\\|")
        for name, entry in chapters.items()
        if entry["status"] != "passed"
    ]
    differ = sum(len(entry.get("differ", ())) for entry in chapters.values())
    if any("differ" in entry for entry in chapters.values()):
        verb = "output differs" if differ == 1 else "outputs differ"
        words.append(f"{differ} {verb} from the stored text" if differ else "text as stored")
    return "; ".join(words)


def written():
    """Return the part of docs/status.md that holds the table."""
    return Section(PAGE, START, END)


def failed(entry):
    """Whether a chapter of an entry did not pass, or called what is deprecated."""
    chapters = [one for found in entry["answers"].values() for one in found["chapters"].values()]
    return any(one["status"] != "passed" or one["deprecations"][0] for one in chapters)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False
    )
    parser.add_argument("chapters", nargs="*", metavar="NN")
    parser.add_argument("--python", default=".".join(platform.python_version_tuple()[:2]), metavar="VERSION|PATH")
    parser.add_argument("--torch", metavar="VERSION|newest|nightly", help="default: the one of requirements.txt")
    parser.add_argument("--answers", nargs="+", choices=ANSWERS, default=ANSWERS)
    parser.add_argument("--jobs", type=int, default=2, help="chapters side by side (default: 2)")
    parser.add_argument("--limit", type=float, default=LIMIT, help=f"seconds until a cell is ended ({LIMIT})")
    parser.add_argument("--resume", action="store_true", help="go on with what had not passed")
    parser.add_argument("--seen", action="store_true", help="run nothing: what an earlier run has left here")
    parser.add_argument("--no-record", action="store_true", help="print what was seen, keep nothing")
    parser.add_argument("--here", action="store_true", help="no environment is made: the Python that runs this")
    parser.add_argument("--commit", default="", help="the commit of the files, where they are in no repository")
    parser.add_argument("--table", action="store_true", help="only write the table in docs/status.md again")
    options = parser.parse_args()
    try:
        return carry_out(options)
    except Lacking as error:
        sys.exit(str(error))


def carry_out(options):
    """What the options say; gives the exit status."""
    if options.table:
        written().put(table(json.loads(RECORD.read_text(encoding="utf-8"))))
        return 0
    named = Path(options.python).name if Path(options.python).is_file() else options.python
    folder = BUILD / ("here" if options.here else "-torch-".join(filter(None, [named, options.torch])))
    if not options.seen:
        inside = sys.executable if options.here else prepare(folder, interpreter(options.python), options.torch)
        choices = {"jobs": options.jobs, "limit": options.limit, "resume": options.resume, "known": options.commit}
        for answers in options.answers:
            run(folder, inside, answers, options.chapters, **choices)
    entry, lines = seen(folder, ways=options.answers)
    print(*lines, sep="\n")
    if not options.no_record and options.torch not in FLOATING:
        written().put(table(keep(entry)))
    return int(failed(entry))


if __name__ == "__main__":
    sys.exit(main())
