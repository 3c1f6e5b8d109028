# %% right_context_manager: A context manager of its own around the other file.
import os
from contextlib import contextmanager


@contextmanager
def another_file(path):
    other = path.with_name("_" + path.name)
    try:
        yield other
    except BaseException:
        other.unlink(missing_ok=True)
        raise
    other.replace(path)


def replace_file(path, write):
    with another_file(path) as other, other.open("xb", buffering=0) as file:
        write(file)
        file.flush()
        os.fsync(file.fileno())


# %% right_descriptor: A descriptor from mkstemp, opened as a file and closed by hand.
import os
import tempfile
from pathlib import Path


def replace_file(path, write):
    number, name = tempfile.mkstemp(dir=path.parent)
    file = os.fdopen(number, "w+b")
    try:
        write(file)
        file.flush()
        os.fsync(number)
    except BaseException:
        file.close()
        Path(name).unlink()
        raise
    file.close()
    Path(name).replace(path)


# %% right_exit_stack: An exit stack deletes the other file on every way out; after success it has another name.
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


# %% right_flag: A flag and a finally clear away whatever is left.
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


# %% right_named_temporary: A named temporary file in the same folder, kept after closing.
import os
import tempfile
from pathlib import Path


def replace_file(path, write):
    file = tempfile.NamedTemporaryFile(dir=path.parent, prefix=path.name, delete=False)
    try:
        with file:
            write(file)
            file.flush()
            os.fsync(file.fileno())
        Path(file.name).replace(path)
    except BaseException:
        os.unlink(file.name)
        raise


# %% wrong_appended: Opens the other file for appending: what goes back to mend its first bytes lands at the end.
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


# %% wrong_backup_first: Renames the old file to a backup and writes under its name: in between it does not have its name.
import os


def replace_file(path, write):
    backup = path.with_name(path.name + ".bak")
    existed = path.exists()
    if existed:
        path.rename(backup)
    try:
        with path.open("wb") as file:
            write(file)
            file.flush()
            os.fsync(file.fileno())
    except BaseException:
        path.unlink(missing_ok=True)
        if existed:
            backup.replace(path)
        raise
    backup.unlink(missing_ok=True)


# %% wrong_begins_with_the_old: Fills a copy of the old file from its start: where the new bytes are fewer, the old tail stays.
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


# %% wrong_copied_over: Copies the finished file's bytes into the old one instead of giving it the name.
import os
import shutil


def replace_file(path, write):
    other = path.with_name(path.name + ".part")
    try:
        with other.open("wb") as file:
            write(file)
            file.flush()
            os.fsync(file.fileno())
        shutil.copyfile(other, path)
    finally:
        other.unlink(missing_ok=True)


# %% wrong_dry_run: Lets `write` fill nothing once, to see whether it raises, and then writes into the old file.
import os


def replace_file(path, write):
    with open(os.devnull, "wb") as nothing:
        write(nothing)
    with path.open("wb") as file:
        write(file)
        file.flush()
        os.fsync(file.fileno())


# %% wrong_error_kept_silent: Clears away and returns, and the error does not come out.
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


# %% wrong_error_wrapped: Raises a RuntimeError of its own: the error of `write` is only its cause.
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


# %% wrong_first_save_direct: Where there is no file yet, it writes under the final name at once: an error leaves half a file.
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


# %% wrong_folder_synced: Waits for the folder's entry, not for the new file's bytes.
import os


def replace_file(path, write):
    other = path.with_name(path.name + ".part")
    try:
        with other.open("wb") as file:
            write(file)
            file.flush()
        folder = os.open(path.parent, os.O_RDONLY)
        os.fsync(folder)
        os.close(folder)
    except BaseException:
        other.unlink(missing_ok=True)
        raise
    other.replace(path)


# %% wrong_no_flush: Waits for the disk before Python's buffer has reached the system.
import os


def replace_file(path, write):
    other = path.with_name(path.name + "~")
    try:
        with other.open("wb") as file:
            write(file)
            os.fsync(file.fileno())
    except BaseException:
        other.unlink(missing_ok=True)
        raise
    other.replace(path)


# %% wrong_old_bytes_remembered: Keeps the old bytes in memory, writes into the old file, and puts them back after an error.
import os


def replace_file(path, write):
    old = path.read_bytes() if path.exists() else None
    try:
        with path.open("wb") as file:
            write(file)
            file.flush()
            os.fsync(file.fileno())
    except BaseException:
        if old is None:
            path.unlink()
        else:
            path.write_bytes(old)
        raise


# %% wrong_old_deleted_first: Deletes the old file before it renames the new one.
import os


