"""Everything that can fail, run, and how much that was: what `make test`, `make test-all` and CI call.

    python tools/testing/all.py                     every step but `solved`; all run, also after one has failed
    python tools/testing/all.py --changed           of these steps only what a change may have altered (changed.py)
    python tools/testing/all.py --changed --plan    say what that would run, and for how long; run nothing
    python tools/testing/all.py --since main        the same, where everything is known to pass at that commit
    python tools/testing/all.py lint unit           only these steps, whole
    python tools/testing/all.py --imitate all       the imitated processor for every chapter, not for the first
    python tools/testing/all.py --core both         the core of every chapter untouched too, not only solved
    python tools/testing/all.py --again all         after the untouched chapter all of its cells again, solved
    python tools/testing/all.py --chapters 03,05    of the steps that execute chapters, only these (shards.py)

The steps:
    lint       ruff on code and notebooks, actionlint on the workflows, hadolint on the Dockerfile
    unit       tests/, exercises and their mutants among them; without tests/web, tests/browser and tests/faults
    faults     a short sample of what may go wrong: damaged files, full disks, killed processes (all: make soak)
    site       the website: built without a network, links, sizes, axe, the clinic in the page; needs a Chromium too
    browser    in a real browser: a learner's first evening on `course lab`, the slides of every chapter, and the
               instructor's page while thirty learners check; skipped where there is no Chromium
    notebooks  every notebook as it is and then, in the same kernel, with its exercises solved by their references,
               all of which must pass, with every cell that an answer can alter (affected.py; `--again all`: every
               cell); both times nbval compares each text output with the one stored
    imitated   the same for one notebook on a processor that rounds differently, with one thread
    core       every chapter without what it marks as *Further*, solved, by the course's own runner on the samples
    solved     every notebook solved in a kernel of its own, by the runner: only where it is asked for, as CI's
               jobs for chapters and versions.py do. `notebooks` has run the cells that an answer can alter in the
               same order, and `course check` holds that none needs a name that only a later one makes

What `site`, `browser`, `notebooks`, `core` and `solved` leave behind is a failure: a process, a port, shared
memory, a file (aftermath.py). `site` and `browser` are run side by side, as each waits much of its time for the
other end of a connection; what they print comes when both have ended. With `--changed`, `notebooks` and `core` join
them when there are at most as many chapters as cores, since a chapter alone keeps only one core busy.
"""

import argparse
import contextlib
import importlib.util
import json
import os
import platform
import shutil
import subprocess
import sys
import sysconfig
import time
import xml.etree.ElementTree as ElementTree
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import IO, NamedTuple

import aftermath
import changed
import doubled
import nbformat
import psutil
import shards

from course_utils import PROJECT, machine
from lessonkit.notebook.cells import keep_core
from lessonkit.runner.environment import thread_settings

BUILD = PROJECT / "build" / "tests"
COUNTS = PROJECT / "build" / "counts.json"  # written by tests/content/test_exercises.py
NOTEBOOKS = sorted((PROJECT / "notebooks").glob("*.ipynb"))
# The oldest instructions torch and oneDNN will use: sums come out in another order, as on another machine.
IMITATED = {
    "ATEN_CPU_CAPABILITY": "default",
    "ONEDNN_MAX_CPU_ISA": "SSE41",
    "OMP_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
}
MORE = str(machine.cores() + 1)  # so many side by side, as each waits now and then for what it has started
SHARED = ("-n", str(machine.cores() + 2), "--dist", "loadfile")
NBVAL = ("--nbval", "--nbval-current-env", "--nbval-cell-timeout=600")
NBVAL += (f"--nbval-sanitize-with={PROJECT / 'tools' / 'testing' / 'stored_verdicts.cfg'}",)
# As the runner's kernels: no progress bars; this Python's kernel; threads that spin for a short time only.
KERNEL = {"TQDM_DISABLE": "1", "JUPYTER_PREFER_ENV_PATH": "1"} | thread_settings()


class Tally(NamedTuple):
    passed: int
    failed: int
    skipped: int = 0


class Ground(NamedTuple):
    """Where a step's commands run: variables for them all, and the file that takes what they print, if any."""

    environment: dict[str, str] = {}  # noqa: RUF012 - nothing adds to it
    output: IO | None = None


