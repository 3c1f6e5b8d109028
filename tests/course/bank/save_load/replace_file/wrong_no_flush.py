# Waits for the disk before Python's buffer has reached the system.
import os


def replace_file(path, write):
    other = path.with_name(path.name + "~")
    try:
        with other.open("wb") as file:
            write(file)
            os.fsync(file.fileno())
    except BaseException:
        other.unlink(missing_ok=True)
        raise
    other.replace(path)
