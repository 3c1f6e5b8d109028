"""What torchrun and its ranks have written into their files, as text in an order that does not change."""

import re
from pathlib import Path

from lessonkit.system import processes

NOISE = re.compile(r"\[Gloo\] Rank \d+ is connected to|\[[WI]\d* .*\.cpp:\d+\]")  # what C++ says of every start


def lines(folder: Path, name: str) -> str:
    """Return the ranks' files of that name as one text: by attempt, then node, then rank."""
    files = []
    for path in folder.glob(f"*/*/attempt_*/*/{name}"):
        node, _job, attempt, local_rank = path.relative_to(folder).parts[:4]
        files.append((int(attempt.removeprefix("attempt_")), int(node), int(local_rank), path))
    several = len({node for _, node, _, _ in files}) > 1
    text = ""
    for attempt, node, local_rank, path in sorted(files):
        label = f"rank {local_rank}: "
        if several:
            label = f"node {node}, local {label}"
        if attempt > 0:
            label = f"restart {attempt}, {label}"
        text += clean(path, label=label)
    return text


def clean(path: Path, *, label: str = "") -> str:
    """Return a file's lines, each after its label, without those that C++ writes at every start."""
    written = path.read_text(encoding="utf-8", errors="replace").splitlines()
    return "".join(f"{label}{line}\n" for line in written if not NOISE.search(line))


def killed(codes: list[int | None]) -> str:
    """Return a line for each agent that was killed, by a signal."""
    them = [(number, code) for number, code in enumerate(codes) if code is not None and code < 0]
    return "".join(f"node {number}: torchrun was {processes.ending(code)}\n" for number, code in them)
