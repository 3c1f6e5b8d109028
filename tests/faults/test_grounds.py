"""Odd grounds: `course doctor` says what is odd before a notebook does; what it could break works or refuses."""

import json
import re
import subprocess
import threading
from posixpath import join, normpath

import faults
import grounds
import nbformat
import pytest

from course_utils import PROJECT
from course_utils.chapters.speed import ended

# The doctor without torch, whose import takes seconds: threads as torch takes them, proxies asked without it.
LOOK = """import json, os, sys, types
from course_utils.data import download, errors, registry
from_servers = types.ModuleType("course_utils.datasets")
from_servers.DataError = errors.DataError
from_servers.why_offline = lambda: download.why_silent(registry.find("mnist"))
sys.modules["course_utils.datasets"] = from_servers
from course_utils.chapters.doctor import facts
from lessonkit.system.limits import cores
facts.torch_facts = lambda: {"threads": int(os.environ.get("OMP_NUM_THREADS") or cores())}
from lessonkit.doctor.findings import examine
print(json.dumps([finding._asdict() for finding in examine()]))"""
CELLS = (
    """import matplotlib.pyplot as plt
import torch
from torch.utils.data import DataLoader
from course_utils import datasets
from course_utils.checkpoint import load_checkpoint, save_checkpoint
from course_utils.launch import run_ranks""",
    """digits = datasets.load("mnist")
assert len(digits) >= 10_000, len(digits)""",
    """figure, axis = plt.subplots(figsize=(2, 2))
axis.set(title="é")
axis.plot([1, 2])
print("é")""",
    """from pathlib import Path
Path("results").mkdir(exist_ok=True)
model = torch.nn.Linear(3, 1)
save_checkpoint("results/model.pt", model=model, epoch=1)
assert load_checkpoint("results/model.pt", model=model)["epoch"] == 1""",
    """loader = DataLoader(digits.images.float(), batch_size=2000, num_workers=2, timeout=120)
assert sum(len(batch) for batch in loader) == len(digits)""",
    """def mean(rank):
    import torch.distributed as dist
    total = torch.full((1 << 20,), float(rank))
    dist.all_reduce(total)
    return total.mean().item()

assert run_ranks(mean, 2, timeout=240) == [1.0, 1.0]""",
)
COMPILED = """import torch
f = lambda x: x.sin() * 2 + x.cos()
print(torch.allclose(torch.compile(f)(torch.ones(8)), f(torch.ones(8))))"""
TOO_MUCH = """import torch
from torch.utils.data import DataLoader
loader = DataLoader(torch.zeros(4, 25 << 20), batch_size=1, num_workers=1, timeout=240)  # 100 MiB each
print(sum(len(batch) for batch in loader))"""
ROOM = """import asyncio, http.client
from lessonkit.teach.classroom import server
from lessonkit.teach.classroom.state import ClassroomState

def fetch(opened):
    "The address that was printed sets a cookie and leads on to the page."
    connection = http.client.HTTPConnection("::1", opened.port, timeout=60)
    connection.request("GET", opened.instructors_address.partition(opened.shown)[2])
    answer = connection.getresponse()
    answer.read()
    cookie = answer.headers["Set-Cookie"].partition(";")[0]
    connection.request("GET", answer.headers["Location"], headers={"Cookie": cookie})
    return connection.getresponse().status

async def main():
    opened = server.opened(ClassroomState([]), address="::1", port=0, keep=None, stuck=600)
    page = asyncio.create_task(server.serve(opened, tell=print))
    print(opened.shown, await asyncio.to_thread(fetch, opened))
    page.cancel()

asyncio.run(main())"""


def doctor(here, tmp_path, *, whole):
    """The findings of `course doctor` there, and its exit status; not `whole`: without what needs torch."""
    words = ["-m", "lessonkit.cli", "doctor", "--json"] if whole else ["-c", LOOK]
    ran = here.run(*words, **place(here, tmp_path))
    assert ran.stdout.startswith("["), f"the doctor said {ran.stdout[:300]!r}, {ran.stderr[-600:]!r}"
    assert "Traceback" not in ran.stderr, ran.stderr[-600:]
    return [tuple(one.values()) for one in json.loads(ran.stdout)]


def place(here, tmp_path):
    """Where the course writes there: beside the test, unless it is a copy that may be written into."""
    return {} if here.folder != PROJECT else {"COURSE_HOME": str(tmp_path / "course-home")}


def small_chapter(here, tmp_path):
    """A chapter made for this runs to its end by `course run`."""
    cells = [nbformat.v4.new_markdown_cell("# 00 · A ground"), *map(nbformat.v4.new_code_cell, CELLS)]
    cells.insert(2, nbformat.v4.new_code_cell("PROFILE = 'quick'\nDEVICE = None"))
    cells[2].metadata["tags"] = ["parameters"]
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    folder, out = here.folder if here.folder != PROJECT else tmp_path, tmp_path / "out"
    (folder / "chapters").mkdir()
    nbformat.write(nbformat.v4.new_notebook(cells=cells, metadata=kernel), folder / "chapters" / "00_ground.ipynb")
    words = ["run", "--notebooks", folder / "chapters", "--out", out]
    ran = here.run("-m", "lessonkit.cli", *words, **place(here, tmp_path))
    assert ran.returncode == 0, f"{ran.stdout[-1500:]}{ran.stderr[-600:]}"
    assert (out / "report.html").exists() and list(out.rglob("model.pt"))


