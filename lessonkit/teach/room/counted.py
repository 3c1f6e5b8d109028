"""Words for numbers of things, the same on every page and in every message."""


def counted(number: float, noun: str, plural: str = "") -> str:
    """Return a number with its noun.

    >>> counted(1, "learner"), counted(2, "learner"), counted(1, "entry", "entries"), counted(0.5, "point")
    ('1 learner', '2 learners', '1 entry', '0.5 points')
    """
    return f"{number:g} {noun if number == 1 else plural or f'{noun}s'}"


def and_unjudged(number: int) -> str:
    """Return what follows "2 of 3" where some of the three have no verdict yet; empty for none of them.

    >>> and_unjudged(1)
    ', and 1 not judged yet'
    """
    return f", and {number} not judged yet" if number else ""
