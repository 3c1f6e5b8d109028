# A context manager of its own around the other file.
import os
from contextlib import contextmanager


@contextmanager
def another_file(path):
    other = path.with_name("_" + path.name)
    try:
        yield other
    except BaseException:
        other.unlink(missing_ok=True)
        raise
    other.replace(path)


def replace_file(path, write):
    with another_file(path) as other, other.open("xb", buffering=0) as file:
        write(file)
        file.flush()
        os.fsync(file.fileno())