def compiles(here, tmp_path, *, finds=True):
    """`torch.compile` makes a kernel there, or says that it lacks a compiler."""
    settings = {"TORCHINDUCTOR_CACHE_DIR": str(tmp_path / "inductor"), "TORCHINDUCTOR_COMPILE_THREADS": "1"}
    ran = here.run("-c", COMPILED, **settings, TORCHINDUCTOR_CPP_CACHE_PRECOMPILE_HEADERS="0")
    if finds:
        assert ran.stdout.strip() == "True", ran.stderr[-1500:]
    else:
        assert ran.returncode == 1 and re.search(r"InvalidCxxCompiler|No working C\+\+ compiler", ran.stderr), (
            ran.stderr[-1500:]
        )


def jupyter_answers(here, tmp_path):
    """`course lab` starts there, says where it keeps what it cannot keep in the home, and answers."""
    words = ["-m", "lessonkit.cli", "lab", "--no-browser", "--", "--ServerApp.token=t", "--allow-root"]
    settings = place(here, tmp_path) | {"COURSE_WORK": str(tmp_path / "work")}
    process = subprocess.Popen(
        [*here.before, here.python, *words],
        cwd=here.folder,
        env=here.environment(**settings),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        errors="replace",
    )
    ender = threading.Timer(grounds.LIMIT, process.kill)
    ender.start()
    try:
        with ended(process):
            heard = []
            for line in process.stderr:
                heard.append(line)
                if re.search(r"http://127\.0\.0\.1:\d+/\S*\?token=", line):
                    break
            text = "".join(heard)
            assert "token=" in text, text[-1500:]
            assert "Your home folder cannot be written: JupyterLab keeps its settings" in text, text[-1500:]
    finally:
        ender.cancel()
        process.stderr.close()


def too_much_for_workers(here, tmp_path):
    """A batch larger than /dev/shm ends with an error, not without one, and `course diagnose` knows it."""
    ran = here.run("-c", TOO_MUCH)
    assert ran.returncode != 0, ran.stdout
    log = tmp_path / "log.txt"
    log.write_text(ran.stderr, encoding="utf-8")
    known = here.run("-m", "lessonkit.cli", "diagnose", log)
    assert "shared memory" in known.stdout, f"{ran.stderr[-600:]}\n{known.stdout}"


def refused(here, tmp_path, *words):
    """A command refuses there in one sentence, before anything has started."""
    settings = place(here, tmp_path) | {"COURSE_WORK": str(tmp_path / "work")}
    ran = here.run("-m", "lessonkit.cli", *words, **settings)
    assert ran.returncode == 2 and ran.stderr.startswith("Refused: ") and ran.stderr.count("\n") == 1, ran.stderr
    assert "127.0.0.1" in ran.stderr and "Traceback" not in ran.stderr
    assert not (tmp_path / "work").exists() and not (tmp_path / "run").exists()
    return ran.stderr


def refuses_to_run(here, tmp_path):
    assert "see `course doctor`" in refused(here, tmp_path, "run", "01", "--out", tmp_path / "run")


def refuses_lab(here, tmp_path):
    assert "see `course doctor`" in refused(here, tmp_path, "lab", "--no-browser")


def refuses_classroom(here, tmp_path):
    assert "this machine has ::1" in refused(here, tmp_path, "classroom", "--chapters", "01")


def opens_room(here, tmp_path):
    """The classroom's page answers where it was told to listen."""
    ran = here.run("-c", ROOM)
    assert re.fullmatch(r"\[::1\]:\d+ 200", ran.stdout.strip()), ran.stdout + ran.stderr[-1500:]


def keeps_no_page(here, tmp_path):
    """A data set asked for through the proxy: one sentence that says what came, and no file of it."""
    asked = ("mnist", grounds.PAGES[1]), ("fashion_mnist", grounds.PAGES[0])  # by https and by http
    for name, came in asked:
        said = not_fetched(here, tmp_path, name)
        assert came in said and "log in with a browser" in said, said


def keeps_no_page_in_disguise(here, tmp_path):
    """The same where the proxy calls its page a packed file."""
    with grounds.proxy("application/gzip") as server:
        said = not_fetched(here, tmp_path, "fashion_mnist", http_proxy=f"http://127.0.0.1:{server.server_port}")
    assert "refused twice" in said and "a web page (it begins with '<!DOCTYPE html" in said, said


def not_fetched(here, tmp_path, name, **more):
    """What `course data get` says where it gets nothing; nothing is kept."""
    ran = here.run("-m", "lessonkit.cli", "data", "get", name, **place(here, tmp_path), **more)
    said = ran.stdout + ran.stderr
    assert ran.returncode != 0 and "Traceback" not in said, said
    cache = tmp_path / "course-home" / "data" / "cache"
    assert [path.name for path in cache.rglob("*") if path.is_file() and path.suffix != ".lock"] == []
    return said


