"""Signs that web pages and word processors print in place of a program's own: quotes, crosses, spaces."""

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


def as_typed(text: str) -> str:
    """Return `text` with straight quotes, x for the sign of multiplication, and spaces that are spaces."""
    return text.translate(SIGNS)
