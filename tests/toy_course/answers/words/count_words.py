# %% right_get: A dictionary filled by hand.
def count_words(text):
    """How often each word occurs, in lower case."""
    found = {}
    for word in text.casefold().split():
        found[word] = found.get(word, 0) + 1
    return found


# %% right_counter: The library's own counter.
from collections import Counter


def count_words(text):
    """How often each word occurs, in lower case."""
    return dict(Counter(text.lower().split()))


# %% right_set: Each word once, then how often.
def count_words(text):
    """How often each word occurs, in lower case."""
    words = text.lower().split()
    return {word: words.count(word) for word in set(words)}


# %% wrong_spaces: Cuts at single spaces, so that a line's end is part of a word.
def count_words(text):
    """How often each word occurs, in lower case."""
    words = text.lower().split(" ")
    return {word: words.count(word) for word in words}


# %% wrong_upper: In upper case.
def count_words(text):
    """How often each word occurs, in lower case."""
    words = text.upper().split()
    return {word: words.count(word) for word in words}


# %% wrong_pairs: Pairs in a list.
def count_words(text):
    """How often each word occurs, in lower case."""
    words = text.lower().split()
    return sorted((word, words.count(word)) for word in set(words))


# %% wrong_words: The words alone.
def count_words(text):
    """How often each word occurs, in lower case."""
    return sorted(set(text.lower().split()))


# %% wrong_how_many: How many words there are.
def count_words(text):
    """How often each word occurs, in lower case."""
    return len(text.lower().split())


# %% wrong_once: Says 1 of each.
def count_words(text):
    """How often each word occurs, in lower case."""
    return dict.fromkeys(text.lower().split(), 1)


# %% wrong_lengths: How long each word is.
def count_words(text):
    """How often each word occurs, in lower case."""
    return {word: len(word) for word in text.lower().split()}


# %% wrong_repeated: Only words that occur twice.
def count_words(text):
    """How often each word occurs, in lower case."""
    words = text.lower().split()
    return {word: words.count(word) for word in words if words.count(word) > 1}