def small_chapter_as_summer_begins(_, tmp_path):
    with grounds.made("summer", tmp_path) as here:
        small_chapter(here, tmp_path)


def names_its_compiler(here, tmp_path):
    compiles(here, tmp_path, finds=False)


THINGS = {
    "odd folder": (small_chapter, compiles),
    "home": (small_chapter, jupyter_answers),
    "/dev/shm": (small_chapter, too_much_for_workers),
    "no compiler": (small_chapter, names_its_compiler),
    "IPv6": (refuses_to_run, refuses_lab, refuses_classroom, opens_room),
    "proxy": (keeps_no_page, keeps_no_page_in_disguise, small_chapter),
    "time zone": (small_chapter_as_summer_begins,),
}
QUICK = {refuses_lab}  # of the short sample, as it needs no torch


@pytest.fixture(scope="module")
def heard():
    """{ground: what the doctor said there}, written to build/faults/grounds.md at the end."""
    found = {}
    yield found
    faults.ROWS.mkdir(parents=True, exist_ok=True)
    (faults.ROWS / "grounds.md").write_text(grounds.page(found), encoding="utf-8")


def test_the_page_has_the_doctors_present_words():
    again = "run `python tests/helpers/grounds.py` and read what changed"
    assert grounds.DOCS.read_text(encoding="utf-8") == grounds.page(), again


@pytest.mark.parametrize("name", grounds.GROUNDS)
def test_the_doctor_says_so_there_and_what_could_break_does_not(fault, heard, name, tmp_path):
    ground, things = grounds.GROUNDS[name], THINGS.get(name, (small_chapter,))
    with grounds.made(name, tmp_path) as here, fault(f"ground: {ground.name}", goal=1 + len(things)) as row:
        with row.case("what the doctor says"):
            heard[name] = grounds.said(doctor(here, tmp_path, whole=faults.SOAK), ground.finding)
            assert grounds.shape(heard[name]) == grounds.shape(grounds.sentence(ground)), heard[name]
        for thing in things if faults.SOAK else filter(QUICK.__contains__, things):
            with row.case(thing.__name__):
                thing(here, tmp_path)


def test_nothing_in_the_course_counts_on_case(fault):
    files = tracked()
    with fault("names that differ only in case", goal=2) as row:
        with row.case("files"):
            folded = {}
            for name in files:
                folded.setdefault(name.casefold(), []).append(name)
            assert [names for names in folded.values() if len(names) > 1] == []
        with row.case("imports and links, each in the letters of its file"):
            assert list(misspelt(files, among=files)) == []


def test_an_import_in_other_letters_is_seen(tmp_path, monkeypatch):
    monkeypatch.setattr(grounds, "PROJECT", tmp_path)
    (tmp_path / "a.py").write_text("from course_utils.Seed import set_seed\n", encoding="utf-8")
    (tmp_path / "A.md").write_text("[there](docs/Room.md)\n", encoding="utf-8")
    known = ["course_utils/seed.py", "docs/room.md"]
    assert list(misspelt(["a.py", "A.md"], among=known)) == [
        "a.py imports course_utils/Seed",
        "A.md links to docs/Room.md",
    ]


def tracked():
    """The names of the project's files, from its root; skipped where git does not know them."""
    try:
        listed = subprocess.run(["git", "ls-files", "-z"], cwd=PROJECT, capture_output=True, timeout=grounds.LIMIT)
    except FileNotFoundError:
        pytest.skip("no git here to list the course's files")
    if listed.returncode:
        pytest.skip("no clone: git does not know these files")
    return listed.stdout.decode().rstrip("\0").split("\0")


def misspelt(files, *, among):
    """Imports of our packages and relative links in `files` that fit a file `among` those only in other letters."""
    names = {name.removesuffix(".py").removesuffix("/__init__") for name in among} | set(among)
    names |= {name.rpartition("/")[0] for name in files}
    folded = {name.casefold(): name for name in names}
    for name in files:
        if name.endswith(".py"):
            kind, targets = "imports", imported((grounds.PROJECT / name).read_text(encoding="utf-8"))
        elif name.endswith((".md", ".ipynb")):
            text = (grounds.PROJECT / name).read_text(encoding="utf-8")
            kind, folder = "links to", name.rpartition("/")[0]
            links = re.findall(r"\]\(([^)\s:#]+)", text)
            targets = [normpath(join(folder, link)) for link in links]
        else:
            continue
        for target in targets:
            if target not in names and target.casefold() in folded:
                yield f"{name} {kind} {target}"


def imported(source):
    """The modules of our packages that a source names, as paths; names inside a module may be among them."""
    ours = r"^\s*(?:from|import) ((?:course_utils|lessonkit|torch_clinic)[\w.]*)(?: import ([\w, ]+))?"
    for module, names in re.findall(ours, source, re.M):
        path = module.replace(".", "/")
        yield from (path, *(f"{path}/{name.strip()}" for name in names.split(",") if name))
