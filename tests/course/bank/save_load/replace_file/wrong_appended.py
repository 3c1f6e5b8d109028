# Opens the other file for appending: what goes back to mend its first bytes lands at the end.
import os


def replace_file(path, write):
    other = path.with_name(path.name + ".part")
    other.unlink(missing_ok=True)
    try:
        with other.open("ab") as file:
            write(file)
            file.flush()
            os.fsync(file.fileno())
    except BaseException:
        other.unlink(missing_ok=True)
        raise
    other.replace(path)
