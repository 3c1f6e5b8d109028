"""Our answer to the question of chapter 01. A submission that is graded never sees this file."""

from lessonkit.checks.answer import Answer


def count_words(text):
    """Lower case first, so that `To` and `to` are one word."""
    words = text.lower().split()
    return {word: words.count(word) for word in words}


def each_spelling_apart(text):
    """You counted `To` and `to` as two words. Turn the text into lower case first."""
    return {word: text.split().count(word) for word in text.split()}


def letters_instead(text):
    """You counted letters. `split` cuts a text into its words."""
    return {letter: text.lower().count(letter) for letter in text.lower()}


count_words = Answer(
    count_words,
    mistakes=(each_spelling_apart, letters_instead),
    hints=(
        "`text.lower().split()` is the list of words.",
        "`words.count(word)` counts a word in a list.",
    ),
)
