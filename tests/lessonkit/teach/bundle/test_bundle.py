"""A bundle of a tiny course: planned, made, unpacked elsewhere, installed by nothing but itself."""

import json
import os
import shutil
import subprocess
import sys
import zipfile
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from lessonkit.notebook import catalog
from lessonkit.system.errors import Refused
from lessonkit.teach.bundle import build, integrity, targets, wheels
from lessonkit.teach.bundle import start as started
from lessonkit.teach.bundle.targets import Target

pytestmark = pytest.mark.usefixtures("alone")


def planned(toy, to, *all_targets, chapters=(), torch="default"):
    chosen = catalog.select(catalog.find(toy / "notebooks"), chapters)
    return build.make_plan(to, all_targets or [targets.here()], chosen, torch=torch, project=toy)


@pytest.fixture
def bundle(made, tmp_path):
    """A bundle of the tiny course for this machine, unpacked; its top folder."""
    with zipfile.ZipFile(made) as archive:
        archive.extractall(tmp_path / "beim Lernen é")
    return tmp_path / "beim Lernen é" / "pytorch-course"


def start(root, *arguments, home, **environment):
    """Runs start.py as a learner does, with nothing of this machine's settings: (status, output, errors)."""
    kept = {name: os.environ[name] for name in ("SYSTEMROOT", "TEMP", "PATHEXT") if name in os.environ}
    home.mkdir(exist_ok=True)
    clean = kept | {"HOME": str(home), "USERPROFILE": str(home), "PATH": os.defpath, "PYTHONUTF8": "1"}
    command = [sys._base_executable, root / "start.py", *arguments]
    ran = subprocess.run(command, env=clean | environment, capture_output=True, encoding="utf-8", timeout=300)
    return ran.returncode, ran.stdout, ran.stderr


def test_its_size_and_what_stays_out_are_told_before_anything_is_fetched(toy, here, tmp_path, links):
    one = planned(toy, tmp_path / "room.zip", here)
    told = "\n".join(one.tell())
    assert [path.name for path in tmp_path.iterdir()] == [toy.name], "nothing was written"
    packages = {package.name: package for package in one.packages[here]}
    assert {name: package.version for name, package in packages.items() if name != "pip"} == {
        **{"alpha": "1.0", "beta": "0.5", "gamma": "3.1", "setuptools": "99"}
    }
    size = sum((links / package.file).stat().st_size for package in packages.values())
    assert sum(package.size for package in packages.values()) == size == one.to_fetch
    assert f"{here.words}: 5 packages, {build.mega(size)}" in told
    assert "MNIST for 00: not in the bundle, as it is not here and COURSE_OFFLINE=1 forbids a download" in told
    assert f"Together {build.mega(one.total)}; {build.mega(size)} of it are to be fetched" in told
    assert "FAT32" not in told


def test_it_is_installed_by_a_python_without_packages_and_opened(bundle, tmp_path):
    assert not (bundle / "course" / "work").exists(), "a learner's own copy went along"
    (bundle / "course" / ".venv" / "lib").mkdir(parents=True)  # an earlier installation was interrupted
    (bundle / "wheels" / "pip-0-py3-none-any.whl").write_bytes(b"not in the manifest, so never run")
    status, said, errors = start(bundle, "--only-install", home=tmp_path / "home")
    assert (status, "The course is ready in" in said) == (0, True), said + errors
    python = bundle / "course" / ".venv" / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    probe = "import alpha, beta, gamma, course_utils as c; print(alpha.VERSION, beta.VERSION, c.PROJECT.name)"
    clean = {name: value for name, value in os.environ.items() if name not in ("COURSE_HOME", "PYTHONPATH")}
    line = [python, "-B", "-c", probe]
    ran = subprocess.run(line, capture_output=True, text=True, timeout=60, cwd=tmp_path, env=clean)
    assert ran.stdout.split() == ["1.0", "0.5", "course"], ran.stderr
    assert not list((tmp_path / "home").iterdir()), "something was written into the home folder"
    assert not [
        one for name in ("course_utils", "lessonkit") for one in bundle.glob(f"course/{name}/**/__pycache__")
    ]
    (bundle / "wheels" / "beta-0.5-py3-none-any.whl").unlink()  # a later start installs nothing, so needs none
    status, said, errors = start(bundle, "--no-browser", home=tmp_path / "home")
    assert (status, "Verifying" in said) == (0, False), errors
    assert "opened ['lab', '--no-browser'] 1" in said


