"""Signs that web pages print in place of a program's own, and take away: quotes, crosses, spaces, underscores."""

from torch_clinic.expressions import Expression

SIGNS = str.maketrans(
    {
        "\u2018": "'",
        "\u2019": "'",
        "\u201c": '"',
        "\u201d": '"',
        "\u00d7": "x",
        "\u2212": "-",
        "\u00a0": " ",
        "\u200b": None,
        "\ufeff": None,
    }
)


# Markdown reads the underscores of Trainer.__init__() as bold type.
EATEN = Expression(r"(?<=\w)\.(?:\*\*init\*\*|init)\(\)(?= (?:got|takes|missing)\b)")


def as_typed(text: str) -> str:
    """Return `text` with straight quotes, x for the sign of multiplication, spaces, and `__init__` where it was.

    >>> as_typed("Trainer.init() got an unexpected keyword argument")
    'Trainer.__init__() got an unexpected keyword argument'
    """
    return EATEN.sub(".__init__()", text.translate(SIGNS))
