# Clears away after an OSError alone: any other error leaves the half file in the folder.
import os


def replace_file(path, write):
    other = path.with_name(path.name + ".part")
    try:
        with other.open("wb") as file:
            write(file)
            file.flush()
            os.fsync(file.fileno())
    except OSError:
        other.unlink()
        raise
    other.replace(path)