def call(ground, *command, **environment):
    """Runs a command of this Python's environment in the project's root; gives its exit status."""
    name, *rest = map(str, command)
    program = sys.executable if name == "python" else shutil.which(name, path=sysconfig.get_path("scripts"))
    if program is None:
        print(f"`{name}` is not installed beside {sys.executable}: run `make setup`.", flush=True)
        return 1
    inherited = {name: value for name, value in os.environ.items() if name != "MPLBACKEND"}  # kernels choose it
    environment = inherited | ground.environment | environment
    errors = subprocess.STDOUT if ground.output else None
    command = [program, *rest]
    return subprocess.run(command, cwd=PROJECT, env=environment, stdout=ground.output, stderr=errors).returncode


def pytest(ground, step, *arguments, **environment):
    """One run of pytest, counted from its own record; a run that broke off counts as a failure."""
    record = BUILD / f"{step}.xml"
    colored = sys.stdout.isatty() and not ground.output
    color = "--color=auto" if colored else "--color=no"  # nbval colours files too unless told
    plugins = ("-p", "tools.testing.early", "-p", "tools.testing.chosen")
    words = ("-m", "pytest", *plugins, "-q", color, f"--junitxml={record}")
    status = call(ground, "python", *words, *arguments, **environment)
    if not record.exists():
        return Tally(0, 1)
    suites = list(ElementTree.parse(record).getroot().iter("testsuite"))
    tests, failures, errors, skipped = (
        sum(int(suite.get(name)) for suite in suites) for name in ("tests", "failures", "errors", "skipped")
    )
    failed = failures + errors
    return Tally(tests - failed - skipped, max(failed, int(status != 0)), skipped)


def kept_apart(step):
    """Where pytest keeps its folders: not where what a watched run leaves behind is looked for."""
    return f"--basetemp={BUILD / f'{step}-folders'}"


def lint(_, ground):
    commands = (("ruff", "check"), ("ruff", "format", "--check"), ("actionlint",))
    if os.name != "nt":  # hadolint has no wheel for Windows
        commands += (("hadolint", "Dockerfile"),)
    statuses = [call(ground, *command) for command in commands]
    return Tally(statuses.count(0), len(statuses) - statuses.count(0))


def tests(options, step, *whole):
    """The words that name a step's test files: those that the plan chose, or `whole`."""
    return options.plan.tests.get(step, ()) if options.plan else whole


def only(options):
    """The variable by which chosen.py knows the chapters whose cases are run."""
    return {"COURSE_ONLY": json.dumps(options.plan.only)} if options.plan else {}


def chapters_of(options, step):
    """The notebooks that a step executes."""
    chosen = options.plan.chapters[step] if options.plan and step in options.plan.chapters else None
    return options.chapters if chosen is None else [path for path in NOTEBOOKS if path.stem in chosen]


def unit(options, ground):
    # Processes share the cores, so each gets one thread; two more than cores, as many wait for what they start.
    # A file stays on one of them: what its tests share is made once, and an answer of the bank is judged once.
    apart = [f"--ignore=tests/{name}" for name in ("browser", "faults", "web")]
    files = tests(options, "unit", "tests", *apart)
    return pytest(ground, "unit", *SHARED, *files, **only(options), OMP_NUM_THREADS="1")


def faults(options, ground):
    files = tests(options, "faults", "tests/faults")
    return pytest(ground, "faults", *SHARED, *files, **only(options), OMP_NUM_THREADS="1")


def site(options, ground):
    files = tests(options, "site", "tests/web")
    return pytest(ground, "site", kept_apart("site"), "-n", "2", "--dist", "loadfile", *files, **only(options))


def browser(options, ground):
    # One page goes from test to test: after one that failed the next ones mean nothing.
    limit = ("-o", "faulthandler_timeout=900", "-o", "faulthandler_exit_on_timeout=true")  # seconds a test
    files = tests(options, "browser", "tests/browser")
    return pytest(ground, "browser", kept_apart("browser"), "--exitfirst", *limit, *files, **only(options))


