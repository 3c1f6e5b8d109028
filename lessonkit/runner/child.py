"""The program of a worker process: `process` starts it as `python -m lessonkit.runner.child`."""

from lessonkit.system import fast_imports


def main() -> None:
    """Do what `worker.main` does; the libraries it is made of are imported here, after the grammar is put off."""
    fast_imports.defer_grammar()
    from lessonkit.runner import worker

    worker.main()


if __name__ == "__main__":
    main()
