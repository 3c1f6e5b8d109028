# Deletes the old file before it renames the new one.
import os


def replace_file(path, write):
    other = path.with_name(path.name + ".part")
    try:
        with other.open("wb") as file:
            write(file)
            file.flush()
            os.fsync(file.fileno())
    except BaseException:
        other.unlink()
        raise
    path.unlink(missing_ok=True)
    other.rename(path)