def test_a_folder_for_a_stick_installs_elsewhere_and_stays_as_it_is(toy, here, tmp_path):
    one = planned(toy, tmp_path / "stick", here)
    build.build(one)
    root = tmp_path / "stick"
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([toy.name, "stick"]), "parts are left"
    before = {path: path.stat().st_mtime_ns for path in root.rglob("*")}
    status, said, errors = start(root, "--only-install", home=tmp_path / "home é")
    assert status == 0, errors
    assert (tmp_path / "home é" / "pytorch-course" / "notebooks" / "05_training.ipynb").is_file()
    (tmp_path / "mine" / ".venv").mkdir(parents=True)
    (tmp_path / "mine" / started.MARKER).touch()
    (tmp_path / "mine" / ".venv" / ".ready").write_text("another bundle's")  # so all is put there again
    status, said, errors = start(root, "--only-install", "--to", tmp_path / "mine", home=tmp_path / "home é")
    assert status == 0 and f"ready in {tmp_path / 'mine'}" in said and "Verifying" in said, errors
    assert {path: path.stat().st_mtime_ns for path in root.rglob("*")} == before


def test_somebody_elses_folder_is_left_alone(bundle, toy, tmp_path):
    for taken in (toy, bundle, tmp_path / "file"):
        if not taken.exists():
            taken.write_text("mine")
        status, _, errors = start(bundle, "--only-install", "--to", taken, home=tmp_path / "home")
        assert status == 1 and "python start.py --to FOLDER" in errors
        assert not (taken / ".venv").exists()


def flip(path):
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)


@pytest.mark.parametrize(
    ("damage", "sentence"),
    [
        (flip, "is damaged: found the SHA-256"),
        (lambda path: path.write_bytes(path.read_bytes()[:99]), "is damaged: found 99 bytes, expected"),
        (Path.unlink, "cannot be read: "),
    ],
)
def test_a_damaged_file_is_named_before_anything_is_installed(bundle, tmp_path, damage, sentence):
    damage(next((bundle / "wheels").glob("beta*.whl")))
    status, _, errors = start(bundle, "--only-install", home=tmp_path / "home")
    assert status == 1 and f"wheels/beta-0.5-py3-none-any.whl {sentence}" in errors
    assert "Nothing was installed: unpack or copy the bundle again" in errors
    assert not (bundle / "course" / ".venv").exists()


def test_a_manifest_that_is_none_is_said(bundle, tmp_path):
    for content in ("{", "[]", "{}"):
        (bundle / "manifest.json").write_text(content)
        status, _, errors = start(bundle, home=tmp_path / "home")
        assert status == 1 and "manifest.json cannot be read" in errors and "unpack or copy" in errors


def test_another_python_or_system_is_told_what_the_bundle_is_for(bundle, tmp_path):
    path = bundle / "manifest.json"
    manifest = json.loads(path.read_text(encoding="utf-8"))
    manifest["targets"] = {"windows-3.99": next(iter(manifest["targets"].values()))}
    path.write_text(json.dumps(manifest), encoding="utf-8")
    status, _, errors = start(bundle, home=tmp_path / "home")
    assert status == 1 and "holds wheels for: Windows (Intel, AMD), Python 3.99" in errors


def test_a_course_that_was_moved_is_installed_anew(bundle, tmp_path):
    assert start(bundle, "--only-install", home=tmp_path / "home")[0] == 0
    bundle.rename(tmp_path / "moved")
    status, said, errors = start(tmp_path / "moved", "--only-install", home=tmp_path / "home")
    assert status == 0 and "Verifying" in said, errors
    status, said, errors = start(tmp_path / "moved", "--no-browser", "--", "--allow-root", home=tmp_path / "home")
    assert "opened ['lab', '--no-browser', '--', '--allow-root']" in said, errors


