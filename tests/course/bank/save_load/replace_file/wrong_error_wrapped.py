# Raises a RuntimeError of its own: the error of `write` is only its cause.
import os


def replace_file(path, write):
    other = path.with_name(path.name + ".part")
    try:
        with other.open("wb") as file:
            write(file)
            file.flush()
            os.fsync(file.fileno())
    except BaseException as error:
        other.unlink(missing_ok=True)
        raise RuntimeError(f"{path} was not saved") from error
    other.replace(path)