def notebooks(options, ground):
    # Chapters side by side share the cores, so each gets one thread. The longest begin, lest one be left alone.
    chosen = chapters_of(options, "notebooks")
    seconds = shards.recorded([path.stem for path in chosen])
    longest_first = sorted(chosen, key=lambda path: -seconds[path.stem])
    twice = doubled.write(longest_first, BUILD / "doubled", whole=options.again == "all")
    side_by_side = (kept_apart("notebooks"), "-n", MORE, "--dist", "loadscope", "--no-loadscope-reorder")
    return pytest(ground, "notebooks", *NBVAL, *side_by_side, *twice, **KERNEL, OMP_NUM_THREADS="1")


def imitated(options, ground):
    there = chapters_of(options, "imitated")
    chosen = there if options.imitate == "all" else there[:1]
    return pytest(ground, "imitated", *NBVAL, *chosen, **KERNEL, **IMITATED)


def core(options, ground):
    divided = [path for path in chapters_of(options, "core") if keep_core(nbformat.read(path, 4))]
    # On the samples that come with the course: the other steps see the full data, where they are.
    samples = {"COURSE_DATA": "", "COURSE_OFFLINE": "1"}
    chosen = ("untouched", "solved") if options.core == "both" else ("solved",)
    tallies = [executed(ground, divided, answers, "--core", **samples) for answers in chosen if divided]
    return Tally(*map(sum, zip(Tally(0, 0), *tallies, strict=True)))


def solved(options, ground):
    return executed(ground, options.chapters, "solved")


def executed(ground, paths, answers, *flags, **environment):
    """Run chapters by the course's own runner; one that failed counts."""
    report = BUILD / "-".join(["run", answers, *flags]).replace("--", "") / "report.json"
    names = [path.stem for path in paths]
    flags += ("--jobs", MORE, "--out", report.parent)
    status = call(ground, "course", "run", "--answers", answers, *flags, *names, **environment)
    chapters = json.loads(report.read_text(encoding="utf-8"))["chapters"] if report.exists() else []
    passed = sum(chapter["status"] == "passed" for chapter in chapters)
    return Tally(passed, max(len(chapters) - passed, int(status != 0)))


STEPS = {step.__name__: step for step in (lint, unit, faults, site, browser, notebooks, imitated, core, solved)}
ASKED_FOR_ONLY = {"solved"}
WATCHED = {"site", "browser", "notebooks", "core", "solved"}
SIDE_BY_SIDE = ("site", "browser")


def together(names, beside=SIDE_BY_SIDE):
    """The steps in groups: those `beside` each other make one, where the first of them stands."""
    names = dict.fromkeys(names)  # one that is named twice is run once
    waiting = [name for name in names if name in beside]
    return [waiting if name in waiting else [name] for name in names if name not in waiting[1:]]


def tell(names):
    """Print what steps that ran side by side have printed, one after the other."""
    for name in names:
        print(f"-- {name}", flush=True)
        sys.stdout.buffer.write((BUILD / f"{name}.txt").read_bytes())
        sys.stdout.flush()


def take(names, options):
    """Run steps side by side: tally and seconds of each. What they leave behind is a failure of the last one."""
    with contextlib.ExitStack() as stack:
        run = stack.enter_context(aftermath.watched()) if WATCHED & set(names) else None
        environment = run.environment if run else {}
        several = len(names) > 1
        outputs = [stack.enter_context((BUILD / f"{name}.txt").open("wb")) if several else None for name in names]

        def one(name, output):
            start = time.perf_counter()
            return STEPS[name](options, Ground(environment, output)), time.perf_counter() - start

        if not several:
            found = [one(names[0], None)]  # not in a thread, where Ctrl-C would be heard late
        else:
            stack.callback(tell, names)
            with ThreadPoolExecutor(len(names)) as pool:
                found = list(pool.map(one, names, outputs))
    for line in run.left if run else ():
        print(f"left behind: {line}", flush=True)
    if run and run.left:
        tally, seconds = found[-1]
        found[-1] = (tally._replace(failed=tally.failed + 1), seconds)
    return found