def test_every_file_is_in_the_manifest_and_can_be_started(bundle, made):
    manifest = json.loads((bundle / "manifest.json").read_text(encoding="utf-8"))
    there = {path.relative_to(bundle).as_posix(): path for path in bundle.rglob("*") if path.is_file()}
    assert set(there) == {*manifest["files"], "manifest.json"}
    for name, entry in manifest["files"].items():
        assert entry == integrity.describe(there[name])
    with zipfile.ZipFile(made) as archive:
        modes = {info.filename: info.external_attr >> 16 & 0o777 for info in archive.infolist()}
    assert {name for name, mode in modes.items() if mode == 0o755} == {
        "pytorch-course/start.sh",
        "pytorch-course/start.command",
    }


def test_two_systems_share_what_fits_both(toy, tmp_path):
    linux, windows = Target("linux", "3.11"), Target("windows", "3.11")
    manifest = build.build(planned(toy, tmp_path / "room.zip", linux, windows))
    wheels = {name: set(one["wheels"]) for name, one in manifest["targets"].items()}
    assert wheels["linux-3.11"] - wheels["windows-3.11"] == {"gamma-3.1-py3-none-any.whl"}
    assert wheels["windows-3.11"] - wheels["linux-3.11"] == {"gamma-3.1-cp311-cp311-win_amd64.whl"}
    assert len([name for name in manifest["files"] if name.startswith("wheels/")]) == 6
    assert "requirements/windows-3.11.txt" in manifest["files"]


def test_only_the_chapters_asked_for_and_their_data(toy, here, tmp_path):
    one = planned(toy, tmp_path / "room.zip", here, chapters=("05",))
    assert [name for name in one.course if name.endswith(".ipynb")] == ["course/notebooks/05_training.ipynb"]
    assert one.data == []


def test_what_is_there_already_and_a_package_without_a_wheel_are_refused(toy, here, tmp_path):
    (tmp_path / "room.zip").write_bytes(b"mine")
    with pytest.raises(Refused, match=r"room.zip is there already: move it away, or give another --to"):
        planned(toy, tmp_path / "room.zip", here)
    text = (toy / "pyproject.toml").read_text(encoding="utf-8").replace('"beta"', '"beta", "delta"')
    (toy / "pyproject.toml").write_text(text, encoding="utf-8")
    with pytest.raises(Refused, match=r"uv for .* says:\n(.|\n)*delta"):
        planned(toy, tmp_path / "other.zip", here)


def test_a_course_that_came_as_a_package_makes_none(toy, here, tmp_path):
    (toy / "pyproject.toml").unlink()
    with pytest.raises(Refused, match="a bundle is made in a clone of the course"):
        planned(toy, tmp_path / "room.zip", here)


def test_an_index_that_does_not_answer_is_refused(toy, here, tmp_path, monkeypatch):
    for name, value in (
        ("PIP_NO_INDEX", "0"),
        ("PIP_INDEX_URL", "http://127.0.0.1:9/simple"),
        ("PIP_RETRIES", "0"),
    ):
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("UV_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.delenv("PIP_FIND_LINKS")
    with pytest.raises(Refused, match="the wheels are not to be had; uv for"):
        planned(toy, tmp_path / "room.zip", here)


def test_too_little_disk_is_said_before_and_by_the_start(toy, here, bundle, tmp_path, monkeypatch):
    small = shutil.disk_usage(tmp_path)._replace(free=100_000)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: small)
    with pytest.raises(Refused, match=r"0.1 MB free, and this takes .* a folder, which takes half"):
        planned(toy, tmp_path / "other.zip", here).check_disk()
    with pytest.raises(SystemExit, match="MB free, the course needs 501: make room, or name another folder"):
        started.make_folder(tmp_path / "new", bundle, needed=1_000_000, longest=10)


