"""What pyproject.toml cannot say: a wheel brings notebooks, samples, scripts, records in course_utils/content."""

import shutil
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

CONTENT = (
    "course.toml",
    "notebooks",
    "data",
    "scripts",
    "docs",
    "tools/testing/durations.json",
    "tools/testing/costs.json",
)
LEFT_OUT = shutil.ignore_patterns("cache", "results", ".*", "__pycache__")


class WithContent(build_py):
    """Copies the content beside the modules; an editable install finds it in the clone."""

    def run(self):
        """Build, then copy."""
        super().run()
        if self.editable_mode:
            return
        to = Path(self.build_lib) / "course_utils" / "content"
        shutil.rmtree(to, ignore_errors=True)
        for name in CONTENT:
            source = Path(name)
            (to / source).parent.mkdir(parents=True, exist_ok=True)
            if source.is_dir():
                shutil.copytree(source, to / source, ignore=LEFT_OUT)
            else:
                shutil.copy(source, to / source)


setup(cmdclass={"build_py": WithContent})
