"""The runner's child, which executes one notebook: `process` starts it as `python -m lessonkit.runner.child`."""

from lessonkit.system import grammar


def main() -> None:
    """Do what `worker.main` does; the libraries it is made of are imported here, after the grammar is put off."""
    grammar.compile_when_used()
    from lessonkit.runner import worker

    worker.main()


if __name__ == "__main__":
    main()
