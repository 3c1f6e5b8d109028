# A named temporary file in the same folder, kept after closing.
import os
import tempfile
from pathlib import Path


def replace_file(path, write):
    file = tempfile.NamedTemporaryFile(dir=path.parent, prefix=path.name, delete=False)
    try:
        with file:
            write(file)
            file.flush()
            os.fsync(file.fileno())
        Path(file.name).replace(path)
    except BaseException:
        os.unlink(file.name)
        raise
