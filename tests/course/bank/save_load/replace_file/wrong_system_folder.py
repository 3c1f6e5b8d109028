# Fills a file in the system's temporary folder, which may be another disk, and moves it.
import os
import shutil
import tempfile


def replace_file(path, write):
    with tempfile.NamedTemporaryFile("wb", delete=False) as file:
        try:
            write(file)
            file.flush()
            os.fsync(file.fileno())
        except BaseException:
            os.unlink(file.name)
            raise
    shutil.move(file.name, path)