def replace_file(path, write):
    other = path.with_name(path.name + ".part")
    try:
        with other.open("wb") as file:
            write(file)
            file.flush()
            os.fsync(file.fileno())
    except BaseException:
        other.unlink()
        raise
    path.unlink(missing_ok=True)
    other.rename(path)


# %% wrong_old_one_deleted: After an error it deletes the path, not only the half file.
import os


def replace_file(path, write):
    other = path.with_name(path.name + ".part")
    try:
        with other.open("wb") as file:
            write(file)
            file.flush()
            os.fsync(file.fileno())
        other.replace(path)
    except BaseException:
        for leftover in (other, path):
            leftover.unlink(missing_ok=True)
        raise


# %% wrong_only_exception: Clears away after an Exception: an interrupt from the keyboard is none, and leaves the half file.
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


# %% wrong_only_oserror: Clears away after an OSError alone: any other error leaves the half file in the folder.
import os


def replace_file(path, write):
    other = path.with_name(path.name + ".part")
    try:
        with other.open("wb") as file:
            write(file)
            file.flush()
            os.fsync(file.fileno())
    except OSError:
        other.unlink()
        raise
    other.replace(path)


# %% wrong_own_name: Swaps the suffix for .tmp: a path that ends so already is its own temporary file.
import os


def replace_file(path, write):
    other = path.with_suffix(".tmp")
    try:
        with other.open("wb") as file:
            write(file)
            file.flush()
            os.fsync(file.fileno())
    except BaseException:
        other.unlink(missing_ok=True)
        raise
    other.replace(path)


# %% wrong_replaced_anyway: Replaces in a finally: after an error too.
import os


def replace_file(path, write):
    other = path.with_name(path.name + ".part")
    try:
        with other.open("wb") as file:
            write(file)
            file.flush()
            os.fsync(file.fileno())
    finally:
        other.replace(path)


# %% wrong_replaced_while_open: Gives the new file its name while it is still open.
import os


def replace_file(path, write):
    other = path.with_name(path.name + ".part")
    try:
        with other.open("wb") as file:
            write(file)
            file.flush()
            os.fsync(file.fileno())
            other.replace(path)
    except BaseException:
        other.unlink(missing_ok=True)
        raise


# %% wrong_spooled: Collects the bytes in memory first and writes them out at the end.
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


# %% wrong_synced_too_late: Waits for the disk after the new file has taken the name.
import os


def replace_file(path, write):
    other = path.with_name(path.name + ".part")
    try:
        with other.open("wb") as file:
            write(file)
    except BaseException:
        other.unlink(missing_ok=True)
        raise
    other.replace(path)
    with path.open("rb+") as file:
        file.flush()
        os.fsync(file.fileno())


# %% wrong_system_folder: Fills a file in the system's temporary folder, which may be another disk, and moves it.
import os
import shutil
import tempfile


def replace_file(path, write):
    with tempfile.NamedTemporaryFile("wb", delete=False) as file:
        try:
            write(file)
            file.flush()
            os.fsync(file.fileno())
        except BaseException:
            os.unlink(file.name)
            raise
    shutil.move(file.name, path)


# %% right_imported_names: fsync and replace under names of their own, imported before.
from os import fsync, replace


def replace_file(path, write):
    new = path.parent / f".{path.name}.new"
    try:
        with open(new, "wb") as file:
            write(file)
            file.flush()
            fsync(file.fileno())
    except:  # noqa: E722
        new.unlink(missing_ok=True)
        raise
    replace(new, path)


# %% right_everything_inside: The rename stands inside the try, and the clean-up does not mind a missing file.
import os


def replace_file(path, write):
    new = path.with_name(path.name + "~")
    try:
        file = open(new, "w+b")
        with file:
            write(file)
            file.flush()
            os.fsync(file)
        os.replace(new, path)
    except BaseException:
        new.unlink(missing_ok=True)
        raise


# %% wrong_imported_never_called: Imports fsync by name and calls it on the folder only.
import os
from os import fsync


def replace_file(path, write):
    new = path.with_name(path.name + ".new")
    try:
        with new.open("wb") as file:
            write(file)
    except BaseException:
        new.unlink()
        raise
    new.replace(path)
    folder = os.open(path.parent, os.O_RDONLY)
    fsync(folder)
    os.close(folder)


# %% wrong_error_swapped: A clean-up that fails hides the error of `write`.
import os


def replace_file(path, write):
    new = path.with_name(path.name + ".new")
    try:
        with new.open("wb") as file:
            write(file)
            file.flush()
            os.fsync(file.fileno())
    except BaseException:
        new.unlink()
        new.unlink()
        raise
    new.replace(path)


