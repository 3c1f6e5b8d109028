# After an error it deletes the path, not only the half file.
import os


def replace_file(path, write):
    other = path.with_name(path.name + ".part")
    try:
        with other.open("wb") as file:
            write(file)
            file.flush()
            os.fsync(file.fileno())
        other.replace(path)
    except BaseException:
        for leftover in (other, path):
            leftover.unlink(missing_ok=True)
        raise
