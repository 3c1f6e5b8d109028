# Waits for the disk after the new file has taken the name.
import os


def replace_file(path, write):
    other = path.with_name(path.name + ".part")
    try:
        with other.open("wb") as file:
            write(file)
    except BaseException:
        other.unlink(missing_ok=True)
        raise
    other.replace(path)
    with path.open("rb+") as file:
        file.flush()
        os.fsync(file.fileno())