def tried(tallies, options):
    """One line: how many notebooks, cells, exercises, mistakes and mutants were tried in this run."""
    counts, chapters = {}, len(chapters_of(options, "notebooks"))
    if "notebooks" in tallies:
        counts["notebooks compared"] = chapters
    if {"notebooks", "solved"} & set(tallies):
        counts["notebooks solved"] = chapters
    for step, name in (("notebooks", "cells compared"), ("imitated", "cells on an imitated processor")):
        if step in tallies:
            counts[name] = sum(tallies[step])
    if "browser" in tallies:
        counts["stations in a browser"] = tallies["browser"].passed + tallies["browser"].failed
    if COUNTS.exists():
        counts |= json.loads(COUNTS.read_text(encoding="utf-8"))
    return "tried: " + (", ".join(f"{name} {number}" for name, number in counts.items()) or "nothing counted")


def chapters(text):
    """The notebooks of `03,05`, in order."""
    chosen = [path for path in NOTEBOOKS if path.stem[:2] in text.split(",")]
    if len(chosen) != len(set(text.split(","))):
        there = ", ".join(path.stem[:2] for path in NOTEBOOKS)
        raise argparse.ArgumentTypeError(f"{text}: expected numbers with commas between them, of {there}")
    return chosen


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False
    )
    steps = f"of {', '.join(STEPS)}; all but `solved` unless given"
    parser.add_argument("steps", nargs="*", metavar="STEP", help=steps)
    parser.add_argument("--imitate", choices=("first", "all"), default="first")
    parser.add_argument("--core", choices=("solved", "both"), default="solved")
    parser.add_argument("--again", choices=("affected", "all"), default="affected")
    parser.add_argument("--chapters", type=chapters, default=NOTEBOOKS, metavar="NN,NN", help="all unless given")
    parser.add_argument("--changed", action="store_true", help="only what a change may have altered")
    parser.add_argument("--since", metavar="COMMIT", help="a commit known to pass; means --changed too")
    parser.add_argument("--plan", dest="dry", action="store_true", help="with --changed: say what would run")
    options = parser.parse_args()
    options.changed |= options.since is not None
    if options.changed and (options.steps or options.chapters is not NOTEBOOKS or options.core == "both"):
        parser.error("--changed chooses steps and chapters itself: leave STEP, --chapters and --core away")
    if options.dry and not options.changed:
        parser.error("--plan says what --changed would run: give both")
    if unknown := sorted(set(options.steps) - set(STEPS)):
        parser.error(f"no step called {', '.join(unknown)}: there are {', '.join(STEPS)}")
    chosen = options.steps or [name for name in STEPS if name not in ASKED_FOR_ONLY]
    options.plan = changed.choose(PROJECT, since=options.since) if options.changed else None
    beside = SIDE_BY_SIDE
    if options.plan:
        chosen = options.plan.steps(chosen)
        few = len(options.plan.chapters["notebooks"]) <= machine.cores()
        beside = (*SIDE_BY_SIDE, "notebooks", "core") if few else SIDE_BY_SIDE
        print(*options.plan.told, sep="\n", flush=True)
    # Where nobody asks for less than the whole of a step, what passes is noted for the next `--changed`.
    noted = options.plan
    if (
        not noted
        and not os.environ.get("CI")
        and options.chapters is NOTEBOOKS
        and set(chosen) - {"lint", "solved"}
    ):
        noted = changed.everything(PROJECT)
    if options.dry:
        return tell_plan(options.plan, chosen, beside)
    shutil.rmtree(BUILD, ignore_errors=True)
    BUILD.mkdir(parents=True)
    keep_bytecode()
    COUNTS.unlink(missing_ok=True)
    tallies, seconds, busy = {}, {}, {}
    begun = time.perf_counter()
    for names in together(chosen, beside):
        print(f"\n== {' and '.join(names)}", flush=True)
        start, worked = time.perf_counter(), processor_seconds()
        for name, (tally, took) in zip(names, take(names, options), strict=True):
            tallies[name], seconds[name] = tally, took
        share = (processor_seconds() - worked) / (time.perf_counter() - start) / machine.cores()
        busy |= dict.fromkeys(names, share)
        if noted and not os.environ.get("PYTEST_ADDOPTS"):  # which may leave tests out
            changed.keep(PROJECT, noted, passed_in(names, tallies, noted))
    print(f"\n{'':10} passed  failed  skipped  seconds  cores busy")
    for name, (passed, failed, skipped) in tallies.items():
        print(f"{name:10} {passed:6}  {failed:6}  {skipped:7}  {seconds[name]:7.0f}  {busy[name]:10.0%}")
    print(tried(tallies, options))
    passed, failed, skipped = map(sum, zip(*tallies.values(), strict=True))
    print(f"{passed} passed, {failed} failed, {skipped} skipped in {time.perf_counter() - begun:.0f} s")
    keep(tallies, seconds, options)
    return int(failed > 0)


