# Waits for the folder's entry, not for the new file's bytes.
import os


def replace_file(path, write):
    other = path.with_name(path.name + ".part")
    try:
        with other.open("wb") as file:
            write(file)
            file.flush()
        folder = os.open(path.parent, os.O_RDONLY)
        os.fsync(folder)
        os.close(folder)
    except BaseException:
        other.unlink(missing_ok=True)
        raise
    other.replace(path)