def test_ended_while_it_is_written_it_goes_on_and_fetches_nothing(toy, here, tmp_path, monkeypatch):
    one = planned(toy, tmp_path / "room.zip", here)
    monkeypatch.setattr(build, "describe", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        build.build(one)
    monkeypatch.undo()
    store = one.root / "wheels"
    assert not (tmp_path / "room.zip").exists() and len(list(store.iterdir())) == 5
    again = build.Plan(one.to, one.torch, one.chapters, one.packages, one.course, one.data)
    assert again.to_fetch == 0 and "all of it is here" in "\n".join(again.tell())
    (store / "old-1.0-py3-none-any.whl").write_bytes(b"of another plan")
    monkeypatch.setattr(wheels, "_run", lambda *_: pytest.fail("pip was called again"))
    build.build(again)
    with zipfile.ZipFile(tmp_path / "room.zip") as archive:
        assert archive.testzip() is None and not [name for name in archive.namelist() if "old-1.0" in name]
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([toy.name, "room.zip"])


def test_a_wheel_that_the_disk_has_changed_is_removed_and_comes_again(toy, here, tmp_path, monkeypatch):
    one = planned(toy, tmp_path / "room.zip", here)
    download = wheels.download

    def then_damaged(*arguments, **settings):
        download(*arguments, **settings)
        flip(one.root / "wheels" / "beta-0.5-py3-none-any.whl")

    monkeypatch.setattr(wheels, "download", then_damaged)
    with pytest.raises(Refused, match=r"the disk has changed beta.*it is removed"):
        build.build(one)
    assert not (tmp_path / "room.zip").exists()
    monkeypatch.setattr(wheels, "download", download)
    build.build(one)
    assert (tmp_path / "room.zip").exists()


@dataclass(frozen=True)
class Letters:
    """A data set of one file, as the course's hook `passed_on` gives it, before or after it is fetched."""

    path: Path
    here: bool
    out: str = ""
    to_fetch: int = 0
    size: int = 3

    def files(self):
        return {"course/data/cache/letters.txt": self.path} if self.here else {}

    def sentence(self):
        return f"Letters for 00: {'from the cache, 0 MB' if self.here else 'to be fetched, at most 0 MB'}"


def test_the_manifest_says_of_data_what_came_of_fetching_them(toy, here, tmp_path, monkeypatch):
    (tmp_path / "letters.txt").write_text("abc")
    one = planned(toy, tmp_path / "room.zip", here)
    one.data = [Letters(tmp_path / "letters.txt", here=False)]
    monkeypatch.setattr(build.contents, "fetch", lambda before: replace(before, here=True))
    told = []
    manifest = build.build(one, told.append)
    assert manifest["files"]["course/data/cache/letters.txt"]["size"] == 3
    assert manifest["data"] == ["Letters for 00: from the cache, 0 MB"]
    assert not [line for line in told if line.startswith("Letters")], "only of what does not come is told"


def test_two_at_once_do_not_write_the_same_parts(toy, here, tmp_path):
    from filelock import FileLock

    one = planned(toy, tmp_path / "room.zip", here)
    one.parts.mkdir()
    with FileLock(one.parts / build.LOCK), pytest.raises(Refused, match="another `course bundle`"):
        build.build(one)


@pytest.fixture
def index(tmp_path, links, monkeypatch):
    """An index of pages in a folder, of which one states another hash of alpha 1.0 than the file has."""
    for path in links.iterdir():
        page = tmp_path / "index" / path.name.partition("-")[0] / "index.html"
        page.parent.mkdir(parents=True, exist_ok=True)
        digest = "0" * 64 if path.name.startswith("alpha-1.0") else integrity.describe(path)["sha256"]
        with page.open("a", encoding="utf-8") as file:
            file.write(f'<a href="{path.as_uri()}#sha256={digest}">{path.name}</a><br>\n')
    for name, value in {"PIP_NO_INDEX": "0", "PIP_INDEX_URL": (tmp_path / "index").as_uri()}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.delenv("PIP_FIND_LINKS")
    monkeypatch.setenv("UV_CACHE_DIR", str(tmp_path / "cache"))


def test_a_wheel_with_another_hash_than_the_index_states_is_refused(index, toy, here, tmp_path):
    one = planned(toy, tmp_path / "room.zip", here)
    with pytest.raises(Refused, match=r"pip says:\n(.|\n)*alpha(.|\n)*Expected sha256 0000"):
        build.build(one)
    assert not list((one.root / "wheels").glob("alpha*")) and not (tmp_path / "room.zip").exists()


def test_what_is_lost_by_an_interruption_is_bounded(monkeypatch):
    sizes = (70, 3, 200, 30, None, 40)
    packages = [wheels.Package(str(size), "1", "", "", size) for size in sizes]
    monkeypatch.setattr(wheels, "TOGETHER", 75)
    assert [[one.size for one in group] for group in wheels.groups(packages)] == [
        *([None], [3, 30, 40], [70], [200])
    ]
