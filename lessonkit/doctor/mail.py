"""What a learner sends back before the course: a verdict in one line and what explains it, without a name."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from importlib import metadata

from course_utils import datasets
from lessonkit.doctor import forecast
from lessonkit.doctor.facts import Facts
from lessonkit.doctor.finding import Finding
from lessonkit.doctor.findings import examine
from lessonkit.doctor.redact import known, redacted
from lessonkit.notebook import title
from lessonkit.notebook.catalog import Chapter, data_sets

GIB = 1 << 30  # bytes
LONGEST = 160  # characters of a finding: an answer is read by a person, with thirty others


def letter(
    facts: Facts, chapters: list[Chapter], *, network: str, names: Mapping[str, str] | None = None
) -> tuple[str, bool]:
    """Return what to send back, a few lines, and whether this machine is ready for the chapters.

    `network` is why no server answers, empty where one does; `names` what to take out, this machine's unless given.
    """
    names = known() if names is None else names
    needed = {f"data: {name}" for chapter in chapters for name in data_sets(chapter)}
    findings = [one for one in examine(facts) if not one.name.startswith("data: ") or one.name in needed]
    # An old driver is a problem of the GPU's, and every core runs on the CPU: nobody must stay away for it.
    problems = [one for one in findings if one.state == "problem" and one.name != "accelerator"]
    warnings = [one for one in findings if one.state != "ok" and one not in problems and one.name != forecast.NAME]
    because = "; ".join(_short(one, names) for one in problems)
    lines = [
        ("verdict", f"not ready because {because}" if problems else "ready"),
        ("system", f"{facts.system} {facts.processor}".strip()),
        ("python", ".".join(map(str, facts.python))),
        ("torch", f"{facts.torch or 'none'}, torchvision {facts.torchvision or 'none'}"),
        ("course", f"{_version()}, chapters {' '.join(_number(one) for one in chapters)} as {edition(chapters)}"),
        ("processor", f"{facts.cores} cores, {facts.cpu_capability or 'not asked'}"),
        ("memory", f"{facts.memory_free / GIB:.1f} of {facts.memory_total / GIB:.1f} GiB free"),
        ("disk", f"{facts.disk_free / GIB:.1f} GiB free"),
        ("gpu", _gpu(facts)),
        ("network", f"no: {redacted(network, names)[:LONGEST]}" if network else "yes"),
        ("data", ", ".join(_data(facts, sorted(needed)))),
        ("minutes", _minutes(facts, chapters)),
    ]
    lines += [("look at", _short(one, names)) for one in warnings]
    lines += [("to do", one.fix) for one in problems]
    return "\n".join(f"{name:10}{text}" for name, text in lines), not problems


def edition(chapters: Iterable[Chapter]) -> str:
    """Return eight letters and digits that are the same wherever these notebooks are the same."""
    total = hashlib.sha256()
    for chapter in chapters:  # parsed, as git may have other line ends on Windows
        content = json.loads(chapter.path.read_text(encoding="utf-8"))
        total.update(json.dumps(content, sort_keys=True).encode())
    return total.hexdigest()[:8]


def network() -> str:
    """Return why nothing can be downloaded, empty where a server answers; takes five seconds at most."""
    try:
        return datasets.why_offline()
    except datasets.DataError as error:
        return str(error)


def _short(finding: Finding, names):
    found = redacted(finding.found, names).partition("\n")[0]
    return f"{finding.name}: {found if len(found) <= LONGEST else found[: LONGEST - 2] + ' …'}"


def _gpu(facts):
    if facts.gpus:
        build = f"CUDA {facts.cuda_build}" if facts.cuda_build else "no CUDA, so ROCm"
        return f"{'; '.join(facts.gpus)}; {build}, in use"
    if facts.mps_works:
        return "Apple's (mps), in use"
    if facts.driver is None:
        return "none, every chapter runs on the CPU"
    return f"not in use; its driver runs CUDA {facts.driver // 1000}.{facts.driver % 1000 // 10}"


def _data(facts, needed):
    for name in needed:
        source, _ = facts.data.get(name.removeprefix("data: "), ("not asked", ""))
        yield f"{name.removeprefix('data: ')} {source}"


def _minutes(facts, chapters):
    """Say how long the chapters compute here, and how long people work on their cores."""
    first = [json.loads(one.path.read_text(encoding="utf-8"))["cells"][0]["source"] for one in chapters]
    reading = sum(title.minutes("".join(source))[0] for source in first)
    working = f"{reading} to work the cores through"
    if facts.work_seconds is None:
        return f"not measured, as torch is missing; {working}"
    every = forecast.minutes(facts.work_seconds)
    each = {_number(one): every[_number(one)] for one in chapters}
    table = ", ".join(f"{number} {forecast.rounded(value)}" for number, value in each.items())
    return f"{forecast.rounded(sum(each.values()))} of computing ({table}); {working}"


def _number(chapter):
    return chapter.name.partition("_")[0]


def _version():
    try:
        return metadata.version("course-utils")
    except metadata.PackageNotFoundError:
        return "not installed"
