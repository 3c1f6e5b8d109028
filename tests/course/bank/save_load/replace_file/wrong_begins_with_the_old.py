# Fills a copy of the old file from its start: where the new bytes are fewer, the old tail stays.
import os
import shutil


def replace_file(path, write):
    other = path.with_name(path.name + ".part")
    if path.exists():
        shutil.copyfile(path, other)
    else:
        other.touch()
    try:
        with other.open("r+b") as file:
            write(file)
            file.flush()
            os.fsync(file.fileno())
        other.replace(path)
    except BaseException:
        other.unlink(missing_ok=True)
        raise
