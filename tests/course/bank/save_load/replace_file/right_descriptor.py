# A descriptor from mkstemp, opened as a file and closed by hand.
import os
import tempfile
from pathlib import Path


def replace_file(path, write):
    number, name = tempfile.mkstemp(dir=path.parent)
    file = os.fdopen(number, "w+b")
    try:
        write(file)
        file.flush()
        os.fsync(number)
    except BaseException:
        file.close()
        Path(name).unlink()
        raise
    file.close()
    Path(name).replace(path)
