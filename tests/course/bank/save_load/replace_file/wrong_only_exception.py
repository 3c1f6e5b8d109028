# Clears away after an Exception: an interrupt from the keyboard is none, and leaves the half file.
import os


def replace_file(path, write):
    other = path.with_name(f".{path.name}.new")
    try:
        with open(other, "wb") as file:
            write(file)
            file.flush()
            os.fsync(file.fileno())
        other.replace(path)
    except Exception:
        other.unlink(missing_ok=True)
        raise
