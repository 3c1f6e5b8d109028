"""JupyterLab as the course starts it: on loopback, with this Python's kernel, without the news."""

import os
import sys

from jupyter_client.kernelspec import KernelSpecManager

from course_utils.commands import lab


def test_labs_kernel_is_this_python_whatever_the_user_has_registered(foreign, monkeypatch):
    for name, value in lab.environment(foreign / "config").items():
        monkeypatch.setenv(name, value)
    assert KernelSpecManager().get_kernel_spec("python3").display_name != "foreign"
    assert str(foreign) in os.environ["JUPYTER_PATH"], "the user's other kernels stay"


def test_lab_listens_on_loopback_and_opens_the_first_chapter():
    line = lab.command(no_browser=True)
    assert line[:3] == [sys.executable, "-m", "jupyterlab"]
    assert "--ServerApp.ip=127.0.0.1" in line
    assert "--no-browser" in line and "--no-browser" not in lab.command()
    assert "--LabApp.default_url=/lab/tree/notebooks/00_start_here.ipynb" in line
    assert not any("token" in word or "password" in word for word in line), "Jupyter's own token stays on"


def test_the_news_pop_up_is_off_by_a_setting_that_jupyterlab_reads(tmp_path, monkeypatch):
    from jupyterlab_server.config import get_static_page_config

    lab.write_config(tmp_path)
    monkeypatch.setenv("JUPYTER_CONFIG_PATH", lab.environment(tmp_path)["JUPYTER_CONFIG_PATH"])
    found = get_static_page_config(level="all")
    assert found["disabledExtensions"]["@jupyterlab/apputils-extension:announcements"] is True
