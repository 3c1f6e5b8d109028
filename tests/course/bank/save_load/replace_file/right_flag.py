# A flag and a finally clear away whatever is left.
import os


def replace_file(path, write):
    other = path.parent / f"{path.name}.{os.getpid()}.part"
    done = False
    try:
        with open(other, "wb") as file:
            write(file)
            file.flush()
            os.fsync(file.fileno())
        other.replace(path)
        done = True
    finally:
        if not done:
            other.unlink(missing_ok=True)
