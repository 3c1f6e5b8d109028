# Renames the old file to a backup and writes under its name: in between it does not have its name.
import os


def replace_file(path, write):
    backup = path.with_name(path.name + ".bak")
    existed = path.exists()
    if existed:
        path.rename(backup)
    try:
        with path.open("wb") as file:
            write(file)
            file.flush()
            os.fsync(file.fileno())
    except BaseException:
        path.unlink(missing_ok=True)
        if existed:
            backup.replace(path)
        raise
    backup.unlink(missing_ok=True)
