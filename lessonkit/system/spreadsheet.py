"""What goes into a table that people open in a spreadsheet."""

_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def as_text(value: object) -> object:
    """Return a value as a spreadsheet is to show it: before a text that begins like a formula, an apostrophe.

    Names, files and messages come from learners, and a spreadsheet runs a formula for whoever opens the table.
    """
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value
