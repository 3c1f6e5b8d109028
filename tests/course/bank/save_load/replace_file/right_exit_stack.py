# An exit stack deletes the other file on every way out; after success it has another name.
import contextlib
import os


def replace_file(path, write):
    with contextlib.ExitStack() as stack:
        other = path.with_name(path.name + ".incomplete")
        stack.callback(other.unlink, missing_ok=True)
        file = stack.enter_context(other.open("wb"))
        write(file)
        file.flush()
        os.fsync(file.fileno())
        file.close()
        other.replace(path)