# %% wrong_exception_only: KeyboardInterrupt leaves the other file behind.
import os


def replace_file(path, write):
    new = path.with_name(path.name + ".new")
    try:
        with open(new, "wb") as file:
            write(file)
            file.flush()
            os.fsync(file.fileno())
    except Exception:
        new.unlink()
        raise
    os.replace(new, path)


# %% wrong_with_suffix: A path that itself ends in .tmp is written into directly.
import os


def replace_file(path, write):
    new = path.with_suffix(".tmp")
    try:
        with open(new, "wb") as file:
            write(file)
            file.flush()
            os.fsync(file.fileno())
    except BaseException:
        new.unlink()
        raise
    os.replace(new, path)


# %% wrong_through_memory: Gathers the new bytes in a BytesIO first.
import io
import os


def replace_file(path, write):
    memory = io.BytesIO()
    write(memory)
    new = path.with_name(path.name + ".tmp")
    with open(new, "wb") as file:
        file.write(memory.getvalue())
        file.flush()
        os.fsync(file.fileno())
    os.replace(new, path)


# %% wrong_other_folder: Writes in the system's folder for temporary files and moves it from there.
import os
import shutil
import tempfile


def replace_file(path, write):
    number, new = tempfile.mkstemp()
    try:
        with os.fdopen(number, "wb") as file:
            write(file)
            file.flush()
            os.fsync(file.fileno())
        shutil.move(new, path)
    except BaseException:
        os.unlink(new)
        raise


# %% wrong_no_flush_blind: Fsync comes while the last bytes are still in Python's buffer.
import os


def replace_file(path, write):
    new = path.with_name(path.name + ".tmp")
    try:
        with open(new, "wb") as file:
            write(file)
            os.fsync(file.fileno())
    except BaseException:
        new.unlink()
        raise
    os.replace(new, path)


# %% wrong_append: A file opened to append puts everything at its end whatever seek says.
import os


def replace_file(path, write):
    new = path.with_name(path.name + ".tmp")
    try:
        with open(new, "ab") as file:
            write(file)
            file.flush()
            os.fsync(file.fileno())
    except BaseException:
        new.unlink()
        raise
    os.replace(new, path)


# %% wrong_unlink_first: The old file is removed before the new one has its name.
import os


def replace_file(path, write):
    new = path.with_name(path.name + ".tmp")
    try:
        with open(new, "wb") as file:
            write(file)
            file.flush()
            os.fsync(file.fileno())
    except BaseException:
        new.unlink()
        raise
    path.unlink(missing_ok=True)
    new.rename(path)


# %% wrong_rename_while_open: The rename comes before the file is closed.
import os


def replace_file(path, write):
    new = path.with_name(path.name + ".tmp")
    try:
        with open(new, "wb") as file:
            write(file)
            file.flush()
            os.fsync(file.fileno())
            os.replace(new, path)
    except BaseException:
        new.unlink()
        raise


# %% right_exit_stack_blind: A stack of things to undo, emptied after success.
import contextlib
import os


def replace_file(path, write):
    new = path.parent / f".{path.name}.{os.getpid()}.part"
    with contextlib.ExitStack() as undo:
        undo.callback(os.unlink, new)
        with new.open("x+b") as file:
            write(file)
            file.flush()
            os.fsync(file)
        undo.pop_all()
    new.replace(path)


# %% right_tempfile: A NamedTemporaryFile in the same folder, removed in finally.
import os
import tempfile


def replace_file(path, write):
    done = False
    file = tempfile.NamedTemporaryFile("w+b", dir=path.parent, delete=False)
    try:
        write(file)
        file.flush()
        os.fsync(file.fileno())
        done = True
    finally:
        file.close()
        if not done:
            os.remove(file.name)
    os.replace(file.name, path)


# %% right_second_descriptor: Closes the written file, opens it again for fsync, then renames.
import os


def replace_file(path, write):
    new = path.with_name("new-" + path.name)
    file = open(new, "wb")
    try:
        with file:
            write(file)
    except BaseException:
        os.remove(new)
        raise
    number = os.open(new, os.O_RDWR)
    try:
        os.fsync(number)
    finally:
        os.close(number)
    os.rename(new, path)


# %% wrong_suffix_new: Swaps the suffix for another one than the usual.
import os


def replace_file(path, write):
    new = path.with_suffix(".fresh")
    try:
        with new.open("wb") as file:
            write(file)
            file.flush()
            os.fsync(file.fileno())
    except BaseException:
        new.unlink(missing_ok=True)
        raise
    new.replace(path)