def tell_plan(plan, steps, beside):
    """Print what a plan would run and for how long, by the seconds on record."""
    durations = shards.recorded([path.stem for path in NOTEBOOKS])
    found, unknown = changed.seconds(plan, durations, machine.cores())
    for name in steps:
        chapters, files = plan.chapters.get(name, ()), plan.tests.get(name, ())
        print(f"{name:10} {found.get(name, 0):5.0f} s  {', '.join(chapters) or f'{len(files)} test files'}")
        for path in files if len(files) < len(plan.parts) / 2 else ():
            print(f"{'':18} {path}{': ' + ', '.join(plan.only[path]) if path in plan.only else ''}")
    # Steps side by side share the cores: the longest, or the work of all, divided.
    groups = [[found.get(name, 0) for name in names] for names in together(steps, beside)]
    whole = sum(max(*group, sum(group) / machine.cores()) if len(group) > 1 else group[0] for group in groups)
    print(f"By the seconds on record this takes {whole:.0f} s on {machine.cores()} cores.")
    if unknown:
        shown = ", ".join(unknown[:10]) + ", …" * (len(unknown) > 10)
        print(f"Of {len(unknown)} test files no seconds are on record: {shown}.")
    return 0


def passed_in(names, tallies, plan):
    """Of the steps that have just run, the test files and chapters (`core:05_training`) in which nothing failed."""
    passed = set()
    if len(names) > 1 and any(tallies[name].failed for name in names):
        return passed  # what is left behind counts as a failure of the last one, and may be another's
    for name in names:
        tally = tallies[name]
        units = {*plan.tests.get(name, ()), *(f"{name}:{chapter}" for chapter in plan.chapters.get(name, ()))}
        if not tally.failed:
            passed |= units
        elif (broken := failed_files(BUILD / f"{name}.xml")) and broken <= units:
            passed |= units - broken
    return passed


def failed_files(record):
    """The test files in which something failed, by pytest's record; none where there is no record."""
    cases = ElementTree.parse(record).getroot().iter("testcase") if record.exists() else ()
    broken = {case.get("classname", "") for case in cases if {"failure", "error"} & {child.tag for child in case}}
    return {name.replace(".", "/") + ".py" for name in broken}


def processor_seconds():
    """Seconds that the machine's cores have worked, whoever for."""
    times = psutil.cpu_times()
    return times.user + times.system + getattr(times, "nice", 0.0)


def keep_bytecode():
    """Where Python was told to keep nothing of what it compiles, let it: a thousand processes import torch here.

    Where set-up has left torch's bytecode that is not needed.
    """
    if Path(importlib.util.cache_from_source(importlib.util.find_spec("torch").origin)).exists():
        return
    if os.environ.pop("PYTHONDONTWRITEBYTECODE", ""):
        os.environ["PYTHONPYCACHEPREFIX"] = str(PROJECT / "build" / "bytecode")  # and not beside the sources
        print("PYTHONDONTWRITEBYTECODE is set: for this run Python keeps what it compiles in build/bytecode.")


def keep(tallies, seconds, options):
    """Write what was seen to build/tests/summary.json: web/nightly.py makes a page of it."""
    executed = [path for name in ("solved", "core") for path in BUILD.glob(f"run-{name}*/report.json")]
    broken = [
        {"step": path.parent.name, "chapter": chapter["name"], "status": chapter["status"]}
        for path in sorted(executed)
        for chapter in json.loads(path.read_text(encoding="utf-8"))["chapters"]
        if chapter["status"] != "passed"
    ]
    found = {
        "date": time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime()),
        "system": f"{platform.system()} {platform.machine()}",
        "versions": {"python": platform.python_version(), **machine.versions("torch", "torchvision")},
        "chapters": [path.stem for path in options.chapters],
        "steps": {name: {**tally._asdict(), "seconds": round(seconds[name])} for name, tally in tallies.items()},
        "broken": broken,
    }
    (BUILD / "summary.json").write_text(json.dumps(found, indent=1), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
