"""The data sets as on a machine that has fetched nothing, and that no server answers."""

from dataclasses import replace

from course_utils.data import download, registry


def cut_off(monkeypatch, tmp_path):
    """No settings, no memory of failed downloads, no published server; returns an empty cache."""
    for name in ("COURSE_DATA", "COURSE_OFFLINE", "COURSE_MIRROR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(download, "_failed", {})
    for name, spec in list(registry.SPECS.items()):
        if spec.mirrors:
            monkeypatch.setitem(registry.SPECS, name, replace(spec, mirrors=("http://127.0.0.1:9/",)))
    return tmp_path / "cache"
