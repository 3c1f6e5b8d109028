# Keeps the old bytes in memory, writes into the old file, and puts them back after an error.
import os


def replace_file(path, write):
    old = path.read_bytes() if path.exists() else None
    try:
        with path.open("wb") as file:
            write(file)
            file.flush()
            os.fsync(file.fileno())
    except BaseException:
        if old is None:
            path.unlink()
        else:
            path.write_bytes(old)
        raise
