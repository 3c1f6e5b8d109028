# Clears away and returns, and the error does not come out.
import os


def replace_file(path, write):
    other = path.with_name(path.name + ".part")
    with other.open("wb") as file:
        try:
            write(file)
        except BaseException as error:
            print("not saved:", error)
            other.unlink()
            return
        file.flush()
        os.fsync(file.fileno())
    other.replace(path)
