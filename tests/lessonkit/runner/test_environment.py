"""What kernels find in their environment."""

from course_utils import PROJECT
from lessonkit.runner.environment import kernel_environment, thread_settings
from lessonkit.system import limits


def test_kernels_get_absolute_data_and_no_progress_bars(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine").mkdir()
    monkeypatch.setenv("MPLBACKEND", "Agg")
    for given, expected in (
        ("mine", tmp_path / "mine"),
        ("course_utils", PROJECT / "course_utils"),
        ("nowhere", tmp_path / "nowhere"),
        (str(tmp_path), tmp_path),
    ):
        monkeypatch.setenv("COURSE_DATA", given)
        assert kernel_environment()["COURSE_DATA"] == str(expected.resolve())
    monkeypatch.delenv("COURSE_DATA")
    found = kernel_environment()
    assert "COURSE_DATA" not in found and "MPLBACKEND" not in found
    assert (found["TQDM_DISABLE"], found["JUPYTER_PREFER_ENV_PATH"]) == ("1", "1")


def test_chapters_side_by_side_share_the_cores_unless_the_user_said_how(monkeypatch):
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    monkeypatch.setattr(limits, "cores", lambda: 8)
    monkeypatch.setattr(limits, "cpu_quota", lambda: None)
    assert "OMP_NUM_THREADS" not in kernel_environment()
    assert kernel_environment(2)["OMP_NUM_THREADS"] == "4"
    assert kernel_environment(16)["OMP_NUM_THREADS"] == "1"
    monkeypatch.setattr(limits, "cpu_quota", lambda: 2.5)  # a container's, which torch does not see
    assert kernel_environment()["OMP_NUM_THREADS"] == "2" and kernel_environment(2)["OMP_NUM_THREADS"] == "1"
    monkeypatch.setenv("OMP_NUM_THREADS", "3")
    assert kernel_environment(2)["OMP_NUM_THREADS"] == "3"


def test_threads_spin_for_a_short_time_unless_the_user_said_how_long(monkeypatch):
    monkeypatch.delenv("GOMP_SPINCOUNT", raising=False)
    monkeypatch.setattr(limits, "cpu_quota", lambda: None)
    assert thread_settings() == {"GOMP_SPINCOUNT": "10000"}
    monkeypatch.setenv("GOMP_SPINCOUNT", "5")
    assert thread_settings() == {"GOMP_SPINCOUNT": "5"}
    assert kernel_environment()["GOMP_SPINCOUNT"] == "5"
