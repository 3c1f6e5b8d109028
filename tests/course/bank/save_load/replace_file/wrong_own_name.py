# Swaps the suffix for .tmp: a path that ends so already is its own temporary file.
import os


def replace_file(path, write):
    other = path.with_suffix(".tmp")
    try:
        with other.open("wb") as file:
            write(file)
            file.flush()
            os.fsync(file.fileno())
    except BaseException:
        other.unlink(missing_ok=True)
        raise
    other.replace(path)
