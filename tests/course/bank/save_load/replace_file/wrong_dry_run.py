# Lets `write` fill nothing once, to see whether it raises, and then writes into the old file.
import os


def replace_file(path, write):
    with open(os.devnull, "wb") as nothing:
        write(nothing)
    with path.open("wb") as file:
        write(file)
        file.flush()
        os.fsync(file.fileno())
