# Gives the new file its name while it is still open.
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
        other.unlink(missing_ok=True)
        raise
