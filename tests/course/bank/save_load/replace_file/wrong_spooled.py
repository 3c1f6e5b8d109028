# Collects the bytes in memory first and writes them out at the end.
import os
import tempfile


def replace_file(path, write):
    with tempfile.SpooledTemporaryFile(max_size=2**40) as spool:
        write(spool)
        spool.seek(0)
        other = path.with_name(path.name + ".part")
        with other.open("wb") as file:
            file.write(spool.read())
            file.flush()
            os.fsync(file.fileno())
    other.replace(path)
